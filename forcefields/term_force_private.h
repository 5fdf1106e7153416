/* What the files of the force of terms share. */
#ifndef HOLONOM_FORCEFIELDS_TERM_FORCE_PRIVATE_H
#define HOLONOM_FORCEFIELDS_TERM_FORCE_PRIVATE_H

#include "base/arena.h"
#include "forcefields/term_force.h"
#include "forcefields/term_force_kernels.h"
#include "forcefields/virtual_lanes.h"

enum { SHARES = 64, SLOTS = WIDTH_MAX / LANES };

/* Octets of a block from its first to an atom's first: of molecule 0, more from each molecule to the next,
 * and from each pack of a molecule's replicas to the next. */
typedef struct Spot {
  size_t first, step, slot;
} Spot;

/* A term of a sort, and where its atoms are. */
typedef struct Placed {
  Term term;
  int nready;
  double ready[TERM_READY];
  const TopologyGroup *group[TERM_ATOMS];
  int site[TERM_ATOMS];
  Spot spot[TERM_ATOMS]; /* in a state that is wider than 1 */
} Placed;

/* Terms of a sort, by type: those of type t are placed[begin[t]] to placed[begin[t + 1] - 1]. */
typedef struct Sorted {
  const TopologySort *sort;
  Placed *placed;
  int begin[TERM_TYPES + 1];
} Sorted;

/* All terms of a type, eight side by side. */
typedef struct Batch {
  int n, npack;
  int64_t first; /* number of the first among all */
  Vec8 *param, *force;
  uint32_t *row;
} Batch;

typedef struct Terms {
  ForceOps ops;
  const char *name[TERM_COLUMNS];
  TermColumn column[TERM_COLUMNS]; /* of each energy */
  const TermKernels *kernel;
  const Topology *topology;
  VirtualLanes *sites;            /* NULL: no term names one; states below the calls are views with them */
  int64_t most;                   /* terms of a molecule, or more */
  Sorted *sorted;                 /* [topology->nsort] in their order by rank */
  TermNodes grid;                 /* of the lists */
  Vec8 (*sums)[SLOTS][TERM_SUMS]; /* [SHARES] */
  /* Of width 1. */
  Batch batch[TERM_TYPES];
  double (*x)[4]; /* [rows] by block, pack, site and lane */
  size_t *block;  /* [nblock] its first row */
  size_t *begin;  /* [rows + 1] of each row's places in `from` */
  uint32_t *from; /* where in `force` the x of each force on it is; y and z are 8 further on each */
  Vec8 *force;    /* of all batches */
  Arena arena;
} Terms;

/* The row of ForceOps. */
Status term_force_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                           Error *error);

#endif
