/* Energies on a grid of two dihedral angles (CMAP; MacKerell, Feig and Brooks, J. Comput. Chem. 25, 1400
 * (2004)). Between the nodes the energy is the periodic bicubic spline, with continuous first and second
 * derivatives. Equations: docs/theory.md. */
#ifndef HOLONOM_TOPOLOGY_TERM_GRID_H
#define HOLONOM_TOPOLOGY_TERM_GRID_H

#include "base/status.h"

/* Nodes per side. */
enum { TERM_GRID_LEAST = 4, TERM_GRID_MOST = 360 };

typedef struct TermGrid {
  const char *name;
  int n;               /* nodes per side */
  const double *value; /* [n][n] kcal/mol; [i][j] is at -180 + 360 i/n and -180 + 360 j/n degrees */
} TermGrid;

/* A node: energy, slopes of the spline by the first and by the second angle, and mixed derivative; the unit
 * of angles is a step of the grid. */
typedef double TermNode[4];

/* Validates a grid. STATUS_INPUT: a size out of bounds, or a value that is not finite; the message names the
 * grid. */
Status term_grid_check(const TermGrid *grid, Error *error);

/* Computes node[n n], in the order of the values. */
void term_grid_nodes(const TermGrid *grid, TermNode *node);

#endif
