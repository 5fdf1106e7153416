/* Molecules with a force of terms: butanes (butane.h), or eight chains of five atoms with one term. */
#ifndef HOLONOM_TESTS_TERM_WORLD_H
#define HOLONOM_TESTS_TERM_WORLD_H

#include "engine/isa.h"
#include "tests/butane.h"
#include "tests/teams.h"

#define PI 3.14159265358979323846

/* Molecules with a force of terms. */
typedef struct World {
  Topology *topology;
  State *state;
  ForceField field;
  double energy[TERM_COLUMNS * WIDTH_MAX], virial[3][3];
} World;

static inline void world_create(World *w, int nkind, const Kind *const *kind, const int *lanes,
                                const TopologyMolecules *sort, int n, const Term *term, int width)
{
  Isa isa;
  Error error = {0};
  double value[BUTANE_NODES];
  TermGrid grid[BUTANE_ALL];
  const TermList list = {n, term, BUTANE_ALL, grid};
  butane_grids(value, grid);
  *w = (World){.field.n = 1};
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  ck_assert_msg(topology_create(&w->topology, nkind, kind, lanes, 1, sort, &error) == STATUS_OK, "%s",
                error.text);
  ck_assert_int_eq(topology_state(w->topology, width, 1, 0, &w->state, NULL), STATUS_OK);
  ck_assert_msg(term_force_create(&w->field.force[0], w->topology, &list, w->state, isa, &error) == STATUS_OK,
                "%s", error.text);
}

static inline void world_free(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  topology_free(w->topology);
}

static inline void world_of_butane(World *w, bool groups, int nmol, int width)
{
  static const int whole[1] = {0}, four[4] = {0, 0, 1, 1};
  const Kind *const kind[2] = {groups ? &butane_methyl : &butane_whole, &butane_methylene};
  const TopologyMolecules sort = {"butane", nmol, groups ? 4 : 1, groups ? four : whole, NULL};
  Term term[BUTANE_TERMS];
  const int n = butane_terms(term);
  world_create(w, groups ? 2 : 1, kind, (int[]){groups ? 2 * nmol : nmol, 2 * nmol}, &sort, n, term, width);
}

static inline void world_compute(World *w, int threads)
{
  Error error = {0};
  const ForceSums sums = {w->energy, w->state->width == 1 ? w->virial : NULL};
  ck_assert_msg(team_forces(&w->field, w->state, threads, 2, &sums, &error) == STATUS_OK, "%s", error.text);
}

static inline double world_energy(World *w)
{
  double sum = 0.0;
  world_compute(w, 1);
  for (int i = 0; i < w->field.force[0].ops->nterm; i++)
    sum += w->energy[i * w->state->width];
  return sum;
}

enum { FIVE = 5, N = 3 * FIVE };
static const double five_mass[FIVE] = {12, 1, 16, 14, 12}, five_at[N] = {0};
static const char *const five_site[FIVE] = {"C", "H", "O", "N", "C"};
static const Kind five = {"five", FIVE, 3, 0, five_mass, five_site, NULL, five_at};
static const int order[FIVE] = {2, 0, 3, 1, 4}; /* of the chain's atoms among the sites */

static inline void world_of_row(World *w, TermRow row, const double *param, int width)
{
  static const int block[1] = {0};
  const TopologyMolecules sort = {NULL, LANES, 1, block, NULL};
  const Kind *const kind = &five;
  Term term = butane_term(row, 0, order);
  for (int k = 0; param != NULL && k < term.type->nparam; k++)
    term.param[k] = term_number(term.type, k, param[k]);
  world_create(w, 1, &kind, (int[]){LANES}, &sort, 1, &term, width);
}

/* Angles of the chain 0-1-2-3-4, degrees: theta, theta, phi, psi; the third theta is 100. In the last two a
 * dihedral angle has no derivative. */
enum { CURVED = 7, ANGLES = 4 };
static const double angles[LANES][ANGLES] = {{109, 112, 65, 40},   {109, 110, 180, -170}, {104, 98, 0, 180},
                                             {60, 130, -61, -44},  {91, 90, -125, 133},   {177, 120, 100, 0},
                                             {178, 178, 10, -160}, {179.5, 2, 30, 80}};

/* A chain with these angles, turned and shifted. */
static inline void chain(const double angle[ANGLES], double *x)
{
  const double a = angle[0] * PI / 180, b = angle[1] * PI / 180, c = angle[2] * PI / 180,
               d = angle[3] * PI / 180, e = 100 * PI / 180, r[4] = {1.2, 1.5, 1.1, 1.3};
  double flat[FIVE][3] = {{r[0] * sin(a), 0, r[0] * cos(a)},
                          {0, 0, 0},
                          {0, 0, r[1]},
                          {r[2] * sin(b) * cos(c), r[2] * sin(b) * sin(c), r[1] - r[2] * cos(b)}};
  /* Along the last bond but one, in the plane with the one before it, and out of that plane. */
  const double along[3] = {sin(b) * cos(c), sin(b) * sin(c), -cos(b)},
               in[3] = {-cos(b) * cos(c), -cos(b) * sin(c), -sin(b)}, out[3] = {-sin(c), cos(c), 0};
  const double turn[3][3] = {{2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
  for (int k = 0; k < 3; k++)
    flat[4][k] = flat[3][k] + r[3] * (-cos(e) * along[k] + sin(e) * (cos(d) * in[k] + sin(d) * out[k]));
  for (int k = 0; k < FIVE; k++)
    for (int i = 0; i < 3; i++) {
      x[3 * order[k] + i] = 0.3 + 0.2 * i;
      for (int j = 0; j < 3; j++)
        x[3 * order[k] + i] += turn[i][j] * flat[k][j];
    }
}

static inline void put_chains(World *w, const double angle[LANES][ANGLES])
{
  for (int m = 0; m < LANES; m++) {
    double x[LANES * N];
    for (int k = 0; k < LANES; k++)
      chain(angle[k], x + (ptrdiff_t)k * N);
    topology_set(w->topology, w->state, STATE_POSITIONS, 0, x);
  }
}

/* d/dx by five points. */
#define SLOPE(f, h) ((8.0 * ((f)[2] - (f)[1]) - ((f)[3] - (f)[0])) / (12.0 * (h)))
static const double steps[4] = {-2, -1, 1, 2};

#endif
