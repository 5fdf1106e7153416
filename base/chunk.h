/* The memory that makes up the state of a run. Each module lists its own chunks once;
 * simulation/parts/checkpoint.c saves, compares and restores all of them in the order of the list.
 *
 * A chunk belongs to the ensemble as a whole, to the output files, to the run (its duration, lengths of
 * files), or to one batch of replicas. All batches have the same number, order and sizes of chunks. Parts of
 * an ensemble can therefore be joined, and an ensemble divided, without knowledge of the contents. */
#ifndef HOLONOM_BASE_CHUNK_H
#define HOLONOM_BASE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

/* The owner of a chunk; batch g: g. */
enum { CHUNK_OF_RUN = -3, CHUNK_OF_FILES = -2, CHUNK_OF_ALL = -1 };

typedef struct Chunk {
  void *data; /* borrowed; contains no pointers */
  size_t size;
  int owner;
} Chunk;

/* All zero is empty. */
typedef struct ChunkList {
  Chunk *chunk;
  int n;
  int shift;   /* added to the owner: chunk_owner */
  int base;    /* the first batch of the list: chunk_add_each */
  bool failed; /* an allocation failed: the list is incomplete */
} ChunkList;

/* Sets the owner of chunks added from now on; at first CHUNK_OF_ALL. */
void chunk_owner(ChunkList *list, int owner);

/* Adds `size` bytes at data; no effect if size is 0. */
void chunk_add(ChunkList *list, void *data, size_t size);

/* Adds an array with one element of `size` bytes for each of n batches, from list->base on. */
void chunk_add_each(ChunkList *list, void *data, size_t size, int n);

/* Likewise for n batches, or, if n is 0, one element of the current owner. */
void chunk_add_batches(ChunkList *list, void *data, size_t size, int n);

/* Adds the chunks of another list with owners from first to last. */
void chunk_add_list(ChunkList *list, const ChunkList *from, int first, int last);

/* Sorts by owner, keeping the order within each owner. */
void chunk_sort(ChunkList *list);

/* The total number of bytes; and copies of all chunks, in order, to and from a buffer of that size. */
size_t chunk_size(const ChunkList *list);
void chunk_get(const ChunkList *list, void *buffer);
void chunk_set(const ChunkList *list, const void *buffer);

void chunk_free(ChunkList *list);

#endif
