/* The flexible waters of examples/flexible-water: one by one what their papers say, together in runs that
 * keep their energy as steps allow, in a box and in open space. */
#include "engine/isa.h"
#include "forcefields/term_force.h"
#include "io/molecules_file.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "topology/groups.h"

#define DEBYE 4.80320 /* e A */

static const struct {
  const char *name;
  double length, angle; /* at rest, A and degrees */
  double dipole;        /* debye */
  double stretched;     /* energy of a bond 0.1 A too long, kcal/mol */
  double bent;          /* of an angle 10 degrees too wide           */
} waters[] = {
    {"tip3p-flexible", 0.9572, 104.52, 2.347, 450 * 0.01, 55 * 0.0304617},
    {"spc-fw", 1.012, 113.24, 2.193, 0.5 * 1059.162 * 0.01, 0.5 * 75.90 * 0.0304617},
    {"q-tip4p-f", 0.9419, 107.4, 2.194,
     116.09 * (0.2287 * 0.2287 - 0.2287 * 0.2287 * 0.2287 + 7. / 12 * 0.2287 * 0.2287 * 0.2287 * 0.2287),
     0.5 * 87.85 * 0.0304617}};
enum { WATERS = sizeof waters / sizeof *waters, STEPS = 60 };

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

static void put(double length, double other, double angle, double (*x)[3])
{
  const double turn = angle * M_PI / 180.0;
  memset(x, 0, 4 * sizeof *x);
  x[1][0] = length;
  x[2][0] = other * cos(turn);
  x[2][1] = other * sin(turn);
}

static double energy_of(const ForceField *field, const Topology *topology, State *state, const double (*x)[3],
                        double *most)
{
  double term[8], f[3 * 216][3], at[3 * 216][3], sum = 0.0;
  const Team team = team_alone();
  for (int i = 0; i < 3 * 216; i++)
    memcpy(at[i], x[i % 3], sizeof at[i]);
  topology_set(topology, state, STATE_POSITIONS, 0, at[0]);
  fine(force_field_compute(field, &team, state, &(ForceSums){term, NULL}, &error));
  topology_get(topology, state, STATE_FORCES, 0, f[0]);
  *most = 0.0;
  for (int k = 0; k < 9; k++)
    *most = fmax(*most, fabs(f[k / 3][k % 3]));
  for (int k = 0; k < force_field_terms(field); k++)
    sum += term[k] / 216;
  return sum;
}

TEST(one_is_as_published, .rows = WATERS)
{
  char path[4096];
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  State *state;
  Isa isa;
  ForceField field = {.n = 1};
  double x[4][3], most, dipole[2] = {0};
  const GroupsKeep keep = GROUPS_NONE;
  snprintf(path, sizeof path, "%s/examples/flexible-water/molecules/%s.yaml", getenv("HOLONOM_SOURCE"),
           waters[_i].name);
  fine(molecules_file_read(&molecules, path, &error));
  put(waters[_i].length, waters[_i].length, waters[_i].angle, x);
  const Molecule *const m = &molecules->molecule[0];
  fine(groups_create(&groups, molecules, &keep, (const double(*const[])[3]){(const double(*)[3])x}, &error));
  fine(groups_topology(groups, -1, &topology, &error));
  fine(topology_state(topology, 1, 1, 0, &state, &error));
  fine(isa_wanted(&isa, &error));
  fine(term_force_create(&field.force[0], topology, &groups->molecule[0].terms, state, isa, &error));
  ck_assert_double_eq_tol(energy_of(&field, topology, state, (const double(*)[3])x, &most), 0.0, 1e-9);
  ck_assert_double_le(most, 1e-6);
  for (int s = 0; s < m->nvirtual; s++)
    ck_assert(virtual_site_at(&m->site[s], (const double(*)[3])x, x[m->site[s].site]));
  for (int i = 0; i < m->natom; i++)
    for (int d = 0; d < 2; d++)
      dipole[d] += DEBYE * m->atom[i].charge * x[i][d];
  ck_assert_double_eq_tol(hypot(dipole[0], dipole[1]), waters[_i].dipole, 0.002);
  put(waters[_i].length, waters[_i].length + 0.1, waters[_i].angle, x);
  ck_assert_double_eq_tol(energy_of(&field, topology, state, (const double(*)[3])x, &most),
                          waters[_i].stretched, 1e-6);
  put(waters[_i].length, waters[_i].length, waters[_i].angle + 10.0, x);
  ck_assert_double_eq_tol(energy_of(&field, topology, state, (const double(*)[3])x, &most), waters[_i].bent,
                          1e-4);
  force_field_free(&field);
  state_free(state);
  topology_free(topology);
  groups_free(groups);
  molecules_free(molecules);
}

/* --- together ------------------------------------------------------------------------------------------- */

/* The largest distance of the total energy from its first. */
static double wander(const char *name, const char *box, double step)
{
  double most = 0.0;
  program_does("$P run run.yaml -o out --force --quiet --set system.topology=%s"
               "/examples/flexible-water/molecules/%s.yaml --set system.box=%s "
               "--set \"integrator.timestep=%g fs\" --set integrator.steps=%d "
               "--set output.thermo_every=%d%s",
               getenv("HOLONOM_SOURCE"), name, box, step, (int)(STEPS * 0.25 / step), (int)(1.0 / step),
               strcmp(box, "file") == 0 ? " --set precision=double" : "");
  ResultTable *t = program_table("out/thermo.csv");
  const ResultColumn *total = results_column(t, "total");
  ck_assert_ptr_nonnull(total);
  for (size_t i = 0; i < t->nrow; i++)
    most = fmax(most, fabs(total->value[i] - total->value[0]));
  results_free_table(t);
  return most;
}

/* Half a step leaves a quarter of the error; in a box what lists and the mesh leave comes to it. */
TEST(energies_are_kept_as_steps_allow, .rows = suite_rows(2, 2 * WATERS))
{
  const char *const name = waters[_i / 2].name;
  const bool box = _i % 2 == 0;
  if (SHORT && _i / 2 == 1) /* its terms are those of the first */
    return;
  program_write("run.yaml", "system: {topology: m.yaml, file: start.gro, box: file}\n"
                            "geometry: {method: none, constrain: none}\n"
                            "integrator: {word: BAB, timestep: 0.25 fs, steps: 10}\n"
                            "thermostat: {type: none, temperature: 300 K, initial: file}\n"
                            "output: {report: false, progress: false}\n");
  if (!program_exists("start.gro"))
    program_does("$P build --model tip4p --molecules 216 --equilibrate 0.1 -o start.gro -q");
  const double whole = wander(name, box ? "file" : "none", 0.25),
               half = wander(name, box ? "file" : "none", 0.125);
  ck_assert_msg(box || (whole > 3.6 * half && whole < 4.4 * half), "%s: %g and %g kcal/mol", name, whole,
                half);
  ck_assert_msg(half < 0.25 * whole + (box ? 0.1 : 0.1 * whole), "%s: %g and %g kcal/mol", name, whole, half);
}

/* The inputs of the folder, as they stand there. */
TEST(inputs_of_the_folder_run, .rows = WATERS)
{
  const char *const name = waters[_i].name;
  program_runs("run %s/examples/flexible-water/%s.yaml -o folder --quiet --force --set "
               "integrator.time= --set integrator.steps=20 --set output.equilibration=0",
               getenv("HOLONOM_SOURCE"), name);
  program_do("grep -q '^groups: 648 of 2 kinds, with 0 constraints' folder/holonom.log");
  ck_assert_double_eq(program_summary("folder", "steps"), 20.0);
}
