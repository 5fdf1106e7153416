/* The soft core of one pair of atoms, and its tail beyond the cutoff, beside plain formulas at many distances
 * and strengths, for every truncation. */
#include "simulation/molecules/system.h"
#include "tests/alchemy_pair.h"
#include "tests/alchemy_world.h"

/* Types of the pair: both terms, repulsion alone, attraction alone. */
static const struct {
  const char *name;
  double a, c;
} kinds[] = {{"both", 300000.0, 400.0}, {"repulsion", 90000.0, 0.0}, {"attraction", 0.0, 200.0}};

static const struct {
  const char *keys; /* of forces; NULL: open space */
  Truncation truncation;
  double width;
} cuts[] = {{NULL, TRUNCATION_PLAIN, 1.0},
            {"truncation: plain", TRUNCATION_PLAIN, 1.0},
            {"truncation: shift", TRUNCATION_SHIFT, 1.0},
            {"truncation: switch, switch: 1.5 A", TRUNCATION_SWITCH, 1.5},
            {"truncation: force-switch, switch: 2 A", TRUNCATION_FORCE_SWITCH, 2.0}};
static const struct {
  double alpha;
  int power;
} cores[] = {{0.5, 1}, {0.5, 2}, {0.0, 1}, {0.3, 2}};
enum { KINDS = 3, CUTS = 5, CORES = 4, ALL = KINDS * CUTS * CORES };
static const double cutoff = 6.5, volume = 16.0 * 17.0 * 18.0;

static AlchemyWorld world;

/* The atoms of kind `row` % 3 in a box or open space. */
static AlchemyFormula open_pair(int row)
{
  const int kind = row % KINDS, cut = row / KINDS % CUTS, core = row / KINDS / CUTS;
  char text[2048];
  snprintf(text, sizeof text,
           "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes: {S: [0, 0], T: [0, 0]}\n"
           "pairs: [[S, T, {c12: %g, c6: %g}]]\n"
           "molecules:\n  own: {atoms: [[C1, S, 0, 12]]}\n  other: {atoms: [[C1, T, 0, 12]]}\n",
           kinds[kind].a, kinds[kind].c);
  program_write("pair.yaml", text);
  program_write("pair.xyz",
                "2\nLattice=\"16 0 0 0 17 0 0 0 18\" Properties=species:S:1:pos:R:3\nC 0 0 0\nC 4 0 0\n");
  snprintf(
      text, sizeof text,
      "system: {molecules: {%s/pair.yaml:own: 1, %s/pair.yaml:other: 1}, start: file, file: %s/pair.xyz, "
      "minimise: false, box: %s}\n"
      "alchemy: {molecules: own, soft_alpha: %g, soft_power: %d, soft_sigma: 2.7 A}\n"
      "%s%s%s\nprecision: double\n"
      "integrator: {word: BAOAB, timestep: 1 fs, steps: 1}\nthermostat: {temperature: 100 K, friction: "
      "5/ps}\n",
      program_scratch, program_scratch, program_scratch, cut > 0 ? "file" : "none", cores[core].alpha,
      cores[core].power, cut > 0 ? "forces: {cutoff: 6.5 A, coulomb: cutoff, " : "",
      cut > 0 ? cuts[cut].keys : "", cut > 0 ? "}" : "");
  memset(&world, 0, sizeof world);
  world.s = parsed(text);
  fine(topology_state(world.s->topology, 1, 1, 0, &world.state, &error));
  world.state->box = world.s->box;
  alchemy_fields(&world);
  return (AlchemyFormula){
      kinds[kind].a,     kinds[kind].c, cuts[cut].truncation, cut > 0 ? cutoff : 0.0, cuts[cut].width,
      cores[core].alpha, 2.7,           cores[core].power};
}

/* The term between the two at distance r along a line through the box; force: on the second along it. */
static double between(double r, double l, double *force)
{
  static const double along[3] = {2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0};
  double x[6] = {1.0, 16.5, -0.3}, f[6];
  for (int d = 0; d < 3; d++)
    x[3 + d] = x[d] + r * along[d] + (d == 1 && world.s->box.h[0][0] > 0.0 ? 17.0 : 0.0); /* an image */
  alchemy_set(&world, 0, 1.0, l);
  topology_set(world.s->topology, world.state, STATE_POSITIONS, 0, x);
  alchemy_compute(&world);
  alchemy_forces(&world, 0, f);
  *force = 0.0;
  for (int d = 0; d < 3; d++) {
    ck_assert_double_eq(f[d], -f[3 + d]);
    *force += f[3 + d] * along[d];
  }
  return alchemy_term(&world, world.s->box.h[0][0] > 0.0 ? "lj" : "solute_lj", 0);
}

/* Energies and dU/dlj that forces answer, without the tail. */
static void ask(int n, const double *l, double *energy, double *slope)
{
  double set[16][ALCHEMY_STRENGTHS], own = 0.0, slopes[ALCHEMY_STRENGTHS] = {0.0};
  memset(energy, 0, (size_t)n * sizeof *energy);
  for (int k = 0; k < n; k++) {
    set[k][ALCHEMY_COULOMB] = 1.0;
    set[k][ALCHEMY_LJ] = l[k];
  }
  const ParameterQuery query = {&world.parameters, n, &set[0][0], energy, &own, slopes};
  fine(force_field_respond(&world.field, world.state, &query, &error));
  *slope = slopes[ALCHEMY_LJ];
}

static const double strengths[] = {1.0, 0.97, 0.7, 0.5, 0.1, 0.02, 0.0};
enum { STRENGTHS = sizeof strengths / sizeof *strengths };

/* The tail at all strengths, and its slope at each. */
static void find_tail(const AlchemyFormula *f, double tail[STRENGTHS], double slope[STRENGTHS])
{
  const double h = 1e-3, by = 4.0 * M_PI / volume;
  for (int k = 0; k < STRENGTHS; k++) {
    const double l = strengths[k];
    tail[k] = slope[k] = 0.0;
    if (f->cutoff == 0.0)
      continue;
    tail[k] = by * alchemy_missing(f, l, false);
    double at[5]; /* above full strength there is no core */
    for (int i = 0; i < 5; i++)
      at[i] = alchemy_missing(f, l - h * (l == 1.0 ? i : i - 2), false);
    slope[k] = by / (12.0 * h) *
               (l == 1.0 ? 25.0 * at[0] - 48.0 * at[1] + 36.0 * at[2] - 16.0 * at[3] + 3.0 * at[4]
                         : 8.0 * (at[1] - at[3]) - (at[0] - at[4]));
  }
}

/* Sites at one point count as 1e-4 A apart. */
TEST(a_pair_is_the_formula, .rows = ALL)
{
  static const double distances[] = {0.0, 1e-3, 0.1, 0.5, 1.1, 2.0, 2.7,   3.1,  3.7,
                                     4.4, 4.6,  4.9, 5.1, 5.7, 6.4, 6.499, 6.51, 7.5};
  const AlchemyFormula f = open_pair(_i);
  double tail[STRENGTHS], by[STRENGTHS];
  find_tail(&f, tail, by);
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
    for (int k = 0; k < STRENGTHS; k++) {
      const double l = strengths[k], r = distances[i], at = fmax(r, 1e-4);
      double force, energy[STRENGTHS], slope;
      if (r < 2.0 && l > 0.0 && (l == 1.0 || f.alpha == 0.0))
        continue; /* overlaps */
      const double want = alchemy_pair(&f, l, at), pull = r > 0.0 ? alchemy_pull(&f, l, r) : 0.0;
      ck_assert_double_eq_tol(between(r, l, &force), want, 1e-12 * (1.0 + fabs(want)));
      ck_assert_double_eq_tol(force, pull, 1e-10 * (1.0 + fabs(pull)));
      ask(STRENGTHS, strengths, energy, &slope);
      for (int n = 0; n < STRENGTHS; n++) {
        const double right = alchemy_pair(&f, strengths[n], at) + tail[n];
        ck_assert_double_eq_tol(energy[n], right, 1e-9 * (1e-3 + fabs(right)));
      }
      const double steep = alchemy_by_strength(&f, l, at) + by[k];
      ck_assert_double_eq_tol(slope, steep, 1e-8 * (1e-2 + fabs(steep)));
    }
  alchemy_close(&world);
}

/* Two atoms beyond the cutoff have their tail alone, in the energy, its slope and the virial. */
TEST(the_tail_is_the_integral, .rows = ALL)
{
  const AlchemyFormula f = open_pair(_i);
  double force, none[3][3];
  if (f.cutoff > 0.0) {
    (void)between(8.0, 0.0, &force);
    const double zero = alchemy_term(&world, NULL, 0);
    memcpy(none, world.virial, sizeof none);
    for (int k = 0; k < STRENGTHS; k++) {
      const double l = strengths[k], right = 4.0 * M_PI / volume * alchemy_missing(&f, l, false),
                   virial = 4.0 * M_PI / volume * alchemy_missing(&f, l, true);
      ck_assert_double_eq(between(8.0, l, &force), 0.0);
      ck_assert_double_eq_tol(alchemy_term(&world, "lj_tail", 0) - zero, right, 1e-9 * (1e-3 + fabs(right)));
      for (int i = 0; i < 9; i++)
        ck_assert_double_eq_tol(world.virial[i / 3][i % 3] - none[i / 3][i % 3], i % 4 == 0 ? virial : 0.0,
                                1e-7 * (1e-3 + fabs(virial)));
    }
  }
  alchemy_close(&world);
}

int main(void) { return program_main("alchemy_pair"); }
