/* Laws of runs of periodic water, every part of them together: energies and momenta that stay, steps that
 * come back, forces that are the gradient of the energy, the mesh every second step beside that of every
 * step. */
#include "config/config.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system_box.h"
#include "tests/periodic_walk.h"
#include "tests/shorter.h"
#include "tests/suite.h"

enum { N = 3 * BOX_N };

/* Smooth where pairs leave, and a mesh whose small net force, which is taken away, is too small to see. */
static const PeriodicOptions smooth = {.nonbonded.cutoff = 9.0,
                                       .nonbonded.truncation = TRUNCATION_SWITCH,
                                       .nonbonded.accuracy = 2e-4,
                                       .threads = PERIODIC_THREADS,
                                       .kT = 0.6,
                                       .h = 0.02};

static void walking_prepare(PeriodicWalk *w)
{
  const Team alone = team_alone();
  ck_assert_int_eq(walk_prepare(w->walk[0], &alone, NULL), STATUS_OK);
}

static void walking_open_anywhere(PeriodicWalk *w, const PeriodicOptions *options, const char *word,
                                  double fs)
{
  const PlanOptions o = {.word = word,
                         .h = fs / UNITS_AKMA_FS,
                         .accel = "verlet",
                         .constraints = "settle",
                         .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                         .kT = 0.6};
  periodic_walk_open(w, options, &o, 1);
  walking_prepare(w);
}

/* The liquid is not on the constraints to the last bit. */
static void walking_open(PeriodicWalk *w, const PeriodicOptions *options, const char *word, double fs)
{
  static double x[N];
  static bool known;
  if (!known) {
    walking_open_anywhere(w, &periodic_usual, "BAB", 1e-4);
    periodic_walk_run(w, false, 1);
    blocks_get(w->p.state, 'q', x);
    periodic_walk_close(w);
  }
  known = true;
  walking_open_anywhere(w, options, word, fs);
  blocks_set(w->p.state, 'q', x);
  walk_draw_momenta(w->walk[0]);
  walking_prepare(w);
}

static double walking_energy(PeriodicWalk *w, double *potential)
{
  double kinetic, terms[EWALD_TERMS], penalty, largest;
  const WalkEnergies to = {&kinetic, terms, &penalty, &largest, NULL, NULL};
  const Team alone = team_alone();
  ck_assert_int_eq(walk_energies(w->walk[0], &alone, &to, NULL), STATUS_OK);
  *potential = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++)
    *potential += terms[t];
  return kinetic + *potential;
}

/* One step of a RESPA word is so many of BAB. */
static const struct {
  const char *word;
  int inner;
} words[] = {{"BAB", 1}, {"ABA", 1}, {"RESPA-2", 2}, {"RESPA-3", 3}};
enum { WORDS = 4 };

/* Other sets, and short tests, take the first word and the last: letters know nothing of sets. */
static bool left_out(int word) { return shorter_few() && word % WORDS % 3 != 0; }

/* --- energy ------------------------------------------------------------------------------------------------
 */

/* Along one trajectory in steps of h and h/2: what the energy moves by is a quarter. */
TEST(energy_stays_to_second_order, .rows = WORDS)
{
  double moved[2] = {0.0};
  if (left_out(_i))
    return;
  for (int k = 0; k < 2; k++) {
    PeriodicWalk w;
    double potential;
    walking_open(&w, &smooth, words[_i].word, (k == 0 ? 1.0 : 0.5) * words[_i].inner);
    const double first = walking_energy(&w, &potential);
    for (int i = 0; i < 6; i++) {
      periodic_walk_run(&w, false, 6 << k);
      moved[k] += fabs(walking_energy(&w, &potential) - first);
    }
    periodic_walk_close(&w);
  }
  ck_assert_double_gt(moved[1], 1e-3);
  ck_assert_msg(fabs(moved[0] / moved[1] - 4.0) < 0.5, "%s: %g %g", words[_i].word, moved[0], moved[1]);
}

/* The mesh every second or third step: the same trajectory as with every step but for terms in h^2. */
TEST(slow_kicks_keep_the_energy)
{
  double potential[3];
  for (int k = 0; k < 3; k++) {
    PeriodicWalk w;
    walking_open(&w, &smooth, k == 0 ? "BAB" : words[1 + k].word, k == 0 ? 1.0 : 1.0 + k);
    periodic_walk_run(&w, false, k == 0 ? 60 : 60 / (1 + k));
    (void)walking_energy(&w, &potential[k]);
    periodic_walk_close(&w);
  }
  for (int k = 1; k < 3; k++) /* of 10 kcal/mol a molecule */
    ck_assert_double_eq_tol(potential[k] / BOX_NMOL, potential[0] / BOX_NMOL, 0.005);
  ck_assert_double_gt(fabs(potential[1] - potential[0]), 1e-6);
}

/* --- momentum, and back again ------------------------------------------------------------------------------
 */

static double momentum(const PeriodicWalk *w, double sum[3])
{
  static double p[N];
  const Block *block = &w->p.state->block[0];
  double square = 0.0;
  state_get(block, 1, block->p, 0, p);
  sum[0] = sum[1] = sum[2] = 0.0;
  for (int k = 0; k < N; k++) {
    sum[k % 3] += p[k];
    square += p[k] * p[k];
  }
  return sqrt(square);
}

/* What the mesh leaves over is taken away; in float sums it is to the rounding of that. */
TEST(momentum_stays, .rows = 2 * WORDS)
{
  if (left_out(_i))
    return;
  PeriodicOptions o = periodic_usual;
  o.nonbonded.mixed = _i >= WORDS;
  PeriodicWalk w;
  walking_open(&w, &o, words[_i % WORDS].word, 2.0);
  double first[3], last[3];
  momentum(&w, first);
  periodic_walk_run(&w, false, 20);
  const double size = momentum(&w, last);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(last[d], first[d], (o.nonbonded.mixed ? 1e-6 : 1e-13) * size);
  periodic_walk_close(&w);
}

TEST(steps_come_back, .rows = WORDS)
{
  static double x[N], back[N], p[N];
  if (left_out(_i))
    return;
  PeriodicWalk w;
  walking_open(&w, &periodic_usual, words[_i].word, 1.0);
  Block *block = &w.p.state->block[0];
  state_get(block, 1, block->q, 0, x);
  for (int way = 0; way < 2; way++) {
    periodic_walk_run(&w, false, 20);
    state_get(block, 1, block->q, 0, back);
    double far = 0.0;
    for (int k = 0; k < N; k++)
      far = fmax(far, fabs(back[k] - x[k]));
    if (way == 0)
      ck_assert_double_gt(far, 0.1);
    else
      ck_assert_double_lt(far, 1e-10);
    state_get(block, 1, block->p, 0, p);
    for (int k = 0; k < N; k++)
      p[k] *= -1.0;
    state_set(block, 1, block->p, 0, p);
    walking_prepare(&w);
  }
  periodic_walk_close(&w);
}

/* --- the forces of a run -----------------------------------------------------------------------------------
 */

/* As input files have them; all continuous where pairs leave. */
static const char *const inputs[] = {
    "system: {model: tip3p, molecules: 400, density: 1 g/cm3, minimise: false}\n"
    "forces: {by: atom, truncation: switch, accuracy: 1e-6}\n"
    "geometry: {method: settle}\n",
    "system: {model: tip4p, molecules: 400, atoms: {Na+: 3, Cl-: 3}, density: 1 g/cm3, minimise: false}\n"
    "forces: {by: atom, truncation: switch, switch: 2 A, accuracy: 3e-6, order: 5, tail: false}\n"
    "geometry: {method: settle}\n",
    "system: {model: spce, molecules: 216, box: [18.5, 18.6, 19.3], minimise: false}\n"
    "forces: {by: molecule, truncation: switch, accuracy: 1e-6, cutoff: 9 A}\n"
    "geometry: {method: penalty, w: 20}\n",
    "system: {model: tip3p, molecules: 216, density: 1 g/cm3, minimise: false}\n"
    "forces: {by: molecule, truncation: switch, coulomb: ewald, accuracy: 1e-5}\n"
    "geometry: {method: settle}\n",
    "system: {model: tip3p, molecules: 400, density: 1 g/cm3, minimise: false}\n"
    "forces: {by: atom, truncation: switch, coulomb: reaction-field}\n"
    "geometry: {method: settle}\n",
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

typedef struct Configured {
  Config *config;
  Simulation *system;
  State *state;
  ForceField field;
} Configured;

static void configured_open(Configured *c, const char *input)
{
  char text[1024];
  Error error = {0};
  snprintf(text, sizeof text,
           "%sintegrator: {word: BAB, timestep: 1 fs, steps: 1}\n"
           "thermostat: {type: none, initial: zero}\nprecision: double\n",
           input);
  *c = (Configured){0};
  ck_assert_msg(config_parse("laws.yaml", text, NULL, 0, &c->config, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_create(&c->system, c->config, 1, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(topology_state(c->system->topology, 1, 1, 0, &c->state, &error), STATUS_OK);
  c->state->box = c->system->box;
  const SimulationStart how = {.out = NULL};
  Start start;
  ck_assert_msg(start_make(c->system, &how, &start, &error) == STATUS_OK, "%s", error.text);
  state_set_all(c->state, STATE_POSITIONS, 0, start.x);
  start_free(&start);
  ck_assert_msg(simulation_field_create(c->system, NULL, c->state, &c->field, &error) == STATUS_OK, "%s",
                error.text);
}

static void configured_close(Configured *c)
{
  force_field_free(&c->field);
  state_free(c->state);
  simulation_free(c->system);
  config_free(c->config);
}

static double configured_energy(Configured *c)
{
  double terms[FORCE_TERMS * FORCES_MAX], sum = 0.0;
  const Team alone = team_alone();
  Error error = {0};
  const ForceSums to = {terms, NULL};
  ck_assert_msg(force_field_compute(&c->field, &alone, c->state, &to, &error) == STATUS_OK, "%s", error.text);
  for (int t = 0; t < force_field_terms(&c->field); t++)
    sum += terms[t];
  return sum;
}

/* Moves all along v[block][coordinate] times `by`, or says how much force there is along it. */
static double along(Configured *c, double **v, double by)
{
  double work = 0.0;
  for (int b = 0; b < c->state->nblock; b++) {
    Block *block = &c->state->block[b];
    const int n = 3 * block->nlane * block->kind->nsite;
    double *x = malloc((size_t)n * sizeof *x);
    state_get(block, 1, by != 0.0 ? block->q : block->f, 0, x);
    for (int k = 0; k < n; k++) {
      work += x[k] * v[b][k];
      x[k] += by * v[b][k];
    }
    if (by != 0.0)
      state_set(block, 1, block->q, 0, x);
    free(x);
  }
  return work;
}

/* Random, without moving the centre of mass. */
static void direction(const Configured *c, RandomStream *s, double **v)
{
  double sum[3] = {0.0}, mass = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < c->state->nblock; b++) {
      const Kind *kind = c->state->block[b].kind;
      const int n = 3 * c->state->block[b].nlane * kind->nsite;
      for (int k = 0; k < n; k++) {
        const double m = kind->mass[k / 3 % kind->nsite];
        if (pass == 0) {
          v[b][k] = random_normal(s);
          sum[k % 3] += m * v[b][k];
          mass += m / 3.0;
        } else
          v[b][k] -= sum[k % 3] / mass;
      }
    }
}

TEST(forces_are_minus_the_gradient, .rows = INPUTS)
{
  Configured c;
  configured_open(&c, inputs[_i]);
  RandomStream s = random_stream(9, 0, RANDOM_TEST);
  enum { BLOCKS = 8 };
  double *v[BLOCKS] = {NULL};
  ck_assert_int_le(c.state->nblock, BLOCKS);
  for (int b = 0; b < c.state->nblock; b++) {
    v[b] = malloc((size_t)(3 * c.state->block[b].nlane * c.state->block[b].kind->nsite) * sizeof **v);
    ck_assert_ptr_nonnull(v[b]);
  }
  const double h = 1e-4;
  for (int i = 0; i < 3; i++) {
    double e[2];
    direction(&c, &s, v);
    (void)configured_energy(&c);
    const double work = along(&c, v, 0.0);
    for (int k = 0; k < 2; k++) {
      (void)along(&c, v, k == 0 ? h : -2.0 * h);
      e[k] = configured_energy(&c);
    }
    (void)along(&c, v, h);
    const double slope = (e[0] - e[1]) / (2.0 * h);
    ck_assert_msg(fabs(work + slope) < 1e-5 * fabs(slope) + 3e-3, "input %d: force %.9g, slope %.9g", _i,
                  work, -slope);
  }
  for (int b = 0; b < c.state->nblock; b++)
    free(v[b]);
  configured_close(&c);
}

int main(void) { return suite_main("bulk_laws"); }
