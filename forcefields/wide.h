/* Private to the hot files of this folder: vectors of 32-bit numbers with as many lanes as a register has.
 * Vectors of two registers, such as OctetFloats where there is no AVX-512, go through memory. */
#ifndef HOLONOM_FORCEFIELDS_WIDE_H
#define HOLONOM_FORCEFIELDS_WIDE_H

#include "engine/octet.h"

#if defined(__AVX512F__)
enum { WIDE = 16 };
#elif defined(__AVX2__)
enum { WIDE = 8 };
#else
enum { WIDE = 4 };
#endif

typedef float Real __attribute__((vector_size(4 * WIDE)));
typedef int32_t Int __attribute__((vector_size(4 * WIDE)));
typedef uint32_t Wrap __attribute__((vector_size(4 * WIDE))); /* sums and differences wrap */

#endif
