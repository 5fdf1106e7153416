#define PME_SINGLE 1
#include "forcefields/pme_fft_vec.h"

const PmeFftKernels ISA_SYMBOL(pme_fft_float) = PME_FFT_KERNELS;
