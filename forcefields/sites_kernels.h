/* Private interface between sites.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_SITES_KERNELS_H
#define HOLONOM_FORCEFIELDS_SITES_KERNELS_H

#include "forcefields/mixture.h"
#include "forcefields/water_float_kernels.h"

/* Which sites of two molecules have charges: the pairs that act are then all; those but of the first sites,
 * with the first two; or others. */
typedef enum SitesCharges { SITES_CHARGED, SITES_CHARGED_BUT_FIRST, SITES_CHARGED_ANY } SitesCharges;

/* Between molecules of two kinds. */
typedef struct SitesPair {
  int ni, nj; /* sites */
  SitesCharges charges;
  int npair;                                    /* that act, the first sites first, then row by row */
  int site[SITE_MAP_SITES * SITE_MAP_SITES][2]; /* of each, of i and of j                           */
  double qq[SITE_MAP_SITES * SITE_MAP_SITES];   /* and C q q                                        */
  double a, c, shift;                           /* A/r^12 - C/r^6 - shift between first sites       */
  double far2;      /* squared distance of first sites where nothing acts                   */
  double near;      /* and where forces may leave the range, or energies mean nothing       */
  double low;       /* the same of other sites                                              */
  bool water_float; /* by the kernel of water in float                                      */
} SitesPair;

typedef struct SitesModel {
  WaterFloatExact tables; /* of 1/r or erfc(beta r)/r, with the reaction field   */
  const Box *box;
  bool oblique;
  Images images;
  double cutoff2;
  bool by_atom;
  WaterFloatSwitching switching;
  double switch_from, switch_rate; /* rs, 1/(rc - rs)                                 */
  size_t stride;                   /* numbers of a row: four for each site            */
  int nblock;
  SitesPair pair[KINDS_MAX][KINDS_MAX];
} SitesModel;

/* All pairs but those of the kernel in float. */
typedef struct SitesWork {
  WaterFloatPairs pairs;
  const double *row; /* [n][stride]: the first site, others less the first  */
  int64_t *force;    /* likewise += forces                                  */
  int64_t *sums;     /* [WATER_FLOAT_SUMS] += energies and virial, or NULL         */
} SitesWork;

typedef struct SitesKernels {
  void (*chunk)(const SitesModel *model, const SitesWork *work);
} SitesKernels;

ISA_DECLARE(SitesKernels, sites_kernels_table);

#endif
