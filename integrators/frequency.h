/* How fast a system moves: what a time step has to be compared with. */
#ifndef HOLONOM_INTEGRATORS_FREQUENCY_H
#define HOLONOM_INTEGRATORS_FREQUENCY_H

#include <stdbool.h>

#include "engine/force.h"
#include "engine/isa.h"

/* The fastest motion of the rigid molecules (a libration): the largest eigenvalue of M^-1 times the second
 * derivative of V along the manifold, at the state's positions (width 1, on the manifold), by power iteration
 * with differences of forces. The state's forces are scratch. Errors: STATUS_MEMORY, those of the forces. */
Status frequency_libration(State *state, const ForceField *field, Isa isa, double *frequency, Error *error);

/* The spectrum of the same matrix as nodes and weights: sum weight phi(square) is about the mean over all
 * modes along the manifold of a smooth phi(W^2), W^2 < 0 where V falls off to both sides. */
typedef struct FrequencySpectrum {
  int n;
  double *square, *weight; /* [n], sum of weights 1; one allocation, at square */
  double mobility;         /* mean of e'M^-1 e                                 */
  double slow;             /* share of the slow forces in the mean of W^2      */
} FrequencySpectrum;

/* What a mode e counts in the mean over all of them: as any other, or e'M^-1 e, its friction where every site
 * has the same coefficient (thermostat.convention: uniform). */
typedef enum FrequencyWeight { FREQUENCY_EVEN, FREQUENCY_MOBILITY } FrequencyWeight;

/* By random vectors, the same for the same system: so many that the error is about 2 % of phi's scatter, or,
 * in boxes of thousands of molecules, less, by two of them. split: with the share of slow forces. Mobility
 * and that share are those of the vectors drawn, so with FREQUENCY_EVEN of all modes alike. Errors:
 * STATUS_MEMORY, those of the forces. */
Status frequency_spectrum(State *state, const ForceField *field, FrequencyWeight weight, bool split, Isa isa,
                          FrequencySpectrum *spectrum, Error *error);
void frequency_spectrum_free(FrequencySpectrum *spectrum);

#endif
