/* Types and functions shared by the files of the short-range forces. */
#ifndef HOLONOM_FORCEFIELDS_SITES_PRIVATE_H
#define HOLONOM_FORCEFIELDS_SITES_PRIVATE_H

#include "forcefields/atoms_float.h"
#include "forcefields/reduction.h"
#include "forcefields/sites.h"
#include "forcefields/sites_kernels.h"
#include "forcefields/water_float.h"

/* Arrays parallel to the entries of a chunk of the list. */
typedef struct SitesBeside {
  int32_t *with; /* byte offset of each entry's type in a row of the float table, for entries of atoms */
  size_t room;
  bool failed;
} SitesBeside;

struct Sites {
  Nonbonded options;
  int threads; /* the most threads of a team */
  Isa isa;
  Particles particles;
  SitesModel model;
  const SitesKernels *kernel;
  WaterFloatCoulomb coulomb;
  double stretch, list_cutoff, self;
  StageField field; /* of a reaction field */
  /* in double; all NULL: nothing */
  double *row;      /* [n][stride] */
  Reduction *force; /* [n][stride] */
  /* in float; all NULL: nothing */
  WaterFloatModel *water_float; /* pairs of waters */
  WaterFloatChunk *water[2];    /* the kernels without and with sums */
  AtomsFloatModel *atoms_float; /* pairs of individual atoms, and of an atom and a water */
  const AtomsFloatKernels *atoms;
  void *single_row;          /* [n] rows of single_bytes */
  size_t single_bytes;       /* of a WaterFloatRow if there is water, else of its first part */
  Reduction *single;         /* [n] rows as long */
  int sample[SITES_BUCKETS]; /* a block of each bucket */
  ListSorts sorts;           /* buckets are the first sorts of the list */
  uint8_t *sort;             /* [n] by molecule */
  /* [sorts.n][sorts.n] */
  double cutoff[SITES_SORTS * SITES_SORTS], buffer[SITES_SORTS * SITES_SORTS];
  bool share[SITES_SORTS];
  int32_t *type; /* [n] by place, for build number `made` of the list, or NULL */
  int64_t made;
  SitesBeside beside[LIST_CHUNKS];
  int64_t sums[LIST_CHUNKS][WATER_FLOAT_SUMS + 1];
  WaterFloatFault fault[LIST_CHUNKS];
};

static inline int sites_bucket(const Sites *s, int block)
{
  return atoms_are(s->particles.atoms, block) ? s->model.nbucket - 1 : 0;
}

/* Makes tables and the parameters of pairs of buckets, the second not after the first; sets list_cutoff to
 * the longest cutoff. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status sites_model_make(Sites *s, Error *error);
void sites_model_free(Sites *s);

/* Whether pairs of waters are in float; whether those of individual atoms are; whether any pairs are in
 * double. */
bool sites_model_float(const Sites *s);
bool sites_model_atoms_float(const Sites *s);
bool sites_model_exact(const Sites *s);

/* Writes this thread's share of types by place. */
void sites_part_places(Sites *s, const Team *team, const ListView *list);

/* Writes the arrays parallel to chunk c of the list, if it needs any; sets `failed` if memory runs out. */
void sites_part_chunk(Sites *s, const ListView *list, int c);

#endif
