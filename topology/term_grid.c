#include "topology/term_grid.h"

#include <math.h>
#include <stddef.h>

#define DEVIATION_MOST 0.2 /* of slopes from differences: GROMACS's limit for a warning */

bool term_grid_is_table(const TermGrid *grid) { return grid->from != grid->to; }

int term_grid_values(const TermGrid *grid) { return grid->n * (term_grid_is_table(grid) ? 2 : grid->n); }

/* The mean deviation of slopes from central differences of energies, relative to both. */
static double deviation(const TermGrid *table)
{
  const double step = (table->to - table->from) / (table->n - 1);
  double sum = 0.0, whole = 0.0;
  for (int i = 1; i < table->n - 1; i++) {
    const double *v = table->value + (ptrdiff_t)2 * i, difference = (v[2] - v[-2]) / (2.0 * step);
    sum += fabs(v[1] - difference);
    whole += 0.5 * (fabs(v[1]) + fabs(difference));
  }
  return whole > 0.0 ? sum / whole : 0.0;
}

static Status check_table(const TermGrid *table, Error *error)
{
  if (table->n < TERM_GRID_LEAST || table->n > TERM_GRID_TABLE_MOST)
    return error_set(error, STATUS_INPUT, "table %s has %d rows; allowed: %d to %d", table->name, table->n,
                     TERM_GRID_LEAST, TERM_GRID_TABLE_MOST);
  if (!isfinite(table->from) || !isfinite(table->to) || !(table->to > table->from))
    return error_set(error, STATUS_INPUT, "table %s goes from %g to %g; the end must be above the beginning",
                     table->name, table->from, table->to);
  for (int k = 0; k < 2 * table->n; k++)
    if (!isfinite(table->value[k]))
      return error_set(error, STATUS_INPUT, "table %s: the %s in row %d is not a finite number", table->name,
                       k % 2 == 0 ? "energy" : "slope", k / 2 + 1);
  const double off = deviation(table);
  if (off > DEVIATION_MOST)
    return error_set(
        error, STATUS_INPUT,
        "table %s: its slopes deviate by %.0f %% on average from the differences of its energies "
        "(at most %.0f %% is allowed): check the sign and the unit of the slopes",
        table->name, 100.0 * off, 100.0 * DEVIATION_MOST);
  return STATUS_OK;
}

Status term_grid_check(const TermGrid *grid, Error *error)
{
  if (term_grid_is_table(grid))
    return check_table(grid, error);
  if (grid->n < TERM_GRID_LEAST || grid->n > TERM_GRID_MOST)
    return error_set(error, STATUS_INPUT, "grid %s has %d nodes per side; allowed: %d to %d", grid->name,
                     grid->n, TERM_GRID_LEAST, TERM_GRID_MOST);
  for (int k = 0; k < grid->n * grid->n; k++)
    if (!isfinite(grid->value[k]))
      return error_set(error, STATUS_INPUT, "grid %s: value %d of row %d is not a finite number", grid->name,
                       k % grid->n + 1, k / grid->n + 1);
  return STATUS_OK;
}

/* Whether energies and slopes are equal at both ends, to 1 % of their ranges. */
static bool closes(const TermGrid *table)
{
  for (int k = 0; k < 2; k++) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < table->n; i++) {
      least = fmin(least, table->value[2 * i + k]);
      most = fmax(most, table->value[2 * i + k]);
    }
    if (fabs(table->value[2 * (table->n - 1) + k] - table->value[k]) > 0.01 * (most - least))
      return false;
  }
  return true;
}

Status term_grid_suits(const TermGrid *table, CoordinateForm form, Error *error)
{
  const double first = form == COORDINATE_DIHEDRAL ? -180.0 : 0.0;
  if (form == COORDINATE_DISTANCE && !(table->from >= 0.0))
    return error_set(error, STATUS_INPUT, "table %s begins at %g A; distances are not negative", table->name,
                     table->from);
  if (form != COORDINATE_DISTANCE && (table->from != first || table->to != 180.0))
    return error_set(error, STATUS_INPUT, "table %s goes from %g to %g degrees; %s go from %g to 180",
                     table->name, table->from, table->to,
                     form == COORDINATE_DIHEDRAL ? "dihedral angles" : "angles", first);
  if (form == COORDINATE_DIHEDRAL && !closes(table))
    return error_set(
        error, STATUS_INPUT,
        "table %s: energies or slopes at -180 and 180 degrees, which are one angle, differ by more "
        "than 1 %% of their range",
        table->name);
  return STATUS_OK;
}

/* Slopes at the nodes f[0], f[stride], ... of the periodic cubic spline, for a step of 1. The equations
 * m[i-1] + 4 m[i] + m[i+1] = 3 (f[i+1] - f[i-1]) have the solution m[i] = -3 sum over k > 0 of z^k (f[i+k] -
 * f[i-k]), z = sqrt 3 - 2. */
static void slopes(int n, int stride, const double *f, double *m)
{
  const double z = sqrt(3.0) - 2.0;
  for (int i = 0; i < n; i++) {
    double sum = 0.0, power = -3.0 * z;
    for (int k = 1; fabs(power) > 1e-18; k++, power *= z)
      sum += power * (f[(i + k) % n * stride] - f[(i + k / n * n + n - k) % n * stride]);
    m[(ptrdiff_t)i * stride] = sum;
  }
}

/* The cubic polynomials with the energies and slopes at both ends of each cell. */
static void table_cells(const TermGrid *table, TermNode *node)
{
  const double step = (table->to - table->from) / (table->n - 1);
  for (int i = 0; i < table->n - 1; i++) {
    const double *v = table->value + (ptrdiff_t)2 * i, rise = v[2] - v[0];
    node[i][0] = v[0];
    node[i][1] = step * v[1];
    node[i][2] = 3.0 * rise - step * (2.0 * v[1] + v[3]);
    node[i][3] = step * (v[1] + v[3]) - 2.0 * rise;
  }
}

void term_grid_nodes(const TermGrid *grid, TermNode *node)
{
  const int n = grid->n;
  if (term_grid_is_table(grid)) {
    table_cells(grid, node);
    return;
  }
  for (int k = 0; k < n * n; k++)
    node[k][0] = grid->value[k];
  for (int i = 0; i < n; i++)
    slopes(n, 4, node[i * n], node[i * n] + 2);
  for (int j = 0; j < n; j++) {
    slopes(n, 4 * n, node[j], node[j] + 1);
    slopes(n, 4 * n, node[j] + 2, node[j] + 3);
  }
}
