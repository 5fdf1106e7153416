/* The memory that makes up a run at rest. Each module lists its own once, and one walker saves, compares or
 * restores all of it in the order of the list (simulation/checkpoint.c). */
#ifndef HOLONOM_ENGINE_CHUNK_H
#define HOLONOM_ENGINE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Chunk {
  void *data; /* borrowed: plain numbers, no pointers */
  size_t size;
} Chunk;

/* All zero is empty. */
typedef struct ChunkList {
  Chunk *chunk;
  int n;
  bool failed; /* an allocation failed: the list is incomplete */
} ChunkList;

/* Adds size bytes at data; nothing if size is 0. */
void chunk_add(ChunkList *list, void *data, size_t size);
void chunk_free(ChunkList *list);

#endif
