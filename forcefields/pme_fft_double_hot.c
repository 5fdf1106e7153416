#define PME_SINGLE 0
#include "forcefields/pme_fft_vec.h"

const PmeFftKernels ISA_SYMBOL(pme_fft_double) = PME_FFT_KERNELS;
