/* Laws of parameters of the Hamiltonian in the library: values by replica, forces of the caller's that read
 * them, energies at other values and slopes. */
#include "tests/hol.h"
#include "tests/suite.h"

/* Sites on a spring, in a field of the caller's whose strength is a parameter. */
#define SITES(more)                                                                                          \
  "units: reduced\nparameters: {field: 0.5, other: 2}\nsystem:\n  dimensions: 3\n"                           \
  "  sites: [{mass: 1, position: [0.1, 0, 0]}, {mass: 2, position: [0, 0.3, 0]}]\n"                          \
  "  potentials:\n    - {type: link, site: 1, stiffness: 1}\n    - {type: link, site: 2, stiffness: 1}\n"    \
  "integrator: {word: BAOAB, timestep: 0.2, time: 200}\n" more
static const char alike[] = SITES("thermostat: {type: langevin, friction: 1, temperature: 1}\n"
                                  "ensemble: {replicas: 4, threads: 2}\n");
static const char varied[] =
    SITES("thermostat: {type: langevin, friction: 1, temperature: 1}\n"
          "ensemble: {replicas: 4, threads: 2, parameters: {field: [0.1, 0.5, -2, 0.7]}}\n");
static const char ladder[] =
    SITES("thermostat: {type: langevin, friction: 1, temperature: 1}\n"
          "exchange: {parameters: {field: [0, 0.5, 1, 1.5]}, ladders: 6, interval: 5}\n");
static const double field[4] = {0.1, 0.5, -2.0, 0.7};

/* U = field * the sum of x; its slope is that sum. */
static hol_status push(void *user, hol_force_call *c, hol_error *error)
{
  (void)user;
  (void)error;
  ck_assert_uint_ge(c->size, sizeof *c);
  ck_assert_int_eq(c->parameters, 2);
  for (int r = 0; r < c->replicas; r++)
    for (int i = 0; i < c->sites; i++) {
      const size_t at = (size_t)((r * c->sites + i) * c->dimensions);
      c->f[at] = -c->parameter[2 * r];
      c->energy[r] += c->parameter[2 * r] * c->x[at];
      c->slope[2 * r] += c->x[at];
    }
  return HOL_OK;
}

static hol_simulation *pushed(const char *text, unsigned flags)
{
  hol_simulation *s = opened(text);
  good(hol_add_force(s, push, NULL, flags, &e));
  return s;
}

static void positions(hol_simulation *s, double *x) { good(hol_get(s, HOL_POSITIONS, HOL_ALL, x, &e)); }

TEST(names_and_values)
{
  hol_simulation *s = pushed(varied, 0);
  double value[4];
  ck_assert_int_eq(hol_parameters(s), 2);
  ck_assert_int_eq(hol_parameter_find(s, "other"), 1);
  ck_assert_int_eq(hol_parameter_find(s, "fields"), -1);
  ck_assert_str_eq(hol_parameter_name(s, 0), "field");
  ck_assert_str_eq(hol_parameter_unit(s, 0), "");
  ck_assert_ptr_null(hol_parameter_name(s, 2));
  good(hol_parameter_get(s, 0, HOL_ALL, value, &e));
  ck_assert_mem_eq(value, field, sizeof value);
  good(hol_parameter_get(s, 1, 3, value, &e));
  ck_assert_double_eq(value[0], 2.0);
  value[0] = NAN;
  refused(hol_parameter_set(s, 0, 0, value, &e), "field must be a finite number");
  refused(hol_parameter_set(s, 2, 0, field, &e), "there is no parameter 2; there are 2");
  hol_close(s);
  s = pushed(ladder, 0);
  refused(hol_parameter_set(s, 0, 0, field, &e), "a ladder");
  hol_close(s);
}

/* A replica's run has the bits that it has where all replicas have its value, set from the start or later. */
TEST(replicas_run_by_their_own_values, .rows = 2)
{
  double x[24], y[24];
  hol_simulation *s = pushed(varied, _i == 0 ? 0 : HOL_THREADS);
  good(hol_step(s, 50, &e));
  positions(s, x);
  for (int r = 0; r < 4; r++) {
    const double all[4] = {field[r], field[r], field[r], field[r]};
    hol_simulation *t = pushed(alike, 0);
    good(hol_parameter_set(t, 0, HOL_ALL, all, &e));
    good(hol_step(t, 50, &e));
    positions(t, y);
    ck_assert_mem_eq(x + (ptrdiff_t)6 * r, y + (ptrdiff_t)6 * r, 6 * sizeof *x);
    hol_close(t);
  }
  hol_close(s);
}

TEST(answers_are_energies_with_the_values_set, .rows = 2)
{
  const double set[6] = {0.3, 2.0, -1.0, 2.0, 4.0, 5.0};
  double energy[12], slope[8], x[24], before[4], now[4];
  hol_simulation *s = pushed(varied, _i == 0 ? 0 : HOL_THREADS);
  good(hol_step(s, 20, &e));
  positions(s, x);
  good(hol_evaluate(s, HOL_ALL, x, before, NULL, NULL, &e));
  good(hol_parameter_energies(s, HOL_ALL, 3, set, energy, slope, &e));
  for (int i = 0; i < 3; i++) {
    for (int p = 0; p < 2; p++) {
      const double all[4] = {set[2 * i + p], set[2 * i + p], set[2 * i + p], set[2 * i + p]};
      good(hol_parameter_set(s, p, HOL_ALL, all, &e));
    }
    good(hol_evaluate(s, HOL_ALL, x, now, NULL, NULL, &e));
    for (int r = 0; r < 4; r++) {
      ck_assert_double_eq_tol(energy[3 * r + i], now[r], 1e-12);
      ck_assert_double_eq_tol(slope[2 * r], (now[r] - before[r]) / (set[2 * i] - field[r]), 1e-9);
      ck_assert_double_eq(slope[2 * r + 1], 0.0);
    }
  }
  hol_close(s);
}

/* Values are saved with the state, and a ladder of them goes on to the bit. */
TEST(states_are_saved_with_their_values, .rows = 2)
{
  const char *const text = _i == 0 ? alike : ladder;
  hol_simulation *s = pushed(text, 0), *t = pushed(text, 0);
  double x[6 * 24], y[6 * 24], u[24], v[24];
  size_t size;
  if (_i == 0)
    good(hol_parameter_set(s, 0, HOL_ALL, field, &e));
  good(hol_step(s, 33, &e));
  good(hol_save_memory(s, NULL, 0, &size, &e));
  void *memory = malloc(size);
  good(hol_save_memory(s, memory, size, &size, &e));
  good(hol_load_memory(t, memory, size, &e));
  good(hol_step(s, 40, &e));
  good(hol_step(t, 40, &e));
  ck_assert_int_le(hol_replicas(s), 24);
  const size_t n = (size_t)hol_replicas(s);
  positions(s, x);
  positions(t, y);
  ck_assert_mem_eq(x, y, 6 * n * sizeof *x);
  good(hol_parameter_get(s, 0, HOL_ALL, u, &e));
  good(hol_parameter_get(t, 0, HOL_ALL, v, &e));
  ck_assert_mem_eq(u, v, n * sizeof *u);
  free(memory);
  hol_close(s);
  hol_close(t);
}

/* U = x.x/2 + F x of both sites: exchanges leave each state's mean, <x> = -F, alone. */
TEST(exchanges_keep_the_means_of_states)
{
  hol_simulation *s = pushed(ladder, HOL_THREADS);
  double sum[4] = {0.0}, square[4] = {0.0}, x[24 * 6], value[24];
  enum { SAMPLES = 400 };
  int moved = 0;
  good(hol_step(s, 100, &e));
  for (int i = 0; i < SAMPLES; i++) {
    good(hol_step(s, 20, &e));
    positions(s, x);
    good(hol_parameter_get(s, 0, HOL_ALL, value, &e));
    double mean[4] = {0.0};
    for (int r = 0; r < 24; r++) {
      int place[2];
      good(hol_get_ladder(s, r, place, &e));
      ck_assert_double_eq(value[r], 0.5 * place[1]);
      mean[place[1]] += (x[6 * r] + x[6 * r + 3]) / 12.0;
      moved += place[1] != r % 4;
    }
    for (int k = 0; k < 4; k++) {
      sum[k] += mean[k];
      square[k] += mean[k] * mean[k];
    }
  }
  ck_assert_int_gt(moved, 12 * SAMPLES);
  for (int k = 0; k < 4; k++) { /* samples are 4 times apart, beside a correlation of 1 */
    const double mean = sum[k] / SAMPLES, error = sqrt((square[k] / SAMPLES - mean * mean) / SAMPLES * 1.2);
    ck_assert_msg(fabs(mean + 0.5 * k) < 4.0 * error, "state %d: %g +- %g, and %g is right", k, mean, error,
                  -0.5 * k);
  }
  hol_close(s);
}
