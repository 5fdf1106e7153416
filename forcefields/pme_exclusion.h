/* The correction of the mesh for pairs inside a molecule, which interact there by -C q_i q_j erf(beta
 * r)/r. */
#ifndef HOLONOM_FORCEFIELDS_PME_EXCLUSION_H
#define HOLONOM_FORCEFIELDS_PME_EXCLUSION_H

/* The energy of one pair, qq = q_i q_j in e^2, at squared distance r2; the force on i is *factor (r_i -
 * r_j). */
double pme_exclusion_pair(double beta, double qq, double r2, double *factor);

#endif
