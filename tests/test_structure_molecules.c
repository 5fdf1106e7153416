/* Frames as molecules by kind: waters and single atoms of any format, whole in their box; every way in which
 * a file can be wrong is said. */
#include "io/trajectory.h"
#include "tests/files.h"
#include "tests/structure_groups.h"

static const char *const species[] = {"Na+", "Cl-", "K+", "Ar"};
enum { SPECIES = sizeof species / sizeof *species };

/* Two waters, one of them across the border of a box of 20 x 21 x 22 A, two chlorides and a sodium. */
static const struct {
  const char *name, *text;
} good[] = {
    {"a.gro", "salt\n   11\n"
              "    1SOL     OW    1   0.100   0.200   0.300  0.1000 -0.2000  0.3000\n"
              "    1SOL    HW1    2   0.196   0.200   0.300  0.0000  0.0000  0.0000\n"
              "    1SOL    HW2    3   0.100   0.296   0.300  0.0000  0.0000  0.0000\n"
              "    1SOL     MW    4   0.110   0.210   0.300  0.0000  0.0000  0.0000\n"
              "    2CL      CL    5   1.000   1.000   1.000  1.0000  0.0000  0.0000\n"
              "    3NA      NA    6   1.500   1.000   1.000  2.0000  0.0000  0.0000\n"
              "    4SOL     OW    7   1.950   0.200   0.300  0.0000  0.0000  0.0000\n"
              "    4SOL    HW1    8   0.046   0.200   0.300  0.0000  0.0000  0.0000\n"
              "    4SOL    HW2    9   1.950   0.296   0.300  4.0000  0.0000  0.0000\n"
              "    4SOL     MW   10   1.960   0.210   0.300  0.0000  0.0000  0.0000\n"
              "    5CL-    CL-   11   0.500   0.500   0.500  3.0000  0.0000  0.0000\n"
              "   2.00000   2.10000   2.20000\n"},
    {"charmm.pdb", "CRYST1   20.000   21.000   22.000  90.00  90.00  90.00 P 1           1\n"
                   "ATOM      1  OH2 TIP3W   1       1.000   2.000   3.000  1.00  0.00      W    O\n"
                   "ATOM      2  H1  TIP3W   1       1.960   2.000   3.000  1.00  0.00      W    H\n"
                   "ATOM      3  H2  TIP3W   1       1.000   2.960   3.000  1.00  0.00      W    H\n"
                   "HETATM    4 CLA  CLA I   2      10.000  10.000  10.000  1.00  0.00      I   CL\n"
                   "HETATM    5 SOD  SOD I   3      15.000  10.000  10.000  1.00  0.00      I   NA\n"
                   "ATOM      6  OH2 TIP3W   4      19.500   2.000   3.000  1.00  0.00      W    O\n"
                   "ATOM      7  H1  TIP3W   4       0.460   2.000   3.000  1.00  0.00      W    H\n"
                   "ATOM      8  H2  TIP3W   4      19.500   2.960   3.000  1.00  0.00      W    H\n"
                   "HETATM    9 CL    CL I   5       5.000   5.000   5.000  1.00  0.00      I   CL\n"
                   "END\n"},
    {"b.xyz",
     "9\nLattice=\"20 0 0 0 21 0 0 0 22\" Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n"
     "O 1 2 3\nH 1.96 2 3\nH 1 2.96 3\nCl 10 10 10\nNa 15 10 10\nO 19.5 2 3\nH 0.46 2 3\nH 19.5 2.96 "
     "3\nCl- 5 5 5\n"},
    {"apart.xyz", "9\nLattice=\"20 0 0 0 21 0 1e-15 0 22\"\n"
                  "CL 10 10 10\nO 1 2 3\nH 1.96 2 3\nH 1 2.96 3\nO 19.5 2 3\nH 0.46 2 3\nH 19.5 2.96 "
                  "3\nNA+ 15 10 10\ncl 5 5 5\n"},
};
enum { GOOD = sizeof good / sizeof *good };

static Status take(const char *path, StructureGroups *structure, Error *error)
{
  Frame frame = {0};
  *structure = (StructureGroups){0};
  Status status = trajectory_read_first(path, &frame, error);
  if (status == STATUS_OK)
    status = structure_groups_find(&frame, path, SPECIES, species, structure, error);
  frame_free(&frame);
  return status;
}

TEST(molecules_by_kind, .rows = GOOD)
{
  StructureGroups s;
  Error error = {0};
  ck_assert_msg(take(files_text(good[_i].name, good[_i].text), &s, &error) == STATUS_OK, "%s", error.text);
  const int expected[1 + SPECIES] = {2, 1, 2, 0, 0};
  ck_assert_int_eq(s.found.nspecies, SPECIES);
  ck_assert_int_eq(s.v != NULL, _i == 0);
  for (int g = 0; g <= SPECIES; g++)
    ck_assert_int_eq(s.found.nmol[g], expected[g]);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(box_length(&s.box, d), 20.0 + d, 1e-12);
  const double *x = s.x; /* the second water's first hydrogen is brought back over the border */
  ck_assert_double_eq_tol(x[9], 19.5, 1e-12);
  ck_assert_double_eq_tol(x[12], 20.46, 1e-9);
  ck_assert_double_eq_tol(x[16], 2.96, 1e-12);
  static const int atoms[GOOD][9] = {{0, 1, 2, 6, 7, 8, 5, 4, 10}, /* those of groups, of the file */
                                     {0, 1, 2, 5, 6, 7, 4, 3, 8},
                                     {0, 1, 2, 5, 6, 7, 4, 3, 8},
                                     {1, 2, 3, 4, 5, 6, 7, 0, 8}};
  for (int k = 0; k < 9; k++)
    ck_assert_int_eq(s.found.atom[k], atoms[_i][k]);
  ck_assert_double_eq_tol(s.x[structure_groups_at(&s, 1) + 0], 15.0, 1e-12);
  ck_assert_double_eq_tol(s.x[structure_groups_at(&s, 2) + 0], 10.0, 1e-12);
  ck_assert_double_eq_tol(s.x[structure_groups_at(&s, 2) + 3], 5.0, 1e-12);
  if (_i == 0) {
    ck_assert_double_eq_tol(s.v[2], 3.0, 1e-12); /* nm/ps in the file */
    ck_assert_double_eq_tol(s.v[15], 40.0, 1e-12);
    ck_assert_double_eq_tol(s.v[structure_groups_at(&s, 1) + 0], 20.0, 1e-12);
    ck_assert_double_eq_tol(s.v[structure_groups_at(&s, 2) + 3], 30.0, 1e-12);
  }
  structure_groups_free(&s);
}

TEST(fluids_and_clusters)
{
  StructureGroups s;
  Error error = {0};
  const char *argon = "2\nLattice=\"20 0 0 0 21 0 0 0 22\"\nAr 0 0 0\nAr 4 0 0\n";
  ck_assert_msg(take(files_text("argon.xyz", argon), &s, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(s.found.nmol[0], 0);
  ck_assert_int_eq(s.found.nmol[4], 2);
  structure_groups_free(&s);
  const char *drop = "4\n\nO 1 2 3\nH 1.96 2 3\nH 1 2.96 3\nK 4 0 0\n";
  ck_assert_msg(take(files_text("drop.xyz", drop), &s, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(box_periodic(&s.box), 0);
  ck_assert_int_eq(s.found.nmol[3], 1);
  structure_groups_free(&s);
  structure_groups_free(&s);
}

/* What is wrong with a molecule or a box, in a file that can be read. */
static const struct {
  const char *name, *text, *says[4];
} bad[] = {
    {"protein.gro",
     "t\n1\n    1ALA     CA    1   0.100   0.200   0.300\n 2 2 2\n",
     {"'CA' of residue 'ALA'", "line 3", "Na+, Cl-, K+, Ar", "atom 1"}},
    {"residue.gro",
     "t\n1\n    7LIG     NA    1   0.100   0.200   0.300\n 2 2 2\n",
     {"'NA' of residue 'LIG'", "line 3", "known", "atom 1"}},
    {"atom.gro",
     "t\n1\n    7NA      ZN    1   0.100   0.200   0.300\n 2 2 2\n",
     {"'ZN' of residue 'NA'", "line 3", "known", NULL}},
    {"lithium.xyz", "1\nLattice=\"20 0 0 0 20 0 0 0 20\"\nLi 0 0 0\n", {"'Li'", "line 3", "known", NULL}},
    {"inside.xyz",
     "4\n\nO 0 0 0\nH 0 0 1\nNa 5 5 5\nH 0 1 0\n",
     {"'Na'", "line 5", "second hydrogen of water 1", "order"}},
    {"torn.xyz",
     "3\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0 0 19\nH 0 3 0\n",
     {"water 1", "3 A", "not a bond", "hydrogen 2"}},
    {"short.xyz", "3\n\nNa 0 0 0\nO 0 0 0\nH 0 0 1\n", {"water 1, the last one, has only 2 of its 3", NULL}},
    {"skew.xyz", "1\nLattice=\"20 5 0 0 20 0 0 0 20\"\nNa 0 0 0\n", {"edge a", "(20, 5, 0)", "rotate"}},
    {"mirror.xyz", "1\nLattice=\"20 0 0 0 -20 0 0 0 20\"\nNa 0 0 0\n", {"edge b", "-20", NULL}},
    {"skew.gro",
     "t\n1\n    1NA      NA    1   0.100   0.200   0.300\n 2 2 2 0 1 0 0 0 0\n",
     {"edge a", "(20, 0, 10)", NULL}},
    {"flat.pdb",
     "CRYST1   20.000   21.000   22.000  90.00 179.90  90.00 P 1           1\n"
     "HETATM    1  NA   NA I   3      15.000  10.000  10.000  1.00  0.00      I   NA\n",
     {"too flat", NULL}},
    {"nan.gro", "t\n1\n    1NA      NA    1     nan   0.200   0.300\n 2 2 2\n", {"line 3", NULL}},
    {"nan2.gro",
     "t\n2\n    1NA      NA    1   0.100   0.200   0.300\n    1NA      NA    2   0.100     nan   "
     "0.300\n 2 2 2\n",
     {"line 4", "coordinate y is nan", NULL}},
    {"nan.pdb",
     "HETATM    1  NA   NA I   3      15.000     nan  10.000  1.00  0.00      I   NA\n",
     {"line 1", "coordinate y is nan", NULL}},
    {"nan.xyz", "1\n\nNa 0 0 nan\n", {"line 3", "coordinate z is nan", NULL}},
    {"nobox.gro", "t\n1\n    1NA      NA    1   0.100   0.200   0.300\n", {"line 3", "the box", NULL}},
    {"massless.xyz", "1\n\nX 0 0 0\n", {"massless", NULL}},
};
enum { BAD = sizeof bad / sizeof *bad };

TEST(bad_molecules, .rows = BAD)
{
  StructureGroups s;
  Error error = {0};
  const char *path = files_text(bad[_i].name, bad[_i].text);
  ck_assert_int_eq(take(path, &s, &error), STATUS_INPUT);
  structure_groups_free(&s);
  ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
  for (int k = 0; k < 4 && bad[_i].says[k] != NULL; k++)
    ck_assert_msg(strstr(error.text, bad[_i].says[k]) != NULL, "'%s' lacks '%s'", error.text,
                  bad[_i].says[k]);
}

TEST(no_box)
{
  const char *const texts[][2] = {
      {"zero.gro", "t\n1\n    1NA      NA    1   0.100   0.200   0.300\n 0 0 0\n"},
      {"none.xyz", "1\n\nNa 0 0 0\n"},
      {"none.pdb", "HETATM    1  NA   NA I   3      15.000  11.000  10.000  1.00  0.00      I   NA\n"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Frame frame = {0};
    Error error = {0};
    Box box = box_brick(1, 1, 1);
    const char *path = files_text(texts[i][0], texts[i][1]);
    ck_assert_int_eq(trajectory_read_first(path, &frame, &error), STATUS_OK);
    ck_assert_int_eq(structure_box(&frame, path, &box, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "no periodic box"));
    ck_assert_int_eq(box_periodic(&box), 0);
    frame_free(&frame);
  }
}

/* A state's frame, read as molecules, is the state: moved into the box whole, velocities from momenta. */
TEST(states_and_frames)
{
  static const double mass[3] = {16.0, 1.0, 1.0}, ion_mass[1] = {23.0}, zero[9];
  static const char *const site[3] = {"O", "H", "H"}, *const ion_site[1] = {"Na"};
  const Kind water = {.name = "water", .nsite = 3, .dim = 3, .mass = mass, .site = site, .reference = zero},
             ion = {
                 .name = "Na+", .nsite = 1, .dim = 3, .mass = ion_mass, .site = ion_site, .reference = zero};
  const Kind *kind[2] = {&water, &ion};
  const int nmol[2] = {2, 1};
  const double x[18] = {-1, 2, 3, -0.04, 2, 3, -1, 2.96, 3, 5, 5, 5, 5.96, 5, 5, 5, 5.96, 5};
  const double p[18] = {16, 0, 0, 0, 2, 0}, x_ion[3] = {45, -3, 8}, p_ion[3] = {0, 0, 46};
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 2, kind, nmol, 1, 0, NULL), STATUS_OK);
  state->box = box_brick(20, 21, 22);
  state_set(&state->block[0], 1, state->block[0].q, 0, x);
  state_set(&state->block[0], 1, state->block[0].p, 0, p);
  state_set(&state->block[1], 1, state->block[1].q, 0, x_ion);
  state_set(&state->block[1], 1, state->block[1].p, 0, p_ion);
  Frame frame = {0};
  StructureGroups s;
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, state, NULL), STATUS_OK);
  ck_assert_int_eq(structure_frame(topology, state, &frame, NULL), STATUS_OK);
  topology_free(topology);
  ck_assert_int_eq(structure_groups_find(&frame, "state", SPECIES, species, &s, NULL), STATUS_OK);
  ck_assert_int_eq(s.found.nmol[0], 2);
  ck_assert_int_eq(s.found.nmol[1], 1);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq(box_length(&s.box, d), 20.0 + d);
  for (int k = 0; k < 18; k++)
    ck_assert_double_eq_tol(s.x[k], x[k] + (k < 9 && k % 3 == 0 ? 20.0 : 0.0), 1e-12);
  ck_assert_double_eq_tol(s.x[structure_groups_at(&s, 1) + 0], 5.0, 1e-12);
  ck_assert_double_eq_tol(s.x[structure_groups_at(&s, 1) + 1], 18.0, 1e-12);
  const double per_ps = 1e3 / 48.88821;
  ck_assert_double_eq_tol(s.v[0], per_ps, 1e-9);
  ck_assert_double_eq_tol(s.v[4], 2.0 * per_ps, 1e-9);
  ck_assert_double_eq_tol(s.v[structure_groups_at(&s, 1) + 2], 2.0 * per_ps, 1e-9);
  structure_groups_free(&s);
  frame_free(&frame);
  state_free(state);
}

/* A file that is cut anywhere is refused, but for what cannot be seen: a PDB file that ends with a line. */
TEST(cut_files, .rows = GOOD)
{
  char text[4096];
  const size_t size = strlen(good[_i].text);
  const size_t last =
      _i < 2 ? size - 1 : (size_t)(strstr(good[_i].text, _i == 2 ? "Cl- 5" : "cl 5") - good[_i].text);
  for (size_t length = 1; length < last; length++) {
    snprintf(text, sizeof text, "%.*s", (int)length, good[_i].text);
    StructureGroups s;
    Error error = {0};
    const char *path = files_text(good[_i].name, text);
    const Status status = take(path, &s, &error);
    structure_groups_free(&s);
    const bool line = text[length - 1] == '\n' || good[_i].text[length] == '\n' || length > size - 5;
    if (_i == 1 && status == STATUS_OK && line)
      continue;
    ck_assert_msg(status == STATUS_INPUT, "accepted: %s", text);
    ck_assert_ptr_nonnull(strstr(error.text, path));
  }
}

/* Octahedra, dodecahedra and others come back from every format as the box that they were, up to its digits:
 * a lean of a half with its sign. */
static void come_back(const TrajectoryFormat *format)
{
  static const double other[3][3] = {{31.0}, {-15.5, 32.0}, {10.0, 15.9, 33.0}};
  Box box[3] = {box_of_shape(BOX_OCTAHEDRON, 31.3), box_of_shape(BOX_DODECAHEDRON, 31.3)}, back;
  Frame frame = {0}, read = {0};
  Error error;
  ck_assert_int_eq(box_set(&box[2], other, NULL), STATUS_OK);
  ck_assert_int_eq(frame_resize(&frame, 1, NULL), STATUS_OK);
  memset(frame.positions, 0, sizeof *frame.positions);
  frame_name(frame.symbols[0], "Ar", 2);
  frame.has_symbols = true;
  frame.step = 0;
  frame.time = 0.0;
  for (int k = 0; k < 6; k++) {
    const TrajectoryOptions options = {.replace = true, .exact = k >= 3, .timestep = 0.002, .stride = 10};
    char path[256];
    snprintf(path, sizeof path, "%s.%s", files_path("oblique"), format->name);
    structure_set_box(&box[k % 3], &frame);
    ck_assert_msg(trajectory_write_one(path, NULL, &options, &frame, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(trajectory_read_first(path, &read, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(structure_box(&read, path, &back, &error) == STATUS_OK, "%s", error.text);
    ck_assert(box_alike(&back, &box[k % 3], 1e-4));
    for (int d = 0; d < 9; d++)
      ck_assert_double_eq_tol(back.h[d / 3][d % 3], box[k % 3].h[d / 3][d % 3], 4e-3);
  }
  frame_free(&frame);
  frame_free(&read);
}

TEST(oblique_boxes_come_back)
{
  for (int k = 0; trajectory_formats[k] != NULL; k++)
    if (trajectory_written(trajectory_formats[k]))
      come_back(trajectory_formats[k]);
}
