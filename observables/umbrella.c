#include "observables/umbrella.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "observables/mbar.h"

/* The samples of a part: its windows and the bins with samples. */
typedef struct Part {
  int windows, bins;
  int *window, *bin;
  double *u; /* [bins][windows] */
  EnergyPool pool;
  Arena arena;
} Part;

static void part_free(Part *p)
{
  arena_free(&p->pool.arena);
  arena_free(&p->arena);
}

static Status part_create(Part *p, const Umbrella *of, int part, const double *count, const double *drawn,
                          Error *error)
{
  const size_t bins = (size_t)of->bins, windows = (size_t)of->windows;
  p->window = arena_take(&p->arena, windows, sizeof *p->window);
  p->bin = arena_take(&p->arena, bins, sizeof *p->bin);
  TRY(arena_check(&p->arena, "umbrella windows", error));
  for (int k = 0; k < of->windows; k++)
    if (of->part[k] == part)
      p->window[p->windows++] = k;
  for (int b = 0; b < of->bins; b++)
    if (count[b] > 0.0)
      p->bin[p->bins++] = b;
  if (p->bins == 0)
    return error_set(error, STATUS_INPUT, "umbrella windows have no samples");
  p->u = arena_take(&p->arena, (size_t)p->bins * (size_t)p->windows, sizeof *p->u);
  TRY(arena_check(&p->arena, "umbrella windows", error));
  p->pool = (EnergyPool){.temperatures = p->windows, .reduced = p->u};
  TRY(energy_pool_room(&p->pool, (size_t)p->bins, error));
  p->pool.bins = p->bins;
  for (int k = 0; k < p->windows; k++)
    p->pool.drawn[k] = drawn[p->window[k]];
  for (int i = 0; i < p->bins; i++) {
    p->pool.count[i] = count[p->bin[i]];
    for (int k = 0; k < p->windows; k++)
      p->u[(size_t)i * (size_t)p->windows + (size_t)k] =
          of->u[(size_t)p->bin[i] * windows + (size_t)p->window[k]];
  }
  return STATUS_OK;
}

/* Free energies of windows from a solution, relative to the part's first one. */
static void free_energies(const Part *p, const Mbar *m, double *free)
{
  for (int k = 0; k < p->windows; k++)
    free[p->window[k]] = m->free[k] - m->free[0];
}

Status umbrella_solve(const Umbrella *of, int part, const double *count, const double *drawn, double *density,
                      double *free, Error *error)
{
  SCOPED(part_free) Part p = {0};
  SCOPED(mbar_free_at) Mbar *m = NULL;
  TRY(part_create(&p, of, part, count, drawn, error));
  SCOPED(scoped_free) double *start = calloc((size_t)p.windows, sizeof *start);
  TRY_MEMORY(start != NULL, "umbrella windows", error);
  for (int k = 0; k < p.windows; k++)
    start[k] = of->free[p.window[k]];
  TRY(mbar_create_reduced(&m, &p.pool, start, error));
  free_energies(&p, m, free);
  double top = -INFINITY, sum = 0.0;
  for (int i = 0; i < p.bins; i++)
    top = fmax(top, m->log_weight[i]);
  for (int i = 0; i < p.bins; i++)
    sum += exp(m->log_weight[i] - top);
  memset(density, 0, (size_t)of->bins * sizeof *density);
  for (int i = 0; i < p.bins; i++)
    density[p.bin[i]] = exp(m->log_weight[i] - top) / sum;
  return STATUS_OK;
}

/* --- parts ------------------------------------------------------------------------------------------------
 */

static double overlap_of(int bins, const double *p, const double *q)
{
  double sum = 0.0;
  for (int b = 0; b < bins; b++)
    if (p[b] > 0.0 && q[b] > 0.0)
      sum += p[b] * q[b] / (p[b] + q[b]);
  return sum;
}

/* Divides the windows of `part` into those connected to its first by overlaps of more than `least`, which
 * keep the number, and the others, which become the last part. Returns whether there are others.
 * p[windows][bins]: densities. */
static bool divide(Umbrella *of, int part, const double *p, double least, int *list)
{
  int reached = 0, done = 0, others = 0;
  const size_t bins = (size_t)of->bins;
  for (int k = 0; k < of->windows; k++) {
    if (of->part[k] != part)
      continue;
    if (reached == 0)
      list[reached++] = k;
    else
      others++;
    of->part[k] = list[0] == k ? part : of->parts;
  }
  for (; done < reached; done++)
    for (int k = 0; k < of->windows; k++)
      if (of->part[k] == of->parts &&
          overlap_of(of->bins, p + (size_t)list[done] * bins, p + (size_t)k * bins) > least) {
        of->part[k] = part;
        list[reached++] = k;
        others--;
      }
  of->parts += others > 0;
  return others > 0;
}

/* A first guess by integration along the list of windows: f_k+1 - f_k is about the mean of u_k+1 - u_k in
 * both. */
static void first_guess(Umbrella *of, const double *p)
{
  const size_t bins = (size_t)of->bins, windows = (size_t)of->windows;
  size_t before = windows;
  for (size_t k = 0; k < windows; k++) {
    if (of->part[k] < 0)
      continue;
    of->free[k] = 0.0;
    for (size_t b = 0; b < bins && before < windows; b++) {
      const double mean = 0.5 * (p[k * bins + b] + p[before * bins + b]);
      if (mean > 0.0)
        of->free[k] += mean * (of->u[b * windows + k] - of->u[b * windows + before]);
    }
    if (before < windows)
      of->free[k] += of->free[before];
    before = k;
  }
}

typedef struct Work {
  double *p;                         /* [windows][bins] densities of windows */
  double *drawn, *pooled, *unbiased; /* [windows], [bins], [bins] */
  int *list;
  Arena arena;
} Work;

static void work_free(Work *w) { arena_free(&w->arena); }

static Status work_create(Work *w, Umbrella *of, const double *count, Error *error)
{
  const size_t bins = (size_t)of->bins, windows = (size_t)of->windows;
  w->p = arena_take(&w->arena, windows * bins, sizeof *w->p);
  w->drawn = arena_take(&w->arena, windows, sizeof *w->drawn);
  w->pooled = arena_take(&w->arena, bins, sizeof *w->pooled);
  w->unbiased = arena_take(&w->arena, bins, sizeof *w->unbiased);
  w->list = arena_take(&w->arena, windows, sizeof *w->list);
  TRY(arena_check(&w->arena, "umbrella windows", error));
  for (size_t k = 0; k < windows; k++) {
    for (size_t b = 0; b < bins; b++)
      w->drawn[k] += count[k * bins + b];
    for (size_t b = 0; b < bins; b++)
      w->p[k * bins + b] = w->drawn[k] > 0.0 ? count[k * bins + b] / w->drawn[k] : 0.0;
    of->part[k] = w->drawn[k] > 0.0 ? 0 : -1;
    of->free[k] = NAN;
    of->parts |= w->drawn[k] > 0.0;
  }
  return of->parts > 0 ? STATUS_OK : error_set(error, STATUS_INPUT, "umbrella windows have no samples");
}

/* Solves a part, and replaces the densities of its windows by those of the solution. */
static Status solve(Umbrella *of, int part, const double *count, Work *w, Error *error)
{
  const size_t bins = (size_t)of->bins, windows = (size_t)of->windows;
  memset(w->pooled, 0, bins * sizeof *w->pooled);
  for (size_t k = 0; k < windows; k++)
    for (size_t b = 0; b < bins && of->part[k] == part; b++)
      w->pooled[b] += count[k * bins + b];
  TRY(umbrella_solve(of, part, w->pooled, w->drawn, w->unbiased, of->free, error));
  for (size_t k = 0; k < windows; k++) {
    double sum = 0.0, least = INFINITY, *const p = w->p + k * bins;
    if (of->part[k] != part)
      continue;
    for (size_t b = 0; b < bins; b++)
      if (w->unbiased[b] > 0.0)
        least = fmin(least, of->u[b * windows + k] - log(w->unbiased[b]));
    for (size_t b = 0; b < bins; b++)
      sum += p[b] = w->unbiased[b] > 0.0 ? w->unbiased[b] * exp(least - of->u[b * windows + k]) : 0.0;
    for (size_t b = 0; b < bins; b++)
      p[b] /= sum;
  }
  return STATUS_OK;
}

/* Adds the solution of a part. */
static void add_density(Umbrella *of, int part, const Work *w)
{
  double samples = 0.0;
  for (int k = 0; k < of->windows; k++)
    samples += of->part[k] == part ? w->drawn[k] : 0.0;
  for (int b = 0; b < of->bins; b++)
    of->density[b] += samples * w->unbiased[b];
}

static Status create(Umbrella *of, const double *count, Error *error)
{
  const size_t bins = (size_t)of->bins, windows = (size_t)of->windows;
  of->part = arena_take(&of->arena, windows, sizeof *of->part);
  of->free = arena_take(&of->arena, windows, sizeof *of->free);
  of->density = arena_take(&of->arena, bins, sizeof *of->density);
  of->overlap = arena_take(&of->arena, windows, sizeof *of->overlap);
  TRY(arena_check(&of->arena, "umbrella windows", error));
  SCOPED(work_free) Work w = {0};
  TRY(work_create(&w, of, count, error));
  first_guess(of, w.p);
  /* Windows without a common bin first: MBAR has no solution for them. */
  for (int part = 0; part < of->parts; part++)
    divide(of, part, w.p, 0.0, w.list);
  for (int part = 0; part < of->parts; part++) {
    do
      TRY(solve(of, part, count, &w, error));
    while (divide(of, part, w.p, MBAR_OVERLAP_LEAST, w.list));
    add_density(of, part, &w);
  }
  for (size_t k = 0; k + 1 < windows; k++)
    of->overlap[k] = overlap_of(of->bins, w.p + k * bins, w.p + (k + 1) * bins);
  return STATUS_OK;
}

Status umbrella_create(Umbrella **umbrella, int windows, int bins, const double *u, const double *count,
                       Error *error)
{
  *umbrella = NULL;
  Umbrella *of = calloc(1, sizeof *of);
  TRY_MEMORY(of != NULL, "umbrella windows", error);
  *of = (Umbrella){.windows = windows, .bins = bins, .u = u};
  TRY_ELSE(create(of, count, error), umbrella_free(of));
  *umbrella = of;
  return STATUS_OK;
}

void umbrella_free(Umbrella *of)
{
  if (of != NULL)
    arena_free(&of->arena);
  free(of);
}
