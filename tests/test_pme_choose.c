/* Parameters for a requested accuracy: what is promised is what liquid water gets. */
#include "forcefields/pme.h"
#include "forcefields/pme_choose.h"
#include "tests/boxes.h"
#include "tests/charges.h"
#include "tests/suite.h"
#include "tests/water_box.h"

static WaterBox box;
static const Box cube = BOXES_BRICK(box_side, box_side, box_side), tall = BOXES_BRICK(40.0, 40.0, 80.0),
                 endless = {{{box_side}, {0.0, INFINITY}, {0.0, 0.0, box_side}}, {{0}}};

static void make_box(void) { water_box_make(&box, 400); }

static PmeWish wish(double error)
{
  PmeWish w = {.box = &cube, .nsite = BOX_N, .error = error};
  for (int i = 0; i < BOX_N; i++)
    w.charge2 += box.charge[i] * box.charge[i];
  return w;
}

static void mesh_forces(double beta, int order, const int grid[3], double f[3][BOX_N])
{
  const PmeOptions o = {.box = &cube,
                        .beta = beta,
                        .order = order,
                        .grid = {grid[0], grid[1], grid[2]},
                        .nsite = BOX_N,
                        .charge = box.charge,
                        .threads = 1,
                        .isa = isa_best()};
  Pme *pme;
  Error error;
  const Team team = team_alone();
  ck_assert_int_eq(pme_create(&pme, &o, &error), STATUS_OK);
  charges_forces(pme, &o, &team, (const double *const[3]){box.x[0], box.x[1], box.x[2]},
                 (double *const[3]){f[0], f[1], f[2]}, NULL);
  pme_free(pme);
}

/* f += the real part of pairs beyond the cutoff; the nearest images alone matter. */
static void add_lost(double beta, double cutoff, bool by_molecule, double f[3][BOX_N])
{
  for (int i = 0; i < BOX_N; i++)
    for (int j = 0; j < i; j++) {
      double d[3], r2 = 0.0, o2 = 0.0;
      for (int k = 0; k < 3; k++) {
        d[k] = box.x[k][i] - box.x[k][j];
        d[k] -= box_side * rint(d[k] / box_side);
        r2 += d[k] * d[k];
        double o = box.x[k][i / 3 * 3] - box.x[k][j / 3 * 3];
        o -= box_side * rint(o / box_side);
        o2 += o * o;
      }
      if (i / 3 == j / 3 || (by_molecule ? o2 : r2) < cutoff * cutoff)
        continue;
      const double r = sqrt(r2), c = UNITS_COULOMB * box.charge[i] * box.charge[j];
      const double factor = c * (erfc(beta * r) / r + 2.0 * beta / sqrt(M_PI) * exp(-beta * beta * r2)) / r2;
      for (int k = 0; k < 3; k++) {
        f[k][i] += factor * d[k];
        f[k][j] -= factor * d[k];
      }
    }
}

static double rms(double f[3][BOX_N])
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < BOX_N; i++)
      sum += f[d][i] * f[d][i];
  return sqrt(sum / BOX_N);
}

/* f = the error of forces with a choice; its parts apart. */
static void measure(const PmeChoice *c, bool by_molecule, double f[3][BOX_N], double *mesh, double *real)
{
  static double g[3][BOX_N];
  memset(f, 0, sizeof g);
  memset(g, 0, sizeof g);
  mesh_forces(c->beta, c->order, c->grid, f);
  mesh_forces(c->beta, 6, (const int[3]){96, 96, 96}, g);
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < BOX_N; i++)
      f[d][i] -= g[d][i];
  *mesh = rms(f);
  memset(g, 0, sizeof g);
  add_lost(c->beta, c->cutoff, by_molecule, g);
  *real = rms(g);
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < BOX_N; i++)
      f[d][i] -= g[d][i];
}

/* The errors of parameters chosen for 0.1 to 0.0005 kcal/mol/A, either cut, any order. */
TEST(promises_are_kept, .rows = 3)
{
  static const double errors[3] = {0.1, 0.01, 0.0005};
  static double f[3][BOX_N];
  PmeWish w = wish(errors[_i]);
  for (int k = 0; k < 8; k++) {
    w.by_molecule = k % 2 == 1;
    w.order = k < 2 ? 0 : 3 + k / 2;
    w.cutoff = k < 2 ? 9.0 : 8.5;
    PmeChoice c;
    Error error;
    ck_assert_msg(pme_choose(&w, &c, &error) == STATUS_OK, "%s", error.text);
    ck_assert(w.order == 0 || c.order == w.order);
    ck_assert_double_le(hypot(c.real, c.mesh), w.error * 1.0001);
    ck_assert_double_eq_tol(c.real, pme_choose_real_error(&w, c.beta, c.cutoff), 1e-12 * c.real);
    double mesh, real;
    measure(&c, w.by_molecule, f, &mesh, &real);
    /* Meshes coarser than were fitted are better than promised. */
    ck_assert_double_le(mesh / c.mesh, 1.6);
    ck_assert_double_ge(mesh / c.mesh, c.beta * box_side / c.grid[0] < 0.6 ? 0.6 : 0.25);
    ck_assert_double_le(fabs(log(real / c.real)), log(2.0));
    ck_assert_double_le(rms(f), 1.5 * w.error);
  }
}

/* What runs ask for where nothing is said: waters cut at 9 A between oxygens. The whole error is within the
 * wish, also near it. */
TEST(the_usual_wish_is_kept, .rows = 4)
{
  static const double errors[4] = {0.0145, 0.0084, 0.006, 0.004};
  static double f[3][BOX_N];
  PmeWish w = wish(errors[_i]);
  w.by_molecule = true;
  w.cutoff = 9.0;
  PmeChoice c;
  Error error;
  double mesh, real;
  ck_assert_msg(pme_choose(&w, &c, &error) == STATUS_OK, "%s", error.text);
  measure(&c, true, f, &mesh, &real);
  ck_assert_double_le(rms(f), w.error);
  ck_assert_double_ge(rms(f), 0.2 * w.error); /* nor is time wasted */
}

/* More accuracy costs a finer mesh or a longer cutoff, and sizes are those that transforms are fast at. */
TEST(choices_make_sense)
{
  PmeWish w = wish(1.0);
  w.box = &tall;
  w.nsite = 12165;
  w.charge2 = 4231.0;
  w.cutoff = 9.0;
  w.order = 4;
  int before = 0;
  for (w.error = 0.3; w.error > 1e-5; w.error *= 0.3) {
    PmeChoice c;
    Error error;
    ck_assert_int_eq(pme_choose(&w, &c, &error), STATUS_OK);
    ck_assert_int_ge(c.grid[0], before);
    ck_assert_int_eq(c.grid[0], c.grid[1]);
    ck_assert_int_ge(c.grid[2], 3 * c.grid[0] / 2);
    before = c.grid[0];
    for (int d = 0; d < 3; d++) {
      int n = c.grid[d];
      for (int p = 2; p <= 7; p++)
        while (n % p == 0)
          n /= p;
      ck_assert_int_eq(n, 1);
    }
  }
}

/* As a box grows, so do the sides of its mesh, in steps of no more than a fifth; and they are even. */
TEST(sides_are_near_those_that_are_needed)
{
  PmeWish w = wish(0.0145);
  w.cutoff = 9.0;
  w.beta = 0.35;
  int before = 0;
  double side = 20.0;
  for (int k = 0; k < 300; k++, side *= 1.01) {
    const Box grown = box_brick(side, side, side);
    const double more = pow(side / box_side, 3.0);
    PmeWish own = w;
    own.box = &grown;
    own.order = 5;
    own.nsite = (int)(BOX_N * more);
    own.charge2 = w.charge2 * more;
    PmeChoice c;
    Error error;
    ck_assert_int_eq(pme_choose(&own, &c, &error), STATUS_OK);
    ck_assert_int_ge(c.grid[0], before);
    ck_assert(before == 0 || 5 * c.grid[0] <= 6 * before);
    ck_assert_int_eq(c.grid[0] % 2, 0);
    before = c.grid[0];
  }
}

/* Of the pressure: a wish holds beta up and the mesh fine, is kept by any order, and changes nothing where
 * the force's wish is the harder one. */
TEST(pressures_are_kept)
{
  PmeWish w = wish(0.0145), free = w;
  w.by_molecule = free.by_molecule = true;
  w.cutoff = free.cutoff = 9.0;
  w.spread = free.spread = BOX_NMOL * 0.1274;
  for (w.order = 0; w.order <= 6; w.order += w.order == 0 ? 4 : 1) {
    PmeChoice c, loose;
    Error error;
    free.order = w.order;
    ck_assert_int_eq(pme_choose(&free, &loose, &error), STATUS_OK);
    for (w.pressure = 100.0; w.pressure > 0.01; w.pressure *= 0.3) {
      ck_assert_int_eq(pme_choose(&w, &c, &error), STATUS_OK);
      ck_assert_double_le(c.pressure, w.pressure);
      ck_assert_double_le(hypot(c.real, c.mesh), w.error * 1.0001);
      if (w.pressure == 100.0)
        ck_assert_double_eq(c.beta, loose.beta);
      else if (w.pressure < 1.0)
        ck_assert_double_gt(c.beta, loose.beta);
    }
    ck_assert_double_gt(loose.pressure, 1.0);
  }
}

/* What is given is taken, alone or with others, and the rest is as good as it can be beside it: what was
 * chosen freely comes out again where beta or the mesh of it is given, and no other beta or order is better.
 */
TEST(what_is_given_is_kept)
{
  PmeWish w = wish(0.0145);
  Error error;
  PmeChoice free, c;
  w.by_molecule = true;
  w.cutoff = 9.0;
  ck_assert_int_eq(pme_choose(&w, &free, &error), STATUS_OK);
  for (int given = 1; given < 8; given++) {
    PmeWish own = w;
    own.beta = given & 1 ? free.beta : 0.0;
    own.order = given & 2 ? free.order : 0;
    memcpy(own.grid, free.grid, given & 4 ? sizeof own.grid : 0);
    ck_assert_msg(pme_choose(&own, &c, &error) == STATUS_OK, "%s", error.text);
    ck_assert(!(given & 1) || c.beta == free.beta);
    ck_assert(!(given & 2) || c.order == free.order);
    ck_assert(!(given & 4) || memcmp(c.grid, free.grid, sizeof c.grid) == 0);
    ck_assert_double_le(hypot(c.real, c.mesh), w.error * 1.0001);
  }
  PmeWish poor = w; /* no order does: the best */
  poor.grid[0] = poor.grid[1] = poor.grid[2] = 8;
  ck_assert_int_eq(pme_choose(&poor, &c, &error), STATUS_OK);
  const double best = hypot(c.real, c.mesh);
  ck_assert_double_gt(best, w.error);
  for (poor.order = 4; poor.order <= 6; poor.order++)
    for (poor.beta = 0.05; poor.beta < 1.5; poor.beta *= 1.2) {
      ck_assert_int_eq(pme_choose(&poor, &c, &error), STATUS_OK);
      ck_assert_double_ge(hypot(c.real, c.mesh), 0.999 * best);
    }
  w.beta = 1e300;
  ck_assert_int_eq(pme_choose(&w, &c, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "with beta 1e+300/A"));
  ck_assert_ptr_nonnull(strstr(error.text, "omit beta and mesh to have them chosen"));
  const Box enormous = box_brick(3e4, 3e4, 3e4); /* whatever beta is */
  w.box = &enormous;
  w.cutoff = 9.0;
  w.error = 1e-7;
  for (w.beta = 0.0; w.beta < 0.5; w.beta += 0.3) {
    memset(w.grid, 0, sizeof w.grid);
    ck_assert_int_eq(pme_choose(&w, &c, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "29.3 A apart in this box"));
    ck_assert_ptr_nonnull(strstr(error.text, "the box is too large: "));
    ck_assert_ptr_null(strstr(error.text, "omit beta"));
  }
}

TEST(bad_wishes_are_refused)
{
  const PmeWish good = wish(0.01);
  PmeWish w[8] = {good, good, good, good, good, good, good, good};
  for (int k = 0; k < 8; k++)
    w[k].cutoff = 8.0;
  w[0].error = 0.0;
  w[1].box = &endless;
  w[2].cutoff = 9.5;
  w[3].order = 7;
  w[4].nsite = 0;
  w[5].error = 1e-30;
  w[6].grid[1] = 16;
  w[7].beta = -1.0;
  for (int k = 0; k < 8; k++) {
    PmeChoice c;
    Error error;
    ck_assert_int_eq(pme_choose(&w[k], &c, &error), STATUS_INPUT);
  }
}

int main(void)
{
  suite_fixture(false, make_box, NULL);
  return suite_main("pme_choose");
}
