/* Grids of energies by two dihedral angles (CMAP, MacKerell, Feig and Brooks, J. Comput. Chem. 25, 1400
 * (2004)), and what is between their nodes: the periodic bicubic spline through them, whose first and second
 * derivatives are continuous everywhere. docs/theory.md has the equations. */
#ifndef HOLONOM_TOPOLOGY_TERM_GRID_H
#define HOLONOM_TOPOLOGY_TERM_GRID_H

#include "base/status.h"

/* Nodes a side. */
enum { TERM_GRID_LEAST = 4, TERM_GRID_MOST = 360 };

typedef struct TermGrid {
  const char *name;
  int n;               /* nodes a side                                                      */
  const double *value; /* [n][n] kcal/mol; [i][j] is at -180 + 360 i/n and -180 + 360 j/n degrees */
} TermGrid;

/* Of a node its energy, the slopes of the spline by the first and by the second angle and the derivative by
 * both, angles counted in steps of the grid. */
typedef double TermNode[4];

/* Errors: STATUS_INPUT: a size out of bounds, a value that is not finite; the message names the grid. */
Status term_grid_check(const TermGrid *grid, Error *error);

/* node[n n], in the order of the values. */
void term_grid_nodes(const TermGrid *grid, TermNode *node);

#endif
