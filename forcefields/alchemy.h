/* Alchemy: the interactions of one molecule, the solute, with all others are scaled for free energies.
 *
 * Each replica has two strengths from 0 to 1, which are parameters of the Hamiltonian. The strength s
 * multiplies the solute's charges. The strength l multiplies its Lennard-Jones interactions, which have a
 * soft core (Beutler, Mark, van Schaik, Gerber and van Gunsteren, Chem. Phys. Lett. 222, 529 (1994), in
 * GROMACS's form):
 *
 *   V_l(r) = l V(R),   R^6 = alpha sigma^6 (1 - l)^power + r^6,   sigma^6 = A/C of the pair,
 *
 * with the truncated V of other pairs. The solute's interactions with itself have full strength, no cutoff
 * and no images.
 *
 * All pairs of the solute are computed here, in double precision; other kernels leave them out
 * (AtomsInput.solute) and do not depend on the strengths. In an Ewald sum the mesh has s times the solute's
 * charges (periodic.h).
 *
 * Charges under a soft core (s > 0, l < 1) have no least energy where they overlap; callers refuse them. */
#ifndef HOLONOM_FORCEFIELDS_ALCHEMY_H
#define HOLONOM_FORCEFIELDS_ALCHEMY_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/atoms.h"
#include "forcefields/nonbonded.h"
#include "forcefields/site_map.h"

/* The strengths. */
enum { ALCHEMY_COULOMB, ALCHEMY_LJ, ALCHEMY_STRENGTHS };

typedef struct AlchemyInput {
  int solute;                         /* 1 + the molecule type; 0: no alchemy */
  int parameter[ALCHEMY_STRENGTHS];   /* 1 + the number of the parameter; 0: none */
  double strength[ALCHEMY_STRENGTHS]; /* of replicas without parameters */
  double alpha, sigma;                /* of the soft core; sigma in A, of pairs without A or without C */
  int power;
} AlchemyInput;

/* A strength among the values of all parameters (NULL: none). */
static inline double alchemy_strength(const AlchemyInput *input, int which, const double *values)
{
  const int p = input->parameter[which];
  return p > 0 && values != NULL ? values[p - 1] : input->strength[which];
}

/* The same of a replica; parameters may be NULL. */
static inline double alchemy_strength_of(const AlchemyInput *input, int which, const Parameters *parameters,
                                         uint32_t replica)
{
  return alchemy_strength(input, which, parameters != NULL ? parameters_of(parameters, replica) : NULL);
}

/* Pointers are borrowed while the object lives. */
typedef struct AlchemyOptions {
  const AlchemyInput *input;    /* copied */
  const Parameters *parameters; /* NULL: none */
  const Atoms *atoms;           /* with a solute, for the states below */
  const SiteMap *water;         /* of the model water; NULL: none */
  const Nonbonded *nonbonded;   /* in a box, all chosen; copied */
  const Box *box;               /* read at each call; NULL: open space */
  Isa isa;
} AlchemyOptions;

/* Energies of one replica, kcal/mol: charges and Lennard-Jones with other molecules, its tail beyond the
 * cutoff, and the solute's pairs with itself. */
typedef struct AlchemySums {
  double coulomb, lj, tail, inside;
} AlchemySums;

typedef struct Alchemy Alchemy;

/* For states like `shape`, with the blocks of virtual sites (virtual_lanes_view), of any width in open space
 * and of width 1 in a box. Errors: STATUS_INPUT (parameters out of range; a solute too large for a soft core
 * within the cutoff), STATUS_MEMORY. */
Status alchemy_create(Alchemy **alchemy, const AlchemyOptions *options, const State *shape, Error *error);
void alchemy_free(Alchemy *alchemy); /* NULL is allowed */

/* f += the forces, by all members of a team together; begins and ends with a barrier. `sums`: also computes
 * alchemy_sums. Forces have the same bits for any team and with any sums. Errors, the same for all:
 * STATUS_RUN (charges overlap, or a force is beyond FORCE_MOST). */
Status alchemy_add(Alchemy *alchemy, const Team *team, State *state, bool sums, Error *error);

/* The sums of a replica lane at the last alchemy_add with sums; virial[3][3] += that of width 1 (NULL: not
 * requested). */
AlchemySums alchemy_sums(const Alchemy *alchemy, int r, double (*virial)[3]);

/* Answers a query for all pairs and the tail. May run while another thread is in alchemy_add. Errors:
 * STATUS_MEMORY. */
Status alchemy_respond(const Alchemy *alchemy, const State *state, const ParameterQuery *query, Error *error);

/* The charges' interaction that an Ewald sum or reaction field has inside the solute at full strength, and
 * that the solute must not have: a sum over all its pairs, kcal/mol. */
double alchemy_excess(const Alchemy *alchemy, const State *state);

#endif
