/* Energies and pressures of water in oblique boxes as GROMACS has them, to the digits that it prints:
 * dodecahedra and octahedra of three and four sites, in double precision (gmx_d) and in single (gmx). Skipped
 * without.
 *
 * A rerun there has no pressure. A step of h from rest has one, P + K/(3V), P the molecular virial's: what
 * constraints do to the virial is exactly what is turning, and K, the kinetic energy of the centres half a
 * step later, goes exactly as h^2, so that steps of h and 2 h say P. Positions must be those of rigid
 * molecules to many digits: SETTLE takes them to the exact shape within the step, by forces as 1/h^2, and at
 * three decimals of GRO files and 1 fs these are 400 bar. */
#include "engine/units.h"
#include "forcefields/water.h"
#include "io/trajectory.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "tests/shorter.h"

static const struct {
  const char *name;
  double digits, pressure; /* of a sum of its terms; of a pressure */
} gromacs[] = {{"gmx_d", 1e-6, 1e-5}, {"gmx", 1e-5, 5e-4}};
static const char *const model_of[] = {"tip3p", "tip4p2005", "opc"}, *const shape_of[] = {"dodecahedron",
                                                                                          "octahedron"};
enum { PROGRAMS = 2, MODELS = 3, SHAPES = 2, WATERS = 216 };

/* A converged mesh sum, and Lennard-Jones that ends at 9 A with its tail. */
static const char settings[] =
    "integrator = md\nnsteps = 0\ndt = %g\ncutoff-scheme = Verlet\n"
    "verlet-buffer-tolerance = -1\nrlist = 0.9\nrcoulomb = 0.9\nrvdw = 0.9\n"
    "vdw-modifier = None\ncoulomb-modifier = None\ncoulombtype = PME\n"
    "pme-order = 8\nfourierspacing = 0.04\newald-rtol = 1e-10\n"
    "DispCorr = AllEnerPres\ncontinuation = yes\nnstenergy = 1\nnstcalcenergy = 1\n";

static void write_topology(const WaterModel *w)
{
  const double pi = acos(-1.0), half = 0.5 * w->angle * pi / 180.0;
  const bool four = w->d_om > 0.0;
  const double share = four ? w->d_om / (2.0 * w->d_oh * cos(half)) : 0.0;
  FILE *file = program_create("topol.top");
  fprintf(file,
          "[ defaults ]\n1 1 no 1.0 1.0\n[ atomtypes ]\nOW 8 15.9994 0.0 A %.12e %.12e\n"
          "HW 1 1.008 0.0 A 0 0\nMW 0 0.0 0.0 D 0 0\n[ moleculetype ]\nSOL 2\n[ atoms ]\n"
          "1 OW 1 SOL OW 1 %.12g 15.9994\n2 HW 1 SOL HW1 1 %.12g 1.008\n3 HW 1 SOL HW2 1 %.12g 1.008\n",
          w->c * UNITS_JOULE * 1e-6, w->a * UNITS_JOULE * 1e-12, four ? 0.0 : -2.0 * w->q_h, w->q_h, w->q_h);
  if (four)
    fprintf(file, "4 MW 1 SOL MW 1 %.12g 0.0\n", -2.0 * w->q_h);
  fprintf(file, "[ settles ]\n1 1 %.12g %.12g\n", 0.1 * w->d_oh, 0.2 * w->d_oh * sin(half));
  if (four)
    fprintf(file, "[ virtual_sites3 ]\n4 1 2 3 1 %.12g %.12g\n", share, share);
  fputs(four ? "[ exclusions ]\n1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n"
             : "[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n",
        file);
  fprintf(file, "[ system ]\nwater\n[ molecules ]\nSOL %d\n", WATERS);
  ck_assert_int_eq(fclose(file), 0);
}

/* Our box.gro as GROMACS wants it: with a site M, where there is one. */
static void write_start(const WaterModel *w)
{
  char path[512];
  Frame frame = {0};
  const double half = 0.5 * w->angle * acos(-1.0) / 180.0, share = w->d_om / (2.0 * w->d_oh * cos(half));
  const int sites = w->d_om > 0.0 ? 4 : 3;
  static const char *const name[] = {"OW", "HW1", "HW2", "MW"};
  snprintf(path, sizeof path, "%s/box.gro", program_scratch);
  fine(trajectory_read_first(path, &frame, &error));
  ck_assert_int_eq(frame.natoms, 3 * WATERS);
  FILE *file = program_create("start.gro");
  fprintf(file, "water\n%d\n", sites * WATERS);
  for (int m = 0; m < WATERS; m++)
    for (int s = 0; s < sites; s++) {
      const double(*x)[3] = (const double(*)[3])frame.positions + (ptrdiff_t)3 * m;
      fprintf(file, "%5d%-5s%5s%5d", m + 1, "SOL", name[s], (sites * m + s + 1) % 100000);
      for (int d = 0; d < 3; d++)
        fprintf(file, "%15.9f",
                0.1 * (s < 3 ? x[s][d] : x[0][d] + share * (x[1][d] + x[2][d] - 2.0 * x[0][d])));
      fputs("\n", file);
    }
  const double(*h)[3] = (const double(*)[3])frame.cell;
  fprintf(file, "%.9f %.9f %.9f 0 0 %.9f 0 %.9f %.9f\n", 0.1 * h[0][0], 0.1 * h[1][1], 0.1 * h[2][2],
          0.1 * h[1][0], 0.1 * h[2][0], 0.1 * h[2][1]);
  ck_assert_int_eq(fclose(file), 0);
  frame_free(&frame);
}

/* The terms of that name (a line each) in the last row of what GROMACS says of a single step of h ps. */
static void find(const char *program, double h, const char *terms, int n, double *value)
{
  char mdp[1024];
  snprintf(mdp, sizeof mdp, settings, h);
  program_write("e.mdp", mdp);
  program_does("%s -quiet -nobackup grompp -f e.mdp -c start.gro -p topol.top -o e.tpr "
               "-maxwarn 3 && %s -quiet -nobackup mdrun -s e.tpr -ntmpi 1 -ntomp 1 -pin off "
               "-deffnm e && printf '%s\\n' | %s -quiet -nobackup energy -f e.edr -o e.xvg "
               "-dp",
               program, program, terms, program);
  const char *last = program_read("e.xvg");
  for (const char *line = last; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
    line += *line == '\n';
    last = *line != '\0' ? line : last;
  }
  char *end = NULL;
  (void)strtod(last, &end); /* the time */
  for (int k = 0; k < n; k++)
    value[k] = strtod(end, &end);
}

/* kcal/mol: Lennard-Jones, its tail (of the repulsion, too), Coulomb; bar: what forces make of the pressure.
 */
static void energies_of(const char *program, double energy[3], double *pressure)
{
  double found[5] = {NAN, NAN, NAN, NAN, NAN}, twice[1] = {NAN};
  find(program, 0.002, "LJ-(SR)\\nDisper.-corr.\\nCoulomb-(SR)\\nCoul.-recip.\\nPressure\\n", 5, found);
  find(program, 0.004, "Pressure\\n", 1, twice);
  energy[0] = found[0] / UNITS_JOULE;
  energy[1] = found[1] / UNITS_JOULE;
  energy[2] = (found[2] + found[3]) / UNITS_JOULE;
  *pressure = (4.0 * found[4] - twice[0]) / 3.0;
}

TEST(energies_and_pressures_are_those_of_gromacs, .rows = PROGRAMS * MODELS * SHAPES)
{
  const int program = _i / MODELS / SHAPES;
  const char *model = model_of[_i / SHAPES % MODELS];
  double theirs[3], pressure;
  if (suite_lacks(gromacs[program].name) || (SHORT && program > 0))
    return;
  program_runs("build --model %s --shape %s --molecules %d --equilibrate 0.2 --force -q -o box.gro", model,
               shape_of[_i % SHAPES], WATERS);
  write_topology(water_find(model));
  write_start(water_find(model));
  energies_of(gromacs[program].name, theirs, &pressure);
  program_runs("energy box.gro --model %s --ewald", model);
  const double ours[3] = {program_number("lj"), program_number("lj_tail"),
                          program_number("real") + program_number("reciprocal") + program_number("self") +
                              program_number("intramolecular")};
  for (int k = 0; k < 3; k++)
    ck_assert_msg(fabs(ours[k] - theirs[k]) < gromacs[program].digits * fabs(ours[k]),
                  "term %d: %.9g, not %.9g", k, ours[k], theirs[k]);
  const double here = program_number("pressure_molecule");
  ck_assert_msg(fabs(here - pressure) < gromacs[program].pressure * fabs(here), "pressure: %.9g, not %.9g",
                here, pressure);
}

int main(void)
{
  if (suite_lacks("gmx") && suite_lacks("gmx_d"))
    return SUITE_SKIPPED;
  return program_main("gromacs_energies");
}
