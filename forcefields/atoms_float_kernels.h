/* Private interface between sites.c and the kernel of atoms in float, compiled once for each instruction
 * set. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_KERNELS_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_KERNELS_H

#include "forcefields/water_float_kernels.h"

enum {
  ATOMS_FLOAT_TYPES = 16000, /* at most: 32 bits index a pair of types in the table */
  ATOMS_FLOAT_FEW = 32,      /* types whose row fits in two of the widest registers */
  ATOMS_FLOAT_TYPE = 4,      /* floats in a row of the table of types */
  ATOMS_FLOAT_SHIFT = 4,     /* log2 of the bytes of a row of that table, and of the row of an atom */
  ATOMS_FLOAT_WATER_SHIFT = 6
};

/* Constants as in WaterFloatUnits; those of a pair of types are in the table. */
typedef struct AtomsFloatModel {
  WaterFloatTables tables; /* of charges times sqrt(Coulomb's constant) */
  WaterFloatUnits floats;
  Images images; /* floats in the unit of positions */
  bool oblique;
  WaterFloatSwitching switching;
  double limit;  /* squared force of a pair above which it is reported */
  double energy; /* unit of Lennard-Jones energies: that of A from the table's 12 A */
  int ntype;
  float (*lj)[ATOMS_FLOAT_TYPE]; /* [ntype][ntype] 12 A, 6 C, shift in the units of the sums, 0; aligned */
                                 /* [ntype] the same, one array for each number; NULL: too many types */
  float (*few)[ATOMS_FLOAT_TYPE - 1][ATOMS_FLOAT_FEW];
  int shift;        /* log2 of the bytes of a row of positions or forces */
  int atoms;        /* the list sort of the atoms; 1: the box contains water */
  double weight;    /* weight of the hydrogens in M; 0: the charge is on O */
  double charge[3]; /* of the water, on O or M and H, times sqrt(Coulomb's constant) */
} AtomsFloatModel;

/* Pairs that contain at least one individual atom. A row begins with three fractions of the box. The row of
 * an atom then has its charge as a float; that of a water is a WaterFloatRow. Rows of forces have the same
 * length. */
typedef struct AtomsFloatWork {
  WaterFloatPairs pairs;
  const uint8_t *share; /* by place: how many places share its list (list.h), whose entries are marked */
  const int32_t *with; /* parallel to pairs.j: the byte offset of each partner's type in a row of the table */
  const int32_t *type; /* by place */
  const void *row;     /* by place */
  int32_t *force;      /* += forces */
  int64_t *sums;       /* [WATER_FLOAT_SUMS] += as in WaterFloatWork */
} AtomsFloatWork;

typedef struct AtomsFloatKernels {
  void (*chunk[2])(const AtomsFloatModel *model, const AtomsFloatWork *work); /* with sums? */
} AtomsFloatKernels;

ISA_DECLARE(AtomsFloatKernels, atoms_float_kernels_table);

#endif
