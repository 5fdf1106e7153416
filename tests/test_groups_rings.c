/* Rings and symmetric molecules keep as many distances as are independent, counted by hand: 3 n coordinates
 * less the motions that bonds and angles leave. Distances whose rows have small singular values are kept, if
 * they are independent where all are met; those at a flat centre, in a flat ring or on a line are not. */
#include "engine/random.h"
#include "tests/files.h"
#include "tests/grouped.h"
#include "tests/known_molecules.h"

/* The degrees of freedom of one molecule, whose atoms are displaced at random by that much. */
static int freedom(const Made *m, GroupsKeep keep, double warm, int seed, int fates[DISTANCE_REFUSED + 1])
{
  static Made start;
  RandomStream stream = random_stream(3, (uint32_t)seed, RANDOM_TEST);
  start = *m;
  for (int i = 0; i < 3 * m->n; i++)
    start.x[i / 3][i % 3] += warm * random_normal(&stream);
  One one = one_of(&start, keep);
  const GroupsMolecule *of = one.groups->molecule;
  check_laws(one.groups);
  for (int f = 0; f <= DISTANCE_REFUSED; f++)
    fates[f] = 0;
  for (int i = 0; i < of->nleft; i++)
    fates[of->left[i].between ? DISTANCE_STRAIGHT : of->left[i].fate]++;
  const int left = 3 * of->natom - of->ncon;
  one_free(&one);
  return left;
}

static void check(const Made *m, GroupsKeep keep, int wanted, int extreme)
{
  for (int seed = 0; seed < 3; seed++) {
    int fates[DISTANCE_REFUSED + 1];
    const int found = freedom(m, keep, seed == 0 ? 0.0 : 0.03, seed, fates);
    ck_assert_msg(found == wanted, "%s of %.20s from start %d: %d degrees of freedom, not %d",
                  groups_keep_names[keep], m->text, seed, found, wanted);
    ck_assert_int_eq(fates[DISTANCE_DEGENERATE], extreme);
    ck_assert_int_eq(fates[DISTANCE_EXTREME], 0);
    ck_assert_int_eq(fates[DISTANCE_REFUSED], 0);
  }
}

/* A ring of n CH2 groups has 9 n coordinates. Two bonds, a bond and an angle of the ring, and five more
 * angles with hydrogens, of which four are independent, keep 8 n; without the angles of the ring 8 n remain.
 * From three to six carbons, that is a rigid body. */
TEST(rings_of_methylenes, .first = 3, .rows = 6)
{
  static Made m;
  const int n = _i;
  make_ring(&m, "ring", n, 2, 0.25);
  check(&m, GROUPS_H_ANGLES, n > 6 ? n : 6, 0);
  check(&m, GROUPS_ALL_ANGLES, n > 6 ? n : 6, 0);
}

/* Bonds and angles as OPLS-AA has them, which are alike in all places. */
static void make_alike(Made *m, int n, const Known *atom, int nbond, const int (*bond)[2])
{
  make_known(m, "cyclohexane", n, atom, nbond, bond);
  const char *const terms = strstr(m->text, "      bond:");
  m->text[terms - m->text] = '\0';
  append(m->text, "      bond:\n");
  for (int b = 0; b < nbond; b++)
    append(m->text, "        - [%d, %d, %g, 600]\n", bond[b][0] + 1, bond[b][1] + 1,
           bond[b][1] < 6 ? 1.529 : 1.09);
  append(m->text, "      angle:\n");
  for (int a = 0; a < nbond; a++)
    for (int b = 0; b < a; b++)
      for (int k = 0; k < 4; k++)
        if (bond[a][k / 2] == bond[b][k % 2]) {
          const int i = bond[a][1 - k / 2], j = bond[b][1 - k % 2], h = (i >= 6) + (j >= 6);
          append(m->text, "        - [%d, %d, %d, %g, 100]\n", i + 1, bond[a][k / 2] + 1, j + 1,
                 h == 0   ? 112.7
                 : h == 1 ? 110.7
                          : 107.8);
        }
}

/* The chair of equal bonds and angles is rigid; the boats are one family, in which the ring moves though it
 * has as many bonds and angles as inner coordinates (Bricard's octahedron): one of these follows from the
 * others wherever it goes. */
TEST(chairs_and_boats)
{
  static Known chair[18];
  static Made ring, m;
  make_ring(&ring, "chair", 6, 2, 0.25);
  int bond[18][2];
  for (int b = 0; b < 18; b++)
    memcpy(bond[b], ring.bond[b], sizeof *bond);
  for (int i = 0; i < 18; i++) {
    chair[i].name = i < 6 ? "C" : "H";
    memcpy(chair[i].at, ring.x[i], sizeof chair[i].at);
  }
  make_alike(&m, 18, chair, 18, (const int(*)[2])bond);
  check(&m, GROUPS_H_ANGLES, 6, 0);
  check(&m, GROUPS_ALL_ANGLES, 6, 0);
  make_alike(&m, 18, twist_boat, 18, twist_boat_bonds);
  check(&m, GROUPS_ALL_ANGLES, 7, 0);
}

/* A flat ring of n CH groups: in the plane 2 n bonds and 2 n - 3 independent angles keep all but 3 of 4 n
 * coordinates, and nothing keeps the 2 n out of it. */
TEST(flat_rings)
{
  static Made m;
  int fates[DISTANCE_REFUSED + 1];
  make_ring(&m, "benzene", 6, 1, 0.0);
  check(&m, GROUPS_ALL_ANGLES, 3 + 2 * 6, 30 - 21);
  ck_assert_int_eq(freedom(&m, GROUPS_H_ANGLES, 0.0, 0, fates), 3 + 2 * 6);
  ck_assert_int_eq(fates[DISTANCE_DEGENERATE], 24 - 21);
}

/* Motions that are left: turns of methyl groups; of neopentane without its C-C-C angles also the five of
 * these that are independent. Of the 44 h-angles of cubane 41 are independent (numpy.linalg.matrix_rank of
 * their rows at random places). */
TEST(symmetric_bodies)
{
  static Made m;
  make_neopentane(&m);
  check(&m, GROUPS_ALL_ANGLES, 6 + 4, 0);
  check(&m, GROUPS_H_ANGLES, 6 + 4 + 5, 0);
  make_cubane(&m);
  check(&m, GROUPS_ALL_ANGLES, 6, 0);
  check(&m, GROUPS_H_ANGLES, 3 * 16 - 41, 0);
}

/* Likewise of proline's carboxyl group two turns and its carbon out of its plane; all h-angles are
 * independent. */
TEST(a_proline)
{
  static Made m;
  make_known(&m, "proline", 17, proline, 17, proline_bonds);
  check(&m, GROUPS_ALL_ANGLES, 6 + 2 + 1, 1);
  check(&m, GROUPS_H_ANGLES, 3 * 17 - 38, 0);
}

/* Of glucose's five hydroxyl groups and of C5-C6. */
TEST(a_sugar)
{
  static Made m;
  make_known(&m, "glucose", 24, glucose, 24, glucose_bonds);
  check(&m, GROUPS_ALL_ANGLES, 6 + 6, 0);
  check(&m, GROUPS_H_ANGLES, 3 * 24 - 49, 0);
}

/* Five degrees of freedom, whatever the number of sites. */
TEST(lines)
{
  static Made m;
  int fates[DISTANCE_REFUSED + 1];
  make_line(&m, "CO2", 3, (const char *const[]){"O", "C", "O"}, (const double[]){1.16, 1.16});
  ck_assert_int_eq(freedom(&m, GROUPS_ALL_ANGLES, 0.0, 0, fates), 5);
  ck_assert_int_eq(freedom(&m, GROUPS_ALL_ANGLES, 0.03, 1, fates), 5);
  make_line(&m, "acetylene", 4, (const char *const[]){"H", "C", "C", "H"}, (const double[]){1.06, 1.2, 1.06});
  ck_assert_int_eq(freedom(&m, GROUPS_ALL_ANGLES, 0.0, 0, fates), 5);
  ck_assert_int_eq(freedom(&m, GROUPS_ALL_ANGLES, 0.03, 1, fates), 5);
}

/* What is said of a distance that is not kept. */
TEST(words_are_true)
{
  static Made m;
  char words[512];
  make_ring(&m, "benzene", 6, 1, 0.0);
  One one = one_of(&m, GROUPS_ALL_ANGLES);
  ck_assert(groups_words(one.groups, 0, 0, words, sizeof words));
  ck_assert_ptr_nonnull(strstr(words, "with the atoms in a plane"));
  one_free(&one);
  make_ring(&m, "cyclohexane", 6, 2, 0.25);
  one = one_of(&m, GROUPS_ALL_ANGLES);
  for (int i = 0; groups_words(one.groups, 0, i, words, sizeof words); i++) {
    ck_assert_ptr_null(strstr(words, "plane"));
    ck_assert_ptr_nonnull(strstr(words, "the constraints determine it"));
  }
  one_free(&one);
}
