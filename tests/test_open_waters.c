/* Open clusters of rigid water of a file of molecules: the same kernels, and the same bits, as by the name of
 * the model. */
#include "forcefields/water.h"
#include "simulation/holonom.h"
#include "tests/files.h"

enum { MOLECULES = 5, ATOMS = 3 * MOLECULES, STEPS = 20 };

static void good(hol_status status, const hol_error *error)
{
  ck_assert_msg(status == HOL_OK, "status %d: %s", (int)status, error->message);
}

/* The model as a molecule of a file, with all digits of its numbers. */
static void write_molecule(const WaterModel *m)
{
  const SiteMap map = water_site_map(m);
  char text[2048], virtual[512] = "", sites[512] = "";
  for (int v = 3; v < map.nsite; v++) {
    sprintf(sites + strlen(sites), "      - [L%d, H, %.17g, 0]\n", v, map.charge[v]);
    sprintf(virtual + strlen(virtual), "%s      - [%d, %s, 1, 2, 3, %.17g, %.17g",
            v == 3 ? "    virtual:\n" : "", v + 1, map.planar ? "3" : "3out", map.place[v][0],
            map.place[v][1]);
    sprintf(virtual + strlen(virtual), map.planar ? "]\n" : ", %.17g]\n", map.place[v][2]);
  }
  sprintf(
      text,
      "format: holonom-molecules 1\nrule: geometric\ntypes: {O: {c12: %.17g, c6: %.17g}, H: [0, 0]}\n"
      "molecules:\n  water:\n    atoms:\n      - [O, O, %.17g, %.17g]\n      - [H1, H, %.17g, %.17g]\n"
      "      - [H2, H, %.17g, %.17g]\n%s    constraints: [[1, 2, %.17g], [1, 3, %.17g], [2, 3, %.17g]]\n%s"
      "    exclude: 2\n%ssystem:\n  - [water, %d]\n",
      m->a, m->c, map.charge[0], WATER_MASS_O, m->q_h, WATER_MASS_H, m->q_h, WATER_MASS_H, sites, m->d_oh,
      m->d_oh, water_d_hh(m), virtual, map.nsite == 5 ? "    exclusions: [[4, 5]]\n" : "", MOLECULES);
  files_text("water.yaml", text);
}

static hol_simulation *opened(const char *system, const char *geometry, const char *precision, int replicas)
{
  static const char rest[] = "integrator: {word: BAOAB, timestep: 2 fs, steps: 100}\n"
                             "thermostat: {temperature: 200 K, friction: 5 1/ps}\n";
  char text[1024];
  hol_simulation *s;
  hol_error e;
  sprintf(text,
          "system: {%s, start: file, file: start.xyz, minimise: false}\ngeometry: {%s}\n%sprecision: %s\n"
          "ensemble: {replicas: %d}\n",
          system, geometry, rest, precision, replicas);
  good(hol_open(&s, files_text("input.yaml", text), NULL, 0, &e), &e);
  return s;
}

/* Molecules of the model's shape, each turned otherwise. */
static void write_start(const WaterModel *m)
{
  const double half = 0.5 * m->angle * acos(-1.0) / 180.0;
  char text[ATOMS * 100] = "";
  sprintf(text, "%d\n\n", ATOMS);
  for (int i = 0; i < MOLECULES; i++) {
    const double at[3] = {2.9 * (i % 2), 2.8 * (i / 2 % 2), 2.9 * (i / 4)}, turn = 1.3 * i;
    sprintf(text + strlen(text), "O %.17g %.17g %.17g\n", at[0], at[1], at[2]);
    for (int k = -1; k <= 1; k += 2)
      sprintf(text + strlen(text), "H %.17g %.17g %.17g\n", at[0] + m->d_oh * cos(turn + k * half),
              at[1] + m->d_oh * sin(turn + k * half), at[2]);
  }
  files_text("start.xyz", text);
}

/* The largest difference of forces, over the largest force, and of positions after some steps. */
typedef struct Difference {
  double force, after;
} Difference;

static Difference compare(hol_simulation *a, hol_simulation *b)
{
  hol_error e;
  Difference d = {0.0, 0.0};
  const int replicas = hol_replicas(a);
  good(hol_start(a, &e), &e);
  good(hol_start(b, &e), &e);
  double x[3 * ATOMS], y[3 * ATOMS], most = 0.0;
  for (int r = 0; r < replicas; r++) {
    good(hol_get(a, HOL_POSITIONS, r, x, &e), &e);
    good(hol_set(b, HOL_POSITIONS, r, x, &e), &e);
    good(hol_get(a, HOL_MOMENTA, r, x, &e), &e);
    good(hol_set(b, HOL_MOMENTA, r, x, &e), &e);
    good(hol_get(a, HOL_FORCES, r, x, &e), &e);
    good(hol_get(b, HOL_FORCES, r, y, &e), &e);
    for (int i = 0; i < 3 * ATOMS; i++) {
      most = fmax(most, fabs(x[i]));
      d.force = fmax(d.force, fabs(x[i] - y[i]));
    }
  }
  d.force /= most;
  good(hol_step(a, STEPS, &e), &e);
  good(hol_step(b, STEPS, &e), &e);
  for (int r = 0; r < replicas; r++) {
    good(hol_get(a, HOL_POSITIONS, r, x, &e), &e);
    good(hol_get(b, HOL_POSITIONS, r, y, &e), &e);
    for (int i = 0; i < 3 * ATOMS; i++)
      d.after = fmax(d.after, fabs(x[i] - y[i]));
  }
  return d;
}

static const struct {
  const char *model, *geometry, *precision;
  int replicas;
  double force, after; /* 0: to the bit; of virtual sites a file has other numbers for the same places */
} cases[] = {{"tip3p", "method: settle", "double", 1, 0.0, 0.0},
             {"tip3p", "method: settle", "double", 8, 0.0, 0.0},
             {"tip3p", "method: settle", "mixed", 16, 0.0, 0.0},
             {"spce", "method: penalty, w: 100", "mixed", 16, 0.0, 0.0},
             {"tip4p2005", "method: settle", "double", 8, 1e-13, 1e-10},
             {"tip4p2005", "method: settle", "mixed", 16, 1e-5, 1e-5},
             {"tip5p", "method: settle", "double", 1, 1e-13, 1e-10},
             {"tip5p", "method: settle", "mixed", 16, 1e-5, 1e-5}};
enum { CASES = sizeof cases / sizeof *cases };

/* The energies of the first isomers of a run's folder, and how many there are. */
static int read_isomers(const char *folder, double energy[8])
{
  char path[600], line[512];
  int n = 0;
  snprintf(path, sizeof path, "%s/isomers.csv", folder);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  while (n < 8 && fgets(line, sizeof line, file) != NULL)
    n += sscanf(line, "%*d,%lf,", &energy[n]) == 1;
  fclose(file);
  return n;
}

/* A wall that acts, a sphere, Fixman's potential and isomers do by both doors the same. */
TEST(keys_of_clusters_do_the_same)
{
  static const char *const door[] = {"model: tip3p", "topology: water.yaml"};
  const WaterModel *model = water_find("tip3p");
  double energy[2][8], wall[2];
  int n[2];
  write_molecule(model);
  write_start(model);
  for (int i = 0; i < 2; i++) {
    char system[256], folder[512];
    hol_error e;
    snprintf(system, sizeof system, "%s, wall: {radius: 2 A}, constraining_radius: 9 A, centre: true",
             door[i]);
    hol_simulation *s = opened(system, "method: settle, fixman: true",
                               "mixed\noutput: {isomers_every: 20, report: false}", 16);
    snprintf(folder, sizeof folder, "%s", files_path(i == 0 ? "by-model" : "by-file"));
    good(hol_run(s, folder, HOL_FORCE, &e), &e);
    double *value = calloc((size_t)hol_columns(s), sizeof *value);
    good(hol_look(s, 0, value, &e), &e);
    wall[i] = value[hol_column(s, "wall_energy")];
    free(value);
    n[i] = read_isomers(folder, energy[i]);
    hol_close(s);
  }
  ck_assert_double_gt(wall[0], 0.01);
  ck_assert_double_eq_tol(wall[1], wall[0], 1e-3);
  ck_assert_int_gt(n[0], 0);
  ck_assert_int_eq(n[1], n[0]);
  for (int k = 0; k < n[0]; k++)
    ck_assert_double_eq_tol(energy[1][k], energy[0][k], 1e-4);
}

enum { MIXED = 7 }; /* atoms of an ion and two waters */

static void write_mixture(void)
{
  files_text(
      "mixed.yaml",
      "format: holonom-molecules 1\nrule: geometric\n"
      "types: {Na: [2.4, 0.09], O: {c12: 582000, c6: 595}, H: [0, 0]}\nmolecules:\n  ion:\n    atoms:\n"
      "      - [Na, Na, 1, 22.99]\n  water:\n    atoms:\n      - [O, O, -0.834, 15.9994]\n"
      "      - [H1, H, 0.417, 1.008]\n      - [H2, H, 0.417, 1.008]\n"
      "    constraints: [[1, 2, 1], [1, 3, 1], [2, 3, 1.6]]\n    exclude: 2\n"
      "system:\n  - [ion, 1]\n  - [water, 2]\n");
  files_text("start.xyz", "7\n\nNa 0 0 0\nO 2.4 0 0\nH 3 0.8 0\nH 3 -0.8 0\nO 0 -2.5 0\nH 0.8 -3.1 0\n"
                          "H -0.8 -3.1 0\n");
}

/* Of a mixture a wall pulls the first atom of each group back by k (r - R), and leaves the others alone. */
TEST(a_wall_holds_a_mixture)
{
  static const char *const wall[] = {"", ", wall: {radius: 1 A, stiffness: 8 kcal/mol/A^2}"};
  hol_error e;
  double f[2][3 * MIXED], x[3 * MIXED];
  write_mixture();
  for (int i = 0; i < 2; i++) {
    char system[256];
    snprintf(system, sizeof system, "topology: mixed.yaml, centre: true%s", wall[i]);
    hol_simulation *s = opened(system, "method: rattle, fixman: true", "double", 1);
    good(hol_start(s, &e), &e);
    good(hol_get(s, HOL_POSITIONS, 0, x, &e), &e);
    good(hol_get(s, HOL_FORCES, 0, f[i], &e), &e);
    ck_assert_int_eq(hol_column(s, "wall_energy") >= 0, i);
    hol_close(s);
  }
  int outside = 0;
  for (int a = 0; a < MIXED; a++) {
    const double r = hypot(hypot(x[3 * a], x[3 * a + 1]), x[3 * a + 2]);
    const bool held = (a < 2 || a == 4) && r > 1.0;
    outside += held;
    for (int d = 0; d < 3; d++)
      ck_assert_double_eq_tol(f[1][3 * a + d] - f[0][3 * a + d],
                              held ? -8.0 * (r - 1.0) * x[3 * a + d] / r : 0.0, 1e-9);
  }
  ck_assert_int_ge(outside, 1);
}

TEST(molecules_of_a_file_move_as_the_model, .rows = CASES)
{
  const WaterModel *model = water_find(cases[_i].model);
  char by_model[64];
  write_molecule(model);
  write_start(model);
  sprintf(by_model, "model: %s", cases[_i].model);
  hol_simulation *a = opened(by_model, cases[_i].geometry, cases[_i].precision, cases[_i].replicas),
                 *b = opened("topology: water.yaml", cases[_i].geometry, cases[_i].precision,
                             cases[_i].replicas);
  const Difference d = compare(a, b);
  ck_assert_msg(d.force <= cases[_i].force, "forces differ by a share of %g", d.force);
  ck_assert_msg(d.after <= cases[_i].after, "positions differ by %g A", d.after);
  hol_close(a);
  hol_close(b);
}

/* The system of a wall's test by its text, in one precision. */
static hol_simulation *opened_mixture(const char *precision, int replicas)
{
  write_mixture();
  return opened("topology: mixed.yaml, centre: true", "method: rattle", precision, replicas);
}

/* Single precision serves mixtures: forces are those of double precision to its rounding, energies to 1e-12.
 */
TEST(mixtures_take_single_precision, .rows = 2)
{
  const int replicas = _i == 0 ? 1 : 16;
  hol_error e;
  double f[2][3 * MIXED], *value[2], off = 0.0, all = 0.0;
  for (int k = 0; k < 2; k++) {
    hol_simulation *s = opened_mixture(k == 0 ? "double" : "mixed", replicas);
    const int columns = hol_columns(s), potential = hol_column(s, "potential");
    value[k] = calloc((size_t)columns, sizeof **value);
    good(hol_start(s, &e), &e);
    good(hol_get(s, HOL_FORCES, replicas - 1, f[k], &e), &e);
    good(hol_look(s, replicas - 1, value[k], &e), &e);
    value[k][0] = value[k][potential];
    hol_close(s);
  }
  ck_assert_double_eq_tol(value[1][0], value[0][0], 1e-12 * fabs(value[0][0]));
  for (int i = 0; i < 3 * MIXED; i++) {
    off += pow(f[1][i] - f[0][i], 2);
    all += pow(f[0][i], 2);
  }
  ck_assert_double_gt(off, 0.0);
  ck_assert_double_le(sqrt(off), 2e-6 * sqrt(all));
  free(value[0]);
  free(value[1]);
}

/* The temperatures of a ladder are chosen by acceptance for a model alone. */
TEST(ladders_of_files_name_their_temperatures)
{
  hol_error e;
  hol_simulation *s;
  write_mixture();
  const char *path = files_text("input.yaml", "system: {topology: mixed.yaml, start: file, file: start.xyz}\n"
                                              "geometry: {method: rattle}\n"
                                              "integrator: {timestep: 1 fs, steps: 1}\n"
                                              "thermostat: {friction: 5 1/ps}\n"
                                              "exchange: {lowest: 20 K, highest: 40 K, acceptance: 0.3}\n");
  ck_assert_int_eq(hol_open(&s, path, NULL, 0, &e), HOL_INPUT);
  ck_assert_msg(strstr(e.message, "determines it only for system.model") != NULL, "%s", e.message);
}
