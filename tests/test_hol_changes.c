/* Laws of what a program may change of a simulation: positions that break constraints are refused until they
 * are projected, momenta that are drawn have their temperature, moves that turn momenta or draw them change
 * no average; and calls that make no sense are values, not faults. */
#include "tests/hol.h"
#include "tests/suite.h"

static const char chain[] = "units: reduced\n"
                            "system:\n"
                            "  dimensions: 2\n"
                            "  sites: [{count: 3, mass: 1, position: [\"i\", 0]}]\n"
                            "  constraints: [{type: distance, chain: [1, 3], distance: 1}]\n"
                            "geometry: {method: shake, solver: newton}\n"
                            "integrator: {word: BAOAB, timestep: 0.01, time: 10}\n"
                            "thermostat: {type: langevin, friction: 1, temperature: 2}\n"
                            "ensemble: {replicas: 5}\n";
static const char *const inputs[] = {waters, chain};
static const char hamiltonian[] = "units: reduced\n"
                                  "system: {hamiltonian: \"p1^2/2 + q1^2\", position: [1], momentum: [0]}\n"
                                  "integrator: {method: symplectic-euler, timestep: 0.01, time: 1}\n";
/* --- constraints ------- */

/* The first two sites of a molecule, or of a chain, are drawn apart to one and a half of their distance. */
static void stretch(const hol_simulation *s, double *x)
{
  const int dim = hol_dimensions(s);
  for (int d = 0; d < dim; d++)
    x[dim + d] += 0.5 * (x[dim + d] - x[d]);
}

static double distance(const hol_simulation *s, const double *x)
{
  double sum = 0.0;
  for (int d = 0; d < hol_dimensions(s); d++)
    sum += (x[hol_dimensions(s) + d] - x[d]) * (x[hol_dimensions(s) + d] - x[d]);
  return sqrt(sum);
}

/* Whatever goes on from there says so, time and again, until they are mended, by other positions or by
 * hol_project; other replicas do not move by a bit, momenta become tangent and lose. */
TEST(broken_constraints_are_refused, .rows = 2)
{
  hol_simulation *s = opened(inputs[_i]);
  double x[MOST], was[MOST], other[MOST], y[MOST], p[MOST], value[MOST], f[MOST];
  good(hol_step(s, 10, &e));
  const int n = coordinates(s), last = hol_replicas(s) - 1;
  const size_t bytes = (size_t)n * sizeof *x;
  good(hol_get(s, HOL_POSITIONS, last, was, &e));
  memcpy(x, was, bytes);
  stretch(s, x);
  good(hol_set(s, HOL_POSITIONS, last, x, &e));
  char said[128];
  snprintf(said, sizeof said, "replica %d: the positions that were set violate constraints: molecule 1",
           last);
  refused(hol_step(s, 1, &e), said);
  refused(hol_look(s, last, value, &e), "|g|/scale = 1.25");
  refused(hol_save(s, "nowhere.hol", &e), "hol_project");
  refused(hol_draw(s, last, &e), said);
  good(hol_draw(s, last - 1, &e));
  good(hol_get(s, HOL_FORCES, last, f, &e)); /* as they are */
  good(hol_set(s, HOL_POSITIONS, last, was, &e));
  good(hol_step(s, 10, &e));
  good(hol_get(s, HOL_POSITIONS, last - 1, other, &e));
  good(hol_get(s, HOL_POSITIONS, last, x, &e));
  const double d = distance(s, x);
  stretch(s, x);
  good(hol_set(s, HOL_POSITIONS, last, x, &e));
  for (int i = 0; i < n; i++)
    p[i] = 1.0 + i % 5; /* not tangent */
  good(hol_set(s, HOL_MOMENTA, last, p, &e));
  const double before = kinetic(s, p);
  good(hol_project(s, last, &e));
  good(hol_get(s, HOL_POSITIONS, last, x, &e));
  ck_assert_double_eq_tol(distance(s, x), d, 1e-9 * d);
  good(hol_get(s, HOL_MOMENTA, last, p, &e));
  const double after = kinetic(s, p);
  ck_assert_double_lt(after, 0.999 * before);
  good(hol_project(s, HOL_ALL, &e)); /* which has nothing left to do */
  good(hol_get(s, HOL_MOMENTA, last, y, &e));
  for (int i = 0; i < n; i++)
    ck_assert_double_eq_tol(y[i], p[i], 1e-9);
  good(hol_get(s, HOL_POSITIONS, last - 1, y, &e));
  for (int i = 0; i < n; i++)
    ck_assert_double_eq_tol(y[i], other[i], 1e-12);
  good(hol_step(s, 10, &e));
  for (int i = 0; i < n; i++)
    x[i] = i % 2 == 0 ? 1e200 : -1e200; /* whose squares are no numbers */
  good(hol_set(s, HOL_POSITIONS, 1, x, &e));
  refused(hol_step(s, 1, &e), "replica 1: ");
  refused(hol_project(s, 1, &e), "replica 1: ");
  good(hol_set(s, HOL_POSITIONS, 1, y, &e));
  good(hol_step(s, 1, &e));
  memset(x, 0, bytes); /* all sites in one place: no way leads back */
  good(hol_set(s, HOL_POSITIONS, 0, x, &e));
  refused(hol_project(s, 0, &e), "replica 0: molecule 1");
  hol_close(s);
}

/* Positions of a file of four decimals are taken as they are. */
TEST(rounded_positions_are_taken)
{
  hol_simulation *s = opened(waters);
  double x[MOST];
  good(hol_step(s, 10, &e));
  good(hol_get(s, HOL_POSITIONS, 0, x, &e));
  for (int i = 0; i < coordinates(s); i++)
    x[i] = round(1e4 * x[i]) * 1e-4;
  good(hol_set(s, HOL_POSITIONS, 0, x, &e));
  good(hol_step(s, 10, &e));
  hol_close(s);
}

/* --- momenta ------- */

/* Each draw is another one of the Maxwell distribution on the tangent space: its mean kinetic energy is
 * freedom kT/2 within the error that a sum of squares has. The same calls draw the same; draws beside a
 * replica leave its bits; and a draw is in what is saved. */
TEST(draws_have_their_temperature, .rows = 2)
{
  enum { DRAWS = 60 };
  hol_simulation *s = opened(inputs[_i]), *same = opened(inputs[_i]);
  double p[MOST], q[MOST], sum = 0.0;
  const int replicas = hol_replicas(s);
  good(hol_step(s, 5, &e));
  good(hol_step(same, 5, &e));
  for (int k = 0; k < DRAWS; k++) {
    good(hol_draw(s, HOL_ALL, &e));
    for (int r = 0; r < replicas; r++) {
      good(hol_get(s, HOL_MOMENTA, r, p, &e));
      sum += kinetic(s, p);
    }
  }
  const double kT = kelvin_of(s, 0) * (_i == 0 ? 0.0019872043 : 1.0), f = hol_freedom(s);
  const double n = (double)DRAWS * replicas, mean = sum / n, error = kT * sqrt(0.5 * f / n);
  ck_assert_msg(fabs(mean - 0.5 * f * kT) < 4.0 * error, "%g +- %g for %g", mean, error, 0.5 * f * kT);
  for (int k = 0; k < DRAWS; k++)
    for (int r = replicas; r-- > 0;)
      good(hol_draw(same, r, &e));
  char path[] = "/tmp/test_hol_XXXXXX";
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  good(hol_save(s, path, &e));
  hol_simulation *loaded = opened(inputs[_i]);
  good(hol_load(loaded, path, &e));
  remove(path);
  good(hol_draw(s, 1, &e));
  good(hol_draw(same, 1, &e));
  good(hol_draw(loaded, 1, &e));
  hol_simulation *const others[] = {same, loaded};
  for (int o = 0; o < 2; o++)
    for (int r = 0; r < replicas; r++) {
      good(hol_get(s, HOL_MOMENTA, r, p, &e));
      good(hol_get(others[o], HOL_MOMENTA, r, q, &e));
      ck_assert(memcmp(p, q, (size_t)coordinates(s) * sizeof *p) == 0);
    }
  hol_close(s);
  hol_close(same);
  hol_close(loaded);
}

TEST(draws_want_a_temperature)
{
  const char *const none[] = {"integrator.word=BAB", "thermostat.type=none",
                              "thermostat.friction=", "thermostat.temperature=", "thermostat.initial=zero"};
  hol_simulation *s;
  good(hol_open_text(&s, "input", waters, none, 5, &e));
  refused(hol_draw(s, 0, &e), "thermostat.temperature");
  hol_close(s);
  s = opened(hamiltonian);
  refused(hol_draw(s, 0, &e), "Hamiltonian");
  good(hol_project(s, 0, &e)); /* nothing to do */
  hol_close(s);
}

/* --- temperatures, boxes and all replicas at once ------- */

/* Each replica has the temperature that was set, in the steps that follow and in what is drawn; of a replica
 * by itself, too. A state in memory has them. */
TEST(temperatures_hold)
{
  const char *const quick[] = {"thermostat.friction=100 1/ps", "ensemble.replicas=16"};
  enum { ROUNDS = 400, EVERY = 8 };
  hol_simulation *s;
  good(hol_open_text(&s, "input", waters, quick, 2, &e));
  double kelvin[16], p[16 * MOST], sum[2] = {0};
  const int n = coordinates(s), f = hol_freedom(s);
  for (int r = 0; r < 16; r++)
    kelvin[r] = r % 2 == 0 ? 40.0 : 160.0;
  good(hol_set_temperature(s, HOL_ALL, kelvin, &e));
  good(hol_draw(s, HOL_ALL, &e));
  good(hol_step(s, 200, &e));
  for (int k = 0; k < ROUNDS; k++) {
    good(hol_step(s, EVERY, &e));
    good(hol_get(s, HOL_MOMENTA, HOL_ALL, p, &e));
    for (int r = 0; r < 16; r++)
      sum[r % 2] += 2.0 * kinetic(s, p + r * n) / (f * 0.0019872043 * kelvin[r]) / (ROUNDS * 8.0);
  }
  /* Samples EVERY fs apart at a friction of 1/(10 fs) forget half or more. */
  const double error = sqrt(2.0 / f / (ROUNDS * 8.0) * 3.0);
  ck_assert_msg(fabs(sum[0] - 1.0) < 4.0 * error && fabs(sum[1] - 1.0) < 4.0 * error,
                "%g and %g +- %g of what was set", sum[0], sum[1], error);
  size_t size;
  static char memory[1 << 20];
  good(hol_save_memory(s, memory, sizeof memory, &size, &e));
  hol_simulation *t;
  good(hol_open_text(&t, "input", waters, quick, 2, &e));
  good(hol_load_memory(t, memory, size, &e));
  ck_assert_double_eq_tol(kelvin_of(t, 3), 160.0, 1e-12);
  static double q[16 * MOST];
  good(hol_step(s, 20, &e));
  good(hol_step(t, 20, &e));
  good(hol_get(s, HOL_MOMENTA, HOL_ALL, p, &e));
  good(hol_get(t, HOL_MOMENTA, HOL_ALL, q, &e));
  ck_assert(memcmp(p, q, (size_t)(16 * n) * sizeof *p) == 0);
  memory[size / 2] ^= 1;
  refused(hol_load_memory(t, memory, size, &e), "damaged");
  kelvin[5] = 0.0;
  refused(hol_set_temperature(s, HOL_ALL, kelvin, &e), "positive");
  ck_assert_double_eq_tol(kelvin_of(s, 0), 40.0, 1e-12);
  hol_close(s);
  hol_close(t);
}

static hol_status pull_in(void *user, hol_force_call *call, hol_error *error)
{
  (void)error;
  __atomic_add_fetch((int *)user, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < call->replicas * call->sites * call->dimensions; i++) {
    call->f[i] = -0.1 * call->x[i];
    call->energy[i / call->sites / call->dimensions] += 0.05 * call->x[i] * call->x[i];
  }
  return HOL_OK;
}

/* All replicas in one call or few by each thread, one thread or three: the same bits; and one call a step. */
TEST(forces_have_the_same_bits_however_they_are_asked, .threads = true)
{
  static const struct {
    const char *threads;
    unsigned flags;
  } ways[] = {{"ensemble.threads=1", 0},
              {"ensemble.threads=3", 0},
              {"ensemble.threads=1", HOL_THREADS},
              {"ensemble.threads=3", HOL_THREADS}};
  static double x[2][48 * MOST];
  for (int k = 0; k < 4; k++) {
    const char *const set[] = {"ensemble.replicas=48", ways[k].threads};
    hol_simulation *s;
    int calls = 0;
    good(hol_open_text(&s, "input", waters, set, 2, &e));
    good(hol_add_force(s, pull_in, &calls, ways[k].flags, &e));
    good(hol_start(s, &e));
    calls = 0;
    good(hol_step(s, 30, &e));
    ck_assert((calls == 30) == (ways[k].flags == 0));
    good(hol_get(s, HOL_POSITIONS, HOL_ALL, x[k > 0], &e));
    ck_assert(memcmp(x[0], x[k > 0], (size_t)(48 * coordinates(s)) * sizeof **x) == 0);
    double one[MOST];
    good(hol_get(s, HOL_POSITIONS, 17, one, &e));
    ck_assert(memcmp(one, x[0] + 17 * coordinates(s), (size_t)coordinates(s) * sizeof *one) == 0);
    hol_close(s);
  }
}

static const char mixed[] = "system: {model: tip3p, molecules: 216, density: 0.95, minimise: false}\n"
                            "geometry: {method: settle}\n"
                            "forces: {cutoff: 7, coulomb: pme}\n"
                            "precision: mixed\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                            "thermostat: {type: langevin, temperature: 300, friction: 5 1/ps}\n"
                            "output: {pressure: both}\n"
                            "ensemble: {replicas: 2}\n";

/* A uniform pull of first sites along x, with the virial that is asked for. */
typedef struct Push {
  double w; /* virial, xx */
} Push;

static hol_status push(void *user, hol_force_call *call, hol_error *error)
{
  (void)error;
  for (int r = 0; r < call->replicas; r++) {
    call->virial[9 * r] = ((const Push *)user)->w;
    call->f[3 * call->sites * r] = 2.0;
  }
  return HOL_OK;
}

/* An oblique box with other edges of its lattice is the same box. */
static void oblique(hol_simulation *s, const double a[9])
{
  double value[2][128];
  for (int k = 0; k < 2; k++) {
    const double x = a[0], y = a[4],
                 box[9] = {x,   0, 0, (0.001 + 2 * k) * x, y, 0, -(0.001 + 2.001 * k) * x, (0.001 - k) * y,
                           a[8]};
    good(hol_set_box(s, 1, box, &e));
    good(hol_look(s, 1, value[k], &e));
  }
  for (int i = 0; i < hol_columns(s); i++)
    ck_assert(isnan(value[0][i]) || fabs(value[1][i] - value[0][i]) <= 1e-6 * (1.0 + fabs(value[0][i])));
}

/* Boxes are nine numbers; one that is refused changes none. The virial of a force is in the pressures, by
 * 1/3 of its trace over the volume; where it is zero, both pressures differ from those without by nothing
 * between molecules. */
TEST(boxes_are_nine_numbers)
{
  hol_simulation *s[3];
  Push none = {0.0}, some = {300.0};
  double box[2][9], was[2][9], value[2][128], pressure[3];
  for (int k = 0; k < 3; k++) {
    good(hol_open_text(&s[k], "input", mixed, NULL, 0, &e));
    if (k > 0)
      good(hol_add_force(s[k], push, k == 1 ? &none : &some, 0, &e));
    ck_assert_int_lt(hol_columns(s[k]), 128);
    good(hol_look(s[k], 0, value[0], &e));
    const int at = hol_column(s[k], "pressure_molecule") >= 0 ? hol_column(s[k], "pressure_molecule")
                                                              : hol_column(s[k], "pressure");
    ck_assert_int_ge(at, 0);
    pressure[k] = value[0][at];
  }
  good(hol_get_box(s[0], HOL_ALL, was[0], &e));
  const double volume = was[0][0] * was[0][4] * was[0][8];
  ck_assert_double_eq_tol(pressure[1], pressure[0], 1e-6 * fabs(pressure[0]));
  ck_assert_double_eq_tol(pressure[2] - pressure[0], (300.0 - 0.0) / 3.0 / volume * 69476.95, 20.0);
  memcpy(box, was, sizeof box);
  for (int k = 0; k < 9; k += 4)
    box[0][k] *= 1.01;
  box[1][4] = 5.0; /* too small for the cutoff */
  refused(hol_set_box(s[0], HOL_ALL, box[0], &e), "");
  good(hol_get_box(s[0], HOL_ALL, value[0], &e));
  ck_assert(memcmp(value[0], was, sizeof was) == 0);
  box[1][4] = was[1][4];
  box[1][1] = 2.0; /* a not along x */
  ck_assert_int_eq(hol_set_box(s[0], 1, box[1], &e), HOL_INPUT);
  box[1][1] = 0.0;
  oblique(s[0], was[1]);
  good(hol_set_box(s[0], HOL_ALL, box[0], &e));
  good(hol_get_box(s[0], 0, value[0], &e));
  ck_assert_double_eq(value[0][8], box[0][8]);
  for (int k = 0; k < 3; k++)
    hol_close(s[k]);
}

/* --- what makes no sense ------- */

TEST(wrong_arguments_are_refused)
{
  double x[MOST], box[9] = {0};
  size_t size;
  char *keys = NULL;
  const char *const set[] = {"seed=1", NULL};
  hol_simulation *s = NULL;
  refused(hol_open(NULL, "a.yaml", NULL, 0, &e), "NULL");
  refused(hol_open(&s, NULL, NULL, 0, &e), "NULL");
  refused(hol_open(&s, "a.yaml", NULL, 2, &e), "2 changes");
  refused(hol_open(&s, "a.yaml", set, -1, &e), "-1 changes");
  refused(hol_open_text(&s, "a", waters, set, 2, &e), "NULL was passed for a change");
  refused(hol_open_text(&s, NULL, waters, NULL, 0, &e), "NULL");
  refused(hol_open_text(&s, "a", NULL, NULL, 0, &e), "NULL");
  refused(hol_keys(NULL, &e), "NULL");
  refused(hol_waters(NULL, &e), "NULL");
  refused(hol_start(NULL, &e), "NULL was passed for a simulation");
  refused(hol_step(NULL, 1, &e), "NULL");
  refused(hol_run(NULL, "a", 0, &e), "NULL");
  refused(hol_get(NULL, HOL_POSITIONS, 0, x, &e), "NULL");
  refused(hol_set(NULL, HOL_POSITIONS, 0, x, &e), "NULL");
  refused(hol_project(NULL, 0, &e), "NULL");
  refused(hol_draw(NULL, HOL_ALL, &e), "NULL");
  refused(hol_get_box(NULL, 0, box, &e), "NULL");
  refused(hol_set_box(NULL, 0, box, &e), "NULL");
  refused(hol_get_temperature(NULL, 0, x, &e), "NULL");
  refused(hol_set_temperature(NULL, 0, x, &e), "NULL");
  refused(hol_get_topology(NULL, NULL, &e), "NULL");
  refused(hol_listen(NULL, NULL, NULL, &e), "NULL");
  refused(hol_save_memory(NULL, NULL, 0, &size, &e), "NULL");
  refused(hol_load_memory(NULL, x, 8, &e), "NULL");
  refused(hol_look(NULL, 0, x, &e), "NULL");
  refused(hol_multipliers(NULL, 0, x, &e), "NULL");
  refused(hol_add_observer(NULL, 1, NULL, NULL, &e), "NULL");
  refused(hol_add_force(NULL, NULL, NULL, 0, &e), "NULL");
  refused(hol_save(NULL, "a", &e), "NULL");
  refused(hol_load(NULL, "a", &e), "NULL");
  hol_stop(NULL);
  hol_close(NULL);
  hol_free(NULL);
  ck_assert(hol_sort(NULL) == NULL && hol_column_name(NULL, 0) == NULL);
  ck_assert(hol_replicas(NULL) == 0 && hol_sites(NULL) == 0 && hol_steps_done(NULL) == 0 &&
            hol_columns(NULL) == 0);
  ck_assert(isnan(hol_time(NULL)) && hol_column(NULL, "total") == -1);
  ck_assert_ptr_null(hol_table_unit(NULL, NULL));
  s = opened(waters);
  refused(hol_get(s, HOL_POSITIONS, 0, NULL, &e), "NULL was passed for coordinates");
  refused(hol_set(s, HOL_MOMENTA, 0, NULL, &e), "NULL");
  refused(hol_get_box(s, 0, NULL, &e), "NULL");
  refused(hol_set_box(s, 0, NULL, &e), "NULL");
  refused(hol_get_temperature(s, 0, NULL, &e), "NULL");
  refused(hol_set_temperature(s, HOL_ALL, NULL, &e), "NULL was passed for temperatures");
  refused(hol_get_topology(s, NULL, &e), "NULL was passed for a topology");
  refused(hol_get_topology(s, &(hol_topology){.size = 3}, &e), "sizeof(hol_topology)");
  refused(hol_save_memory(s, NULL, 0, NULL, &e), "NULL");
  refused(hol_save_memory(s, NULL, (size_t)1 << 30, &size, &e), "NULL was passed for the memory");
  refused(hol_save_memory(s, x, 8, &size, &e), "has only 8");
  refused(hol_load_memory(s, NULL, 8, &e), "NULL");
  refused(hol_load_memory(s, x, 0, &e), "checkpoint");
  refused(hol_load_memory(s, x, 8, &e), "damaged or incomplete");
  refused(hol_add_force(s, (hol_force)0, NULL, 0, &e), "NULL");
  refused(hol_look(s, 0, NULL, &e), "NULL");
  refused(hol_multipliers(s, 0, NULL, &e), "NULL");
  refused(hol_add_observer(s, 1, NULL, NULL, &e), "NULL was passed for an observer");
  refused(hol_add_force(s, NULL, NULL, 0, &e), "NULL was passed for a force");
  refused(hol_save(s, NULL, &e), "NULL");
  refused(hol_load(s, NULL, &e), "NULL");
  refused(hol_run(s, NULL, 0, &e), "NULL");
  refused(hol_run(s, "a", 64, &e), "0x40");
  ck_assert_int_eq(hol_column(s, NULL), -1);
  refused(hol_get(s, (hol_field)99, 0, x, &e), "no field 99");
  refused(hol_set(s, (hol_field)-1, 0, x, &e), "no field -1");
  refused(hol_set(s, HOL_FORCES, 0, x, &e), "hol_add_force");
  refused(hol_step(s, -1, &e), "the number of steps is -1");
  refused(hol_draw(s, -2, &e), "no replica -2");
  refused(hol_get(s, HOL_POSITIONS, 16, x, &e), "no replica 16");
  ck_assert_int_eq(hol_steps_done(s), 0);
  good(hol_keys(&keys, &e));
  hol_free(keys);
  hol_close(s);
}

/* An observer, and a force, tries what is forbidden. */
typedef struct Try {
  hol_simulation *s;
  int refused;
} Try;

static hol_status nothing(void *user, hol_simulation *s, hol_error *error)
{
  (void)user;
  (void)s;
  (void)error;
  return HOL_OK;
}

static void try_changes(Try *t, const char *said)
{
  double x[MOST] = {0}, box[9] = {9.0}, kelvin = 10.0;
  hol_error error = {0};
  const hol_status status[] = {hol_set(t->s, HOL_POSITIONS, 0, x, &error),
                               hol_step(t->s, 1, &error),
                               hol_start(t->s, &error),
                               hol_run(t->s, "nowhere", 0, &error),
                               hol_load(t->s, "nowhere", &error),
                               hol_project(t->s, 0, &error),
                               hol_draw(t->s, HOL_ALL, &error),
                               hol_set_box(t->s, 0, box, &error),
                               hol_set_temperature(t->s, 0, &kelvin, &error),
                               hol_listen(t->s, NULL, NULL, &error),
                               hol_load_memory(t->s, box, sizeof box, &error),
                               hol_add_observer(t->s, 1, nothing, NULL, &error)};
  hol_close(t->s);
  for (size_t i = 0; i < sizeof status / sizeof *status; i++)
    t->refused += status[i] == HOL_INPUT;
  t->refused += strstr(error.message, said) != NULL;
}

static hol_status meddle(void *user, hol_simulation *s, hol_error *error)
{
  double x[MOST];
  const hol_status status =
      hol_get(s, HOL_FORCES, 1, x, error); /* it may, and the force that this calls may not */
  if (status == HOL_OK)
    try_changes(user, "an observer may read, save and stop");
  return status;
}

static hol_status meddle_too(void *user, hol_force_call *call, hol_error *error)
{
  Try *t = user;
  double x[MOST];
  if (call->replica == 0)
    t->refused += hol_get(t->s, HOL_POSITIONS, 0, x, error) == HOL_INPUT;
  if (call->replica == 0 && t->refused == 1)
    try_changes(t, "a force may use only its own arguments");
  return HOL_OK;
}

TEST(functions_may_not_change_who_calls_them)
{
  hol_simulation *s = opened(waters), *quiet = opened(waters);
  Try observer = {.s = s}, force = {.s = s};
  double x[MOST], y[MOST];
  good(hol_add_force(s, meddle_too, &force, 0, &e));
  good(hol_add_observer(s, 5, meddle, &observer, &e));
  good(hol_step(s, 9, &e));
  ck_assert_int_eq(observer.refused, 13);
  ck_assert_int_gt(force.refused, 15);
  good(hol_step(quiet, 9, &e));
  good(hol_get(s, HOL_MOMENTA, 3, x, &e));
  good(hol_get(quiet, HOL_MOMENTA, 3, y, &e));
  ck_assert(memcmp(x, y, (size_t)coordinates(s) * sizeof *x) == 0);
  hol_close(s);
  hol_close(quiet);
}

/* A load builds no start: one that is to be stopped at once would end with HOL_RUN. A load that fails leaves
 * a simulation that starts as a fresh one. */
TEST(loads_build_no_start)
{
  const char *const built[] = {"system.anneal=true"}, *const seeds[] = {"system.anneal=false", "seed=7"};
  char path[] = "/tmp/test_hol_XXXXXX";
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  hol_simulation *s = opened(waters), *t;
  double x[MOST], y[MOST];
  good(hol_step(s, 3, &e));
  good(hol_save(s, path, &e));
  good(hol_open_text(&t, "input", waters, seeds, 2, &e));
  refused(hol_load(t, path, &e), "seed");
  ck_assert_ptr_null(strstr(e.message, "--"));
  good(hol_step(t, 2, &e));
  hol_close(t);
  hol_close(s);
  good(hol_open_text(&s, "input", waters, built, 1, &e));
  good(hol_open_text(&t, "input", waters, built, 1, &e));
  good(hol_step(s, 3, &e));
  good(hol_save(s, path, &e));
  hol_stop(t);
  good(hol_load(t, path, &e));
  good(hol_step(t, 1, &e)); /* which the stop cuts short */
  ck_assert_int_eq(hol_steps_done(t), 3);
  good(hol_step(s, 5, &e));
  good(hol_step(t, 5, &e));
  good(hol_get(s, HOL_MOMENTA, 3, x, &e));
  good(hol_get(t, HOL_MOMENTA, 3, y, &e));
  ck_assert(memcmp(x, y, (size_t)coordinates(s) * sizeof *x) == 0);
  remove(path);
  hol_close(s);
  hol_close(t);
}

/* What the library says has its own names in it. */
TEST(messages_name_functions)
{
  const char *const wrong[] = {"integrator.timestp=1"};
  char folder[] = "/tmp/test_hol_XXXXXX", line[96];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  hol_simulation *s;
  refused(hol_open_text(&s, "input", waters, wrong, 1, &e), "integrator.timestp=1");
  ck_assert_ptr_null(strstr(e.message, "--"));
  const char *const length[] = {"integrator.time=5 fs"};
  for (int k = 0; k < 3; k++) {
    good(hol_open_text(&s, "input", waters, length, 1, &e));
    if (k == 0)
      good(hol_run(s, folder, 0, &e));
    else {
      snprintf(line, sizeof line, "%s%s", folder, k == 1 ? "" : "/none");
      refused(hol_run(s, line, k == 1 ? 0 : HOL_RESUME, &e), k == 1 ? "HOL_FORCE" : "HOL_RESUME");
      ck_assert_msg(strstr(e.message, "--") == NULL, "%s", e.message);
    }
    hol_close(s);
  }
  snprintf(line, sizeof line, "rm -r %s", folder);
  ck_assert_int_eq(system(line), 0);
}
