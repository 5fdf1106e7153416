#include "simulation/ensemble/pull.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "observables/collective.h"

struct Pull {
  PullOptions options;
  Ensemble *ensemble;
  Arena arena; /* of these, for all replicas of the ensemble */
  double *end[2];
  double *work;    /* [replicas] kcal/mol */
  double *visited; /* [replicas][points + 1] the same at the points of the path, ... */
  double *value;   /* ... and the coordinate there */
  Vec8 *scratch;   /* [batches][memory] */
  size_t memory;
  int points;
};

static Status fill(Pull *p, Error *error)
{
  const size_t replicas = (size_t)ensemble_replicas(p->ensemble);
  for (int i = 0; i < 2; i++)
    p->end[i] = arena_take(&p->arena, replicas, sizeof *p->end[i]);
  p->work = arena_take(&p->arena, replicas, sizeof *p->work);
  p->visited = arena_take(&p->arena, replicas * ((size_t)p->points + 1), sizeof *p->visited);
  p->value = arena_take(&p->arena, replicas * ((size_t)p->points + 1), sizeof *p->value);
  p->memory = coordinate_sites_memory(p->options.on);
  p->scratch = arena_take(&p->arena, (size_t)ensemble_batches(p->ensemble) * p->memory, sizeof *p->scratch);
  TRY(arena_check(&p->arena, "a pull", error));
  for (int i = 0; i < 2; i++)
    p->options.end[i] = memcpy(p->end[i], p->options.end[i], replicas * sizeof *p->end[i]);
  return STATUS_OK;
}

Status pull_create(Pull **pull, const PullOptions *options, Ensemble *ensemble, Error *error)
{
  *pull = NULL;
  Pull *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "a pull", error);
  *p = (Pull){.options = *options, .ensemble = ensemble};
  p->points = options->stairs < PULL_POINTS ? (int)options->stairs : PULL_POINTS;
  TRY_ELSE(fill(p, error), pull_free(p));
  *pull = p;
  return STATUS_OK;
}

void pull_free(Pull *p)
{
  if (p == NULL)
    return;
  arena_free(&p->arena);
  free(p);
}

const PullOptions *pull_options(const Pull *p) { return &p->options; }

static double *centre_of(const Pull *p, int replica)
{
  const Parameters *of = p->options.parameters;
  return &of->value[(ptrdiff_t)replica * of->n + p->options.parameter];
}

void pull_clear(Pull *p)
{
  const int width = ensemble_width(p->ensemble), first = ensemble_base(p->ensemble) * width,
            end = first + ensemble_held(p->ensemble) * width;
  for (int r = first; r < end; r++) {
    *centre_of(p, r) = p->end[0][r];
    p->work[r] = 0.0;
    memset(p->visited + (ptrdiff_t)r * (p->points + 1), 0, ((size_t)p->points + 1) * sizeof *p->visited);
    memset(p->value + (ptrdiff_t)r * (p->points + 1), 0, ((size_t)p->points + 1) * sizeof *p->value);
  }
}

/* --- the path ------------------------------------------------------------------------------------------- */

int64_t pull_stairs(const Pull *p, int64_t step)
{
  const PullOptions *o = &p->options;
  const int64_t made = step <= o->begin ? 0 : (step - o->begin + o->every - 1) / o->every;
  return made < o->stairs ? made : o->stairs;
}

double pull_centre(const Pull *p, int replica, int64_t stairs)
{
  const double from = p->end[0][replica], to = p->end[1][replica];
  return stairs >= p->options.stairs ? to : from + (to - from) * ((double)stairs / (double)p->options.stairs);
}

double pull_work(const Pull *p, int replica) { return p->work[replica]; }

int pull_points(const Pull *p) { return p->points; }

/* Symmetrical about the middle; without overflow for any number of stairs. */
int64_t pull_point(const Pull *p, int point)
{
  const int64_t all = p->options.stairs, whole = all / p->points, rest = all % p->points;
  const int left = p->points - point;
  return point < left ? whole * point + rest * point / p->points
                      : all - (whole * left + rest * left / p->points);
}

const double *pull_works(const Pull *p, int replica)
{
  return p->visited + (ptrdiff_t)replica * (p->points + 1);
}

const double *pull_values(const Pull *p, int replica)
{
  return p->value + (ptrdiff_t)replica * (p->points + 1);
}

/* --- stairs --------------------------------------------------------------------------------------------- */

/* The energies of a batch's replicas that depend on parameters, at the present values. */
static Status get_energies(const Pull *p, const Ensemble *group, int batch, double own[WIDTH_MAX],
                           Error *error)
{
  const Sample sample = ensemble_at(group, batch);
  const ParameterQuery query = {.parameters = p->options.parameters, .own = own};
  memset(own, 0, WIDTH_MAX * sizeof *own);
  return sample_respond(&sample, ensemble_forces(group, batch), &query, error);
}

/* The point that so many stairs lead to; -1: none. The points are at most as dense as the stairs. */
static int point_after(const Pull *p, int64_t stairs)
{
  for (int i = 0; i <= p->points; i++)
    if (pull_point(p, i) == stairs)
      return i;
  return -1;
}

/* Keeps work and coordinate of a batch at a point of the path. */
static void keep(const Pull *p, const Ensemble *group, int batch, int point)
{
  const Sample sample = ensemble_at(group, batch);
  const int width = sample_width(&sample), lanes = width == 1 ? 1 : LANES;
  double value[LANES];
  for (int lane = 0; lane < width; lane += LANES) {
    collective_lane_site_values(p->options.on, ensemble_topology(group), &sample, lane / LANES,
                                p->scratch + (size_t)batch * p->memory, value);
    for (int l = 0; l < lanes; l++) {
      const int r = batch * width + lane + l;
      const ptrdiff_t at = (ptrdiff_t)r * (p->points + 1) + point;
      p->visited[at] = p->work[r];
      p->value[at] = value[l];
    }
  }
}

/* Makes the last one of so many stairs in a batch. Its work counts as heat of the bath, so that the conserved
 * energy remains. */
static Status climb(Pull *p, Ensemble *group, int batch, int64_t stairs, Error *error)
{
  const int width = ensemble_width(group), point = point_after(p, stairs);
  double before[WIDTH_MAX], after[WIDTH_MAX];
  if (stairs == 1)
    keep(p, group, batch, 0);
  TRY(get_energies(p, group, batch, before, error));
  for (int i = 0; i < width; i++)
    *centre_of(p, batch * width + i) = pull_centre(p, batch * width + i, stairs);
  TRY(get_energies(p, group, batch, after, error));
  for (int i = 0; i < width; i++) {
    const double work = after[i] - before[i];
    p->work[batch * width + i] += work;
    ensemble_scale_momenta(group, batch * width + i, 1.0, work);
  }
  if (point >= 0)
    keep(p, group, batch, point);
  return STATUS_OK;
}

static Status make(void *self, Ensemble *group, Error *error)
{
  Pull *p = self;
  const PullOptions *o = &p->options;
  const int64_t into = ensemble_step(group) - o->begin;
  if (into < 0 || into % o->every != 0 || into / o->every >= o->stairs)
    return STATUS_OK;
  for (int batch = ensemble_first(group); batch < ensemble_end(group); batch++)
    TRY(climb(p, group, batch, into / o->every + 1, error));
  return ensemble_ready(group, error);
}

static void chunks(void *self, ChunkList *list)
{
  const Pull *p = self;
  const size_t width = (size_t)ensemble_width(p->ensemble), each = width * ((size_t)p->points + 1);
  const size_t base = (size_t)ensemble_base(p->ensemble);
  const int held = ensemble_held(p->ensemble);
  chunk_add_each(list, p->work + base * width, width * sizeof *p->work, held);
  chunk_add_each(list, p->visited + base * each, each * sizeof *p->visited, held);
  chunk_add_each(list, p->value + base * each, each * sizeof *p->value, held);
}

/* Batches do not depend on each other. */
static bool begins(const void *self, int batch)
{
  (void)self;
  (void)batch;
  return true;
}

Move pull_move(Pull *p)
{
  return (Move){.self = p,
                .every = p->options.every,
                .last = p->options.begin + (p->options.stairs - 1) * p->options.every,
                .make = make,
                .chunks = chunks,
                .begins = ensemble_width(p->ensemble) > 1 ? begins : NULL};
}
