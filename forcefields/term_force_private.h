/* Types and functions shared by the files of the force of terms. */
#ifndef HOLONOM_FORCEFIELDS_TERM_FORCE_PRIVATE_H
#define HOLONOM_FORCEFIELDS_TERM_FORCE_PRIVATE_H

#include "base/arena.h"
#include "forcefields/term_force.h"
#include "forcefields/term_force_kernels.h"
#include "forcefields/virtual_lanes.h"

enum { SHARES = 64, SLOTS = WIDTH_MAX / LANES };

/* Octets from the beginning of a block to an atom's first: for molecule 0, added for each further molecule,
 * and for each further pack of a molecule's replicas. */
typedef struct Spot {
  size_t first, step, slot;
} Spot;

/* A term of a molecule type, and the location of its atoms. */
typedef struct Placed {
  Term term;
  int nready;
  double ready[TERM_READY];
  const TopologyGroup *group[TERM_ATOMS];
  int site[TERM_ATOMS];
  Spot spot[TERM_ATOMS]; /* in a state of width above 1 */
} Placed;

/* Terms of a molecule type: type t is placed[begin[t]] to placed[begin[t + 1] - 1]. */
typedef struct Sorted {
  const TopologySort *sort;
  Placed *placed;
  int begin[TERM_TYPES + 1];
} Sorted;

/* All terms of a type, eight side by side. */
typedef struct Batch {
  int n, npack;
  int64_t first; /* number of the first, counted through all types */
  Vec8 *param, *force;
  uint32_t *row;
} Batch;

typedef struct Terms {
  ForceOps ops;
  const char *name[TERM_COLUMNS];
  TermColumn column[TERM_COLUMNS]; /* of each energy */
  const TermKernels *kernel;
  const Topology *topology;
  VirtualLanes *sites;            /* NULL: no term uses one; below the calls, states are views with them */
  int64_t most;                   /* an upper bound of the terms of a molecule */
  Sorted *sorted;                 /* [topology->nsort] in the order of their ranks */
  TermNodes grid;                 /* of the lists */
  Vec8 (*sums)[SLOTS][TERM_SUMS]; /* [SHARES] */
  /* For width 1. */
  Batch batch[TERM_TYPES];
  double (*x)[4]; /* [rows] by block, pack, site and lane */
  size_t *block;  /* [nblock] its first row */
  size_t *begin;  /* [rows + 1] of each row's places in `from` */
  uint32_t *from; /* index in `force` of the x of each force on the row; y and z follow 8 apart */
  Vec8 *force;    /* of all batches */
  Arena arena;
} Terms;

/* See ForceOps. */
Status term_force_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                           Error *error);

#endif
