#include "simulation/ensemble/hills.h"

Status hills_create(Hills *h, const MetadynamicsBias *bias, Ensemble *ensemble, int walkers, Error *error)
{
  *h = (Hills){.bias = bias, .ensemble = ensemble, .walkers = walkers};
  h->scratch = arena_take(&h->arena, metadynamics_memory(bias), sizeof *h->scratch);
  h->at = arena_take(&h->arena, (size_t)walkers, sizeof *h->at);
  h->before = arena_take(&h->arena, (size_t)walkers, sizeof *h->before);
  return arena_check(&h->arena, "metadynamics", error);
}

void hills_free(Hills *hills) { arena_free(&hills->arena); }

/* The coordinates of a batch's walkers, and their bias. */
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

static Status make(void *self, Ensemble *group, Error *error)
{
  const Hills *h = self;
  const int64_t step = ensemble_step(group);
  if (step == 0 || step % h->bias->every != 0)
    return STATUS_OK;
  for (int batch = ensemble_first(group); batch < ensemble_end(group); batch++)
    gather_batch(h, batch);
  for (int walker = 0; walker < h->walkers; walker++)
    bias_grid_add(h->bias->grid, h->at[walker]);
  bias_grid_update(h->bias->grid);
  for (int walker = 0; walker < h->walkers; walker++)
    ensemble_scale_momenta(group, walker, 1.0,
                           bias_grid_energy(h->bias->grid, h->at[walker], NULL) - h->before[walker]);
  return ensemble_ready(group, error);
}

static void chunks(void *self, ChunkList *list)
{
  const Hills *h = self;
  bias_grid_chunks(h->bias->grid, list);
}

Move hills_move(Hills *h)
{
  return (Move){.self = h, .every = h->bias->every, .make = make, .chunks = chunks};
}
