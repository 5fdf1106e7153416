/* Parameters of an Ewald sum with a mesh for a requested accuracy. Errors are absolute: the square root of
 * the mean over the sites of |F - F exact|^2, kcal/mol/A. */
#ifndef HOLONOM_FORCEFIELDS_PME_CHOOSE_H
#define HOLONOM_FORCEFIELDS_PME_CHOOSE_H

#include <stdbool.h>

#include "engine/status.h"

typedef struct PmeWish {
  double length[3]; /* the box, A                                                             */
  int nsite;        /* charges                                                                */
  double charge2;   /* the sum of their squares, e^2                                          */
  double error;     /* of the force, real and reciprocal part together                        */
  double cutoff;    /* of the real part, A; 0: chosen for speed, 6 to 14 A, at most half a side */
  bool by_molecule; /* pairs of waters are cut by the distance of their oxygens, not by sites */
  int order;        /* 4 to 6; 0: chosen for speed                                            */
} PmeWish;

typedef struct PmeChoice {
  double beta, cutoff;
  int order, grid[3];
  double real, mesh; /* the expected errors of the two parts                                  */
} PmeChoice;

/* Errors: STATUS_INPUT (a wish that makes no sense, or that no mesh of 1,024 points fulfils). */
Status pme_choose(const PmeWish *wish, PmeChoice *choice, Error *error);

/* The expected error of the real part. By sites: 0.73 of the formula of Kolafa and Perram (1992) for
 * uncorrelated charges. By oxygens, which loses pairs of hydrogens nearer than the cutoff: 0.088 of it, for a
 * cutoff 1.57 A shorter in the exponent. Both fitted to liquid water, cutoffs 7 to 10 A, beta 0.25 to 0.45:
 * within a factor of 1.4 there. */
double pme_choose_real_error(const PmeWish *wish, double beta, double cutoff);

/* The expected error of the mesh: C Q sqrt(beta/(N V)) a x^(p-1) exp(b x) (beta A/0.35)^c, x = beta times the
 * spacing. The power is that of forces as gradients of the energy, one less than that of the energy; a, b, c
 * are fitted for each order to liquid water: within 12 % rms, x 0.13 to 0.7; too large for coarser meshes. */
double pme_choose_mesh_error(const PmeWish *wish, double beta, int order, const int grid[3]);

#endif
