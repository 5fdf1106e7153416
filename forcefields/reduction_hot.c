#include "forcefields/reduction_kernels.h"

static void add32(uint32_t *restrict to, const uint32_t *restrict from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

static void add64(uint64_t *restrict to, const uint64_t *restrict from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

const ReductionKernels ISA_SYMBOL(reduction_kernels_table) = {add32, add64};
