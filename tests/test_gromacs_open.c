/* A dipeptide as GROMACS has it (gmx_d), of AMBER's and of CHARMM's force field: its topology imported, its
 * file of molecules read, and energies by term and forces of terms and pairs together in open space. Skipped
 * without. */
#include "engine/isa.h"
#include "engine/units.h"
#include "forcefields/atoms_input.h"
#include "forcefields/open_pairs.h"
#include "forcefields/term_force.h"
#include "io/molecules_file.h"
#include "tests/gromacs_answers.h"
#include "tests/suite.h"

enum { ATOMS = 22, THEIRS = 9 };

/* All pairs: an open box is large, and a reaction field in a vacuum is none. */
static const char settings[] =
    "integrator = md\nnsteps = 0\ncutoff-scheme = Verlet\nverlet-buffer-tolerance = -1\nnstlist = 1\n"
    "rlist = 2.5\nrcoulomb = 2.5\nrvdw = 2.5\nvdw-modifier = None\ncoulomb-modifier = None\n"
    "coulombtype = reaction-field\nepsilon-rf = 1\ncontinuation = yes\n"
    "nstenergy = 1\nnstcalcenergy = 1\nnstfout = 1\n";

/* What a force field calls the peptide's end, answers to pdb2gmx of both ends; GROMACS's energies, and the
 * columns of ours that are in them. */
static const struct {
  const char *name, *end, *answers;
  const char *theirs[THEIRS][3];
} fields[] = {{"amber99sb-ildn",
               "NME",
               NULL,
               {{"Bond", "bond"},
                {"Angle", "angle"},
                {"Proper Dih.", "torsion"},
                {"Per. Imp. Dih.", "improper"},
                {"LJ-14", "lj_14"},
                {"Coulomb-14", "coulomb_14"},
                {"LJ (SR)", "lj"},
                {"Coulomb (SR)", "coulomb"}}},
              {"charmm27",
               "CT3",
               "3\\n5\\n",
               {{"Bond", "bond"},
                {"U-B", "angle", "urey_bradley"},
                {"Proper Dih.", "torsion"},
                {"Improper Dih.", "improper"},
                {"CMAP Dih.", "cmap"},
                {"LJ-14", "lj_14"},
                {"Coulomb-14", "coulomb_14"},
                {"LJ (SR)", "lj"},
                {"Coulomb (SR)", "coulomb"}}}};

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

static void run_gromacs(const char *field, const char *end, const char *answers)
{
  program_write("e.mdp", settings);
  program_does(
      "sed s/NME/%s/ $HOLONOM_SOURCE/examples/alanine-dipeptide/ace-ala-nme.pdb >in.pdb "
      "&& printf '%s' | gmx_d -quiet -nobackup pdb2gmx -f in.pdb "
      "-ff %s -water none -ignh -o raw.gro -p topol.top %s "
      "&& gmx_d -quiet -nobackup editconf -f raw.gro -o conf.gro -box 12 12 12 -c "
      "&& gmx_d -quiet -nobackup grompp -f e.mdp -c conf.gro -p topol.top -o e.tpr -maxwarn 5 "
      "&& gmx_d -quiet -nobackup mdrun -s e.tpr -rerun conf.gro -ntmpi 1 -ntomp 1 -pin off -deffnm e "
      "&& seq 1 40 >names && echo >>names "
      "&& gmx_d -quiet -nobackup energy -f e.edr -o e.xvg -dp <names && echo 0 >all "
      "&& gmx_d -quiet -nobackup traj -f e.trr -s e.tpr -of f.xvg -fp <all",
      end, answers != NULL ? answers : "", field, answers != NULL ? "-ter" : "");
}

/* Ours of the first replica, forces in the order of the file. */
static void compute(int width, const double (*x)[3], ForceField *field, double *energy, double (*f)[3])
{
  char path[4096];
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  State *state;
  AtomsInput input;
  Isa isa;
  double at[ATOMS][3];
  const GroupsKeep keep = GROUPS_NONE;
  const Team team = team_alone();
  snprintf(path, sizeof path, "%s/m/molecules.yaml", program_scratch);
  fine(molecules_file_read(&molecules, path, &error));
  ck_assert_int_eq(molecules->molecule[0].natom, ATOMS);
  fine(groups_create(&groups, molecules, &keep, &x, &error));
  fine(groups_topology(groups, -1, &topology, &error));
  fine(topology_state(topology, width, 1, 0, &state, &error));
  ck_assert_int_gt(state->nblock, 3);
  input = atoms_input(groups, topology, NULL);
  fine(isa_wanted(&isa, &error));
  field->n = 2;
  fine(term_force_create(&field->force[0], topology, &groups->molecule[0].terms, state, isa, &error));
  fine(open_pairs_create(&field->force[1], &input, PAIR_DOUBLE, state, isa, &error));
  groups_from_file(groups, x, at);
  for (int r = 0; r < width; r++)
    topology_set(topology, state, STATE_POSITIONS, r, at[0]);
  fine(force_field_compute(field, &team, state, &(ForceSums){energy, NULL}, &error));
  topology_get(topology, state, STATE_FORCES, 0, at[0]);
  groups_to_file(groups, false, (const double(*)[3])at, f);
  state_free(state);
  groups_free(groups);
  molecules_free(molecules);
  topology_free(topology);
}

TEST(a_dipeptide_is_that_of_gromacs, .rows = sizeof fields / sizeof *fields)
{
  double x[ATOMS][3], their_force[3 * ATOMS], most = 0.0;
  run_gromacs(fields[_i].name, fields[_i].end, fields[_i].answers);
  program_does("rm -rf m; $P import topol.top conf.gro -o m");
  read_positions(ATOMS, x);
  ck_assert_int_eq(last_line("f.xvg", 3 * ATOMS, their_force), 3 * ATOMS);
  for (int i = 0; i < 3 * ATOMS; i++) {
    their_force[i] *= 0.1 / UNITS_JOULE;
    most = fmax(most, fabs(their_force[i]));
  }
  ck_assert_double_gt(most, 1.0);
  for (int width = 1; width <= 16; width += width == 1 ? 7 : 8) {
    ForceField field = {0};
    double energy[FORCES_MAX * FORCE_TERMS * WIDTH_MAX], f[ATOMS][3];
    compute(width, (const double(*)[3])x, &field, energy, f);
    int columns = 0;
    for (int k = 0; k < THEIRS && fields[_i].theirs[k][0] != NULL; k++) {
      const char *const *names = fields[_i].theirs[k];
      const double wanted = their_energy(names[0], true);
      double sum = 0.0;
      for (int j = 1; j < 3 && names[j] != NULL; j++, columns++) {
        int c = 0;
        while (strcmp(force_field_term(&field, c), names[j]) != 0)
          ck_assert_int_lt(++c, force_field_terms(&field));
        sum += energy[c * width];
      }
      ck_assert_msg(fabs(sum - wanted) < 1e-6 * fabs(wanted), "%s: %.10g, not %.10g", names[0], sum, wanted);
    }
    ck_assert_int_eq(force_field_terms(&field), columns);
    for (int i = 0; i < 3 * ATOMS; i++)
      ck_assert_msg(fabs(f[i / 3][i % 3] - their_force[i]) < 1e-6 * most,
                    "force on atom %d: %.10g, not %.10g of %g", i / 3 + 1, f[i / 3][i % 3], their_force[i],
                    most);
    force_field_free(&field);
  }
}

int main(void)
{
  if (SUITE_SANITIZED || suite_lacks("gmx_d") ||
      program_lacks_import()) /* the interpreter has no sanitizer */
    return SUITE_SKIPPED;
  return program_main("gromacs_open");
}
