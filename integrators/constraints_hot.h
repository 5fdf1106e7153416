/* Private to the solvers' hot files: the convergence test of an iteration, and the kick that follows. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINTS_HOT_H
#define HOLONOM_INTEGRATORS_CONSTRAINTS_HOT_H

#include "engine/jacobian_hot.h"
#include "integrators/constraint_methods.h"

/* The largest coordinate of each lane, at most 1e8, so that runaway coordinates do not pass as rounding. */
VEC_INLINE void constraints_reach(int n, const Vec8 *q, vd reach[REGISTERS])
{
  EACH_REGISTER(p) reach[p] = vd_set(0.0);
  for (int i = 0; i < n; i++)
    EACH_REGISTER(p) reach[p] = vd_max(vd_abs(vd_load(&q[i], p)), reach[p]);
  EACH_REGISTER(p) reach[p] = vd_min(reach[p], vd_set(1e8));
}

/* Lanes in which |g| is within the limit, or within the rounding of coordinates, which is larger far from the
 * origin. */
VEC_INLINE vi constraints_met(double limit, double rounding, vd g, vd reach)
{
  return vd_abs(g) <= vd_max(rounding * reach, vd_set(limit));
}

/* The lanes in which all constraints are satisfied. */
VEC_INLINE unsigned constraints_all_met(const ConstraintNumbers *numbers, int n, const Vec8 *g,
                                        const vd reach[REGISTERS])
{
  vi met[REGISTERS];
  EACH_REGISTER(p) met[p] = ~(vi){0};
  for (int c = 0; c < n; c++)
    EACH_REGISTER(p)
  met[p] &= constraints_met(numbers->limit[c], numbers->rounding[c], vd_load(&g[c], p), reach[p]);
  return registers_bits(met);
}

/* From sigma = t nu: p += J_old' nu, and nu_out[ncon] unless NULL. sigma becomes nu. */
VEC_INLINE void constraints_kick(int dim, const Kind *kind, const JacobianRow *old, double t, Vec8 *nu,
                                 Vec8 *p, Vec8 *nu_out)
{
  for (int c = 0; c < kind->ncon; c++) {
    EACH_REGISTER(i) vd_store(&nu[c], i, vd_load(&nu[c], i) * (1.0 / t));
    if (nu_out != NULL)
      nu_out[c] = nu[c];
  }
  jacobian_add(dim, kind, old, NULL, nu, p);
}

#endif
