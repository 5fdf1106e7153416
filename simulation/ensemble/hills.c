#include "simulation/ensemble/hills.h"

Status hills_create(Hills *h, const MetadynamicsBias *bias, Ensemble *ensemble, int walkers, Error *error)
{
  const size_t replicas = (size_t)ensemble_batches(ensemble) * (size_t)ensemble_width(ensemble);
  *h = (Hills){.bias = bias, .ensemble = ensemble, .walkers = walkers};
  h->scratch = arena_take(&h->arena, metadynamics_memory(bias), sizeof *h->scratch);
  h->at = arena_take(&h->arena, replicas, sizeof *h->at);
  h->before = arena_take(&h->arena, replicas, sizeof *h->before);
  return arena_check(&h->arena, "metadynamics", error);
}

void hills_free(Hills *hills) { arena_free(&hills->arena); }

static bool is_due(const Hills *h, int64_t step) { return step > 0 && step % h->bias->every == 0; }

/* The coordinates of a batch's replicas, and the bias of its walkers. */
static void gather_batch(const Hills *h, int batch)
{
  const Sample sample = ensemble_at(h->ensemble, batch);
  const int width = sample_width(&sample), lanes = width == 1 ? 1 : LANES;
  double value[BIAS_GRID_AXES * LANES];
  for (int lane = 0; lane < width; lane += LANES) {
    metadynamics_values(h->bias, ensemble_topology(h->ensemble), &sample, lane, h->scratch, value);
    for (int l = 0; l < lanes && batch * width + lane + l < h->walkers; l++) {
      const int walker = batch * width + lane + l;
      for (int d = 0; d < h->bias->n; d++)
        h->at[walker][d] = value[d * LANES + l];
      h->before[walker] = bias_grid_energy(h->bias->grid, h->at[walker], NULL);
    }
  }
}

/* Adds the energy that new hills give to a batch's walkers to the work done on them. */
static void add_work(const Hills *h, Ensemble *group, int batch)
{
  const int width = ensemble_width(group), end = (batch + 1) * width;
  for (int walker = batch * width; walker < end && walker < h->walkers; walker++)
    ensemble_scale_momenta(group, walker, 1.0,
                           bias_grid_energy(h->bias->grid, h->at[walker], NULL) - h->before[walker]);
}

static Status agree(void *self, const Ensemble *group, Status own, Error *error)
{
  const Hills *h = self;
  const int64_t step = ensemble_step(group);
  return is_due(h, step) && h->share.agree != NULL ? h->share.agree(h->share.self, own, step, error) : own;
}

static Status make(void *self, Ensemble *group, Error *error)
{
  const Hills *h = self;
  if (!is_due(h, ensemble_step(group)))
    return STATUS_OK;
  for (int batch = ensemble_first(group); batch < ensemble_end(group); batch++)
    gather_batch(h, batch);
  if (h->share.gather != NULL)
    h->share.gather(h->share.self, h->at, (size_t)ensemble_width(group) * sizeof *h->at);
  for (int walker = 0; walker < h->walkers; walker++)
    bias_grid_add(h->bias->grid, h->at[walker]);
  bias_grid_update(h->bias->grid);
  for (int batch = ensemble_first(group); batch < ensemble_end(group); batch++)
    add_work(h, group, batch);
  return ensemble_ready(group, error);
}

static void chunks(void *self, ChunkList *list)
{
  const Hills *h = self;
  bias_grid_chunks(h->bias->grid, list);
}

/* Processes wait for each other only between stretches of steps. */
static int64_t together(const void *self, int64_t step)
{
  const Hills *h = self;
  return h->share.gather != NULL ? ensemble_next(step, h->bias->every) : INT64_MAX;
}

Move hills_move(Hills *h)
{
  return (Move){.self = h,
                .every = h->bias->every,
                .agree = agree,
                .make = make,
                .chunks = chunks,
                .together = together};
}
