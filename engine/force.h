/* The interface of forces. A force adds to f, or fills it if it is the first, and computes its energy for
 * each term and replica on request. The engine depends on no concrete force; callers pass tables. */
#ifndef HOLONOM_ENGINE_FORCE_H
#define HOLONOM_ENGINE_FORCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "engine/description.h"
#include "engine/parameters.h"
#include "engine/state.h"
#include "engine/team.h"

/* Limits of energy terms of a force, and of forces of a field. Pairs, terms, Fixman's potential, restraints,
 * a wall and all external functions are one force each. */
enum { FORCE_TERMS = 16, FORCES_MAX = 12 };

/* Groups of forces that a word can kick with separately: fast forces, and forces smooth enough to be
 * evaluated every few steps only. */
enum { FORCE_FAST = 1, FORCE_SLOW = 2, FORCE_ALL = FORCE_FAST | FORCE_SLOW };

/* A flag in addition to the groups: f is undefined and must be overwritten, tail lanes included. */
enum { FORCE_FILL = 4 };

/* A larger force on an atom, kcal/mol/A, means that atoms overlap. */
#define FORCE_MOST 1e8

/* Where a force writes its requested sums, one place for the whole team, complete when the call returns. */
typedef struct ForceSums {
  double *energy;      /* [terms][width], kcal/mol */
  double (*virial)[3]; /* [3][3] by atom, of the forces that compute one: sum over atoms of r_a f_b, kcal/mol;
                        * NULL: not requested */
} ForceSums;

typedef struct ForceOps {
  const char *name, *doc;
  int nterm;               /* energy terms                                                   */
  const char *const *term; /* [nterm] names, as in thermo.csv: "coulomb", "lj", "wall_energy"*/
  unsigned groups;         /* groups that it contributes to; 0: FORCE_FAST                       */
  int fills;               /* 1: it supports FORCE_FILL; else f is set to zero before the call */
  /* Computes f += -grad V of the requested groups (= with FORCE_FILL) for all blocks. All threads of the team
   * call it together; it ends with a barrier if it wrote to packs of other threads. If sums is not NULL, it
   * overwrites the force's own energy terms, and the first thread adds to the virial. All members of a team
   * return the same status, each with an error (or NULL); after an error f and sums are undefined. */
  Status (*add)(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                Error *error);
  /* Adds each molecule's diagonal block of Hess V to hess[npack][n][n], n = nsite*dim, for block 0. NULL: the
   * force provides none. */
  void (*hess_block)(void *self, const Team *team, const State *state, Vec8 *hess);
  /* Changes to the box of `shape`, with the other parameters as they are; forces are then equal, to the bit,
   * to those of a force created for that box. Called by one thread while no other uses the force. Errors,
   * which change nothing: STATUS_INPUT (the box is too small), STATUS_MEMORY. NULL: the force does not depend
   * on the box. */
  Status (*set_box)(void *self, const State *shape, Error *error);
  /* Takes over the clock of the force that it replaces. NULL: there is no clock. */
  void (*succeed)(void *self, const void *before);
  /* 1: forces have the same bits whether or not sums are requested, and sums depend on positions alone, so
   * that the evaluation of a step can compute them */
  int telling;
  /* Describes the force as data, for states of this shape. NULL: caller's code. Errors: STATUS_INPUT (a part
   * that descriptions cannot express), STATUS_MEMORY. */
  Status (*describe)(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error);
  /* Answers a query about parameters for all replicas of the state. Called by one thread. Errors: those of
   * the callers' functions. NULL: the force depends on no parameter. */
  Status (*respond)(void *self, const State *state, const ParameterQuery *query, Error *error);
  int inside;         /* 1: it is the kinds' own potentials, which acceleration maps compute themselves */
  int driven;         /* 1: it depends on the time of the state, step and elapsed together */
  int biases;         /* 1: its energy is not part of the potential (`bias` below) */
  int scales_with_kT; /* 1: its energy is kT times a function of positions (Fixman's potential) */
  void (*free)(void *self);
} ForceOps;

/* self contains scratch memory for one shape of state, so only one team at a time may use it. Data that
 * remain after a call change no later result. */
typedef struct Force {
  const ForceOps *ops;
  void *self;
} Force;

typedef struct ForceField {
  int n;
  Force force[FORCES_MAX];
} ForceField;

/* Computes f = -grad V and, unless sums is NULL, energy[term][width] with the terms of all forces in order,
 * and the virial. Returns the first error of a force. */
Status force_field_compute(const ForceField *field, const Team *team, State *state, const ForceSums *sums,
                           Error *error);

/* Computes the forces of some groups only, without energies. */
Status force_field_compute_groups(const ForceField *field, const Team *team, State *state, unsigned groups,
                                  Error *error);

/* Sets the box of a state and its forces; their other parameters (splitting parameter, mesh, cutoff) and the
 * positions stay as they are: the caller scales positions. Forces are then equal, to the bit, to those of a
 * field created for that box. Called by one thread while no other uses the field. Errors, which change
 * nothing: STATUS_INPUT (too small for a cutoff, or an open direction that was periodic), STATUS_MEMORY. */
Status force_field_set_box(const ForceField *field, State *state, const Box *box, Error *error);

/* Describes all forces as data: the first field->n of to[FORCES_MAX]. Errors: STATUS_INPUT (a force without a
 * description), STATUS_MEMORY. */
Status force_field_describe(const ForceField *field, const State *shape, Arena *arena, ForceDescription *to,
                            Error *error);

/* The groups that any force contributes to. */
unsigned force_field_groups(const ForceField *field);

/* Number of energy terms, and the name of each. */
int force_field_terms(const ForceField *field);
const char *force_field_term(const ForceField *field, int term);

/* Whether a term belongs to the kinds' own potentials (`inside` above). */
bool force_field_inside(const ForceField *field, int term);

/* Whether any force depends on time. */
bool force_field_driven(const ForceField *field);

/* Whether an energy of the field is proportional to kT, so that the temperature changes forces. */
bool force_field_scales_with_kT(const ForceField *field);

/* Sums of the terms. All code that adds up energies of a configuration calls force_field_energy, so that
 * tables, exchanges, barostats, zero steps and `holonom energy` agree:
 *
 *   `potential`        interactions, terms of molecules, restraints, walls and callers' forces.
 *   `bias`             biases of coordinates, which sampling adds to the molecules' own energy.
 *   `fixman`           Fixman's potential, kT times a function of positions, with an arbitrary zero.
 *   `penalty`          the penalties in place of constraints, which are not a force (walk_energies).
 *   `configurational`  potential + bias + penalty + fixman: all energy that depends on positions. Its
 * gradient moves the atoms, and it decides Monte Carlo moves at constant kT. `total`            kinetic +
 * configurational.
 *
 * Between different kT (exchanges of temperatures, MBAR) fixman/kT is equal on both sides and cancels: these
 * use potential + bias + penalty. */
typedef struct ForceEnergy {
  double potential, bias, fixman; /* kcal/mol */
} ForceEnergy;

/* The sums of replica r, from terms[force_field_terms][width]. */
ForceEnergy force_field_energy(const ForceField *field, const double *terms, int width, int r);

/* Sums the forces' diagonal blocks of block 0: hess[npack][n][n]. */
void force_field_hess_block(const ForceField *field, const Team *team, const State *state, Vec8 *hess);

/* Adds up the answers of all forces to a query about parameters. */
Status force_field_respond(const ForceField *field, const State *state, const ParameterQuery *query,
                           Error *error);

void force_field_free(ForceField *field);

#endif
