#include "simulation/parts/ranks.h"

#include <stdlib.h>
#include <string.h>

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

/* What goes between rank 0 and another: of that one's gangs, and of all (unless not). */
static bool shared(const Chunk *chunk, int rank, const int *bound, bool of_all)
{
  return (chunk->owner >= bound[rank] && chunk->owner < bound[rank + 1]) ||
         (of_all && chunk->owner == CHUNK_OF_ALL);
}

static size_t share(const ChunkList *list, int rank, const int *bound, bool of_all)
{
  size_t size = 0;
  for (int i = 0; i < list->n; i++)
    size += shared(&list->chunk[i], rank, bound, of_all) ? list->chunk[i].size : 0;
  return size;
}

static void copy(const ChunkList *list, int rank, const int *bound, bool of_all, bool out,
                 unsigned char *buffer)
{
  for (int i = 0; i < list->n; i++) {
    const Chunk *chunk = &list->chunk[i];
    if (!shared(chunk, rank, bound, of_all))
      continue;
    memcpy(out ? buffer : chunk->data, out ? chunk->data : buffer, chunk->size);
    buffer += chunk->size;
  }
}

static void pass(const Ranks *ranks, const ChunkList *list, const int *bound, bool spread, void *buffer)
{
  const bool out = spread == (ranks->rank == 0);
  const int first = ranks->rank == 0 ? 1 : ranks->rank, end = ranks->rank == 0 ? ranks->size : first + 1;
  for (int rank = first; rank < end; rank++) {
    const size_t size = share(list, rank, bound, spread);
    const int other = ranks->rank == 0 ? rank : 0;
    if (out) {
      copy(list, rank, bound, spread, true, buffer);
      ranks->send(other, buffer, size);
    } else {
      (void)ranks->receive_size(other); /* the same */
      ranks->receive(other, buffer, size);
      copy(list, rank, bound, spread, false, buffer);
    }
  }
}

size_t ranks_room(const Ranks *ranks, const ChunkList *list, const int *bound)
{
  size_t most = 0;
  for (int rank = 0; rank < ranks->size; rank++) {
    const size_t size = share(list, rank, bound, true);
    most = size > most ? size : most;
  }
  return most;
}

void ranks_spread(const Ranks *ranks, const ChunkList *list, const int *bound, void *buffer)
{
  if (ranks != NULL)
    pass(ranks, list, bound, true, buffer);
}

void ranks_collect(const Ranks *ranks, const ChunkList *list, const int *bound, void *buffer)
{
  if (ranks != NULL)
    pass(ranks, list, bound, false, buffer);
}

void ranks_tell(const Ranks *ranks, const void *own, size_t size, void *all)
{
  unsigned char *to = all;
  if (ranks->rank != 0)
    ranks->send(0, own, size);
  else
    memcpy(to, own, size);
  for (int rank = 1; rank < ranks->size && ranks->rank == 0; rank++) {
    (void)ranks->receive_size(rank);
    ranks->receive(rank, to + (size_t)rank * size, size);
  }
}

/* Records one after the other, as they came. */
static bool unpack(const Samples *samples, const unsigned char *data, size_t size)
{
  bool fine = true;
  while (fine && size >= sizeof(SampleRecord)) {
    SampleRecord record;
    memcpy(&record, data, sizeof record);
    data += sizeof record;
    size -= sizeof record;
    fine = record.size >= 0 && (size_t)record.size <= size &&
           samples->unpack(samples->sampler.self, &record, data);
    if (!fine)
      break;
    data += record.size;
    size -= (size_t)record.size;
  }
  return fine && size == 0;
}

static Status receive(const Ranks *ranks, int rank, const Samples *samples, Error *error)
{
  const size_t size = ranks->receive_size(rank);
  unsigned char *data = malloc(size + 1);
  ranks->receive(rank, data, size); /* also where there is no room for it: its sender waits */
  if (data == NULL)
    return error_memory(error, "samples");
  const bool fine = unpack(samples, data, size);
  free(data);
  return fine ? STATUS_OK
              : error_set(error, STATUS_RUN, "what process %d has sampled does not fit: is it another build?",
                          rank);
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
  /* All of them, whatever came of those before: who has not been heard waits in its send. */
  for (int rank = 1; rank < ranks->size && ranks->rank == 0; rank++) {
    const Status one = receive(ranks, rank, samples, status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? one : status;
  }
  return status;
}
