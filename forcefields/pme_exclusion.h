/* What the mesh counts too much: pairs inside a molecule, which interact there as -C q_i q_j erf(beta r)/r.
 */
#ifndef HOLONOM_FORCEFIELDS_PME_EXCLUSION_H
#define HOLONOM_FORCEFIELDS_PME_EXCLUSION_H

#include "forcefields/pme.h"

/* The energy of one pair, qq = q_i q_j in e^2, at squared distance r2; the force on i is *factor (r_i - r_j).
 */
double pme_exclusion_pair(double beta, double qq, double r2, double *factor);

/* Adds the correction of nmol molecules of n charges each to f[d][i] and, unless NULL, to energy and virial
 * of sums. Site k of molecule m is i = m n + k; x[d][i] in A, molecules whole. Members of a team have their
 * own molecules and their own sums. */
void pme_exclusion_add(double beta, int n, const double *charge, int nmol, const double *const x[3],
                       double *const f[3], PmeSums *sums);

#endif
