/* Private interface between stage.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_STAGE_KERNELS_H
#define HOLONOM_FORCEFIELDS_STAGE_KERNELS_H

#include "engine/state.h"
#include "forcefields/atoms.h"
#include "forcefields/pme.h"
#include "forcefields/pme_kernels.h"
#include "forcefields/site_map.h"
#include "forcefields/water_float_kernels.h"

#define STAGE_ABSURD 1e6 /* edges from the origin */

typedef struct StageFrame {
  const Box *box;
  double unit, grid; /* of rows in float: see WaterFloatUnits */
} StageFrame;

struct StageKernels;

typedef struct StageKind {
  SiteMap map;
  double reach2[SITE_MAP_ATOMS]; /* the longest allowed bonds of an atom to the first, squared */
  const Atoms *atoms;            /* individual atoms; NULL: molecules with the sites of the map */
  int first, each;               /* their first row, and rows of a lane; else 0 and 1 */
  const Box *box;
  const struct StageKernels *kernel;
} StageKind;

enum { STAGE_TERMS = 24, STAGE_PAIRS = SITE_MAP_SITES * (SITE_MAP_SITES - 1) / 2 };

/* erf(beta r)/r = sum of c[k] w^k, w = scale r^2 - 1, for r^2 up to `most`; beyond, by pme_exclusion_pair. */
typedef struct StageErf {
  double beta, scale, most;
  int n;
  double c[STAGE_TERMS];
} StageErf;

/* The charged sites of a block's molecules: n of them from site_map_first_charged on; n = 0: none. The i-th
 * of pack p, lane l has the number first + (p n + i) 8 + l. */
typedef struct StageCharged {
  int n, first;
  double qq[STAGE_PAIRS];      /* C q q of their pairs, 01, 02 .. 12 .. */
  double mass[SITE_MAP_ATOMS]; /* fraction of the mesh's net force for each atom; for individual atoms the
                                  first is that of a unit of mass */
} StageCharged;

/* Charged sites as input of the mesh, and their forces, by number. */
typedef struct StageMesh {
  const PmeMesh *mesh;
  const PmeSites *sites;
  PmePrecision precision;
  StageErf erf;
  StageCharged *block; /* [blocks of the state] */
} StageMesh;

/* Outputs for a block's molecules, counted from its first. Rows by place. */
typedef struct StageOut {
  int32_t (*o)[4];       /* [nmol] fractions of the box, or NULL */
  const int32_t *place;  /* [nmol] */
  void *single;          /* in float, WaterFloatRow or its first 16 bytes, or NULL */
  size_t single_bytes;   /* of such a row; with waters a whole WaterFloatRow */
  double *exact;         /* [][stride] the first site, others relative to it; or NULL */
  size_t stride;         /* at least 4 for each site */
  const StageMesh *mesh; /* or NULL */
  double (*atom)[4]; /* [rows of all blocks] positions of individual atoms and charges times sqrt(Coulomb's
                        constant), for excluded pairs; or NULL */
  int block;         /* for the kernel */
} StageOut;

/* The reaction field for an excluded pair of charges, C q q (k r^2 - c) within the cutoff. */
typedef struct StageField {
  double k, c, cutoff2;
} StageField;

/* Forces on sites: integers by place from pairs, and those of the mesh; NULL: none. */
typedef struct StageForces {
  const int32_t *place;
  const int32_t *single; /* [][single_ints] on waters (WATER_FLOAT_INTS) and individual atoms */
  size_t single_ints;
  const int64_t *exact; /* [][stride] on all sites */
  size_t stride;
  const StageMesh *mesh;   /* whose interaction of pairs inside molecules is subtracted */
  const void *charged;     /* [][4] in its precision, on charged sites by number */
  double net[3];           /* of all charged sites, to be subtracted */
  const double (*atom)[4]; /* see StageOut, or NULL */
  const StageField *field; /* or NULL */
  bool fill;               /* overwrite f instead of adding */
  int block;               /* for the kernel */
} StageForces;

enum { STAGE_SUMS = 10 }; /* the energy of the mesh inside molecules, the virial */

typedef struct StageKernels {
  /* Stages pack `pack` of a block at q, of n molecules: returns the bits of lanes at infinite coordinates or
   * torn. */
  unsigned (*stage)(const StageFrame *frame, const StageKind *kind, const Vec8 *q, int pack, int n,
                    const StageOut *out);
  /* f += forces, or = with `fill`; sums[STAGE_SUMS] += the sums, unless NULL. */
  void (*deliver)(const StageKind *kind, const Vec8 *q, int pack, int n, const StageForces *forces, Vec8 *f,
                  int64_t *sums);
} StageKernels;

ISA_DECLARE(StageKernels, stage_kernels_table);
ISA_DECLARE(StageKernels, stage_atoms_kernels_table);

#endif
