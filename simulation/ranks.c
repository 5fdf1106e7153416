#include "simulation/ranks.h"

#include <stdlib.h>
#include <string.h>

bool ranks_writes(const Ranks *ranks) { return ranks == NULL || ranks->rank == 0; }

static void gangs_of(const Ranks *ranks, int rank, int ngang, int *first, int *end)
{
  *first = (int)((int64_t)ngang * rank / ranks->size);
  *end = (int)((int64_t)ngang * (rank + 1) / ranks->size);
}

void ranks_share_out(const Ranks *ranks, int ngang, int *first, int *end)
{
  *first = 0;
  *end = ngang;
  if (ranks != NULL)
    gangs_of(ranks, ranks->rank, ngang, first, end);
}

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

void ranks_spread(const Ranks *ranks, const ChunkList *list, void *buffer)
{
  if (ranks == NULL)
    return;
  if (ranks->rank == 0)
    chunk_get(list, buffer);
  ranks->broadcast(0, buffer, chunk_size(list));
  if (ranks->rank != 0)
    chunk_set(list, buffer);
}

/* Those of the gangs of one rank. */
static void pass(const Ranks *ranks, int rank, const ChunkList *list, int ngang, unsigned char *buffer)
{
  int first, end;
  gangs_of(ranks, rank, ngang, &first, &end);
  size_t size = 0;
  for (int i = 0; i < list->n; i++)
    size += list->chunk[i].owner >= first && list->chunk[i].owner < end ? list->chunk[i].size : 0;
  const bool send = ranks->rank != 0;
  if (!send) {
    (void)ranks->receive_size(rank); /* the same */
    ranks->receive(rank, buffer, size);
  }
  size_t at = 0;
  for (int i = 0; i < list->n; i++) {
    const Chunk *chunk = &list->chunk[i];
    if (chunk->owner < first || chunk->owner >= end)
      continue;
    memcpy(send ? buffer + at : chunk->data, send ? chunk->data : buffer + at, chunk->size);
    at += chunk->size;
  }
  if (send)
    ranks->send(buffer, size);
}

void ranks_collect(const Ranks *ranks, const ChunkList *list, int ngang, void *buffer)
{
  if (ranks == NULL)
    return;
  if (ranks->rank != 0)
    pass(ranks, ranks->rank, list, ngang, buffer);
  for (int rank = 1; rank < ranks->size && ranks->rank == 0; rank++)
    pass(ranks, rank, list, ngang, buffer);
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
  if (data == NULL)
    return error_memory(error, "samples");
  ranks->receive(rank, data, size);
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
    ranks->send(records.data, records.failed ? 0 : records.size);
    bytes_free(&records);
  }
  for (int rank = 1; rank < ranks->size && ranks->rank == 0 && status == STATUS_OK; rank++)
    status = receive(ranks, rank, samples, error);
  return status;
}
