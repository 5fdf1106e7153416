/* The interface of forces between molecules and from outside. A force adds to f and, when asked, says
 * its energy by term and replica. The engine knows no concrete force: tables are handed to it. */
#ifndef HOLONOM_ENGINE_FORCE_H
#define HOLONOM_ENGINE_FORCE_H

#include "engine/state.h"
#include "engine/team.h"

enum { FORCE_TERMS = 8, FORCES_MAX = 8 };

typedef struct ForceOps {
  const char *name, *doc;
  int nterm;               /* energy terms                                                   */
  const char *const *term; /* [nterm] names, as in thermo.csv: "coulomb", "lj", "wall"       */
  /* f += -grad V for all blocks (all threads of the team call it together; it ends with a barrier if it
   * wrote to packs of other threads). energy NULL, or [nterm][state->width] to be overwritten. */
  void (*add)(void *self, const Team *team, State *state, double *energy);
  /* hess[npack][n][n] += each molecule's own diagonal block of Hess V, n = nsite*dim, for block 0.
   * NULL if the force has none to offer. */
  void (*hess_block)(void *self, const Team *team, const State *state, vd *hess);
  int inside; /* 1: the potentials of the kind, and nothing else; acceleration maps know them by themselves */
  void (*free)(void *self);
} ForceOps;

/* self holds scratch memory for one shape of state, so it belongs to one team at a time. */
typedef struct Force {
  const ForceOps *ops;
  void *self;
} Force;

typedef struct ForceField {
  int n;
  Force force[FORCES_MAX];
} ForceField;

/* f = -grad V and, unless energy is NULL, energy[term][width] with the terms of all forces in order. */
void force_field_compute(const ForceField *field, const Team *team, State *state, double *energy);

/* Number of energy terms, and the name of each. */
int force_field_terms(const ForceField *field);
const char *force_field_term(const ForceField *field, int term);

/* hess[npack][n][n] of block 0 = sum of the forces' own diagonal blocks. */
void force_field_hess_block(const ForceField *field, const Team *team, const State *state, vd *hess);

void force_field_free(ForceField *field);

#endif
