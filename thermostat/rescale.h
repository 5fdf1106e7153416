/* O of a whole replica: all its momenta are multiplied by one number, so that its kinetic energy follows the
 * exact flow over a time t of
 *
 *   dK = (K0 - K) dt/tau + 2 sqrt(K K0/(f tau)) dW,  K0 = f kT/2,
 *
 * f degrees of freedom (G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126, 014101 (2007)). That is
 * the length of a vector of f components that each follow p <- c p + sqrt(kT (1 - c^2)) xi, c = exp(-t/2
 * tau): with the first axis along the vector, sqrt(2 K) is its first component, and K is canonical for any t.
 */
#ifndef HOLONOM_THERMOSTAT_RESCALE_H
#define HOLONOM_THERMOSTAT_RESCALE_H

#include <stdint.h>

/* Where a replica's numbers are: its key, the step, and which O of the word this is. */
typedef struct RescaleAddress {
  uint32_t key[2]; /* random_key */
  int64_t step;
  uint32_t letter; /* < 65536 */
} RescaleAddress;

/* What momenta are multiplied by, after a time of `time` tau; 1 of a replica at rest, which has no direction
 * to go. (Few degrees of freedom may turn round: it can be below 0.) */
double rescale_factor(double kinetic, double kT, int freedom, double time, const RescaleAddress *at);

#endif
