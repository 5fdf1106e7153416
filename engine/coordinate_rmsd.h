/* The root mean square deviation from a reference after the best superposition. */
#ifndef HOLONOM_ENGINE_COORDINATE_RMSD_H
#define HOLONOM_ENGINE_COORDINATE_RMSD_H

/* Returns the deviation of x[n][3] from reference[n][3], both with their mean at the origin, after the
 * rotation that makes it smallest; the gradient goes to slope[n][3] unless NULL. All points have equal
 * weights. The rotation is the unit quaternion of Horn (J. Opt. Soc. Am. A 4, 629 (1987)), which never
 * reflects. Without deviation the gradient is 0. */
double coordinate_rmsd(int n, const double (*x)[3], const double (*reference)[3], double (*slope)[3]);

#endif
