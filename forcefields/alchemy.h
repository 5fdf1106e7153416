/* Alchemy: the interactions of one molecule, the solute, with all others are scaled for free energies.
 *
 * Each replica has two strengths from 0 to 1, parameters of the Hamiltonian: s of the solute's charges, which
 * multiplies them, and l of its Lennard-Jones interactions, which have a soft core (Beutler, Mark, van
 * Schaik, Gerber and van Gunsteren, Chem. Phys. Lett. 222, 529 (1994), in the form of GROMACS):
 *
 *   V_l(r) = l V(R),   R^6 = alpha sigma^6 (1 - l)^power + r^6,
 *
 * with the truncated V of other pairs, and sigma^6 = A/C of the pair. The solute's interactions with itself
 * have full strength, no cutoff and no images.
 *
 * This force computes all pairs of the solute in double precision, and the tail of Lennard-Jones. Other
 * forces leave out the solute's pairs (AtomsInput.solute), so that their kernels do not depend on the
 * strengths. In a box with a mesh the solute's charges in the mesh are s times its own: the energy of the
 * mesh, of the charges themselves and of excluded pairs is quadratic in s, and periodic.h computes it at
 * other strengths.
 *
 * States with s > 0 and l < 1 of a charged solute have no finite energy at overlaps; callers refuse them. */
#ifndef HOLONOM_FORCEFIELDS_ALCHEMY_H
#define HOLONOM_FORCEFIELDS_ALCHEMY_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/nonbonded.h"

struct AtomsInput;
struct WaterModel;

/* The two strengths. */
enum { ALCHEMY_COULOMB, ALCHEMY_LJ, ALCHEMY_STRENGTHS };

typedef struct AlchemyInput {
  int parameter[ALCHEMY_STRENGTHS];   /* 1 + the number of the parameter; 0: none */
  double strength[ALCHEMY_STRENGTHS]; /* of replicas without parameters */
  double alpha, sigma;                /* of the soft core; sigma in A, of pairs without A or without C */
  int power;
} AlchemyInput;

/* The strengths of a replica, or (values) those among the values of all parameters. parameters may be NULL.
 */
double alchemy_strength(const AlchemyInput *input, int which, const Parameters *parameters, uint32_t replica);
double alchemy_strength_among(const AlchemyInput *input, int which, const double *values);

#endif
