/* The program's own molecule types: their texts give the kinds and sites of the models, and a system by model
 * is the system by a file of the same molecules. */
#include "forcefields/water_molecule.h"
#include "io/molecules_join.h"
#include "simulation/holonom.h"
#include "tests/program.h"

/* A box of each sort: all sites of a water on atoms, in their plane, or out of it; no water. */
static const struct {
  const char *model, *atoms[2];
  int waters, each;
} box[] = {{"tip3p", {"Na+", "Cl-"}, 60, 2},    {"tip4pew", {"Na+", "Cl-"}, 60, 2},
           {"tip5p", {"Na+", "Cl-"}, 60, 2},    {"spce", {"argon", NULL}, 60, 3},
           {NULL, {"argon", "krypton"}, 0, 30}, {"tip5p", {NULL}, 64, 0}};
enum { BOXES = sizeof box / sizeof *box, TEXT = 1 << 16 };

static void make_groups(const char *text, const Kind *kind, Molecules **molecules, Groups **groups)
{
  Error error = {0};
  const GroupsKeep keep = GROUPS_NONE;
  double x[SITE_MAP_SITES][3] = {{0.0}};
  const double(*const first)[3] = memcpy(x, kind->reference, (size_t)kind->nsite * sizeof *x);
  const MoleculesPart part = {.path = "text", .text = text, .n = 1};
  char *joined;
  ck_assert_msg(molecules_join(1, &part, &joined, molecules, &error) == STATUS_OK, "%s", error.text);
  free(joined);
  (*molecules)->builtin = true;
  ck_assert_msg(groups_create(groups, *molecules, &keep, &first, &error) == STATUS_OK, "%s", error.text);
}

static int models(void)
{
  int n = 0;
  while (water_models[n].name != NULL)
    n++;
  return n;
}

/* Masses and geometry are the model's to the last bit, and the kernels of water find it. */
TEST(texts_are_their_models, .rows = models())
{
  const WaterModel *const model = &water_models[_i];
  const double mass[] = {17.1, 2.3};
  char text[WATER_MOLECULE_TEXT], why[256];
  Molecules *molecules;
  Groups *groups;
  Kind *kind;
  WaterMolecule found;
  ck_assert_int_eq(water_kind(model, mass[0], mass[1], &kind, NULL), STATUS_OK);
  water_molecule_text(model, mass, text, sizeof text);
  ck_assert_uint_lt(strlen(text), WATER_MOLECULE_TEXT - 1);
  make_groups(text, kind, &molecules, &groups);
  const Kind *const own = groups->kind[0];
  ck_assert_int_eq(groups->nkind, 1);
  ck_assert_str_eq(own->name, model->name);
  ck_assert_int_eq(own->ncon, kind->ncon);
  ck_assert_mem_eq(own->mass, kind->mass, 3 * sizeof(double));
  ck_assert_mem_eq(own->reference, kind->reference, 9 * sizeof(double));
  for (int c = 0; c < 3; c++) {
    ck_assert_double_eq(own->con[c].param[0], kind->con[c].param[0]);
    ck_assert_mem_eq(own->con[c].site, kind->con[c].site, 2 * sizeof *own->con[c].site);
  }
  water_molecule_find(groups, 2, &found, why, sizeof why);
  ck_assert_msg(found.molecule == 0, "%s", why);
  const SiteMap map = water_site_map(&found.model), wanted = water_site_map(model);
  ck_assert_int_eq(map.nsite, wanted.nsite);
  for (int s = 0; s < map.nsite; s++) {
    ck_assert_double_eq_tol(map.charge[s], wanted.charge[s], 1e-14);
    for (int k = 0; k < 3 && s >= map.natom; k++)
      ck_assert_double_eq_tol(fabs(map.place[s][k]), fabs(wanted.place[s][k]), 1e-12);
  }
  ck_assert_double_eq(map.lj[0], wanted.lj[0]);
  groups_free(groups);
  molecules_free(molecules);
  kind_free(kind);
}

static const char run[] = "geometry: {method: %s}\nforces: {truncation: switch, %s}\nprecision: %s\n"
                          "integrator: {word: BAOAB, timestep: 1 fs, steps: 1}\n"
                          "thermostat: {temperature: 300, friction: 1/ps}\n";

/* In a box by a file pairs of TIP5P are cut by atom, and the mesh is chosen for its charges as those of
 * atoms. */
static const char *cut(int b)
{
  return box[b].model != NULL && strcmp(box[b].model, "tip5p") == 0
             ? "by: atom, cutoff: 4 A, beta: 0.7, order: 6, grid: 24"
             : "cutoff: 5.5 A";
}

/* The molecules of a box as a file, as names in files are. */
static void write_molecules(int b)
{
  static char text[3][WATER_MOLECULE_TEXT];
  MoleculesPart part[3];
  int n = 0;
  char *joined;
  Molecules *molecules;
  Error error = {0};
  if (box[b].model != NULL) {
    water_molecule_text(water_find(box[b].model), NULL, text[n], sizeof text[n]);
    part[n] = (MoleculesPart){.path = "water", .text = text[n], .n = box[b].waters, .any_rule = true};
    n++;
  }
  for (int k = 0; k < 2 && box[b].atoms[k] != NULL; k++, n++) {
    water_molecule_atom_text(atom_model_find(box[b].atoms[k], box[b].model), text[n], sizeof text[n]);
    part[n] = (MoleculesPart){.path = "atom", .text = text[n], .n = box[b].each};
  }
  ck_assert_msg(molecules_join(n, part, &joined, &molecules, &error) == STATUS_OK, "%s", error.text);
  program_write("molecules.yaml", joined);
  free(joined);
  molecules_free(molecules);
}

static hol_simulation *open(const char *text)
{
  char name[512];
  hol_error error;
  hol_simulation *s;
  (void)snprintf(name, sizeof name, "%s/input.yaml", program_scratch);
  ck_assert_msg(hol_open_text(&s, name, text, NULL, 0, &error) == HOL_OK, "%s", error.message);
  return s;
}

static hol_simulation *open_by_model(int b, const char *precision)
{
  char text[TEXT], atoms[128] = "";
  const char *const method = box[b].model != NULL ? "settle" : "none";
  size_t n = 0;
  for (int k = 0; k < 2 && box[b].atoms[k] != NULL; k++)
    n += (size_t)snprintf(atoms + n, sizeof atoms - n, "%s%s: %d", k > 0 ? ", " : ", atoms: {",
                          box[b].atoms[k], box[b].each);
  n = (size_t)snprintf(text, sizeof text, "system: {seed: 3, box: 12.6, minimise: false%s%s", atoms,
                       n > 0 ? "}" : "");
  if (box[b].model != NULL)
    n += (size_t)snprintf(text + n, sizeof text - n, ", model: %s, molecules: %d", box[b].model,
                          box[b].waters);
  n += (size_t)snprintf(text + n, sizeof text - n, "}\n");
  (void)snprintf(text + n, sizeof text - n, run, method, cut(b), precision);
  return open(text);
}

static hol_simulation *open_by_file(int b, const double *x, const char *precision)
{
  static const char *const water[] = {"O", "H", "H"};
  char text[TEXT];
  const int waters = 3 * box[b].waters;
  const int sites =
      waters + (box[b].atoms[0] != NULL) * box[b].each + (box[b].atoms[1] != NULL) * box[b].each;
  write_molecules(b);
  FILE *file = program_create("start.xyz");
  fprintf(file, "%d\nLattice=\"12.6 0 0 0 12.6 0 0 0 12.6\" Properties=species:S:1:pos:R:3\n", sites);
  for (int i = 0; i < sites; i++) {
    const int k = i < waters ? 0 : (i - waters) / box[b].each;
    fprintf(file, "%s %.17g %.17g %.17g\n",
            i < waters ? water[i % 3] : atom_model_find(box[b].atoms[k], box[b].model)->symbol, x[3 * i],
            x[3 * i + 1], x[3 * i + 2]);
  }
  ck_assert_int_eq(fclose(file), 0);
  const int n = snprintf(text, sizeof text,
                         "system: {topology: molecules.yaml, file: start.xyz, box: file, seed: 3}\n");
  (void)snprintf(text + n, sizeof text - (size_t)n, run, "rattle", cut(b), precision);
  return open(text);
}

/* Energy, forces and virial at x are the same to rounding. */
static void same_forces(hol_simulation *model, hol_simulation *file, const double *x, double tolerance)
{
  const size_t n = 3 * (size_t)hol_sites(model);
  hol_simulation *const both[] = {model, file};
  double energy[2], virial[2][9], square = 0.0, *f[2];
  hol_error e;
  for (int k = 0; k < 2; k++) {
    f[k] = calloc(n, sizeof *f[k]);
    ck_assert_ptr_nonnull(f[k]);
    ck_assert_msg(hol_evaluate(both[k], 0, x, &energy[k], f[k], virial[k], &e) == HOL_OK, "%s", e.message);
  }
  for (size_t i = 0; i < n; i++)
    square += f[0][i] * f[0][i] / (double)n;
  ck_assert_double_eq_tol(energy[1], energy[0], tolerance * fabs(energy[0]));
  for (size_t i = 0; i < n; i++)
    ck_assert_double_eq_tol(f[1][i], f[0][i], tolerance * sqrt(square) * 10.0);
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(virial[1][k], virial[0][k], tolerance * fabs(energy[0]) * 10.0);
  free(f[0]);
  free(f[1]);
}

/* By system.model and by system.topology: energy, forces and virial are the same to rounding. */
TEST(both_doors_lead_to_one_system, .rows = 2 * BOXES)
{
  const int b = _i / 2;
  const char *const precision = _i % 2 == 0 ? "double" : "mixed";
  const double tolerance = _i % 2 == 0 ? 1e-9 : 2e-5;
  hol_simulation *model = open_by_model(b, precision), *file;
  hol_error e;
  ck_assert_msg(hol_start(model, &e) == HOL_OK, "%s", e.message);
  double *x = calloc(3 * (size_t)hol_sites(model), sizeof *x);
  ck_assert_ptr_nonnull(x);
  ck_assert_int_eq(hol_get(model, HOL_POSITIONS, 0, x, &e), HOL_OK);
  file = open_by_file(b, x, precision);
  ck_assert_msg(hol_start(file, &e) == HOL_OK, "%s", e.message);
  ck_assert_int_eq(hol_sites(file), hol_sites(model));
  same_forces(model, file, x, tolerance);
  hol_close(model);
  hol_close(file);
  free(x);
}

/* Writes start.xyz, the built box, and points.xyz, where some atoms are elsewhere. */
static void write_positions(int b, const double *x, int n)
{
  static const char *const water[] = {"O", "H", "H"};
  static const char *const name[] = {"start.xyz", "points.xyz"};
  for (int k = 0; k < 2; k++) {
    FILE *file = program_create(name[k]);
    fprintf(file, "%d\nLattice=\"12.6 0 0 0 12.6 0 0 0 12.6\" Properties=species:S:1:pos:R:3\n", n);
    for (int i = 0; i < n; i++) {
      const int other = i - 3 * box[b].waters;
      fprintf(file, "%s %.17g %.17g %.17g\n",
              other < 0 ? water[i % 3]
                        : atom_model_find(box[b].atoms[other / box[b].each], box[b].model)->symbol,
              x[3 * i] + (k > 0 && other < 0 ? 0.3 : 0.0), x[3 * i + 1],
              x[3 * i + 2] - (k > 0 && other >= 0 ? 0.4 : 0.0));
    }
    ck_assert_int_eq(fclose(file), 0);
  }
}

/* The same restraints, in open space or in the box. Built-in molecules have the names that GRO files show. */
static hol_simulation *open_restrained(int b, bool by_model, bool open_space)
{
  char text[TEXT], contents[64] = "topology: molecules.yaml";
  if (by_model)
    (void)snprintf(contents, sizeof contents, "model: %s", box[b].model);
  (void)snprintf(text, sizeof text,
                 "system: {%s, file: start.xyz, start: file, box: %s, minimise: false}\n"
                 "restraints:\n  - {atoms: name OW HW2 %s, k: [3, 4, 5], file: points.xyz}\n"
                 "  - {name: d, coordinate: distance, atoms: [index 3:5, index %d], k: 2, centre: 4 A}\n"
                 "  - {coordinate: angle, atoms: [index 4, index 3, index 8], k: 30, centre: 120}\n"
                 "  - {coordinate: gyration, atoms: resid 1 2 and resname SOL, k: 7, centre: 5 A}\n"
                 "geometry: {method: %s}\n%sprecision: double\n"
                 "integrator: {word: BAOAB, timestep: 1 fs, steps: 1}\n"
                 "thermostat: {temperature: 300, friction: 1/ps}\n",
                 contents, open_space ? "none" : "file", by_model ? "NA" : "Na", 3 * box[b].waters + 1,
                 by_model ? "settle" : "rattle",
                 open_space ? "" : "forces: {truncation: switch, cutoff: 5.5 A}\n");
  return open(text);
}

/* The value of a column. */
static double column_of(hol_simulation *s, const char *name)
{
  hol_error e;
  double value[64];
  const int i = hol_column(s, name);
  ck_assert(i >= 0 && hol_columns(s) <= 64);
  ck_assert_msg(hol_look(s, 0, value, &e) == HOL_OK, "%s", e.message);
  return value[i];
}

/* Built-in water and ions take the restraints of molecules of a file, with the same forces. */
TEST(both_doors_take_restraints, .rows = 6)
{
  const int b = _i / 2;
  const bool open_space = _i % 2 == 1;
  hol_error e;
  hol_simulation *built = open_by_model(b, "double");
  ck_assert_msg(hol_start(built, &e) == HOL_OK, "%s", e.message);
  const int sites = hol_sites(built);
  double *x = calloc(3 * (size_t)sites, sizeof *x);
  ck_assert_ptr_nonnull(x);
  ck_assert_int_eq(hol_get(built, HOL_POSITIONS, 0, x, &e), HOL_OK);
  hol_close(built);
  write_molecules(b);
  write_positions(b, x, sites);
  hol_simulation *s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = open_restrained(b, k == 0, open_space);
    ck_assert_msg(hol_start(s[k], &e) == HOL_OK, "%s", e.message);
    const double points = 60.0 * 0.5 * 3.0 * 0.09 * 2.0 + box[b].each * 0.5 * 5.0 * 0.16;
    ck_assert_double_eq_tol(column_of(s[k], "restraint"), points, 1e-6 * points);
    ck_assert_double_gt(column_of(s[k], "coordinate_restraint"), 1.0);
  }
  ck_assert_double_eq_tol(column_of(s[0], "coordinate_restraint"), column_of(s[1], "coordinate_restraint"),
                          1e-9 * column_of(s[1], "coordinate_restraint"));
  if (b < 2) /* the box of TIP5P is cut by molecule or by atom */
    same_forces(s[0], s[1], x, 1e-9);
  hol_close(s[0]);
  hol_close(s[1]);
  free(x);
}
