/* A rigid body on SO(3) by the Hamilton-Pontryagin principle with the Cayley map: backward variational Euler.
 *
 * The sites are the columns of R, of equal masses m, so that p = m dR/dt has the kinetic energy
 * I |omega|^2 / 2, I = 2 m. The discrete action is sum_k h [I |omega_{k+1}|^2 / 2 - V(R_k)] with
 * R_{k+1} = cay(h omega_{k+1}) R_k, omega in space. The inverse derivative of cay, 1 - xi^/2 + xi xi'/4,
 * changes vectors along xi only by the factor 1 + |xi|^2/4. Variations left of R therefore give
 *
 *   pi_{k+1} = pi_k + h sum_i r_i x f_i(R_k),   I (1 + h^2 |omega_{k+1}|^2 / 4) omega_{k+1} = pi_{k+1}
 *
 * with pi the angular momentum in space: p_i = pi x r_i / 2. The cubic equation for |omega| has one real
 * root, in closed form. The step is therefore explicit, symplectic on T*SO(3), and conserves the angular
 * momentum about any axis around which V is symmetric. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "methods/method_table.h"

typedef struct So3Cayley {
  double inertia;
} So3Cayley;

static bool is_rotation(const Kind *kind)
{
  if (kind->nsite != 3 || kind->dim != 3 || kind->ncon != 6)
    return false;
  int met[3][3] = {{0}};
  for (int c = 0; c < 6; c++) {
    const Constraint *con = &kind->con[c];
    const int i = con->site[0], j = con->site[con->nsite - 1];
    if (con->type != &constraint_dot || con->param[0] != (i == j ? 1.0 : 0.0))
      return false;
    met[i][j] = met[j][i] = 1;
  }
  for (int i = 0; i < 9; i++)
    if (!met[i / 3][i % 3])
      return false;
  return kind->mass[1] == kind->mass[0] && kind->mass[2] == kind->mass[0];
}

static Status so3_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa, Error *error)
{
  (void)options;
  (void)isa;
  *self = NULL;
  if (!is_rotation(kind))
    return error_set(error, STATUS_INPUT,
                     "the method so3-cayley is for the columns of a rotation: three sites of equal mass in "
                     "three dimensions under the six constraints 'orthonormal'; '%s' is different",
                     kind->name);
  So3Cayley *so3 = malloc(sizeof *so3);
  TRY_MEMORY(so3 != NULL, "a method", error);
  so3->inertia = 2.0 * kind->mass[0];
  *self = so3;
  return STATUS_OK;
}

static inline void cross_add(const Vec8 *a, const Vec8 *b, double scale, Vec8 *sum)
{
  for (int d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    sum[d] += scale * (a[e] * b[f] - a[f] * b[e]);
  }
}

/* x with x + t^2 x^3 / 4 = c >= 0, t > 0: x = A sinh(asinh(3 c/A)/3), A = 4/(sqrt(3) t). */
static double cubic_root(double t, double c)
{
  const double a = 4.0 / (sqrt(3.0) * t);
  return a * sinh(asinh(3.0 * c / a) / 3.0);
}

/* Replaces r by cay(xi) r = r + xi x (r + xi x r / 2) / (1 + |xi|^2/4) in the three columns. */
static void turn(const Vec8 xi[3], Vec8 *q)
{
  const Vec8 scale = 1.0 / (1.0 + 0.25 * (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]));
  for (int s = 0; s < 3; s++) {
    Vec8 *r = q + 3 * s, half[3], move[3];
    for (int d = 0; d < 3; d++) {
      half[d] = r[d];
      move[d] = vec8_set(0.0);
    }
    cross_add(xi, r, 0.5, half);
    cross_add(xi, half, 1.0, move);
    for (int d = 0; d < 3; d++)
      r[d] += scale * move[d];
  }
}

/* R <- R (3 - R'R)/2, the nearest rotation up to the square of the deviation, so that rounding does not
 * accumulate. */
static void orthonormalise(Vec8 *q)
{
  Vec8 gram[9], old[9];
  for (int i = 0; i < 9; i++) {
    const Vec8 *a = q + 3 * (i / 3), *b = q + 3 * (i % 3);
    gram[i] = (i / 3 == i % 3 ? 1.5 : 0.0) - 0.5 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    old[i] = q[i];
  }
  for (int s = 0; s < 3; s++)
    for (int d = 0; d < 3; d++)
      q[3 * s + d] = old[d] * gram[s] + old[3 + d] * gram[3 + s] + old[6 + d] * gram[6 + s];
}

static unsigned so3_step(const void *self, double t, Pack *pack)
{
  const So3Cayley *so3 = self;
  Vec8 f[9], pi[3];
  for (int i = 0; i < 9; i++)
    f[i] = vec8_set(0.0);
  kind_potential(pack->kind, pack->q, NULL, f);
  for (int d = 0; d < 3; d++)
    pi[d] = vec8_set(0.0);
  for (int s = 0; s < 3; s++) {
    cross_add(pack->q + 3 * s, pack->p + 3 * s, 1.0, pi);
    cross_add(pack->q + 3 * s, f + 3 * s, t, pi);
  }
  const Vec8 square = pi[0] * pi[0] + pi[1] * pi[1] + pi[2] * pi[2];
  Vec8 xi[3], ratio; /* xi = t omega */
  for (int l = 0; l < LANES; l++) {
    const double c = sqrt(square[l]) / so3->inertia;
    ratio[l] = c > 0.0 ? cubic_root(fabs(t), c) / c : 1.0;
  }
  for (int d = 0; d < 3; d++)
    xi[d] = t / so3->inertia * ratio * pi[d];
  turn(xi, pack->q);
  orthonormalise(pack->q);
  for (int s = 0; s < 3; s++) {
    for (int d = 0; d < 3; d++)
      pack->p[3 * s + d] = vec8_set(0.0);
    cross_add(pi, pack->q + 3 * s, 0.5, pack->p + 3 * s);
  }
  return 0;
}

const Method method_so3_cayley = {
    .name = "so3-cayley",
    .doc = "variational Euler on SO(3) with the Cayley map: a rigid body with equal moments of inertia, "
           "whose rotation matrix stays orthogonal to rounding",
    .cite = "Bou-Rabee & Marsden (2009); Tao & Owhadi 2015, (4.12)",
    .traits = METHOD_SYMPLECTIC | METHOD_CONSTRAINTS | METHOD_TANGENT,
    .order = 1,
    .create = so3_create,
    .step = so3_step,
    .free = free,
};
