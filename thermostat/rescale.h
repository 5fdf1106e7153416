/* O of a whole replica: multiplies all momenta by one number, so that the kinetic energy follows the exact
 * flow over a time t of
 *
 *   dK = (K0 - K) dt/tau + 2 sqrt(K K0/(f tau)) dW,  K0 = f kT/2,
 *
 * for f degrees of freedom (G. Bussi, D. Donadio and M. Parrinello, J. Chem. Phys. 126, 014101 (2007)). This
 * is the length of a vector of f components that each follow p <- c p + sqrt(kT (1 - c^2)) xi, c = exp(-t/2
 * tau). With the first axis along the vector, sqrt(2 K) is its first component; K is canonical for any t. */
#ifndef HOLONOM_THERMOSTAT_RESCALE_H
#define HOLONOM_THERMOSTAT_RESCALE_H

#include <stdint.h>

/* The address of a replica's numbers: its key, the step, and the index of this O in the word. */
typedef struct RescaleAddress {
  uint32_t key[2]; /* random_key */
  int64_t step;
  uint32_t letter; /* < 65536 */
} RescaleAddress;

/* The factor of the momenta after a time of `time` tau; 1 for a replica at rest, which has no direction. With
 * few degrees of freedom it can be negative. */
double rescale_factor(double kinetic, double kT, int freedom, double time, const RescaleAddress *at);

#endif
