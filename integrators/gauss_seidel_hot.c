#include "integrators/gauss_seidel_hot.h"
#include "integrators/constraints_hot.h"

ISA_DECLARE(GaussSeidelKernels, gauss_seidel_kernels_table);

/* One Newton step for constraint c alone, in the lanes that have not met it and are not done: the others'
 * mask comes back. */
VEC_INLINE OctetMask correct(const GaussSeidel *self, const Kind *kind, int dim, int c, Octet reach,
                             OctetMask done, const Octet *old, Octet *q, Octet *nu)
{
  const Constraint *con = &kind->con[c];
  Octet g, now[JACOBIAN_TOUCH], slope = octet_set(0.0);
  jacobian_one(con, dim, q, &g, now);
  const OctetMask met = constraints_met(&self->numbers, c, g, reach);
  for (int k = 0; k < con->nsite; k++)
    for (int d = 0; d < dim; d++)
      slope += self->numbers.inverse_mass[con->site[k]] * now[k * dim + d] * old[k * dim + d];
  const Octet sigma = octet_select(met | done, octet_set(0.0), -g * lanes_recip(slope));
  *nu += sigma;
  for (int k = 0; k < con->nsite; k++)
    for (int d = 0; d < dim; d++)
      q[con->site[k] * dim + d] += self->numbers.inverse_mass[con->site[k]] * sigma * old[k * dim + d];
  return met;
}

/* A sweep that finds nothing to do in a lane is that lane's last. */
VEC_INLINE unsigned sweep(const GaussSeidel *self, int dim, double t, const Octet *q_old, Pack *pack,
                          Octet *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = kind->ncon;
  JacobianRow *old = (JacobianRow *)pack->scratch;
  Octet *nu = pack->scratch + (size_t)n * JACOBIAN_TOUCH;
  jacobian_rows(kind, q_old, NULL, old);
  for (int c = 0; c < n; c++)
    nu[c] = octet_set(0.0);
  OctetMask done = *pack->active == 0.0;
  const Octet reach = constraints_reach(kind->nsite * dim, pack->q);
  for (int i = 0; i <= self->numbers.max_iterations && octet_bits(done) != 0xff; i++) {
    /* After the last sweep one more looks, but moves nothing. */
    const OctetMask held = i == self->numbers.max_iterations ? ~(OctetMask){0} : done;
    OctetMask small = ~(OctetMask){0};
    for (int c = 0; c < n; c++)
      small &= correct(self, kind, dim, c, reach, held, old[c], pack->q, &nu[c]);
    done |= small;
  }
  constraints_kick(kind, old, t, nu, pack->p, nu_out);
  return ~octet_bits(done) & 0xffu;
}

static unsigned positions(const GaussSeidel *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  if (pack->kind->dim == 2)
    return sweep(self, 2, t, q_old, pack, nu_out);
  return sweep(self, pack->kind->dim, t, q_old, pack, nu_out);
}

const GaussSeidelKernels ISA_SYMBOL(gauss_seidel_kernels_table) = {positions};
