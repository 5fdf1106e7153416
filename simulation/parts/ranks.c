#include "simulation/parts/ranks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/scoped.h"

bool ranks_writes(const Ranks *ranks) { return ranks == NULL || ranks->rank == 0; }

int64_t ranks_least(const Ranks *ranks, int64_t value) { return ranks == NULL ? value : ranks->least(value); }

Status ranks_agree(const Ranks *ranks, Status own, int64_t when, Error *error)
{
  if (ranks == NULL)
    return own;
  struct {
    Status status;
    Error error;
  } fault = {.status = own};
  const int64_t first = ranks->least(own == STATUS_OK ? INT64_MAX : when);
  const int64_t root = ranks->least(own != STATUS_OK && when == first ? ranks->rank : ranks->size);
  if (root == ranks->size)
    return STATUS_OK;
  if (root == ranks->rank && error != NULL)
    fault.error = *error;
  ranks->broadcast((int)root, &fault, sizeof fault);
  if (error != NULL)
    *error = fault.error;
  return fault.status;
}

/* Sends or receives the chunks of these owners. */
static void pass(const Ranks *ranks, const ChunkList *list, int first, int last, int other, bool out)
{
  for (int i = 0; i < list->n; i++) {
    const Chunk *chunk = &list->chunk[i];
    if (chunk->owner < first || chunk->owner > last)
      continue;
    if (out) {
      ranks->send(other, chunk->data, chunk->size);
    } else {
      (void)ranks->receive_size(other); /* the same */
      ranks->receive(other, chunk->data, chunk->size);
    }
  }
}

/* Between rank 0 and each other rank. */
static void pass_parts(const Ranks *ranks, const ChunkList *list, const int *bound, bool spread)
{
  const bool root = ranks->rank == 0;
  const int first = root ? 1 : ranks->rank, end = root ? ranks->size : first + 1;
  for (int rank = first; rank < end; rank++) {
    const int other = root ? rank : 0;
    if (spread)
      pass(ranks, list, CHUNK_OF_ALL, CHUNK_OF_ALL, other, root);
    pass(ranks, list, bound[rank], bound[rank + 1] - 1, other, spread == root);
  }
}

void ranks_spread(const Ranks *ranks, const ChunkList *list, const int *bound)
{
  if (ranks != NULL)
    pass_parts(ranks, list, bound, true);
}

void ranks_collect(const Ranks *ranks, const ChunkList *list, const int *bound)
{
  if (ranks != NULL)
    pass_parts(ranks, list, bound, false);
}

void ranks_allgather(const Ranks *ranks, void *data, size_t size, const int *bound)
{
  for (int rank = 0; ranks != NULL && rank < ranks->size; rank++)
    ranks->broadcast(rank, (unsigned char *)data + (size_t)bound[rank] * size,
                     (size_t)(bound[rank + 1] - bound[rank]) * size);
}

static Status receive(const Ranks *ranks, int rank, const Samples *samples, Error *error)
{
  const size_t size = ranks->receive_size(rank);
  SCOPED(scoped_free) unsigned char *data = malloc(size + 1);
  ranks->receive(rank, data, size); /* even without memory, since the sender waits */
  FILE *const file = data != NULL ? fmemopen(data, size + 1, "r") : NULL;
  TRY_MEMORY(file != NULL, "samples", error);
  char name[64];
  snprintf(name, sizeof name, "the samples of process %d", rank);
  SampleReader reader = {.name = name, .file = file, .left = (int64_t)size, .what = -1};
  Status status = samples_next(&reader, error);
  while (status == STATUS_OK && reader.next.size >= 0)
    status = samples_read(&reader, samples, error);
  fclose(file); /* memory */
  return error_in_run(error, status);
}

Status ranks_samples(const Ranks *ranks, const Samples *samples, Error *error)
{
  Status status = STATUS_OK;
  if (ranks == NULL)
    return status;
  if (ranks->rank != 0) {
    Bytes records = {0};
    samples->pack(samples->sampler.self, &records);
    status = records.failed ? error_memory(error, "samples") : STATUS_OK;
    ranks->send(0, records.data, records.failed ? 0 : records.size);
    bytes_free(&records);
  }
  /* Receives from all, even after an error, since senders wait. */
  for (int rank = 1; rank < ranks->size && ranks->rank == 0; rank++) {
    const Status one = receive(ranks, rank, samples, status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? one : status;
  }
  return status;
}
