/* Private interface between reduction.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_REDUCTION_KERNELS_H
#define HOLONOM_FORCEFIELDS_REDUCTION_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"

typedef struct ReductionKernels {
  void (*add32)(uint32_t *to, const uint32_t *from, size_t n); /* modulo 2^32 */
  void (*add64)(uint64_t *to, const uint64_t *from, size_t n);
} ReductionKernels;

ISA_DECLARE(ReductionKernels, reduction_kernels_table);

#endif
