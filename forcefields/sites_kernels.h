/* Private interface between sites.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_SITES_KERNELS_H
#define HOLONOM_FORCEFIELDS_SITES_KERNELS_H

#include "forcefields/ewald.h"
#include "forcefields/water_float_kernels.h"

/* The charged sites of two molecules, and thus the pairs that act: all; all but those of the first sites,
 * plus the pair of the first two; any others. */
typedef enum SitesCharges { SITES_CHARGED, SITES_CHARGED_BUT_FIRST, SITES_CHARGED_ANY } SitesCharges;

/* Whether the first of two molecules, or both, are individual atoms (atoms.h) with charges and types of their
 * own. */
enum { SITES_ATOM_I = 1, SITES_ATOMS = 2 };

/* What the kernel is compiled for: numbers of sites of i and of j, or any; ATOM: an individual atom. The last
 * two are in float: pairs of waters; pairs of atoms, and of an atom and a water. */
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

/* Buckets of molecules that share kernels: waters first, if there are any, then atoms. A decoupled solute
 * (alchemy.h), which has no pairs here, is a further sort of the list. */
enum { SITES_BUCKETS = 2, SITES_SORTS = SITES_BUCKETS + 1 };

/* For molecules of two buckets. */
typedef struct SitesPair {
  int ni, nj; /* sites */
  int atoms;  /* individual atoms, with charge 1 in qq, and a, c, shift and near by type */
  bool by_atom;
  SitesCharges charges;
  int npair; /* number of pairs that act: the first sites, then row by row */
  int site[SITE_MAP_SITES * SITE_MAP_SITES][2]; /* of each, of i and of j */
  double qq[SITE_MAP_SITES * SITE_MAP_SITES];   /* C q q of each */
  double a, c, shift;                           /* A/r^12 - C/r^6 - shift between first sites */
  double far2; /* squared distance of first sites beyond which nothing acts */
  double near; /* squared distance below which forces may leave the range or energies are meaningless */
  double low;  /* the same of other sites */
  SitesShape shape;
} SitesPair;

enum { SITES_TYPE = 4 };

typedef struct SitesModel {
  WaterFloatExact tables; /* of 1/r or erfc(beta r)/r, with the reaction field */
  const Box *box;
  bool oblique;
  Images images;
  double cutoff2;
  WaterFloatSwitching switching;
  double switch_from, switch_rate; /* rs, 1/(rc - rs) */
  LjBend bend[2];                  /* of the twelfth and the sixth power, in t = (r - rs)/(rc - rs) */
  size_t stride;                   /* numbers in a row: four for each site */
  int nbucket;
  SitesPair pair[SITES_BUCKETS][SITES_BUCKETS]; /* the second not after the first */
  int ntype;                                    /* types of atoms */
  double (*lj)[SITES_TYPE];                     /* [ntype][ntype] A, C, shift and near, as in SitesPair */
} SitesModel;

/* All pairs except those of the kernels in float. */
typedef struct SitesWork {
  WaterFloatPairs pairs;
  const double *row;   /* [n][stride] the first site, others relative to it; an atom's fourth number is its
                          charge times sqrt(Coulomb's constant) */
  const int32_t *type; /* [n] by place; NULL: no individual atoms */
  int64_t *force;      /* likewise += forces */
  int64_t *sums;       /* [WATER_FLOAT_SUMS] += energies and virial, or NULL */
} SitesWork;

typedef struct SitesKernels {
  void (*chunk)(const SitesModel *model, const SitesWork *work);
} SitesKernels;

ISA_DECLARE(SitesKernels, sites_kernels_table);

#endif
