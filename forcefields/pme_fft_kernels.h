/* Private interface between pme_fft.c and the kernels of the mesh's Fourier transforms. These are compiled
 * for each instruction set from one source for floats and doubles (pme_fft_vec.h). Arrays in the mesh's
 * precision are void here. */
#ifndef HOLONOM_FORCEFIELDS_PME_FFT_KERNELS_H
#define HOLONOM_FORCEFIELDS_PME_FFT_KERNELS_H

#include <stddef.h>

#include "engine/isa.h"

enum { PME_FFT_PASSES = 8, PME_FFT_LANES = 8 /* complexes of the widest register */ };

typedef enum PmeFftWay { PME_FFT_FORWARD, PME_FFT_BACKWARD } PmeFftWay; /* exp(-2 pi i j k/n); exp(+...) */

/* One pass of a transform: `count` times `stride` butterflies of `radix` points. */
typedef struct PmeFftPass {
  int radix, count, stride;
  const void *root;       /* [radix] cos and sin of 2 pi k/radix, for radices without a butterfly */
  const void *twiddle[2]; /* for each way: [count][radix - 1] cos, s sin, -s sin; s = 1 forward, -1 back */
} PmeFftPass;

/* The transform of n points, the same for all lanes. */
typedef struct PmeFftLength {
  int n, passes;
  PmeFftPass pass[PME_FFT_PASSES];
  void *table; /* memory of roots and twiddles */
} PmeFftLength;

/* Transforms of a mesh real[n[0]][n[1]][row]. A plane along y becomes complex[n[1]/2 + 1][row]. */
typedef struct PmeFft PmeFft;
typedef struct PmeInfluence PmeInfluence;

typedef struct PmeFftKernels {
  /* n[d] points of as many lines as a register has complexes; `in` and `out`: reals between points; scratch:
   * two arrays of n points. Unscaled. */
  void (*transform)(const PmeFftLength *length, PmeFftWay way, const void *from, ptrdiff_t in, void *to,
                    ptrdiff_t out, void *scratch);
  /* A plane along y, real to complex and back. */
  void (*plane)(const PmeFft *fft, void *plane, void *buffer);
  void (*plane_back)(const PmeFft *fft, void *plane, void *buffer);
  /* All points with the wave number y: forward along x and z, times g, and back. sums[7], unless NULL: see
   * PmeFftSum. */
  void (*lines)(const PmeFft *fft, void *q, int y, const void *g, const PmeInfluence *influence, void *buffer,
                double *sums);
} PmeFftKernels;

/* With e = count g |c|^2 and v = e (1/m^2 + pi^2/beta^2): sums of e, v m_a^2, v m_a m_b (both from `odd`). */
typedef enum PmeFftSum {
  PME_SUM_E,
  PME_SUM_XX,
  PME_SUM_YY,
  PME_SUM_ZZ,
  PME_SUM_XY,
  PME_SUM_XZ,
  PME_SUM_YZ,
  PME_FFT_SUMS
} PmeFftSum;

ISA_DECLARE(PmeFftKernels, pme_fft_double);
ISA_DECLARE(PmeFftKernels, pme_fft_float);

#endif
