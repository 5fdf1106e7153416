/* What a system holds, by the key system.molecules as names and numbers: the doors to one system agree to the
 * bit, energies of mixed clusters are those of a plain sum, files may have built-in molecules in any order,
 * and what does not go together is refused in words. */
#include "engine/units.h"
#include "tests/model_input.h"
#include "tests/program.h"

static const char rest[] = "integrator: {word: BAOAB, timestep: 1 fs, steps: 40}\n"
                           "thermostat: {temperature: 150 K, friction: 1/ps}\n"
                           "output: {thermo_every: 10, report: false}\n";

/* Two atoms at a fixed distance, with charges, that mix as ions do; and where they are. */
static const char rod[] =
    "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes: {C: [3.4, 0.1], N: [3.2, 0.12]}\n"
    "molecules:\n  rod:\n    atoms:\n      - [CA, C, 0.2, 12.011]\n      - [NB, N, -0.2, 14.007]\n"
    "    constraints: [[1, 2, 1.4]]\n    exclude: 1\n";

/* Runs an input with this system section in a folder of that name. */
static void run(const char *name, const char *system, const char *more)
{
  char file[64], text[2048];
  const bool boxed = strstr(system, "density") != NULL || strstr(system, "box: file") != NULL;
  snprintf(file, sizeof file, "%s.yaml", name);
  snprintf(text, sizeof text, "system: {%s}\n%s%s%s", system, rest, boxed ? "forces: {cutoff: 5 A}\n" : "",
           more);
  program_write(file, text);
  program_runs("run %s -o %s", file, name);
}

static void same_runs(const char *one, const char *other)
{
  program_same(one, other, "thermo.csv");
  program_same(one, other, "final.xyz");
}

static void write_rod(void)
{
  program_write("rod.yaml", rod);
  program_write("rod.xyz", "2\nrod\nCA 0 0 0\nNB 0 0 1.4\n");
}

/* --- doors ------------------------------------------------------------------------------------------------
 */

TEST(one_water_is_a_model)
{
  static const char settle[] = "geometry: {method: settle}\n";
  run("model", "model: tip4p, molecules: 5, anneal: false", settle);
  run("names", "molecules: {tip4p: 5}, anneal: false", settle);
  same_runs("model", "names");
  program_same("model", "names", "built-start.xyz");
  run("salt", "model: tip3p, molecules: 60, density: 0.9 g/cm3, atoms: {Na+: 2, Cl-: 2}", settle);
  run("salt-names", "molecules: {tip3p: 60}, density: 0.9 g/cm3, atoms: {Na+: 2, Cl-: 2}", settle);
  same_runs("salt", "salt-names");
  program_refuses("system.molecules: given together with system.model", "check model.yaml --set "
                                                                        "'system.molecules={tip4p: 5}'");
}

/* A system that 'holonom build' has joined into one file is the one that names and numbers give. */
TEST(names_are_a_joined_file)
{
  static const char start[] = "start: file, file: mix.gro", keep[] = "geometry: {constrain: none}\n";
  char by_file[128], by_name[128];
  write_rod();
  program_runs("build --molecules rod.yaml=5,tip3p=20 --density 0.1 -o mix.gro");
  for (int open = 0; open < 2; open++) {
    const char *box = open ? "box: none" : "box: file";
    snprintf(by_file, sizeof by_file, "topology: mix.molecules.yaml, %s, %s", start, box);
    snprintf(by_name, sizeof by_name, "molecules: {rod.yaml: 5, tip3p: 20}, %s, %s", start, box);
    run(open ? "open-file" : "box-file", by_file, keep);
    run(open ? "open-names" : "box-names", by_name, keep);
    same_runs(open ? "open-file" : "box-file", open ? "open-names" : "box-names");
  }
  /* The folder's input names the file from there. */
  program_runs("run open-names/input.yaml -o again");
  same_runs("open-names", "again");
  program_runs("run open-names.yaml -o halves --set integrator.steps=20");
  program_runs("run open-names.yaml -o halves --resume");
  same_runs("open-names", "halves");
}

/* --- boxes that are built ---------------------------------------------------------------------------------
 */

TEST(a_mixture_is_built)
{
  write_rod();
  run("built", "molecules: {rod.yaml: 8, tip3p: 40}, atoms: {Na+: 1, Cl-: 1}, density: 0.8 g/cm3", "");
  ck_assert_double_eq(program_summary("built", "molecules"), 50.0);
  program_do("grep -q '^  rod: 8' built/summary.yaml && grep -q '^  tip3p: 40' built/summary.yaml");
  program_do("grep -q '^  Na+: 1' built/summary.yaml && grep -q '^density: 0.8 ' built/summary.yaml");
  /* A number of the command line leaves the order of the names. */
  program_runs("check built.yaml --set system.molecules.tip3p=35");
  program_says("45 molecules: 8 rod 35 tip3p 1 Na+ 1 Cl-");
  run("twice", "molecules: {rod.yaml: 8, tip3p: 40}, atoms: {Na+: 1, Cl-: 1}, density: 0.8 g/cm3", "");
  same_runs("built", "twice");
}

/* --- mixed clusters ---------------------------------------------------------------------------------------
 */

/* An ion and three waters, none of which is near another; the ion at index `ion` of the molecules. */
enum { WATERS = 3 };
static const double centre[WATERS][3] = {{2.4, 0.1, -0.2}, {-1.3, 2.2, 0.4}, {-0.9, -1.9, 1.6}};

static void place_water(const WaterModel *model, int w, double x[3][3])
{
  const double half = 0.5 * model->angle * M_PI / 180.0, turn = 0.7 + 1.1 * w;
  for (int i = 0; i < 3; i++)
    memcpy(x[i], centre[w], sizeof x[i]);
  for (int h = 0; h < 2; h++) {
    x[1 + h][0] += model->d_oh * cos(turn + (h == 0 ? half : -half));
    x[1 + h][1] += model->d_oh * sin(turn + (h == 0 ? half : -half));
  }
}

static void write_cluster(const char *name, const WaterModel *model, int ion)
{
  FILE *file = program_create(name);
  fprintf(file, "%d\n\n", 1 + 3 * WATERS);
  for (int w = 0; w <= WATERS; w++) {
    double x[3][3];
    if (w == ion)
      fprintf(file, "Na 0 0 0\n");
    if (w == WATERS)
      break;
    place_water(model, w, x);
    for (int i = 0; i < 3; i++)
      fprintf(file, "%s %.17g %.17g %.17g\n", i == 0 ? "O" : "H", x[i][0], x[i][1], x[i][2]);
  }
  ck_assert_int_eq(fclose(file), 0);
}

static double pair_energy(const double a[3], const double b[3], double charges, const double lj[2])
{
  const double r2 = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                    (a[2] - b[2]) * (a[2] - b[2]),
               r6 = r2 * r2 * r2;
  return UNITS_COULOMB * charges / sqrt(r2) + (lj != NULL ? lj[0] / (r6 * r6) - lj[1] / r6 : 0.0);
}

/* All pairs of sites of different molecules. */
static double plain_energy(const WaterModel *model)
{
  const SiteMap water = water_site_map(model), ion = atom_model_site_map(atom_model_find("Na+", model->name));
  const double origin[3] = {0.0, 0.0, 0.0};
  double unlike[2], sum = 0.0;
  atom_model_mix(&water, &ion, unlike);
  for (int v = 0; v < WATERS; v++) {
    double x[3][3], y[3][3];
    place_water(model, v, x);
    for (int i = 0; i < 3; i++) {
      sum += pair_energy(x[i], origin, water.charge[i] * ion.charge[0], i == 0 ? unlike : NULL);
      for (int w = 0; w < v; w++) {
        place_water(model, w, y);
        for (int k = 0; k < 3; k++)
          sum += pair_energy(x[i], y[k], water.charge[i] * water.charge[k], i + k == 0 ? water.lj : NULL);
      }
    }
  }
  return sum;
}

/* The energy of the start that the log of a run has. */
static double start_energy(const char *folder)
{
  char name[64];
  snprintf(name, sizeof name, "%s/holonom.log", folder);
  const char *words = strstr(program_read(name), "start: ");
  ck_assert_ptr_nonnull(words);
  for (const char *at = words; (at = strstr(at, "; ")) != NULL; at += 2) {
    char *end;
    const double value = strtod(at + 2, &end);
    if (strncmp(end, " kcal/mol", 9) == 0)
      return value;
  }
  ck_abort_msg("%s: no energy of the start", name);
  return 0.0;
}

TEST(a_mixed_cluster_has_the_energy_of_its_pairs)
{
  static const char mixture[] = "molecules: {tip3p: 3}, atoms: {Na+: 1}, start: file, file: %s.xyz";
  const WaterModel *model = water_find("tip3p");
  char system[128];
  for (int ion = 0; ion <= WATERS; ion += WATERS) { /* before all waters, and behind them */
    const char *name = ion == 0 ? "first" : "last";
    char path[32];
    snprintf(path, sizeof path, "%s.xyz", name);
    write_cluster(path, model, ion);
    snprintf(system, sizeof system, mixture, name);
    run(name, system, "geometry: {method: settle}\n");
    ck_assert_double_eq_tol(start_energy(name), plain_energy(model), 6e-5);
  }
  same_runs("first", "last");
  /* Energies of a frame, by the input and by names alone. */
  program_runs("energy last.xyz --model tip3p");
  const double total = program_number("total");
  ck_assert_double_eq_tol(total, plain_energy(model), 1e-9 * fabs(total));
  program_runs("energy first.yaml");
  ck_assert_double_eq_tol(program_number("potential"), total, 1e-9 * fabs(total));
  program_does("$P energy first.yaml last.xyz");
  program_do("grep -q '^  Na+: 1' first/summary.yaml");
}

/* The start of a mixture is its lowest minimum, whatever the seed, and is kept for other runs. */
TEST(a_mixed_cluster_is_built)
{
  static const char mixture[] = "molecules: {rod.yaml: 1, tip3p: 2}, atoms: {Cl-: 1}, seed: %d";
  double energy[2];
  write_rod();
  for (int i = 0; i < 2; i++) {
    char system[128], name[16];
    snprintf(system, sizeof system, mixture, 1 + i);
    snprintf(name, sizeof name, "seed%d", 1 + i);
    run(name, system, "");
    energy[i] = start_energy(name);
  }
  ck_assert_double_lt(energy[0], -20.0);
  ck_assert_double_eq_tol(energy[1], energy[0], 2e-4);
  program_runs("run seed1.yaml -o again-seed1 --start seed1");
  same_runs("seed1", "again-seed1");
}

/* Atoms need no box. */
TEST(atoms_alone_are_a_cluster)
{
  program_write("two.xyz", "3\n\nAr 0 0 0\nAr 3.8 0 0\nAr 0 3.9 0\n");
  run("argon", "atoms: {argon: 3}, start: file, file: two.xyz", "geometry: {method: none}\n");
  program_do("grep -q '^molecules: 3' argon/summary.yaml");
}

/* --- what is refused --------------------------------------------------------------------------------------
 */

TEST(what_does_not_go_together_is_refused)
{
  static const struct {
    const char *set, *words;
  } refused[] = {
      {"'system.molecules={tip3x: 6}'", "there is no water model and no file 'tip3x'; did you mean 'tip3p'"},
      {"'system.molecules={tip3p: 0}'",
       "system.molecules.tip3p: '0' is not a number of molecules; wanted: a whole number from 1"},
      {"'system.molecules={tip3p: 2, rod.yaml: some}'", "'some' is not a number of molecules"},
      {"'system.molecules={tip3p: 2, geometric.yaml: 1}'",
       "a file with the coordinates of one molecule is missing next to it (geometric.gro"},
      {"'system.molecules={tip3p: 2, geometric.yaml: 1, rod.yaml: 1}'",
       "all molecules of a system need the same rule"},
      {"'system.molecules={rod.yaml:stick: 2}'", "rod.yaml has no molecule 'stick'"},
      {"'system.molecules={rod.yaml: 2}' --set system.topology=rod.yaml", "given together with"},
      {"'system.molecules=[1, 2]'", "or 'name: number' lines"},
  };
  char text[sizeof rod];
  write_rod();
  strcpy(text, rod);
  memcpy(strstr(text, "lorentz-berthelot"), "geometric        ", strlen("lorentz-berthelot"));
  memcpy(strstr(text, "  rod:"), "  bar:", strlen("  rod:"));
  program_write("geometric.yaml", text);
  program_write("box.yaml",
                "system: {density: 0.5 g/cm3, molecules: {tip3p: 2}}\ngeometry: {method: rattle}\n"
                "integrator: {word: BAOAB, timestep: 1 fs, steps: 40}\nforces: {cutoff: 5 A}\n"
                "thermostat: {temperature: 150 K, friction: 1/ps}\n");
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    program_refuses(refused[i].words, "check box.yaml --set %s", refused[i].set);
}

/* In open space molecules of files overlap as waters do. */
TEST(overlaps_are_refused)
{
  write_rod();
  program_write("over.xyz", "4\n\nC 0 0 0\nN 0 0 1.4\nC 0 0.5 1.4\nN 0 0.5 2.8\n");
  program_write("over.yaml", "system: {molecules: {rod.yaml: 2}, start: file, file: over.xyz}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 40}\n"
                             "thermostat: {temperature: 150 K, friction: 1/ps}\n");
  program_refuses("molecules 1 and 2 overlap: N and C are 0.5 A apart", "run over.yaml -o over");
  ck_assert_msg(!program_exists("over/summary.yaml"), "a run was begun");
}

/* One water in open space has no potential energy and six degrees of freedom. */
TEST(one_molecule_is_a_system)
{
  program_write("one.yaml", "system: {model: tip4p, molecules: 1}\ngeometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, steps: 200}\n"
                            "thermostat: {temperature: 300 K, friction: 1/ps}\n");
  program_runs("run one.yaml -o one");
  program_says("mean potential: 0 +- 0");
  program_runs("check one.yaml");
}
