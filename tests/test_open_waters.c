/* Open clusters of rigid water of a file of molecules: the same kernels, and the same bits, as by the name of
 * the model. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/water.h"
#include "simulation/holonom.h"
#include "tests/files.h"
#include "tests/suite.h"

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
  good(hol_start(s, &e), &e);
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

START_TEST(molecules_of_a_file_move_as_the_model)
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
END_TEST

/* Anything beside rigid water has no forces in single precision. */
START_TEST(other_molecules_are_in_double)
{
  hol_error e;
  hol_simulation *s;
  files_text("atoms.yaml", "format: holonom-molecules 1\nrule: geometric\ntypes: {Ar: [3.4, 0.24]}\n"
                           "molecules:\n  argon:\n    atoms:\n      - [Ar, Ar, 0, 39.948]\nsystem:\n"
                           "  - [argon, 2]\n");
  files_text("atoms.xyz", "2\n\nAr 0 0 0\nAr 4 0 0\n");
  const char *path = files_text("input.yaml", "system: {topology: atoms.yaml, start: file, file: atoms.xyz}\n"
                                              "precision: mixed\nintegrator: {timestep: 1 fs, steps: 1}\n"
                                              "thermostat: {temperature: 20 K, friction: 5 1/ps}\n");
  ck_assert_int_eq(hol_open(&s, path, NULL, 0, &e), HOL_INPUT);
  ck_assert_msg(strstr(e.message, "precision: in open space 'mixed' is for rigid water") != NULL, "%s",
                e.message);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("doors"), *refused = tcase_create("refused");
  tcase_add_loop_test(tc, molecules_of_a_file_move_as_the_model, 0, CASES);
  tcase_add_test(refused, other_molecules_are_in_double);
  return files_main("open waters", tc, refused);
}
