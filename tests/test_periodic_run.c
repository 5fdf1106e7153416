/* Runs of periodic boxes by the program: laws of what they measure, the same bits however they are cut and
 * with any number of threads, starts from what they leave, and what is wrong with an input or goes wrong. */
#include "engine/units.h"
#include "io/trajectory.h"
#include "tests/program.h"
#include "tests/shorter.h"

/* 216 waters, the smallest box that a cutoff of 9 A allows. */
static const char water[] = "system: {model: tip3p, molecules: 216, density: 0.98 g/cm3, minimise: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, steps: 60}\n"
                            "thermostat: {temperature: 298.15 K, friction: 20 1/ps}\n"
                            "output: {thermo_every: 10, rdf_every: 10, progress: false}\n";
static const char argon[] =
    "system: {atoms: {argon: 400}, density: 0.001 g/cm3, minimise: false}\n"
    "integrator: {word: BAOAB, timestep: 5 fs, steps: 600}\n"
    "thermostat: {temperature: 300 K, friction: 50 1/ps}\n"
    "output: {thermo_every: 10, rdf_every: 0, equilibration: 0.5 ps, progress: false}\n";
static const char salt[] =
    "system: {model: tip3p, molecules: 210, atoms: {Na+: 3, Cl-: 3}, box: 18.8 A, minimise: false}\n"
    "geometry: {method: shake}\n"
    "integrator: {word: BAOAB, timestep: 1 fs, steps: 30}\n"
    "thermostat: {temperature: 298.15 K, friction: 2 1/ps}\n"
    "output: {thermo_every: 10, rdf_every: 10, progress: false}\n";

static void setup(void)
{
  program_write("water.yaml", water);
  program_write("argon.yaml", argon);
  program_write("salt.yaml", salt);
}

static void runs(const char *arguments) { program_runs("run %s --quiet --force", arguments); }

/* The value of a column of thermo.csv, row counted from 0. */
static double thermo(const char *dir, const char *column, int row)
{
  char path[256];
  snprintf(path, sizeof path, "%s/thermo.csv", dir);
  char *text = strdup(program_read(path)), *rest = text, *line = strsep(&rest, "\n");
  int at = 0;
  char *name;
  while ((name = strsep(&line, ",")) != NULL && strcmp(name, column) != 0)
    at++;
  ck_assert_msg(name != NULL, "%s has no column %s", path, column);
  for (int i = 0; i <= row; i += *line != '#')
    line = strsep(&rest, "\n");
  ck_assert_ptr_nonnull(line);
  for (int i = 0; i < at; i++)
    strsep(&line, ",");
  const double value = strtod(line, NULL);
  free(text);
  return value;
}

/* --- laws ------------------------------------------------------------------------------------------------
 */

/* An almost empty box is an ideal gas: P = (N - 1) kT/V with the centre of mass at rest. */
TEST(argon_is_an_ideal_gas)
{
  runs("argon.yaml -o ideal --set thermostat.remove=linear");
  const double volume = 400 * 39.948 * 1.66053906660 / 0.001;
  const double kT = program_summary("ideal", "temperature") * UNITS_BOLTZMANN;
  const double ideal = 399.0 * kT / volume * UNITS_BAR;
  ck_assert_double_eq_tol(program_summary("ideal", "pressure"), ideal, 0.01 * ideal);
  /* 61 independent samples or so of 1197 degrees of freedom. */
  ck_assert_double_eq_tol(program_summary("ideal", "temperature"), 300.0,
                          5.0 * program_summary("ideal", "temperature_err") + 0.5);
}

/* The temperature is the thermostat's, and the pressures by molecule and by atom agree: with constraints,
 * whose part in the virial is 2,700 bar or so, and with penalties. Too few steps under sanitizers tell of
 * columns alone. */
static void check_equilibrium(const char *set, double slack)
{
  char arguments[512];
  snprintf(arguments, sizeof arguments,
           "water.yaml -o equal --set output.pressure=both --set output.rdf_every=0 %s --set "
           "integrator.steps=%d %s",
           set, SHORT ? 60 : 1500, SHORT ? "--set output.equilibration=0" : "");
  runs(arguments);
  if (!SHORT)
    ck_assert_double_eq_tol(program_summary("equal", "temperature"), 298.15,
                            5.0 * program_summary("equal", "temperature_err") + 3.0);
  const char *text = program_read("equal/thermo.csv");
  ck_assert_ptr_null(strstr(strstr(text, "\n10,"), "nan"));
  /* Before the first step of constraints all seven columns by atom are unknown. */
  const bool known = strstr(set, "penalty") != NULL;
  ck_assert((strstr(text, ",nan,nan,nan,nan,nan,nan,nan") == NULL) == known);
  const double molecule = program_summary("equal", "pressure"),
               atom = program_summary("equal", "pressure_atom");
  const double error =
      hypot(program_summary("equal", "pressure_err"), program_summary("equal", "pressure_atom_err"));
  if (!SHORT) {
    ck_assert_double_lt(error, 1000.0);
    ck_assert_double_eq_tol(molecule, atom, 4.0 * error + slack);
  }
  const double trace = thermo("equal", "pressure_xx", 5) + thermo("equal", "pressure_yy", 5) +
                       thermo("equal", "pressure_zz", 5);
  ck_assert_double_eq_tol(trace / 3.0, thermo("equal", "pressure", 5), 1e-6);
}

TEST(constraints_are_in_equilibrium)
{
  check_equilibrium("--set 'integrator.timestep=1 fs' --set 'output.equilibration=0.5 ps'", 30.0);
}

TEST(penalties_are_in_equilibrium)
{
  check_equilibrium(
      "--set geometry.method=penalty --set geometry.w=20 --set 'integrator.timestep=0.25 fs' --set "
      "'output.equilibration=0.15 ps' --set 'thermostat.friction=60 1/ps'",
      100.0);
}

/* Without a thermostat energy and momentum stay. */
TEST(energy_and_momentum_stay)
{
  runs("water.yaml -o nve --set thermostat.type=none --set thermostat.friction= --set integrator.word=BAB "
       "--set "
       "'integrator.timestep=0.5 fs' --set precision=double --set system.minimise=true");
  const double kinetic = thermo("nve", "kinetic", 0);
  for (int row = 1; row <= 6; row++) {
    ck_assert_double_eq_tol(thermo("nve", "total", row), thermo("nve", "total", 0), 1e-3 * kinetic);
    ck_assert_double_eq_tol(thermo("nve", "momentum_x", row), thermo("nve", "momentum_x", 0), 1e-6);
  }
}

/* --- bits ------------------------------------------------------------------------------------------------
 */

static const char *const files[] = {"thermo.csv", "final.xyz", "trajectory.xyz", "final.gro",
                                    "observables.json"};
enum { FILES = sizeof files / sizeof *files };

/* Cut in two, the second part with another number of threads. */
static void check_restart(const char *file, const char *set, int first, int whole)
{
  char arguments[512];
  const char *common = "--set output.trajectory=xyz --set output.trajectory_every=10";
  snprintf(arguments, sizeof arguments, "%s -o whole %s %s --threads 1 --set integrator.steps=%d", file,
           common, set, whole);
  runs(arguments);
  snprintf(arguments, sizeof arguments, "%s -o cut %s %s --threads 2 --set integrator.steps=%d", file, common,
           set, first);
  runs(arguments);
  program_runs("run %s -o cut %s %s --threads 3 --set integrator.steps=%d --quiet --resume", file, common,
               set, whole);
  for (int i = 0; i < FILES; i++)
    program_same("whole", "cut", files[i]);
}

TEST(runs_go_on_to_the_bit)
{
  check_restart("water.yaml", "--set output.velocities=true", 33, 60);
  program_same("whole", "cut", "gofr.csv");
}

TEST(salt_goes_on_to_the_bit)
{
  static const char set[] =
      "--set output.msd_every=10 --set output.dipole_every=10 --set output.vacf_every=5 --set "
      "output.velocities=true --set output.pressure=both --set output.equilibration=0.01";
  static const char *const sampled[] = {"msd.csv", "dipole.csv", "vacf.csv", "gofr.csv"};
  check_restart("salt.yaml", set, 20, 30);
  for (int i = 0; i < 4; i++)
    program_same("whole", "cut", sampled[i]);
  ck_assert(!program_exists("whole/vacf.gp.log") && !program_exists("whole/vacf.png"));
  /* Thirty steps are too few for a diffusion or a dielectric constant, and that is said. */
  const char *const summary = program_read("whole/summary.yaml");
  ck_assert(strstr(summary, "\ndiffusion_tip3p:") == NULL &&
            strstr(summary, "\ndielectric_constant:") == NULL);
  ck_assert_ptr_nonnull(strstr(summary, "left out: "));
  /* Longer than was ever thought of, by the other key. */
  static const char longer[] = "--set output.trajectory=xyz --set output.trajectory_every=10 --set "
                               "integrator.steps= --set 'integrator.time=0.05 ps' --quiet";
  program_runs("run salt.yaml -o cut %s %s --resume", set, longer);
  program_runs("run salt.yaml -o whole %s %s --force", set, longer);
  for (int i = 0; i < FILES; i++)
    program_same("whole", "cut", files[i]);
  for (int i = 0; i < 4; i++)
    program_same("whole", "cut", sampled[i]);
}

/* Replicas differ, whichever thread has them; the first is the run by itself. */
TEST(replicas_go_on_to_the_bit)
{
  static const char set[] =
      "--set ensemble.replicas=3 --set output.pressure=both --set output.trajectory_replica=1";
  check_restart("water.yaml", set, 33, 60);
  program_same("whole", "cut", "replicas.csv");
  program_same("whole", "cut", "replica-2/gofr.csv");
  char arguments[512];
  snprintf(arguments, sizeof arguments, "water.yaml -o many %s --set output.trajectory_replica=0", set);
  runs(arguments);
  runs("water.yaml -o alone --set output.pressure=both");
  program_same("many", "alone", "final.gro");
  program_same("many/replica-0", "alone", "gofr.csv");
  char *first = strdup(program_read("many/replica-0/gofr.csv"));
  ck_assert(strcmp(first, program_read("many/replica-1/gofr.csv")) != 0);
  free(first);
  ck_assert_double_gt(thermo("many", "potential_err", 3), 0.0);
  ck_assert_double_gt(program_summary("many", "pressure_err"), 0.0);
  ck_assert_double_gt(program_summary("many", "ns_per_day"), 0.0);
  ck_assert_double_gt(program_summary("many", "expected_force_error"), 0.0);
  ck_assert_double_gt(program_summary("many", "expected_pressure_error"), 0.0);
  ck_assert_double_gt(program_summary("many", "expected_energy_error"), 0.0);
  ck_assert_double_eq_tol(216.0 * program_summary("many", "energy_per_molecule"),
                          program_summary("many", "potential"), 1e-4);
  runs("water.yaml -o many --set output.rdf_every=0");
  ck_assert(!program_exists("many/replica-0") && !program_exists("many/replica-2"));
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static void read_frame(const char *dir, const char *name, Frame *frame)
{
  char path[512];
  Error error;
  snprintf(path, sizeof path, "%s/%s/%s", program_scratch, dir, name);
  ck_assert_msg(trajectory_read_first(path, frame, &error) == STATUS_OK, "%s", error.text);
}

/* Frames have the box, every molecule whole with its oxygen inside; other runs start where one ended. */
TEST(files_serve_as_starts)
{
  runs("water.yaml -o first --set output.trajectory=[xyz,dcd] --set output.trajectory_every=20 --set "
       "output.velocities=true");
  static const char *const names[] = {"trajectory.xyz", "trajectory.dcd", "final.xyz", "final.gro"};
  for (int i = 0; i < 4; i++) {
    Frame frame = {0};
    read_frame("first", names[i], &frame);
    ck_assert_int_eq(frame.natoms, 648);
    ck_assert(frame.has_cell);
    for (int a = 0; a < frame.natoms; a++)
      for (int d = 0; d < 3; d++) {
        const double x = frame.positions[a][d];
        if (a % 3 == 0)
          ck_assert(x > -1e-5 && x < frame.cell[d][d] + 1e-5);
        else
          ck_assert_double_lt(fabs(x - frame.positions[a - a % 3][d]), 1.0);
      }
    frame_free(&frame);
  }
  const double ended = thermo("first", "potential", 6);
  static const char *const starts[] = {"final.xyz", "final.gro"};
  for (int i = 0; i < 2; i++) {
    char arguments[256];
    snprintf(
        arguments, sizeof arguments,
        "water.yaml -o second --set system.start=file --set system.file=first/%s --set system.box=file --set "
        "system.density= --set integrator.steps=1",
        starts[i]);
    runs(arguments);
    ck_assert_double_eq_tol(thermo("second", "potential", 0), ended, i == 0 ? 0.01 : 0.05);
  }
}

/* Each frame of a file has the atoms of the run's frame of the same step that are asked for, at their places
 * there. */
static void parts_of_the_whole(const char *name, int every, int natoms, int (*atom)(int i), double tolerance)
{
  char path[2][512];
  TrajectoryReader *all, *part;
  Frame whole = {0}, frame = {0};
  bool end = false;
  snprintf(path[0], sizeof path[0], "%s/own/trajectory.xyz", program_scratch);
  snprintf(path[1], sizeof path[1], "%s/own/%s", program_scratch, name);
  ck_assert_int_eq(trajectory_open(&all, path[0], NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&part, path[1], NULL), STATUS_OK);
  for (int k = 0; k <= 30 / every; k++) {
    ck_assert_int_eq(trajectory_read(part, &frame, &end, NULL), STATUS_OK);
    ck_assert(!end && frame.step == k * every && frame.natoms == natoms && frame.has_cell);
    do
      ck_assert_int_eq(trajectory_read(all, &whole, &end, NULL), STATUS_OK);
    while (whole.step < frame.step && !end);
    ck_assert_int_eq(whole.step, frame.step);
    for (int i = 0; i < natoms; i++)
      for (int d = 0; d < 3; d++)
        ck_assert_double_le(fabs(frame.positions[i][d] - whole.positions[atom(i)][d]), tolerance);
    if (frame.has_symbols)
      ck_assert_str_eq(frame.symbols[natoms - 1], "CL");
  }
  ck_assert_int_eq(trajectory_read(part, &frame, &end, NULL), STATUS_OK);
  ck_assert(end);
  trajectory_close(all);
  trajectory_close(part);
  frame_free(&whole);
  frame_free(&frame);
}

/* 210 waters, then three ions of each kind. */
static int an_ion(int i) { return 3 * 210 + i; }
static int second_water_or_chloride(int i) { return i < 3 ? 3 + i : 3 * 210 + 3 + i - 3; }
static int waters_5_to_10(int i) { return 12 + i; }

/* Formats with strides and molecules of their own, also strides that are no multiples of each other. */
TEST(trajectories_of_parts)
{
  runs("salt.yaml -o own --set output.trajectory=[xyz,dcd,xtc,gro] --set output.trajectory_every=1 --set "
       "output.dcd_every=6 --set output.xtc_every=10 --set output.gro_every=15 --set "
       "'output.dcd_atoms=molnum 4:9' --set "
       "'output.xtc_molecules=[Cl-, molnum 1]' --set 'output.gro_atoms=[Cl-, name Na]'");
  parts_of_the_whole("trajectory.dcd", 6, 18, waters_5_to_10, 1e-5);
  parts_of_the_whole("trajectory.xtc", 10, 6, second_water_or_chloride, 1e-5); /* too few to be packed */
  parts_of_the_whole("trajectory.gro", 15, 6, an_ion, 5.1e-3);
}

/* Velocities of a file go on: along the constraints what was left is what is taken up, temperature and all,
 * to the digits of the file; without drift where removal asks. */
TEST(files_start_warm)
{
  static const char from[] = "--set system.start=file --set system.box=file --set system.density= --set "
                             "thermostat.initial=file --set integrator.steps=1 --set output.thermo_every=1";
  runs("water.yaml -o first");
  static const char *const starts[] = {"final.xyz", "final.gro"};
  for (int i = 0; i < 2; i++) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "water.yaml -o warm %s --set system.file=first/%s", from,
             starts[i]);
    runs(arguments);
    ck_assert_double_eq_tol(thermo("warm", "kinetic", 0), thermo("first", "kinetic", 6), i == 0 ? 1e-3 : 0.5);
    ck_assert_double_eq_tol(thermo("warm", "momentum_x", 0), thermo("first", "momentum_x", 6),
                            i == 0 ? 1e-3 : 0.5);
  }
  char text[512];
  snprintf(text, sizeof text,
           "water.yaml -o warm %s --set system.file=first/final.gro --set thermostat.remove=linear", from);
  runs(text);
  ck_assert_double_lt(fabs(thermo("warm", "momentum_x", 0)), 1e-9);
  program_runs("build --model tip3p --molecules 216 --density 0.98 --equilibrate 0.1 --out "
               "box.gro");
  snprintf(text, sizeof text, "water.yaml -o warm %s --set system.file=box.gro", from);
  runs(text);
  ck_assert_double_gt(thermo("warm", "temperature", 0), 150.0);
}

/* --- what is wrong ---------------------------------------------------------------------------------------
 */

TEST(bad_inputs_are_refused)
{
  static const struct {
    const char *file, *set, *says[3];
  } bad[] = {
      {"water.yaml",
       "--set system.density= --set 'system.box=17 A'",
       {"system.box", "less than twice the cutoff of 9 A", NULL}},
      {"water.yaml", "--set system.molecules=100", {"water.yaml:1", "less than twice the cutoff", NULL}},
      {"salt.yaml", "--set 'system.atoms={Nb+: 3}'", {"system.atoms", "no species 'Nb+'", "did you mean '"}},
      {"salt.yaml",
       "--set output.trajectory=xtc --set output.xtc_atoms=Mg2+",
       {"output.xtc_atoms", "'Mg2+' is not a word of selections", "the name of a molecule: tip3p, Na+, Cl-"}},
      {"salt.yaml",
       "--set output.trajectory=xtc --set 'output.xtc_atoms=[name H*, name CA]'",
       {"output.xtc_atoms", "'name CA': selects no atom", NULL}},
      {"salt.yaml",
       "--set output.trajectory=xyz --set output.xyz_molecules=2..4",
       {"output.xyz_atoms", "for molecules, numbered from 0, use \"molnum 1:3\"", NULL}},
      {"salt.yaml", "--set output.trajectory=dcd --set output.dcd_every=0", {"output.dcd_every", "1", NULL}},
      {"salt.yaml",
       "--set output.trajectory=xtc --set output.xtc_precision=2",
       {"output.xtc_precision", "1", NULL}},
      {"water.yaml", "--set system.wall.radius=10", {"system.wall.radius", "is not allowed", "periodic box"}},
      {"water.yaml", "--set thermostat.remove=angular", {"thermostat.remove", "cannot rotate", NULL}},
      {"water.yaml", "--set 'system.box=31 nn'", {"system.box", "'31 nn' is not a length", NULL}},
      {"water.yaml", "--set forces.cutof=8", {"forces.cutof", "did you mean forces.cutoff", NULL}},
      {"water.yaml", "--set geometry.method=none", {"geometry.method", "waters without bonds", NULL}},
      {"water.yaml", "--set system.box=20A", {"system.density", "follows from the box", NULL}},
      {"water.yaml", "--set 'system.density=1000 g/cm3'", {"system.density", "outside", NULL}},
      {"water.yaml",
       "--set system.density= --set output.dipole_every=5",
       {"output.dipole_every", "it applies to a periodic box"}},
      {"cluster.yaml",
       "--set forces.cutoff=8",
       {"forces.cutoff", "is not allowed", "molecules without a box"}},
      {"file.yaml", "--set system.file=overlap.xyz", {"overlap.xyz", "system.file", NULL}},
      {"file.yaml",
       "--set system.file=overlap.xyz --set thermostat.initial=file",
       {"thermostat.initial", "overlap.xyz has no velocities", NULL}},
      {"water.yaml", "--set thermostat.initial=file", {"thermostat.initial", "needs start: file", NULL}},
      {"file.yaml", "--set system.file=nan.xyz", {"nan.xyz", "system.file", NULL}},
      {"file.yaml", "--set system.file=open.xyz", {"system.box", "open.xyz has no box", NULL}},
  };
  program_write("cluster.yaml", "system: {model: tip3p, molecules: 3}\ngeometry: {method: settle}\n"
                                "integrator: {timestep: 2 fs, steps: 2}\n"
                                "thermostat: {temperature: 298 K, friction: 2 1/ps}\n");
  program_write("file.yaml",
                "system: {model: tip3p, start: file, file: x.xyz, box: file}\n"
                "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 2}\n"
                "thermostat: {temperature: 298 K, friction: 2 1/ps}\n");
  static const char two[] =
      "6\nLattice=\"20 0 0 0 20 0 0 0 20\" Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n"
      "O 1 1 1\nH 1.96 1 1\nH 0.76 1.93 1\nO %s 1 1.05\nH 1.96 1.02 1.1\nH 0.76 1.93 1.1\n";
  char text[512];
  snprintf(text, sizeof text, two, "1.02");
  program_write("overlap.xyz", text);
  snprintf(text, sizeof text, two, "nan");
  program_write("nan.xyz", text);
  program_write("open.xyz", "3\nProperties=species:S:1:pos:R:3\nO 1 1 1\nH 1.96 1 1\nH 0.76 1.93 1\n");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int code = program_call("run %s %s -o none --quiet", bad[i].file, bad[i].set);
    ck_assert_msg(code == 2, "%s %s: exit code %d: %s", bad[i].file, bad[i].set, code, program_output);
    for (int k = 0; k < 3 && bad[i].says[k] != NULL; k++)
      program_says(bad[i].says[k]);
    ck_assert_msg(!program_exists("none"), "%s leaves a folder", bad[i].set);
  }
}

/* What forces refuse has the key of the option and its line. */
TEST(options_of_forces_have_their_keys_and_lines)
{
  static const char *const wrong[][2] = {
      {"switch: 9.5 A\n  truncation: switch", "switch"},
      {"truncation: switch-pairs\n  by: atom", "truncation"},
      {"truncation: switch-pairs\n  coulomb: reaction-field", "truncation"},
      {"cutoff: 3 A", "cutoff"},
      {"accuracy: 1e-14", "accuracy"},
      {"beta: 5", "beta"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[1024], said[64];
    snprintf(text, sizeof text, "%sforces:\n  %s\n", water, wrong[i][0]);
    program_write("forces.yaml", text);
    snprintf(said, sizeof said, "forces.yaml:7: forces.%s: ", wrong[i][1]);
    program_refuses(said, "run forces.yaml -o none --quiet");
    ck_assert(!program_exists("none"));
  }
}

/* A run that goes wrong says where, and leaves what was good. */
TEST(a_failing_run_leaves_the_last_good_state)
{
  const int code =
      program_call("run water.yaml -o failing --quiet --force --set 'thermostat.temperature=200000 K' "
                   "--set integrator.steps=3000 --set output.trajectory=xyz --set "
                   "output.trajectory_every=1");
  ck_assert_msg(code == 3, "exit code %d: %s", code, program_output);
  program_says("step ");
  program_says("olecule");
  program_says("last-good.xyz has step");
  program_says("the last checkpoint has step 0");
  ck_assert_ptr_nonnull(strstr(program_read("failing/summary.yaml"), "failed"));
  Frame frame = {0};
  read_frame("failing", "last-good.xyz", &frame);
  ck_assert_int_eq(frame.natoms, 648);
  ck_assert(frame.has_velocities && frame.has_cell);
  frame_free(&frame);
  read_frame("failing", "trajectory.xyz", &frame);
  frame_free(&frame);
  ck_assert(isfinite(thermo("failing", "total", 0)));
  program_write("again.yaml",
                "system: {model: tip3p, start: file, file: failing/last-good.xyz, box: file}\n"
                "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 2}\n"
                "thermostat: {temperature: 298 K, friction: 2 1/ps}\n");
  runs("again.yaml");
}

/* What would be run is said before it is. */
TEST(check_says_what_would_run)
{
  program_runs("check water.yaml");
  program_says("216 tip3p");
  program_says("expected_errors");
  program_says("expected_pressure_error");
  program_says("ms per step");
  program_runs("check water.yaml --forces");
  program_says("RMS error of the forces");
  program_says("error of the energy");
  program_says("error of the pressure");
}

/* Boxes that are pulled apart have another mesh than forces would need, which is said; those that stay as
 * they are have not. */
TEST(a_box_that_outgrows_its_mesh)
{
  static const char *const call =
      "run water.yaml -o grown --force --set barostat.type=monte-carlo --set "
      "barostat.every=1 --set output.rdf_every=0 --set 'barostat.pressure=%s' --set "
      "integrator.steps=%d";
  static const char note[] = "note: boxes changed until forces had an expected error";
  program_runs(call, "-40 kbar", 100);
  program_says(note);
  ck_assert_double_gt(program_summary("grown", "expected_force_error_largest"), 1.25 * 0.0145);
  program_runs(call, "1 bar", 20);
  ck_assert_ptr_null(strstr(program_output, note));
  ck_assert_double_lt(program_summary("grown", "expected_force_error_largest"), 1.25 * 0.0145);
}

int main(void)
{
  suite_fixture(false, setup, NULL);
  return program_main("periodic_run");
}
