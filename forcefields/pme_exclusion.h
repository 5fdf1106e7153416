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

/* The same for rigid molecules of three charges: the factors are constant. The forces act along the bonds,
 * where constraints take them up: motion needs them only if f is reported. */
typedef struct PmeRigid {
  double factor[3]; /* of pairs 01, 02, 12             */
  double energy;    /* of a molecule                   */
} PmeRigid;

PmeRigid pme_exclusion_rigid(double beta, const double charge[3], const double distance[3]);
void pme_exclusion_rigid_add(const PmeRigid *rigid, int nmol, const double *const x[3], double *const f[3],
                             PmeSums *sums);

#endif
