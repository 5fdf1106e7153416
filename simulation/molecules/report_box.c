#include "simulation/molecules/report_box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulation/molecules/system_box.h"

/* --- what ran ---------------------------------------------------------------------------------------------
 */

void report_box_forces(const Simulation *s, const Force *force, char *words, size_t size)
{
  const Config *c = s->config;
  static const char *const coulomb[] = {"pme", "ewald", "reaction-field", "cutoff"};
  static const char *const truncation[] = {"plain", "shift", "switch", "switch-pairs"};
  const PmeChoice *const choice = periodic_choice(force);
  const PeriodicOptions *const o = periodic_options(force);
  words[0] = '\0';
  text_append(words, size, "cutoff: %.6g # A, between %s\n", o->cutoff,
              c->forces.by_atom ? "sites" : "molecules");
  text_append(words, size, "truncation: %s\n", truncation[system_box_truncation(s)]);
  text_append(words, size, "coulomb: %s\n", coulomb[c->forces.coulomb]);
  if (c->forces.coulomb <= (int)PERIODIC_EWALD && choice->beta > 0.0)
    text_append(words, size, "ewald_beta: %.6g # 1/A\n", choice->beta);
  if (c->forces.coulomb == (int)PERIODIC_PME && choice->beta > 0.0)
    text_append(words, size,
                "mesh: [%d, %d, %d]\nmesh_order: %d\nexpected_errors: [%.3g, %.3g] # of forces, real and "
                "mesh, kcal/mol/A\nexpected_force_error: %.3g # both together\n"
                "expected_pressure_error: %.2g # bar, in the mean\nexpected_energy_error: %.2g # kcal/mol a "
                "molecule, in the mean\n",
                choice->grid[0], choice->grid[1], choice->grid[2], choice->order, choice->real, choice->mesh,
                hypot(choice->real, choice->mesh), choice->pressure,
                choice->energy / periodic_mixture(force)->nmol);
  text_append(words, size, "buffer: %.4g # A\n", o->buffer);
}

void report_box_method(const Run *run, Text *text)
{
  const Simulation *s = run->s;
  char words[1024];
  text_print(text, "box: [%.10g, %.10g, %.10g] # A\ndensity: %.6g # g/cm^3\nkinds:\n", box_length(&s->box, 0),
             box_length(&s->box, 1), box_length(&s->box, 2), system_box_density(s));
  for (int k = 0; k < s->nkind; k++)
    text_print(text, "  %s: %d\n", s->kind[k]->name, s->nmol[k]);
  report_box_forces(s, &ensemble_field(run->s->ensemble)->force[0], words, sizeof words);
  text_print(text, "%s", words);
}

/* --- time -------------------------------------------------------------------------------------------------
 */

/* Seconds a step in each part, as the first thread spent them in this program's run. */
typedef struct Split {
  double part[PERIODIC_PARTS];                   /* of the forces */
  double constraints, noise, moves, output, all; /* all: of the whole run */
} Split;

static Split split_time(const Run *run)
{
  Split split = {0};
  double seconds[PART_COUNT], sum = 0.0;
  int64_t timed, steps;
  const int64_t done = ensemble_step(run->s->ensemble);
  ensemble_clock(run->s->ensemble, seconds, &timed, &steps);
  /* Of one replica by all threads, or of several by one each: both are threads' seconds a step of the first.
   */
  const int replicas = ensemble_replicas(run->s->ensemble), workers = ensemble_workers(run->s->ensemble);
  steps /= replicas > 1 ? replicas : workers;
  periodic_times(&ensemble_field(run->s->ensemble)->force[0], split.part);
  for (int i = 0; i < PERIODIC_PARTS && steps > 0; i++)
    split.part[i] *= (replicas > 1 ? (double)replicas / workers : 1.0) / (double)steps;
  for (int i = 0; i < PART_COUNT; i++)
    sum += seconds[i];
  split.all = done > 0 ? run->times.stepping / (double)done : 0.0;
  const double scale = sum > 0.0 ? split.all / sum : 0.0;
  split.constraints = scale * seconds[PART_SOLVES];
  split.noise = scale * seconds[PART_NOISE];
  split.moves = scale * seconds[PART_MOVES];
  split.output = done > 0 ? run->times.output / (double)done : 0.0;
  return split;
}

void report_box_times(const Run *run, Text *text)
{
  const Split split = split_time(run);
  static const char *const names[PERIODIC_PARTS] = {"list", "pairs",  "spread",
                                                    "fft",  "gather", "other_forces"};
  text_print(text, "share_of_parts: # milliseconds a step, measurements included\n");
  for (int i = 0; i < PERIODIC_PARTS; i++)
    text_print(text, "  %s: %.4g\n", names[i], 1e3 * split.part[i]);
  text_print(text, "  constraints: %.4g\n  noise: %.4g\n  moves: %.4g\n  output: %.4g\n  all: %.4g\n",
             1e3 * split.constraints, 1e3 * split.noise, 1e3 * split.moves, 1e3 * split.output,
             1e3 * split.all);
  text_print(text, "ns_per_day: %.5g # of each replica\n", system_speed(run->s, split.all));
}

/* --- observables ------------------------------------------------------------------------------------------
 */

static void print_number(Text *text, const char *before, double value, const char *after)
{
  if (isfinite(value))
    text_print(text, "%s%.8g%s", before, value, after);
  else
    text_print(text, "%snull%s", before, after);
}

/* What is looked for most often has a key of its own. */
static void print_known(Text *text, const ObservableNumber *n)
{
  static const struct {
    const char *observable, *quantity, *before, *behind;
  } known[] = {{"msd", "D_L", "diffusion_", ""},
               {"msd", "D_infinite", "diffusion_", "_corrected"},
               {"dipole", "epsilon", "dielectric_constant", NULL}};
  for (size_t i = 0; i < sizeof known / sizeof *known && isfinite(n->value); i++) {
    if (strcmp(n->observable, known[i].observable) != 0 || strcmp(n->quantity, known[i].quantity) != 0)
      continue;
    char key[96], after[64];
    snprintf(key, sizeof key, "%s%s%s", known[i].before, known[i].behind != NULL ? n->subject : "",
             known[i].behind != NULL ? known[i].behind : "");
    snprintf(after, sizeof after, "%s%s\n", n->unit[0] != '\0' ? " # " : "", n->unit);
    text_print(text, "%s", key);
    print_number(text, ": ", n->value, after);
    text_print(text, "%s_err", key);
    print_number(text, ": ", n->error, "\n");
  }
}

void report_box_observables(const Run *run, Text *text)
{
  const ObservableReport *const report = &water_run(run)->observed;
  if (report->n == 0)
    return;
  for (int i = 0; i < report->n; i++)
    print_known(text, &report->number[i]);
  text_print(text, "observables:\n");
  for (int i = 0; i < report->n; i++) {
    const ObservableNumber *n = &report->number[i];
    text_print(text, "  - {observable: %s, subject: \"%s\", quantity: %s", n->observable, n->subject,
               n->quantity);
    print_number(text, ", value: ", n->value, "");
    print_number(text, ", error: ", n->error, "");
    const ObservableNote note = observable_number_note(n);
    text_print(text, ", unit: \"%s\"%s", n->unit, note.text[0] != '\0' ? ", note: \"" : "");
    for (const char *c = note.text; *c != '\0'; c++)
      text_print(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    text_print(text, note.text[0] != '\0' ? "\"}\n" : "}\n");
  }
}

Status report_box_means(const Run *run, Text *text, Error *error)
{
  const int n = run->s->molecules;
  double mean, err, tau;
  if (measure_samples(run->measure) == 0)
    return STATUS_OK;
  const Status status =
      measure_mean(run->measure, water_columns(run->s)->potential, &mean, &err, &tau, error);
  if (status != STATUS_OK)
    return status;
  text_print(text, "energy_per_molecule: %.8g # kcal/mol, potential, of all kinds\n", mean / n);
  if (isfinite(err))
    text_print(text, "energy_per_molecule_err: %.4g\n", err / n);
  return STATUS_OK;
}

/* --- last words -------------------------------------------------------------------------------------------
 */

Status report_box_words(Run *run, char *words, size_t size, Error *error)
{
  const Simulation *s = run->s;
  const WaterColumns *c = water_columns(run->s);
  const Split split = split_time(run);
  const double mesh = split.part[PERIODIC_SPREAD] + split.part[PERIODIC_FFT] + split.part[PERIODIC_GATHER];
  words[0] = '\0';
  text_append(words, size, "%lld steps, %.6g ps, of %d molecules in %.1f s: %.4g ms a step, %.4g ns a day",
              (long long)ensemble_step(run->s->ensemble),
              system_picoseconds(s, ensemble_step(run->s->ensemble)), s->molecules, run->times.wall,
              1e3 * split.all, system_speed(s, split.all));
  if (s->replicas > 1)
    text_append(words, size, " of each of %d replicas", s->replicas);
  text_append(words, size, "\n");
  text_append(words, size,
              "ms a step: pairs %.3g, lists %.3g, mesh %.3g, other forces %.3g, constraints %.3g, noise "
              "%.3g, moves %.3g, output %.3g\n",
              1e3 * split.part[PERIODIC_PAIRS], 1e3 * split.part[PERIODIC_LIST], 1e3 * mesh,
              1e3 * split.part[PERIODIC_OTHER], 1e3 * split.constraints, 1e3 * split.noise, 1e3 * split.moves,
              1e3 * split.output);
  const struct {
    int column;
    double per;
    const char *what, *unit;
  } rows[] = {{c->potential, s->molecules, "potential energy a molecule", "kcal/mol"},
              {c->temperature, 1.0, "temperature", "K"},
              {c->unbiased, 1.0, "temperature_unbiased", "K"},
              {c->pressure[0], 1.0, "pressure by molecule", "bar"},
              {c->pressure[1], 1.0, "pressure by atom", "bar"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows && measure_samples(run->measure) > 0; i++) {
    double mean, err, tau;
    if (rows[i].column < 0)
      continue;
    TRY(measure_mean(run->measure, rows[i].column, &mean, &err, &tau, error));
    water_report_mean(words, size, rows[i].what, mean / rows[i].per, err / rows[i].per,
                      measure_samples(run->measure), rows[i].unit);
  }
  water_report_bias(run);
  return water_report_errors(run, words, size, error);
}
