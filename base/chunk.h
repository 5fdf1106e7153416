/* The memory that makes up a run at rest. Each module lists its own once, and one walker saves, compares or
 * restores all of it in the order of the list (simulation/parts/checkpoint.c).
 *
 * A chunk belongs to the whole, to the files that are written, to the run (how long it took, how far files
 * have come), or to one batch of replicas. Those of a batch are the same in number, order and size for all
 * batches, so that parts of an ensemble are put together, and a whole is shared out, by those who know
 * nothing of what is in them. */
#ifndef HOLONOM_BASE_CHUNK_H
#define HOLONOM_BASE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

/* Whom a chunk belongs to; batch g: g. */
enum { CHUNK_OF_RUN = -3, CHUNK_OF_FILES = -2, CHUNK_OF_ALL = -1 };

typedef struct Chunk {
  void *data; /* borrowed: plain numbers, no pointers */
  size_t size;
  int owner;
} Chunk;

/* All zero is empty. */
typedef struct ChunkList {
  Chunk *chunk;
  int n;
  int shift;   /* of the owner from CHUNK_OF_ALL: chunk_owner */
  int base;    /* the first batch of which there are chunks: chunk_add_each */
  bool failed; /* an allocation failed: the list is incomplete */
} ChunkList;

/* Whom the chunks belong to that are added from now on; at first CHUNK_OF_ALL. */
void chunk_owner(ChunkList *list, int owner);

/* Adds size bytes at data; nothing if size is 0. */
void chunk_add(ChunkList *list, void *data, size_t size);

/* Adds an array of one element of `size` bytes for each of n batches, from list->base on. */
void chunk_add_each(ChunkList *list, void *data, size_t size, int n);

/* The same of n batches, or, where n is 0, of one element that belongs to whom chunk_owner said. */
void chunk_add_batches(ChunkList *list, void *data, size_t size, int n);

/* Adds those chunks of another list that belong to one of first ... last, as owners are ordered. */
void chunk_add_list(ChunkList *list, const ChunkList *from, int first, int last);

/* Sorts by owners; the order of each owner's stays. */
void chunk_sort(ChunkList *list);

/* Bytes of all together; and copies of all, one after the other, to and from a buffer of that size. */
size_t chunk_size(const ChunkList *list);
void chunk_get(const ChunkList *list, void *buffer);
void chunk_set(const ChunkList *list, const void *buffer);

void chunk_free(ChunkList *list);

#endif
