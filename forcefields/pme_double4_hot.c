#define PME_SINGLE 0
#define PME_WIDTH  4
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_kernels_double4) = PME_KERNELS(4);
