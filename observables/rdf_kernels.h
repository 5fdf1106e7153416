/* The counting kernels of rdf_cells.c, one table per instruction set. Distances are r = sqrt(|dx|^2), the bin
 * is floor(r*scale). */
#ifndef HOLONOM_OBSERVABLES_RDF_KERNELS_H
#define HOLONOM_OBSERVABLES_RDF_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/vec8.h"

/* Sites in packs: site j is in lane j%8 of x[j/8][0..2], and x[j/8][3] is the number of its molecule. The
 * last pack is filled with NaN. */
typedef struct RdfRun {
  const Vec8 (*x)[4];
  int n;
} RdfRun;

typedef struct RdfRule {
  double length[3]; /* of the box, A */
  double longest;   /* A             */
  double scale;     /* bins per A    */
  int nbin;
} RdfRule;

/* The pairs of a point with points begin to end - 1. */
typedef struct RdfPointRun {
  int point, begin, end;
} RdfPointRun;

/* Counts distances from one site to the sites of a run in other molecules: count[bin]++ if below longest. The
 * other pairs are counted in the last LANES of the nbin + LANES elements, one per lane, so that increments do
 * not wait for each other. */
typedef void RdfCount(const RdfRule *rule, const double site[3], double molecule, const RdfRun *run,
                      uint32_t *count);

typedef struct RdfKernels {
  RdfCount *box, *open; /* with nearest images; without images */
  /* Counts the pairs of the runs in 8 replicas in lanes, without a box: point i is at the dim packs of x[i].
   * Lane l is counted in count[l][0..nbin]; distances in bins from nbin on, and NaN, are counted in nbin. */
  void (*batch)(const RdfRule *rule, int dim, int nrun, const RdfPointRun *run, const double *const *x,
                int64_t *const count[LANES]);
} RdfKernels;

ISA_DECLARE(RdfKernels, rdf_kernels_table);

#endif
