#include "simulation/run/rewind.h"

#include <limits.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "simulation/parts/ranks.h"

/* A copy is repeated after this multiple of its duration, so it costs at most 2 %. */
static const double seldom = 50.0;

struct Rewind {
  Simulation *s;
  const Samples *samples;
  const Ranks *ranks;
  ChunkList chunks;
  unsigned char *copy; /* all chunks, in order */
  bool kept;
  double when, took; /* s, of the last copy */
};

Status rewind_create(Rewind **rewind, Simulation *s, const Samples *samples, const Ranks *ranks, Error *error)
{
  *rewind = NULL;
  if (ensemble_batches(s->ensemble) == 1)
    return STATUS_OK;
  Rewind *r = calloc(1, sizeof *r);
  TRY_MEMORY(r != NULL, "a copy of the run", error);
  *r = (Rewind){.s = s, .samples = samples, .ranks = ranks};
  simulation_chunks(s, &r->chunks);
  chunk_add_list(&r->chunks, &samples->chunks, CHUNK_OF_ALL, INT_MAX);
  r->copy = malloc(chunk_size(&r->chunks) + 1);
  if (r->chunks.failed || r->copy == NULL) {
    rewind_free(r);
    return error_memory(error, "a copy of the run");
  }
  *rewind = r;
  return STATUS_OK;
}

void rewind_free(Rewind *rewind)
{
  if (rewind == NULL)
    return;
  chunk_free(&rewind->chunks);
  free(rewind->copy);
  free(rewind);
}

void rewind_keep(Rewind *r)
{
  const double now = ticks_seconds();
  if (r == NULL)
    return;
  /* Processes that exchange hills must return to one step. */
  const bool often = r->s->hills.share.gather != NULL;
  if (r->kept && !often && now - r->when < seldom * r->took)
    return;
  chunk_get(&r->chunks, r->copy);
  r->kept = true;
  r->when = ticks_seconds();
  r->took = r->when - now;
}

static void flush(const Rewind *r)
{
  if (r->samples->flush != NULL)
    r->samples->flush(r->samples->sampler.self);
}

/* Steps from the copy to a step; samples up to `from` have been written before. */
static Status replay(Rewind *r, int64_t from, int64_t to, Error *error)
{
  const int64_t longest = r->samples->longest;
  bool changed = false;
  flush(r);
  chunk_set(&r->chunks, r->copy);
  Status status = ensemble_follow_boxes(r->s->ensemble, &changed, error);
  if (changed) /* data of forces belong to the new box */
    chunk_set(&r->chunks, r->copy);
  status = ranks_agree(r->ranks, status, 0, error); /* before steps with messages */
  for (int64_t step; status == STATUS_OK && (step = ensemble_step(r->s->ensemble)) < to;) {
    int64_t end = step < from ? from : to;
    end = end - step > longest ? step + longest : end;
    status = simulation_step_to(r->s, end, &r->samples->sampler, error);
    if (status == STATUS_OK && end <= from)
      flush(r);
  }
  return status;
}

void rewind_to_last(Rewind *r, int64_t from, Error *error)
{
  if (r == NULL)
    return;
  Status status = STATUS_RUN;
  while (status != STATUS_OK) {
    Error earlier;
    const int64_t to = ranks_least(r->ranks, ensemble_sound(r->s->ensemble));
    status = replay(r, from, to, &earlier);
    status = ranks_agree(r->ranks, status, ensemble_sound(r->s->ensemble), &earlier);
    if (status != STATUS_OK && error != NULL)
      *error = earlier;
  }
}
