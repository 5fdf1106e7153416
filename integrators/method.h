/* Steps that are no word over A and B, handed to a plan by the caller (PlanOptions.method). A method is the
 * letter H of a word (alone by default; "HO" and "OHO" are geometric Langevin over it), works on one molecule
 * of a kind without forces between molecules, and on one pack of lanes like every other letter. Those that
 * the program has by itself are in methods/.
 *
 * Some that look different are words: the implicit midpoint rule is ABA with the map newmark at beta = 1/4,
 * and Newmark in its own variables is BAB of that map in other coordinates, so both use its solver. */
#ifndef HOLONOM_INTEGRATORS_METHOD_H
#define HOLONOM_INTEGRATORS_METHOD_H

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "integrators/accel.h"

typedef struct MethodOptions {
  AccelOptions step; /* as acceleration maps have it; h is what checks refer to: steps may be parts of it */
  const char *base;  /* the scheme underneath, of methods that are built over one               */
  const void *own;   /* settings of a method's own, for its create alone                        */
} MethodOptions;

enum {
  METHOD_SYMPLECTIC = 1,
  METHOD_REVERSIBLE = 2,  /* a symmetric step, fit for composition                              */
  METHOD_CONSTRAINTS = 4, /* keeps the kind's constraints; the others take penalties, or none   */
  METHOD_TANGENT = 8,     /* and leaves momenta tangent                                         */
  METHOD_GENERAL = 16     /* takes any Hamiltonian; the others H = p'M^-1 p/2 + V(q)            */
};

typedef struct Method {
  const char *name, *doc, *cite;
  unsigned traits;
  int order;
  /* Traits that depend on the options, such as the scheme underneath; NULL: those above, always. */
  unsigned (*traits_with)(const MethodOptions *options);
  /* Errors: STATUS_INPUT where the method does not fit the kind, with the reason; STATUS_MEMORY. */
  Status (*create)(void **self, const Kind *kind, const MethodOptions *options, Isa isa, Error *error);
  size_t (*scratch)(const void *self); /* vectors wanted in pack->scratch; NULL: none           */
  /* Checks a start (assumptions that only a state can show); NULL: nothing to check. q[nsite*dim]. */
  Status (*check)(const void *self, const double *q, const double *p, Error *error);
  /* pack->q and pack->p over time t (h, or a part of it, perhaps negative). Returns in bits 0 to 7 the
   * active lanes that failed, in bits 8 to 15 those of them whose equations are met as far as rounding
   * allows, which is not the tolerance (what is left of them is then in pack->scratch[0]); finished lanes are
   * frozen, so that a lane's bits do not depend on the others. */
  unsigned (*step)(const void *self, double t, Pack *pack);
  /* How many multipliers each of its steps leaves, in the first vectors of pack->scratch; NULL: it has none.
   */
  int (*multipliers)(const void *self);
  void (*free)(void *self);
} Method;

#endif
