#include "integrators/iterated_hot.h"

#include <string.h>

#include "integrators/constraints_hot.h"
#include "integrators/triangle_hot.h"

ISA_DECLARE(IteratedKernels, mshake_kernels_table);

/* Newton's method on sigma = t nu: g(q + M^-1 J_old' sigma) = 0 has the matrix J(q) M^-1 J_old'. Converged
 * lanes get sigma = 0, so that they do not depend on the other lanes. A lane whose matrix is singular does
 * not move, and is reported as failed. */
VEC_INLINE unsigned newton(int dim, const Iterated *self, double t, const Vec8 *q_old, Pack *pack,
                           Vec8 *nu_out)
{
  const Kind *kind = self->jacobian->kind;
  const double *inverse_mass = self->numbers.inverse_mass;
  const int n = kind->ncon;
  JacobianRow *old = (JacobianRow *)pack->scratch, *now = old + n;
  Vec8 *g = (Vec8 *)(now + n), *nu = g + n, *work = nu + n;
  const JacobianGram gram = {now, old, inverse_mass, 1.0, 0.0, NULL};
  unsigned open = registers_nonzero(pack->active);
  vd reach[REGISTERS];
  jacobian_rows(dim, self->jacobian, q_old, NULL, old);
  constraints_reach(kind->nsite * dim, pack->q, reach);
  memset(nu, 0, (size_t)n * sizeof *nu);
  for (int i = 0;; i++) {
    jacobian_rows(dim, self->jacobian, pack->q, g, now);
    open &= ~constraints_all_met(&self->numbers, n, g, reach);
    if (open == 0 || i == self->numbers.max_iterations)
      break;
    const unsigned moving = open & ~jacobian_solve(dim, self->jacobian, &gram, open, g, work);
    for (int c = 0; c < n; c++)
      EACH_REGISTER(p)
      {
        const vd sigma = vd_select(register_mask(moving, p), -vd_load(&g[c], p), vd_set(0.0));
        vd_store(&g[c], p, sigma);
        vd_store(&nu[c], p, vd_load(&nu[c], p) + sigma);
      }
    jacobian_add(dim, kind, old, inverse_mass, g, pack->q);
  }
  constraints_kick(dim, kind, old, t, nu, pack->p, nu_out);
  return open;
}

static unsigned general(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  return JACOBIAN_FOR_DIM(newton, pack->kind->dim, self, t, q_old, pack, nu_out);
}

/* The same for a triangle, one part of a pack; `done` includes the lanes not in use. */
VEC_INLINE vi triangle_newton(const Iterated *self, const Kind *kind, vi done, const vd old[3][3], vd q[9],
                              vd sigma[3])
{
  vd reach = vd_set(0.0);
  UNROLL for (int i = 0; i < 9; i++) reach = vd_max(vd_abs(q[i]), reach);
  reach = vd_min(reach, vd_set(1e8));
  UNROLL for (int c = 0; c < 3; c++) sigma[c] = vd_set(0.0);
  for (int i = 0;; i++) {
    vd now[3][3], g[3], gram[9];
    vi small = ~(vi){0};
    triangle_sides(q, now);
    triangle_residuals(kind, now, g);
    UNROLL for (int c = 0; c < 3; c++) small &=
        vd_abs(g[c]) <= vd_max(self->numbers.rounding[c] * reach, vd_set(self->numbers.limit[c]));
    done |= small;
    if (vi_bits(~done) == 0 || i == self->numbers.max_iterations)
      return done;
    UNROLL for (int k = 0; k < 9; k++) gram[k] = self->pair[k] * vd_dot3(now[k / 3], old[k % 3]);
    triangle_solve_general(gram, g);
    UNROLL for (int c = 0; c < 3; c++)
    {
      g[c] = vd_select(done, vd_set(0.0), -g[c]);
      sigma[c] += g[c];
    }
    triangle_add(old, self->numbers.inverse_mass, g, q);
  }
}

static unsigned triangle(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  unsigned failed = 0;
  for (int part = 0; part < REGISTERS; part++) {
    vd before[9], q[9], p[9], old[3][3], nu[3];
    triangle_load(q_old, part, before);
    triangle_load(pack->q, part, q);
    triangle_load(pack->p, part, p);
    triangle_sides(before, old);
    const vi done = triangle_newton(self, pack->kind, vd_load(pack->active, part) == 0.0, old, q, nu);
    UNROLL for (int c = 0; c < 3; c++) nu[c] *= 1.0 / t;
    triangle_add(old, NULL, nu, p);
    triangle_store(q, part, pack->q);
    triangle_store(p, part, pack->p);
    for (int c = 0; nu_out != NULL && c < 3; c++)
      vd_store(&nu_out[c], part, nu[c]);
    failed |= vi_bits(~done) << part * WIDTH;
  }
  return failed;
}

const IteratedKernels ISA_SYMBOL(mshake_kernels_table) = {.general = general, .triangle = triangle};
