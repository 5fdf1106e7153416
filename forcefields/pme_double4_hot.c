#define PME_SINGLE 0
#define PME_WIDTH  4
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_double4_order4) = PME_KERNELS(4);
