/* What the files of short-range forces share. */
#ifndef HOLONOM_FORCEFIELDS_SITES_PRIVATE_H
#define HOLONOM_FORCEFIELDS_SITES_PRIVATE_H

#include "forcefields/atoms_float.h"
#include "forcefields/reduction.h"
#include "forcefields/sites.h"
#include "forcefields/sites_kernels.h"
#include "forcefields/water_float.h"

/* Entries of a chunk of the list, by bucket of the partners. */
typedef struct Parted {
  int32_t *j;
  int32_t *with; /* the bytes of each one's type in a row of the table in float */
  size_t room;
  bool failed;
} Parted;

struct Sites {
  SitesOptions options;
  Mixture mixture;
  SitesModel model;
  const SitesKernels *kernel;
  WaterFloatCoulomb coulomb;
  double stretch, list_cutoff, least_cutoff, self;
  StageField field; /* of a reaction field */
  /* what is in double; all NULL: nothing */
  double *row;      /* [n][stride] */
  Reduction *force; /* [n][stride] */
  /* what is in float; all NULL: nothing */
  WaterFloatModel *water_float; /* pairs of waters                                            */
  WaterFloatChunk *water[2];    /* the kernel without and with sums                           */
  AtomsFloatModel *atoms_float; /* of atoms one by one, with each other and with waters       */
  const AtomsFloatKernels *atoms;
  void *single_row;    /* [n] rows of single_bytes                                            */
  size_t single_bytes; /* of a WaterFloatRow where there are waters, else of its first part   */
  Reduction *single;   /* [n] as long                                                         */
  /* Molecules of which pairs are worked on together: waters, in the first if there are any; those of a
   * species; all atoms that come one by one. */
  int bucket_of[KINDS_MAX], sample[KINDS_MAX]; /* of each block; a block of each bucket */
  uint8_t *bucket;                             /* [n] by place                          */
  int32_t *type;                               /* [n] likewise, or NULL                 */
  /* the list by buckets, of the list's making number `made` */
  int64_t made;
  int32_t *begin, *end; /* [nbucket][n] */
  Parted parted[LIST_CHUNKS];
  int64_t sums[LIST_CHUNKS][WATER_FLOAT_SUMS + 1];
  WaterFloatFault fault[LIST_CHUNKS];
};

/* Tables, and what pairs of buckets are; the longest cutoff of a list goes to list_cutoff. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
Status sites_model_make(Sites *s, Error *error);
void sites_model_free(Sites *s);

/* Whether pairs of waters are in float; those of atoms, one by one; whether anything else is there. */
bool sites_model_float(const Sites *s);
bool sites_model_atoms_float(const Sites *s);
bool sites_model_exact(const Sites *s);

/* Buckets and types by place, this thread's share. */
void sites_part_places(Sites *s, const Team *team, const ListView *list);

/* The number of a list in place of which there is none yet, or one that could not be parted. */
enum { SITES_PART_NONE = -1, SITES_PART_FAILED = -2 };

/* Chunk c of the list by buckets, without pairs that do not see each other or are too far, from the rows of
 * the moment when it was made; `failed` is set where there is no memory. Where the list can be taken as it
 * is, nothing is to be done. */
bool sites_part_none(const Sites *s);
void sites_part_chunk(Sites *s, const ListView *list, int c);

#endif
