/* Private interface between sites.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_SITES_KERNELS_H
#define HOLONOM_FORCEFIELDS_SITES_KERNELS_H

#include "forcefields/ewald.h"
#include "forcefields/water_float_kernels.h"

/* Which sites of two molecules have charges: the pairs that act are then all; those but of the first sites,
 * with the first two; or others. */
typedef enum SitesCharges { SITES_CHARGED, SITES_CHARGED_BUT_FIRST, SITES_CHARGED_ANY } SitesCharges;

/* Whether the first of two molecules, or both, are atoms one by one (atoms.h): charges and types are each
 * one's own. */
enum { SITES_ATOM_I = 1, SITES_ATOMS = 2 };

/* What the kernel is made for: sites of i and of j, or any; `ATOM`: one that comes one by one; or pairs of
 * waters, and of such atoms with each other and with waters, which are in float. */
typedef enum SitesShape {
  SITES_ANY,
  SITES_3_3,
  SITES_4_4,
  SITES_ATOM_ATOM,
  SITES_ATOM_3,
  SITES_ATOM_ANY,
  SITES_WATER_FLOAT,
  SITES_ATOMS_FLOAT
} SitesShape;

/* Molecules whose pairs are worked on together: waters, in the first bucket if there are any, and atoms. */
enum { SITES_BUCKETS = 2 };

/* Between molecules of two buckets. */
typedef struct SitesPair {
  int ni, nj; /* sites */
  int atoms;  /* which are such atoms; they count with a charge of 1 in qq, and have a, c, shift and near by
                 type */
  bool by_atom;
  SitesCharges charges;
  int npair;                                    /* that act, the first sites first, then row by row */
  int site[SITE_MAP_SITES * SITE_MAP_SITES][2]; /* of each, of i and of j                           */
  double qq[SITE_MAP_SITES * SITE_MAP_SITES];   /* and C q q                                        */
  double a, c, shift;                           /* A/r^12 - C/r^6 - shift between first sites       */
  double far2; /* squared distance of first sites where nothing acts                   */
  double near; /* and where forces may leave the range, or energies mean nothing       */
  double low;  /* the same of other sites                                              */
  SitesShape shape;
} SitesPair;

enum { SITES_TYPE = 4 };

typedef struct SitesModel {
  WaterFloatExact tables; /* of 1/r or erfc(beta r)/r, with the reaction field   */
  const Box *box;
  bool oblique;
  Images images;
  double cutoff2;
  WaterFloatSwitching switching;
  double switch_from, switch_rate; /* rs, 1/(rc - rs)                                 */
  LjBend bend[2];                  /* of the twelfth and the sixth power, in t = (r - rs)/(rc - rs) */
  size_t stride;                   /* numbers of a row: four for each site            */
  int nbucket;
  SitesPair pair[SITES_BUCKETS][SITES_BUCKETS]; /* the second not behind the first      */
  int ntype;                                    /* of atoms                                                 */
  double (*lj)[SITES_TYPE];                     /* [ntype][ntype] A, C, shift and near, as in SitesPair     */
} SitesModel;

/* All pairs but those of the kernels in float. */
typedef struct SitesWork {
  WaterFloatPairs pairs;
  const double *row;   /* [n][stride]: the first site, others less the first; the fourth number of an atom is
                        * its   charge times the root of C */
  const int32_t *type; /* [n] by place; NULL: there are no atoms            */
  int64_t *force;      /* likewise += forces                                  */
  int64_t *sums;       /* [WATER_FLOAT_SUMS] += energies and virial, or NULL         */
} SitesWork;

typedef struct SitesKernels {
  void (*chunk)(const SitesModel *model, const SitesWork *work);
} SitesKernels;

ISA_DECLARE(SitesKernels, sites_kernels_table);

#endif
