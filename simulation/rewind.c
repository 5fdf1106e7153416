#include "simulation/rewind.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ticks.h"

/* A copy is taken anew when so many times the time that it takes has passed: it costs 2 % at most. */
static const double seldom = 50.0;

struct Rewind {
  Ensemble *ensemble;
  Measure *measure;
  ChunkList chunks;
  unsigned char *copy; /* of all chunks, one after the other */
  bool kept;
  double when, took; /* seconds, of the last copy */
};

Status rewind_create(Rewind **rewind, Ensemble *ensemble, Measure *measure, Error *error)
{
  *rewind = NULL;
  if (ensemble_gangs(ensemble) == 1)
    return STATUS_OK;
  Rewind *r = calloc(1, sizeof *r);
  if (r == NULL)
    return error_memory(error, "a way back");
  *r = (Rewind){.ensemble = ensemble, .measure = measure};
  ensemble_chunks(ensemble, &r->chunks);
  measure_chunks(measure, &r->chunks);
  size_t size = 0;
  for (int i = 0; i < r->chunks.n; i++)
    size += r->chunks.chunk[i].size;
  r->copy = malloc(size + 1);
  if (r->chunks.failed || r->copy == NULL) {
    rewind_free(r);
    return error_memory(error, "a way back");
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

static void copy_chunks(Rewind *r, bool back)
{
  unsigned char *at = r->copy;
  for (int i = 0; i < r->chunks.n; at += r->chunks.chunk[i++].size) {
    const Chunk chunk = r->chunks.chunk[i];
    if (back)
      memcpy(chunk.data, at, chunk.size);
    else
      memcpy(at, chunk.data, chunk.size);
  }
}

void rewind_keep(Rewind *r)
{
  const double now = ticks_seconds();
  if (r == NULL || (r->kept && now - r->when < seldom * r->took))
    return;
  copy_chunks(r, false);
  r->kept = true;
  r->when = ticks_seconds();
  r->took = r->when - now;
}

/* From the copy to a step; what was measured up to `from` has been written before. */
static Status replay(Rewind *r, int64_t from, int64_t to, const Sampler *sampler, Error *error)
{
  const int64_t longest = measure_segment(r->measure);
  measure_flush(r->measure);
  copy_chunks(r, true);
  Status status = STATUS_OK;
  for (int64_t step; status == STATUS_OK && (step = ensemble_step(r->ensemble)) < to;) {
    int64_t end = step < from ? from : to;
    end = end - step > longest ? step + longest : end;
    status = ensemble_run(r->ensemble, end, sampler, error);
    if (status == STATUS_OK && end <= from)
      measure_flush(r->measure);
  }
  return status;
}

void rewind_to_last(Rewind *r, int64_t from, const Sampler *sampler, Error *error)
{
  if (r == NULL)
    return;
  Error earlier;
  while (replay(r, from, ensemble_sound(r->ensemble), sampler, &earlier) != STATUS_OK)
    if (error != NULL)
      *error = earlier;
}
