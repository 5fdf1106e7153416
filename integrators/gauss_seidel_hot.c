#include "integrators/iterated_hot.h"

#include <string.h>

#include "integrators/constraints_hot.h"

ISA_DECLARE(IteratedKernels, gauss_seidel_kernels_table);

/* One Newton step for constraint c alone, in the moving lanes that do not satisfy it; returns the lanes that
 * do. */
VEC_INLINE unsigned correct(int dim, const Iterated *self, int c, const vd reach[REGISTERS], unsigned moving,
                            const Vec8 *old, Vec8 *q, Vec8 *nu)
{
  const Constraint *con = &self->jacobian->kind->con[c];
  const double *inverse_mass = self->numbers.inverse_mass;
  Vec8 g, now[JACOBIAN_TOUCH];
  vd sigma[REGISTERS];
  vi met[REGISTERS];
  jacobian_row(dim, false, &self->jacobian->entry[c], q, &g, now);
  EACH_REGISTER(p)
  {
    const vd value = vd_load(&g, p);
    vd slope = vd_set(0.0);
    for (int k = 0; k < con->nsite; k++)
      slope = vd_fma(vd_set(inverse_mass[con->site[k]]),
                     jacobian_dot_site(dim, now + k * dim, old + k * dim, p), slope);
    met[p] = constraints_met(self->numbers.limit[c], self->numbers.rounding[c], value, reach[p]);
    sigma[p] = vd_select(register_mask(moving, p) & ~met[p], -value * vd_recip(slope), vd_set(0.0));
    vd_store(nu, p, vd_load(nu, p) + sigma[p]);
  }
  jacobian_add_row(dim, con, old, inverse_mass, sigma, q);
  return registers_bits(met);
}

/* A lane is finished after a sweep in which no constraint needed a step. */
VEC_INLINE unsigned sweep(int dim, const Iterated *self, double t, const Vec8 *q_old, Pack *pack,
                          Vec8 *nu_out)
{
  const Kind *kind = self->jacobian->kind;
  const int n = kind->ncon;
  JacobianRow *old = (JacobianRow *)pack->scratch;
  Vec8 *nu = (Vec8 *)(old + n);
  unsigned open = registers_nonzero(pack->active);
  vd reach[REGISTERS];
  jacobian_rows(dim, self->jacobian, q_old, NULL, old);
  constraints_reach(kind->nsite * dim, pack->q, reach);
  memset(nu, 0, (size_t)n * sizeof *nu);
  for (int i = 0; i <= self->numbers.max_iterations && open != 0; i++) {
    /* The sweep after the last one tests convergence only. */
    const unsigned moving = i == self->numbers.max_iterations ? 0 : open;
    unsigned small = ~0u;
    for (int c = 0; c < n; c++)
      small &= correct(dim, self, c, reach, moving, old[c], pack->q, &nu[c]);
    open &= ~small;
  }
  constraints_kick(dim, kind, old, t, nu, pack->p, nu_out);
  return open;
}

static unsigned positions(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  return JACOBIAN_FOR_DIM(sweep, pack->kind->dim, self, t, q_old, pack, nu_out);
}

const IteratedKernels ISA_SYMBOL(gauss_seidel_kernels_table) = {.general = positions};
