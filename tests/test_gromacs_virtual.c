/* Virtual sites of every kind as GROMACS has them (gmx_d): a topology imported, energies, forces on atoms
 * with mass and, in a box, the virial. Skipped without. */
#include "engine/isa.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/atoms_input.h"
#include "forcefields/open_pairs.h"
#include "forcefields/periodic.h"
#include "forcefields/term_force.h"
#include "io/molecules_file.h"
#include "tests/gromacs_answers.h"
#include "tests/suite.h"

/* Four atoms that place nine sites, on a lattice. */
enum { PARENTS = 4, ALL = 13, EDGE = 3, MOLECULES = EDGE * EDGE * EDGE, ATOMS = MOLECULES * ALL };

static const char topology_text[] =
    "[ defaults ]\n1 2 no 1 1\n[ atomtypes ]\n"
    "A 12 0 A 0.28 0.4\nB 1 0 A 0.12 0.2\nS 0 0 D 0.06 0.1\nN 0 0 D 0 0\n"
    "[ moleculetype ]\nall 3\n[ atoms ]\n"
    "1 A 1 all I 1 0.2 12\n2 B 1 all J 2 0.1 1\n3 B 1 all K 3 -0.3 1\n4 A 1 all L 4 -0.05 16\n"
    "5 S 1 all S2 5 0.3 0\n6 N 1 all S3 6 -0.4 0\n7 S 1 all SD 7 0.35 0\n8 S 1 all SA 8 -0.45 0\n"
    "9 N 1 all SO 9 0.25 0\n10 S 1 all SF 10 0.2 0\n11 S 1 all SN 11 -0.2 0\n"
    "12 S 1 all SM 12 -0.15 0\n13 N 1 all SW 13 0.15 0\n"
    "[ bonds ]\n1 2 1 0.15 300000\n1 3 1 0.145 300000\n1 4 1 0.16 300000\n"
    "[ virtual_sites2 ]\n5 2 1 1 0.4\n10 4 1 2 0.21\n[ virtual_sites4 ]\n11 1 2 3 4 2 0.9 1.1 -0.12\n"
    "[ virtual_sites3 ]\n6 1 2 3 1 0.3 0.5\n7 2 1 3 2 0.6 0.11\n8 1 2 4 3 115 0.1\n9 1 4 3 4 -0.3 -0.4 5\n"
    "[ virtual_sitesn ]\n12 2 4 2 1\n13 3 3 0.2 1 0.5\n"
    "[ exclusions ]\n5 1 2 3 4 6 7 8 9 10 11 12 13\n6 1 2 3 4 7 8 9 10 11 12 13\n7 1 2 3 4 8 9 10 11 12 13\n"
    "8 1 2 3 4 10 11 12 13\n9 1 2 3 4 10 11 12 13\n10 1 2 3 4 11 12 13\n11 1 2 3 4 12 13\n12 1 2 3 4 13\n"
    "13 1 2 3 4\n"
    "[ system ]\nall\n[ molecules ]\nall 27\n";
static const double parents_at[PARENTS][3] = {
    {0, 0, 0}, {1.5, 0.1, 0.2}, {-0.5, 1.3, 0.4}, {-0.6, -0.9, 1.2}};

static const char common[] =
    "integrator = md\nnsteps = 0\ncutoff-scheme = Verlet\nverlet-buffer-tolerance = -1\nnstlist = 1\n"
    "vdw-modifier = None\ncoulomb-modifier = None\ncontinuation = no\n"
    "nstenergy = 1\nnstcalcenergy = 1\nnstfout = 1\n";
static const struct {
  double side; /* nm */
  const char *settings;
} cases[] = {{12.0, "rlist = 4\nrcoulomb = 4\nrvdw = 4\ncoulombtype = reaction-field\nepsilon-rf = 1\n"},
             {2.0, "rlist = 0.9\nrcoulomb = 0.9\nrvdw = 0.9\ncoulombtype = PME\newald-rtol = 1e-9\n"
                   "pme-order = 12\nfourier-nx = 64\nfourier-ny = 64\nfourier-nz = 64\n"}};

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

/* To thousandths of a nanometre, which the file has. Sites stand where they are put anyhow. */
static void write_start(double side)
{
  static char file[ATOMS * 70 + 200];
  static const char *const name[ALL] = {"I",  "J",  "K",  "L",  "S2", "S3", "SD",
                                        "SA", "SO", "SF", "SN", "SM", "SW"};
  RandomStream stream = random_stream(3, 0, RANDOM_TEST);
  size_t n = (size_t)sprintf(file, "all\n%d\n", ATOMS);
  for (int i = 0; i < ATOMS; i++) {
    const int m = i / ALL, k = i % ALL, at[3] = {m % EDGE, m / EDGE % EDGE, m / EDGE / EDGE};
    n += (size_t)sprintf(file + n, "%5d%-5s%5s%5d", m + 1, "all", name[k], i + 1);
    for (int d = 0; d < 3; d++)
      n += (size_t)sprintf(file + n, "%8.3f",
                           0.1 * ((k < PARENTS ? parents_at[k] : parents_at[0])[(d + m) % 3] +
                                  (k < PARENTS ? 0.05 * random_normal(&stream) : 0.0)) +
                               0.66 * at[d] + 0.3 + (side > 3.0 ? 4.0 : 0.0));
    n += (size_t)sprintf(file + n, "\n");
  }
  sprintf(file + n, "%10.5f%10.5f%10.5f\n", side, side, side);
  program_write("conf.gro", file);
}

static void run_gromacs(int which)
{
  char settings[2048];
  snprintf(settings, sizeof settings, "%s%s", common, cases[which].settings);
  program_write("topol.top", topology_text);
  write_start(cases[which].side);
  program_write("e.mdp", settings);
  program_does("gmx_d -quiet -nobackup grompp -f e.mdp -c conf.gro -p topol.top -o e.tpr -maxwarn 9 "
               "&& gmx_d -quiet -nobackup mdrun -s e.tpr -ntmpi 1 -ntomp 1 -pin off -deffnm e "
               "&& seq 1 60 >names && echo >>names "
               "&& gmx_d -quiet -nobackup energy -f e.edr -o e.xvg -dp <names && echo 0 >all "
               "&& gmx_d -quiet -nobackup traj -f e.trr -s e.tpr -of f.xvg -fp <all");
}

/* Ours, forces in the order of the file: energies of bonds, Lennard-Jones and charges. */
static void compute(int which, const double (*x)[3], double energy[3], double virial[3][3], double (*f)[3])
{
  char path[4096];
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  State *state;
  AtomsInput input;
  Isa isa;
  ForceField field = {.n = 2};
  double at[ATOMS][3], term[16];
  const GroupsKeep keep = GROUPS_NONE;
  const Team team = team_alone();
  snprintf(path, sizeof path, "%s/m/molecules.yaml", program_scratch);
  fine(molecules_file_read(&molecules, path, &error));
  fine(groups_create(&groups, molecules, &keep, &x, &error));
  fine(groups_topology(groups, -1, &topology, &error));
  fine(topology_state(topology, 1, 1, 0, &state, &error));
  input = atoms_input(groups, topology, NULL);
  fine(isa_wanted(&isa, &error));
  fine(term_force_create(&field.force[0], topology, &groups->molecule[0].terms, state, isa, &error));
  if (which == 0) {
    fine(open_pairs_create(&field.force[1], &input, PAIR_DOUBLE, state, isa, &error));
  } else {
    const double side = 10.0 * cases[which].side;
    state->box = box_brick(side, side, side);
    const PeriodicOptions o = {.nonbonded.coulomb = COULOMB_EWALD,
                               .nonbonded.cutoff = 9.0,
                               .nonbonded.by_atom = true,
                               .atoms = &input,
                               .threads = 1,
                               .isa = isa};
    fine(periodic_create(&field.force[1], &o, state, &error));
  }
  groups_from_file(groups, x, at);
  topology_set(topology, state, STATE_POSITIONS, 0, at[0]);
  fine(force_field_compute(&field, &team, state, &(ForceSums){term, virial}, &error));
  topology_get(topology, state, STATE_FORCES, 0, at[0]);
  groups_to_file(groups, false, (const double(*)[3])at, f);
  energy[0] = term[0];
  energy[1] = which == 0 ? term[2] : term[1 + EWALD_LJ];
  energy[2] = which == 0 ? term[1]
                         : term[1 + EWALD_REAL] + term[1 + EWALD_RECIPROCAL] + term[1 + EWALD_SELF] +
                               term[1 + EWALD_INTRAMOLECULAR];
  for (int d = 0; d < 3 && which == 1; d++) /* they have none */
    virial[d][d] -= 2.0 * term[1 + EWALD_LJ_TAIL];
  force_field_free(&field);
  state_free(state);
  groups_free(groups);
  molecules_free(molecules);
  topology_free(topology);
}

TEST(virtual_sites_are_those_of_gromacs, .rows = 2)
{
  static double x[ATOMS][3], f[ATOMS][3], theirs[3 * ATOMS];
  double energy[3], virial[3][3] = {{0}}, most = 0.0;
  run_gromacs(_i);
  if (program_shell("rm -rf m && $P import topol.top conf.gro -o m") != 0 &&
      strstr(program_output, "needs") != NULL)
    return; /* Python's packages */
  ck_assert_msg(program_exists("m/molecules.yaml"), "%s", program_output);
  read_positions(ATOMS, x);
  ck_assert_int_eq(last_line("f.xvg", 3 * ATOMS, theirs), 3 * ATOMS);
  for (int i = 0; i < 3 * ATOMS; i++) {
    theirs[i] *= 0.1 / UNITS_JOULE;
    if (i / 3 % ALL < PARENTS)
      most = fmax(most, fabs(theirs[i]));
  }
  ck_assert_double_gt(most, 1.0);
  compute(_i, (const double(*)[3])x, energy, virial, f);
  const double want[3] = {their_energy("Bond", true), their_energy("LJ (SR)", true),
                          their_energy("Coulomb (SR)", true) + their_energy("Coul. recip.", false)};
  for (int k = 0; k < 3; k++)
    ck_assert_msg(fabs(energy[k] - want[k]) < 1e-6 * fabs(want[0]), "energy %d: %.10g, not %.10g", k,
                  energy[k], want[k]);
  for (int i = 0; i < 3 * ATOMS; i++)
    if (i / 3 % ALL < PARENTS)
      ck_assert_msg(fabs(f[i / 3][i % 3] - theirs[i]) < 1e-6 * most,
                    "force on atom %d: %.10g, not %.10g of %g", i / 3 + 1, f[i / 3][i % 3], theirs[i], most);
  for (int k = 0; k < 9 && _i == 1; k++) {
    const char name[] = {'V', 'i', 'r', '-', "XYZ"[k / 3], "XYZ"[k % 3], '\0'};
    const double wanted = -2.0 * their_energy(name, false);
    ck_assert_msg(fabs(virial[k / 3][k % 3] - wanted) < 1e-5 * most * 10.0, "%s: %.10g, not %.10g", name,
                  virial[k / 3][k % 3], wanted);
  }
}

int main(void)
{
  if (SUITE_SANITIZED || suite_lacks("gmx_d")) /* the interpreter has no sanitizer */
    return SUITE_SKIPPED;
  return program_main("gromacs_virtual");
}
