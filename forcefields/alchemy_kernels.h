/* Private interface between alchemy.c and the kernels, compiled once for each instruction set. A register has
 * eight molecules, or the same molecule in eight replicas. */
#ifndef HOLONOM_FORCEFIELDS_ALCHEMY_KERNELS_H
#define HOLONOM_FORCEFIELDS_ALCHEMY_KERNELS_H

#include <stdbool.h>

#include "engine/box.h"
#include "engine/isa.h"
#include "engine/vec8.h"
#include "forcefields/nonbonded.h"
#include "forcefields/site_map.h"
#include "forcefields/water_float_kernels.h"

/* Lennard-Jones of a site with a type of the solute; zeros without. */
typedef struct AlchemyPair {
  Vec8 a, c, shift, sigma6; /* A, C, energy at every distance, sigma^6 of the soft core */
} AlchemyPair;

/* A site of a pack of other molecules. */
typedef struct AlchemySite {
  Vec8 root;     /* charge times sqrt(Coulomb's constant) */
  Vec8Mask uses; /* lanes with a site that is not the solute's */
} AlchemySite;

/* Which of a block's sites act. */
typedef struct AlchemyActs {
  bool charge, lj;
} AlchemyActs;

/* A site of the solute, in the lanes of a slot. */
typedef struct AlchemySolute {
  Vec8 x[3];
  double root;
  int type; /* among its types */
} AlchemySolute;

/* Truncation, charges and soft core. */
typedef struct AlchemyModel {
  const Box *box;                                     /* NULL: open space */
  double cutoff, cutoff2, cutoff6, from, from6, rate; /* rate: 1/(rc - rs), 0: no switch */
  Truncation truncation;
  LjBend bend[2];               /* of the twelfth and the sixth power */
  WaterFloatExact tables;       /* of charges in a box */
  double beta, field, constant; /* WaterFloatCoulomb */
  bool charges;                 /* false: no charges interact */
  double alpha;
  int power, ntype, nsolute;
} AlchemyModel;

/* A pack of other molecules. */
typedef struct AlchemyPack {
  const SiteMap *map; /* of waters; NULL: atoms */
  int nsite;          /* sites, virtual ones of the map included */
  const Vec8 *q;
  Vec8 *f;                 /* NULL: no forces */
  const AlchemyActs *acts; /* [nsite] */
  const AlchemySite *site; /* [nsite] */
  const AlchemyPair *pair; /* [nsite][ntype] */
} AlchemyPack;

enum {
  ALCHEMY_SUM_COULOMB,
  ALCHEMY_SUM_LJ,
  ALCHEMY_SUM_SLOPE,
  ALCHEMY_SUM_VIRIAL,
  ALCHEMY_SUMS = ALCHEMY_SUM_VIRIAL + 9
};

/* Results of a share, += by each pack. coulomb: of full charges; slope: of Lennard-Jones by l. */
typedef struct AlchemyResult {
  Vec8 sum[ALCHEMY_SUMS];
  Vec8 close; /* the least squared distance of charges that interact */
} AlchemyResult;

/* The solute in a slot, with the strengths of its lanes. */
typedef struct AlchemySlot {
  const AlchemySolute *site; /* [nsolute] */
  double reach;              /* the largest distance from the first site in a box, A */
  bool near;                 /* all pairs within the cutoff are at the image nearest to the first site */
  bool charged, lj;          /* a lane has s > 0; l > 0 */
  Vec8 s, l;
} AlchemySlot;

typedef struct AlchemyKernels {
  /* Forces at the strengths of the slot: f of the pack and f[nsolute][3] +=; with `wanted` also the sums. */
  void (*act)(const AlchemyModel *model, const AlchemySlot *slot, const AlchemyPack *pack, bool wanted,
              Vec8 *f, AlchemyResult *result);
  /* result->sum[ALCHEMY_SUM_COULOMB] += energy of full charges; lj[n] += energies at strengths l[n]; the
   * slope is that at l[n - 1]. */
  void (*ask)(const AlchemyModel *model, const AlchemySlot *slot, const AlchemyPack *pack, int n,
              const Vec8 *l, Vec8 *lj, AlchemyResult *result);
} AlchemyKernels;

ISA_DECLARE(AlchemyKernels, alchemy_kernels_table);

#endif
