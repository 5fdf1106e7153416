/* What the files of short-range forces share. */
#ifndef HOLONOM_FORCEFIELDS_SITES_PRIVATE_H
#define HOLONOM_FORCEFIELDS_SITES_PRIVATE_H

#include "forcefields/atoms_float.h"
#include "forcefields/reduction.h"
#include "forcefields/sites.h"
#include "forcefields/sites_kernels.h"
#include "forcefields/water_float.h"

/* Beside the entries of a chunk of the list. */
typedef struct SitesBeside {
  int32_t *with; /* the bytes of each one's type in a row of the table in float, of those that atoms have */
  size_t room;
  bool failed;
} SitesBeside;

struct Sites {
  Nonbonded options;
  int threads; /* at most so many in a team */
  Isa isa;
  Particles particles;
  SitesModel model;
  const SitesKernels *kernel;
  WaterFloatCoulomb coulomb;
  double stretch, list_cutoff, self;
  StageField field; /* of a reaction field */
  /* what is in double; all NULL: nothing */
  double *row;      /* [n][stride] */
  Reduction *force; /* [n][stride] */
  /* what is in float; all NULL: nothing */
  WaterFloatModel *water_float; /* pairs of waters                                            */
  WaterFloatChunk *water[2];    /* the kernel without and with sums                           */
  AtomsFloatModel *atoms_float; /* of atoms one by one, with each other and with waters       */
  const AtomsFloatKernels *atoms;
  void *single_row;          /* [n] rows of single_bytes                                            */
  size_t single_bytes;       /* of a WaterFloatRow where there are waters, else of its first part   */
  Reduction *single;         /* [n] as long                                                         */
  int sample[SITES_BUCKETS]; /* a block of each bucket                         */
  ListSorts sorts;           /* buckets are the sorts of the list              */
  uint8_t *sort;             /* [n] by molecule                                */
  double cutoff[SITES_BUCKETS * SITES_BUCKETS], buffer[SITES_BUCKETS * SITES_BUCKETS]; /* of `nbucket` rows */
  bool share[SITES_BUCKETS];
  int32_t *type; /* [n] by place, of the list's making number `made`, or NULL */
  int64_t made;
  SitesBeside beside[LIST_CHUNKS];
  int64_t sums[LIST_CHUNKS][WATER_FLOAT_SUMS + 1];
  WaterFloatFault fault[LIST_CHUNKS];
};

static inline int sites_bucket(const Sites *s, int block)
{
  return atoms_are(s->particles.atoms, block) ? s->model.nbucket - 1 : 0;
}

/* Tables, and what pairs of buckets are, the second not behind the first; the longest cutoff goes to
 * list_cutoff. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status sites_model_make(Sites *s, Error *error);
void sites_model_free(Sites *s);

/* Whether pairs of waters are in float; those of atoms, one by one; whether anything else is there. */
bool sites_model_float(const Sites *s);
bool sites_model_atoms_float(const Sites *s);
bool sites_model_exact(const Sites *s);

/* Types by place, this thread's share. */
void sites_part_places(Sites *s, const Team *team, const ListView *list);

/* What stands beside chunk c of the list, where anything does; `failed` is set where there is no memory. */
void sites_part_chunk(Sites *s, const ListView *list, int c);

#endif
