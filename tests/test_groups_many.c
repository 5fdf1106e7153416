/* Groups of many atoms: their distances are sorted out piece by piece, with the same result as all at once.
 */
#include "engine/random.h"
#include "tests/grouped.h"
#include "tests/polymers.h"
#include "topology/distances_dense.h"
#include "topology/distances_pieces.h"

static Polymer polymer;
static double start[POLYMER_ATOMS][3];

/* The groups of one molecule, whose atoms are displaced at random by that much. */
static One groups_of(GroupsKeep keep, double warm)
{
  static char text[POLYMER_TEXT + 200];
  RandomStream stream = random_stream(3, 1, RANDOM_TEST);
  One one;
  for (int i = 0; i < 3 * polymer.n; i++)
    start[i / 3][i % 3] = polymer.x[i / 3][i % 3] + warm * random_normal(&stream);
  snprintf(text, sizeof text,
           "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3, 0.1], H: [2, 0.1]}\nmolecules:\n%s"
           "system: [[poly, 3]]\n",
           polymer.text);
  fine(molecules_file_parse(&one.molecules, "m.yaml", text, strlen(text), &error));
  fine(groups_create(&one.groups, one.molecules, &keep, (const double(*const[])[3]){start}, &error));
  return one;
}

/* Every constraint is met by the group's positions, which moved no farther than was needed. */
static void check_kept(const Groups *g, double moved)
{
  const GroupsMolecule *of = &g->molecule[0];
  const Kind *kind = g->kind[0];
  double centre[3] = {0.0};
  ck_assert_int_eq(g->nkind, 1);
  ck_assert_int_eq(of->ngroup, 1);
  ck_assert_int_eq(kind->nsite, polymer.n);
  for (int c = 0; c < kind->ncon; c++) {
    const double *a = of->reference[of->order[kind->con[c].site[0]]],
                 *b = of->reference[of->order[kind->con[c].site[1]]];
    ck_assert_double_eq_tol(between(a, b), kind->con[c].param[0], 1e-11);
  }
  for (int i = 0; i < polymer.n; i++) {
    const double *at = of->reference[of->site[i]];
    ck_assert_double_lt(between(at, start[i]), moved);
    for (int d = 0; d < 3; d++)
      centre[d] += of->molecule->atom[i].mass * (at[d] - start[i][d]);
  }
  for (int d = 0; d < 3; d++) /* the shortest way, in the norm of the masses, leaves the centre at rest */
    ck_assert_double_lt(fabs(centre[d]), 1e-6);
}

/* Polyethylene of n carbons has 9 n + 6 coordinates. With all bonds kept, 3 n + 1 fewer are left. With the
 * angles (of hydrogens, which determine those of the carbons too) six of the whole and n - 1 torsions are
 * left. */
TEST(polymers_keep_as_many_distances_as_are_independent)
{
  for (int carbons = 21; carbons <= 100; carbons += 79) { /* 65 and 302 atoms */
    polymer_make(&polymer, "poly", carbons, false);
    for (GroupsKeep keep = GROUPS_ALL_BONDS; keep <= GROUPS_ALL_ANGLES; keep++) {
      One one = groups_of(keep, 0.0);
      const int left = 3 * polymer.n - one.groups->molecule->ncon;
      ck_assert_int_eq(left, keep == GROUPS_ALL_BONDS ? 6 * carbons + 5 : carbons + 5);
      check_kept(one.groups, keep == GROUPS_ALL_BONDS ? 1e-6 : 3.0);
      ck_assert(one.groups->kind[0]->sparse);
      one_free(&one);
    }
  }
}

/* From a warm start, and in rings of many atoms. */
TEST(warm_polymers_and_rings_are_moved_onto_constraints)
{
  for (int ring = 0; ring < 2; ring++) {
    polymer_make(&polymer, "poly", 40, ring == 1);
    One one = groups_of(GROUPS_ALL_BONDS, 0.05);
    ck_assert_int_eq(one.groups->molecule->ncon, polymer.nbond);
    ck_assert_int_eq(one.groups->molecule->nleft, 0);
    check_kept(one.groups, 0.5);
    one_free(&one);
  }
}

/* What the pieces give is what one dense matrix gives, distance by distance, and so are the positions. */
TEST(pieces_are_the_whole, .rows = 3)
{
  enum { CARBONS = 7, MOST = 200 };
  Distance distance[MOST];
  DistanceFate fate[2][MOST];
  double mass[POLYMER_ATOMS], x[2][POLYMER_ATOMS][3];
  int n = 0, worst;
  polymer_make(&polymer, "poly", CARBONS + (_i == 1), _i == 1);
  for (int b = 0; b < polymer.nbond; b++)
    distance[n++] = (Distance){.site = {polymer.bond[b][0], polymer.bond[b][1]},
                               .length = polymer.bond[b][1] < polymer.carbons ? POLYMER_CC : POLYMER_CH};
  for (int a = 0; a < polymer.nbond && _i != 2; a++)
    for (int b = 0; b < a; b++)
      for (int k = 0; k < 4; k++)
        if (polymer.bond[a][k / 2] == polymer.bond[b][k % 2]) {
          const int i = polymer.bond[a][1 - k / 2], j = polymer.bond[b][1 - k % 2];
          distance[n++] = (Distance){.site = {i, j}, .length = between(polymer.x[i], polymer.x[j])};
        }
  RandomStream stream = random_stream(3, 2, RANDOM_TEST);
  for (int i = 0; i < polymer.n; i++) {
    mass[i] = i < polymer.carbons ? 12.011 : 1.008;
    for (int d = 0; d < 3; d++)
      x[0][i][d] = x[1][i][d] = polymer.x[i][d] + 0.02 * random_normal(&stream);
  }
  fine(distances_dense_solve(polymer.n, mass, n, distance, x[0], fate[0], &worst, &error));
  fine(distances_pieces_solve(polymer.n, mass, n, distance, x[1], fate[1], &worst, &error));
  for (int c = 0; c < n; c++)
    ck_assert_int_eq(fate[0][c], fate[1][c]);
  for (int i = 0; i < polymer.n; i++)
    ck_assert_double_lt(between(x[0][i], x[1][i]), 1e-8);
}

/* Two sets of five sites, all distances of each: ten, of which nine are independent. They share two sites,
 * whose distance comes last, so that either set determines it. Cut there, both would keep all their other
 * distances; together the second set has one too many. */
TEST(pieces_do_not_share_a_distance_that_depends_on_others)
{
  enum { SITES = 8 };
  static const int set[2][5] = {{0, 1, 2, 3, 4}, {0, 1, 5, 6, 7}};
  const double mass[SITES] = {12, 1, 14, 16, 12, 12, 1, 14};
  Distance distance[19];
  DistanceFate fate[2][19];
  double x[2][SITES][3];
  int n = 0, worst;
  RandomStream stream = random_stream(3, 4, RANDOM_TEST);
  for (int i = 0; i < 3 * SITES; i++)
    x[0][i / 3][i % 3] = x[1][i / 3][i % 3] = random_normal(&stream);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < i; j++)
        if (i != 1)
          distance[n++] = (Distance){.site = {set[k][j], set[k][i]}};
  distance[n++] = (Distance){.site = {0, 1}};
  ck_assert_int_eq(n, 19);
  for (int c = 0; c < n; c++)
    distance[c].length = between(x[0][distance[c].site[0]], x[0][distance[c].site[1]]);
  fine(distances_dense_solve(SITES, mass, n, distance, x[0], fate[0], &worst, &error));
  fine(distances_pieces_solve(SITES, mass, n, distance, x[1], fate[1], &worst, &error));
  int kept = 0;
  for (int c = 0; c < n; c++) {
    ck_assert_int_eq(fate[0][c], fate[1][c]);
    kept += fate[1][c] == DISTANCE_KEPT;
  }
  ck_assert_int_eq(kept, 17);
}

/* A chain's bonds are pieces by themselves, a ring is one; with angles each carbon and what is bonded to it,
 * and pieces share the bonds of carbons. */
TEST(pieces_are_small)
{
  for (int angles = 0; angles < 2; angles++)
    for (int ring = 0; ring < 2; ring++) {
      SCOPED(arena_free) Arena arena = {0};
      polymer_make(&polymer, "poly", 30, ring == 1);
      static Distance distance[5 * POLYMER_ATOMS];
      static bool cut[5 * POLYMER_ATOMS];
      int n = 0, largest = 0, rows = 0;
      for (int b = 0; b < polymer.nbond; b++)
        distance[n++] = (Distance){.site = {polymer.bond[b][0], polymer.bond[b][1]}, .length = 1.0};
      for (int a = 0; a < polymer.nbond && angles; a++)
        for (int b = 0; b < a; b++)
          for (int k = 0; k < 4; k++)
            if (polymer.bond[a][k / 2] == polymer.bond[b][k % 2])
              distance[n++] = (Distance){.site = {polymer.bond[a][1 - k / 2], polymer.bond[b][1 - k % 2]}};
      for (int c = 0; c < n; c++)
        cut[c] = true;
      DistancesPieces pieces;
      fine(distances_pieces_cut(polymer.n, n, distance, cut, &arena, &pieces, &error));
      for (int p = 0; p < pieces.npiece; p++) {
        largest = pieces.n[p] > largest ? pieces.n[p] : largest;
        rows += pieces.n[p];
        for (int i = 1; i < pieces.n[p]; i++)
          ck_assert_int_gt(pieces.row[p][i], pieces.row[p][i - 1]);
      }
      if (!ring) {
        ck_assert_int_eq(largest, angles ? 10 : 1);
        ck_assert_int_eq(rows, n + (angles ? 29 : 0));
      } else if (!angles) {
        ck_assert_int_eq(largest, 30);
        ck_assert_int_eq(rows, n);
      }
    }
}

/* A triangle that cannot close, at the end of a chain of 70 atoms. */
TEST(contradictions_are_found_in_long_chains)
{
  static char text[2 * TEXT];
  static double x[70][3];
  snprintf(text, sizeof text, "  chain:\n    atoms:\n");
  for (int i = 0; i < 70; i++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), "      - [C, C, 0, 12]\n");
    x[i][0] = 1.2 * i;
    x[i][1] = 0.9 * (i % 2);
  }
  snprintf(text + strlen(text), sizeof text - strlen(text), "    constraints:\n");
  for (int i = 1; i < 70; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "      - [%d, %d, 1.5]\n", i, i + 1);
  snprintf(text + strlen(text), sizeof text - strlen(text), "      - [1, 3, 3.4]\n");
  refused(text, "[[chain, 1]]", GROUPS_NONE, (const double(*)[3])x, "cannot be constrained to");
}
