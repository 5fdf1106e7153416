/* holonom observe of an input file and a trajectory: the tables are those of the run that wrote it, whatever
 * format it is in, of all atoms or of the part that is needed; atoms that files wrap are put together; what a
 * file lacks is said. */
#include "io/trajectory.h"
#include "tests/made_molecules.h"
#include "tests/program.h"
#include "tests/tables.h"

/* Two butanes and 60 waters in a box: box.yaml. */
static void begin(void)
{
  static Made m;
  static const char *const name[] = {"C1", "C2", "C3", "C4"};
  make_butane(&m);
  FILE *file = program_create("butane.yaml");
  fprintf(file,
          "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%s"
          "      torsion:\n        - [1, 2, 3, 4, 0, 1.4, 3]\n",
          m.text);
  ck_assert_int_eq(fclose(file), 0);
  file = program_create("butane.gro");
  fprintf(file, "made\n%d\n", m.n);
  for (int i = 0; i < m.n; i++)
    fprintf(file, "%5dBUT  %5s%5d%15.10f%15.10f%15.10f\n", 1, i < 4 ? name[i] : "H", i + 1, 0.1 * m.x[i][0],
            0.1 * m.x[i][1], 0.1 * m.x[i][2]);
  fprintf(file, "0 0 0\n");
  ck_assert_int_eq(fclose(file), 0);
  program_runs("build --molecules butane.yaml=4,tip3p=120 --density 0.9 --cutoff 6 --equilibrate 0.1 "
               "--quiet --threads 1 -o box.gro");
}

#define VARIABLES                                                                                            \
  "--set 'output.torsions=[{name: twist, atoms: [C1, C2, C3, C4], molecule: butane}, {name: back, atoms: "   \
  "[C4, C3, C2, C1], molecule: butane}]' --set 'output.torsions_pairs=[{between: [twist, back]}]' "          \
  "--set 'output.angles=[{name: bend, atoms: [C1, C2, C3], molecule: butane}]' "                             \
  "--set 'output.distances=[{name: ends, atoms: [C1, C4], molecule: butane}]' "                              \
  "--set 'output.radius_of_gyration=[{name: chain, atoms: name C*, molecule: butane}]' "                     \
  "--set 'output.rdf_sites=[{name: C, atoms: name C1}, {name: OW, atoms: name OW}]' "                        \
  "--set output.torsions_bins=18 "

#define PARTS                                                                                                \
  "--set output.trajectory=[gro,xyz,dcd,xtc" PROGRAM_H5MD "] --set 'output.xtc_atoms=name C? OW' "           \
  "--set 'output.dcd_atoms=moltype butane' "

static const char *const table[] = {"torsions", "torsions_pairs", "angles", "distances",
                                    "radius_of_gyration"};
enum { TABLES = (int)(sizeof table / sizeof *table) };
/* The share of numbers that a sample or two in other bins, by rounding, may move. */
#define ROUNDED 0.25
#define NAMES   "torsions,angles,distances,radius_of_gyration"

static void run(void)
{
  begin();
  program_runs(
      "run box.yaml -o run --force --quiet " VARIABLES PARTS
      "--set output.report=false --set output.equilibration=0 --set integrator.steps=1200 "
      "--set output.trajectory_every=20 --set output.xtc_precision=0.0001 --set output.torsions_every=20 "
      "--set output.angles_every=20 --set output.distances_every=20 --set "
      "output.radius_of_gyration_every=20 --set output.rdf_every=20 --set thermostat.temperature=600");
}

/* All columns of a table of two folders, but for a share of them: samples may fall into the next bin by
 * rounding. */
static void same_table_of(const char *run, const char *dir, const char *name, double share, double tolerance)
{
  char path[2][128];
  snprintf(path[0], sizeof path[0], "%s/%s.csv", run, name);
  snprintf(path[1], sizeof path[1], "%s/%s.csv", dir, name);
  ResultTable *a = program_table(path[0]), *b = program_table(path[1]);
  size_t off = 0;
  ck_assert_int_eq(a->ncol, b->ncol);
  ck_assert_uint_eq(a->nrow, b->nrow);
  for (int c = 0; c < a->ncol; c++) {
    ck_assert_str_eq(a->column[c].name, b->column[c].name);
    for (size_t i = 0; i < a->nrow; i++) {
      const double x = a->column[c].value[i], y = b->column[c].value[i];
      off += !((isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 + (1e-5 + tolerance) * fabs(x));
    }
  }
  ck_assert_msg((double)off <= share * (double)a->nrow * a->ncol, "%s of %s: %zu of %zu are others", name,
                dir, off, a->nrow * (size_t)a->ncol);
  results_free_table(a);
  results_free_table(b);
}

static void same_table(const char *dir, const char *name, double share, double tolerance)
{
  same_table_of("run", dir, name, share, tolerance);
}

/* The start, which is no sample of the run, is left out. */
static void observe(const char *names, const char *dir, const char *more)
{
  program_runs("observe %s box.yaml " VARIABLES PARTS
               "--set thermostat.temperature=600 --from 0.001 -o %s --force %s",
               names, dir, more);
}

TEST(tables_are_those_of_the_run)
{
  observe(NAMES ",rdf", "all", "run/trajectory.xyz");
  observe(NAMES, "dcd", "run/trajectory.dcd");
  for (int t = 0; t < TABLES; t++) {
    same_table("all", table[t], 0.0, 0.0);
    same_table("dcd", table[t], 0.02, 0.0);
  }
  same_table("all", "gofr", 0.002, 0.0);
  observe("torsions,rdf", "xtc", "run/trajectory.xtc");
  same_table("xtc", "torsions", ROUNDED, 0.0);
  same_table("xtc", "gofr", 0.05, 0.1);
#ifdef HOLONOM_HDF5
  observe(NAMES ",rdf", "h5", "run/trajectory.h5md");
  same_table("h5", "torsions", ROUNDED, 0.0);
  same_table("h5", "gofr", 0.05, 0.1);
#endif
}

/* Each atom of a file by itself in the box, as other programs leave them. */
static void wrap_atoms(const char *from, const char *to)
{
  char path[2][512];
  const TrajectoryOptions options = {.exact = true, .replace = true};
  Frame frame = {0};
  TrajectoryReader *reader;
  TrajectoryWriter *writer;
  snprintf(path[0], sizeof path[0], "%s/%s", program_scratch, from);
  snprintf(path[1], sizeof path[1], "%s/%s", program_scratch, to);
  ck_assert_int_eq(trajectory_open(&reader, path[0], NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_create(&writer, path[1], NULL, &options, NULL), STATUS_OK);
  int moved = 0;
  for (bool end = false;;) {
    ck_assert_int_eq(trajectory_read(reader, &frame, &end, NULL), STATUS_OK);
    if (end)
      break;
    for (int i = 0; i < 3 * frame.natoms; i++) {
      double *x = &frame.positions[i / 3][i % 3];
      const double edges = floor(*x / frame.cell[i % 3][i % 3]);
      moved += edges != 0.0;
      *x -= edges * frame.cell[i % 3][i % 3];
    }
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  }
  ck_assert_int_gt(moved, 100);
  trajectory_close(reader);
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  frame_free(&frame);
}

TEST(molecules_are_put_together)
{
  wrap_atoms("run/trajectory.xyz", "wrapped.xyz");
  observe(NAMES, "wrapped", "wrapped.xyz");
  for (int t = 0; t < TABLES; t++)
    same_table("wrapped", table[t], 0.0, 0.0);
}

/* One butane in open space: the distances of all its sites as the frames have them, and what observe makes of
 * these. */
TEST(open_molecules_have_distances_too)
{
  enum { BINS = 60, SITES = 14 };
  program_do("cp butane.yaml one.yaml; echo 'system: [[butane, 1]]' >>one.yaml");
  program_write("open.yaml", "system: {topology: one.yaml, file: butane.gro, box: none}\n"
                             "geometry: {constrain: h-bonds}\n"
                             "integrator: {timestep: 1 fs, steps: 2000}\n"
                             "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                             "output: {report: false, progress: false, equilibration: 0, trajectory: [xyz], "
                             "trajectory_every: 20, rdf_every: 20, rdf_max: 6, rdf_bins: 60, msd_every: 20, "
                             "msd_max: 0.2 ps, msd_from: 0.04 ps, msd_to: 0.1 ps, lindemann_every: 20, "
                             "lindemann_samples: 50}\n");
  program_runs("run open.yaml -o open --force --quiet");
  int count[BINS] = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  char path[512];
  snprintf(path, sizeof path, "%s/open/trajectory.xyz", program_scratch);
  ck_assert_int_eq(trajectory_open(&reader, path, NULL), STATUS_OK);
  for (bool end = false;;) {
    ck_assert_int_eq(trajectory_read(reader, &frame, &end, NULL), STATUS_OK);
    if (end)
      break;
    ck_assert_int_eq(frame.natoms, SITES);
    for (int i = 0; i < SITES; i++)
      for (int k = 0; k < i && frame.step > 0; k++) {
        const int bin = (int)(between(frame.positions[i], frame.positions[k]) / 0.1);
        count[bin < BINS ? bin : BINS - 1] += bin < BINS;
      }
  }
  trajectory_close(reader);
  frame_free(&frame);
  ResultTable *t = program_table("open/rdf.csv");
  int off = 0;
  for (int b = 0; b < BINS; b++)
    off += abs(count[b] - (int)tables_cell(t, (size_t)b, "count"));
  ck_assert_uint_eq(t->nrow, BINS);
  ck_assert_int_le(off, 4); /* frames have 8 decimals */
  results_free_table(t);
  program_runs("observe rdf,msd,lindemann open.yaml open/trajectory.xyz --from 0.001 -o seen --force");
  static const char *const tables[] = {"rdf", "msd", "lindemann"};
  for (int i = 0; i < 3; i++)
    same_table_of("open", "seen", tables[i], 0.02, 1e-4);
}

static void refused(const char *arguments, const char *words)
{
  program_refuses(words, "observe %s", arguments);
}

/* Built-in molecules are recognised by name, in any order. */
TEST(built_in_molecules_have_any_order)
{
  static const char water[2][80] = {"OW 0 0 0\nHW1 0.9572 0 0\nHW2 -0.24 0.927 0\n",
                                    "O 3 0.3 0\nH 3.9572 0.3 0\nH 2.76 1.227 0\n"},
                    ion[] = "Na 0 4 1\n";
  FILE *file = program_create("salt.yaml");
  fprintf(file,
          "system: {model: tip3p, molecules: 2, atoms: {Na+: 1}}\ngeometry: {method: settle}\n"
          "thermostat: {type: none, initial: zero}\nintegrator: {word: BAB, timestep: 1 fs, steps: 1}\n");
  ck_assert_int_eq(fclose(file), 0);
  for (int k = 0; k < 3; k++) {
    file = program_create("order.xyz");
    fprintf(file, "7\n\n%s%s%s", k == 0 ? ion : water[0], k == 1 ? ion : water[k == 0 ? 0 : 1],
            k == 2 ? ion : water[1]);
    ck_assert_int_eq(fclose(file), 0);
    program_runs("observe rdf salt.yaml order.xyz -o order%d", k);
    program_runs("observe rdf order.xyz --model tip3p -o alone%d", k);
    program_same("alone0", k == 0 ? "order0" : k == 1 ? "alone1" : "alone2", "rdf.csv");
    program_same("order0", k == 0 ? "alone0" : k == 1 ? "order1" : "order2", "rdf.csv");
  }
}

TEST(what_is_missing_is_said)
{
  refused(
      "rdf box.yaml run/trajectory.dcd -o no " VARIABLES PARTS,
      "rdf needs OW of residue SOL 5 (tip3p), which run/trajectory.dcd, with only part of the system, lacks");
  refused("msd box.yaml run/trajectory.dcd -o no " VARIABLES PARTS, "msd needs OW of residue SOL 5");
  refused("torsions box.yaml run/trajectory.xyz -o no", "no coordinate is named");
  refused("torsions box.yaml run/trajectory.dcd -o no " VARIABLES,
          "has 56 atoms, but box.yaml describes 416, and neither file nor input");
  refused("torsions box.yaml run/trajectory.dcd -o no --select protein " VARIABLES,
          "--select 'protein' selects no atom");
  refused("torsions box.yaml run/trajectory.dcd -o no --select 'name C and' " VARIABLES, "column 11");
  refused("torsions run/trajectory.dcd -o no --select protein", "needs an input file");
  refused("torsions box.yaml run/trajectory.xyz -o no --model tip3p " VARIABLES, "which sets it");
  refused("torsions box.yaml", "no trajectory given");
  refused("torsions none.yaml run/trajectory.xyz -o no", "none.yaml");
  program_do("sed 's/C1 /N1 /' run/trajectory.gro >other.gro");
  refused("torsions box.yaml other.gro -o no " VARIABLES, "atom 1 is 'N1', where box.molecules.yaml has C1");
  program_do("sed 's/^C /N /' run/trajectory.xyz >other.xyz");
  refused("torsions box.yaml other.xyz -o no " VARIABLES, "atom 1 is 'N', where box.molecules.yaml has C1");
  program_do("test ! -e no");
  observe("torsions", "said", "--select 'moltype butane' run/trajectory.dcd");
  same_table("said", "torsions", 0.02, 0.0);
}

int main(void)
{
  suite_fixture(false, run, NULL);
  return program_main("observe_input");
}
