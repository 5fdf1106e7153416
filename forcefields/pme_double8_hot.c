#define PME_SINGLE 0
#define PME_WIDTH  8
#include "forcefields/pme_vec.h"

const PmeKernels ISA_SYMBOL(pme_double8_order5) = PME_KERNELS(5);
const PmeKernels ISA_SYMBOL(pme_double8_order6) = PME_KERNELS(6);
