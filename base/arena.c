#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A header; the elements follow it. */
typedef struct ArenaPiece {
  _Alignas(64) struct ArenaPiece *before;
} ArenaPiece;

void *arena_take(Arena *arena, size_t n, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2) {
    arena->failed = true;
    return NULL;
  }
  const size_t whole = (bytes + sizeof(ArenaPiece) - 1) / sizeof(ArenaPiece) * sizeof(ArenaPiece);
  ArenaPiece *piece = aligned_alloc(sizeof *piece, sizeof *piece + whole);
  if (piece == NULL) {
    arena->failed = true;
    return NULL;
  }
  piece->before = arena->last;
  arena->last = piece;
  return memset(piece + 1, 0, whole);
}

Status arena_check(const Arena *arena, const char *what, Error *error)
{
  TRY_MEMORY(!arena->failed, what, error);
  return STATUS_OK;
}

void arena_free(Arena *arena)
{
  while (arena->last != NULL) {
    ArenaPiece *piece = arena->last;
    arena->last = piece->before;
    free(piece);
  }
  arena->failed = false;
}
