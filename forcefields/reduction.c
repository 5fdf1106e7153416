#include "forcefields/reduction.h"

#include <stdlib.h>
#include <string.h>

#include "forcefields/reduction_kernels.h"

struct Reduction {
  const ReductionKernels *kernels;
  int n, bytes, nblock;
  size_t row, array; /* bytes of a row, and of an array of all rows */
  size_t marks;      /* bytes of a thread's marks */
  char *memory;      /* [threads + 1] arrays, the sums first; written first by the threads that use them */
  uint8_t *mark;     /* [threads][marks] blocks touched by a thread's chunks */
};

Status reduction_create(Reduction **out, int n, int length, int bytes, int threads, Isa isa, Error *error)
{
  enum { PAGE = 4096 };
  static const ReductionKernels *const kernels[ISA_COUNT] = ISA_TABLES(reduction_kernels_table);
  Reduction *r = calloc(1, sizeof *r);
  *out = r;
  TRY_MEMORY(r != NULL, "the sums of forces", error);
  r->kernels = kernels[isa];
  r->n = n;
  r->bytes = bytes;
  r->nblock = list_blocks(n);
  r->row = (size_t)length * (size_t)bytes;
  r->array = ((size_t)n * r->row + PAGE - 1) / PAGE * PAGE;
  r->marks = ((size_t)r->nblock + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
  r->memory = aligned_alloc(PAGE, ((size_t)threads + 1) * r->array);
  r->mark = aligned_alloc(TEAM_LINE, (size_t)threads * r->marks);
  if (r->memory != NULL && r->mark != NULL)
    return STATUS_OK;
  reduction_free(r);
  *out = NULL;
  return error_memory(error, "the sums of forces");
}

void reduction_free(Reduction *r)
{
  if (r == NULL)
    return;
  free(r->memory);
  free(r->mark);
  free(r);
}

static char *array_of(const Reduction *r, int rank) { return r->memory + (size_t)(rank + 1) * r->array; }

static uint8_t *marks_of(const Reduction *r, int rank) { return r->mark + (size_t)rank * r->marks; }

/* Bytes of blocks begin..end-1, and their offset. */
static size_t extent(const Reduction *r, int begin, int end, size_t *at)
{
  const int last = end * LIST_BLOCK < r->n ? end * LIST_BLOCK : r->n;
  *at = (size_t)(begin * LIST_BLOCK) * r->row;
  return (size_t)last * r->row - *at;
}

void *reduction_begin(Reduction *r, const Team *team)
{
  memset(marks_of(r, team->rank), 0, (size_t)r->nblock);
  return array_of(r, team->rank);
}

/* Clears those of blocks begin..end-1 that are touched for the first time. */
static void reach(const Reduction *r, char *own, uint8_t *mark, const uint8_t *touched, int begin, int end)
{
  for (int b = begin; b < end; b++)
    if (touched[b] != 0 && mark[b] == 0) {
      size_t at;
      const size_t bytes = extent(r, b, b + 1, &at);
      memset(own + at, 0, bytes);
      mark[b] = 1;
    }
}

/* Tests eight marks, bytes of 0 or 1, at a time: most are set already. */
void reduction_reach(Reduction *r, const Team *team, const ListChunk *chunk)
{
  enum { EIGHT = sizeof(uint64_t) };
  char *const own = array_of(r, team->rank);
  uint8_t *const mark = marks_of(r, team->rank);
  int b = 0;
  for (; b + EIGHT <= r->nblock; b += EIGHT) {
    uint64_t known, now;
    memcpy(&known, mark + b, EIGHT);
    memcpy(&now, chunk->touched + b, EIGHT);
    if ((now & ~known) != 0)
      reach(r, own, mark, chunk->touched, b, b + EIGHT);
  }
  reach(r, own, mark, chunk->touched, b, r->nblock);
}

static void add(const Reduction *r, void *to, const void *from, size_t bytes)
{
  if (r->bytes == sizeof(uint32_t))
    r->kernels->add32(to, from, bytes / sizeof(uint32_t));
  else
    r->kernels->add64(to, from, bytes / sizeof(uint64_t));
}

const void *reduction_sum(Reduction *r, const Team *team)
{
  if (team->size == 1)
    return array_of(r, 0);
  int begin, end;
  team_range(team, r->nblock, &begin, &end);
  for (int b = begin; b < end; b++) {
    size_t at;
    const size_t bytes = extent(r, b, b + 1, &at);
    bool first = true;
    for (int t = 0; t < team->size; t++) {
      if (marks_of(r, t)[b] == 0)
        continue;
      if (first)
        memcpy(r->memory + at, array_of(r, t) + at, bytes);
      else
        add(r, r->memory + at, array_of(r, t) + at, bytes);
      first = false;
    }
  }
  return r->memory;
}
