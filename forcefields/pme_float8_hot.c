#define PME_SINGLE 1
#define PME_WIDTH  8
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_float8_order5) = PME_KERNELS(5);
const PmeKernels ISA_SYMBOL(pme_float8_order6) = PME_KERNELS(6);
