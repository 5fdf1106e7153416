/* Sites of a group in a line: found by their distances, kept by linear constraints. */
#include "tests/grouped.h"
#include "tests/suite.h"

static const char dioxide[] =
    "  CO2:\n    atoms: [[C, C, 0, 12.011], [O1, C, 0, 15.999], [O2, C, 0, 15.999]]\n%s";
static const double dioxide_at[3][3] = {{0, 0, 0}, {1.16, 0.01, 0}, {-1.15, 0.02, 0.01}};

/* A line: one distance and three linear rows. */
static void check_dioxide(const char *text, GroupsKeep keep, int nleft)
{
  One one;
  char words[512];
  fine(try_text(text, "[[CO2, 9]]", keep, dioxide_at, &one));
  check_laws(one.groups);
  const GroupsMolecule *of = one.groups->molecule;
  ck_assert_int_eq(of->ncon, 4);
  ck_assert_int_eq(kind_freedom(one.groups->kind[0], 1), 5);
  ck_assert_double_eq(one.groups->kind[0]->con[0].param[0], 2.32);
  ck_assert_double_eq(one.groups->kind[0]->con[1].param[1], 0.5);
  ck_assert_int_eq(of->terms.n, 0);
  ck_assert_int_eq(of->nleft, nleft);
  ck_assert(groups_words(one.groups, 0, 0, words, sizeof words));
  ck_assert_ptr_nonnull(
      strstr(words, "atom 1, C, is constrained to the line of atoms 2 and 3, O1 and O2, 2.32 A"));
  one_free(&one);
}

TEST(linear_molecules_are_kept)
{
  char text[1024];
  One one;
  snprintf(text, sizeof text, dioxide, "    constraints: [[1, 2, 1.16], [1, 3, 1.16], [2, 3, 2.32]]\n");
  check_dioxide(text, GROUPS_NONE, 1);
  /* To the digits of a file, and beyond them. */
  snprintf(text, sizeof text, dioxide, "    constraints: [[1, 2, 1.16], [1, 3, 1.16], [2, 3, 2.3195]]\n");
  check_dioxide(text, GROUPS_NONE, 2);
  snprintf(text, sizeof text, dioxide, "    constraints: [[1, 2, 1.16], [1, 3, 1.16], [2, 3, 2.325]]\n");
  refused(text, "[[CO2, 9]]", GROUPS_NONE, dioxide_at, "constraints give");
  snprintf(text, sizeof text, dioxide,
           "    terms: {bond: [[1, 2, 1.16, 900], [1, 3, 1.16, 900]], angle: [[2, 1, 3, 180, 100]]}\n");
  check_dioxide(text, GROUPS_ALL_ANGLES, 1);
  fine(try_text(text, "[[CO2, 9]]", GROUPS_ALL_BONDS, dioxide_at, &one));
  check_laws(one.groups);
  ck_assert_int_eq(one.groups->molecule->ncon, 2);
  one_free(&one);
}

/* Four in a line by two angles that share a bond; beside it what is not straight; lines that cross. */
TEST(longer_lines_are_kept)
{
  static const double acetylene_at[4][3] = {{0, 0, 0}, {1.2, 0, 0}, {-1.06, 0.02, 0}, {2.26, 0, 0.01}};
  static const double fluoride_at[7][3] = {{0, 0, 0},    {1.5, 0, 0.02}, {-1.5, 0, 0},   {0, 1.5, 0},
                                           {0, -1.5, 0}, {0, 0, 1.5},    {0.01, 0, -1.5}};
  One one;
  Made m;
  fine(try_text("  C2H2:\n    atoms: [[C1, C, 0, 12.011], [C2, C, 0, 12.011], [H1, C, 0, 1.008], "
                "[H2, C, 0, 1.008]]\n    terms: {bond: [[1, 2, 1.2, 900], [1, 3, 1.06, 900], [2, 4, 1.06, "
                "900]], angle: [[3, 1, 2, 180, 90], [1, 2, 4, 180, 90]]}\n",
                "[[C2H2, 3]]", GROUPS_H_ANGLES, acetylene_at, &one));
  check_laws(one.groups);
  ck_assert_int_eq(kind_freedom(one.groups->kind[0], 1), 5);
  ck_assert_int_eq(one.groups->molecule->nleft, 2);
  one_free(&one);
  fine(
      try_text("  SF6:\n    atoms: [[S, C, 0, 32.06], [F1, C, 0, 18.998], [F2, C, 0, 18.998], [F3, C, 0, "
               "18.998], [F4, C, 0, 18.998], [F5, C, 0, 18.998], [F6, C, 0, 18.998]]\n    terms: {bond: "
               "[[1, 2, 1.5, 9], [1, 3, 1.5, 9], [1, 4, 1.5, 9], [1, 5, 1.5, 9], [1, 6, 1.5, 9], [1, 7, 1.5, "
               "9]], angle: [[2, 1, 3, 180, 1], [4, 1, 5, 180, 1], [6, 1, 7, 180, 1], [2, 1, 4, 90, 1], [2, "
               "1, 6, 90, 1], [4, 1, 6, 90, 1]]}\n",
               "[[SF6, 1]]", GROUPS_ALL_ANGLES, fluoride_at, &one));
  check_laws(one.groups);
  ck_assert_int_eq(kind_freedom(one.groups->kind[0], 1), 6);
  one_free(&one);
  make_acetonitrile(&m);
  one = one_of(&m, GROUPS_ALL_ANGLES);
  check_laws(one.groups);
  ck_assert_int_eq(kind_freedom(one.groups->kind[0], 1), 6);
  ck_assert_int_eq(one.groups->molecule->terms.n, 0);
  one_free(&one);
}
