/* The counting kernels of rdf.c, one table per instruction set. Distances are r = sqrt(|dx|^2), the bin is
 * floor(r*scale), and everything from nbin on (NaN too) goes to bin nbin. */
#ifndef HOLONOM_OBSERVABLES_RDF_KERNELS_H
#define HOLONOM_OBSERVABLES_RDF_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/octet.h"

typedef struct RdfKernels {
  /* All pairs i < j < nmol of 8 replicas side by side: molecule m's site at x[m*stride + 0..2], lane l
   * counted in count[l][0..nbin]. */
  void (*gang)(const Octet *x, size_t stride, int nmol, double scale, int nbin, uint64_t *const count[LANES]);
  /* Pairs of one molecule at xi with molecules from..to-1, molecule j in lane j%8 of x[j/8*stride + 0..2].
   * count[bin]++ and, unless now is NULL, now[bin]++. */
  void (*one)(const double xi[3], const Octet *x, size_t stride, int from, int to, double scale, int nbin,
              uint64_t *count, uint32_t *now);
} RdfKernels;

ISA_DECLARE(RdfKernels, rdf_kernels_table);

#endif
