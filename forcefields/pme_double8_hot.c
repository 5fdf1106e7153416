#define PME_SINGLE 0
#define PME_WIDTH  8
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_kernels_double5) = PME_KERNELS(5);
const PmeKernels ISA_SYMBOL(pme_kernels_double6) = PME_KERNELS(6);
