/* States of a decoupled molecule as GROMACS has them (gmx_d, reruns of fixed frames): differences of energy
 * between states, and derivatives by both strengths. Skipped without.
 *
 * GROMACS interpolates the energies of charged and uncharged molecules, so that U is linear in lambda; here
 * charges are scaled, and U is quadratic. Both agree at the ends, and a quadratic's slope in the middle is
 * the difference of its ends.
 *
 * The molecule of all frames but the first is put onto waters, where only a soft core has a finite energy. */
#include "engine/units.h"
#include "forcefields/water.h"
#include "io/trajectory.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "tests/tables.h"

enum { ATOMS = 6, BONDS = 5, WATERS = 220, FRAMES = 4, STATES = 7 };

/* Parameters of pairs alone matter: A, kcal/mol. Methane has GAFF's, methanol OPLS-AA's; atoms of methanol
 * three bonds apart are no excluded pairs here, so that it interacts with itself. */
static const struct Solute {
  const char *name, *rule;
  int gromacs_rule, exclude, natom;
  struct {
    const char *name;
    double charge, mass, sigma, epsilon, x[3];
  } atom[ATOMS];
  int bond[BONDS][2];
} solutes[] = {{"methane",
                "lorentz-berthelot",
                2,
                3,
                5,
                {{"C1", -0.1088, 12.01, 3.39967, 0.1094, {0, 0, 0}},
                 {"H1", 0.0272, 1.008, 2.64953, 0.0157, {0.63, 0.63, 0.63}},
                 {"H2", 0.0272, 1.008, 2.64953, 0.0157, {0.63, -0.63, -0.63}},
                 {"H3", 0.0272, 1.008, 2.64953, 0.0157, {-0.63, 0.63, -0.63}},
                 {"H4", 0.0272, 1.008, 2.64953, 0.0157, {-0.63, -0.63, 0.63}}},
                {{1, 2}, {1, 3}, {1, 4}, {1, 5}}},
               {"methanol",
                "geometric",
                3,
                2,
                6,
                {{"C1", 0.145, 12.011, 3.5, 0.066, {0, 0, 0}},
                 {"H1", 0.04, 1.008, 2.5, 0.03, {-0.36, 1.03, 0}},
                 {"H2", 0.04, 1.008, 2.5, 0.03, {-0.36, -0.51, 0.89}},
                 {"H3", 0.04, 1.008, 2.5, 0.03, {-0.36, -0.51, -0.89}},
                 {"O1", -0.683, 15.9994, 3.12, 0.17, {1.41, 0, 0}},
                 {"HO", 0.418, 1.008, 0, 0, {1.71, 0.7, 0.55}}},
                {{1, 2}, {1, 3}, {1, 4}, {1, 5}, {5, 6}}}};

/* Strengths of the states. */
static const double coulomb[STATES] = {1, 0.5, 0, 0, 0, 0, 0}, lj[STATES] = {1, 1, 1, 0.9, 0.6, 0.2, 0};

/* How both treat the cutoff, and the soft core. */
enum { WAY_KEYS = 3 };
static const struct Way {
  const char *gromacs, *ours[WAY_KEYS];
} ways[] = {{"vdw-modifier = None\nsc-alpha = 0.5\nsc-power = 1\n",
             {"forces.truncation=plain", "alchemy.soft_alpha=0.5", "alchemy.soft_power=1"}},
            {"vdw-modifier = Potential-shift\nsc-alpha = 0.7\nsc-power = 2\n",
             {"forces.truncation=shift", "alchemy.soft_alpha=0.7", "alchemy.soft_power=2"}}};

/* nm. */
static const double moved[FRAMES][3] = {{0, 0, 0}, {0.2, 0.1, 0.05}, {-0.31, 0.22, 0.4}, {0.6, -0.5, 0.1}};

/* --- the same system for both -------------------------------------------------------------------------- */

static void write_molecules(const struct Solute *s)
{
  FILE *file = program_create("solute.yaml");
  fprintf(file, "format: holonom-molecules 1\nrule: %s\ntypes:\n", s->rule);
  for (int i = 0; i < s->natom; i++)
    fprintf(file, "  %s%d: [%.9g, %.9g]\n", s->atom[i].name, i, s->atom[i].sigma, s->atom[i].epsilon);
  fprintf(file, "molecules:\n  %s:\n    atoms:\n", s->name);
  for (int i = 0; i < s->natom; i++)
    fprintf(file, "      - [%s, %s%d, %.9g, %.9g]\n", s->atom[i].name, s->atom[i].name, i, s->atom[i].charge,
            s->atom[i].mass);
  fprintf(file, "    terms:\n      bond:\n");
  for (int k = 0; k < s->natom - 1; k++)
    fprintf(file, "        - [%d, %d, 1.1, 600]\n", s->bond[k][0], s->bond[k][1]);
  fprintf(file, "    exclude: %d\n", s->exclude);
  ck_assert_int_eq(fclose(file), 0);
  file = program_create("solute.xyz");
  fprintf(file, "%d\n%s\n", s->natom, s->name);
  for (int i = 0; i < s->natom; i++)
    fprintf(file, "%c %.9g %.9g %.9g\n", s->atom[i].name[0], s->atom[i].x[0], s->atom[i].x[1],
            s->atom[i].x[2]);
  ck_assert_int_eq(fclose(file), 0);
}

static void write_topology(const struct Solute *s)
{
  const WaterModel *const w = water_find("tip3p");
  const double half = 0.5 * w->angle * acos(-1.0) / 180.0;
  FILE *file = program_create("topol.top");
  fprintf(file, "[ defaults ]\n1 %d no 1.0 1.0\n[ atomtypes ]\n", s->gromacs_rule);
  for (int i = 0; i < s->natom; i++)
    fprintf(file, "%s%d 1 %.9g 0.0 A %.9g %.12g\n", s->atom[i].name, i, s->atom[i].mass,
            0.1 * s->atom[i].sigma, UNITS_JOULE * s->atom[i].epsilon);
  fprintf(file, "OW 8 15.9994 0.0 A %.14g %.14g\nHW 1 1.008 0.0 A 0 0\n", 0.1 * pow(w->a / w->c, 1.0 / 6.0),
          UNITS_JOULE * w->c * w->c / (4.0 * w->a));
  fprintf(file, "[ moleculetype ]\n%s %d\n[ atoms ]\n", s->name, s->exclude);
  for (int i = 0; i < s->natom; i++)
    fprintf(file, "%d %s%d 1 SLT %s 1 %.9g %.9g\n", i + 1, s->atom[i].name, i, s->atom[i].name,
            s->atom[i].charge, s->atom[i].mass);
  fprintf(file, "[ bonds ]\n");
  for (int k = 0; k < s->natom - 1; k++)
    fprintf(file, "%d %d 1 0.11 251040\n", s->bond[k][0], s->bond[k][1]);
  fprintf(file,
          "[ moleculetype ]\nSOL 2\n[ atoms ]\n"
          "1 OW 1 SOL OW 1 %.12g 15.9994\n2 HW 1 SOL HW1 1 %.12g 1.008\n3 HW 1 SOL HW2 1 %.12g 1.008\n"
          "[ settles ]\n1 1 %.12g %.12g\n[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n"
          "[ system ]\ntest\n[ molecules ]\n%s 1\nSOL %d\n",
          -2.0 * w->q_h, w->q_h, w->q_h, 0.1 * w->d_oh, 0.2 * w->d_oh * sin(half), s->name, WATERS);
  ck_assert_int_eq(fclose(file), 0);
}

static void write_frame(const struct Solute *s, const Frame *frame, int k, FILE *file)
{
  static const char *const water_site[] = {"OW", "HW1", "HW2"};
  fprintf(file, "frame t= %d.000\n%d\n", k, frame->natoms);
  for (int i = 0; i < frame->natoms; i++) {
    const int site = i - s->natom;
    if (site < 0)
      fprintf(file, "%5d%-5s%5s%5d", 1, "SLT", s->atom[i].name, i + 1);
    else
      fprintf(file, "%5d%-5s%5s%5d", site / 3 + 2, "SOL", water_site[site % 3], i + 1);
    for (int d = 0; d < 3; d++)
      fprintf(file, "%16.10f", 0.1 * frame->positions[i][d] + (site < 0 ? moved[k][d] : 0.0));
    fputs("\n", file);
  }
  for (int d = 0; d < 3; d++)
    fprintf(file, " %.10f", 0.1 * frame->cell[d][d]);
  fputs("\n", file);
}

/* The box that we built, with its first molecule moved in all frames but one. */
static void write_frames(const struct Solute *s)
{
  char path[512];
  Frame frame = {0};
  snprintf(path, sizeof path, "%s/box.gro", program_scratch);
  fine(trajectory_read_first(path, &frame, &error));
  ck_assert_int_eq(frame.natoms, s->natom + 3 * WATERS);
  FILE *file = program_create("frames.gro");
  for (int k = 0; k < FRAMES; k++) {
    snprintf(path, sizeof path, "frame%d.gro", k);
    FILE *own = program_create(path);
    write_frame(s, &frame, k, file);
    write_frame(s, &frame, k, own);
    ck_assert_int_eq(fclose(own), 0);
  }
  ck_assert_int_eq(fclose(file), 0);
  frame_free(&frame);
}

/* Whether forces in a state are finite: overlaps need a soft core. */
static bool finite_in(int state, int frame) { return frame == 0 || lj[state] < 1.0; }

/* --- answers of both: kcal/mol -------------------------------------------------------------------------- */

typedef struct Answers {
  /* Of each state's frames: energies in all states minus that in its own; derivatives by both strengths. */
  double energy[STATES][STATES][FRAMES];
  double slope[2][STATES][FRAMES];
} Answers;

static void write_settings(const struct Solute *s, const struct Way *way, const char *tail, int state)
{
  FILE *file = program_create("e.mdp");
  fprintf(file,
          "integrator = md\nnsteps = 0\ncutoff-scheme = Verlet\nverlet-buffer-tolerance = -1\nnstlist = 1\n"
          "rlist = 0.9\nrcoulomb = 0.9\nrvdw = 0.9\ncoulomb-modifier = None\ncoulombtype = PME\n"
          "pme-order = 8\nfourierspacing = 0.04\newald-rtol = 1e-10\ncontinuation = yes\n"
          "nstenergy = 1\nnstcalcenergy = 1\n%sDispCorr = %s\n"
          "free-energy = yes\ncouple-moltype = %s\ncouple-lambda0 = vdw-q\ncouple-lambda1 = none\n"
          "couple-intramol = no\nsc-sigma = 0.3\nnstdhdl = 1\ncalc-lambda-neighbors = -1\n"
          "dhdl-print-energy = no\ninit-lambda-state = %d\ncoul-lambdas =",
          way->gromacs, tail, s->name, state);
  for (int k = 0; k < STATES; k++)
    fprintf(file, " %g", 1.0 - coulomb[k]);
  fprintf(file, "\nvdw-lambdas =");
  for (int k = 0; k < STATES; k++)
    fprintf(file, " %g", 1.0 - lj[k]);
  fprintf(file, "\n");
  ck_assert_int_eq(fclose(file), 0);
}

/* Rows of dhdl.xvg: time, derivatives by lambda of charges and of Lennard-Jones, energies of all states minus
 * that of its own. */
static void read_dhdl(int state, Answers *theirs)
{
  const char *line = program_read("e.xvg");
  int row = 0;
  for (; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (*line == '#' || *line == '@' || *line == '\0')
      continue;
    ck_assert_int_lt(row, FRAMES);
    char *next;
    double number[3 + STATES];
    (void)strtod(line, &next);
    for (int c = 1; c < 3 + STATES; c++) {
      const char *const at = next;
      number[c] = strtod(at, &next) / UNITS_JOULE;
      ck_assert_msg(next != at, "%s", line);
    }
    for (int which = 0; which < 2; which++)
      theirs->slope[which][state][row] = -number[1 + which];
    for (int k = 0; k < STATES; k++)
      theirs->energy[state][k][row] = number[3 + k];
    row++;
  }
  ck_assert_int_eq(row, FRAMES);
}

static void ask_gromacs(const struct Solute *s, const struct Way *way, bool tail, Answers *theirs)
{
  for (int state = 0; state < STATES; state++) {
    write_settings(s, way, tail ? "AllEner" : "no", state);
    program_does("gmx_d -quiet -nobackup grompp -f e.mdp -c box.gro -p topol.top -o e.tpr -maxwarn 3 && "
                 "gmx_d -quiet -nobackup mdrun -s e.tpr -rerun frames.gro -ntmpi 1 -ntomp 1 -pin off "
                 "-deffnm e");
    read_dhdl(state, theirs);
  }
}

static void write_input(const struct Solute *s)
{
  char input[1024];
  snprintf(input, sizeof input,
           "system: {topology: box.molecules.yaml, file: frame0.gro, box: file}\n"
           "geometry: {constrain: none}\nforces: {cutoff: 9 A, accuracy: 1e-6, order: 6}\nprecision: double\n"
           "integrator: {word: BAOAB, timestep: 0.1 fs, steps: 10}\n"
           "thermostat: {temperature: 300 K, friction: 1/ps}\nalchemy: {molecules: %s}\n",
           s->name);
  program_write("run.yaml", input);
}

/* Of a frame in all states that have a finite energy there. It starts in one with a soft core. */
static void ask_us(const struct Way *way, bool tail, int frame, Answers *ours)
{
  char path[512], name[64];
  const char *set[4 + WAY_KEYS] = {name, "alchemy.coulomb=0", "alchemy.lj=0.5",
                                   tail ? "forces.tail=true" : "forces.tail=false"};
  double asked[STATES][2], energy[STATES], slope[2];
  Simulation *s;
  snprintf(path, sizeof path, "%s/run.yaml", program_scratch);
  snprintf(name, sizeof name, "system.file=frame%d.gro", frame);
  memcpy(set + 4, way->ours, sizeof way->ours);
  fine(simulation_load(&s, path, set, 4 + WAY_KEYS, &error));
  fine(simulation_start(s, NULL, &error));
  const int at[2] = {simulation_parameter_find(s, "alchemy.coulomb"),
                     simulation_parameter_find(s, "alchemy.lj")};
  ck_assert_int_eq(simulation_parameters(s), 2);
  for (int k = 0; k < STATES; k++) {
    asked[k][at[0]] = coulomb[k];
    asked[k][at[1]] = lj[k];
  }
  for (int state = 0; state < STATES; state++) {
    if (!finite_in(state, frame))
      continue;
    simulation_parameter_set(s, at[1], 0, lj[state]);
    simulation_parameter_set(s, at[0], 0, coulomb[state]);
    fine(simulation_parameter_energies(s, 0, STATES, asked[0], energy, slope, &error));
    for (int k = 0; k < STATES; k++)
      ours->energy[state][k][frame] = energy[k] - energy[state];
    for (int which = 0; which < 2; which++)
      ours->slope[which][state][frame] = slope[at[which]];
  }
  simulation_free(s);
}

/* --- comparisons -----------------------------------------------------------------------------------------
 */

static void same(const char *what, int state, int frame, double ours, double theirs)
{
  ck_assert_msg(fabs(ours - theirs) < 1e-5 * fabs(theirs) + 1e-4,
                "%s of state %d, frame %d: %.10g, not %.10g", what, state, frame, ours, theirs);
}

static void begin(const struct Solute *s)
{
  write_molecules(s);
  program_runs(
      "build --molecules solute.yaml=1,tip3p=%d --density 0.97 --equilibrate 0.2 --force -q -o box.gro",
      WATERS);
  write_topology(s);
  write_frames(s);
  write_input(s);
}

TEST(states_are_those_of_gromacs, .rows = suite_rows(2, 4))
{
  const struct Solute *const s = &solutes[_i % 2];
  const struct Way *const way = &ways[(_i + _i / 2) % 2];
  Answers ours, theirs;
  begin(s);
  ask_gromacs(s, way, false, &theirs);
  for (int frame = 0; frame < FRAMES; frame++) {
    ask_us(way, false, frame, &ours);
    for (int state = 0; state < STATES; state++) {
      if (!finite_in(state, frame))
        continue;
      same("slope by Lennard-Jones", state, frame, ours.slope[1][state][frame],
           theirs.slope[1][state][frame]);
      if (coulomb[state] == 0.5)
        same("slope by charges", state, frame, ours.slope[0][state][frame], theirs.slope[0][state][frame]);
      for (int k = 0; k < STATES; k++)
        if (coulomb[state] != 0.5 && coulomb[k] != 0.5)
          same("energy", k, frame, ours.energy[state][k][frame], theirs.energy[state][k][frame]);
    }
  }
  /* a quadratic's mean slope */
  same("mean slope by charges", 1, 0, 0.5 * (ours.slope[0][0][0] + ours.slope[0][2][0]),
       theirs.slope[0][1][0]);
}

/* GROMACS's tail is N^2/2 times the mean over pairs of different molecules, N the number of all atoms. */
TEST(the_tail_of_a_decoupled_molecule_is_that_of_gromacs)
{
  const struct Solute *const s = &solutes[0];
  const double n = s->natom + 3.0 * WATERS, own = s->natom * s->natom + 9.0 * WATERS;
  double ours[2], theirs[2];
  Answers found;
  begin(s);
  for (int tail = 0; tail < 2; tail++) {
    ask_gromacs(s, &ways[0], tail, &found);
    theirs[tail] = found.energy[2][STATES - 1][0];
    ask_us(&ways[0], tail, 0, &found);
    ours[tail] = found.energy[2][STATES - 1][0];
  }
  const double wanted = theirs[1] - theirs[0], found_here = (ours[1] - ours[0]) * n * n / (n * n - own);
  ck_assert_msg(fabs(found_here - wanted) < 1e-5 * wanted, "%.9g, not %.9g", found_here, wanted);
}

int main(void)
{
  if (suite_lacks("gmx_d"))
    return SUITE_SKIPPED;
  return program_main("gromacs_alchemy");
}
