/* Memory that is allocated in pieces and freed as a whole, for an object with an Arena or within a function:
 *
 *   SCOPED(arena_free) Arena arena = {0};
 *   double *x = arena_take(&arena, n, sizeof *x);    ...
 *   TRY(arena_check(&arena, "averages", error));     once, before the memory is used */
#ifndef HOLONOM_BASE_ARENA_H
#define HOLONOM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scoped.h"
#include "base/status.h"

/* All zero is empty. */
typedef struct Arena {
  struct ArenaPiece *last;
  bool failed; /* an allocation failed */
} Arena;

/* Allocates n elements, zero and aligned to 64 bytes. NULL: no memory, which arena_check reports. */
void *arena_take(Arena *arena, size_t n, size_t size);

/* STATUS_MEMORY if an allocation failed. */
Status arena_check(const Arena *arena, const char *what, Error *error);

/* Frees all pieces; the arena is empty again. */
void arena_free(Arena *arena);

#endif
