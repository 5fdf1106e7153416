#include "integrators/motion_hot.h"
#include "engine/vec.h"

/* Each kernel is written once for any kind and inlined a second time with the numbers of a water. */
#define FOR_KIND(function, kind, ...)                                                                        \
  do {                                                                                                       \
    if ((kind)->nsite == 3 && (kind)->dim == 3)                                                              \
      function(3, 3, __VA_ARGS__);                                                                           \
    else                                                                                                     \
      function((kind)->nsite, (kind)->dim, __VA_ARGS__);                                                     \
  } while (0)

/* The arm of site s from the centre; zero in the dimensions that there are not. */
VEC_INLINE void site_arm(int dim, const Octet *q, const Frame *frame, int s, Octet arm[3])
{
  UNROLL for (int d = 0; d < 3; d++) arm[d] = d < dim ? q[s * dim + d] - frame->centre[d] : octet_set(0.0);
}

VEC_INLINE void centre_of(int nsite, int dim, const Pack *pack, Frame *frame)
{
  Octet sum[3] = {frame->centre[0], frame->centre[1], frame->centre[2]};
  UNROLL for (int s = 0; s < nsite; s++)
  {
    const Octet mass = pack->kind->mass[s] * *pack->active;
    UNROLL for (int d = 0; d < dim; d++) sum[d] += mass * pack->q[s * dim + d];
  }
  UNROLL for (int d = 0; d < 3; d++) frame->centre[d] = sum[d];
}

static void centre(const Pack *pack, Frame *frame) { FOR_KIND(centre_of, pack->kind, pack, frame); }

/* sum += R' x for a field x of the pack: what makes momenta of p and the matrix of Y. */
VEC_INLINE void momentum_of(int nsite, int dim, const Pack *pack, const Frame *frame, bool angular,
                            const Octet *x, Octet *sum)
{
  Octet total[MOTIONS];
  UNROLL for (int k = 0; k < MOTIONS; k++) total[k] = octet_set(0.0);
  UNROLL for (int s = 0; s < nsite; s++)
  {
    Octet v[3], r[3];
    UNROLL for (int d = 0; d < 3; d++)
    {
      v[d] = d < dim ? x[s * dim + d] : octet_set(0.0);
      total[d] += v[d];
    }
    if (!angular)
      continue;
    site_arm(dim, pack->q, frame, s, r);
    total[3] += r[1] * v[2] - r[2] * v[1];
    total[4] += r[2] * v[0] - r[0] * v[2];
    total[5] += r[0] * v[1] - r[1] * v[0];
  }
  UNROLL for (int k = 0; k < MOTIONS; k++) sum[k] += *pack->active * total[k];
}

static void momentum(const Pack *pack, bool angular, Frame *frame)
{
  FOR_KIND(momentum_of, pack->kind, pack, frame, angular, pack->p, frame->momentum);
}

/* Even weights: translations and rotations are tangent and orthogonal, and what is left is the tensor of
 * inertia. In fewer dimensions it has rows for rotations that there are not; their momentum is zero. */
VEC_INLINE void inertia_of(int nsite, int dim, const MotionKind *own, const Pack *pack, Frame *frame)
{
  Octet xx[3], xy[3];
  UNROLL for (int d = 0; d < 3; d++) xx[d] = xy[d] = octet_set(0.0);
  UNROLL for (int s = 0; s < nsite; s++)
  {
    Octet r[3];
    site_arm(dim, pack->q, frame, s, r);
    UNROLL for (int d = 0; d < 3; d++)
    {
      const Octet mr = own->scale[s] * r[d];
      xx[d] += mr * r[d];
      xy[d] += mr * r[(d + 1) % 3];
    }
  }
  UNROLL for (int d = 0; d < 3; d++)
  {
    frame->matrix[3 + d][3 + d] += *pack->active * (xx[(d + 1) % 3] + xx[(d + 2) % 3]);
    const int i = d == 2 ? 5 : 4 + d, j = d == 2 ? 3 : 3 + d;
    frame->matrix[i][j] -= *pack->active * xy[d];
  }
}

/* y = W M (V + Omega x r), projected: Y times the six numbers (V, Omega). */
VEC_INLINE void field_of(int nsite, int dim, const MotionKind *own, bool angular, const Pack *pack,
                         const Frame *frame, const Octet *amount, Octet *y)
{
  UNROLL for (int s = 0; s < nsite; s++)
  {
    Octet v[3] = {amount[0], amount[1], amount[2]}, r[3];
    if (angular) {
      const Octet *turn = amount + 3;
      site_arm(dim, pack->q, frame, s, r);
      v[0] += turn[1] * r[2] - turn[2] * r[1];
      v[1] += turn[2] * r[0] - turn[0] * r[2];
      v[2] += turn[0] * r[1] - turn[1] * r[0];
    }
    UNROLL for (int d = 0; d < dim; d++) y[s * dim + d] = own->scale[s] * v[d];
  }
  if (own->projector != NULL) {
    Pack other = {.kind = pack->kind,
                  .q = pack->q,
                  .p = y,
                  .active = pack->active,
                  .scratch = pack->scratch != NULL ? pack->scratch + own->field : NULL};
    projector_apply(own->projector, &other, NULL);
  }
}

VEC_INLINE void matrix_of(int nsite, int dim, const MotionKind *own, bool angular, const Pack *pack,
                          Frame *frame)
{
  const int n = angular ? MOTIONS : 3;
  for (int k = 0; k < n; k++) {
    Octet stack[MOTION_COORDINATES], amount[MOTIONS];
    Octet *y = own->field > 0 ? pack->scratch : stack;
    UNROLL for (int i = 0; i < MOTIONS; i++) amount[i] = octet_set(i == k ? 1.0 : 0.0);
    field_of(nsite, dim, own, angular, pack, frame, amount, y);
    momentum_of(nsite, dim, pack, frame, angular, y, frame->matrix[k]);
  }
}

static void matrix(const MotionKind *own, bool angular, bool even, const Pack *pack, Frame *frame)
{
  if (!even)
    FOR_KIND(matrix_of, pack->kind, own, angular, pack, frame);
  else if (angular)
    FOR_KIND(inertia_of, pack->kind, own, pack, frame);
}

VEC_INLINE void apply_to(int nsite, int dim, const MotionKind *own, bool angular, const Pack *pack,
                         const Frame *frame)
{
  Octet stack[MOTION_COORDINATES];
  Octet *y = own->field > 0 ? pack->scratch : stack;
  field_of(nsite, dim, own, angular, pack, frame, frame->momentum, y);
  UNROLL for (int k = 0; k < nsite * dim; k++) pack->p[k] -= *pack->active * y[k];
}

static void apply(const MotionKind *own, bool angular, const Pack *pack, const Frame *frame)
{
  FOR_KIND(apply_to, pack->kind, own, angular, pack, frame);
}

/* x of A x = b, n = 3 or 6, by L D L' without pivots, in place of b. A is positive semidefinite: where a
 * pivot is rounding (rotation about the axis of a linear cluster, or a dimension that there is not) that
 * motion does not exist and its x is zero. */
static void solve(int n, Frame *frame)
{
  Octet(*a)[MOTIONS] = frame->matrix, *b = frame->momentum, inverse[MOTIONS];
  for (int k = 0; k < n; k++) {
    const int first = k / 3 * 3;
    const Octet size =
        octet_max(octet_max(a[first][first], a[first + 1][first + 1]), a[first + 2][first + 2]);
    const OctetMask real = a[k][k] > 1e-12 * size;
    inverse[k] = octet_select(real, 1.0 / octet_select(real, a[k][k], octet_set(1.0)), octet_set(0.0));
    for (int i = k + 1; i < n; i++) {
      const Octet l = a[i][k] * inverse[k];
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

const MotionKernels ISA_SYMBOL(motion_kernels_table);
const MotionKernels ISA_SYMBOL(motion_kernels_table) = {
    .centre = centre, .momentum = momentum, .matrix = matrix, .solve = solve, .apply = apply};
