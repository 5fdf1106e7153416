/* Laws of what changes between steps: forces, observers, step and friction. From there on each run has the
 * bits of one that had them all along. */
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
static const char penalised[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                                "geometry: {method: penalty, w: 500}\n"
                                "integrator: {acceleration: zss, word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                                "thermostat: {type: langevin, temperature: 150, friction: 20 1/ps}\n"
                                "ensemble: {replicas: 16}\n";
static const char ladder[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: OBABO, timestep: 1 fs, time: 1 ns}\n"
                             "thermostat: {type: langevin, friction: 20 1/ps}\n"
                             "exchange: {temperatures: [100, 120, 150, 190], ladders: 4, interval: 5}\n";
static const char box[] = "system: {model: tip3p, molecules: 64, density: 0.95, minimise: false}\n"
                          "geometry: {method: settle}\n"
                          "forces: {cutoff: 5, coulomb: pme}\n"
                          "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                          "thermostat: {type: langevin, temperature: 300, friction: 5 1/ps}\n"
                          "barostat: {type: monte-carlo, pressure: 100 MPa, every: 2}\n"
                          "ensemble: {replicas: 2}\n";
static const char *const inputs[] = {waters, chain, penalised, ladder, box};
enum { INPUTS = sizeof inputs / sizeof *inputs, STEPS = 12 };

/* All positions and momenta; freed by the caller. */
static double *state_of(hol_simulation *s)
{
  const size_t n = (size_t)hol_replicas(s) * (size_t)coordinates(s);
  double *x = malloc(2 * n * sizeof *x);
  ck_assert_ptr_nonnull(x);
  good(hol_get(s, HOL_POSITIONS, HOL_ALL, x, &e));
  good(hol_get(s, HOL_MOMENTA, HOL_ALL, x + n, &e));
  return x;
}

static bool same(hol_simulation *a, hol_simulation *b)
{
  const size_t n = 2 * (size_t)hol_replicas(a) * (size_t)coordinates(a);
  double *x = state_of(a), *y = state_of(b);
  const bool equal = memcmp(x, y, n * sizeof *x) == 0;
  free(x);
  free(y);
  return equal;
}

typedef struct Saved {
  void *data;
  size_t size;
} Saved;

static Saved saved(hol_simulation *s)
{
  Saved to;
  good(hol_save_memory(s, NULL, 0, &to.size, &e));
  to.data = malloc(to.size);
  ck_assert_ptr_nonnull(to.data);
  good(hol_save_memory(s, to.data, to.size, &to.size, &e));
  return to;
}

/* --- forces ------- */

/* Springs of all sites to the origin. */
static hol_status spring(void *user, hol_force_call *call, hol_error *error)
{
  (void)error;
  const double k = *(const double *)user;
  const int n = call->sites * call->dimensions;
  for (int i = 0; i < call->replicas * n; i++) {
    call->f[i] = -k * call->x[i];
    call->energy[i / n] += 0.5 * k * call->x[i] * call->x[i];
  }
  return HOL_OK;
}

static double look(hol_simulation *s, const char *name)
{
  double value[256];
  const int at = hol_column(s, name);
  ck_assert_msg(at >= 0, "there is no column '%s'", name);
  ck_assert_int_le(hol_columns(s), 256);
  good(hol_look(s, 0, value, &e));
  return value[at];
}

/* Of the springs on the first replica. */
static double energy_of(hol_simulation *s, double k)
{
  double *x = state_of(s), sum = 0.0;
  for (int i = 0; i < coordinates(s); i++)
    sum += 0.5 * k * x[i] * x[i];
  free(x);
  return sum;
}

/* A force that is added after some steps acts as in a simulation that had it when it was given the same
 * state; removed, it leaves no trace; the total changes by its energy. */
TEST(forces_come_and_go, .rows = INPUTS)
{
  double k = 0.5, weak = 0.01;
  hol_simulation *a = opened(inputs[_i]), *b = opened(inputs[_i]), *c = opened(inputs[_i]);
  good(hol_step(a, STEPS, &e));
  const Saved begun = saved(a);
  const double before = look(a, "total");
  ck_assert_int_lt(hol_column(a, "external"), 0);
  good(hol_add_force(a, spring, &k, 0, &e));
  ck_assert_double_eq_tol(look(a, "total") - before, energy_of(a, k), 1e-8 * (1.0 + fabs(before)));
  good(hol_step(a, STEPS, &e));
  good(hol_add_force(b, spring, &k, HOL_THREADS, &e));
  good(hol_load_memory(b, begun.data, begun.size, &e));
  good(hol_step(b, STEPS, &e));
  ck_assert(same(a, b));
  const Saved with = saved(a);
  refused(hol_load_memory(c, with.data, with.size, &e),
          "was saved with 1 external force (hol_add_force), but only 0 have been added here");
  good(hol_add_force(a, spring, &weak, 0, &e));
  refused(hol_remove_force(a, spring, &before, &e), "there is no such force");
  good(hol_remove_force(a, spring, &k, &e));
  good(hol_remove_force(a, spring, &weak, &e));
  refused(hol_remove_force(a, spring, &k, &e), "there is no such force");
  ck_assert_int_lt(hol_column(a, "external"), 0);
  const Saved without = saved(a);
  good(hol_load_memory(c, without.data, without.size, &e));
  good(hol_step(a, STEPS, &e));
  good(hol_step(b, STEPS, &e));
  good(hol_step(c, STEPS, &e));
  ck_assert(same(a, c));
  ck_assert(!same(a, b));
  free(begun.data);
  free(with.data);
  free(without.data);
  hol_close(a);
  hol_close(b);
  hol_close(c);
}

/* Two forces leave one by one, whichever is first. */
TEST(forces_leave_in_any_order)
{
  double k[2] = {0.5, 0.25};
  hol_simulation *s = opened(waters);
  for (int i = 0; i < 2; i++)
    good(hol_add_force(s, spring, &k[i], 0, &e));
  good(hol_step(s, 3, &e));
  const double both = look(s, "external");
  good(hol_remove_force(s, spring, &k[0], &e));
  ck_assert_double_eq_tol(look(s, "external"), both / 3.0, 1e-9 * both);
  good(hol_add_force(s, spring, &k[0], 0, &e));
  ck_assert_double_eq_tol(look(s, "external"), both, 1e-9 * both);
  hol_close(s);
}

/* --- observers ------- */

static hol_status count(void *user, hol_simulation *s, hol_error *error)
{
  (void)s;
  (void)error;
  ++*(int *)user;
  return HOL_OK;
}

static hol_status end(void *user, hol_simulation *s, hol_error *error)
{
  (void)s;
  strcpy(error->message, user);
  return HOL_RUN;
}

/* They are called while they are there; an error of theirs ends the call, and nothing else. */
TEST(observers_come_and_go)
{
  int often = 0, seldom = 0;
  char words[] = "seen enough";
  hol_simulation *s = opened(waters);
  good(hol_add_observer(s, 2, count, &often, &e));
  good(hol_step(s, 10, &e));
  good(hol_add_observer(s, 5, count, &seldom, &e));
  good(hol_step(s, 10, &e));
  good(hol_remove_observer(s, count, &often, &e));
  refused(hol_remove_observer(s, count, &often, &e), "there is no such observer");
  refused(hol_remove_observer(s, NULL, &often, &e), "NULL was passed for an observer");
  good(hol_step(s, 10, &e));
  ck_assert_int_eq(often, 10);
  ck_assert_int_eq(seldom, 4);
  good(hol_add_observer(s, 4, end, words, &e));
  ck_assert_int_eq(hol_step(s, 10, &e), HOL_RUN);
  ck_assert_str_eq(e.message, words);
  ck_assert_int_eq(hol_steps_done(s), 32);
  good(hol_remove_observer(s, end, words, &e));
  good(hol_step(s, 8, &e));
  ck_assert_int_eq(hol_steps_done(s), 40);
  hol_close(s);
}

/* --- step and friction ------- */

/* Set before the first step they are those of another input, to the bit; changed and changed back they were
 * never there; and a state takes them along. */
TEST(settings_are_as_of_the_input, .rows = INPUTS)
{
  const char *const set[] = {"integrator.timestep=0.005", "thermostat.friction=3"};
  const char *const fs[] = {"integrator.timestep=0.5 fs", "thermostat.friction=60 1/ps"};
  hol_simulation *a = opened(inputs[_i]), *b, *c = opened(inputs[_i]);
  good(hol_open_text(&b, "input", inputs[_i], _i == 1 ? set : fs, 2, &e));
  const double h = hol_timestep(a), gamma = hol_friction(a), half = hol_timestep(b), thrice = hol_friction(b);
  ck_assert_double_eq_tol(half, 0.5 * h, 1e-12 * h);
  if (_i % 2 == 1)
    good(hol_start(a, &e));
  good(hol_set_timestep(a, half, &e));
  good(hol_set_friction(a, thrice, &e));
  good(hol_step(a, STEPS, &e));
  good(hol_step(b, STEPS, &e));
  ck_assert(same(a, b));
  ck_assert_double_eq(hol_time(a), hol_time(b));
  hol_close(b);
  const double conserved = look(a, _i == 1 ? "total" : "conserved");
  good(hol_set_timestep(a, h, &e));
  good(hol_set_friction(a, gamma, &e));
  ck_assert_double_eq_tol(look(a, _i == 1 ? "total" : "conserved"), conserved,
                          1e-9 * (1.0 + fabs(conserved)));
  ck_assert_double_eq(hol_time(a), STEPS * half);
  good(hol_step(a, 1, &e));
  ck_assert_double_eq_tol(hol_time(a), STEPS * half + h, 1e-12 * h);
  good(hol_step(c, STEPS, &e));
  good(hol_set_friction(c, thrice, &e));
  good(hol_set_timestep(c, half, &e));
  good(hol_set_friction(c, gamma, &e));
  good(hol_set_timestep(c, h, &e));
  good(hol_step(c, STEPS, &e));
  hol_simulation *plain = opened(inputs[_i]);
  good(hol_step(plain, 2 * STEPS, &e));
  ck_assert(same(c, plain));
  const Saved to = saved(a);
  for (int k = 0; k < 2; k++) { /* one that has started, and one that has not */
    hol_simulation *other = k == 0 ? c : opened(inputs[_i]);
    good(hol_set_timestep(other, 0.9 * h, &e));
    good(hol_load_memory(other, to.data, to.size, &e));
    ck_assert_double_eq(hol_timestep(other), h);
    ck_assert_double_eq(hol_time(other), hol_time(a));
    ck_assert(same(other, a));
    hol_close(other);
  }
  good(hol_set_timestep(a, half, &e));
  const Saved slow = saved(a);
  good(hol_step(a, STEPS, &e));
  good(hol_load_memory(plain, slow.data, slow.size, &e));
  ck_assert_double_eq(hol_timestep(plain), half);
  good(hol_step(plain, STEPS, &e));
  ck_assert(same(a, plain));
  ck_assert_double_eq(hol_time(a), hol_time(plain));
  free(to.data);
  free(slow.data);
  hol_close(plain);
  hol_close(a);
}

/* Without noise a run goes on from the positions and momenta of a moment alone: what was changed there is
 * what another input says from there on. */
TEST(settings_hold_from_there_on, .rows = 3)
{
  const char *const set[] = {"integrator.timestep=0.005", "thermostat.friction=0"};
  const char *const fs[] = {"integrator.timestep=0.5 fs", "thermostat.friction=0"};
  hol_simulation *a = opened(inputs[_i]), *b;
  good(hol_open_text(&b, "input", inputs[_i], _i == 1 ? set : fs, 2, &e));
  good(hol_step(a, STEPS, &e));
  good(hol_set_friction(a, 0.0, &e));
  good(hol_set_timestep(a, hol_timestep(b), &e));
  double *x = state_of(a);
  good(hol_set(b, HOL_POSITIONS, HOL_ALL, x, &e));
  good(hol_set(b, HOL_MOMENTA, HOL_ALL, x + hol_replicas(a) * coordinates(a), &e));
  free(x);
  good(hol_step(a, STEPS, &e));
  good(hol_step(b, STEPS, &e));
  ck_assert(same(a, b));
  hol_close(a);
  hol_close(b);
}

TEST(settings_without_a_meaning_are_refused)
{
  const char *const none[] = {"integrator.word=BAB", "thermostat.type=none", "thermostat.friction="};
  hol_simulation *s = opened(waters), *ladders = opened(ladder), *cold;
  good(hol_open_text(&cold, "input", waters, none, 3, &e));
  ck_assert(isnan(hol_friction(cold)));
  refused(hol_set_friction(cold, 0.1, &e), "there is no friction to change");
  refused(hol_set_friction(ladders, 0.0, &e), "a ladder needs friction");
  refused(hol_set_friction(s, -1.0, &e), "a friction must be finite");
  refused(hol_set_friction(s, NAN, &e), "a friction must be finite");
  refused(hol_set_timestep(s, 0.0, &e), "a time step must be positive");
  refused(hol_set_timestep(s, INFINITY, &e), "a time step must be positive");
  refused(hol_set_timestep(NULL, 1.0, &e), "NULL");
  ck_assert(isnan(hol_timestep(NULL)) && isnan(hol_friction(NULL)));
  good(hol_start(s, &e));
  const double h = hol_timestep(s);
  refused(hol_set_timestep(s, 20.0 * h, &e), "are unstable for time steps of");
  ck_assert_double_eq(hol_timestep(s), h);
  good(hol_step(s, 5, &e));
  good(hol_set_timestep(ladders, 0.5 * h, &e));
  refused(hol_run(ladders, "nowhere", 0, &e), "integrator.timestep");
  hol_close(s);
  hol_close(ladders);
  hol_close(cold);
}
