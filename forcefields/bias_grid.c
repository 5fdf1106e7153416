#include "forcefields/bias_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Values stored at a point: V, its slopes times the spacing, and the mixed derivative times both. */
enum { VALUE, SLOPE_0, SLOPE_1, MIXED, STORED };

/* Points in a width, at least. */
static const double fineness = 5.0;

/* What hills change, apart from the points. */
typedef struct Progress {
  int64_t hills, outside;
  double work;
} Progress;

struct BiasGrid {
  BiasGridOptions options;
  int n[BIAS_GRID_AXES]; /* points; 1 of a second axis that does not exist */
  double spacing[BIAS_GRID_AXES];
  Progress progress;
  double *point; /* [n[0]][n[1]][STORED] */
  double *hill;  /* [value, slope][points], scratch for both axes */
  Arena arena;
};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const BiasGridOptions *o, Error *error)
{
  if (!(o->factor > 1.0) || !isfinite(o->factor))
    return error_set(error, STATUS_INPUT,
                     "metadynamics needs a factor greater than 1, (T + dT)/T, not %g; 5 to 15 is usual",
                     o->factor);
  if (!(o->height > 0.0) || !isfinite(o->height))
    return error_set(error, STATUS_INPUT, "metadynamics needs hills of a positive height, not %g", o->height);
  if (!(o->kT > 0.0))
    return error_set(error, STATUS_INPUT, "metadynamics needs a temperature");
  for (int a = 0; a < o->n; a++) {
    const BiasGridAxis *axis = &o->axis[a];
    if (!(axis->width > 0.0) || !isfinite(axis->width))
      return error_set(error, STATUS_INPUT, "metadynamics needs hills of a positive width, not %g",
                       axis->width);
    if (!(axis->high > axis->low) || !isfinite(axis->low) || !isfinite(axis->high))
      return error_set(error, STATUS_INPUT,
                       "the grid of metadynamics must rise from its lower edge, not from %g to %g", axis->low,
                       axis->high);
  }
  return STATUS_OK;
}

static Status find_points(BiasGrid *g, Error *error)
{
  double all = 1.0;
  g->n[1] = 1;
  for (int a = 0; a < g->options.n; a++) {
    const BiasGridAxis *axis = &g->options.axis[a];
    const double range = axis->high - axis->low, cells = ceil(fineness * range / axis->width * (1.0 - 1e-12));
    const double n = fmax(cells, 4.0) + (axis->periodic ? 0.0 : 1.0);
    all *= n;
    if (!(all <= BIAS_GRID_POINTS))
      return error_set(error, STATUS_INPUT,
                       "the grid of metadynamics would have %.3g points, a fifth of a width apart; %d are "
                       "allowed: use wider hills, or a smaller range",
                       all, BIAS_GRID_POINTS);
    g->n[a] = (int)n;
    g->spacing[a] = range / fmax(cells, 4.0);
  }
  return STATUS_OK;
}

static Status build(BiasGrid *g, Error *error)
{
  TRY(check(&g->options, error));
  TRY(find_points(g, error));
  const size_t all = (size_t)g->n[0] * (size_t)g->n[1], both = (size_t)g->n[0] + (size_t)g->n[1];
  g->point = arena_take(&g->arena, all * STORED, sizeof *g->point);
  g->hill = arena_take(&g->arena, 2 * both, sizeof *g->hill);
  return arena_check(&g->arena, "the grid of metadynamics", error);
}

Status bias_grid_create(BiasGrid **grid, const BiasGridOptions *options, Error *error)
{
  BiasGrid *g = *grid = calloc(1, sizeof *g);
  TRY_MEMORY(g != NULL, "the grid of metadynamics", error);
  g->options = *options;
  TRY_ELSE(build(g, error), (bias_grid_free(g), *grid = NULL));
  return STATUS_OK;
}

void bias_grid_free(BiasGrid *grid)
{
  if (grid == NULL)
    return;
  arena_free(&grid->arena);
  free(grid);
}

void bias_grid_clear(BiasGrid *grid)
{
  grid->progress = (Progress){0};
  memset(grid->point, 0, (size_t)grid->n[0] * (size_t)grid->n[1] * STORED * sizeof *grid->point);
}

const BiasGridOptions *bias_grid_options(const BiasGrid *grid) { return &grid->options; }
int bias_grid_points(const BiasGrid *grid, int axis) { return grid->n[axis]; }
int64_t bias_grid_hills(const BiasGrid *grid) { return grid->progress.hills; }
int64_t bias_grid_outside(const BiasGrid *grid) { return grid->progress.outside; }
double bias_grid_work(const BiasGrid *grid) { return grid->progress.work; }

/* --- values --------------------------------------------------------------------------------------------- */

/* The cell of a value along an axis, and the weights of the values and slopes at its ends. */
typedef struct Cell {
  int end[2];                      /* points */
  double value[2], slope[2];       /* weights for V */
  double value_by[2], slope_by[2]; /* weights for dV/dx */
} Cell;

static bool is_inside(const BiasGridAxis *axis, double x)
{
  return axis->periodic || (x >= axis->low && x <= axis->high);
}

static Cell cell_of(const BiasGrid *g, int a, double x)
{
  const BiasGridAxis *axis = &g->options.axis[a];
  const double period = axis->high - axis->low, h = g->spacing[a];
  const int n = g->n[a], cells = axis->periodic ? n : n - 1;
  double at = x - axis->low;
  at = axis->periodic ? at - period * floor(at / period) : fmin(fmax(at, 0.0), period);
  int i = (int)(at / h);
  i = i < cells ? i : cells - 1;
  const double t = at / h - i, u = 1.0 - t, free = is_inside(axis, x) ? 1.0 / h : 0.0;
  return (Cell){.end = {i, i + 1 < n ? i + 1 : 0},
                .value = {u * u * (1.0 + 2.0 * t), t * t * (1.0 + 2.0 * u)},
                .slope = {t * u * u, -u * t * t},
                .value_by = {-6.0 * t * u * free, 6.0 * t * u * free},
                .slope_by = {u * (1.0 - 3.0 * t) * free, t * (3.0 * t - 2.0) * free}};
}

static double energy_line(const BiasGrid *g, double x, double *slope)
{
  const Cell c = cell_of(g, 0, x);
  double V = 0.0;
  for (int i = 0; i < 2; i++) {
    const double *p = g->point + (ptrdiff_t)c.end[i] * STORED;
    V += c.value[i] * p[VALUE] + c.slope[i] * p[SLOPE_0];
    if (slope != NULL)
      *slope += c.value_by[i] * p[VALUE] + c.slope_by[i] * p[SLOPE_0];
  }
  return V;
}

static double energy_plane(const BiasGrid *g, const double *x, double *slope)
{
  const Cell c = cell_of(g, 0, x[0]), d = cell_of(g, 1, x[1]);
  double V = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      const double *p = g->point + ((ptrdiff_t)c.end[i] * g->n[1] + d.end[j]) * STORED;
      const double value = d.value[j] * p[VALUE] + d.slope[j] * p[SLOPE_1],
                   along = d.value[j] * p[SLOPE_0] + d.slope[j] * p[MIXED];
      V += c.value[i] * value + c.slope[i] * along;
      if (slope == NULL)
        continue;
      slope[0] += c.value_by[i] * value + c.slope_by[i] * along;
      slope[1] += c.value[i] * (d.value_by[j] * p[VALUE] + d.slope_by[j] * p[SLOPE_1]) +
                  c.slope[i] * (d.value_by[j] * p[SLOPE_0] + d.slope_by[j] * p[MIXED]);
    }
  return V;
}

bool bias_grid_inside(const BiasGrid *g, const double *x)
{
  bool inside = true;
  for (int a = 0; a < g->options.n; a++)
    inside = inside && is_inside(&g->options.axis[a], x[a]);
  return inside;
}

double bias_grid_energy(const BiasGrid *g, const double *x, double *slope)
{
  return g->options.n == 1 ? energy_line(g, x[0], slope) : energy_plane(g, x, slope);
}

/* --- hills ---------------------------------------------------------------------------------------------- */

/* A hill's factor of one axis at all points within its reach, and the slopes of that factor times the
 * spacing; zero at other points. Returns the first such point and their number, at most all. */
typedef struct Span {
  int first, n;
  double *value, *slope; /* [points of the axis] */
} Span;

static Span span_of(const BiasGrid *g, int a, double x)
{
  const BiasGridAxis *axis = &g->options.axis[a];
  const double h = g->spacing[a], reach = BIAS_GRID_REACH * axis->width, at = x - axis->low;
  const int n = g->n[a];
  double low = ceil((at - reach) / h), high = floor((at + reach) / h);
  double *value = g->hill + (a == 0 ? 0 : 2 * (ptrdiff_t)g->n[0]), *slope = value + n;
  if (!axis->periodic) {
    low = fmax(low, 0.0);
    high = fmin(high, n - 1.0);
  }
  const int first = (int)low, last = (int)high, whole = n * (first / n) - (first % n < 0 ? n : 0);
  Span s = {first - whole, last - first + 1 < n ? last - first + 1 : n, value, slope};
  for (int k = 0; k < s.n; k++)
    value[(s.first + k) % n] = slope[(s.first + k) % n] = 0.0;
  for (int i = first; i <= last; i++) { /* images beyond the period add to the same points */
    const double d = (i * h - at) / axis->width, v = exp(-0.5 * d * d);
    value[(i - whole) % n] += v;
    slope[(i - whole) % n] -= v * d / axis->width * h;
  }
  return s;
}

void bias_grid_add(BiasGrid *g, const double *x)
{
  const BiasGridOptions *o = &g->options;
  if (!bias_grid_inside(g, x)) {
    g->progress.outside++;
    return;
  }
  double one = 1.0, none = 0.0;
  const double height = o->height * exp(-bias_grid_energy(g, x, NULL) / (o->kT * (o->factor - 1.0)));
  const Span a = span_of(g, 0, x[0]), b = o->n == 2 ? span_of(g, 1, x[1]) : (Span){0, 1, &one, &none};
  for (int i = 0; i < a.n; i++) {
    const int k = (a.first + i) % g->n[0];
    const double value = height * a.value[k], slope = height * a.slope[k];
    for (int j = 0; j < b.n; j++) {
      const int l = (b.first + j) % g->n[1];
      double *p = g->point + ((ptrdiff_t)k * g->n[1] + l) * STORED;
      p[VALUE] += value * b.value[l];
      p[SLOPE_0] += slope * b.value[l];
      p[SLOPE_1] += value * b.slope[l];
      p[MIXED] += slope * b.slope[l];
    }
  }
  g->progress.hills++;
}

/* Both sums are relative to exp of the largest V, so that they cannot overflow. */
void bias_grid_update(BiasGrid *g)
{
  const BiasGridOptions *o = &g->options;
  const size_t all = (size_t)g->n[0] * (size_t)g->n[1];
  const double per = 1.0 / (o->kT * (o->factor - 1.0));
  double most = 0.0, filled = 0.0, biased = 0.0;
  for (size_t i = 0; i < all; i++)
    most = fmax(most, g->point[i * STORED]);
  for (size_t i = 0; i < all; i++) {
    const double V = g->point[i * STORED] - most;
    filled += exp(o->factor * per * V);
    biased += exp(per * V);
  }
  g->progress.work = most + o->kT * log(filled / biased);
}

void bias_grid_chunks(BiasGrid *g, ChunkList *list)
{
  chunk_add(list, &g->progress, sizeof g->progress);
  chunk_add(list, g->point, (size_t)g->n[0] * (size_t)g->n[1] * STORED * sizeof *g->point);
}
