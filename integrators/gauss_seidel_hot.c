#include "integrators/gauss_seidel_hot.h"
#include "integrators/constraints_hot.h"

ISA_DECLARE(GaussSeidelKernels, gauss_seidel_kernels_table);

/* One Newton step for constraint c alone, in the lanes that have not met it and are not done: the others'
 * mask comes back. */
VEC_INLINE vi correct(const GaussSeidel *self, const Kind *kind, int dim, int c, vd reach, vi done,
                      const vd *old, vd *q, vd *nu)
{
  const Constraint *con = &kind->con[c];
  vd g, now[JACOBIAN_TOUCH], slope = vd_set(0.0);
  jacobian_one(con, dim, q, &g, now);
  const vi met = constraints_met(&self->numbers, c, g, reach);
  for (int k = 0; k < con->nsite; k++)
    for (int d = 0; d < dim; d++)
      slope += self->numbers.inverse_mass[con->site[k]] * now[k * dim + d] * old[k * dim + d];
  const vd sigma = vd_select(met | done, vd_set(0.0), -g * lanes_recip(slope));
  *nu += sigma;
  for (int k = 0; k < con->nsite; k++)
    for (int d = 0; d < dim; d++)
      q[con->site[k] * dim + d] += self->numbers.inverse_mass[con->site[k]] * sigma * old[k * dim + d];
  return met;
}

/* A sweep that finds nothing to do in a lane is that lane's last. */
VEC_INLINE unsigned sweep(const GaussSeidel *self, int dim, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = kind->ncon;
  JacobianRow *old = (JacobianRow *)pack->scratch;
  vd *nu = pack->scratch + (size_t)n * JACOBIAN_TOUCH;
  jacobian_rows(kind, q_old, NULL, old);
  for (int c = 0; c < n; c++)
    nu[c] = vd_set(0.0);
  vi done = *pack->active == 0.0;
  const vd reach = constraints_reach(kind->nsite * dim, pack->q);
  for (int i = 0; i <= self->numbers.max_iterations && vi_bits(done) != 0xff; i++) {
    /* After the last sweep one more looks, but moves nothing. */
    const vi held = i == self->numbers.max_iterations ? ~(vi){0} : done;
    vi small = ~(vi){0};
    for (int c = 0; c < n; c++)
      small &= correct(self, kind, dim, c, reach, held, old[c], pack->q, &nu[c]);
    done |= small;
  }
  constraints_kick(kind, old, t, nu, pack->p, nu_out);
  return ~vi_bits(done) & 0xffu;
}

static unsigned positions(const GaussSeidel *self, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  if (pack->kind->dim == 2)
    return sweep(self, 2, t, q_old, pack, nu_out);
  return sweep(self, pack->kind->dim, t, q_old, pack, nu_out);
}

const GaussSeidelKernels ISA_SYMBOL(gauss_seidel_kernels_table) = {positions};
