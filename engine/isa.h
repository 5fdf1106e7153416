/* Instruction sets. Hot code is compiled once for each; the best set that the machine supports is chosen at
 * start. On one set the same seed gives the same bits on all processors of one maker: Intel's and AMD's
 * estimates of 1/sqrt and 1/x differ.
 *
 * Products and sums are fused where the machine can, so the last bits differ between sets. In a sum of two
 * products a compiler may fuse either: clang takes the first (-ffp-contract=on), gcc decides late, perhaps
 * differently for parts of a pack. In such places the code uses vd_fma and vd_rounded, and tests rotate the
 * lanes of every kernel. */
#ifndef HOLONOM_ENGINE_ISA_H
#define HOLONOM_ENGINE_ISA_H

#include <stdbool.h>

#include "base/status.h"

typedef enum Isa { ISA_PLAIN, ISA_AVX2, ISA_AVX512, ISA_COUNT } Isa;

bool isa_runs(Isa isa);        /* compiled in, and supported by this processor */
Isa isa_best(void);            /* the fastest of these, or the one that HOLONOM_ISA names */
const char *isa_name(Isa isa); /* "plain", "avx2", "avx512"               */

/* Errors: STATUS_INPUT (a set that does not run here). */
Status isa_check(Isa isa, Error *error);

/* Finds a set by name or "best". Errors: STATUS_INPUT (an unknown name, or a set that this machine lacks). */
Status isa_find(const char *name, Isa *isa, Error *error);

/* The set that the environment variable HOLONOM_ISA names, or the best. Errors: as above. */
Status isa_wanted(Isa *isa, Error *error);

/* Hot files name their symbols for each set with this: ISA_SYMBOL(pair_kernels) is pair_kernels_avx2 in the
 * AVX2 build of the file. The build defines ISA_NAME. */
#define ISA_PASTE_(a, b) a##_##b
#define ISA_PASTE(a, b)  ISA_PASTE_(a, b)
#define ISA_SYMBOL(stem) ISA_PASTE(stem, ISA_NAME)

/* ISA_TABLES(pair_kernels) lists the addresses of pair_kernels_plain, ..._avx2, ..._avx512 in the order of
 * Isa, with NULL for sets that this build lacks. ISA_DECLARE declares them. The build defines HOLONOM_AVX2
 * and HOLONOM_AVX512 for the sets that it has. */
#if defined(HOLONOM_AVX2)
#define ISA_TABLE_AVX2(stem) &stem##_avx2
#else
#define ISA_TABLE_AVX2(stem) NULL
#endif
#if defined(HOLONOM_AVX512)
#define ISA_TABLE_AVX512(stem) &stem##_avx512
#else
#define ISA_TABLE_AVX512(stem) NULL
#endif
/* The table of a set; NULL if this build lacks it. */
#define ISA_PICK(stem, isa)     (((__typeof__(stem##_plain) *const[ISA_COUNT])ISA_TABLES(stem))[isa])
#define ISA_DECLARE(type, stem) extern const type stem##_plain, stem##_avx2, stem##_avx512
#define ISA_TABLES(stem)                                                                                     \
  {                                                                                                          \
    &stem##_plain, ISA_TABLE_AVX2(stem), ISA_TABLE_AVX512(stem)                                              \
  }

#endif
