/* The counting kernel of gofr.c, one table per instruction set. */
#ifndef HOLONOM_OBSERVABLES_GOFR_KERNELS_H
#define HOLONOM_OBSERVABLES_GOFR_KERNELS_H

#include "engine/isa.h"
#include "engine/octet.h"

/* Sites side by side; those that fill up the last pack have no numbers (NaN) as coordinates. */
typedef struct GofrRun {
  int npack;
  const Octet *x, *y, *z; /* [npack] inside the box */
  const Octet *molecule;  /* [npack] numbers of the molecules */
} GofrRun;

typedef struct GofrRule {
  double length[3]; /* of the box, A */
  double longest;   /* A             */
  double scale;     /* bins per A    */
  int nbin;
} GofrRule;

typedef struct GofrKernels {
  /* Distances of one site to the nearest images of all others of the run: count[bin]++ where they are below
   * longest and the molecules differ. count has nbin + LANES places: the last ones are for the others, one
   * for each lane, so that the counts do not wait for each other. */
  void (*count)(const GofrRule *rule, const double site[3], double molecule, const GofrRun *run,
                uint32_t *count);
} GofrKernels;

ISA_DECLARE(GofrKernels, gofr_kernels_table);

#endif
