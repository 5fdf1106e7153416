#include "integrators/mshake_hot.h"
#include "integrators/jacobian_hot.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

/* The largest coordinate of each lane, but no more than 1e8: what runs away is not to be excused. */
VEC_INLINE vd largest_coordinate(int n, const vd *q)
{
  vd most = vd_set(0.0);
  for (int i = 0; i < n; i++)
    most = vd_max(vd_abs(q[i]), most);
  return vd_select(most < 1e8, most, vd_set(1e8));
}

/* Newton's method on sigma = t nu: g(q + M^-1 J_old' sigma) = 0 has the matrix J(q) M^-1 J_old'. A lane
 * that has converged gets sigma = 0 from then on, so that it does not see how long the others take. Far
 * from the origin coordinates are coarser than a tight tolerance asks; their rounding is let pass. */
VEC_INLINE unsigned newton(const Mshake *self, bool triangle, double t, const vd *q_old, Pack *pack,
                           vd *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  Jacobian old, now;
  vd g[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON], nu[JACOBIAN_CON], pair[9];
  jacobian_eval(kind, triangle, q_old, NULL, &old);
  jacobian_pair(triangle, 1.0, self->pair, pair);
  for (int c = 0; c < n; c++)
    nu[c] = vd_set(0.0);
  vi done = *pack->active == 0.0;
  const vd size = largest_coordinate(triangle ? 9 : kind->nsite * kind->dim, pack->q);
  for (int i = 0;; i++) {
    jacobian_eval(kind, triangle, pack->q, g, &now);
    vi small = ~(vi){0};
    for (int c = 0; c < n; c++)
      small &= vd_abs(g[c]) <= vd_max(self->rounding[c] * size, vd_set(self->limit[c]));
    done |= small;
    if (vi_bits(done) == 0xff || i == self->max_iterations)
      break;
    jacobian_gram(kind, triangle, &now, &old, 1.0, self->inverse_mass, pair, 0.0, gram);
    lanes_solve(n, gram, g);
    for (int c = 0; c < n; c++) {
      g[c] = vd_select(done, vd_set(0.0), -g[c]);
      nu[c] += g[c];
    }
    jacobian_add(kind, triangle, &old, self->inverse_mass, g, pack->q);
  }
  for (int c = 0; c < n; c++) {
    nu[c] *= 1.0 / t;
    if (nu_out != NULL)
      nu_out[c] = nu[c];
  }
  jacobian_add(kind, triangle, &old, NULL, nu, pack->p);
  return ~vi_bits(done) & 0xffu;
}

static unsigned triangle(const Mshake *self, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  return newton(self, true, t, q_old, pack, nu_out);
}

static unsigned general(const Mshake *self, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  return pack->kind->ncon > 0 ? newton(self, false, t, q_old, pack, nu_out) : 0;
}

const MshakeKernels ISA_SYMBOL(mshake_kernels_table) = {triangle, general};
