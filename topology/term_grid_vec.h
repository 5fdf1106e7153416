/* The splines of term_grid.h, of grids at two angles and of tables, for a register of lanes; each lane reads
 * its own cell. */
#ifndef HOLONOM_TOPOLOGY_TERM_GRID_VEC_H
#define HOLONOM_TOPOLOGY_TERM_GRID_VEC_H

#include "engine/vec_math.h"
#include "topology/term_grid.h"

/* The length of a cell. It contains 16 coefficients [4][4] by basis functions of the first and of the second
 * angle (values at the lower and upper end, slopes at both). The others are the position in the cell, 0 to 1,
 * by both angles, and the steps of the grid per radian. */
enum { TERM_GRID_CELL = 19 };

/* Finds the lower and the upper node of the cell along one angle; returns the position in the cell. At -pi
 * and pi rounding may leave the grid at one end, which continues at the other. An angle of NaN reads the
 * first cell, and the result is NaN. */
VEC_INLINE vd term_grid_along(const vd at[2], vd n, vd node[2])
{
  const vd from = (vd_atan2(at[1], at[0]) * 0.15915494309189535 + 0.5) * n, cell = vd_whole(from - 0.5);
  const vd low = cell + vd_where(cell < 0.0, n) - vd_where(cell >= n, n), high = low + 1.0;
  node[0] = vd_where((low >= 0.0) & (low < n), low);
  node[1] = vd_where((high >= 0.0) & (high < n), high);
  return from - cell;
}

/* p: the index of the grid's first node among all, and nodes per side. */
VEC_INLINE void term_grid_cell(const vd p[2], const vd at[4], const TermNode *node, vd cell[TERM_GRID_CELL])
{
  vd first[2], second[2];
  cell[16] = term_grid_along(at, p[1], first);
  cell[17] = term_grid_along(at + 2, p[1], second);
  cell[18] = p[1] * 0.15915494309189535;
  UNROLL
  for (int k = 0; k < 4; k++) {
    const int i = k / 2, j = k % 2;
    const vi place = vd_integer(p[0] + (first[i] * p[1] + second[j]));
    uint64_t from[WIDTH];
    vd of[4];
    UNROLL
    for (int l = 0; l < WIDTH; l++)
      from[l] = sizeof *node * (uint64_t)place[l];
    vd_gather4(node, from, of);
    cell[4 * i + j] = of[0];
    cell[4 * (2 + i) + j] = of[1];
    cell[4 * i + 2 + j] = of[2];
    cell[4 * (2 + i) + 2 + j] = of[3];
  }
}

/* The four basis functions (cubic Hermite) and their first and second derivatives at x, 0 to 1. */
VEC_INLINE void term_grid_basis(vd x, vd basis[3][4])
{
  const vd y = 1.0 - x;
  basis[0][1] = x * x * (3.0 - 2.0 * x);
  basis[0][0] = 1.0 - basis[0][1];
  basis[0][2] = x * (y * y);
  basis[0][3] = -(x * x * y);
  basis[1][1] = 6.0 * x * y;
  basis[1][0] = -basis[1][1];
  basis[1][2] = y * (1.0 - 3.0 * x);
  basis[1][3] = x * (3.0 * x - 2.0);
  basis[2][1] = 6.0 - 12.0 * x;
  basis[2][0] = -basis[2][1];
  basis[2][2] = 6.0 * x - 4.0;
  basis[2][3] = 6.0 * x - 2.0;
}

/* The sum over four of a b, in a fixed order of operations. */
VEC_INLINE vd term_grid_sum(const vd a[4], const vd b[4])
{
  return vd_fma(a[3], b[3], vd_fma(a[2], b[2], vd_fma(a[1], b[1], vd_rounded(a[0] * b[0]))));
}

/* Evaluates a cell; u as in term_profile.h. */
VEC_INLINE void term_grid_eval(const vd cell[TERM_GRID_CELL], vd u[7])
{
  vd first[3][4], second[3][4], along[3][4];
  const vd scale = cell[18];
  term_grid_basis(cell[16], first);
  term_grid_basis(cell[17], second);
  UNROLL
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < 3; d++)
      along[d][k] = term_grid_sum(cell + 4 * k, second[d]);
  u[0] = term_grid_sum(along[0], first[0]);
  u[1] = scale * term_grid_sum(along[0], first[1]);
  u[2] = scale * scale * term_grid_sum(along[0], first[2]);
  u[4] = scale * term_grid_sum(along[1], first[0]);
  u[5] = scale * scale * term_grid_sum(along[2], first[0]);
  u[6] = scale * scale * term_grid_sum(along[1], first[1]);
}

/* The length of a table's cell: four coefficients, the position in the cell, 0 to 1, cells per unit of the
 * coordinate, and the term's factor. */
enum { TERM_GRID_TABLE = 7 };

/* p: the index of the first cell among all nodes, the number of cells, the coordinate where they begin, cells
 * per unit of the coordinate, and the factor. x: the coordinate. Beyond the ends, and if x is NaN, the
 * position is NaN. */
VEC_INLINE void term_grid_table(const vd p[5], vd x, const TermNode *node, vd cell[TERM_GRID_TABLE])
{
  const vd at = (x - p[2]) * p[3], below = vd_min(vd_whole(at - 0.5), p[1] - 1.0);
  const vi within = (at >= -1e-9) & (at <= p[1] + 1e-9);
  const vd low = vd_where((below >= 0.0) & within, below);
  const vi place = vd_integer(p[0] + low);
  uint64_t from[WIDTH];
  UNROLL
  for (int l = 0; l < WIDTH; l++)
    from[l] = sizeof *node * (uint64_t)place[l];
  vd_gather4(node, from, cell);
  cell[4] = vd_select(within, at - low, vd_set((double)NAN));
  cell[5] = p[3];
  cell[6] = p[4];
}

/* Energy, slope and second derivative by the coordinate. */
VEC_INLINE void term_grid_table_eval(const vd cell[TERM_GRID_TABLE], vd u[3])
{
  const vd x = cell[4], scale = cell[5], k = cell[6];
  u[0] = k * vd_fma(x, vd_fma(x, vd_fma(x, cell[3], cell[2]), cell[1]), cell[0]);
  u[1] = k * scale * vd_fma(x, vd_fma(x, 3.0 * cell[3], 2.0 * cell[2]), cell[1]);
  u[2] = k * scale * scale * vd_fma(x, 6.0 * cell[3], 2.0 * cell[2]);
}

#endif
