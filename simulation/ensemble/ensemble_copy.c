/* Copies of an ensemble's batches. */
#include <stdlib.h>

#include "simulation/ensemble/ensemble_private.h"

struct EnsembleCopy {
  const Ensemble *of;
  int held;
  State *batch[]; /* [held] */
};

static Status fill(EnsembleCopy *copy, Error *error)
{
  const Ensemble *e = copy->of;
  for (int g = 0; g < e->held; g++) {
    const State *like = e->batch[g];
    TRY(topology_state(e->options.topology, like->width, like->seed, like->replica, &copy->batch[g], error));
    copy->batch[g]->box = like->box; /* a chunk, needed even if another process has the batch */
    if (like->slow != NULL)
      TRY(state_keep_slow(copy->batch[g], error));
  }
  return STATUS_OK;
}

Status ensemble_copy_create(EnsembleCopy **copy, const Ensemble *e, Error *error)
{
  *copy = calloc(1, sizeof **copy + (size_t)e->held * sizeof(State *));
  TRY_MEMORY(*copy != NULL, "a copy of the replicas", error);
  (*copy)->of = e;
  (*copy)->held = e->held;
  TRY_ELSE(fill(*copy, error), (ensemble_copy_free(*copy), *copy = NULL));
  return STATUS_OK;
}

void ensemble_copy_free(EnsembleCopy *copy)
{
  for (int g = 0; copy != NULL && g < copy->held; g++)
    state_free(copy->batch[g]);
  free(copy);
}

static State *state_of(const EnsembleCopy *copy, int batch) { return copy->batch[batch - copy->of->base]; }

void ensemble_copy_take(EnsembleCopy *copy, int batch)
{
  state_copy(state_of(copy, batch), copy->of->batch[batch - copy->of->base]);
}

static void take(void *self, int i)
{
  EnsembleCopy *copy = self;
  ensemble_copy_take(copy, copy->of->first + i);
}

void ensemble_copy_take_all(EnsembleCopy *copy)
{
  ensemble_each(copy->of, copy->of->end - copy->of->first, take, copy);
}

void ensemble_copy_return(const EnsembleCopy *copy, int batch)
{
  state_copy(copy->of->batch[batch - copy->of->base], state_of(copy, batch));
}

Sample ensemble_copy_at(const EnsembleCopy *copy, int batch) { return sample_of(state_of(copy, batch)); }

void ensemble_copy_chunks(const EnsembleCopy *copy, int batch, ChunkList *list)
{
  state_chunks(state_of(copy, batch), list);
}
