/* Energies at equally spaced nodes, and splines between them. A grid has energies at two dihedral angles
 * (CMAP; MacKerell, Feig and Brooks, J. Comput. Chem. 25, 1400 (2004)); its periodic bicubic spline has
 * continuous first and second derivatives. A table has energies and slopes at values of one coordinate;
 * between two nodes the energy is the cubic polynomial with these energies and slopes, as in GROMACS.
 * Equations: docs/theory.md. */
#ifndef HOLONOM_TOPOLOGY_TERM_GRID_H
#define HOLONOM_TOPOLOGY_TERM_GRID_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/coordinate.h"

/* Nodes per side of a grid, and nodes of a table. */
enum { TERM_GRID_LEAST = 4, TERM_GRID_MOST = 360, TERM_GRID_TABLE_MOST = 100000 };

typedef struct TermGrid {
  const char *name;
  int n;               /* nodes per side, or nodes of a table */
  const double *value; /* grid: [n][n] kcal/mol; [i][j] is at -180 + 360 i/n and -180 + 360 j/n degrees.
                          Table: [n][2] energies and slopes, per A or degree */
  double from, to;     /* of a table: first and last node, A or degrees; both 0: a grid */
} TermGrid;

/* A node of a grid: energy, slopes of the spline by the first and by the second angle, and mixed derivative;
 * the unit of angles is a step of the grid. A cell of a table: the coefficients of x^0 to x^3, x from 0 to 1.
 */
typedef double TermNode[4];

/* Whether this is a table. */
bool term_grid_is_table(const TermGrid *grid);

/* The number of values. */
int term_grid_values(const TermGrid *grid);

/* Validates a grid or table. STATUS_INPUT: a size out of bounds, a value that is not finite, slopes of a
 * table that are not those of its energies; the message names the grid or table. */
Status term_grid_check(const TermGrid *grid, Error *error);

/* Validates a table as a function of a coordinate: angles go from 0 to 180 degrees, dihedral angles from -180
 * to 180 degrees with equal energies and slopes at both ends, distances from 0 or more. STATUS_INPUT: it is
 * not one; the message names the table. */
Status term_grid_suits(const TermGrid *table, CoordinateForm form, Error *error);

/* Computes node[n n] in the order of the values, or the n - 1 cells of a table. */
void term_grid_nodes(const TermGrid *grid, TermNode *node);

#endif
