/* Laws of energies and forces at positions that a program gives: forces are minus the gradients of energies,
 * they are those of a state that is there, and no state notices. */
#include "tests/hol.h"
#include "tests/suite.h"

static const char tip4p[] = "system: {model: tip4p, molecules: 3, anneal: false, wall: {radius: 1 A}}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
                            "thermostat: {type: langevin, temperature: 150, friction: 20 1/ps}\n"
                            "ensemble: {replicas: 16}\n";
static const char box[] =
    "system: {model: tip3p, molecules: 64, density: 0.95, minimise: false}\n"
    "geometry: {method: settle}\n"
    "forces: {cutoff: 6, coulomb: pme, accuracy: 1e-3, truncation: switch}\nprecision: double\n"
    "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
    "thermostat: {type: langevin, temperature: 300, friction: 5 1/ps}\n"
    "barostat: {type: monte-carlo, pressure: 100 MPa, every: 2}\n"
    "ensemble: {replicas: 2, threads: 2}\n";
static const char *const inputs[] = {waters, tip4p, box};
static const char hamiltonian[] = "units: reduced\n"
                                  "system: {hamiltonian: \"p1^2/2 + q1^2\", position: [1], momentum: [0]}\n"
                                  "integrator: {method: symplectic-euler, timestep: 0.01, time: 1}\n";
enum { INPUTS = sizeof inputs / sizeof *inputs };

static size_t numbers(const hol_simulation *s) { return (size_t)hol_replicas(s) * (size_t)coordinates(s); }

static double *array(size_t n)
{
  double *x = calloc(n, sizeof *x);
  ck_assert_ptr_nonnull(x);
  return x;
}

static int calls;

/* A spring of each site to the origin, k = 0.1. */
static hol_status spring(void *user, hol_force_call *call, hol_error *error)
{
  (void)user;
  (void)error;
  const int n = call->sites * call->dimensions;
  calls++;
  for (int i = 0; i < call->replicas * n; i++) {
    call->f[i] = -0.1 * call->x[i];
    call->energy[i / n] += 0.05 * call->x[i] * call->x[i];
  }
  return HOL_OK;
}

TEST(evaluated_as_they_are, .rows = INPUTS)
{
  hol_simulation *s = opened(inputs[_i]), *other = opened(inputs[_i]);
  hol_simulation *const both[] = {s, other};
  for (int k = 0; k < 2; k++) {
    good(hol_add_force(both[k], spring, NULL, 0, &e));
    good(hol_step(both[k], 20, &e));
  }
  const size_t n = numbers(s), replicas = (size_t)hol_replicas(s);
  double *x = array(n), *f = array(n), *g = array(n), *energy = array(replicas), one;
  good(hol_get(s, HOL_POSITIONS, HOL_ALL, x, &e));
  good(hol_get(s, HOL_FORCES, HOL_ALL, f, &e));
  good(hol_evaluate(s, HOL_ALL, x, energy, g, NULL, &e));
  ck_assert_mem_eq(f, g, n * sizeof *f);
  good(hol_evaluate(s, 1, x + coordinates(s), &one, g, NULL, &e));
  ck_assert_double_eq(one, energy[1]);
  ck_assert_mem_eq(f + coordinates(s), g, (size_t)coordinates(s) * sizeof *f);
  /* Others, in one call of the force for all replicas, and back. */
  for (size_t i = 0; i < n; i++)
    x[i] += 0.01;
  calls = 0;
  good(hol_evaluate(s, HOL_ALL, x, energy, NULL, NULL, &e));
  ck_assert_int_eq(calls, 1);
  for (int k = 0; k < 2; k++)
    good(hol_step(both[k], 20, &e));
  good(hol_get(s, HOL_POSITIONS, HOL_ALL, x, &e));
  good(hol_get(other, HOL_POSITIONS, HOL_ALL, g, &e));
  ck_assert_mem_eq(x, g, n * sizeof *x);
  free(x);
  free(f);
  free(g);
  free(energy);
  hol_close(s);
  hol_close(other);
}

/* Along a way that displaces all sites, by central differences. */
TEST(forces_are_gradients, .rows = INPUTS)
{
  hol_simulation *s = opened(inputs[_i]);
  good(hol_add_force(s, spring, NULL, 0, &e));
  good(hol_step(s, 20, &e));
  const int n = coordinates(s);
  const double h = 1e-5;
  double *x = array((size_t)n), *f = array((size_t)n), *y = array((size_t)n), energy[2], slope = 0.0;
  good(hol_get(s, HOL_POSITIONS, 1, x, &e));
  good(hol_evaluate(s, 1, x, NULL, f, NULL, &e));
  for (int i = 0; i < n; i++)
    slope -= f[i] * sin(i + 1.0);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++)
      y[i] = x[i] + (k == 0 ? h : -h) * sin(i + 1.0);
    good(hol_evaluate(s, 1, y, &energy[k], NULL, NULL, &e));
  }
  ck_assert_double_eq_tol((energy[0] - energy[1]) / (2.0 * h), slope, 1e-3 * (1.0 + fabs(slope)));
  free(x);
  free(f);
  free(y);
  hol_close(s);
}

/* --- virtual sites ------- */

/* A uniform field on all charges, those of virtual sites too; and the constants of the field force. */
typedef struct Field {
  hol_simulation *s;
  double strength, *v, *fv; /* [sites][3] of a replica */
  hol_virtual_sites sites;
} Field;

static hol_status field(void *user, hol_force_call *call, hol_error *error)
{
  const Field *const to = user;
  const int n = call->sites * call->dimensions;
  for (int r = 0; r < call->replicas; r++) {
    const double *const x = call->x + (ptrdiff_t)r * n;
    double *const f = call->f + (ptrdiff_t)r * n;
    hol_status status = hol_place_sites(to->s, x, to->v, error);
    for (int i = 0; i < call->sites; i++) {
      call->energy[r] -= to->strength * to->sites.site_charge[i] * x[3 * i + 2];
      f[3 * i + 2] = to->strength * to->sites.site_charge[i];
    }
    for (int i = 0; i < to->sites.sites; i++) {
      call->energy[r] -= to->strength * to->sites.charge[i] * to->v[3 * i + 2];
      to->fv[3 * i + 2] = to->strength * to->sites.charge[i];
    }
    if (status == HOL_OK)
      status = hol_spread_sites(to->s, x, to->fv, f, error);
    if (status != HOL_OK)
      return status;
  }
  return HOL_OK;
}

static double apart(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Where models say that they are, with their charges, which make molecules neutral; charges on atoms alone
 * have the same dipole; forces on them are gradients. */
TEST(virtual_sites_are_seen, .rows = 3)
{
  static const struct {
    const char *model;
    int each;
    double far, charge; /* from the oxygen, A; e */
  } models[] = {{"system.model=tip4p", 1, 0.15, -1.04},
                {"system.model=tip5p", 2, 0.70, -0.241},
                {"system.model=tip3p", 0, 0, 0}};
  hol_simulation *s;
  good(hol_open_text(&s, "input", tip4p, &models[_i].model, 1, &e));
  double v[18], fv[18] = {0.0}, x[27], f[27], y[27], energy[2], slope = 0.0, dipole = 0.0;
  refused(hol_place_sites(s, x, v, &e), "hol_get_virtual_sites");
  Field to = {s, 2.0, v, fv, {.size = sizeof to.sites}};
  good(hol_get_virtual_sites(s, &to.sites, &e));
  ck_assert_int_eq(to.sites.sites, 3 * models[_i].each);
  good(hol_get(s, HOL_POSITIONS, 0, x, &e));
  good(hol_place_sites(s, x, v, &e));
  for (int i = 0; i < to.sites.sites; i++) {
    const int m = i / models[_i].each;
    ck_assert_int_eq(to.sites.molecule[i], m);
    ck_assert_double_eq_tol(apart(v + 3 * i, x + 9 * m), models[_i].far, 1e-6);
    ck_assert_double_eq_tol(apart(v + 3 * i, x + 9 * m + 3), apart(v + 3 * i, x + 9 * m + 6), 1e-6);
    ck_assert_double_eq_tol(to.sites.charge[i], models[_i].charge, 1e-3);
    dipole += to.sites.charge[i] * v[3 * i + 2];
  }
  for (int i = 0; i < 9; i++)
    dipole += (to.sites.site_charge[i] - topology(s).charge[i]) * x[3 * i + 2];
  ck_assert_double_eq_tol(dipole, 0.0, 1e-9);
  good(hol_evaluate(s, 0, x, &energy[0], y, NULL, &e));
  good(hol_add_force(s, field, &to, 0, &e));
  good(hol_evaluate(s, 0, x, NULL, f, NULL, &e));
  for (int i = 0; i < 27; i++)
    slope -= f[i] * sin(i + 1.0);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 27; i++)
      y[i] = x[i] + (k == 0 ? 1e-4 : -1e-4) * sin(i + 1.0);
    good(hol_evaluate(s, 0, y, &energy[k], NULL, NULL, &e));
  }
  ck_assert_double_eq_tol((energy[0] - energy[1]) / 2e-4, slope, 1e-3 * (1.0 + fabs(slope)));
  good(hol_step(s, 10, &e));
  hol_close(s);
}

TEST(refusals)
{
  hol_simulation *s = opened(waters), *h = opened(hamiltonian);
  double x[MOST] = {0.0}, energy;
  refused(hol_evaluate(s, 0, NULL, &energy, NULL, NULL, &e), "NULL was passed for coordinates");
  refused(hol_evaluate(s, 99, x, &energy, NULL, NULL, &e), "there is no replica 99");
  x[3] = NAN;
  refused(hol_evaluate(s, 0, x, &energy, NULL, NULL, &e), "coordinate 3 is not finite");
  x[3] = 0.0;
  ck_assert_int_eq(hol_evaluate(h, 0, x, &energy, NULL, NULL, &e), HOL_INPUT);
  hol_close(s);
  hol_close(h);
}
