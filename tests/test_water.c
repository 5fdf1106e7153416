/* Water models: geometry, and the minima of dimers against the literature's table. */
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_rng.h>

#include "forcefields/pair.h"
#include "forcefields/water.h"
#include "tests/pair_reference.h"
#include "tests/suite.h"

static double distance(const double *a, const double *b)
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static int models(void)
{
  int n = 0;
  while (water_models[n].name != NULL)
    n++;
  return n;
}

TEST(geometry, .rows = models())
{
  const WaterModel *m = &water_models[_i];
  Kind *kind;
  ck_assert_int_eq(water_kind(m, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  ck_assert(kind_is_triangle(kind));
  const double *x = kind->reference;
  for (int c = 0; c < 3; c++) {
    const Constraint *con = &kind->con[c];
    ck_assert_double_eq_tol(distance(x + 3 * con->site[0], x + 3 * con->site[1]), con->param[0], 1e-14);
  }
  ck_assert_double_eq_tol(distance(x, x + 3), m->d_oh, 1e-14);
  const double cosine = 1.0 - 0.5 * pow(distance(x + 3, x + 6) / m->d_oh, 2);
  ck_assert_double_eq_tol(acos(cosine) * 180.0 / M_PI, m->angle, 1e-10);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(kind->mass[0] * x[d] + kind->mass[1] * x[3 + d] + kind->mass[2] * x[6 + d], 0.0,
                            1e-14);
  ck_assert_ptr_eq(water_find(m->name), m);
  kind_free(kind);
}

/* Where the model's virtual sites are said to be, seen from O at rest; charges that sum to zero. */
TEST(sites, .rows = models())
{
  const WaterModel *m = &water_models[_i];
  const SiteMap map = water_site_map(m);
  Kind *kind;
  double x[3 * SITE_MAP_SITES], sum = 0.0, dipole = 0.0, atom[3], of_atoms = 0.0;
  ck_assert_int_eq(water_kind(m, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  site_map_sites(&map, kind->reference, x);
  site_map_atom_charges(&map, atom);
  for (int s = 0; s < map.nsite; s++) {
    sum += map.charge[s];
    dipole += map.charge[s] * x[3 * s + 2];
    of_atoms += s < 3 ? atom[s] * x[3 * s + 2] : 0.0;
    ck_assert_double_eq_tol(distance(x + 3 * s, x), map.bond[s], 1e-12);
  }
  ck_assert_double_eq_tol(sum, 0.0, 1e-14);
  ck_assert_double_eq_tol(atom[0] + atom[1] + atom[2], 0.0, 1e-14);
  ck_assert_double_eq_tol(of_atoms, dipole, 1e-12);
  ck_assert_int_eq(map.nsite, m->d_om != 0.0 ? 4 : (m->d_ol != 0.0 ? 5 : 3));
  if (map.nsite == 4) { /* towards the hydrogens */
    ck_assert_double_eq_tol(distance(x + 9, x), m->d_om, 1e-14);
    ck_assert_double_eq_tol(x[11] - x[2], m->d_om, 1e-14);
  }
  if (map.nsite == 5) { /* away from them, one on either side */
    const double cosine = 1.0 - 0.5 * pow(distance(x + 9, x + 12) / m->d_ol, 2);
    ck_assert_double_eq_tol(acos(cosine) * 180.0 / M_PI, 109.47, 1e-9);
    ck_assert_double_eq_tol(x[9], 0.0, 1e-14);
    ck_assert_double_lt(x[11], x[2]);
    ck_assert_double_eq_tol(x[10], -x[13], 1e-14);
  }
  kind_free(kind);
}

/* An energy of the sites of a molecule with bonds of any length, and its gradient by x[nsite][3]. */
static double field_energy(const SiteMap *map, const double *atom, double *x, double *g)
{
  double sum = 0.0;
  site_map_sites(map, atom, x);
  for (int k = 0; k < 3 * map->nsite; k++) {
    sum += sin(0.7 * x[k] + k) * (1.0 + 0.3 * x[(k + 4) % (3 * map->nsite)]);
    g[k] = 0.0;
  }
  for (int k = 0; k < 3 * map->nsite; k++) {
    const int n = (k + 4) % (3 * map->nsite);
    g[k] += 0.7 * cos(0.7 * x[k] + k) * (1.0 + 0.3 * x[n]);
    g[n] += sin(0.7 * x[k] + k) * 0.3;
  }
  return sum;
}

/* Forces on atoms are minus the gradient, and the virial is that of atoms scaled with a box. */
TEST(forces_on_sites_go_to_atoms, .rows = models())
{
  const SiteMap map = water_site_map(&water_models[_i]);
  double atom[9], x[3 * SITE_MAP_SITES], y[3 * SITE_MAP_SITES], g[3 * SITE_MAP_SITES],
      unused[3 * SITE_MAP_SITES], f[9] = {0.0}, virial[3][3] = {{0.0}};
  for (int k = 0; k < 9; k++)
    atom[k] = sin(3.0 * k + 1.0) + (k % 4 == 0 ? 1.0 : 0.0);
  field_energy(&map, atom, x, g);
  site_map_forces(&map, x, g, f);
  site_map_virial(&map, x, g, virial);
  for (int k = 0; k < 9; k++) {
    double change[9];
    memcpy(change, atom, sizeof change);
    change[k] += 1e-5;
    const double up = field_energy(&map, change, y, unused);
    change[k] -= 2e-5;
    ck_assert_double_eq_tol(f[k], (up - field_energy(&map, change, y, unused)) / 2e-5, 1e-8);
  }
  for (int k = 0; k < 9; k++) { /* the force on the whole molecule acts at its first atom in both */
    double of_atoms = 0.0, of_sites = virial[k / 3][k % 3];
    for (int s = 0; s < map.nsite; s++) {
      of_atoms += s < 3 ? (x[3 * s + k / 3] - x[k / 3]) * f[3 * s + k % 3] : 0.0;
      of_sites += (x[3 * s + k / 3] - x[k / 3]) * g[3 * s + k % 3];
    }
    ck_assert_double_eq_tol(of_atoms, of_sites, 1e-12);
  }
}

/* --- the dimer -------------------------------------------------------------------------------------------
 */

typedef struct Dimer {
  const WaterModel *model;
  const Kind *kind;
} Dimer;

/* One molecule at the origin, one turned by the rotation vector v[3..5] and moved by v[0..2]. */
static void dimer_place(const Kind *kind, const gsl_vector *v, double *x)
{
  double u[3], angle = 0.0;
  for (size_t d = 0; d < 3; d++) {
    u[d] = gsl_vector_get(v, 3 + d);
    angle += u[d] * u[d];
  }
  angle = sqrt(angle);
  for (int d = 0; d < 3; d++)
    u[d] /= angle > 0.0 ? angle : 1.0;
  for (int s = 0; s < 3; s++) {
    const double *r = kind->reference + 3 * s;
    const double along = u[0] * r[0] + u[1] * r[1] + u[2] * r[2];
    for (int d = 0; d < 3; d++) {
      const double cross = u[(d + 1) % 3] * r[(d + 2) % 3] - u[(d + 2) % 3] * r[(d + 1) % 3];
      x[3 * s + d] = r[d];
      x[9 + 3 * s + d] = gsl_vector_get(v, (size_t)d) + r[d] * cos(angle) + cross * sin(angle) +
                         u[d] * along * (1.0 - cos(angle));
    }
  }
}

static double dimer_energy(const gsl_vector *v, void *params)
{
  const Dimer *dimer = params;
  double x[18], energy[PAIR_TERMS];
  dimer_place(dimer->kind, v, x);
  /* hydrogens have no core: keep the simplex away from the pole where a charge sits on another */
  for (int i = 0; i < 3; i++)
    for (int j = 3; j < 6; j++)
      if (distance(x + 3 * i, x + 3 * j) < 1.2)
        return 1e3;
  pair_reference(dimer->model, 2, x, NULL, energy);
  return energy[PAIR_COULOMB] + energy[PAIR_LJ];
}

/* The lowest of a few minima from random starts. */
static double dimer_minimum(Dimer *dimer, double *r_oo)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_multimin_fminimizer *simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 6);
  gsl_multimin_function function = {dimer_energy, 6, dimer};
  gsl_vector *start = gsl_vector_alloc(6), *size = gsl_vector_alloc(6);
  double best = INFINITY, x[18];
  for (int trial = 0; trial < 30; trial++) {
    for (int i = 0; i < 6; i++)
      gsl_vector_set(start, (size_t)i, (i < 3 ? 4.0 : 2.0 * M_PI) * (gsl_rng_uniform(rng) - 0.5));
    gsl_vector_set(start, 0, gsl_vector_get(start, 0) + 3.5);
    gsl_vector_set_all(size, 0.5);
    for (int again = 0; again < 3; again++) { /* a simplex may collapse: start it afresh where it stopped */
      gsl_multimin_fminimizer_set(simplex, &function, start, size);
      for (int i = 0; i < 600 && gsl_multimin_fminimizer_size(simplex) > 1e-7; i++)
        gsl_multimin_fminimizer_iterate(simplex);
      gsl_vector_memcpy(start, simplex->x);
    }
    if (simplex->fval < best) {
      best = simplex->fval;
      dimer_place(dimer->kind, simplex->x, x);
      *r_oo = distance(x, x + 9);
    }
  }
  gsl_vector_free(start);
  gsl_vector_free(size);
  gsl_multimin_fminimizer_free(simplex);
  gsl_rng_free(rng);
  return best;
}

/* Optima found by another program from these parameters with a Coulomb constant of 332.0637, kcal/mol and A.
 * Published are those of 1983 and that of TIP5P, -6.78 and 2.68 (Mahoney and Jorgensen, 2000). */
static const struct {
  const char *model;
  double energy, r_oo;
} dimers[] = {{"spc", -6.610, 2.752},     {"spce", -7.200, 2.733},      {"tip3p", -6.540, 2.747},
              {"bf", -6.062, 2.723},      {"tips2", -6.202, 2.788},     {"tip4p", -6.235, 2.748},
              {"tip4pew", -6.849, 2.753}, {"tip4p2005", -6.862, 2.770}, {"tip4pice", -7.490, 2.786},
              {"tip4pfb", -7.278, 2.765}, {"opc", -7.340, 2.803},       {"tip3pfb", -7.494, 2.737},
              {"opc3", -7.489, 2.745},    {"tip5p", -6.785, 2.676}};
enum { DIMERS = sizeof dimers / sizeof *dimers };

TEST(dimers_have_their_minima, .rows = DIMERS)
{
  Kind *kind;
  Dimer dimer = {.model = water_find(dimers[_i].model)};
  ck_assert_int_eq(water_kind(dimer.model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  dimer.kind = kind;
  double r_oo = 0.0;
  const double energy = dimer_minimum(&dimer, &r_oo);
  ck_assert_double_eq_tol(energy, dimers[_i].energy, 0.02);
  ck_assert_double_eq_tol(r_oo, dimers[_i].r_oo, 0.01);
  kind_free(kind);
}

TEST(bad_input_is_refused)
{
  Error error = {0};
  Kind *kind;
  ck_assert_ptr_null(water_find("tip6p"));
  ck_assert_ptr_null(water_models[DIMERS].name); /* every model stands in the table above */
  ck_assert_int_eq(water_kind(water_find("tip3p"), -1.0, 1.0, &kind, &error), STATUS_INPUT);
  ck_assert_ptr_null(kind);
}

/* Every row of the table is a model, and a row that is none is named, not read in part. */
TEST(rows_are_models)
{
  Error error = {0};
  Kind *kind;
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    ck_assert_msg(water_check(m, &error) == STATUS_OK, "%s", error.text);
  const WaterModel sound = *water_find("tip4p");
  WaterModel wrong[8];
  for (int i = 0; i < 8; i++)
    wrong[i] = sound;
  wrong[0].d_ol = 0.7; /* M and L */
  wrong[1].d_oh = 0.0;
  wrong[2].angle = 180.0;
  wrong[3].q_h = NAN;
  wrong[4].a = -1.0;
  wrong[5].c = INFINITY;
  wrong[6].d_om = -0.15;
  wrong[7].d_ol = NAN;
  for (int i = 0; i < 8; i++) {
    ck_assert_int_eq(water_kind(&wrong[i], 16.0, 1.0, &kind, &error), STATUS_INPUT);
    ck_assert_ptr_null(kind);
    ck_assert_ptr_nonnull(strstr(error.text, "tip4p"));
  }
  ck_assert_int_eq(water_kind(&wrong[0], 16.0, 1.0, &kind, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "not on both"));
}
