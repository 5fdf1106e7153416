/* Variables that are freed at the end of their scope, so that a function can return at once after an error
 * (TRY, base/status.h). Do not use it for what the function returns to its caller.
 *
 *   SCOPED(frame_free) Frame frame = {0};                calls frame_free(&frame) at the end;
 *   SCOPED(scoped_free) char *path = file_path(a, b);    frees memory;
 *   SCOPED(config_free_at) Config *config = NULL;        calls config_free(config), with, in the same file,
 *   SCOPED_POINTER(Config, config_free) */
#ifndef HOLONOM_BASE_SCOPED_H
#define HOLONOM_BASE_SCOPED_H

#include <stdlib.h>
#include <string.h>

#define SCOPED(give_up) __attribute__((cleanup(give_up)))

/* clang-format off */
#define SCOPED_POINTER(Type, give_up) \
  static inline void give_up##_at(Type *const *at) { (give_up)(*at); } /* NOLINT(bugprone-macro-parentheses) */
/* clang-format on */

/* at: the address of a pointer to memory of malloc, or to NULL. */
static inline void scoped_free(const void *at)
{
  void *memory;
  memcpy(&memory, at, sizeof memory);
  free(memory);
}

#endif
