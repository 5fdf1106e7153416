/* The counting kernels of gofr.c and rdf.c, one table per instruction set. Distances are r = sqrt(|dx|^2),
 * the bin is floor(r*scale). */
#ifndef HOLONOM_OBSERVABLES_GOFR_KERNELS_H
#define HOLONOM_OBSERVABLES_GOFR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/octet.h"

/* Sites side by side: site j is in lane j%8 of x[j/8*stride + 0..2]; x[j/8*stride + 3], in a box, is the
 * number of its molecule. From `from` on, before `to`; in a box all from 0 on, and what fills the last pack
 * is NaN. */
typedef struct GofrRun {
  const Octet *x;
  size_t stride;
  int from, to;
} GofrRun;

typedef struct GofrRule {
  double length[3]; /* of the box, A */
  double longest;   /* A             */
  double scale;     /* bins per A    */
  int nbin;
} GofrRule;

typedef struct GofrKernels {
  /* Distances of one site to the nearest images of all others of the run whose molecules differ from its own,
   * and without a box to all of the run: count[bin]++ where they are below longest. count has nbin + LANES
   * places: the last ones are for the others, one for each lane, so that the counts do not wait for each
   * other. */
  void (*box)(const GofrRule *rule, const double site[3], double molecule, const GofrRun *run,
              uint32_t *count);
  void (*open)(const GofrRule *rule, const double site[3], const GofrRun *run, uint32_t *count);
  /* All pairs i < j < n of 8 replicas side by side, without a box: molecule m's site at x[m*stride + 0..2],
   * lane l counted in count[l][0..nbin], from nbin on (NaN too) in nbin. */
  void (*gang)(const GofrRule *rule, const Octet *x, size_t stride, int n, uint64_t *const count[LANES]);
} GofrKernels;

ISA_DECLARE(GofrKernels, gofr_kernels_table);

#endif
