/* Types and functions shared by the files of alchemy. */
#ifndef HOLONOM_FORCEFIELDS_ALCHEMY_PRIVATE_H
#define HOLONOM_FORCEFIELDS_ALCHEMY_PRIVATE_H

#include "base/arena.h"
#include "forcefields/alchemy.h"
#include "forcefields/alchemy_kernels.h"

/* Parts of the work, each summed in a fixed order: sums then do not depend on the team. */
enum { ALCHEMY_SHARES = 32 };

/* Moments of the missing part of Lennard-Jones (alchemy_tail.c). */
enum { ALCHEMY_MOMENTS = 12 };

/* Where a state has a site of the solute. */
typedef struct AlchemyPlace {
  int row, block, lane, site;
} AlchemyPlace;

/* Two sites of the solute. */
typedef struct AlchemyInside {
  int i, j;
  double qq, a, c; /* with Coulomb's constant */
  bool acts;       /* false: an excluded pair */
} AlchemyInside;

/* Other molecules: packs of one block. Parameters of packs lie `stride` sites apart (0: packs share them),
 * those of the last pack, whose lanes may be fewer, at `last`. */
typedef struct AlchemyBlock {
  AlchemyPack pack; /* without q and f */
  int nlane, items, stride, last;
} AlchemyBlock;

/* The solute with a type of other molecules: pairs times 4 pi, and their parameters. */
typedef struct AlchemyTailPair {
  double pairs, a, c, sigma6;
} AlchemyTailPair;

typedef struct AlchemyTail {
  int npair;
  AlchemyTailPair *pair;                                /* [npair]; 0: no tail */
  double twelve[ALCHEMY_MOMENTS], six[ALCHEMY_MOMENTS]; /* moments for r^-12 and r^-6 */
  double shift[2];                                      /* of r^-12 and r^-6 at every distance */
} AlchemyTail;

struct Alchemy {
  AlchemyInput input;
  const Parameters *parameters;
  const Atoms *atoms;
  const Box *box;
  Nonbonded nonbonded;
  AlchemyModel model;
  const AlchemyKernels *kernel;
  AlchemyTail tail;
  int nblock, ntype, width, slots; /* slots: packs of replicas; 1 for width 1 */
  int *type;                       /* [ntype] types of the solute */
  double *root;                    /* [nsolute] full charges times sqrt(Coulomb's constant) */
  int *kind;                       /* [nsolute] types, among those of the solute */
  AlchemyBlock *block;             /* [nblock] */
  AlchemyPlace *place;             /* [nsolute] */
  AlchemyInside *inside;           /* [ninside] */
  int ninside, nitem;              /* nitem: pieces of work of a slot */
  /* of the present alchemy_add */
  AlchemySlot *slot;     /* [slots] */
  AlchemySolute *site;   /* [slots][nsolute] */
  Vec8 *f;               /* [SHARES][slots][nsolute][3] */
  AlchemyResult *result; /* [SHARES][slots] */
  double (*g)[3];        /* [nsolute] */
  double virial[3][3];   /* of the solute's pairs with itself, for width 1 */
  Vec8 *own;             /* [slots] energy of the solute's pairs with itself */
  Status status;
  Error why;
  Arena arena;
};

/* Fills sites, types, blocks and pairs inside. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status alchemy_build(Alchemy *alchemy, const AlchemyOptions *options, const State *shape, Error *error);

/* sigma^6 of the soft core of a pair with A and C. */
double alchemy_build_sigma6(const AlchemyInput *input, const double lj[2]);

/* Fills the tail of a box. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status alchemy_tail_make(Alchemy *alchemy, Error *error);

/* The tail of Lennard-Jones at strength l in the present box: energy, derivative by l, and each diagonal
 * element of the virial. */
typedef struct AlchemyTailSums {
  double energy, slope, virial;
} AlchemyTailSums;
AlchemyTailSums alchemy_tail(const Alchemy *alchemy, double l);

#endif
