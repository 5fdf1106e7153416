/* Variables that are given up where their scope ends, so that a function returns at once after an error
 * (TRY, base/status.h) and nothing is lost. What it hands on to its caller is none of these.
 *
 *   SCOPED(frame_free) Frame frame = {0};                frame_free(&frame) at the end
 *   SCOPED(scoped_free) char *path = file_path(a, b);    memory
 *   SCOPED(config_free_at) Config *config = NULL;        config_free(config), which in the same file
 *   SCOPED_POINTER(Config, config_free)                  makes possible */
#ifndef HOLONOM_BASE_SCOPED_H
#define HOLONOM_BASE_SCOPED_H

#include <stdlib.h>
#include <string.h>

#define SCOPED(give_up) __attribute__((cleanup(give_up)))

/* clang-format off */
#define SCOPED_POINTER(Type, give_up) \
  static inline void give_up##_at(Type *const *at) { (give_up)(*at); } /* NOLINT(bugprone-macro-parentheses) */
/* clang-format on */

/* at: the address of a pointer to memory of malloc, or of NULL. */
static inline void scoped_free(const void *at)
{
  void *memory;
  memcpy(&memory, at, sizeof memory);
  free(memory);
}

#endif
