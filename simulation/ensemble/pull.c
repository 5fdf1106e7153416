#include "simulation/ensemble/pull.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct Pull {
  PullOptions options;
  Ensemble *ensemble;
  Arena arena; /* of these, for all replicas of the ensemble */
  double *end[2];
  double *work;    /* [replicas] kcal/mol */
  double *visited; /* [replicas][points + 1] the same at the points of the path */
  int points;
};

static Status fill(Pull *p, Error *error)
{
  const size_t replicas = (size_t)ensemble_replicas(p->ensemble);
  for (int i = 0; i < 2; i++)
    p->end[i] = arena_take(&p->arena, replicas, sizeof *p->end[i]);
  p->work = arena_take(&p->arena, replicas, sizeof *p->work);
  p->visited = arena_take(&p->arena, replicas * ((size_t)p->points + 1), sizeof *p->visited);
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

static void keep(const Pull *p, int replica, int64_t stairs)
{
  for (int i = 0; i <= p->points; i++)
    if (pull_point(p, i) == stairs)
      p->visited[(ptrdiff_t)replica * (p->points + 1) + i] = p->work[replica];
}

/* Makes the last one of so many stairs in a batch. Its work counts as heat of the bath, so that the conserved
 * energy remains. */
static Status climb(Pull *p, Ensemble *group, int batch, int64_t stairs, Error *error)
{
  const int width = ensemble_width(group);
  double before[WIDTH_MAX], after[WIDTH_MAX];
  TRY(get_energies(p, group, batch, before, error));
  for (int i = 0; i < width; i++)
    *centre_of(p, batch * width + i) = pull_centre(p, batch * width + i, stairs);
  TRY(get_energies(p, group, batch, after, error));
  for (int i = 0; i < width; i++) {
    const int r = batch * width + i;
    const double work = after[i] - before[i];
    p->work[r] += work;
    keep(p, r, stairs);
    ensemble_scale_momenta(group, r, 1.0, work);
  }
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
