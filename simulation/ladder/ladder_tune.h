/* Finds the temperatures of a ladder with equal acceptances. */
#ifndef HOLONOM_SIMULATION_LADDER_LADDER_TUNE_H
#define HOLONOM_SIMULATION_LADDER_LADDER_TUNE_H

#include <stdbool.h>

enum { LADDER_TUNE_TEMPERATURES = 512 };

/* Computes out[n], temperatures from kT[0] to kT[n - 1] with equal acceptances between neighbours, from mean
 * potential energies energy[n] at the ascending kT[n]. Equal acceptance means equal (beta - beta')(U' - U):
 * for Gaussian energies the acceptance is erfc of half the root of that product (Kofke, J. Chem. Phys. 117,
 * 6911 (2002); Rathore, Chopra & de Pablo, J. Chem. Phys. 122, 024111 (2005)). */
void ladder_tune(int n, const double *kT, const double *energy, double *out);

#endif
