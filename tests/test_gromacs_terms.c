/* Energies of the terms of a molecule as GROMACS has them (gmx_d), function by function. Skipped without. */
#include "engine/isa.h"
#include "engine/units.h"
#include "tests/butane.h"
#include "tests/program.h"

#define DEGREES(x) ((x)*57.295779513082321)
enum { PLACES = 3, TERMS = 18 };

/* Names of GROMACS's energies, and the rows that each counts. */
static const struct {
  const char *name;
  TermRow row;
} theirs[TERMS] = {{"Bond", TERM_ROW_bond},
                   {"G96Bond", TERM_ROW_bond_quartic},
                   {"Morse", TERM_ROW_bond_morse},
                   {"Cubic-Bonds", TERM_ROW_bond_polynomial},
                   {"Harmonic-Pot.", TERM_ROW_urey_bradley},
                   {"Angle", TERM_ROW_angle},
                   {"G96Angle", TERM_ROW_angle_cosine},
                   {"Bond-Cross", TERM_ROW_bond_bond},
                   {"Quartic-Angles", TERM_ROW_angle_quartic},
                   {"Restr.-Angles", TERM_ROW_angle_restricted},
                   {"Proper-Dih.", TERM_ROW_torsion},
                   {"Ryckaert-Bell.", TERM_ROW_torsion_ryckaert},
                   {"Improper-Dih.", TERM_ROW_improper},
                   {"Per.-Imp.-Dih.", TERM_ROW_improper_periodic},
                   {"CMAP-Dih.", TERM_ROW_cmap},
                   {"Restraint-Pot.", TERM_ROW_distance_restraint},
                   {"Dih.-Rest.", TERM_ROW_dihedral_restraint},
                   {"LJ-14", TERM_ROW_pair_14}};

/* One step is none; no pair is seen but those of 1-4 terms. */
static const char settings[] =
    "integrator = md\nnsteps = 0\ncutoff-scheme = Verlet\nverlet-buffer-tolerance = -1\n"
    "rlist = 1.0\nrcoulomb = 1.0\nrvdw = 1.0\ncoulombtype = Cut-off\n"
    "continuation = yes\nnstenergy = 1\nnstcalcenergy = 1\n";

/* Those of the butane that GROMACS has; its cubic bond has no fourth power, and its grids are all of one
 * size. */
static int terms_of(Term *term)
{
  const int n = butane_terms(term);
  int kept = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < TERMS; k++)
      if (term[i].type == &term_types[theirs[k].row]) {
        term[kept] = term[i];
        if (theirs[k].row == TERM_ROW_bond_polynomial)
          term[kept].param[3] = 0.0;
        if (theirs[k].row == TERM_ROW_cmap)
          term[kept].param[0] = 0.0;
        kept++;
      }
  return kept;
}

/* GROMACS's parameters of a term, nm and kJ/mol, after its kind of function. */
static void write_numbers(FILE *file, const Term *t)
{
  const double *p = t->param, kj = UNITS_JOULE;
  switch (t->type - term_types) {
  case TERM_ROW_bond:
    fprintf(file, " 1 %.12g %.12g\n", 0.1 * p[0], 100 * kj * p[1]);
    break;
  case TERM_ROW_bond_quartic:
    fprintf(file, " 2 %.12g %.12g\n", 0.1 * p[0], 1e4 * kj * p[1]);
    break;
  case TERM_ROW_bond_morse:
    fprintf(file, " 3 %.12g %.12g %.12g\n", 0.1 * p[0], kj * p[1], 10 * p[2]);
    break;
  case TERM_ROW_bond_polynomial:
    fprintf(file, " 4 %.12g %.12g %.12g\n", 0.1 * p[0], 50 * kj * p[1], 20 * p[2] / p[1]);
    break;
  case TERM_ROW_urey_bradley:
    fprintf(file, " 6 %.12g %.12g\n", 0.1 * p[0], 100 * kj * p[1]);
    break;
  case TERM_ROW_angle:
  case TERM_ROW_angle_cosine:
    fprintf(file, " %d %.12g %.12g\n", t->type == &term_types[TERM_ROW_angle] ? 1 : 2, DEGREES(p[0]),
            kj * p[1]);
    break;
  case TERM_ROW_bond_bond:
    fprintf(file, " 3 %.12g %.12g %.12g\n", 0.1 * p[0], 0.1 * p[1], 100 * kj * p[2]);
    break;
  case TERM_ROW_angle_quartic:
    fprintf(file, " 6 %.12g", DEGREES(p[0]));
    for (int k = 1; k < 6; k++)
      fprintf(file, " %.12g", kj * p[k]);
    fputs("\n", file);
    break;
  case TERM_ROW_angle_restricted:
    fprintf(file, " 10 %.12g %.12g\n", DEGREES(p[0]), kj * p[1]);
    break;
  case TERM_ROW_torsion:
  case TERM_ROW_improper_periodic:
    fprintf(file, " %d %.12g %.12g %d\n", t->type == &term_types[TERM_ROW_torsion] ? 1 : 4, DEGREES(p[0]),
            kj * p[1], (int)p[2]);
    break;
  case TERM_ROW_torsion_ryckaert:
    fprintf(file, " 3");
    for (int k = 0; k < 6; k++)
      fprintf(file, " %.12g", kj * p[k]);
    fputs("\n", file);
    break;
  case TERM_ROW_distance_restraint:
    fprintf(file, " 10 %.12g %.12g %.12g %.12g\n", 0.1 * p[0], 0.1 * p[1], 0.1 * p[2], 100 * kj * p[3]);
    break;
  case TERM_ROW_dihedral_restraint:
    fprintf(file, " 1 %.12g %.12g %.12g\n", DEGREES(p[0]), p[1], kj * p[2]);
    break;
  case TERM_ROW_cmap: /* by types */
    fprintf(file, " 1\n");
    break;
  case TERM_ROW_improper:
    fprintf(file, " 2 %.12g %.12g\n", DEGREES(p[0]), kj * p[1]);
    break;
  default:
    fprintf(file, " 1 %.12g %.12g\n", 0.1 * p[0], kj * p[1]);
  }
}

static void write_section(FILE *file, const char *name, const Term *term, int n, int natom, bool pairs)
{
  fprintf(file, "[ %s ]\n", name);
  for (int i = 0; i < n; i++)
    if (term[i].type->natom == natom && (term[i].type == &term_types[TERM_ROW_pair_14]) == pairs &&
        (term[i].type == &term_types[TERM_ROW_dihedral_restraint]) ==
            (strcmp(name, "dihedral_restraints") == 0)) {
      for (int k = 0; k < natom; k++)
        fprintf(file, " %d", term[i].atom[k] + 1);
      write_numbers(file, &term[i]);
    }
}

/* One grid for whatever types there are at the ends of a chain. */
static void write_grid(FILE *file)
{
  double value[BUTANE_NODES];
  TermGrid grid[BUTANE_ALL];
  butane_grids(value, grid);
  fputs("[ cmaptypes ]\n", file);
  for (int ends = 0; ends < 4; ends++) {
    fprintf(file, "%c C C C %c 1 %d %d", "CH"[ends / 2], "CH"[ends % 2], BUTANE_GRID, BUTANE_GRID);
    for (int k = 0; k < BUTANE_GRID * BUTANE_GRID; k++)
      fprintf(file, "%s%.12g", k % 8 == 0 ? "\\\n" : " ", UNITS_JOULE * value[k]);
    fputs("\n", file);
  }
}

static void write_topology(const Term *term, int n)
{
  FILE *file = program_create("topol.top");
  fputs("[ defaults ]\n1 2 no 1.0 1.0\n[ atomtypes ]\nC 6 12.011 0.0 A 0.3 0.1\nH 1 1.008 0.0 A 0.2 0.1\n",
        file);
  write_grid(file);
  fputs("[ moleculetype ]\nBUT 8\n[ atoms ]\n", file);
  for (int i = 0; i < BUTANE_ATOMS; i++)
    fprintf(file, "%d %s 1 BUT %s%d %d %.12g %.12g\n", i + 1, butane_site[i], butane_site[i], i + 1, i + 1,
            butane_charge[butane_carbon[i] != i], butane_mass[i]);
  write_section(file, "bonds", term, n, 2, false);
  write_section(file, "pairs", term, n, 2, true);
  write_section(file, "angles", term, n, 3, false);
  write_section(file, "dihedrals", term, n, 4, false);
  write_section(file, "dihedral_restraints", term, n, 4, false);
  write_section(file, "cmap", term, n, 5, false);
  fputs("[ system ]\nbutane\n[ molecules ]\nBUT 1\n", file);
  ck_assert_int_eq(fclose(file), 0);
}

static void write_start(const double *x)
{
  FILE *file = program_create("start.gro");
  fprintf(file, "butane\n%d\n", BUTANE_ATOMS);
  for (int i = 0; i < BUTANE_ATOMS; i++) {
    fprintf(file, "%5d%-5s%5s%5d", 1, "BUT", butane_site[i], i + 1);
    for (int d = 0; d < 3; d++)
      fprintf(file, "%20.14f", 0.1 * x[3 * i + d] + 1.5);
    fputs("\n", file);
  }
  fputs("4.0 4.0 4.0\n", file);
  ck_assert_int_eq(fclose(file), 0);
}

/* kcal/mol: by row, and at the end what charges have to each other in 1-4 terms. */
static void energies_of(double energy[TERMS + 1])
{
  FILE *file = program_create("names");
  for (int k = 0; k < TERMS; k++)
    fprintf(file, "%s\n", theirs[k].name);
  fputs("Coulomb-14\n\n", file);
  ck_assert_int_eq(fclose(file), 0);
  program_write("e.mdp", settings);
  program_does("gmx_d -quiet -nobackup grompp -f e.mdp -c start.gro -p topol.top -o e.tpr -maxwarn 5 "
               "&& gmx_d -quiet -nobackup mdrun -s e.tpr -rerun start.gro -ntmpi 1 -ntomp 1 -pin off "
               "-deffnm e && gmx_d -quiet -nobackup energy -f e.edr -o e.xvg -dp <names");
  /* Columns stand in GROMACS's order, of which the legends tell. */
  const char *line = program_read("e.xvg"), *last = line;
  int at[TERMS + 1], n = 0;
  for (; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
    line += *line == '\n';
    char legend[64];
    last = *line != '\0' ? line : last;
    if (sscanf(line, "@ s%*d legend \"%63[^\"]\"", legend) != 1)
      continue;
    for (char *c = legend; *c != '\0'; c++)
      *c = *c == ' ' ? '-' : *c;
    for (int k = 0; k <= TERMS; k++)
      if (strcmp(legend, k < TERMS ? theirs[k].name : "Coulomb-14") == 0)
        at[n++] = k;
  }
  ck_assert_msg(n == TERMS + 1, "%s", program_read("e.xvg"));
  last = strchr(last + strspn(last, " "), ' ');
  for (int k = 0, read; k < n; k++, last += read) {
    ck_assert_int_eq(sscanf(last, "%lf%n", &energy[at[k]], &read), 1);
    energy[at[k]] /= UNITS_JOULE;
  }
}

/* Energy of the terms of a row alone, and of its other column. */
static void ours(const Term *term, int n, TermRow row, const double *x, double energy[2])
{
  Term of[BUTANE_TERMS];
  double value[BUTANE_NODES];
  TermGrid grid[BUTANE_ALL];
  TermList list = {0, of, BUTANE_ALL, grid};
  Isa isa;
  Topology *topology;
  State *state;
  ForceField field = {.n = 1};
  const Kind *const kind = &butane_whole;
  const Team team = team_alone();
  butane_grids(value, grid);
  for (int i = 0; i < n; i++)
    if (term[i].type == &term_types[row])
      of[list.n++] = term[i];
  ck_assert_int_gt(list.n, 0);
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  ck_assert_int_eq(topology_of_kinds(&topology, 1, &kind, (int[]){1}, NULL), STATUS_OK);
  ck_assert_int_eq(topology_state(topology, 1, 1, 0, &state, NULL), STATUS_OK);
  ck_assert_int_eq(term_force_create(&field.force[0], topology, &list, state, isa, NULL), STATUS_OK);
  topology_set(topology, state, STATE_POSITIONS, 0, x);
  ck_assert_int_eq(force_field_compute(&field, &team, state, &(ForceSums){energy, NULL}, NULL), STATUS_OK);
  force_field_free(&field);
  state_free(state);
  topology_free(topology);
}

TEST(energies_are_those_of_gromacs, .rows = PLACES)
{
  Term term[BUTANE_TERMS];
  double x[3 * BUTANE_ATOMS], found[TERMS + 1];
  const int n = terms_of(term);
  butane_place(_i, x);
  for (int i = 0; i < BUTANE_ATOMS; i++)
    x[3 * i] -= 9.0 * _i;
  write_topology(term, n);
  write_start(x);
  energies_of(found);
  for (int k = 0; k < TERMS; k++) {
    /* GROMACS reads 1-4 pairs from tables, and has Coulomb's constant to eight digits; its splines through a
     * grid end half a turn beyond it, which is seen to 0.27^12 of their slopes. */
    const bool pair = theirs[k].row == TERM_ROW_pair_14, grid = theirs[k].row == TERM_ROW_cmap;
    const double digits = pair ? 1e-6 : grid ? 1e-7 : 1e-10;
    double own[2];
    ours(term, n, theirs[k].row, x, own);
    ck_assert_msg(fabs(own[0] - found[k]) < digits * fabs(own[0]), "%s: %.10g, not %.10g", theirs[k].name,
                  own[0], found[k]);
    if (pair)
      ck_assert_msg(fabs(own[1] - found[TERMS]) < digits * fabs(own[1]), "Coulomb-14: %.10g, not %.10g",
                    own[1], found[TERMS]);
  }
}

int main(void)
{
  if (suite_lacks("gmx_d"))
    return SUITE_SKIPPED;
  return program_main("gromacs_terms");
}
