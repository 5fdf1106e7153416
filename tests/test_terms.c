/* Terms of force fields: what the rows say against plain formulas, gradients and Hessians against
 * differences, and the force over molecules of one lane and of several. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa.h"
#include "engine/units.h"
#include "tests/butane.h"
#include "tests/suite.h"
#include "tests/teams.h"

#define PI 3.14159265358979323846

/* Molecules with a force of terms. */
typedef struct World {
  Topology *topology;
  State *state;
  ForceField field;
  double energy[TERM_COLUMNS * WIDTH_MAX], virial[3][3];
} World;

static void world_create(World *w, int nkind, const Kind *const *kind, const int *lanes,
                         const TopologyMolecules *sort, int n, const Term *term, int width)
{
  Isa isa;
  Error error = {0};
  const TermList list = {n, term};
  *w = (World){.field.n = 1};
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  ck_assert_msg(topology_create(&w->topology, nkind, kind, lanes, 1, sort, &error) == STATUS_OK, "%s",
                error.text);
  ck_assert_int_eq(topology_state(w->topology, width, 1, 0, &w->state, NULL), STATUS_OK);
  ck_assert_msg(term_force_create(&w->field.force[0], w->topology, &list, w->state, isa, &error) == STATUS_OK,
                "%s", error.text);
}

static void world_free(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  topology_free(w->topology);
}

static void world_of_butane(World *w, bool groups, int nmol, int width)
{
  static const int whole[1] = {0}, four[4] = {0, 0, 1, 1};
  const Kind *const kind[2] = {groups ? &butane_methyl : &butane_whole, &butane_methylene};
  const TopologyMolecules sort = {"butane", nmol, groups ? 4 : 1, groups ? four : whole, NULL};
  Term term[BUTANE_TERMS];
  const int n = butane_terms(term);
  world_create(w, groups ? 2 : 1, kind, (int[]){groups ? 2 * nmol : nmol, 2 * nmol}, &sort, n, term, width);
}

static void world_compute(World *w, int threads)
{
  Error error = {0};
  const ForceSums sums = {w->energy, w->state->width == 1 ? w->virial : NULL};
  ck_assert_msg(team_forces(&w->field, w->state, threads, 2, &sums, &error) == STATUS_OK, "%s", error.text);
}

static double world_energy(World *w)
{
  double sum = 0.0;
  world_compute(w, 1);
  for (int i = 0; i < w->field.force[0].ops->nterm; i++)
    sum += w->energy[i * w->state->width];
  return sum;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

enum { FOUR = 4, N = 3 * FOUR };
static const double four_mass[FOUR] = {12, 1, 16, 14}, four_at[N] = {0};
static const char *const four_site[FOUR] = {"C", "H", "O", "N"};
static const Kind four = {"four", FOUR, 3, 0, four_mass, four_site, NULL, four_at};
static const int order[FOUR] = {2, 0, 3, 1}; /* of the chain's atoms among the sites */

static void world_of_row(World *w, TermRow row, const double *param, int width)
{
  static const int block[1] = {0};
  const TopologyMolecules sort = {NULL, LANES, 1, block, NULL};
  const Kind *const kind = &four;
  Term term = butane_term(row, 0, order);
  for (int k = 0; param != NULL && k < term.type->nparam; k++)
    term.param[k] = term_number(term.type, k, param[k]);
  world_create(w, 1, &kind, (int[]){LANES}, &sort, 1, &term, width);
}

/* Angles of the chain 0-1-2-3, degrees: theta, theta, phi. In the last two a dihedral angle has no
 * derivative. */
enum { CURVED = 7 };
static const double angles[LANES][3] = {{109, 112, 65}, {109, 110, 180}, {104, 98, 0},   {60, 130, -60},
                                        {91, 90, -125}, {177, 120, 100}, {178, 178, 10}, {179.5, 2, 30}};

/* A chain with these angles, turned and shifted. */
static void chain(const double angle[3], double *x)
{
  const double a = angle[0] * PI / 180, b = angle[1] * PI / 180, c = angle[2] * PI / 180,
               r[3] = {1.2, 1.5, 1.1};
  const double flat[FOUR][3] = {{r[0] * sin(a), 0, r[0] * cos(a)},
                                {0, 0, 0},
                                {0, 0, r[1]},
                                {r[2] * sin(b) * cos(c), r[2] * sin(b) * sin(c), r[1] - r[2] * cos(b)}};
  const double turn[3][3] = {{2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
  for (int k = 0; k < FOUR; k++)
    for (int d = 0; d < 3; d++) {
      x[3 * order[k] + d] = 0.3 + 0.2 * d;
      for (int e = 0; e < 3; e++)
        x[3 * order[k] + d] += turn[d][e] * flat[k][e];
    }
}

static void put_chains(World *w, const double angle[LANES][3])
{
  for (int m = 0; m < LANES; m++) {
    double x[LANES * N];
    for (int k = 0; k < LANES; k++)
      chain(angle[k], x + (ptrdiff_t)k * N);
    topology_set(w->topology, w->state, STATE_POSITIONS, 0, x);
  }
}

/* By libm, from the angles. */
static double plain(const Term *t, const double angle[3])
{
  const double *p = t->param, theta = angle[0] * PI / 180, phi = angle[2] * PI / 180;
  const double r = 1.2, x = r - p[0], c = cos(phi - PI), turned = remainder(phi - p[0], 2 * PI);
  switch (t->type - term_types) {
  case TERM_ROW_bond:
  case TERM_ROW_urey_bradley:
    return 0.5 * p[1] * x * x;
  case TERM_ROW_bond_quartic:
    return 0.25 * p[1] * pow(r * r - p[0] * p[0], 2);
  case TERM_ROW_bond_morse:
    return p[1] * pow(1 - exp(-p[2] * x), 2);
  case TERM_ROW_bond_polynomial:
    return 0.5 * p[1] * x * x + p[2] * pow(x, 3) + p[3] * pow(x, 4);
  case TERM_ROW_angle:
    return 0.5 * p[1] * pow(theta - p[0], 2);
  case TERM_ROW_angle_cosine:
    return 0.5 * p[1] * pow(cos(theta) - cos(p[0]), 2);
  case TERM_ROW_torsion:
  case TERM_ROW_improper_periodic:
    return p[1] * (1 + cos(p[2] * phi - p[0]));
  case TERM_ROW_torsion_ryckaert:
    return p[0] + c * (p[1] + c * (p[2] + c * (p[3] + c * (p[4] + c * p[5]))));
  case TERM_ROW_improper:
    return 0.5 * p[1] * turned * turned;
  default:
    return 4 * p[1] * (pow(p[0] / r, 12) - pow(p[0] / r, 6)) + UNITS_COULOMB * p[2] / r;
  }
}

/* Values are those of plain formulas, of angles as IUPAC counts them. */
START_TEST(values)
{
  World w;
  world_of_row(&w, (TermRow)_i, NULL, 1);
  const Term term = butane_term((TermRow)_i, 0, order);
  put_chains(&w, angles);
  double sum = 0.0;
  for (int m = 0; m < LANES; m++)
    sum += plain(&term, angles[m]);
  ck_assert_double_eq_tol(world_energy(&w), sum, 1e-10 * fmax(1.0, fabs(sum)));
  world_free(&w);
}
END_TEST

/* d/dx by five points. */
#define SLOPE(f, h) ((8.0 * ((f)[2] - (f)[1]) - ((f)[3] - (f)[0])) / (12.0 * (h)))
static const double steps[4] = {-2, -1, 1, 2};

/* Forces are slopes of the energy, Hessians slopes of the forces, in every lane. */
static void check_row(World *w, int lanes, double h)
{
  const Block *block = &w->state->block[0];
  double hess[N * N][LANES] __attribute__((aligned(64))), force[N][LANES];
  const Team team = team_alone();
  world_compute(w, 1);
  memcpy(force, block->f, sizeof force);
  force_field_hess_block(&w->field, &team, w->state, (Octet *)hess);
  for (int i = 0; i < N; i++)
    for (int m = 0; m < lanes; m++) {
      double *x = (double *)(block->q + i) + m, energy[4], f[4][N][LANES];
      const double there = *x;
      for (int k = 0; k < 4; k++) {
        *x = there + steps[k] * h;
        energy[k] = world_energy(w);
        memcpy(f[k], block->f, sizeof f[k]);
      }
      *x = there;
      const double expected = -SLOPE(energy, h);
      ck_assert_msg(fabs(force[i][m] - expected) < 1e-6 * (10 + fabs(expected)), "lane %d: %g, not %g", m,
                    force[i][m], expected);
      for (int j = 0; j < N; j++) {
        const double at[4] = {-f[0][j][m], -f[1][j][m], -f[2][j][m], -f[3][j][m]}, second = SLOPE(at, h);
        ck_assert_msg(fabs(hess[i * N + j][m] - second) < 1e-6 * (100 + fabs(second)),
                      "lane %d, %d %d: %g, not %g", m, i, j, hess[i * N + j][m], second);
      }
    }
}

START_TEST(derivatives)
{
  World w;
  world_of_row(&w, (TermRow)_i, NULL, 1);
  put_chains(&w, angles);
  check_row(&w, CURVED - 1, 1e-4);
  world_free(&w);
}
END_TEST

/* An angle of 180 degrees at rest is smooth there: straight, nearly straight, and at 0 likewise. */
START_TEST(straight_at_rest)
{
  static const double bent[2][LANES][3] = {
      {{180, 90, 0}, {180 - 1e-9, 90, 0}, {180 - 1e-5, 90, 0}, {179.9, 90, 0}},
      {{0, 90, 0}, {1e-9, 90, 0}, {1e-5, 90, 0}, {0.1, 90, 0}}};
  World w;
  world_of_row(&w, TERM_ROW_angle, (double[]){_i == 0 ? 180 : 0, 50}, 1);
  put_chains(&w, bent[_i]);
  check_row(&w, 4, 1e-3);
  world_free(&w);
}
END_TEST

/* Where there is no derivative nothing is infinite, and nothing pushes: straight angles that are bent at
 * rest, three of four atoms on a line. A harmonic improper angle, which is not known then, pushes within its
 * bound. */
START_TEST(singular)
{
  static const double bent[LANES][3] = {{180, 110, 20}, {110, 180, 20}, {180, 180, 0}, {0, 180, 0}};
  for (int row = 0; row < TERM_TYPES; row++) {
    World w;
    double hess[N * N][LANES] __attribute__((aligned(64)));
    const Team team = team_alone();
    if (term_types[row].form == COORDINATE_DISTANCE)
      continue;
    world_of_row(&w, (TermRow)row, NULL, 1);
    put_chains(&w, bent);
    ck_assert(isfinite(world_energy(&w)));
    force_field_hess_block(&w.field, &team, w.state, (Octet *)hess);
    for (int i = 0; i < N * N; i++)
      for (int m = 0; m < LANES; m++)
        ck_assert(isfinite(hess[i][m]));
    const int lanes = term_types[row].form == COORDINATE_DIHEDRAL ? 4 : 1;
    for (int i = 0; i < N; i++)
      for (int m = 0; m < lanes; m++)
        ck_assert_double_lt(fabs(((const double *)w.state->block[0].f)[i * LANES + m]),
                            row == TERM_ROW_improper ? 100.0 : 1e-2);
    world_free(&w);
  }
}
END_TEST

/* k (1 + cos 3 phi) as a polynomial in cos(phi - 180). */
START_TEST(torsion_and_polynomial)
{
  World a, b;
  world_of_row(&a, TERM_ROW_torsion, (double[]){0, 1.3, 3}, 1);
  world_of_row(&b, TERM_ROW_torsion_ryckaert, (double[]){1.3, 3.9, 0, -5.2, 0, 0}, 1);
  put_chains(&a, angles);
  put_chains(&b, angles);
  ck_assert_double_eq_tol(world_energy(&a), world_energy(&b), 1e-11);
  for (int i = 0; i < N; i++)
    for (int m = 0; m < CURVED; m++)
      ck_assert_double_eq_tol(((const double *)a.state->block[0].f)[i * LANES + m],
                              ((const double *)b.state->block[0].f)[i * LANES + m], 1e-8);
  world_free(&a);
  world_free(&b);
}
END_TEST

/* --- molecules ------------------------------------------------------------------------------------------ */

enum { MOLECULES = 37, ALL = 3 * BUTANE_ATOMS * MOLECULES };

static void put_butanes(World *w, int nmol)
{
  double x[ALL];
  for (int r = 0; r < w->state->used; r++) {
    for (int m = 0; m < nmol; m++)
      butane_place(m + 100 * r, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x);
  }
}

/* No net force and no torque on any molecule, and each energy stays where all are turned and shifted. */
START_TEST(invariance)
{
  World w;
  double x[ALL], f[ALL], energy[TERM_COLUMNS];
  world_of_butane(&w, true, MOLECULES, 1);
  put_butanes(&w, MOLECULES);
  world_compute(&w, 1);
  memcpy(energy, w.energy, sizeof energy);
  topology_get(w.topology, w.state, STATE_POSITIONS, 0, x);
  topology_get(w.topology, w.state, STATE_FORCES, 0, f);
  for (int m = 0; m < MOLECULES; m++) {
    double net[3] = {0}, torque[3] = {0};
    for (int i = m * BUTANE_ATOMS; i < (m + 1) * BUTANE_ATOMS; i++)
      for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, g = (d + 2) % 3;
        net[d] += f[3 * i + d];
        torque[d] += x[3 * i + e] * f[3 * i + g] - x[3 * i + g] * f[3 * i + e];
      }
    for (int d = 0; d < 3; d++) {
      ck_assert_double_eq_tol(net[d], 0.0, 1e-9);
      ck_assert_double_eq_tol(torque[d], 0.0, 1e-7);
    }
  }
  for (int i = 0; i < ALL; i += 3) { /* x y z to z x y is a turn */
    const double z = x[i + 2];
    x[i + 2] = x[i + 1] + 3.0;
    x[i + 1] = x[i] - 1.0;
    x[i] = 0.6 * z + 0.8 * x[i + 2];
    x[i + 2] = -0.8 * z + 0.6 * x[i + 2];
  }
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  world_compute(&w, 1);
  for (int i = 0; i < w.field.force[0].ops->nterm; i++)
    ck_assert_double_eq_tol(w.energy[i], energy[i], 1e-9 * fabs(energy[i]));
  world_free(&w);
}
END_TEST

/* Which lanes a molecule has is in no bit of its forces. */
START_TEST(groups)
{
  World one, several;
  double f[2][ALL], slope[4];
  world_of_butane(&one, false, MOLECULES, 1);
  world_of_butane(&several, true, MOLECULES, 1);
  put_butanes(&one, MOLECULES);
  put_butanes(&several, MOLECULES);
  world_compute(&one, 1);
  world_compute(&several, 1);
  topology_get(one.topology, one.state, STATE_FORCES, 0, f[0]);
  topology_get(several.topology, several.state, STATE_FORCES, 0, f[1]);
  ck_assert_mem_eq(f[0], f[1], sizeof f[0]);
  ck_assert_mem_eq(one.energy, several.energy, sizeof one.energy);
  for (int i = 0; i < 3 * BUTANE_ATOMS; i += 5) {
    double x[ALL];
    topology_get(several.topology, several.state, STATE_POSITIONS, 0, x);
    const double there = x[i];
    for (int k = 0; k < 4; k++) {
      x[i] = there + steps[k] * 1e-3;
      topology_set(several.topology, several.state, STATE_POSITIONS, 0, x);
      slope[k] = world_energy(&several);
    }
    x[i] = there;
    topology_set(several.topology, several.state, STATE_POSITIONS, 0, x);
    ck_assert_double_eq_tol(f[1][i], -SLOPE(slope, 1e-3), 1e-4);
  }
  world_free(&one);
  world_free(&several);
}
END_TEST

/* Replicas side by side are what each is by itself; a gang need not be full. */
START_TEST(replicas)
{
  World wide, one;
  const int width = _i == 0 ? 8 : 16, used = width - 3;
  world_of_butane(&wide, true, 3, width);
  world_of_butane(&one, true, 3, 1);
  state_use(wide.state, used);
  put_butanes(&wide, 3);
  world_compute(&wide, 2);
  for (int r = 0; r < width; r++) {
    double x[ALL], f[2][3 * 3 * BUTANE_ATOMS];
    topology_get(wide.topology, wide.state, STATE_FORCES, r, f[0]);
    if (r < used) {
      topology_get(wide.topology, wide.state, STATE_POSITIONS, r, x);
      topology_set(one.topology, one.state, STATE_POSITIONS, 0, x);
      world_compute(&one, 1);
    }
    topology_get(one.topology, one.state, STATE_FORCES, 0, f[1]);
    for (int i = 0; i < 3 * 3 * BUTANE_ATOMS; i++)
      ck_assert_double_eq_tol(f[0][i], r < used ? f[1][i] : 0.0, 1e-9);
    for (int c = 0; c < one.field.force[0].ops->nterm; c++)
      ck_assert_double_eq_tol(wide.energy[c * width + r], r < used ? one.energy[c] : 0.0,
                              1e-10 * fabs(one.energy[c]));
  }
  world_free(&wide);
  world_free(&one);
}
END_TEST

/* Any team has the same bits. */
START_TEST(teams)
{
  World w;
  double f[2][ALL], energy[TERM_COLUMNS * WIDTH_MAX], virial[9];
  const int nmol = _i % 3 == 0 ? 1 : _i % 3 == 1 ? 7 : MOLECULES, width = _i < 3 ? 1 : 8;
  const size_t size = 3 * BUTANE_ATOMS * (size_t)nmol * sizeof(double);
  world_of_butane(&w, true, nmol, width);
  put_butanes(&w, nmol);
  for (int threads = 1; threads <= 5; threads++) {
    world_compute(&w, threads);
    topology_get(w.topology, w.state, STATE_FORCES, width - 1, f[threads > 1]);
    if (threads > 1) {
      ck_assert_mem_eq(f[0], f[1], size);
      ck_assert_mem_eq(energy, w.energy, sizeof energy);
      ck_assert_mem_eq(virial, w.virial, sizeof virial);
    }
    memcpy(energy, w.energy, sizeof energy);
    memcpy(virial, w.virial, sizeof virial);
  }
  world_free(&w);
}
END_TEST

/* The virial is the slope of the energy under strain: x_a grows by e x_b. */
START_TEST(strain)
{
  World w;
  double x[ALL], strained[ALL], energy[4], virial[3][3];
  world_of_butane(&w, true, 5, 1);
  put_butanes(&w, 5);
  world_compute(&w, 1);
  memcpy(virial, w.virial, sizeof virial);
  topology_get(w.topology, w.state, STATE_POSITIONS, 0, x);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      for (int k = 0; k < 4; k++) {
        memcpy(strained, x, sizeof x);
        for (int i = 0; i < 5 * BUTANE_ATOMS; i++)
          strained[3 * i + a] += steps[k] * 1e-4 * x[3 * i + b];
        topology_set(w.topology, w.state, STATE_POSITIONS, 0, strained);
        energy[k] = world_energy(&w);
      }
      ck_assert_double_eq_tol(virial[b][a], -SLOPE(energy, 1e-4), 1e-4);
    }
  world_free(&w);
}
END_TEST

/* Hessians of terms inside groups: of two groups of one kind that have different ones, side by side. */
START_TEST(group_hessians)
{
  static const int four_groups[4] = {0, 0, 1, 1};
  const int nmol = 3, width = _i == 0 ? 1 : 8;
  const Kind *const kind[2] = {&butane_methyl, &butane_methylene};
  const TopologyMolecules sort = {"butane", nmol, 4, four_groups, NULL};
  Term term[BUTANE_TERMS], inside[BUTANE_TERMS];
  int n = butane_terms(term), kept = 0;
  World w;
  for (int i = 0; i < n; i++) {
    int least = BUTANE_ATOMS, most = 0;
    for (int k = 0; k < term[i].type->natom; k++) {
      least = term[i].atom[k] < least ? term[i].atom[k] : least;
      most = term[i].atom[k] > most ? term[i].atom[k] : most;
    }
    if (most < 4 || (least >= 4 && most < 8))
      inside[kept++] = term[i];
  }
  ck_assert_int_gt(kept, 10);
  world_create(&w, 2, kind, (int[]){2 * nmol, 2 * nmol}, &sort, kept, inside, width);
  put_butanes(&w, nmol);
  const Block *block = &w.state->block[0];
  const Team team = team_alone();
  const size_t size = 12 * 12 * sizeof(Octet) * (size_t)block->npack;
  Octet *hess = aligned_alloc(64, size);
  ck_assert_ptr_nonnull(hess);
  force_field_hess_block(&w.field, &team, w.state, hess);
  for (int lane = 0; lane<2 * nmol * width; lane += width> 1 ? 3 : 1)
    for (int i = 0; i < 12; i++) {
      double *x = (double *)(block->q + lane / LANES * 12 + i) + lane % LANES, at[12][4];
      const double there = *x;
      for (int k = 0; k < 4; k++) {
        *x = there + steps[k] * 1e-4;
        world_compute(&w, 1);
        for (int j = 0; j < 12; j++)
          at[j][k] = -((const double *)(block->f + lane / LANES * 12 + j))[lane % LANES];
      }
      *x = there;
      for (int j = 0; j < 12; j++)
        ck_assert_double_eq_tol(((const double *)(hess + (lane / LANES * 12 + i) * 12 + j))[lane % LANES],
                                SLOPE(at[j], 1e-4), 1e-4);
    }
  for (int lane = 2 * nmol * width; lane < block->npack * LANES; lane++)
    for (int i = 0; i < 144; i++)
      ck_assert_double_eq(((const double *)(hess + lane / LANES * 144 + i))[lane % LANES], 0.0);
  free(hess);
  world_free(&w);
}
END_TEST

/* --- faults --------------------------------------------------------------------------------------------- */

/* Atoms on each other, and one that is nowhere: molecule, term and atoms are named, by any team. */
START_TEST(clash)
{
  const bool nowhere = _i % 2 == 1;
  const int width = _i < 2 ? 1 : 8, r = width == 1 ? 0 : 5;
  World w;
  double x[ALL];
  Error error = {0};
  world_of_butane(&w, true, MOLECULES, width);
  put_butanes(&w, MOLECULES);
  topology_get(w.topology, w.state, STATE_POSITIONS, r, x);
  double *const at = x + (ptrdiff_t)3 * BUTANE_ATOMS * 21;
  for (int d = 0; d < 3; d++) /* atom 14 on atom 6: a pair of a 1-4 term */
    at[3 * 13 + d] = nowhere ? (double)NAN : at[3 * 5 + d] + (d == 0 ? 1e-3 : 0.0);
  topology_set(w.topology, w.state, STATE_POSITIONS, r, x);
  for (int threads = 1; threads <= 3; threads++) {
    ck_assert_int_eq(team_forces(&w.field, w.state, threads, 1, NULL, &error), STATUS_RUN);
    ck_assert_ptr_nonnull(strstr(error.text, "of molecule 22 (butane)"));
    ck_assert_ptr_nonnull(strstr(error.text, nowhere ? "14" : "pair-14 of atoms 6 14"));
    ck_assert_int_eq(strstr(error.text, "replica 5") != NULL, width > 1);
  }
  world_free(&w);
}
END_TEST

/* What makes no sense is refused by name. */
START_TEST(checked)
{
  static const struct {
    Term term;
    const char *says;
  } wrong[] = {
      {{&term_types[TERM_ROW_bond], {0, 14}, {1, 1}}, "bond of atoms 1 15: the molecule has atoms 1 to 14"},
      {{&term_types[TERM_ROW_angle], {0, -1, 2}, {1, 1}}, "angle of atoms 1 0 3"},
      {{&term_types[TERM_ROW_torsion], {3, 1, 2, 3}, {0, 1, 2}},
       "torsion of atoms 4 2 3 4: atom 4 stands there twice"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, 1.5}}, "n is 1.5"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, -1}}, "n is -1"},
      {{&term_types[TERM_ROW_bond], {0, 1}, {-1, 1}}, "length is -1"},
      {{&term_types[TERM_ROW_bond_morse], {0, 1}, {1, 1, (double)INFINITY}}, "rate is inf"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    World w;
    Force force = {0};
    Error error = {0};
    world_of_butane(&w, false, 2, 1);
    const TermList list = {1, &wrong[i].term};
    ck_assert_int_eq(term_force_create(&force, w.topology, &list, w.state, ISA_PLAIN, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "molecule butane") != NULL && strstr(error.text, wrong[i].says) != NULL,
                  "%s", error.text);
    world_free(&w);
  }
  ck_assert_ptr_eq(term_find("bond-morse"), &term_types[TERM_ROW_bond_morse]);
  ck_assert_ptr_null(term_find("cmap"));
}
END_TEST

/* A force without terms has no column and does nothing. */
START_TEST(none)
{
  World w;
  static const int block[1] = {0};
  const Kind *const kind = &four;
  world_create(&w, 1, &kind, (int[]){3}, &(TopologyMolecules){NULL, 3, 1, block, NULL}, 0, NULL, 1);
  ck_assert_double_eq(world_energy(&w), 0.0);
  ck_assert_int_eq(force_field_terms(&w.field), 0);
  world_free(&w);
}
END_TEST

int main(void)
{
  TCase *rows = tcase_create("rows"), *molecules = tcase_create("molecules"),
        *threads = tcase_create("threads"), *faults = tcase_create("faults");
  tcase_add_loop_test(rows, values, 0, TERM_TYPES);
  tcase_add_loop_test(rows, derivatives, 0, TERM_TYPES);
  tcase_add_loop_test(rows, straight_at_rest, 0, 2);
  tcase_add_test(rows, singular);
  tcase_add_test(rows, torsion_and_polynomial);
  tcase_add_test(molecules, invariance);
  tcase_add_test(molecules, groups);
  tcase_add_test(molecules, strain);
  tcase_add_loop_test(molecules, group_hessians, 0, 2);
  tcase_add_loop_test(threads, replicas, 0, 2);
  tcase_add_loop_test(threads, teams, 0, 6);
  tcase_add_loop_test(threads, clash, 0, 4);
  tcase_add_test(faults, checked);
  tcase_add_test(faults, none);
  return suite_main("terms", rows, molecules, threads, faults);
}
