/* Energy and forces of a cluster of 100 molecules against LAMMPS with equal constants. Skipped (exit code
 * 77) where the program `lmp` is not installed. */
#include "engine/units.h"
#include "forcefields/pair.h"
#include "tests/lammps.h"
#include "tests/norms.h"
#include "tests/scenes_random.h"
#include "tests/suite.h"

enum { N = 100, ATOMS = 3 * N };

typedef struct Answer {
  double energy[PAIR_TERMS], f[3 * ATOMS];
} Answer;

static void write_data(const WaterModel *model, const double *x, const char *folder)
{
  FILE *file = lammps_open(folder, "water.data", "w");
  const double scale = sqrt(UNITS_COULOMB / lammps_coulomb);
  fprintf(file,
          "water\n\n%d atoms\n%d bonds\n%d angles\n2 atom types\n1 bond types\n1 angle types\n"
          "-100 100 xlo xhi\n-100 100 ylo yhi\n-100 100 zlo zhi\n\nMasses\n\n1 15.9994\n2 1.008\n\nAtoms\n\n",
          ATOMS, 2 * N, N);
  for (int i = 0; i < ATOMS; i++)
    fprintf(file, "%d %d %d %.17g %.17g %.17g %.17g\n", i + 1, i / 3 + 1, i % 3 == 0 ? 1 : 2,
            scale * (i % 3 == 0 ? -2.0 : 1.0) * model->q_h, x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  fprintf(file, "\nBonds\n\n");
  for (int b = 0; b < 2 * N; b++)
    fprintf(file, "%d 1 %d %d\n", b + 1, 3 * (b / 2) + 1, 3 * (b / 2) + 2 + b % 2);
  fprintf(file, "\nAngles\n\n");
  for (int m = 0; m < N; m++)
    fprintf(file, "%d 1 %d %d %d\n", m + 1, 3 * m + 2, 3 * m + 1, 3 * m + 3);
  ck_assert_int_eq(fclose(file), 0);
}

static void write_script(const WaterModel *model, const char *folder)
{
  FILE *file = lammps_open(folder, "in.lmp", "w");
  const double sigma = pow(model->a / model->c, 1.0 / 6.0), epsilon = model->c * model->c / (4.0 * model->a);
  fprintf(file, "units real\nboundary s s s\natom_style full\n");
  if (model->d_om > 0.0)
    fprintf(file, "pair_style lj/cut/tip4p/cut 1 2 1 1 %.17g 150.0\n", model->d_om);
  else
    fprintf(file, "pair_style lj/cut/coul/cut 150.0\n");
  fprintf(file,
          "bond_style harmonic\nangle_style harmonic\nspecial_bonds lj/coul 0 0 0\nread_data water.data\n"
          "pair_coeff * * 0.0 1.0\npair_coeff 1 1 %.17g %.17g\nbond_coeff 1 0.0 %.17g\n"
          "angle_coeff 1 0.0 %.17g\nneigh_modify exclude molecule/intra all one 20000 page 400000\n"
          "dump d all custom 1 forces.txt id fx fy fz\ndump_modify d sort id format float %%.17g\n"
          "thermo_style custom step evdwl ecoul\nthermo_modify norm no\nrun 0\n"
          "print \"$(ecoul:%%.17g) $(evdwl:%%.17g)\" file energy.txt\n",
          epsilon, sigma, model->d_oh, model->angle);
  ck_assert_int_eq(fclose(file), 0);
}

static void read_answer(const char *folder, Answer *answer)
{
  FILE *file = lammps_open(folder, "energy.txt", "r");
  ck_assert_int_eq(fscanf(file, "%lf %lf", &answer->energy[PAIR_COULOMB], &answer->energy[PAIR_LJ]), 2);
  fclose(file);
  file = lammps_forces(folder);
  for (int i = 0; i < ATOMS; i++) {
    int id;
    double *f = answer->f + 3 * i;
    ck_assert_int_eq(fscanf(file, "%d %lf %lf %lf", &id, f, f + 1, f + 2), 4);
    ck_assert_int_eq(id, i + 1);
  }
  fclose(file);
}

static void ask_lammps(const WaterModel *model, const double *x, Answer *answer)
{
  char folder[64];
  lammps_begin(folder);
  write_data(model, x, folder);
  write_script(model, folder);
  lammps_run(folder);
  read_answer(folder, answer);
  lammps_end(folder);
}

/* One replica by the kernels. */
static void ask_kernels(const WaterModel *model, const Kind *kind, const double *x, Answer *answer)
{
  const int nmol = N;
  State *state;
  ForceField field = {.n = 1};
  const Team team = team_alone();
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(pair_create(&field.force[0], model, PAIR_DOUBLE, state, isa_best(), NULL), STATUS_OK);
  Block *block = &state->block[0];
  state_set(block, 1, block->q, 0, x);
  ck_assert_int_eq(force_field_compute(&field, &team, state, &(ForceSums){answer->energy, NULL}, NULL),
                   STATUS_OK);
  state_get(block, 1, block->f, 0, answer->f);
  force_field_free(&field);
  state_free(state);
}

static const char *const models[] = {"tip3p",    "spce", "tip4p", "tip4p2005", "tip4pew",
                                     "tip4pice", "opc",  "opc3",  "tip4pfb",   "tip3pfb"};
enum { MODELS = sizeof models / sizeof *models };

TEST(agrees_with_lammps, .rows = MODELS)
{
  const WaterModel *model = water_find(models[_i]);
  Kind *kind;
  static double x[3 * ATOMS];
  static Answer own, theirs;
  ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  scenes_random(kind, N, 42, 0.02, x);
  ask_kernels(model, kind, x, &own);
  ask_lammps(model, x, &theirs);
  ck_assert_double_lt(deviation(3 * ATOMS, own.f, theirs.f), 1e-9);
  for (int t = 0; t < PAIR_TERMS; t++)
    ck_assert_double_eq_tol(own.energy[t], theirs.energy[t], 1e-9 * fabs(theirs.energy[t]));
  kind_free(kind);
}

int main(void)
{
  if (suite_lacks("lmp"))
    return SUITE_SKIPPED;
  return suite_main("lammps");
}
