#include "integrators/motion_hot.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = WIDTH_MAX / LANES }; /* packs that one molecule's replicas fill */

ISA_DECLARE(MotionKernels, motion_kernels_table);

static bool is_even(const Kind *kind, const double *weight)
{
  for (int s = 1; weight != NULL && s < kind->nsite; s++)
    if (weight[s] != weight[0])
      return false;
  return true;
}

Status motion_create(Motion **motion, const Kind *kind, Removal removal, const double *weight,
                     const Projector *projector, Isa isa, Error *error)
{
  static const MotionKernels *const table[ISA_COUNT] = ISA_TABLES(motion_kernels_table);
  *motion = NULL;
  const bool even = is_even(kind, weight);
  for (int c = 0; c < kind->ncon && removal != REMOVE_NONE; c++)
    if (kind->con[c].nsite == 1 || kind->con[c].type->profile == NULL)
      return error_set(error, STATUS_INPUT,
                       "'%s' is tied to a place in space by constraint %d (%s), so the motion of the whole "
                       "cannot be removed: set the removal to none",
                       kind->name, c + 1, kind->con[c].type->name);
  Motion *m = malloc(sizeof *m + (size_t)kind->nsite * sizeof(double));
  if (m == NULL)
    return error_memory(error, "the removal of motion");
  m->kernels = table[isa];
  m->removal = removal;
  m->angular = removal == REMOVE_ANGULAR;
  m->projector = even ? NULL : projector;
  m->even = even;
  m->field = kind->nsite > MOTION_COORDINATES / kind->dim ? (size_t)kind->nsite * (size_t)kind->dim : 0;
  for (int s = 0; s < kind->nsite; s++)
    m->scale[s] = kind->mass[s] * (even ? 1.0 : weight[s]);
  *motion = m;
  return STATUS_OK;
}

void motion_free(Motion *motion) { free(motion); }

size_t motion_scratch(const Motion *motion)
{
  return motion->field + (motion->projector != NULL ? projector_scratch(motion->projector) : 0);
}

int motion_freedom(Removal removal, int dim, int nsites)
{
  if (removal == REMOVE_NONE)
    return 0;
  int rotations = 0;
  if (removal == REMOVE_ANGULAR && nsites > 1 && dim > 1)
    rotations = dim == 2 ? 1 : (nsites == 2 ? 2 : 3);
  return dim + rotations;
}

static int group_count(const State *state) { return state->width > LANES ? state->width / LANES : 1; }

/* With one replica the 8 lanes are molecules of it: all lanes get their sum. */
static void gather(const State *state, int n, vd *x)
{
  for (int i = 0; state->width == 1 && i < n; i++)
    x[i] = vd_set(vd_sum(x[i]));
}

/* Turns a view to pack i of its block. It does not say what tells lanes apart: nobody asks for it here. */
static void turn_to(Pack *pack, const Block *block, int i)
{
  const size_t at = (size_t)i * (size_t)(block->kind->nsite * block->kind->dim);
  pack->q = block->q + at;
  pack->p = block->p + at;
  pack->active = block->active + i;
}

/* The centres of mass, about which translations and rotations are orthogonal in the plain metric. */
static void find_centres(const MotionKernels *kernels, const State *state, Frame *frame)
{
  const Block *block = &state->block[0];
  const int groups = group_count(state);
  Pack pack = {.kind = block->kind};
  for (int i = 0; i < block->npack; i++) {
    turn_to(&pack, block, i);
    kernels->centre(&pack, &frame[i % groups]);
  }
  for (int g = 0; g < groups; g++) {
    gather(state, 3, frame[g].centre);
    for (int d = 0; d < 3; d++)
      frame[g].centre[d] /= block->nmol * kind_mass(block->kind);
  }
}

static void find_sums(const Motion *motion, const State *state, vd *scratch, Frame *frame)
{
  const Block *block = &state->block[0];
  const int groups = group_count(state);
  Pack pack = {.kind = block->kind, .scratch = scratch};
  for (int i = 0; i < block->npack; i++) {
    turn_to(&pack, block, i);
    motion->kernels->momentum(&pack, motion->angular, &frame[i % groups]);
    motion->kernels->matrix(motion, &pack, &frame[i % groups]);
  }
  for (int g = 0; g < groups; g++) {
    gather(state, MOTIONS, frame[g].momentum);
    gather(state, MOTIONS * MOTIONS, frame[g].matrix[0]);
    for (int k = 0; motion->even && k < 3; k++)
      frame[g].matrix[k][k] = vd_set(block->nmol * kind_mass(block->kind));
  }
}

void motion_remove(const Motion *motion, State *state, vd *scratch)
{
  if (motion->removal == REMOVE_NONE)
    return;
  const Block *block = &state->block[0];
  const int groups = group_count(state), nsites = block->nmol * block->kind->nsite;
  const int n = motion->angular && nsites > 1 ? MOTIONS : 3;
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)groups * sizeof *frame);
  if (motion->angular)
    find_centres(motion->kernels, state, frame);
  find_sums(motion, state, scratch, frame);
  for (int g = 0; g < groups; g++) {
    for (int k = n; k < MOTIONS; k++)
      frame[g].momentum[k] = vd_set(0.0);
    motion->kernels->solve(n, &frame[g]);
  }
  Pack pack = {.kind = block->kind, .scratch = scratch};
  for (int i = 0; i < block->npack; i++) {
    turn_to(&pack, block, i);
    motion->kernels->apply(motion, &pack, &frame[i % groups]);
  }
}

void motion_momenta(const State *state, double linear[][3], double angular[][3])
{
  const MotionKernels *kernels = &motion_kernels_table_plain;
  const Block *block = &state->block[0];
  const int groups = group_count(state);
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)groups * sizeof *frame);
  find_centres(kernels, state, frame);
  Pack pack = {.kind = block->kind};
  for (int i = 0; i < block->npack; i++) {
    turn_to(&pack, block, i);
    kernels->momentum(&pack, true, &frame[i % groups]);
  }
  for (int g = 0; g < groups; g++)
    gather(state, MOTIONS, frame[g].momentum);
  for (int r = 0; r < state->width; r++)
    for (int d = 0; d < 3; d++) {
      linear[r][d] = frame[r / LANES].momentum[d][r % LANES];
      angular[r][d] = frame[r / LANES].momentum[3 + d][r % LANES];
    }
}
