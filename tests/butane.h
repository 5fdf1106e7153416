/* A butane whose terms are of every row of terms.def in turn, whatever sense that makes: as one lane, or as
 * the four groups CH3, CH3, CH2, CH2 of two kinds. */
#ifndef HOLONOM_TESTS_BUTANE_H
#define HOLONOM_TESTS_BUTANE_H

#include "engine/random.h"
#include "forcefields/term_force.h"
#include "tests/suite.h"

enum { BUTANE_ATOMS = 14, BUTANE_TERMS = 256, BUTANE_MOLECULES = 64 };
/* Grids, and after them a table for each of distances, angles and dihedral angles. */
enum { BUTANE_GRIDS = 2, BUTANE_TABLES = 3, BUTANE_ALL = BUTANE_GRIDS + BUTANE_TABLES };
enum {
  BUTANE_GRID = 24,
  BUTANE_ROWS = 516,
  BUTANE_NODES = BUTANE_GRID * BUTANE_GRID + 100 + 2 * BUTANE_TABLES * BUTANE_ROWS
};

/* Carbon of each atom, itself or what a hydrogen is on; carbons are atoms 0, 8, 11 and 4 along the chain. */
static const int butane_carbon[BUTANE_ATOMS] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 11, 11, 11};
static const double butane_mass[BUTANE_ATOMS] = {12.011, 1.008,  1.008, 1.008, 12.011, 1.008, 1.008,
                                                 1.008,  12.011, 1.008, 1.008, 12.011, 1.008, 1.008};
static const char *const butane_site[BUTANE_ATOMS] = {"C", "H", "H", "H", "C", "H", "H",
                                                      "H", "C", "H", "H", "C", "H", "H"};
static const double butane_at[BUTANE_ATOMS][3] = {
    {0.00, 0.00, 0.00},  {-0.55, 0.90, 0.25}, {-0.60, -0.70, 0.65}, {-0.30, -0.35, -1.00}, {3.80, 0.60, 0.35},
    {4.35, -0.30, 0.20}, {4.40, 1.30, -0.35}, {4.10, 0.95, 1.30},   {1.30, 0.75, 0.15},    {1.25, 1.35, 1.05},
    {1.35, 1.45, -0.70}, {2.50, -0.15, 0.05}, {2.55, -0.80, -0.85}, {2.45, -0.85, 0.90}};
static const double butane_charge[2] = {-0.22, 0.09}; /* C, H */

static const Kind butane_whole = {"butane", BUTANE_ATOMS, 3, 0, butane_mass, butane_site, NULL, butane_at[0]},
                  butane_methyl = {"methyl", 4, 3, 0, butane_mass, butane_site, NULL, butane_at[0]},
                  butane_methylene = {"methylene", 3, 3, 0, butane_mass, butane_site, NULL, butane_at[8]};

static inline bool butane_bonded(int i, int j)
{
  static const int chain[BUTANE_ATOMS] = {[0] = 1, [8] = 2, [11] = 3, [4] = 4};
  if (i != j && (butane_carbon[i] == j || butane_carbon[j] == i))
    return true;
  return chain[i] != 0 && chain[j] != 0 && abs(chain[i] - chain[j]) == 1;
}

/* The function in a table: an energy and its slope, by A or degrees. Third derivatives of a table jump at its
 * rows; no test has a coordinate exactly at a row. */
static inline void butane_function(int table, double x, double v[2])
{
  const double unit = table == 0 ? 1.0 : 0.017453292519943295, y = unit * x;
  v[0] = sin(2.0 * y + 0.3) - 0.5 * cos(3.0 * y - 1.1);
  v[1] = unit * (2.0 * cos(2.0 * y + 0.3) + 1.5 * sin(3.0 * y - 1.1));
}

static inline void butane_tables(double *value, TermGrid grid[BUTANE_TABLES])
{
  static const double end[BUTANE_TABLES][2] = {{0.0, 9.0}, {0.0, 180.0}, {-180.0, 180.0}};
  static const char *const name[BUTANE_TABLES] = {"distances", "angles", "dihedrals"};
  for (int t = 0; t < BUTANE_TABLES; t++) {
    grid[t] = (TermGrid){name[t], BUTANE_ROWS, value + (ptrdiff_t)2 * BUTANE_ROWS * t, end[t][0], end[t][1]};
    for (int i = 0; i < BUTANE_ROWS; i++)
      butane_function(t, end[t][0] + (end[t][1] - end[t][0]) * i / (BUTANE_ROWS - 1),
                      value + (ptrdiff_t)2 * (BUTANE_ROWS * t + i));
  }
}

/* Two grids that have no symmetry, one of 24 and one of 10 nodes a side, and the tables. */
static inline void butane_grids(double value[BUTANE_NODES], TermGrid grid[BUTANE_ALL])
{
  static const int side[BUTANE_GRIDS] = {BUTANE_GRID, 10};
  for (int g = 0; g < BUTANE_GRIDS; g++) {
    const int n = side[g];
    grid[g] = (TermGrid){g == 0 ? "one" : "other", n, value, 0.0, 0.0};
    for (int k = 0; k < n * n; k++) {
      const double turn = 6.283185307179586 / n, phi = turn * (k / n), psi = turn * (k % n);
      value[k] =
          0.8 * sin(phi + 2.0 * psi + 0.3) - 0.5 * cos(2.0 * phi - 1.1) + 0.7 * sin(psi) * cos(phi + g);
    }
    value += n * n;
  }
  butane_tables(value, grid + BUTANE_GRIDS);
}

/* Parameters of a row that are not all alike, near what the geometry has. */
static inline Term butane_term(TermRow row, int i, const int *atom)
{
  Term term = {.type = &term_types[row]};
  static const double some[TERM_TYPES][TERM_PARAMETERS] = {
      /* distances */
      [TERM_ROW_bond] = {1.3, 300.0},
      [TERM_ROW_bond_quartic] = {1.15, 150.0},
      [TERM_ROW_bond_morse] = {1.4, 80.0, 1.9},
      [TERM_ROW_bond_polynomial] = {1.25, 400, -250, 90},
      [TERM_ROW_urey_bradley] = {2.1, 20.0},
      /* angles */
      [TERM_ROW_angle] = {109.5, 60.0},
      [TERM_ROW_angle_cosine] = {111.0, 70.0},
      [TERM_ROW_torsion] = {30.0, 0.7, 3},
      [TERM_ROW_torsion_ryckaert] = {1, -2, .3, 1.4, .2, -.6},
      [TERM_ROW_improper] = {-125.0, 12.0},
      [TERM_ROW_improper_periodic] = {180.0, 1.1, 2},
      [TERM_ROW_distance_restraint] = {1.3, 1.35, 1.45, 80.0},
      [TERM_ROW_dihedral_restraint] = {50.0, 20.0, 9.0},
      [TERM_ROW_pair_14] = {2.2, 0.06, 0.0},
      [TERM_ROW_bond_bond] = {1.3, 1.35, 40.0},
      [TERM_ROW_angle_quartic] = {108.0, 0.4, 2.0, 30.0, -12.0, 20.0},
      [TERM_ROW_angle_restricted] = {112.0, 35.0},
      [TERM_ROW_distance_table] = {0, 40.0},
      [TERM_ROW_angle_table] = {0, 6.0},
      [TERM_ROW_torsion_table] = {0, 2.0},
  };
  for (int k = 0; k < term.type->natom; k++)
    term.atom[k] = atom[k];
  for (int k = 0; k < term.type->nparam; k++) {
    const TermBound bound = term.type->parameter[k].bound;
    const double x = bound == TERM_GRID    ? i % BUTANE_GRIDS
                     : bound == TERM_TABLE ? BUTANE_GRIDS + term.type->natom - 2
                     : bound == TERM_WHOLE ? 1 + (some[row][k] + i) - 4.0 * floor((some[row][k] + i) / 4.0)
                                           : some[row][k] * (1.0 + 0.01 * (i % 7));
    term.param[k] = term_number(term.type, k, x);
  }
  if (row == TERM_ROW_pair_14)
    term.param[2] =
        butane_charge[butane_carbon[atom[0]] != atom[0]] * butane_charge[butane_carbon[atom[1]] != atom[1]];
  return term;
}

static inline bool butane_of(const TermType *type, int natom)
{
  return type->natom == natom && type->column != TERM_LJ_14 && type->column != TERM_UREY_BRADLEY;
}

/* Adds a term of the next row that has so many atoms, and is not between the ends of something. */
static inline void butane_add(Term *list, int *n, int natom, const int *atom)
{
  int before = 0, rows = 0, row = 0;
  for (int i = 0; i < *n; i++)
    before += butane_of(list[i].type, natom);
  for (int k = 0; k < TERM_TYPES; k++)
    rows += butane_of(&term_types[k], natom);
  for (int left = before % rows; left > 0 || !butane_of(&term_types[row], natom); row++)
    left -= butane_of(&term_types[row], natom);
  list[*n] = butane_term((TermRow)row, *n, atom);
  (*n)++;
}

/* Bonds, angles with a Urey-Bradley term each, torsions with a pair each, and all chains of five. */
static inline int butane_terms(Term list[BUTANE_TERMS])
{
  int n = 0;
  for (int i = 0; i < BUTANE_ATOMS; i++)
    for (int j = 0; j < BUTANE_ATOMS; j++)
      for (int k = 0; butane_bonded(i, j) && k < BUTANE_ATOMS; k++) {
        if (k == 0 && i < j)
          butane_add(list, &n, 2, (int[]){i, j});
        for (int l = 0; butane_bonded(j, k) && k != i && l < BUTANE_ATOMS; l++) {
          if (l == 0 && i < k) {
            butane_add(list, &n, 3, (int[]){i, j, k});
            list[n] = butane_term(TERM_ROW_urey_bradley, n, (int[]){i, k});
            n++;
          }
          if (!butane_bonded(k, l) || l == j || j > k)
            continue;
          butane_add(list, &n, 4, (int[]){i, j, k, l});
          list[n] = butane_term(TERM_ROW_pair_14, n, (int[]){i, l});
          n++;
          for (int m = 0; m < BUTANE_ATOMS; m++)
            if (butane_bonded(l, m) && m != k)
              butane_add(list, &n, 5, (int[]){i, j, k, l, m});
        }
      }
  ck_assert_int_le(n, BUTANE_TERMS);
  return n;
}

/* The atoms of molecule m, each shifted a little, far from those of others. */
static inline void butane_place(int m, double *x)
{
  RandomStream stream = random_stream(7, (uint32_t)m, RANDOM_TEST);
  for (int i = 0; i < 3 * BUTANE_ATOMS; i++)
    x[i] = butane_at[i / 3][i % 3] + 0.08 * random_normal(&stream) + (i % 3 == 0 ? 9.0 * m : 0.0);
}

#endif
