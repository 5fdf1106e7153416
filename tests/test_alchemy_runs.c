/* Runs with a solute whose interactions are scaled: ladders that are cut, shared by threads and run in parts;
 * a run at full strength beside one without alchemy; and what is refused. */
#include "tests/alchemy_world.h"

#define FORCES "cutoff: 5.9 A, coulomb: pme, beta: 0.5, order: 4, grid: 18, truncation: switch"
static const AlchemyCase boxed = {"flexible", "tip3p", ALCHEMY_BRICK, FORCES, "", 1.0, 1.0, .mixed = true},
                         field = {"marked", "tip4p", ALCHEMY_OBLIQUE, ALCHEMY_FIELD "truncation: shift", "",
                                  1.0,      1.0},
                         clear = {"rigid", "tip3p", NULL, NULL, "soft_power: 2", 1.0, 1.0};
#define LISTS    "coulomb: [1, 0.4, 0], lj: [1, 0.5, 0]"
#define EXCHANGE "exchange: {ladders: 2, interval: 6}\n"

/* --- ladders -------------------------------------------------------------------------------------------- */

static void same(const char *one, const char *other)
{
  program_does("diff -r -x holonom.log -x holonom.files -x input.yaml -x 'checkpoint.*' -x summary.yaml -x "
               "results.json -x '*.png' -x '*.pdf' -x '*.svg' -x '*.gp' -x '*.dat' -x '*.plot.json' %s %s",
               one, other);
}

/* In boxes of constant volume and of constant pressure, and in open space. */
static const struct {
  const AlchemyCase *c;
  const char *more;
} ladders[] = {{&boxed, EXCHANGE},
               {&field, EXCHANGE "barostat: {type: rescale, pressure: 1 bar, every: 5}\n"},
               {&clear, EXCHANGE},
               {&boxed, EXCHANGE "barostat: {type: monte-carlo, pressure: 1 bar, every: 3}\n"}};

TEST(threads_cuts_and_parts, .rows = 4, .threads = true)
{
  alchemy_write(ladders[_i].c, ALCHEMY_AS_IT_IS, LISTS, ladders[_i].more);
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --threads 1 --set integrator.steps=27");
  program_runs("run run.yaml -o cut --resume --threads 2");
  same("whole", "cut");
  program_does("test -s whole/u_nk.csv && test -s whole/ladder.csv");
  if (ladders[_i].c->box == NULL) /* a batch is the smallest part */
    return;
  program_runs("run run.yaml -o 0..4 --force --threads 1 --replicas 0..4");
  program_runs("run run.yaml -o 5..9 --force --threads 2 --replicas 5..9");
  program_runs("merge 0..4 5..9 -o merged --force --threads 1");
  same("whole", "merged");
}

/* --- full strength -------------------------------------------------------------------------------------- */

/* The last positions of a run. */
static int last(const char *dir, double (*x)[3])
{
  char name[64];
  int n, got, read = 0;
  snprintf(name, sizeof name, "%s/final.xyz", dir);
  const char *text = program_read(name);
  ck_assert_int_eq(sscanf(text, "%d", &n), 1);
  text = strchr(strchr(text, '\n') + 1, '\n');
  for (; read < n; read++, text += got)
    ck_assert_int_eq(sscanf(text, "%*s %lf %lf %lf%*[^\n]%n", &x[read][0], &x[read][1], &x[read][2], &got),
                     3);
  return n;
}

TEST(full_strength_follows_the_run_without_alchemy, .rows = 3)
{
  static const AlchemyCase *const of[] = {&boxed, &field, &clear};
  AlchemyCase c = *of[_i];
  double x[ALCHEMY_ATOMS][3], y[ALCHEMY_ATOMS][3], far = 0.0;
  c.mixed = false;
  for (int k = 0; k < 2; k++) {
    alchemy_write(&c, k == 0 ? ALCHEMY_AS_IT_IS : ALCHEMY_WITHOUT_KEYS, "coulomb: 1, lj: 1", "");
    program_runs("run run.yaml -o %s --force --threads 1 --set integrator.steps=100",
                 k == 0 ? "one" : "other");
  }
  const int n = last("one", x);
  ck_assert_int_eq(last("other", y), n);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      far = fmax(far, fabs(x[i][d] - y[i][d]));
  ck_assert_double_lt(far, 1e-6);
}

/* --- what is refused ------------------------------------------------------------------------------------ */

static void refuses(const AlchemyCase *c, const char *lists, const char *more, const char *set,
                    const char *words)
{
  alchemy_write(c, ALCHEMY_AS_IT_IS, lists, more);
  program_refuses(words, "check run.yaml %s", set);
  program_refuses(words, "run run.yaml -o no --force %s", set);
}

TEST(solutes_that_are_refused)
{
  const char *const lists = LISTS, *const more = EXCHANGE;
  refuses(&boxed, lists, more, "--set alchemy.molecules=flexibel",
          "'flexibel' is not a molecule type of the system; did you mean 'flexible'?");
  refuses(&boxed, lists, more, "--set alchemy.molecules=methane",
          "there are: tip3p, chain, plus, minus, flexible");
  refuses(&boxed, lists, more, "--set alchemy.molecules=tip3p", "'tip3p' is the model water");
  refuses(&boxed, lists, more, "--set alchemy.molecules=chain", "there are 2 molecules of 'chain'");
  refuses(&boxed, lists, more, "--set alchemy.molecules=plus", "'plus' has a net charge of 1 e");
  alchemy_write(&boxed, ALCHEMY_ALONE, "", "");
  program_refuses("'flexible' is the only molecule",
                  "run run.yaml -o no --force --set alchemy.molecules=flexible");
}

TEST(lists_that_are_refused)
{
  const char *const more = EXCHANGE;
  refuses(&boxed, "coulomb: [1, 0.5, 0.5, 0], lj: [1, 0]", more, "",
          "strength 3 is 0.5, not below the 0.5 before it");
  refuses(&boxed, "coulomb: [0, 0.5, 1]", more, "", "strength 2 is 0.5, not below the 0 before it");
  refuses(&boxed, "coulomb: [1, 0], lj: [1.5, 0]", more, "", "alchemy.lj");
  refuses(&boxed, "coulomb: [1, -0.5], lj: 1", more, "", "alchemy.coulomb");
  refuses(&boxed, "coulomb: [1, 0.5], lj: [1, 0.5, 0]", more, "",
          "charges have the strength 0.5 where Lennard-Jones has 0.5");
  refuses(&boxed, "coulomb: 0.5, lj: 0.5", "", "",
          "charges have the strength 0.5 where Lennard-Jones has 0.5");
  refuses(&boxed, "coulomb: 0, lj: 0.5, soft_alpha: -1", "", "", "alchemy.soft_alpha");
  refuses(&boxed, "coulomb: 0, lj: 0.5, soft_power: 3", "", "", "alchemy.soft_power");
}

TEST(settings_that_are_refused)
{
  const char *const lists = LISTS;
  refuses(&boxed, lists, "exchange: {interval: 6, temperatures: [100 K, 110 K, 120 K, 130 K, 140 K]}\n", "",
          "exchange.temperatures: contradicts the states of alchemy");
  refuses(
      &boxed, lists,
      "exchange: {interval: 6, pressures: [1 bar, 2 bar, 3 bar, 4 bar, 5 bar]}\nbarostat: {type: rescale}\n",
      "", "exchange.pressures: contradicts the states of alchemy");
  refuses(&boxed, lists, "exchange: {interval: 6, parameters: {alchemy.lj: [1, 0.9, 0.8, 0.7, 0.6]}}\n", "",
          "alchemy.lj");
  refuses(&boxed, lists, "ensemble: {replicas: 2, parameters: {alchemy.coulomb: [1, 0]}}\n", "",
          "alchemy.coulomb");
  refuses(&boxed, lists, EXCHANGE "freeze: name Na\n", "", "freeze: cannot be combined with alchemy");
  refuses(&boxed, lists, EXCHANGE "field: {electric: [0, 0, 1]}\n", "",
          "field.electric: cannot be combined with alchemy");
  refuses(&boxed, lists, EXCHANGE, "--set forces.coulomb=ewald --set forces.order= --set forces.grid=",
          "'ewald' does not support alchemy");
  refuses(&boxed, "coulomb: 0, lj: 0.1, soft_alpha: 10", "", "", "the soft core of a solute with sigma");
  alchemy_write(&boxed, ALCHEMY_WITHOUT_KEYS, "", "alchemy: {lj: [1, 0.5, 0]}\n");
  program_refuses("alchemy.molecules", "check run.yaml");
  alchemy_write(&boxed, ALCHEMY_WITHOUT_KEYS, "", "alchemy: {soft_power: 2}\n");
  program_refuses("alchemy.molecules", "check run.yaml");
}

int main(void) { return program_main("alchemy_runs"); }
