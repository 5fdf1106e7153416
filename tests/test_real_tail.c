/* What a cutoff of whole molecules leaves out of the real part of the Ewald sum, in the mean. */
#include "engine/place.h"
#include "engine/units.h"
#include "forcefields/pme_choose.h"
#include "tests/boxes.h"
#include "tests/mixed_box.h"
#include "tests/suite.h"

static const double beta = 0.34, cutoff = 7.0, width = 1.5;

static void tail_of(const Particles *m, const Box *box, Truncation truncation, double tail[2])
{
  ewald_tail_real(m, box, beta, &(LjCut){truncation, cutoff, cutoff - width}, tail);
}

/* --- against sums over random orientations ---------------------------------------------------------------
 */

/* A molecule with its first site at the origin: its charges, and its centre of mass last. */
typedef struct Pose {
  double x[SITE_MAP_SITES + 1][3];
} Pose;

static Pose pose(const SiteMap *k, const Kind *kind, RandomStream *s)
{
  static const double centre[3] = {0.0, 0.0, 0.0};
  Pose p;
  double x[9];
  place_molecule(kind, s, centre, x);
  site_map_sites(k, x, p.x[0]);
  for (int a = SITE_MAP_SITES; a >= 0; a--)
    for (int d = 0; d < 3; d++)
      p.x[a][d] = (a < SITE_MAP_SITES ? p.x[a][d] : 0.0) - x[d];
  return p;
}

/* The 24 symmetries of a cube that keep its three axes in cyclic order: coordinate d of x's image. */
enum { IMAGES = 24 };

static double image(int g, const double x[3], int d)
{
  return ((g >> d) % 2 ? -1.0 : 1.0) * x[(d + g / 8) % 3];
}

/* Adds energy, and force times the vector between centres of mass, with first sites r apart along x, of
 * images of two molecules. */
static void pair(const SiteMap *k, const Pose *a, int ga, const Pose *b, int gb, double r, double sum[2])
{
  double centres[3], force[3] = {0.0};
  for (int d = 0; d < 3; d++)
    centres[d] = (d == 0 ? r : 0.0) + image(gb, b->x[SITE_MAP_SITES], d) - image(ga, a->x[SITE_MAP_SITES], d);
  for (int i = 0; i < k->nsite; i++)
    for (int j = 0; j < k->nsite; j++) {
      const double qq = UNITS_COULOMB * k->charge[i] * k->charge[j];
      double v[3], s2 = 0.0;
      for (int d = 0; d < 3; d++) {
        v[d] = (d == 0 ? r : 0.0) + image(gb, b->x[j], d) - image(ga, a->x[i], d);
        s2 += v[d] * v[d];
      }
      const double s = sqrt(s2), e = erfc(beta * s) / s;
      sum[0] += qq * e;
      for (int d = 0; d < 3; d++)
        force[d] += qq * (e + 2.0 * beta / sqrt(M_PI) * exp(-beta * beta * s2)) * v[d] / s2;
    }
  for (int d = 0; d < 3; d++)
    sum[1] += centres[d] * force[d];
}

/* All images of one pair of random ones, which leaves little noise; a water's mirror image is a water. */
static void add_images(const SiteMap *k, const Pose *a, const Pose *b, double r, double sum[2])
{
  for (int ga = 0; ga < IMAGES; ga++)
    for (int gb = 0; gb < IMAGES; gb++)
      pair(k, a, ga, b, gb, r, sum);
  for (int t = 0; t < 2; t++)
    sum[t] /= IMAGES * IMAGES;
}

/* Light hydrogens have the centre of mass near the oxygen, heavy ones far from it. */
static const struct {
  const char *model;
  double mass_h;
} waters[] = {{"tip3p", 1.008}, {"tip3p", 20.0}, {"tip4p", 8.0}, {"opc", 1.008}, {"tip5p", 8.0}};
enum { WATERS = sizeof waters / sizeof *waters };

TEST(is_the_mean_over_orientations, .rows = suite_rows(1, WATERS))
{
  enum { BINS = 100, TURNS = 12 };
  const double step = 0.15;
  const Box box = box_brick(16.0, 17.0, 18.0);
  const int nmol = 120;
  const WaterModel *model = water_find(waters[_i].model);
  Kind *kind;
  State *state;
  Particles m;
  double tail[2], sum[2] = {0.0}, square[2] = {0.0};
  ck_assert_int_eq(water_kind(model, 16.0, waters[_i].mass_h, &kind, NULL), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 1, (const Kind *const *)&kind, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(particles_make(&m, model, NULL, state, NULL), STATUS_OK);
  tail_of(&m, &box, TRUNCATION_PLAIN, tail);
  RandomStream stream = random_stream(3, 0, RANDOM_TEST);
  for (int turn = 0; turn < TURNS; turn++) {
    double one[2] = {0.0};
    for (int bin = 0; bin < BINS; bin++) {
      const Pose a = pose(&m.kind[0].map, kind, &stream), b = pose(&m.kind[0].map, kind, &stream);
      const double r = cutoff + (bin + 0.5) * step;
      double both[2] = {0.0};
      add_images(&m.kind[0].map, &a, &b, r, both);
      for (int t = 0; t < 2; t++)
        one[t] += 0.5 * nmol * nmol / box_volume(&box) * 4.0 * M_PI * r * r * step * both[t];
    }
    one[1] /= 3.0;
    for (int t = 0; t < 2; t++) {
      sum[t] += one[t] / TURNS;
      square[t] += one[t] * one[t] / TURNS;
    }
  }
  for (int t = 0; t < 2; t++) {
    const double error = sqrt((square[t] - sum[t] * sum[t]) / (TURNS - 1));
    ck_assert_double_le(error, 0.01 * fabs(sum[t]));
    ck_assert_double_le(fabs(tail[t] - sum[t]), 3.0 * error);
  }
  particles_free(&m);
  state_free(state);
  kind_free(kind);
}

/* --- laws ------------------------------------------------------------------------------------------------
 */

/* At fixed numbers of molecules the energy goes as 1/V, and P V = E: all of the pressure where pairs are
 * switched off; where they are cut off, all but that of the jump. */
TEST(pressure_is_the_derivative_of_the_energy, .rows = 2)
{
  MixedBox s;
  double tail[2], above[2], below[2];
  mixed_box_make(&s, &(MixedCase){_i == 0 ? "tip3p" : "tip4p", 60, {"Na+", "Cl-"}, 5, {15.0, 16.0, 17.0}});
  Box box = s.state->box;
  tail_of(&s.particles, &box, TRUNCATION_SWITCH, tail);
  const double v = box_volume(&box), h = 1e-4;
  for (int k = 0; k < 2; k++) {
    box = s.state->box;
    for (int d = 0; d < 3; d++)
      boxes_stretch(&box, d, cbrt(1.0 + (k == 0 ? h : -h)));
    tail_of(&s.particles, &box, TRUNCATION_SWITCH, k == 0 ? above : below);
  }
  ck_assert_double_gt(tail[0], 0.1);
  ck_assert_double_eq_tol(tail[1] / v, -(above[0] - below[0]) / (2.0 * h * v), 1e-6 * tail[1] / v);
  tail_of(&s.particles, &s.state->box, TRUNCATION_PLAIN, above);
  ck_assert_double_lt(above[0], tail[0]);
  ck_assert_double_gt(above[1], 2.0 * above[0]);
  mixed_box_free(&s);
}

/* What accuracy is chosen by, a share of it to second order in the size of the molecules. */
TEST(second_order_is_near)
{
  MixedBox s;
  double tail[2];
  mixed_box_make(&s, &(MixedCase){"tip3p", 60, {NULL}, 0, {15.0, 16.0, 17.0}});
  const double volume = box_volume(&s.state->box);
  const double share = 0.14 * pow(9.0 / cutoff, 3.0);
  const double spread = 60.0 * 2.0 * 0.417 * 0.9572 * 0.9572 / 6.0;
  for (int k = 0; k < 2; k++) {
    const PmeWish w = {.box = &s.state->box,
                       .nsite = 180,
                       .charge2 = 1e-9,
                       .by_molecule = true,
                       .spread = spread,
                       .switched = k == 1};
    PmeChoice c = {.beta = beta, .cutoff = cutoff, .order = 6, .grid = {64, 64, 64}};
    pme_choose_errors(&w, &c);
    tail_of(&s.particles, &s.state->box, TRUNCATION_PLAIN, tail);
    ck_assert_double_eq_tol(c.energy / share, tail[0], 0.3 * tail[0]);
    if (k == 1) /* what would be left of the pressure without a jump */
      tail[1] = tail[0];
    ck_assert_double_eq_tol(c.pressure / share, tail[1] / volume * UNITS_BAR,
                            0.3 * tail[1] / volume * UNITS_BAR);
  }
  mixed_box_free(&s);
}

/* In the mean the charges of ions see as many of each sign. */
TEST(ions_take_no_part)
{
  MixedBox pure, salt;
  double of_pure[2], of_salt[2];
  mixed_box_make(&pure, &(MixedCase){"spce", 60, {NULL}, 0, {15.0, 16.0, 17.0}});
  mixed_box_make(&salt, &(MixedCase){"spce", 60, {"Na+", "Cl-"}, 9, {15.0, 16.0, 17.0}});
  tail_of(&pure.particles, &pure.state->box, TRUNCATION_PLAIN, of_pure);
  tail_of(&salt.particles, &salt.state->box, TRUNCATION_PLAIN, of_salt);
  for (int t = 0; t < 2; t++)
    ck_assert_double_eq_tol(of_salt[t], of_pure[t], 1e-9 * of_pure[t]);
  mixed_box_free(&pure);
  mixed_box_free(&salt);
}
