/* The interface of forces between molecules and from outside. A force adds to f, or fills it where it is the
 * first, and, when asked, says its energy by term and replica. The engine knows no concrete force: tables are
 * handed to it. */
#ifndef HOLONOM_ENGINE_FORCE_H
#define HOLONOM_ENGINE_FORCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "engine/description.h"
#include "engine/parameters.h"
#include "engine/state.h"
#include "engine/team.h"

/* At most, of a force and of a field: a field is pairs, terms, Fixman's potential, restraints, a wall and all
 * that comes from outside, each one force however many springs or functions it has. */
enum { FORCE_TERMS = 16, FORCES_MAX = 8 };

/* Groups of forces that a word can kick with apart: those that change from step to step, and those that are
 * smooth enough to be taken every few steps only. */
enum { FORCE_FAST = 1, FORCE_SLOW = 2, FORCE_ALL = FORCE_FAST | FORCE_SLOW };

/* Beside the groups that a force is asked for: f holds anything, and is to be filled, tail lanes too. */
enum { FORCE_FILL = 4 };

/* Forces on an atom beyond this, kcal/mol/A, are no forces of anything: atoms lie on each other. */
#define FORCE_MOST 1e8

/* Where what comes with the forces goes, when asked: one place for all of a team, complete when the call
 * returns. */
typedef struct ForceSums {
  double *energy;      /* [terms][width], kcal/mol */
  double (*virial)[3]; /* [3][3] by atom, of the forces that know theirs: sum over atoms of r_a f_b, kcal/mol;
                        * NULL: not wanted */
} ForceSums;

typedef struct ForceOps {
  const char *name, *doc;
  int nterm;               /* energy terms                                                   */
  const char *const *term; /* [nterm] names, as in thermo.csv: "coulomb", "lj", "wall_energy"*/
  unsigned groups;         /* those it has a part in; 0: FORCE_FAST                              */
  int fills;               /* 1: it can be asked with FORCE_FILL; else f is set to zero before it */
  /* f += -grad V of the groups asked for, or = with FORCE_FILL, for all blocks (all threads of the team call
   * it together; it ends with a barrier if it wrote to packs of other threads). sums, unless NULL: the
   * force's own terms of energy are overwritten, the virial is added to by the first thread. All members of a
   * team get the same status, with an error each (or NULL); after a fault f and sums are of no use. */
  Status (*add)(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                Error *error);
  /* hess[npack][n][n] += each molecule's own diagonal block of Hess V, n = nsite*dim, for block 0.
   * NULL if the force has none to offer. */
  void (*hess_block)(void *self, const Team *team, const State *state, Vec8 *hess);
  /* Takes shape's box from now on, its other parameters as they are; forces are then those of a force that
   * was made for that box, to the bit. Called by one thread, no other being inside. Errors: STATUS_INPUT (the
   * box is too small), STATUS_MEMORY; nothing is changed then. NULL: the box is of no matter to it. */
  Status (*set_box)(void *self, const State *shape, Error *error);
  /* Takes over what the force has counted that it comes in the place of: its clock. NULL: there is none. */
  void (*succeed)(void *self, const void *before);
  /* 1: forces have the same bits whether sums are asked for or not, and these depend on positions alone, so
   * that what a step computes can say them, too. */
  int telling;
  /* The force as data, on states of this shape. NULL: it is code of the caller's. Errors: STATUS_INPUT (a
   * part that descriptions cannot express), STATUS_MEMORY. */
  Status (*describe)(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error);
  /* Answers a query about parameters for all replicas of the state. Called by one thread. Errors: those of
   * the callers' functions. NULL: the force depends on no parameter. */
  Status (*respond)(void *self, const State *state, const ParameterQuery *query, Error *error);
  int inside; /* 1: the potentials of the kind, and nothing else; acceleration maps know them by themselves */
  int scales_with_kT; /* 1: its energy is kT times a function of positions (Fixman's potential) */
  void (*free)(void *self);
} ForceOps;

/* self holds scratch memory for one shape of state, so it belongs to one team at a time. What outlives a call
 * changes no later result. */
typedef struct Force {
  const ForceOps *ops;
  void *self;
} Force;

typedef struct ForceField {
  int n;
  Force force[FORCES_MAX];
} ForceField;

/* f = -grad V and, unless sums is NULL, energy[term][width] with the terms of all forces in order, and the
 * virial. The first fault of a force is the field's. */
Status force_field_compute(const ForceField *field, const Team *team, State *state, const ForceSums *sums,
                           Error *error);

/* The forces of some groups only, without energies; others are left out of f. */
Status force_field_compute_groups(const ForceField *field, const Team *team, State *state, unsigned groups,
                                  Error *error);

/* Another box for a state and the forces on it, whose other parameters stay as they are (a splitting
 * parameter, a mesh, a cutoff). Positions stay, too: whoever changes the box scales them. Forces are then
 * those of a field made for that box, to the bit. By one thread, no other being inside. Errors, after which
 * nothing is changed: STATUS_INPUT (too small for a cutoff, or open where it was closed), STATUS_MEMORY. */
Status force_field_set_box(const ForceField *field, State *state, const Box *box, Error *error);

/* All forces as data: to[FORCES_MAX], of which the first field->n are filled in. Errors: STATUS_INPUT (a
 * force without a description), STATUS_MEMORY. */
Status force_field_describe(const ForceField *field, const State *shape, Arena *arena, ForceDescription *to,
                            Error *error);

/* Groups that any force has a part in. */
unsigned force_field_groups(const ForceField *field);

/* Number of energy terms, and the name of each. */
int force_field_terms(const ForceField *field);
const char *force_field_term(const ForceField *field, int term);

/* Whether a term is that of potentials inside the kind (`inside` above). */
bool force_field_inside(const ForceField *field, int term);

/* Whether the field has a force whose energy goes as kT, so that a change of temperature changes forces. */
bool force_field_scales_with_kT(const ForceField *field);

/* What the terms add up to. All code that adds up energies of a configuration calls force_field_energy, so
 * that tables, exchanges, barostats, zero steps and `holonom energy` mean the same:
 *
 *   potential       interactions, terms of molecules, restraints, walls and forces of the caller's
 *   fixman          Fixman's potential, which is kT times a function of positions, with an arbitrary zero
 *   penalty         the stiff bonds that stand in for constraints (not a force's: walk_energies)
 *   configurational potential + penalty + fixman: all energy that depends on positions. Its gradient moves
 *                   the atoms, and a Monte Carlo move at constant kT is accepted by it
 *   total           kinetic + configurational
 *
 * Where kT differs, as in exchanges of temperatures and in MBAR, fixman/kT is the same on both sides and
 * drops out: these go by potential + penalty. */
typedef struct ForceEnergy {
  double potential, fixman; /* kcal/mol */
} ForceEnergy;

/* Of replica r, from terms[force_field_terms][width]. */
ForceEnergy force_field_energy(const ForceField *field, const double *terms, int width, int r);

/* hess[npack][n][n] of block 0 = sum of the forces' own diagonal blocks. */
void force_field_hess_block(const ForceField *field, const Team *team, const State *state, Vec8 *hess);

/* Adds up the answers of all forces to a query about parameters. */
Status force_field_respond(const ForceField *field, const State *state, const ParameterQuery *query,
                           Error *error);

void force_field_free(ForceField *field);

#endif
