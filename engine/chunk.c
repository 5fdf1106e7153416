#include "engine/chunk.h"

#include <stdlib.h>

enum { STEP = 64 };

void chunk_add(ChunkList *list, void *data, size_t size)
{
  if (size == 0 || list->failed)
    return;
  if (list->n % STEP == 0) {
    Chunk *longer = realloc(list->chunk, (size_t)(list->n + STEP) * sizeof *longer);
    if (longer == NULL) {
      list->failed = true;
      return;
    }
    list->chunk = longer;
  }
  list->chunk[list->n++] = (Chunk){data, size};
}

void chunk_free(ChunkList *list)
{
  free(list->chunk);
  *list = (ChunkList){0};
}
