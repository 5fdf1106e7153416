#define PME_SINGLE 1
#define PME_WIDTH  8
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_kernels_float5) = PME_KERNELS(5);
const PmeKernels ISA_SYMBOL(pme_kernels_float6) = PME_KERNELS(6);
