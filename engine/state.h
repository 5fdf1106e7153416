/* Blocks of lanes, the state of a run, and the view of one pack that all per-molecule work gets.
 *
 * lane = molecule * width + replica. Lanes are stored in packs of 8: field[lane/8][site][dim][lane%8].
 * width is 1 (one system: 8 molecules side by side) or a multiple of 8 (a batch: 8 or 16 replicas of each
 * molecule side by side). Lanes never see each other except in forces between molecules, so a replica's
 * bits do not depend on the lane that it sits in. A batch need not be full: its last lanes may be empty.
 * A molecule of several groups of atoms has a lane for each (topology/topology.h): here "molecule" is what
 * one lane of a replica holds. */
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
  /* In one system: lanes and coordinates are counted in 32 bits, and so are the bytes to a row of the water
   * kernel, 64 a molecule. */
  STATE_MOLECULES = 50000000
};

/* All molecules of one kind. Tail lanes are the empty ones: at the end of the last pack (width 1), where they
 * hold the reference geometry at rest, far away from everything, and in a batch that is not full (state_use).
 * They get no noise, have no faults, and sums and lists skip them by `active`. */
typedef struct Block {
  const Kind *kind;
  int nlane;          /* lanes of each replica                                              */
  int npack;          /* packs: (nlane*width + 7)/8                                         */
  int first;          /* number of its first lane of a replica, counted through all blocks  */
  Vec8 *q;            /* [npack][nsite][dim] positions, angstrom                            */
  Vec8 *p;            /* [npack][nsite][dim] momenta, g/mol angstrom per AKMA time          */
  Vec8 *f;            /* [npack][nsite][dim] forces, kcal/mol/angstrom; scratch between steps */
  Vec8 *slow;         /* [npack][nsite][dim] as f, of the slow forces; NULL: they are not kept apart */
  Vec8 *heat;         /* [npack] energy that the thermostat has put in so far               */
  const Vec8 *active; /* [npack] 1 for a lane in use, 0 for a tail lane                     */
} Block;

typedef struct State {
  int width; /* lanes side by side: 1, 8 or 16                                    */
  int used;  /* lanes with a replica, which are the first; the others are empty     */
  int nblock;
  Block *block;
  int64_t step; /* steps done                                                        */
  uint64_t seed;
  uint32_t replica;       /* id of the replica in lane 0; lane l of a batch is replica + l      */
  Box box;                /* periodic box of all replicas; all zero: an open cluster           */
  const int *molecule;    /* [lanes of a replica, through all blocks] number of the molecule that each is of;
                             borrowed; NULL: each is one, numbered alike */
  const uint32_t *number; /* [lanes] what noise knows each by; borrowed; NULL: its place among the lanes */
  Vec8 *noise;  /* sqrt(kT of a lane / kT of the plan): [width/8]; of width 1 that of full packs, then that
                    of each block's last; NULL: 1 */
  void *memory; /* one allocation behind all of the above                            */
  void *slow;   /* one behind the blocks' slow forces, or NULL                       */
} State;

/* A view of one pack, on the caller's stack. */
typedef struct Pack {
  const Kind *kind;
  Vec8 *q, *p, *f; /* [nsite][dim]                                                          */
  Vec8 *heat;      /* [1]                                                                   */
  const Vec8 *active;
  const Vec8 *noise; /* what O multiplies its noise by: 1, another number in lanes of another temperature, 0
                         in tail lanes */
  int index;         /* of this pack in its block                                             */
  Vec8 *scratch;     /* what the methods at work asked for (their `scratch`), or NULL          */
  uint32_t number[LANES]; /* identity of lane l for noise: never its place in memory */
  uint32_t replica[LANES];
  int64_t step; /* of the state, as far as noise and driven parts go                */
  uint64_t seed;
} Pack;

/* Whether a system may have so many molecules, for who counts them before anything is made. Errors:
 * STATUS_INPUT. */
Status state_may_hold(double molecules, Error *error);

/* One block of nlane lanes per kind, all at the reference geometry, at rest; tail lanes in place.
 * The kinds must outlive the state. Errors: STATUS_INPUT (width not 1, 8 or 16; too many
 * molecules), STATUS_MEMORY. */
Status state_create(State **state, int width, int nblock, const Kind *const *kind, const int *nlane,
                    uint64_t seed, uint32_t replica, Error *error);
void state_free(State *state);

/* Only the first `replicas` lanes, of 1 to width, hold a replica; the others become tail lanes. */
void state_use(State *state, int replicas);

/* Memory for slow forces kept apart from f; nothing if there is. Errors: STATUS_MEMORY. */
Status state_keep_slow(State *state, Error *error);

/* Memory for temperatures of replicas, all that of the plan at first; lanes in use by then are those that
 * will be. Errors: STATUS_MEMORY. */
Status state_keep_noise(State *state, Error *error);

/* The temperature of replica lane r is scale^2 times the plan's. */
void state_set_noise(State *state, int r, double scale);

/* Copies positions, momenta, forces, heat, box and step of one state into another of the same shape. */
void state_copy(State *to, const State *from);

/* Lists all that changes in a run: step, box (where there is one), temperatures of lanes and slow forces
 * (where they are kept), positions, momenta, forces, heat, tail lanes too. */
void state_chunks(State *state, ChunkList *list);

/* Which of a replica's lanes, counted through all blocks, lane l of pack i of a block is. */
static inline int state_lane(const State *state, const Block *block, int i, int l)
{
  return block->first + (i * LANES + l) / state->width;
}

/* For messages: number of the molecule that lane n of a replica, counted through all blocks, is of. */
static inline int state_molecule(const State *state, int n)
{
  return state->molecule != NULL ? state->molecule[n] : n;
}

/* The one index formula: where element (molecule, replica lane r < width, site, d) of a field is. */
static inline size_t state_index(const Block *block, int width, int molecule, int r, int site, int d)
{
  const int lane = molecule * width + r;
  const int nsite = block->kind->nsite, dim = block->kind->dim;
  return (((size_t)(lane / LANES) * (size_t)nsite + (size_t)site) * (size_t)dim + (size_t)d) * LANES +
         (size_t)(lane % LANES);
}

/* The same element of a field (q, p or f). */
static inline double *state_element(const Block *block, Vec8 *field, int width, int molecule, int r, int site,
                                    int d)
{
  return (double *)field + state_index(block, width, molecule, r, site, d);
}

/* Copies one replica's field (q, p or f) to or from x[nlane][nsite][dim]. */
void state_get(const Block *block, int width, const Vec8 *field, int r, double *x);
void state_set(Block *block, int width, Vec8 *field, int r, const double *x);

/* Numbers that one replica's positions are: of all blocks. */
size_t state_coordinates(const State *state);

/* The same copies for all blocks, one after the other; velocities are momenta over masses. */
typedef enum StateField { STATE_POSITIONS, STATE_MOMENTA, STATE_VELOCITIES, STATE_FORCES } StateField;
void state_get_all(const State *state, StateField field, int r, double *x);
void state_set_all(const State *state, StateField field, int r, const double *x);

/* What O multiplies its noise by in the lanes of pack i. */
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

/* Sum of an array [npack] over the lanes of each replica: sum[width]. Tail lanes are left out. */
void state_sum(const State *state, const Block *block, const Vec8 *value, double *sum);

/* The same, added to sum[width]: block after block, it is the sum over all molecules. */
void state_add(const State *state, const Block *block, const Vec8 *value, double *sum);

/* Momenta of replica lane r times a factor; the energy that this puts in is counted as heat. */
void state_scale_momenta(const State *state, int r, double factor, double energy);

/* Energy that the thermostat has put into each replica so far: heat[width]. */
void state_heat(const State *state, double *heat);

#endif
