/* Trajectories of a part of the atoms: each frame is that of all atoms at the same step, cut to the
 * selection, and its molecules are in one piece; H5MD says which atoms these are, their names and bonds; a
 * run that goes on, or stands as parts, leaves the same files; what selects nothing, and what cannot be read
 * back, is refused in words. */
#include "io/trajectory.h"
#include "tests/made_molecules.h"
#include "tests/program.h"

enum { METHANOLS = 30, WATERS = 60, IN_METHANOL = 6, ALL = METHANOLS * IN_METHANOL + 3 * WATERS };

/* box.yaml and box.gro of methanols, C O H H H H, and waters: a start that is wrapped and moves fast, so that
 * molecules leave the box. */
static void begin(void)
{
  static Made m;
  make_methanol(&m);
  FILE *file = program_create("methanol.yaml");
  fprintf(file, "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3, 0.1]}\nmolecules:\n%s", m.text);
  ck_assert_int_eq(fclose(file), 0);
  file = program_create("methanol.xyz");
  fprintf(file, "%d\nmade\n", m.n);
  for (int i = 0; i < m.n; i++)
    fprintf(file, "%s %.10f %.10f %.10f\n", (const char *const[]){"C", "O", "H", "H", "H", "H"}[i], m.x[i][0],
            m.x[i][1], m.x[i][2]);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("build --molecules methanol.yaml=%d,tip3p=%d --density 0.8 --cutoff 6 --equilibrate 0.1 "
               "--quiet --threads 1 -o box.gro",
               METHANOLS, WATERS);
}

#define RUN                                                                                                  \
  "run box.yaml --quiet --set thermostat.initial=maxwell --set thermostat.temperature=600 "                  \
  "--set output.report=false --set output.equilibration=0 --set output.trajectory_every=100 "                \
  "--set output.checkpoint_every=0 --set output.trajectory=[gro,xyz,dcd,xtc" PROGRAM_H5MD "] "

/* In xtc whole methanols and a water, in dcd and h5md parts of molecules. */
#define PARTS                                                                                                \
  "--set 'output.xtc_atoms=[methanol, molnum 32]' --set 'output.dcd_atoms=element O C' "                     \
  "--set output.xtc_precision=0.001 "
#ifdef HOLONOM_HDF5
#define H5MD_PARTS "--set 'output.h5md_atoms=resid 3 31 and not name C' "
#else
#define H5MD_PARTS ""
#endif

static TrajectoryReader *open_file(const char *name)
{
  char path[512];
  TrajectoryReader *reader;
  Error error;
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_msg(trajectory_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
  return reader;
}

/* Every frame of a file against that of all atoms; returns how many atoms there are. */
static int same_places(const char *name, int (*atom)(int i), double tolerance)
{
  Frame whole = {0}, part = {0};
  TrajectoryReader *all = open_file("run/trajectory.xyz"), *reader = open_file(name);
  int frames = 0;
  for (bool end = false, over = false;; frames++) {
    ck_assert_int_eq(trajectory_read(all, &whole, &end, NULL), STATUS_OK);
    ck_assert_int_eq(trajectory_read(reader, &part, &over, NULL), STATUS_OK);
    ck_assert(end == over);
    if (end)
      break;
    ck_assert_int_eq(whole.natoms, ALL);
    ck_assert_int_eq(whole.step, part.step);
    for (int i = 0; i < 3 * part.natoms; i++)
      ck_assert_double_le(fabs(part.positions[i / 3][i % 3] - whole.positions[atom(i / 3)][i % 3]),
                          tolerance);
  }
  ck_assert_int_ge(frames, 5);
  trajectory_close(all);
  trajectory_close(reader);
  const int n = part.natoms;
  frame_free(&whole);
  frame_free(&part);
  return n;
}

static int methanols_and_a_water(int i)
{
  return i < METHANOLS * IN_METHANOL ? i : METHANOLS * IN_METHANOL + 3 * 2 + i - METHANOLS * IN_METHANOL;
}
static int heavy(int i)
{
  return i < 2 * METHANOLS ? i / 2 * IN_METHANOL + i % 2 : METHANOLS * IN_METHANOL + 3 * (i - 2 * METHANOLS);
}

/* Of the methanols in the last frame: bonds are short without images, and some atom is outside of the box,
 * so that whole says something. */
static void molecules_are_whole(const char *name)
{
  Frame f = {0};
  TrajectoryReader *reader = open_file(name);
  int outside = 0;
  for (bool end = false;;) {
    ck_assert_int_eq(trajectory_read(reader, &f, &end, NULL), STATUS_OK);
    if (end)
      break;
    for (int i = 0; i < METHANOLS * IN_METHANOL; i++) {
      ck_assert_double_lt(between(f.positions[i], f.positions[i / IN_METHANOL * IN_METHANOL]), 3.0);
      for (int d = 0; d < 3; d++)
        outside += f.positions[i][d] < 0.0 || f.positions[i][d] > f.cell[d][d];
    }
  }
  ck_assert_int_gt(outside, 10);
  trajectory_close(reader);
  frame_free(&f);
}

/* What H5MD says of atoms: of methanol 3 all but C, of water 1 (residue 31) all. */
static void h5md_names_its_atoms(void)
{
  static const int index[] = {13, 14, 15, 16, 17, 180, 181, 182};
  Frame f = {0};
  TrajectoryReader *reader = open_file("run/trajectory.h5md");
  bool end;
  ck_assert_int_eq(trajectory_read(reader, &f, &end, NULL), STATUS_OK);
  ck_assert(!end && f.natoms == 8 && f.has_indices && f.has_names && f.has_symbols);
  for (int i = 0; i < 8; i++) {
    ck_assert_int_eq(f.indices[i], index[i]);
    ck_assert_int_eq(f.numbers[i], i < 5 ? 3 : 31);
    ck_assert_str_eq(f.residues[i], i < 5 ? "methano" : "SOL");
  }
  ck_assert_str_eq(f.names[0], "O");
  ck_assert_str_eq(f.names[7], "HW2");
  ck_assert_str_eq(f.symbols[7], "H");
  trajectory_close(reader);
  frame_free(&f);
}

TEST(frames_are_cut_to_the_selection)
{
  program_runs(RUN PARTS H5MD_PARTS "-o run --set integrator.steps=600 --set 'output.gro_atoms=moltype "
                                    "meth* and not name H*'");
  ck_assert_int_eq(same_places("run/trajectory.xtc", methanols_and_a_water, 6e-4),
                   METHANOLS * IN_METHANOL + 3);
  ck_assert_int_eq(same_places("run/trajectory.dcd", heavy, 1e-5), 2 * METHANOLS + WATERS);
  ck_assert_int_eq(same_places("run/trajectory.gro", heavy, 6e-3), 2 * METHANOLS);
  molecules_are_whole("run/trajectory.xtc");
  program_do("sed -n 4p run/trajectory.gro | grep -q '^    1metha    O    2 '");
#ifdef HOLONOM_HDF5
  h5md_names_its_atoms();
#endif
}

TEST(equal_files_whatever_cuts_a_run)
{
  program_runs(RUN PARTS "-o whole --threads 1 --set integrator.steps=500");
  program_runs(RUN PARTS "-o cut --threads 2 --set integrator.steps=230");
  program_runs(RUN PARTS "-o cut --resume --threads 1 --set integrator.steps=500");
  static const char *const name[] = {"trajectory.xtc", "trajectory.dcd", "trajectory.xyz", "thermo.csv"};
  for (int i = 0; i < 4; i++)
    program_do("cmp whole/%s cut/%s", name[i], name[i]);
}

/* A run does not depend on what is written of it; nor does another selection go on with its files. */
TEST(selections_change_no_bit)
{
  program_runs(RUN "-o all --set integrator.steps=200");
  program_runs(RUN PARTS "-o some --set integrator.steps=200");
  program_same("all", "some", "final.xyz");
  program_same("all", "some", "thermo.csv");
}

static void refused(const char *arguments, const char *words) { program_refuses(words, "%s", arguments); }

TEST(what_selects_nothing_is_refused)
{
  refused(RUN "-o no --set 'output.xtc_atoms=name XX'", "'name XX': selects no atom");
  refused(RUN "-o no --set output.xtc_atoms=methan", "the name of a molecule: methanol, ");
  refused(RUN "-o no --set output.xtc_atoms=3", "for molecules, numbered from 0, use \"molnum 2:2\"");
  refused(RUN "-o no --set output.xtc_molecules=1..9", "\"molnum 0:8\"");
  refused(RUN "-o no --set 'output.xtc_atoms=[protein, all]'", "'protein': selects no atom");
  refused(RUN "-o no --set 'output.xtc_atoms=name C and'", "column 11: the selection ends");
  refused(RUN "-o no --set 'output.xtc_atoms=around 3 name C'", "selects by position");
  program_do("test ! -e no");
}

/* A virtual site is no atom, at any door, and each says so. */
TEST(virtual_sites_are_said_to_be_none)
{
#define NONE "selects only virtual sites"
  static const struct {
    const char *set, *says;
  } doors[] = {
      {"output.xtc_atoms=name M", "'name M': " NONE},
      {"output.xtc_atoms=moltype flexible and name M", NONE},
      {"output.torsions=[{name: t, atoms: [H1, O, M, H2]}]", "'name M' " NONE},
      {"output.distances=[{name: d, atoms: [O, M], molecule: flexible}]", "'name M' of flexible " NONE},
      {"restraints=[{atoms: name M, k: 1}]", "'name M' " NONE},
      {"geometry.keep=[{atoms: [O, M], method: penalty, w: 50}]",
       "'M' is a virtual site in the molecules of"},
      {"output.xtc_atoms=index 9", "'index 9': selects no atom"},
      {"output.distances=[{name: d, atoms: [O, index 3], molecule: flexible}]",
       "'index 3' of flexible selects no atom"}};
  program_write(
      "flexible.yaml",
      "format: holonom-molecules 1\nrule: geometric\ntypes: {O: [3.1, 0.15], N: [0, 0]}\nmolecules:\n"
      "  flexible:\n    atoms: [[O, O, 0, 16], [H1, N, 0.5, 1], [H2, N, 0.5, 1], [M, N, -1, 0]]\n"
      "    terms: {bond: [[1, 2, 0.96, 900], [1, 3, 0.96, 900]], angle: [[2, 1, 3, 104, 80]]}\n"
      "    virtual: [[4, 3, 1, 2, 3, 0.13, 0.13]]\nsystem: [[flexible, 2]]\n");
  program_write("flexible.xyz", "8\nx\nO 0 0 0\nH 0.9 0.3 0\nH -0.5 0.8 0\nM 0.1 0.2 0\n"
                                "O 0 0 4\nH 0.9 0.3 4\nH -0.5 0.8 4\nM 0.1 0.2 4\n");
  program_write(
      "flexible-run.yaml",
      "system: {topology: flexible.yaml, start: file, file: flexible.xyz, box: none, minimise: false}\n"
      "geometry: {constrain: none}\nintegrator: {word: BAOAB, timestep: 0.5 fs, steps: 4}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps}\n"
      "output: {report: false, trajectory: [xtc], trajectory_every: 2}\n");
  for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
    program_refuses(doors[i].says, "run flexible-run.yaml -o no --set \"%s\"", doors[i].set);
  program_refuses("--select 'name M' " NONE,
                  "observe distances flexible-run.yaml flexible.xyz --select \"name M\" "
                  "-o no --set \"output.distances=[{name: d, atoms: [O, H1], molecule: flexible}]\"");
  program_do("test ! -e no");
#undef NONE
}

TEST(parts_start_nothing)
{
  program_runs(RUN PARTS "-o part --set integrator.steps=100");
  refused("energy box.yaml part/trajectory.dcd", "has only 120 of the 360 atoms");
  refused("run box.yaml -o no --set system.file=part/trajectory.dcd --set system.frame=last --set "
          "thermostat.initial=maxwell",
          "has only 120 of the 360 atoms");
  program_do("test ! -e no");
}

/* Built-in molecules are selected by their own names and by those that GRO and PDB files show. */
TEST(built_in_atoms_have_the_names_of_files)
{
  static const struct {
    const char *words;
    int atoms;
  } rows[] = {{"name O", 2},      {"name OW", 2},
              {"name H", 4},      {"name HW1", 2},
              {"name HW?", 4},    {"name H2", 2},
              {"name Na NA", 1},  {"resname SOL", 6},
              {"resname HOH", 6}, {"resname tip3p", 6},
              {"resname NA", 1},  {"not name OW HW*", 1},
              {"element O", 2},   {"name OW and resid 2", 1}};
  static const char collective[] =
      "--set \"output.distances=[{name: oh, atoms: [OW, HW1], molecule: tip3p}]\" "
      "--set \"output.angles=[{name: bend, atoms: [HW1, OW, HW2], molecule: tip3p}]\" "
      "--set \"output.radius_of_gyration=[{name: ion, atoms: resname HOH and resid 2}]\"";
  program_write("built.xyz", "7\nmade\nO 0 0 0\nH 0.9572 0 0\nH -0.24 0.9266 0\n"
                             "O 0 0 4\nH 0.9572 0 4\nH -0.24 0.9266 4\nNa 3 3 2\n");
  program_write(
      "built.yaml",
      "system: {model: tip3p, start: file, file: built.xyz, minimise: false}\n"
      "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 4}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps}\n"
      "output: {report: false, trajectory: [gro], trajectory_every: 2, thermo_every: 1, equilibration: 0}\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    program_runs("run built.yaml -o built --force --quiet --set \"output.gro_atoms=%s\"", rows[i].words);
    program_do("sed -n 2p built/trajectory.gro | grep -q '^ *%d$'", rows[i].atoms);
  }
  refused("run built.yaml -o no --set 'output.gro_atoms=name HW'",
          "atom names are O (OW), H (HW1), H (HW2) of tip3p; Na (NA) of Na+");
  program_runs("run built.yaml -o built --force --quiet %s", collective);
  ck_assert_double_eq_tol(program_summary("built", "distance_oh"), 0.9572, 1e-6);
  ck_assert_double_eq_tol(program_summary("built", "angle_bend"), 104.52, 1e-4);
  program_runs("run built.yaml -o built --force --quiet --set 'output.gro_atoms=resname HOH'");
  program_runs("observe distances built.yaml built/trajectory.gro --select \"resname SOL\" -o seen --set "
               "\"output.distances=[{name: oh, atoms: [OW, HW1], molecule: tip3p}]\"");
  program_do("test ! -e no");
}

int main(void)
{
  suite_fixture(false, begin, NULL);
  return program_main("selection_runs");
}
