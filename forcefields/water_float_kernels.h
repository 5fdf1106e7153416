/* Private interface between sites.c and the kernel of water in float, compiled once for each instruction
 * set. */
#ifndef HOLONOM_FORCEFIELDS_WATER_FLOAT_KERNELS_H
#define HOLONOM_FORCEFIELDS_WATER_FLOAT_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/vec8.h"
#include "forcefields/images.h"
#include "forcefields/list.h"

enum {
  WATER_FLOAT_OCTAVES = 8,       /* octaves of squared distance in the float tables: 2 to 512 in their unit */
  WATER_FLOAT_LOW_BIT = 1 << 30, /* of a float: clear below 2 */
  WATER_FLOAT_COARSE_BITS = 2,   /* mantissa bits that choose an interval of the coarse float tables */
  WATER_FLOAT_COARSE = WATER_FLOAT_OCTAVES << WATER_FLOAT_COARSE_BITS,
  WATER_FLOAT_DEGREE = 4,
  WATER_FLOAT_FINE_BITS = 6,
  WATER_FLOAT_FINE = WATER_FLOAT_OCTAVES << WATER_FLOAT_FINE_BITS,
  WATER_FLOAT_FINE_DEGREE = 2,
  WATER_FLOAT_EXACT_OCTAVES = 14,
  WATER_FLOAT_EXACT_STEP_BITS = 7, /* mantissa bits that choose an interval of the double tables */
  WATER_FLOAT_EXACT_STEPS = 1 << WATER_FLOAT_EXACT_STEP_BITS, /* intervals in an octave */
  WATER_FLOAT_EXACT_ROWS =
      16 * WATER_FLOAT_EXACT_STEPS, /* of a table; the last four bits of the exponent choose, too */
  WATER_FLOAT_EXACT_DEGREE = 5,
  WATER_FLOAT_EXACT_STRIDE = 8,
  WATER_FLOAT_INTS = 16,        /* integers in a row of float forces */
  WATER_FLOAT_FORCE_BITS = 20,  /* fractional bits of float forces */
  WATER_FLOAT_ENERGY_BITS = 18, /* fractional bits of energies of float pairs */
  WATER_FLOAT_VIRIAL_BITS = 16,
  WATER_FLOAT_EXACT_BITS = 44,
  WATER_FLOAT_SUM_BITS = 36, /* of sums of energies and virial: a chunk sums up to 1.3e8 kcal/mol, 340 for
                                each molecule of the largest box */
  WATER_FLOAT_SITE_BITS = 32,
  WATER_FLOAT_SUMS = 11,   /* lj, real, virial */
  WATER_FLOAT_EMPTY = 1024 /* places after which the 32-bit sums are flushed */
};

typedef enum WaterFloatSwitching {
  WATER_FLOAT_SWITCH_NOTHING,
  WATER_FLOAT_SWITCH_LJ,
  WATER_FLOAT_SWITCH_MOLECULES,
  WATER_FLOAT_SWITCH_FORCE,
  WATER_FLOAT_SWITCHINGS
} WaterFloatSwitching;

/* One molecule, 64 bytes; sixteen are read and transposed at a time. */
typedef struct WaterFloatRow {
  int32_t o[4];              /* fractions of the box; the fourth unused */
  float h1[4], h2[4], no[4]; /* relative to the oxygen, on the grid of the model */
} WaterFloatRow;

/* A function of the squared distance s, as polynomials in s on intervals of equal ratio. */
typedef struct WaterFloatTable {
  float coarse[WATER_FLOAT_DEGREE + 1]
              [WATER_FLOAT_COARSE]; /* in registers: the low three bits of the exponent and the first two of
                                       the mantissa choose */
  alignas(16) float fine[WATER_FLOAT_FINE][4]; /* in memory */
} WaterFloatTable;

/* For two charges of a hydrogen, s in the unit of WaterFloatUnits: force over distance, erfc(beta r)/r^3 + 2
 * beta/sqrt(pi) exp(-(beta r)^2)/r^2, and energy, erfc(beta r)/r, in units of the sums. */
typedef struct WaterFloatTables {
  WaterFloatTable force, energy;
} WaterFloatTables;

/* For unit charges in double, s in A^2: polynomials in s minus the beginning of its interval. */
typedef struct WaterFloatExact {
  double *force, *energy; /* [WATER_FLOAT_EXACT_ROWS][WATER_FLOAT_EXACT_STRIDE] */
  double low;             /* the least s */
} WaterFloatExact;

/* Constants in float: distances in a unit in which the longest is below sqrt(512), forces and energies in
 * those of the sums. */
typedef struct WaterFloatUnits {
  double unit;          /* A */
  double h[3][3];       /* edges for a unit of the fractions */
  double grid;          /* a large number: adding it rounds to the grid of positions */
  double cutoff2, near; /* near: squared O-O distance below which forces may leave the range */
  double a12, c6, a, c; /* of Lennard-Jones */
  double shift;         /* subtracted from its energy */
  double virial;
  double start, per, slope; /* of the switch at t = per*r - start; factor of its derivative */
  /* A force switch adds t^2 (p + q t) to the force, p = 12 A bend[0][0] - 6 C bend[1][0], q with [1]; it
   * subtracts t^3 (work[0] p + work[1] q t) from the energy. */
  double bend[2][2], work[2];
} WaterFloatUnits;

typedef struct WaterFloatModel {
  WaterFloatTables tables;
  WaterFloatUnits floats;
  Images images; /* floats in the unit */
  double weight; /* of the hydrogens in M; 0: the charge is on O */
} WaterFloatModel;

/* A pair of places that is too close; i < 0: none. */
typedef struct WaterFloatFault {
  int i, j;
} WaterFloatFault;

/* A chunk of a list (list.h) whose sorts are buckets: places first[a]..last[a]-1 of n. Partners of place i in
 * bucket b are j[begin[b n + i]] to j[end[b n + i] - 1], padded with i to a multiple of LIST_PAD. */
typedef struct WaterFloatPairs {
  const int32_t *first, *last;
  int n;
  const int32_t *j, *begin, *end;
  WaterFloatFault *fault;
} WaterFloatPairs;

/* Pairs of two molecules of bucket 0. */
typedef struct WaterFloatWork {
  WaterFloatPairs pairs;
  const WaterFloatRow *row; /* [n] by place */
  int32_t *force;           /* [n][WATER_FLOAT_INTS] += forces, in the order of a row */
  int64_t *sums; /* [WATER_FLOAT_SUMS] += energies, and the sum over pairs of molecules of d_x F_y, d the O-O
                    vector, with WATER_FLOAT_SUM_BITS */
} WaterFloatWork;

/* By: an oblique box; charges on M; with sums; switching. */
typedef void WaterFloatChunk(const WaterFloatModel *model, const WaterFloatWork *work);
typedef WaterFloatChunk *const WaterFloatChunks[2][2][2][WATER_FLOAT_SWITCHINGS];

typedef struct WaterFloatKernels {
  WaterFloatChunks chunk;
} WaterFloatKernels;

typedef struct WaterFloatVariant {
  bool oblique, four, sums;
  WaterFloatSwitching switching;
} WaterFloatVariant;

ISA_DECLARE(WaterFloatKernels, water_float_kernels_table);

#endif
