/* Molecules with a force of terms: butanes (butane.h), or eight chains of four atoms with one term. */
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
  const TermList list = {n, term};
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

enum { FOUR = 4, N = 3 * FOUR };
static const double four_mass[FOUR] = {12, 1, 16, 14}, four_at[N] = {0};
static const char *const four_site[FOUR] = {"C", "H", "O", "N"};
static const Kind four = {"four", FOUR, 3, 0, four_mass, four_site, NULL, four_at};
static const int order[FOUR] = {2, 0, 3, 1}; /* of the chain's atoms among the sites */

static inline void world_of_row(World *w, TermRow row, const double *param, int width)
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
static inline void chain(const double angle[3], double *x)
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

static inline void put_chains(World *w, const double angle[LANES][3])
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
