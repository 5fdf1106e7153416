/* Private interface between sites.c and the kernel of water in float, which are compiled once per instruction
 * set. */
#ifndef HOLONOM_FORCEFIELDS_BULK_KERNELS_H
#define HOLONOM_FORCEFIELDS_BULK_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/octet.h"
#include "forcefields/images.h"
#include "forcefields/list.h"

enum {
  BULK_OCTAVES = 8,       /* of squared distances that the float tables span: 2 to 512 in their unit */
  BULK_LOW_BIT = 1 << 30, /* of a float: clear below 2 */
  BULK_COARSE_BITS = 2,   /* of the mantissa that choose an interval of the coarse float tables */
  BULK_COARSE = BULK_OCTAVES << BULK_COARSE_BITS,
  BULK_DEGREE = 4,
  BULK_FINE_BITS = 6,
  BULK_FINE = BULK_OCTAVES << BULK_FINE_BITS,
  BULK_FINE_DEGREE = 2,
  BULK_EXACT_OCTAVES = 14,
  BULK_EXACT_STEP_BITS = 7, /* of the mantissa that choose an interval of the double tables */
  BULK_EXACT_STEPS = 1 << BULK_EXACT_STEP_BITS, /* intervals an octave */
  BULK_EXACT_ROWS = 16 * BULK_EXACT_STEPS, /* of a table: the last four bits of the exponent choose, too */
  BULK_EXACT_DEGREE = 5,
  BULK_EXACT_STRIDE = 8,
  BULK_INTS = 16,        /* of a row of float forces */
  BULK_FORCE_BITS = 20,  /* of the fraction of float forces */
  BULK_ENERGY_BITS = 18, /* of energies of float forces, pair by pair */
  BULK_VIRIAL_BITS = 16,
  BULK_EXACT_BITS = 44,
  BULK_SUM_BITS = 36, /* of sums of energies and virial: a chunk's hold 1.3e8 kcal/mol, 340 a molecule in the
                       * largest box */
  BULK_SITE_BITS = 32,
  BULK_SUMS = 11,   /* lj, real, virial */
  BULK_EMPTY = 1024 /* places after which the 32-bit sums are emptied */
};

typedef enum BulkSwitching {
  BULK_SWITCH_NOTHING,
  BULK_SWITCH_LJ,
  BULK_SWITCH_MOLECULES,
  BULK_SWITCHINGS
} BulkSwitching;

/* One molecule, 64 bytes: sixteen of them are read and transposed at a time. */
typedef struct BulkRow {
  int32_t o[4];              /* fractions of the box; the fourth unused          */
  float h1[4], h2[4], no[4]; /* relative to the oxygen, on the grid of the model */
} BulkRow;

/* A function of the squared distance s as polynomials in s, by intervals of equal ratio. */
typedef struct BulkTable {
  float coarse[BULK_DEGREE + 1][BULK_COARSE]; /* to be held in registers: the low three bits of the
                                               * exponent and the first two of the mantissa choose */
  alignas(16) float fine[BULK_FINE][4];       /* to be looked up in memory     */
} BulkTable;

/* Of two charges of a hydrogen, s in the unit of BulkFloats: force over distance, erfc(beta r)/r^3 + 2
 * beta/sqrt(pi) exp(-(beta r)^2)/r^2, and energy, erfc(beta r)/r, both in units of the sums. */
typedef struct BulkTables {
  BulkTable force, energy;
} BulkTables;

/* Of unit charges in double, s in A^2: polynomials in s less the beginning of its interval. */
typedef struct BulkExact {
  double *force, *energy; /* [BULK_EXACT_ROWS][BULK_EXACT_STRIDE] */
  double low;             /* the least s */
} BulkExact;

/* Constants in float: distances are in a unit in which the longest is below sqrt(512), forces and energies in
 * those of the sums. */
typedef struct BulkFloats {
  double unit;          /* A                                                                               */
  double h[3][3];       /* edges, per unit of the fractions                                                */
  double grid;          /* a number so large that what is added to it is rounded to the grid of positions  */
  double cutoff2, near; /* near: squared O-O distance below which forces may leave the range          */
  double a12, c6, a, c; /* of Lennard-Jones                                                           */
  double shift;         /* taken off its energy                                                       */
  double virial;
  double start, per, slope; /* of the switch: at t = per*r - start; its derivative's factor           */
} BulkFloats;

typedef struct BulkModel {
  BulkTables tables;
  BulkFloats floats;
  Images images; /* floats in the unit */
  double weight; /* of the hydrogens in M; 0: the charge sits on O */
} BulkModel;

/* A pair of places that is too close; i < 0: none. */
typedef struct BulkFault {
  int i, j;
} BulkFault;

/* A chunk of a list by blocks, of places first..last-1 of n. The partners of place i that are of block b are
 * j[begin[b n + i]] up to j[end[b n + i] - 1]; then comes i itself until their number is a multiple of
 * LIST_PAD. */
typedef struct BulkPairs {
  int first, last, n;
  const int32_t *j, *begin, *end;
  const uint8_t *block; /* by place */
  BulkFault *fault;
} BulkPairs;

/* Pairs of two molecules of block 0. */
typedef struct BulkWork {
  BulkPairs pairs;
  const BulkRow *row; /* [n] by place                                              */
  int32_t *force;     /* [n][BULK_INTS] += forces, in the order of a row           */
  int64_t *sums;      /* [BULK_SUMS] += energies, and the sum over pairs of molecules of d_x F_y, d the O-O
                       * vector, of BULK_SUM_BITS */
} BulkWork;

/* By: an oblique box; charges on M; sums wanted; switching. */
typedef void BulkChunk(const BulkModel *model, const BulkWork *work);
typedef BulkChunk *const BulkChunks[2][2][2][BULK_SWITCHINGS];

typedef struct BulkKernels {
  BulkChunks chunk;
} BulkKernels;

typedef struct BulkVariant {
  bool oblique, four, sums;
  BulkSwitching switching;
} BulkVariant;

ISA_DECLARE(BulkKernels, bulk_kernels_table);

#endif
