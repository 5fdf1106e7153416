/* Private interface between bulk.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_BULK_KERNELS_H
#define HOLONOM_FORCEFIELDS_BULK_KERNELS_H

#include <stdint.h>

#include "engine/isa.h"
#include "forcefields/list.h"

enum {
  BULK_OCTAVES = 8, /* of squared distances that the float table spans */
  BULK_QUARTERS = 4,
  BULK_INTERVALS = BULK_OCTAVES * BULK_QUARTERS,
  BULK_DEGREE = 4,
  BULK_SMOOTH_DEGREE = 16,
  BULK_EXACT_OCTAVES = 14,
  BULK_EXACT_STEPS = 128, /* intervals an octave of the double tables */
  BULK_EXACT_DEGREE = 5,
  BULK_EXACT_STRIDE = 8,
  BULK_ROW = 12,        /* doubles of a row */
  BULK_FORCE_BITS = 20, /* of the fraction of float forces */
  BULK_EXACT_BITS = 44,
  BULK_SUM_BITS = 36, /* of energies and virial */
  BULK_SUMS = 11      /* lj, real, virial */
};

/* One molecule, 64 bytes: sixteen of them are read and transposed at a time. */
typedef struct BulkRow {
  int32_t o[4];              /* fractions of the box; the fourth unused */
  float h1[4], h2[4], no[4]; /* relative to the oxygen, A               */
} BulkRow;

typedef struct BulkTables {
  /* Force over distance of two unit charges, erfc(beta r)/r^3 + 2 beta/sqrt(pi) exp(-(beta r)^2)/r^2, as
   * polynomials in s = r^2. Which one: the low five bits of the float's exponent and first two of its
   * mantissa. */
  float force[BULK_DEGREE + 1][BULK_INTERVALS];
  /* For machines without a fast look-up: r^-3 less the same, a smooth function, in t = s*smooth_scale - 1. */
  float smooth[BULK_SMOOTH_DEGREE + 1];
  float smooth_scale;
  float low; /* the least s */
  /* In double, and the energy erfc(beta r)/r: polynomials in s less the beginning of its interval. */
  double *exact_force, *exact_energy; /* [octaves*steps][BULK_EXACT_STRIDE] */
  double exact_low;
} BulkTables;

typedef struct BulkModel {
  BulkTables tables;
  double length[3], cutoff2;
  float scale[3];         /* A per unit of the fractions                                    */
  double qq[3], a, c;     /* charge products OO, OH, HH; of A/r^12 - C/r^6                  */
  float near, near_exact; /* squared O-O distances below which forces may leave the range  */
} BulkModel;

/* A pair of places that is too close; i < 0: none. */
typedef struct BulkFault {
  int i, j;
} BulkFault;

typedef struct BulkWork {
  const int32_t *begin, *end; /* as in ListView */
  const ListChunk *chunk;
  BulkFault *fault;
} BulkWork;

typedef struct BulkKernels {
  /* force[n][16] += forces by place, in the order of a row. */
  void (*chunk)(const BulkModel *model, const BulkWork *work, const BulkRow *row, int32_t *force);
} BulkKernels;

typedef struct BulkDoubleKernels {
  /* row[n][12]: O, H1 - O, H2 - O, each followed by one unused; force[n][12] likewise, or NULL.
   * sums[BULK_SUMS] += energies and virial, or NULL. */
  void (*chunk)(const BulkModel *model, const BulkWork *work, const double *row, int64_t *force,
                int64_t *sums);
} BulkDoubleKernels;

ISA_DECLARE(BulkKernels, bulk_kernels_table);
ISA_DECLARE(BulkDoubleKernels, bulk_double_table);

#endif
