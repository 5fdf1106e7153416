/* What a restart does, in memory. */
#ifndef HOLONOM_TESTS_CHUNKS_H
#define HOLONOM_TESTS_CHUNKS_H

#include "base/chunk.h"
#include "tests/suite.h"

static inline void chunks_match(const ChunkList *a, const ChunkList *b)
{
  ck_assert(!a->failed && !b->failed);
  ck_assert_int_eq(a->n, b->n);
  for (int i = 0; i < a->n; i++)
    ck_assert_uint_eq(a->chunk[i].size, b->chunk[i].size);
}

/* All that one list points at is copied to where the other points, and both lists are freed. */
static inline void chunks_restore(ChunkList *from, ChunkList *to)
{
  chunks_match(from, to);
  for (int i = 0; i < from->n; i++)
    memcpy(to->chunk[i].data, from->chunk[i].data, from->chunk[i].size);
  chunk_free(from);
  chunk_free(to);
}

/* Both point at the same bits; both lists are freed. */
static inline void chunks_same(ChunkList *a, ChunkList *b)
{
  chunks_match(a, b);
  for (int i = 0; i < a->n; i++)
    ck_assert_mem_eq(a->chunk[i].data, b->chunk[i].data, a->chunk[i].size);
  chunk_free(a);
  chunk_free(b);
}

#endif
