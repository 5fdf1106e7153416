/* Frequencies of a system, which limit its time step. */
#ifndef HOLONOM_INTEGRATORS_FREQUENCY_H
#define HOLONOM_INTEGRATORS_FREQUENCY_H

#include <stdbool.h>

#include "engine/force.h"
#include "engine/isa.h"

/* The highest frequency of the rigid molecules (a libration): the largest eigenvalue of M^-1 times the second
 * derivative of V along the manifold, at the state's positions (width 1, on the manifold), by power iteration
 * with differences of forces. Frozen molecules stay where they are. Overwrites the state's forces. Errors:
 * STATUS_INPUT (forces that are not numbers), STATUS_MEMORY, those of the forces. */
Status frequency_libration(State *state, const ForceField *field, Isa isa, double *frequency, Error *error);

/* The spectrum of that matrix as nodes and weights: sum weight phi(square) approximates the mean of a smooth
 * phi(W^2) over all modes along the manifold. W^2 < 0 where V has a maximum. */
typedef struct FrequencySpectrum {
  int n;
  double *square, *weight; /* [n], sum of weights 1; one allocation, at square */
  double mobility;         /* mean of e'M^-1 e                                 */
  double slow;             /* share of the slow forces in the mean of W^2      */
} FrequencySpectrum;

/* The weight of a mode e in the mean: 1, or e'M^-1 e, which is its friction if every site has the same
 * coefficient (thermostat.convention: uniform). */
typedef enum FrequencyWeight { FREQUENCY_EVEN, FREQUENCY_MOBILITY } FrequencyWeight;

/* Computes the spectrum by random vectors, the same for the same system. Their number sets an error of about
 * 2 % of phi's scatter; boxes of thousands of molecules need only two vectors. split: also computes `slow`.
 * mobility and slow are means over the vectors drawn, so FREQUENCY_EVEN weights all modes alike. Errors: as
 * above. */
Status frequency_spectrum(State *state, const ForceField *field, FrequencyWeight weight, bool split, Isa isa,
                          FrequencySpectrum *spectrum, Error *error);
void frequency_spectrum_free(FrequencySpectrum *spectrum);

#endif
