/* Kinds, forces and noise as plain data: numbers and names from which another stepper, on another processor,
 * can compute what this one does. Descriptions hold no functions and no packs, and this header needs no
 * vector types. Their arrays belong to the arena that they were made with or to what they describe, and are
 * valid while both live. `describe` in the tables' rows fills them in. */
#ifndef HOLONOM_ENGINE_DESCRIPTION_H
#define HOLONOM_ENGINE_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

/* A constraint g(q) = 0, or a potential V(q), of a few sites. */
typedef struct FunctionDescription {
  const char *type; /* name of a row of constraint_types or potential_types, which say what it computes */
  int nsite;
  const int *site;     /* [nsite] of the molecule                                         */
  const double *param; /* as the row's declaration lists them (constraint.h, potential.h) */
} FunctionDescription;

typedef struct KindDescription {
  const char *name;
  int nsite, dim;
  const double *mass; /* [nsite] g/mol */
  int nconstraint, npotential;
  const FunctionDescription *constraint; /* [nconstraint] */
  const FunctionDescription *potential;  /* [npotential]  */
} KindDescription;

typedef struct AtomIndex {
  int block, lane, site; /* of a replica: which kind of molecule, which molecule of it, which site */
} AtomIndex;

/* An interaction site: an atom, or a virtual site x_0 + a r_1 + b r_2 + c r_1 x r_2 with r_i = x_i - x_0. */
typedef struct SiteDescription {
  int natom; /* 1: an atom; 3: a virtual site */
  AtomIndex atom[3];
  double weight[3]; /* a, b, and c in 1/A */
  double charge;    /* e */
  int type;         /* of Lennard-Jones */
} SiteDescription;

/* Coulomb and Lennard-Jones between all pairs of sites that are not excluded, without a cutoff. */
typedef struct PairsDescription {
  int nsite;
  const SiteDescription *site; /* [nsite] */
  double coulomb;              /* kcal A/mol/e^2 */
  int ntype;
  const double (*lj)[2]; /* [ntype][ntype] A and C of A/r^12 - C/r^6, kcal A^n/mol */
  int nexcluded;
  const int (*excluded)[2]; /* [nexcluded] pairs of sites, each once */
} PairsDescription;

/* 1/2 k (r - R)^2 on site 0 of every molecule whose distance r from the origin exceeds R. */
typedef struct WallDescription {
  double stiffness, radius; /* k, kcal/mol/A^2; R, A */
} WallDescription;

typedef enum ForceForm {
  FORM_INSIDE, /* the kinds' own potentials: KindDescription has them */
  FORM_PAIRS,
  FORM_WALL
} ForceForm;

typedef struct ForceDescription {
  const char *name;
  bool slow;  /* kicked by with the letter S, where a word has it                     */
  bool block; /* it offers maps each molecule's own block of its Hessian (SchemeMap) */
  ForceForm form;
  union {
    PairsDescription pairs;
    WallDescription wall;
  };
} ForceDescription;

/* Where the noise of a replica comes from: engine/random.h turns this, a step, a letter and the number of a
 * lane into random words, thermostat/ou.h those into normals. */
typedef struct NoiseDescription {
  uint64_t seed;
  uint32_t replica;
  uint32_t purpose, momenta; /* of the letter O, and of drawn momenta: RandomPurpose */
  const uint32_t *number;    /* [lanes through all blocks]; NULL: the lane's index */
  int64_t step;              /* steps done: the next one's address */
} NoiseDescription;

#endif
