/* Private to the solvers' hot files: when an iteration is done, and what follows from it. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINTS_HOT_H
#define HOLONOM_INTEGRATORS_CONSTRAINTS_HOT_H

#include "integrators/constraint_methods.h"
#include "integrators/jacobian_hot.h"

/* The largest coordinate of each lane, but no more than 1e8: what runs away is not to be excused. */
VEC_INLINE Octet constraints_reach(int n, const Octet *q)
{
  Octet most = octet_set(0.0);
  for (int i = 0; i < n; i++)
    most = octet_max(octet_abs(q[i]), most);
  return octet_select(most < 1e8, most, octet_set(1e8));
}

/* The lanes in which constraint c is met. Far from the origin coordinates are coarser than a tight tolerance
 * asks; their rounding is let pass. */
VEC_INLINE OctetMask constraints_met(const ConstraintNumbers *numbers, int c, Octet g, Octet reach)
{
  return octet_abs(g) <= octet_max(numbers->rounding[c] * reach, octet_set(numbers->limit[c]));
}

/* The mask of lanes whose bits are set. */
VEC_INLINE OctetMask constraints_mask(unsigned bits)
{
  const OctetMask bit = {1, 2, 4, 8, 16, 32, 64, 128};
  return (((OctetMask){0} + (int64_t)bits) & bit) != 0;
}

/* From sigma = t nu: p += J_old' nu, and nu_out[ncon] unless NULL. sigma becomes nu. */
VEC_INLINE void constraints_kick(const Kind *kind, const JacobianRow *old, double t, Octet *nu, Octet *p,
                                 Octet *nu_out)
{
  for (int c = 0; c < kind->ncon; c++) {
    nu[c] *= 1.0 / t;
    if (nu_out != NULL)
      nu_out[c] = nu[c];
  }
  jacobian_rows_add(kind, old, NULL, nu, p);
}

#endif
