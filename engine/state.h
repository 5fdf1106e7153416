/* The state of a run: blocks of lanes in packs of 8, and the view of one pack that per-group code works on.
 *
 * lane = group * width + replica, stored as field[lane/8][site][dim][lane%8]. width is 1 (one system: 8
 * groups side by side) or a multiple of 8 (a batch: each group in 8 or 16 replicas side by side). Lanes
 * interact only through forces between molecules, so the bits of a replica do not depend on its lane. The
 * last lanes of a batch may be empty. Each group of a molecule has its own lane (topology/topology.h);
 * "molecule" here means the content of one lane of a replica. */
#ifndef HOLONOM_ENGINE_STATE_H
#define HOLONOM_ENGINE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"
#include "engine/box.h"
#include "engine/kind.h"
#include "engine/vec8.h"

enum {
  WIDTH_MAX = 16,
  /* Limit of one system: lane and coordinate indices, and the byte offsets of the water kernel (64 a
   * molecule), have 32 bits. */
  STATE_MOLECULES = 50000000
};

/* All lanes of one kind. Tail lanes are empty: the end of the last pack (width 1), where the reference
 * geometry is at rest far from everything, and unused replicas of a batch (state_use). Tail lanes get no
 * noise and report no faults; sums and lists skip them by `active`. */
typedef struct Block {
  const Kind *kind;
  int nlane;          /* lanes of each replica                                              */
  int npack;          /* packs: (nlane*width + 7)/8                                         */
  int first;          /* index of the first lane of a replica, over all blocks              */
  Vec8 *q;            /* [npack][nsite][dim] positions, angstrom                            */
  Vec8 *p;            /* [npack][nsite][dim] momenta, g/mol angstrom per AKMA time          */
  Vec8 *f;            /* [npack][nsite][dim] forces, kcal/mol/angstrom; scratch between steps */
  Vec8 *slow;         /* [npack][nsite][dim] slow forces, like f; NULL: stored in f */
  Vec8 *heat;         /* [npack] energy added by the thermostat so far                      */
  const Vec8 *active; /* [npack] 1 for a lane in use, 0 for a tail lane                     */
} Block;

typedef struct State {
  int width; /* lanes side by side: 1, 8 or 16                                    */
  int used;  /* lanes that contain a replica: the first ones                        */
  int nblock;
  Block *block;
  int64_t step;   /* steps done                                                        */
  double elapsed; /* for driven forces: the part of the present step, from 0 to 1, that positions are ahead of
                   * `step`; 0 except during a step                                     */
  uint64_t seed;
  uint32_t replica;       /* id of the replica in lane 0; lane l of a batch is replica + l      */
  Box box;                /* periodic box of all replicas; all zero: an open cluster           */
  const int *molecule;    /* [lanes of a replica, over all blocks] the molecule of each lane; borrowed; NULL:
                           * lane n is molecule n */
  const uint32_t *number; /* [lanes] address of the noise of each lane; borrowed; NULL: the lane's index */
  Vec8 *noise;  /* sqrt(kT of a lane / kT of the plan): [width/8]; width 1: for full packs, then for the last
                 * pack of each block; NULL: 1 */
  void *memory; /* the allocation of all of the above                                */
  void *slow;   /* the allocation of the blocks' slow forces, or NULL                */
} State;

/* A view of one pack, on the caller's stack. */
typedef struct Pack {
  const Kind *kind;
  Vec8 *q, *p, *f; /* [nsite][dim]                                                          */
  Vec8 *heat;      /* [1]                                                                   */
  const Vec8 *active;
  const Vec8 *noise; /* factor of the noise of O: 1, another number in lanes of another temperature, 0 in tail
                      * lanes */
  int index;         /* of this pack in its block                                             */
  Vec8 *scratch;     /* scratch memory that the methods in use requested (their `scratch`), or NULL */
  uint32_t number[LANES]; /* address of the noise of lane l, independent of its place in memory */
  uint32_t replica[LANES];
  int64_t step; /* step of the state, as the address of noise and driven parts      */
  uint64_t seed;
} Pack;

/* Checks a number of molecules before a state is created. Errors: STATUS_INPUT (above STATE_MOLECULES). */
Status state_may_hold(double molecules, Error *error);

/* Creates one block of nlane lanes per kind, at the reference geometry and at rest, tail lanes included. The
 * kinds must outlive the state. Errors: STATUS_INPUT (width not 1, 8 or 16; too many molecules),
 * STATUS_MEMORY. */
Status state_create(State **state, int width, int nblock, const Kind *const *kind, const int *nlane,
                    uint64_t seed, uint32_t replica, Error *error);
void state_free(State *state);

/* Uses only the first `replicas` lanes (1 to width); the others become tail lanes. */
void state_use(State *state, int replicas);

/* Allocates slow forces separate from f, unless done before. Errors: STATUS_MEMORY. */
Status state_keep_slow(State *state, Error *error);

/* Allocates a temperature for each replica, at first the plan's. Call it after state_use. Errors:
 * STATUS_MEMORY. */
Status state_keep_noise(State *state, Error *error);

/* Sets the temperature of replica lane r to scale^2 times the plan's. */
void state_set_noise(State *state, int r, double scale);

/* Copies positions, momenta, forces, heat, box and step to a state of the same shape. */
void state_copy(State *to, const State *from);

/* Lists the memory that changes in a run: step, box (if any), temperatures of lanes and slow forces (if
 * allocated), positions, momenta, forces and heat, tail lanes included. */
void state_chunks(State *state, ChunkList *list);

/* The lane of a replica, over all blocks, that lane l of pack i of a block is. */
static inline int state_lane(const State *state, const Block *block, int i, int l)
{
  return block->first + (i * LANES + l) / state->width;
}

/* For messages: the molecule of lane n of a replica, counted over all blocks. */
static inline int state_molecule(const State *state, int n)
{
  return state->molecule != NULL ? state->molecule[n] : n;
}

/* The index of element (molecule, replica lane r < width, site, d) in a field. All indexing uses this
 * formula. */
static inline size_t state_index(const Block *block, int width, int molecule, int r, int site, int d)
{
  const int lane = molecule * width + r;
  const int nsite = block->kind->nsite, dim = block->kind->dim;
  return (((size_t)(lane / LANES) * (size_t)nsite + (size_t)site) * (size_t)dim + (size_t)d) * LANES +
         (size_t)(lane % LANES);
}

/* The address of that element in a field (q, p or f). */
static inline double *state_element(const Block *block, Vec8 *field, int width, int molecule, int r, int site,
                                    int d)
{
  return (double *)field + state_index(block, width, molecule, r, site, d);
}

/* Copy the field (q, p or f) of one replica to or from x[nlane][nsite][dim]. */
void state_get(const Block *block, int width, const Vec8 *field, int r, double *x);
void state_set(Block *block, int width, Vec8 *field, int r, const double *x);

/* The number of coordinates of one replica, over all blocks. */
size_t state_coordinates(const State *state);

/* The same copies for all blocks in order; velocities are momenta divided by masses. */
typedef enum StateField { STATE_POSITIONS, STATE_MOMENTA, STATE_VELOCITIES, STATE_FORCES } StateField;
void state_get_all(const State *state, StateField field, int r, double *x);
void state_set_all(const State *state, StateField field, int r, const double *x);

/* The factor of the noise of O in the lanes of pack i. */
static inline const Vec8 *state_noise(const State *state, const Block *block, int i)
{
  if (state->noise == NULL)
    return block->active + i;
  if (state->width == 1)
    return state->noise + (i + 1 < block->npack ? 0 : 1 + (block - state->block));
  return state->noise + i % (state->width / LANES);
}

/* The view of pack i of a block. */
Pack state_pack(const State *state, const Block *block, int i);

/* Sums an array [npack] over the lanes of each replica, without tail lanes: sum[width]. */
void state_sum(const State *state, const Block *block, const Vec8 *value, double *sum);

/* Adds that sum to sum[width]; called for each block, it gives the sum over all molecules. */
void state_add(const State *state, const Block *block, const Vec8 *value, double *sum);

/* Multiplies the momenta of replica lane r by a factor and adds `energy`, which this changes, to the heat. */
void state_scale_momenta(const State *state, int r, double factor, double energy);

/* The energy that the thermostat has added to each replica so far: heat[width]. */
void state_heat(const State *state, double *heat);

#endif
