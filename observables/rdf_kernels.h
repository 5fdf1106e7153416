/* The counting kernels of rdf_cells.c, one table per instruction set. Distances are r = sqrt(|dx|^2), the bin
 * is floor(r*scale). */
#ifndef HOLONOM_OBSERVABLES_RDF_KERNELS_H
#define HOLONOM_OBSERVABLES_RDF_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/vec8.h"

/* Sites side by side: site j is in lane j%8 of x[j/8][0..2], and x[j/8][3] is the number of its molecule.
 * What fills the last pack is NaN. */
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

/* A point with those from begin to end - 1. */
typedef struct RdfPointRun {
  int point, begin, end;
} RdfPointRun;

/* Distances of one site to all others of the run whose molecules differ from its own: count[bin]++ where they
 * are below longest. count has nbin + LANES places: the last ones are for the others, one for each lane, so
 * that the counts do not wait for each other. */
typedef void RdfCount(const RdfRule *rule, const double site[3], double molecule, const RdfRun *run,
                      uint32_t *count);

typedef struct RdfKernels {
  RdfCount *box, *open; /* to the nearest images; as they are */
  /* The pairs of the runs in 8 replicas side by side, without a box: point i at the dim octets of x[i], lane
   * l counted in count[l][0..nbin], from nbin on (NaN too) in nbin. */
  void (*batch)(const RdfRule *rule, int dim, int nrun, const RdfPointRun *run, const double *const *x,
                int64_t *const count[LANES]);
} RdfKernels;

ISA_DECLARE(RdfKernels, rdf_kernels_table);

#endif
