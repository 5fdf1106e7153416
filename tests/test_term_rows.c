/* Rows of terms: values against plain formulas, gradients and Hessians against differences, and what is at
 * places where coordinates have no derivatives. */
#include "engine/units.h"
#include "tests/suite.h"
#include "tests/term_world.h"

/* The periodic cubic spline through n nodes at x, in steps, by its second derivatives: these are found by
 * relaxation. */
static double spline(int n, const double *f, double x)
{
  double second[BUTANE_GRID] = {0};
  for (int turn = 0; turn < 60; turn++)
    for (int i = 0; i < n; i++) {
      const int low = (i + n - 1) % n, high = (i + 1) % n;
      second[i] = (6 * (f[low] - 2 * f[i] + f[high]) - second[low] - second[high]) / 4;
    }
  const int i = (int)floor(x), low = (i + n) % n, high = (i + 1) % n;
  const double b = x - i, a = 1 - b;
  return a * f[low] + b * f[high] + ((a * a * a - a) * second[low] + (b * b * b - b) * second[high]) / 6;
}

/* Splines through rows, and one through what they have at psi. */
static double surface(int number, const double angle[ANGLES])
{
  double value[BUTANE_NODES], row[BUTANE_GRID];
  TermGrid grid[BUTANE_ALL];
  butane_grids(value, grid);
  const int n = grid[number].n;
  for (int i = 0; i < n; i++)
    row[i] = spline(n, grid[number].value + (ptrdiff_t)i * n, (angle[3] + 180) * n / 360);
  return spline(n, row, (angle[2] + 180) * n / 360);
}

/* Hermite's polynomials between the rows of a table. */
static double tabulated(const Term *t, double x)
{
  double value[BUTANE_NODES];
  TermGrid grid[BUTANE_ALL];
  butane_grids(value, grid);
  const TermGrid *of = &grid[(int)t->param[0]];
  const double step = (of->to - of->from) / (of->n - 1), at = (x - of->from) / step;
  const int row = (int)fmin(floor(at), of->n - 2);
  const double *v = of->value + (ptrdiff_t)2 * row, b = at - row, a = 1 - b;
  return t->param[1] *
         (a * a * (v[0] * (1 + 2 * b) + v[1] * step * b) + b * b * (v[2] * (1 + 2 * a) - v[3] * step * a));
}

/* By libm, from the angles. */
static double plain(const Term *t, const double angle[ANGLES])
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
  case TERM_ROW_distance_table:
    return tabulated(t, r);
  case TERM_ROW_angle_table:
    return tabulated(t, angle[0]);
  case TERM_ROW_torsion_table:
    return tabulated(t, angle[2]);
  case TERM_ROW_bond_bond:
    return p[2] * x * (1.5 - p[1]);
  case TERM_ROW_angle_quartic:
    return p[1] + (theta - p[0]) *
                      (p[2] + (theta - p[0]) * (p[3] + (theta - p[0]) * (p[4] + (theta - p[0]) * p[5])));
  case TERM_ROW_angle_restricted:
    return 0.5 * p[1] * pow((cos(theta) - cos(p[0])) / sin(theta), 2);
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
  case TERM_ROW_cmap:
    return surface((int)p[0], angle);
  case TERM_ROW_distance_restraint:
    return r < p[0]   ? 0.5 * p[3] * pow(r - p[0], 2)
           : r < p[1] ? 0.0
           : r < p[2] ? 0.5 * p[3] * pow(r - p[1], 2)
                      : 0.5 * p[3] * (p[2] - p[1]) * (2 * r - p[2] - p[1]);
  case TERM_ROW_dihedral_restraint:
    return 0.5 * p[2] * pow(fmax(0.0, fabs(turned) - p[1] * PI / 180), 2);
  default:
    return 4 * p[1] * (pow(p[0] / r, 12) - pow(p[0] / r, 6)) + UNITS_COULOMB * p[2] / r;
  }
}

/* Values are those of plain formulas, of angles as IUPAC counts them. */
TEST(values, .rows = TERM_TYPES)
{
  World w;
  world_of_row(&w, (TermRow)_i, NULL, 1);
  const Term term = butane_term((TermRow)_i, 0, order);
  put_chains(&w, angles);
  double sum = 0.0;
  for (int m = 0; m < LANES; m++)
    sum += plain(&term, angles[m]);
  ck_assert_double_gt(fabs(sum), 1e-3);
  ck_assert_double_eq_tol(world_energy(&w), sum, 1e-10 * fmax(1.0, fabs(sum)));
  world_free(&w);
}

/* Forces are slopes of the energy, Hessians slopes of the forces, in every lane. */
static void check_row(World *w, int lanes, double h)
{
  const Block *block = &w->state->block[0];
  double hess[N * N][LANES] __attribute__((aligned(64))), force[N][LANES];
  const Team team = team_alone();
  world_compute(w, 1);
  memcpy(force, block->f, sizeof force);
  force_field_hess_block(&w->field, &team, w->state, (Vec8 *)hess);
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

TEST(derivatives, .rows = TERM_TYPES)
{
  World w;
  world_of_row(&w, (TermRow)_i, NULL, 1);
  put_chains(&w, angles);
  check_row(&w, CURVED - 1, 1e-4);
  world_free(&w);
}

/* An angle of 180 degrees at rest is smooth there: straight, nearly straight, and at 0 likewise. */
TEST(straight_at_rest, .rows = 2)
{
  static const double bent[2][LANES][ANGLES] = {
      {{180, 90, 0}, {180 - 1e-9, 90, 0}, {180 - 1e-5, 90, 0}, {179.9, 90, 0}},
      {{0, 90, 0}, {1e-9, 90, 0}, {1e-5, 90, 0}, {0.1, 90, 0}}};
  World w;
  world_of_row(&w, TERM_ROW_angle, (double[]){_i == 0 ? 180 : 0, 50}, 1);
  put_chains(&w, bent[_i]);
  check_row(&w, 4, 1e-3);
  world_free(&w);
}

/* Where grids begin and end, and at their nodes, nothing is to be seen of that: of both grids. */
TEST(seam, .rows = BUTANE_GRIDS)
{
  static const double around[2][LANES][ANGLES] = {{{109, 112, 180, 180},
                                                   {109, 112, -180, 40},
                                                   {109, 112, 180 - 1e-9, -180 + 1e-9},
                                                   {109, 112, -180 + 1e-6, 180 - 1e-6},
                                                   {109, 112, 179.9, -179.9},
                                                   {109, 112, 30, -179.99},
                                                   {109, 112, 36, 0},
                                                   {109, 112, 45, -15}},
                                                  {{109, 112, -180, -180},
                                                   {109, 112, 180, 40},
                                                   {109, 112, -180 - 1e-9, 180 + 1e-9},
                                                   {109, 112, 180 + 1e-6, -180 - 1e-6},
                                                   {109, 112, -180.1, 180.1},
                                                   {109, 112, 30, 180.01},
                                                   {109, 112, 36 - 360, 360},
                                                   {109, 112, 45 + 360, -375}}};
  World w, other;
  world_of_row(&w, TERM_ROW_cmap, (double[]){_i}, 1);
  world_of_row(&other, TERM_ROW_cmap, (double[]){_i}, 1);
  put_chains(&w, around[0]);
  put_chains(&other, around[1]);
  double sum = 0.0;
  for (int m = 0; m < LANES; m++)
    sum += surface(_i, around[0][m]);
  ck_assert_double_eq_tol(world_energy(&w), sum, 1e-11);
  ck_assert_double_eq_tol(world_energy(&other), sum, 1e-11);
  for (int i = 0; i < N; i++)
    for (int m = 0; m < LANES; m++)
      ck_assert_double_eq_tol(((const double *)w.state->block[0].f)[i * LANES + m],
                              ((const double *)other.state->block[0].f)[i * LANES + m], 1e-11);
  check_row(&w, LANES, 2e-5); /* third derivatives jump */
  world_free(&w);
  world_free(&other);
}

/* A grid of one value has no slope; one of a wave goes over into the wave, as h^4. */
TEST(splines_converge)
{
  static double value[192 * 192], node[192 * 192][4];
  double error[3];
  for (int k = 0; k < 3; k++) {
    const int n = 48 << k;
    const double turn = 2 * PI / n;
    const TermGrid grid = {"wave", n, value, 0.0, 0.0};
    error[k] = 0.0;
    for (int i = 0; i < n * n; i++)
      value[i] = sin(3 * turn * (i / n)) * cos(2 * turn * (i % n));
    term_grid_nodes(&grid, node);
    for (int i = 0; i < n * n; i++) {
      const double phi = turn * (i / n), psi = turn * (i % n);
      ck_assert_double_eq(node[i][0], value[i]);
      error[k] = fmax(error[k], fabs(node[i][1] / turn - 3 * cos(3 * phi) * cos(2 * psi)));
      error[k] = fmax(error[k], fabs(node[i][2] / turn + 2 * sin(3 * phi) * sin(2 * psi)));
      error[k] = fmax(error[k], fabs(node[i][3] / turn / turn + 6 * cos(3 * phi) * sin(2 * psi)));
    }
  }
  ck_assert_double_lt(error[0], 1e-3);
  ck_assert_double_gt(error[0] / error[1], 15.0);
  ck_assert_double_gt(error[1] / error[2], 15.0);
}

/* What is no grid is refused by name. */
TEST(grids_are_checked)
{
  static double value[16] = {[7] = (double)NAN};
  static const struct {
    int n;
    const char *says;
  } wrong[] = {{3, "grid odd has 3 nodes per side; allowed: 4 to 360"},
               {-1, "has -1 nodes"},
               {361, "has 361 nodes"},
               {4, "grid odd: value 4 of row 2 is not a finite number"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Error error = {0};
    const TermGrid grid = {"odd", wrong[i].n, value, 0.0, 0.0};
    ck_assert_int_eq(term_grid_check(&grid, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, wrong[i].says) != NULL, "%s", error.text);
  }
}

/* Where there is no derivative nothing is infinite, and nothing pushes: straight angles that are bent at
 * rest, three of four atoms on a line. A harmonic improper angle, which is not known then, pushes within its
 * bound, and so does a grid. */
TEST(singular)
{
  static const double bent[LANES][ANGLES] = {{180, 110, 20}, {110, 180, 20}, {180, 180, 0}, {0, 180, 0}};
  for (int row = 0; row < TERM_TYPES; row++) {
    World w;
    double hess[N * N][LANES] __attribute__((aligned(64)));
    const Team team = team_alone();
    if (term_types[row].form == COORDINATE_DISTANCE || term_types[row].form == COORDINATE_DISTANCES)
      continue;
    world_of_row(&w, (TermRow)row, NULL, 1);
    put_chains(&w, bent);
    ck_assert(isfinite(world_energy(&w)));
    force_field_hess_block(&w.field, &team, w.state, (Vec8 *)hess);
    for (int i = 0; i < N * N; i++)
      for (int m = 0; m < LANES; m++)
        ck_assert(isfinite(hess[i][m]));
    const int lanes = coordinate_sites(term_types[row].form) >= 4 ? 4 : 1;
    for (int i = 0; i < N; i++)
      for (int m = 0; m < lanes; m++)
        ck_assert_double_lt(fabs(((const double *)w.state->block[0].f)[i * LANES + m]),
                            row == TERM_ROW_improper || row == TERM_ROW_dihedral_restraint ||
                                    row == TERM_ROW_cmap || row == TERM_ROW_torsion_table
                                ? 100.0
                                : 1e-2);
    world_free(&w);
  }
}

/* Restraints in all their regions: r is 1.2 A; of a dihedral angle with the turn where it ends. */
TEST(restraints, .rows = 4)
{
  static const double distance[4][4] = {{1.3, 1.4, 1.6, 70},
                                        {1.1, 1.3, 1.5, 70},
                                        {0.9, 1.1, 1.5, 70},
                                        {0.8, 0.9, 1.1, 70}},
                      dihedral[4][3] = {{170, 15, 9}, {-175, 3, 9}, {20, 0, 9}, {0, 180, 9}};
  for (int k = 0; k < 2; k++) {
    World w;
    const TermRow row = k == 0 ? TERM_ROW_distance_restraint : TERM_ROW_dihedral_restraint;
    const double *param = k == 0 ? distance[_i] : dihedral[_i];
    world_of_row(&w, row, param, 1);
    put_chains(&w, angles);
    Term term = butane_term(row, 0, order);
    for (int i = 0; i < term.type->nparam; i++)
      term.param[i] = term_number(term.type, i, param[i]);
    double sum = 0.0;
    for (int m = 0; m < LANES; m++)
      sum += plain(&term, angles[m]);
    ck_assert_double_eq_tol(world_energy(&w), sum, 1e-10 * fmax(1.0, fabs(sum)));
    ck_assert(sum > 1e-3 || (k == 0 && _i == 1) || (k == 1 && _i == 3));
    check_row(&w, CURVED - 1, 1e-4);
    world_free(&w);
  }
}

/* k (1 + cos 3 phi) as a polynomial in cos(phi - 180). */
TEST(torsion_and_polynomial)
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

/* --- tables --------------------------------------------------------------------------------------------- */

/* Eight chains with a term of a table of n rows that `of` makes from its coordinate in A or radians: energy,
 * slope. */
static void world_of_table(World *w, TermRow row, double k, int n, double from, double to,
                           void (*of)(double, double *), double *value)
{
  static const int block[1] = {0};
  const double unit = row == TERM_ROW_distance_table ? 1.0 : PI / 180.0;
  const TopologyMolecules sort = {NULL, LANES, 1, block, NULL};
  const Kind *const kind = &five;
  const TermGrid grid = {"made", n, value, from, to};
  Term term = butane_term(row, 0, order);
  Error error = {0};
  Isa isa;
  for (int i = 0; i < n; i++) {
    of(unit * (from + (to - from) * i / (n - 1)), value + (ptrdiff_t)2 * i);
    value[2 * i + 1] *= unit;
  }
  term.param[0] = 0.0;
  term.param[1] = k;
  const TermList list = {1, &term, 1, &grid};
  *w = (World){.field.n = 1};
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  ck_assert_int_eq(topology_create(&w->topology, 1, &kind, (int[]){LANES}, 1, &sort, NULL), STATUS_OK);
  ck_assert_int_eq(topology_state(w->topology, 1, 1, 0, &w->state, NULL), STATUS_OK);
  ck_assert_msg(term_force_create(&w->field.force[0], w->topology, &list, w->state, isa, &error) == STATUS_OK,
                "%s", error.text);
}

static void spring(double r, double v[2])
{
  v[0] = 0.5 * (r - 1.3) * (r - 1.3);
  v[1] = r - 1.3;
}

static void bend(double theta, double v[2])
{
  v[0] = 0.5 * (theta - 1.9) * (theta - 1.9);
  v[1] = theta - 1.9;
}

static void wave(double phi, double v[2])
{
  v[0] = 1.0 + cos(3.0 * phi - 0.5);
  v[1] = -3.0 * sin(3.0 * phi - 0.5);
}

/* Tables of parabolas are the harmonic terms, to the last digits; a table of a wave goes over into the
 * torsion as the fourth power of the distance of rows, its force as the third. */
TEST(tables_of_functions_are_the_functions, .rows = 3)
{
  static const struct {
    TermRow table, term;
    double k, param[3], from, to;
    void (*of)(double, double *);
  } pair[3] = {{TERM_ROW_distance_table, TERM_ROW_bond, 300, {1.3, 300}, 0.2, 4.0, spring},
               {TERM_ROW_angle_table, TERM_ROW_angle, 60, {1.9 * 180 / PI, 60}, 0, 180, bend},
               {TERM_ROW_torsion_table, TERM_ROW_torsion, 0.7, {0.5 * 180 / PI, 0.7, 3}, -180, 180, wave}};
  double value[2 * 721], off[3];
  World w, other;
  world_of_row(&other, pair[_i].term, pair[_i].param, 1);
  put_chains(&other, angles);
  const double energy = world_energy(&other);
  for (int k = 0; k < 3; k++) {
    world_of_table(&w, pair[_i].table, pair[_i].k, (90 << k) + 1, pair[_i].from, pair[_i].to, pair[_i].of,
                   value);
    put_chains(&w, angles);
    off[k] = fabs(world_energy(&w) - energy) / fabs(energy);
    const double bound = _i < 2 ? 1e-11 : 0.7 * 3 * pow(3 * 2 * PI / (90 << k), 3);
    for (int i = 0; i < N; i++)
      for (int m = 0; m < CURVED - 1; m++) {
        const double here = ((const double *)w.state->block[0].f)[i * LANES + m],
                     there = ((const double *)other.state->block[0].f)[i * LANES + m];
        ck_assert_msg(fabs(here - there) <= bound * fmax(10.0, fabs(there)), "%d: %g, not %g", m, here,
                      there);
      }
    world_free(&w);
  }
  ck_assert_double_lt(off[0], _i < 2 ? 1e-12 : 1e-5);
  if (_i == 2) {
    ck_assert_double_gt(off[0], 1e-9);
    ck_assert_double_lt(off[2], off[0] / 100.0);
  }
  world_free(&other);
}

/* The ends of tables: angles of 0 and 180 degrees, dihedral angles of -180 and 180, and a distance at the
 * last row; beyond it the run ends, and the message has the distance and the table. */
TEST(ends_of_tables)
{
  static const double straight[LANES][ANGLES] = {{180, 90, 180}, {0, 90, -180}, {180 - 1e-9, 90, 180 + 1e-9}};
  double value[2 * 361];
  World w;
  Error error = {0};
  for (int row = 0; row < 2; row++) {
    world_of_table(&w, row == 0 ? TERM_ROW_angle_table : TERM_ROW_torsion_table, 1.0, 361,
                   row == 0 ? 0 : -180, 180, row == 0 ? bend : wave, value);
    put_chains(&w, straight);
    ck_assert(isfinite(world_energy(&w)));
    world_free(&w);
  }
  for (int k = 0; k < 2; k++) { /* the bond is 1.2 A long */
    world_of_table(&w, TERM_ROW_distance_table, 1.0, 41, k == 0 ? 0.0 : 1.25, k == 0 ? 1.2 + 1e-12 : 3.0,
                   spring, value);
    put_chains(&w, angles);
    if (k == 0) {
      ck_assert_double_eq_tol(world_energy(&w), LANES * 0.5 * 0.01, 1e-9);
    } else {
      ck_assert_int_eq(team_forces(&w.field, w.state, 1, 1, NULL, &error), STATUS_RUN);
      ck_assert_msg(strstr(error.text, "the distance is 1.2 A, but its table goes from 1.25 to 3 A") != NULL,
                    "%s", error.text);
    }
    world_free(&w);
  }
}

/* Wrong tables are refused in words. */
TEST(tables_are_checked)
{
  double value[2 * 37];
  TermGrid table = {"odd", 37, value, -180.0, 180.0};
  Error error = {0};
#define REFUSED(call, words)                                                                                 \
  ck_assert_int_eq(call, STATUS_INPUT);                                                                      \
  ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text)
  for (int i = 0; i < 37; i++) {
    wave((10.0 * i - 180.0) * PI / 180, value + (ptrdiff_t)2 * i);
    value[2 * i + 1] *= PI / 180;
  }
  ck_assert_int_eq(term_grid_check(&table, NULL), STATUS_OK);
  ck_assert_int_eq(term_grid_suits(&table, COORDINATE_DIHEDRAL, NULL), STATUS_OK);
  REFUSED(term_grid_suits(&table, COORDINATE_COSINE, &error),
          "goes from -180 to 180 degrees; angles go from 0");
  REFUSED(term_grid_suits(&table, COORDINATE_DISTANCE, &error),
          "begins at -180 A; distances are not negative");
  value[2 * 36] += 0.1;
  REFUSED(term_grid_suits(&table, COORDINATE_DIHEDRAL, &error),
          "at -180 and 180 degrees, which are one angle");
  for (int i = 0; i < 37; i++)
    value[2 * i + 1] *= -1.0;
  REFUSED(term_grid_check(&table, &error), "its slopes deviate by 2");
  value[2 * 7 + 1] = (double)NAN;
  REFUSED(term_grid_check(&table, &error), "table odd: the slope in row 8 is not a finite number");
  table.n = 3;
  REFUSED(term_grid_check(&table, &error), "table odd has 3 rows; allowed: 4 to 100000");
#undef REFUSED
}
