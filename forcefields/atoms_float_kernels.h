/* Private interface between sites.c and the kernel of atoms in float, which are compiled once per instruction
 * set. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_KERNELS_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_KERNELS_H

#include "forcefields/water_float_kernels.h"

enum {
  ATOMS_FLOAT_TYPES = 16000, /* at most: 32 bits find a pair of them in the table */
  ATOMS_FLOAT_FEW = 32,      /* types of which two of the widest registers hold a row */
  ATOMS_FLOAT_TYPE = 4,      /* numbers of a row of the table of types */
  ATOMS_FLOAT_SHIFT = 4,     /* log2 of its bytes, and of those of the row of an atom */
  ATOMS_FLOAT_WATER_SHIFT = 6
};

/* Constants as in WaterFloatUnits, of which those of a pair of types are in the table. */
typedef struct AtomsFloatModel {
  WaterFloatTables tables; /* of charges times the root of C                                        */
  WaterFloatUnits floats;
  Images images; /* floats in the unit                                                    */
  bool oblique;
  WaterFloatSwitching switching;
  double limit;  /* of the force of a pair, squared                */
  double energy; /* of Lennard-Jones: that of A from 12 A of the table */
  int ntype;
  float (*lj)[ATOMS_FLOAT_TYPE]; /* [ntype][ntype] 12 A, 6 C, shift in the units of the sums, 0; aligned  */
  float (
      *few)[ATOMS_FLOAT_TYPE - 1][ATOMS_FLOAT_FEW]; /* [ntype] the same, number by number; NULL: too many */
  int shift;        /* log2 of the bytes of a row, of positions and of forces                */
  int atoms;        /* the bucket of the atoms; 1: there is a water                          */
  double weight;    /* of the hydrogens in M; 0: the charge sits on O                        */
  double charge[3]; /* of the water, on O or M and H, times the root of C                    */
} AtomsFloatModel;

/* Pairs of which one at least is such an atom. A row begins with three fractions of the box and, of an atom,
 * its charge as a float; of a water it is a WaterFloatRow. Rows of forces are as long. */
typedef struct AtomsFloatWork {
  WaterFloatPairs pairs;
  const uint8_t *share; /* by place: how many have its list (list.h), whose entries are marked   */
  const int32_t *with;  /* beside pairs.j, the bytes of the type of each in a row of the table   */
  const int32_t *type;  /* by place                                                              */
  const void *row;      /* by place                                                              */
  int32_t *force;       /* += forces                                                             */
  int64_t *sums;        /* [WATER_FLOAT_SUMS] += as of WaterFloatWork                            */
} AtomsFloatWork;

typedef struct AtomsFloatKernels {
  void (*chunk[2])(const AtomsFloatModel *model, const AtomsFloatWork *work); /* with sums? */
} AtomsFloatKernels;

ISA_DECLARE(AtomsFloatKernels, atoms_float_kernels_table);

#endif
