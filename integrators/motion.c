#include "integrators/motion.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOTIONS = 6,                /* three translations and three rotations */
  GROUPS = WIDTH_MAX / LANES, /* packs that one molecule's replicas fill */
  MOTION_COORDINATES = 768    /* of a molecule: 48 kB of stack          */
};

struct Motion {
  Removal removal;
  const Projector *projector; /* NULL: Y = W M R */
  bool even;                  /* W = 1           */
  double scale[];             /* [nsite] m W     */
};

/* Sums over the sites of 8 replicas; for width 1 over 8 molecules of the one, until they are gathered. */
typedef struct Frame {
  vd centre[3];
  vd momentum[MOTIONS];        /* R' p: momentum, angular momentum about the centre */
  vd matrix[MOTIONS][MOTIONS]; /* R' Y                                              */
} Frame;

static bool is_even(const Kind *kind, const double *weight)
{
  for (int s = 1; weight != NULL && s < kind->nsite; s++)
    if (weight[s] != weight[0])
      return false;
  return true;
}

Status motion_create(Motion **motion, const Kind *kind, Removal removal, const double *weight,
                     const Projector *projector, Error *error)
{
  *motion = NULL;
  const bool even = is_even(kind, weight);
  for (int c = 0; c < kind->ncon && removal != REMOVE_NONE; c++)
    if (kind->con[c].type->nsite == 1)
      return error_set(error, STATUS_INPUT,
                       "'%s' is tied to a point in space, so the motion of the whole cannot be removed: set "
                       "the removal to none",
                       kind->name);
  if (kind->nsite > MOTION_COORDINATES / kind->dim)
    return error_set(
        error, STATUS_INPUT,
        "'%s' has %d sites in %d dimensions: removal of the motion of the whole takes at most %d "
        "coordinates a molecule; set the removal to none",
        kind->name, kind->nsite, kind->dim, MOTION_COORDINATES);
  Motion *m = malloc(sizeof *m + (size_t)kind->nsite * sizeof(double));
  if (m == NULL)
    return error_memory(error, "the removal of motion");
  m->removal = removal;
  m->projector = even ? NULL : projector;
  m->even = even;
  for (int s = 0; s < kind->nsite; s++)
    m->scale[s] = kind->mass[s] * (even ? 1.0 : weight[s]);
  *motion = m;
  return STATUS_OK;
}

void motion_free(Motion *motion) { free(motion); }

int motion_freedom(Removal removal, int dim, int nsites)
{
  if (removal == REMOVE_NONE)
    return 0;
  int rotations = 0;
  if (removal == REMOVE_ANGULAR && nsites > 1 && dim > 1)
    rotations = dim == 2 ? 1 : (nsites == 2 ? 2 : 3);
  return dim + rotations;
}

/* --- sums over a replica ---------------------------------------------------------------------------- */

static int group_count(const State *state) { return state->width > LANES ? state->width / LANES : 1; }

/* With one replica the 8 lanes are molecules of it: all lanes get their sum. */
static void gather(const State *state, int n, vd *x)
{
  for (int i = 0; state->width == 1 && i < n; i++)
    x[i] = vd_set(vd_sum(x[i]));
}

/* The arm of site s from the centre, in three dimensions whatever the kind has. */
static inline __attribute__((always_inline)) void site_arm(const Pack *pack, const Frame *frame, int s,
                                                           vd arm[3])
{
  const int dim = pack->kind->dim;
  for (int d = 0; d < 3; d++)
    arm[d] = d < dim ? pack->q[s * dim + d] - frame->centre[d] : vd_set(0.0);
}

/* sum += R' x for a field x of the pack: what makes momenta of p and the matrix of Y. */
static void add_momenta(const Pack *pack, const Frame *frame, bool angular, const vd *x, vd sum[MOTIONS])
{
  const int nsite = pack->kind->nsite, dim = pack->kind->dim;
  for (int s = 0; s < nsite; s++) {
    vd v[3], r[3];
    for (int d = 0; d < 3; d++) {
      v[d] = d < dim ? *pack->active * x[s * dim + d] : vd_set(0.0);
      sum[d] += v[d];
    }
    if (!angular)
      continue;
    site_arm(pack, frame, s, r);
    sum[3] += r[1] * v[2] - r[2] * v[1];
    sum[4] += r[2] * v[0] - r[0] * v[2];
    sum[5] += r[0] * v[1] - r[1] * v[0];
  }
}

/* The centres of mass, about which translations and rotations are orthogonal in the plain metric. */
static void find_centres(const State *state, Frame frame[GROUPS])
{
  const Block *block = &state->block[0];
  const Kind *kind = block->kind;
  const int dim = kind->dim, groups = group_count(state);
  for (int i = 0; i < block->npack; i++) {
    const Pack pack = state_pack(state, block, i);
    for (int s = 0; s < kind->nsite; s++)
      for (int d = 0; d < dim; d++)
        frame[i % groups].centre[d] += kind->mass[s] * *pack.active * pack.q[s * dim + d];
  }
  for (int g = 0; g < groups; g++) {
    gather(state, dim, frame[g].centre);
    for (int d = 0; d < dim; d++)
      frame[g].centre[d] /= block->nmol * kind_mass(kind);
  }
}

/* --- removal ----------------------------------------------------------------------------------------- */

/* y = W M (V + Omega x r), then projected: Y times the six numbers (V, Omega). */
static void rigid_field(const Motion *motion, const Pack *pack, const Frame *frame, const vd amount[MOTIONS],
                        vd *y)
{
  const int nsite = pack->kind->nsite, dim = pack->kind->dim;
  const vd *turn = amount + 3;
  for (int s = 0; s < nsite; s++) {
    vd v[3] = {amount[0], amount[1], amount[2]}, r[3];
    if (motion->removal == REMOVE_ANGULAR) {
      site_arm(pack, frame, s, r);
      v[0] += turn[1] * r[2] - turn[2] * r[1];
      v[1] += turn[2] * r[0] - turn[0] * r[2];
      v[2] += turn[0] * r[1] - turn[1] * r[0];
    }
    for (int d = 0; d < dim; d++)
      y[s * dim + d] = motion->scale[s] * *pack->active * v[d];
  }
  if (motion->projector != NULL) {
    Pack other = *pack;
    other.p = y;
    projector_apply(motion->projector, &other, NULL);
  }
}

/* momentum = R' p and matrix = R' Y. With even weights both translations and rotations are known to be
 * tangent and orthogonal to each other: only the tensor of inertia is left to sum. */
static void find_sums(const Motion *motion, const State *state, Frame frame[GROUPS])
{
  const Block *block = &state->block[0];
  const bool angular = motion->removal == REMOVE_ANGULAR;
  const int begin = motion->even ? 3 : 0, end = angular ? MOTIONS : 3;
  const int groups = group_count(state);
  for (int i = 0; i < block->npack; i++) {
    const Pack pack = state_pack(state, block, i);
    Frame *f = &frame[i % groups];
    add_momenta(&pack, f, angular, pack.p, f->momentum);
    for (int k = begin; k < end; k++) {
      vd y[MOTION_COORDINATES], amount[MOTIONS] = {{0}};
      amount[k] = vd_set(1.0);
      rigid_field(motion, &pack, f, amount, y);
      add_momenta(&pack, f, angular, y, f->matrix[k]);
    }
  }
  for (int g = 0; g < groups; g++) {
    gather(state, MOTIONS, frame[g].momentum);
    for (int k = begin; k < end; k++)
      gather(state, MOTIONS, frame[g].matrix[k]);
    for (int k = 0; k < begin; k++) {
      memset(frame[g].matrix[k], 0, sizeof frame[g].matrix[k]);
      frame[g].matrix[k][k] = vd_set(block->nmol * kind_mass(block->kind));
    }
  }
}

/* x of A x = b, n = 3 or 6, by L D L' without pivots, in place of b. A is positive semidefinite: where a
 * pivot is rounding (rotation about the axis of a linear cluster, or of a single atom, or a dimension that
 * there is not) that motion does not exist and its x is zero. */
static void solve(int n, vd a[MOTIONS][MOTIONS], vd b[MOTIONS])
{
  vd inverse[MOTIONS];
  for (int k = 0; k < n; k++) {
    const int class = k / 3 * 3;
    const vd size = vd_max(vd_max(a[class][class], a[class + 1][class + 1]), a[class + 2][class + 2]);
    const vi real = a[k][k] > 1e-12 * size;
    inverse[k] = vd_select(real, 1.0 / vd_select(real, a[k][k], vd_set(1.0)), vd_set(0.0));
    for (int i = k + 1; i < n; i++) {
      const vd l = a[i][k] * inverse[k];
      for (int j = k + 1; j <= i; j++)
        a[i][j] -= l * a[j][k];
      b[i] -= l * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    b[k] *= inverse[k];
    for (int i = k + 1; i < n; i++)
      b[k] -= a[i][k] * inverse[k] * b[i];
  }
}

void motion_remove(const Motion *motion, State *state)
{
  const Block *block = &state->block[0];
  const int groups = group_count(state), nsites = block->nmol * block->kind->nsite;
  const int n = motion->removal == REMOVE_ANGULAR && nsites > 1 ? MOTIONS : 3;
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)groups * sizeof *frame);
  if (motion->removal == REMOVE_NONE)
    return;
  if (motion->removal == REMOVE_ANGULAR)
    find_centres(state, frame);
  find_sums(motion, state, frame);
  for (int g = 0; g < groups; g++) {
    for (int k = n; k < MOTIONS; k++)
      frame[g].momentum[k] = vd_set(0.0);
    solve(n, frame[g].matrix, frame[g].momentum);
  }
  for (int i = 0; i < block->npack; i++) {
    const Pack pack = state_pack(state, block, i);
    vd y[MOTION_COORDINATES];
    rigid_field(motion, &pack, &frame[i % groups], frame[i % groups].momentum, y);
    for (int k = 0; k < block->kind->nsite * block->kind->dim; k++)
      pack.p[k] -= y[k];
  }
}

void motion_momenta(const State *state, double linear[][3], double angular[][3])
{
  const Block *block = &state->block[0];
  const int groups = group_count(state);
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)groups * sizeof *frame);
  find_centres(state, frame);
  for (int i = 0; i < block->npack; i++) {
    const Pack pack = state_pack(state, block, i);
    add_momenta(&pack, &frame[i % groups], true, pack.p, frame[i % groups].momentum);
  }
  for (int g = 0; g < groups; g++)
    gather(state, MOTIONS, frame[g].momentum);
  for (int r = 0; r < state->width; r++)
    for (int d = 0; d < 3; d++) {
      linear[r][d] = frame[r / LANES].momentum[d][r % LANES];
      angular[r][d] = frame[r / LANES].momentum[3 + d][r % LANES];
    }
}
