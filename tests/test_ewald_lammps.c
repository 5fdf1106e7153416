/* Boxes of water against LAMMPS with equal constants and a tight Ewald sum: energies, forces, pressures.
 * Skipped (exit code 77) where the program `lmp` is not installed. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/units.h"
#include "forcefields/ewald.h"
#include "tests/scenes_random.h"

enum { MOST = 500 };
static const double lammps_coulomb = 332.06371,
                    lammps_pressure = 68568.415; /* its qqr2e and nktv2p in units real */
static const double cutoff = 9.0;

typedef struct Answer {
  double lj, coulomb; /* lj with its tail */
  double pressure[6]; /* atm: xx yy zz xy xz yz, of the virial by atom */
  double f[9 * MOST];
} Answer;

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  ck_assert_msg(file != NULL, "cannot open %s", path);
  return file;
}

/* O, H, H and, where the model has one, the massless site M as an atom of its own, bonded so that it is
 * excluded. */
static void write_data(const WaterModel *model, int n, const Box *box, const double *x, const char *folder)
{
  FILE *file = open_in(folder, "water.data", "w");
  const double scale = sqrt(UNITS_COULOMB / lammps_coulomb), a = water_m_weight(model);
  const int sites = model->d_om > 0.0 ? 4 : 3, bonds = sites - 1;
  fprintf(file, "water\n\n%d atoms\n%d bonds\n3 atom types\n1 bond types\n", sites * n, bonds * n);
  for (int d = 0; d < 3; d++)
    fprintf(file, "0 %.17g %clo %chi\n", box->length[d], "xyz"[d], "xyz"[d]);
  fprintf(file, "\nMasses\n\n1 15.9994\n2 1.008\n3 1.0\n\nAtoms\n\n");
  for (int m = 0; m < n; m++)
    for (int s = 0; s < sites; s++) {
      const double *w = x + 9 * m;
      const double q = s == 0 ? (sites == 4 ? 0.0 : -2.0) : s < 3 ? 1.0 : -2.0;
      fprintf(file, "%d %d %d %.17g", sites * m + s + 1, m + 1,
              s == 0  ? 1
              : s < 3 ? 2
                      : 3,
              scale * q * model->q_h);
      for (int d = 0; d < 3; d++)
        fprintf(file, " %.17g", s < 3 ? w[3 * s + d] : (1.0 - 2.0 * a) * w[d] + a * (w[3 + d] + w[6 + d]));
      fprintf(file, "\n");
    }
  fprintf(file, "\nBonds\n\n");
  for (int b = 0; b < bonds * n; b++)
    fprintf(file, "%d 1 %d %d\n", b + 1, sites * (b / bonds) + 1, sites * (b / bonds) + 2 + b % bonds);
  ck_assert_int_eq(fclose(file), 0);
}

/* The real part by a fine table, of squared distances in float: forces to 1e-7. Its polynomial has errors of
 * 1e-6. */
static void write_script(const WaterModel *model, const char *folder)
{
  FILE *file = open_in(folder, "in.water", "w");
  const double sigma = pow(model->a / model->c, 1.0 / 6.0), epsilon = model->c * model->c / (4.0 * model->a);
  fprintf(
      file,
      "units real\nboundary p p p\natom_style full\npair_style lj/cut/coul/long %g\nbond_style zero\n"
      "special_bonds lj/coul 0 0 0\nread_data water.data\npair_coeff * * 0.0 1.0\npair_coeff 1 1 %.17g "
      "%.17g\n"
      "bond_coeff 1\npair_modify tail yes table 20 tabinner 0.1\nkspace_style ewald 1e-10\n"
      "dump d all custom 1 forces.txt id fx fy fz\ndump_modify d sort id format float %%.17g\n"
      "thermo_style custom step evdwl ecoul elong pxx pyy pzz pxy pxz pyz\nthermo_modify norm no\nrun 0\n"
      "print \"$(evdwl:%%.17g) $(ecoul+elong:%%.17g) $(pxx:%%.17g) $(pyy:%%.17g) $(pzz:%%.17g) $(pxy:%%.17g) "
      "$(pxz:%%.17g) $(pyz:%%.17g)\" file energy.txt\n",
      cutoff, epsilon, sigma);
  ck_assert_int_eq(fclose(file), 0);
}

static void read_answer(const WaterModel *model, int n, const char *folder, Answer *answer)
{
  const double a = water_m_weight(model);
  const int sites = model->d_om > 0.0 ? 4 : 3;
  FILE *file = open_in(folder, "energy.txt", "r");
  double *p = answer->pressure;
  ck_assert_int_eq(fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf", &answer->lj, &answer->coulomb, p, p + 1,
                          p + 2, p + 3, p + 4, p + 5),
                   8);
  fclose(file);
  file = open_in(folder, "forces.txt", "r");
  char line[256] = "";
  while (strncmp(line, "ITEM: ATOMS", 11) != 0)
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (int i = 0; i < sites * n; i++) {
    int id;
    double f[3], *to = answer->f + 9 * (i / sites);
    ck_assert_int_eq(fscanf(file, "%d %lf %lf %lf", &id, f, f + 1, f + 2), 4);
    ck_assert_int_eq(id, i + 1);
    for (int d = 0; d < 3; d++)
      if (i % sites < 3)
        to[3 * (i % sites) + d] = f[d];
      else
        for (int s = 0; s < 3; s++)
          to[3 * s + d] += (s == 0 ? 1.0 - 2.0 * a : a) * f[d];
  }
  fclose(file);
}

static void ask_lammps(const WaterModel *model, int n, const Box *box, const double *x, Answer *answer)
{
  char folder[] = "/tmp/holonom-lammps-XXXXXX", command[256];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  write_data(model, n, box, x, folder);
  write_script(model, folder);
  snprintf(command, sizeof command, "cd %s && lmp -in in.water -log none >out.txt 2>&1", folder);
  ck_assert_msg(system(command) == 0, "LAMMPS failed: see %s/out.txt", folder);
  read_answer(model, n, folder, answer);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}

static void ask_ewald(const WaterModel *model, const Kind *kind, int n, const Box *box, const double *x,
                      Answer *answer)
{
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const EwaldOptions options = {.accuracy = 1e-10, .lj_cutoff = cutoff};
  EwaldResult result;
  Error error = {0};
  ck_assert_msg(ewald_water_compute(model, kind, box, &options, n, x, answer->f, &result, &error) ==
                    STATUS_OK,
                "%s", error.text);
  answer->lj = result.energy[EWALD_LJ] + result.energy[EWALD_LJ_TAIL];
  answer->coulomb = result.energy[EWALD_REAL] + result.energy[EWALD_RECIPROCAL] + result.energy[EWALD_SELF] +
                    result.energy[EWALD_INTRAMOLECULAR];
  for (int k = 0; k < 6; k++)
    answer->pressure[k] = result.virial_atom[at[k][0]][at[k][1]] / box_volume(box) * lammps_pressure;
}

typedef struct Case {
  const char *model;
  int n;
  double spacing; /* of the lattice with 6 or 8 molecules along each side; scenes_random has 3.1 */
} Case;

static const Case cases[] = {
    {"tip3p", 216, 3.2}, {"tip3p", 500, 3.15}, {"spce", 216, 3.2}, {"tip4p", 216, 3.2}};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(agrees_with_lammps)
{
  const Case *c = &cases[_i];
  const WaterModel *model = water_find(c->model);
  const double side = c->spacing * (c->n > 216 ? 8 : 6);
  const Box box = {{side, side + 0.1, side + 0.3}};
  static double x[9 * MOST];
  static Answer own, theirs;
  Kind *kind;
  ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  scenes_random(kind, c->n, 42, 0.02, x);
  ask_ewald(model, kind, c->n, &box, x, &own);
  ask_lammps(model, c->n, &box, x, &theirs);
  double diff = 0.0, size = 0.0, largest = 0.0;
  for (int i = 0; i < 9 * c->n; i++) {
    diff += (own.f[i] - theirs.f[i]) * (own.f[i] - theirs.f[i]);
    size += theirs.f[i] * theirs.f[i];
  }
  for (int k = 0; k < 6; k++)
    largest = fmax(largest, fabs(theirs.pressure[k]));
  ck_assert_double_lt(sqrt(diff), 1e-6 * sqrt(size));
  ck_assert_double_eq_tol(own.lj, theirs.lj, 1e-9 * fabs(theirs.lj));
  /* Random orientations have almost no Coulomb energy; the liquid has about -10 kcal/mol a molecule. */
  ck_assert_double_eq_tol(own.coulomb, theirs.coulomb, 1e-7 * 10.0 * c->n);
  for (int k = 0; k < 6; k++)
    ck_assert_double_eq_tol(own.pressure[k], theirs.pressure[k], 1e-6 * largest);
  kind_free(kind);
}
END_TEST

int main(void)
{
  if (system("command -v lmp >/dev/null 2>&1") != 0) {
    puts("skipped: LAMMPS (lmp) is not installed");
    return 77;
  }
  Suite *suite = suite_create("ewald_lammps");
  TCase *tc = tcase_create("ewald_lammps");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, agrees_with_lammps, 0, CASES);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
