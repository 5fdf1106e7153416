#include "base/chunk.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 64 };

void chunk_owner(ChunkList *list, int owner) { list->shift = owner - CHUNK_OF_ALL; }

static void append(ChunkList *list, Chunk chunk)
{
  if (chunk.size == 0 || list->failed)
    return;
  if (list->n % STEP == 0) {
    Chunk *longer = realloc(list->chunk, (size_t)(list->n + STEP) * sizeof *longer);
    if (longer == NULL) {
      list->failed = true;
      return;
    }
    list->chunk = longer;
  }
  list->chunk[list->n++] = chunk;
}

void chunk_add(ChunkList *list, void *data, size_t size)
{
  append(list, (Chunk){data, size, CHUNK_OF_ALL + list->shift});
}

void chunk_add_each(ChunkList *list, void *data, size_t size, int n)
{
  for (int g = 0; g < n; g++)
    append(list, (Chunk){(char *)data + (size_t)g * size, size, list->base + g});
}

void chunk_add_batches(ChunkList *list, void *data, size_t size, int n)
{
  if (n > 0)
    chunk_add_each(list, data, size, n);
  else
    chunk_add(list, data, size);
}

void chunk_add_list(ChunkList *list, const ChunkList *from, int first, int last)
{
  list->failed = list->failed || from->failed;
  for (int i = 0; i < from->n; i++)
    if (from->chunk[i].owner >= first && from->chunk[i].owner <= last)
      append(list, from->chunk[i]);
}

/* Chunks of one owner keep the order of the list. */
static int compare(const void *a, const void *b)
{
  const Chunk *const *x = a, *const *y = b;
  if ((*x)->owner != (*y)->owner)
    return (*x)->owner < (*y)->owner ? -1 : 1;
  return (*x > *y) - (*x < *y);
}

void chunk_sort(ChunkList *list)
{
  const Chunk **order = malloc(((size_t)list->n + 1) * sizeof(Chunk *));
  Chunk *sorted = malloc(((size_t)list->n + STEP) / STEP * STEP * sizeof *sorted);
  list->failed = list->failed || order == NULL || sorted == NULL;
  if (!list->failed) {
    for (int i = 0; i < list->n; i++)
      order[i] = &list->chunk[i];
    qsort((void *)order, (size_t)list->n, sizeof *order, compare);
    for (int i = 0; i < list->n; i++)
      sorted[i] = *order[i];
    free(list->chunk);
    list->chunk = sorted;
    sorted = NULL;
  }
  free(sorted);
  free((void *)order);
}

size_t chunk_size(const ChunkList *list)
{
  size_t size = 0;
  for (int i = 0; i < list->n; i++)
    size += list->chunk[i].size;
  return size;
}

void chunk_get(const ChunkList *list, void *buffer)
{
  unsigned char *at = buffer;
  for (int i = 0; i < list->n; at += list->chunk[i++].size)
    memcpy(at, list->chunk[i].data, list->chunk[i].size);
}

void chunk_set(const ChunkList *list, const void *buffer)
{
  const unsigned char *at = buffer;
  for (int i = 0; i < list->n; at += list->chunk[i++].size)
    memcpy(list->chunk[i].data, at, list->chunk[i].size);
}

void chunk_free(ChunkList *list)
{
  free(list->chunk);
  *list = (ChunkList){0};
}
