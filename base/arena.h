/* Memory that is asked for in pieces and given up together: of an object that has an Arena, or of a function.
 *
 *   SCOPED(arena_free) Arena arena = {0};
 *   double *x = arena_take(&arena, n, sizeof *x);    ...
 *   TRY(arena_check(&arena, "averages", error));     once, before any is used */
#ifndef HOLONOM_BASE_ARENA_H
#define HOLONOM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scoped.h"
#include "base/status.h"

/* All zero is empty. */
typedef struct Arena {
  struct ArenaPiece *last;
  bool failed; /* there was no memory for a piece */
} Arena;

/* n elements of a size, zero, aligned to 64 bytes. NULL: there is no memory, as arena_check says. */
void *arena_take(Arena *arena, size_t n, size_t size);

/* STATUS_MEMORY where one piece was not to be had. */
Status arena_check(const Arena *arena, const char *what, Error *error);

/* The room is empty then. */
void arena_free(Arena *arena);

#endif
