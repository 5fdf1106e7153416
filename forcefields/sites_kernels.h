/* Private interface between sites.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_SITES_KERNELS_H
#define HOLONOM_FORCEFIELDS_SITES_KERNELS_H

#include "forcefields/bulk_kernels.h"
#include "forcefields/mixture.h"

enum { SITES_SUMS = 11 /* lj, real, virial */ };

/* Between molecules of two kinds. */
typedef struct SitesPair {
  int ni, nj;                                /* sites                                                    */
  double qq[SITE_MAP_SITES][SITE_MAP_SITES]; /* C q q                                                    */
  double a, c, shift;                        /* A/r^12 - C/r^6 - shift between first sites               */
  double far2;                               /* squared distance of first sites where nothing acts       */
  double near; /* and where forces may leave the range, or energies mean nothing */
} SitesPair;

typedef struct SitesModel {
  BulkTables tables; /* the exact ones: 1/r, or erfc(beta r)/r               */
  double length[3], inverse[3];
  double cutoff2;
  bool by_atom, switched;
  double switch_from, switch_rate; /* rs, 1/(rc - rs)                                 */
  double field, constant;          /* k and c of the reaction field, else 0           */
  size_t stride;                   /* numbers of a row: four for each site            */
  int nblock;
  SitesPair pair[MIXTURE_BLOCKS][MIXTURE_BLOCKS];
} SitesModel;

/* Places first..last-1. The partners of place i that are of block b are j[begin[i nblock + b]] up to
 * end[i nblock + b], then i itself until their number is a multiple of eight. */
typedef struct SitesWork {
  int first, last;
  const int32_t *j, *begin, *end;
  const uint8_t *block; /* by place */
  BulkFault *fault;
} SitesWork;

typedef struct SitesKernels {
  /* row[n][stride]: the first site, others less the first; force likewise += forces. sums[SITES_SUMS] +=
   * energies and virial, or NULL. */
  void (*chunk)(const SitesModel *model, const SitesWork *work, const double *row, int64_t *force,
                int64_t *sums);
} SitesKernels;

ISA_DECLARE(SitesKernels, sites_kernels_table);

#endif
