/* Where the temperatures of a ladder are best. */
#ifndef HOLONOM_SIMULATION_LADDER_LADDER_TUNE_H
#define HOLONOM_SIMULATION_LADDER_LADDER_TUNE_H

#include <stdbool.h>

enum { LADDER_TUNE_TEMPERATURES = 512 };

/* out[n]: temperatures from kT[0] to kT[n - 1] with one acceptance between all neighbours, as mean potential
 * energies energy[n] measured at kT[n] (rising) have it: where (beta - beta')(U' - U) is the same. For
 * energies of Gaussian distributions the acceptance is erfc of half the root of that (Kofke, J. Chem. Phys.
 * 117, 6911 (2002); Rathore, Chopra & de Pablo, J. Chem. Phys. 122, 024111 (2005)). */
void ladder_tune(int n, const double *kT, const double *energy, double *out);

#endif
