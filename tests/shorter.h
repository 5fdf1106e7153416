/* How much shorter tests are where a step takes ten or a hundred times as long. */
#ifndef HOLONOM_TESTS_SHORTER_H
#define HOLONOM_TESTS_SHORTER_H

#include <stdlib.h>

#include "engine/isa.h"

/* Under sanitizers, which look at what is read and written, in a few steps as in many, and on emulated
 * machines (HOLONOM_TESTS_SHORT) tests of what is sampled take so many times fewer steps, with bounds that
 * widen as their errors do. What the numbers are is told by releases. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(HOLONOM_TESTS_SHORT)
enum { SHORTER = 30, SHORT = 1 };
#else
enum { SHORTER = 1, SHORT = 0 };
#endif

/* Whether some of many cases will do: where tests are short, and where another set is asked for, on which a
 * test runs once more (CMakeLists.txt, "kernels"). */
static inline bool shorter_few(void) { return SHORT || getenv("HOLONOM_ISA") != NULL; }

/* Where a loop over all sets of instructions begins: sanitizers look at the best one alone (CMakeLists.txt,
 * "unwatched"). */
static inline Isa shorter_first_set(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return isa_best();
#else
  return ISA_PLAIN;
#endif
}

#endif
