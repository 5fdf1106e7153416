#include "integrators/motion_hot.h"
#include "engine/vec.h"

/* Each kernel is written once for any kind and inlined a second time with the size of a water. */
#define FOR_KIND(function, kind, ...)                                                                        \
  do {                                                                                                       \
    if ((kind)->nsite == 3 && (kind)->dim == 3)                                                              \
      function(3, 3, __VA_ARGS__);                                                                           \
    else                                                                                                     \
      function((kind)->nsite, (kind)->dim, __VA_ARGS__);                                                     \
  } while (0)

/* The vector of site s from the centre; zero in missing dimensions. */
VEC_INLINE void site_arm(int dim, const Vec8 *q, const Frame *frame, int s, int part, vd arm[3])
{
  UNROLL for (int d = 0; d < 3; d++) arm[d] =
      d < dim ? vd_load(&q[s * dim + d], part) - vd_load(&frame->centre[d], part) : vd_set(0.0);
}

VEC_INLINE void centre_of(int nsite, int dim, const Pack *pack, Frame *frame)
{
  for (int part = 0; part < REGISTERS; part++) {
    const vd active = vd_load(pack->active, part);
    vd sum[3];
    UNROLL for (int d = 0; d < 3; d++) sum[d] = vd_load(&frame->centre[d], part);
    UNROLL for (int s = 0; s < nsite; s++)
    {
      const vd mass = pack->kind->mass[s] * active;
      UNROLL for (int d = 0; d < dim; d++) sum[d] += mass * vd_load(&pack->q[s * dim + d], part);
    }
    UNROLL for (int d = 0; d < 3; d++) vd_store(&frame->centre[d], part, sum[d]);
  }
}

static void centre(const Pack *pack, Frame *frame) { FOR_KIND(centre_of, pack->kind, pack, frame); }

/* sum += R' x for a field x of the pack: momenta for x = p, the matrix for x = Y. */
VEC_INLINE void momentum_of(int nsite, int dim, const Pack *pack, const Frame *frame, bool angular,
                            const Vec8 *x, Vec8 *sum)
{
  for (int part = 0; part < REGISTERS; part++) {
    vd total[MOTIONS];
    UNROLL for (int k = 0; k < MOTIONS; k++) total[k] = vd_set(0.0);
    UNROLL for (int s = 0; s < nsite; s++)
    {
      vd v[3], r[3], turn[3];
      UNROLL for (int d = 0; d < 3; d++)
      {
        v[d] = d < dim ? vd_load(&x[s * dim + d], part) : vd_set(0.0);
        total[d] += v[d];
      }
      if (!angular)
        continue;
      site_arm(dim, pack->q, frame, s, part, r);
      vd_cross(r, v, turn);
      UNROLL for (int d = 0; d < 3; d++) total[3 + d] += turn[d];
    }
    UNROLL for (int k = 0; k < MOTIONS; k++) vd_add(&sum[k], part, vd_load(pack->active, part) * total[k]);
  }
}

static void momentum(const Pack *pack, bool angular, Frame *frame)
{
  FOR_KIND(momentum_of, pack->kind, pack, frame, angular, pack->p, frame->momentum);
}

/* With even weights translations and rotations are tangent and orthogonal, and the matrix is the inertia
 * tensor. In fewer dimensions it has rows for missing rotations, whose momentum is zero. */
VEC_INLINE void inertia_of(int nsite, int dim, const MotionKind *own, const Pack *pack, Frame *frame)
{
  for (int part = 0; part < REGISTERS; part++) {
    const vd active = vd_load(pack->active, part);
    vd xx[3], xy[3];
    UNROLL for (int d = 0; d < 3; d++) xx[d] = xy[d] = vd_set(0.0);
    UNROLL for (int s = 0; s < nsite; s++)
    {
      vd r[3];
      site_arm(dim, pack->q, frame, s, part, r);
      UNROLL for (int d = 0; d < 3; d++)
      {
        const vd mr = own->scale[s] * r[d];
        xx[d] += mr * r[d];
        xy[d] += mr * r[(d + 1) % 3];
      }
    }
    UNROLL for (int d = 0; d < 3; d++)
    {
      const int i = d == 2 ? 5 : 4 + d, j = d == 2 ? 3 : 3 + d;
      vd_add(&frame->matrix[3 + d][3 + d], part, active * (xx[(d + 1) % 3] + xx[(d + 2) % 3]));
      vd_add(&frame->matrix[i][j], part, -active * xy[d]);
    }
  }
}

/* y = W M (V + Omega x r), projected: Y times the six numbers (V, Omega). */
VEC_INLINE void field_of(int nsite, int dim, const MotionKind *own, bool angular, const Pack *pack,
                         const Frame *frame, const Vec8 *amount, Vec8 *y)
{
  for (int part = 0; part < REGISTERS; part++) {
    vd speed[3], turn[3];
    UNROLL for (int d = 0; d < 3; d++)
    {
      speed[d] = vd_load(&amount[d], part);
      turn[d] = vd_load(&amount[3 + d], part);
    }
    UNROLL for (int s = 0; s < nsite; s++)
    {
      vd v[3] = {vd_set(0.0), vd_set(0.0), vd_set(0.0)}, r[3];
      if (angular) {
        site_arm(dim, pack->q, frame, s, part, r);
        vd_cross(turn, r, v);
      }
      UNROLL for (int d = 0; d < dim; d++) vd_store(&y[s * dim + d], part, own->scale[s] * (speed[d] + v[d]));
    }
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
    Vec8 stack[MOTION_COORDINATES], amount[MOTIONS];
    Vec8 *y = own->field > 0 ? pack->scratch : stack;
    UNROLL for (int i = 0; i < MOTIONS; i++) amount[i] = vec8_set(i == k ? 1.0 : 0.0);
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
  Vec8 stack[MOTION_COORDINATES];
  Vec8 *y = own->field > 0 ? pack->scratch : stack;
  field_of(nsite, dim, own, angular, pack, frame, frame->momentum, y);
  for (int part = 0; part < REGISTERS; part++) {
    const vd active = vd_load(pack->active, part);
    UNROLL for (int k = 0; k < nsite * dim; k++) vd_add(&pack->p[k], part, -active * vd_load(&y[k], part));
  }
}

static void apply(const MotionKind *own, bool angular, const Pack *pack, const Frame *frame)
{
  FOR_KIND(apply_to, pack->kind, own, angular, pack, frame);
}

/* Solves A x = b, n = 3 or 6, by L D L' without pivoting; x replaces b. A is positive semidefinite. Where a
 * pivot is rounding, the motion does not exist and its x is zero: rotation about the axis of a linear
 * cluster, or a missing dimension. */
VEC_INLINE void solve_part(int n, Frame *frame, int part)
{
  vd a[MOTIONS][MOTIONS], b[MOTIONS], inverse[MOTIONS];
  for (int k = 0; k < n; k++) {
    b[k] = vd_load(&frame->momentum[k], part);
    for (int j = 0; j <= k; j++)
      a[k][j] = vd_load(&frame->matrix[k][j], part);
  }
  for (int k = 0; k < n; k++) {
    const int first = k / 3 * 3;
    const vd size = vd_max(vd_max(a[first][first], a[first + 1][first + 1]), a[first + 2][first + 2]);
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
    vd_store(&frame->momentum[k], part, b[k]);
  }
}

static void solve(int n, Frame *frame)
{
  for (int part = 0; part < REGISTERS; part++)
    if (n == MOTIONS)
      solve_part(MOTIONS, frame, part);
    else
      solve_part(3, frame, part);
}

const MotionKernels ISA_SYMBOL(motion_kernels_table);
const MotionKernels ISA_SYMBOL(motion_kernels_table) = {
    .centre = centre, .momentum = momentum, .matrix = matrix, .solve = solve, .apply = apply};
