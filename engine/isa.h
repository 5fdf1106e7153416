/* Instruction sets. Hot code is compiled once for each; the best one that the machine runs is taken at
 * start. The same seed gives the same bits on the same set, on all machines whose processors are of one
 * maker: Intel's and AMD's estimates of 1/sqrt and 1/x differ.
 *
 * Products and sums are fused where the machine can, so that sets differ in last bits. In a sum of two
 * products either may be the one that is fused: clang takes the first (-ffp-contract=on), gcc chooses late,
 * and may choose otherwise in another part of a pack. Where it did, vd_fma and vd_rounded say which, and
 * tests turn the lanes of every kernel. */
#ifndef HOLONOM_ENGINE_ISA_H
#define HOLONOM_ENGINE_ISA_H

#include <stdbool.h>

#include "base/status.h"

typedef enum Isa { ISA_PLAIN, ISA_AVX2, ISA_AVX512, ISA_COUNT } Isa;

bool isa_runs(Isa isa);        /* compiled in, and this processor has it  */
Isa isa_best(void);            /* the fastest of those, or the one of them that HOLONOM_ISA names */
const char *isa_name(Isa isa); /* "plain", "avx2", "avx512"               */

/* STATUS_INPUT for one that does not run. */
Status isa_check(Isa isa, Error *error);

/* Picks by name ("best" too); STATUS_INPUT for an unknown name or one that this machine lacks. */
Status isa_find(const char *name, Isa *isa, Error *error);

/* The set that the environment variable HOLONOM_ISA names, or else the best; errors as above. */
Status isa_wanted(Isa *isa, Error *error);

/* Hot folders define their per-set symbols with this: ISA_SYMBOL(pair_kernels) is pair_kernels_avx2
 * in the AVX2 build of the file. ISA_NAME is set by the build. */
#define ISA_PASTE_(a, b) a##_##b
#define ISA_PASTE(a, b)  ISA_PASTE_(a, b)
#define ISA_SYMBOL(stem) ISA_PASTE(stem, ISA_NAME)

/* ISA_TABLES(pair_kernels) lists the addresses of pair_kernels_plain, ..._avx2, ..._avx512 in the order
 * of Isa, NULL for those that this build lacks. ISA_DECLARE declares them. The build defines HOLONOM_AVX2 and
 * HOLONOM_AVX512 where it has those sets. */
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
/* The one for a set; NULL where this build lacks it. */
#define ISA_PICK(stem, isa)     (((__typeof__(stem##_plain) *const[ISA_COUNT])ISA_TABLES(stem))[isa])
#define ISA_DECLARE(type, stem) extern const type stem##_plain, stem##_avx2, stem##_avx512
#define ISA_TABLES(stem)                                                                                     \
  {                                                                                                          \
    &stem##_plain, ISA_TABLE_AVX2(stem), ISA_TABLE_AVX512(stem)                                              \
  }

#endif
