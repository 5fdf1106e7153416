/* Steps that are not words over A and B, passed to a plan by the caller (PlanOptions.method). A method is the
 * letter H of a word (alone by default; "HO" and "OHO" are geometric Langevin algorithms over it). It works
 * on one pack, on molecules of one kind without forces between them. The program's own methods are in
 * methods/.
 *
 * The implicit midpoint rule is the word ABA with the map newmark at beta = 1/4. Newmark in its own variables
 * is BAB of that map in other coordinates. Both use the map's solver. */
#ifndef HOLONOM_INTEGRATORS_METHOD_H
#define HOLONOM_INTEGRATORS_METHOD_H

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "integrators/accel.h"

typedef struct MethodOptions {
  AccelOptions step; /* as for acceleration maps; checks use h, though steps may be parts of it */
  const char *base;  /* the base scheme, for methods that need one                              */
  const void *own;   /* the method's own settings, read by create only                          */
} MethodOptions;

enum {
  METHOD_SYMPLECTIC = 1,
  METHOD_REVERSIBLE = 2,  /* a symmetric step, allowed in compositions                          */
  METHOD_CONSTRAINTS = 4, /* satisfies the kind's constraints; other methods use penalties or none */
  METHOD_TANGENT = 8,     /* and its momenta are tangent                                        */
  METHOD_GENERAL = 16     /* accepts any Hamiltonian; other methods only H = p'M^-1 p/2 + V(q)  */
};

typedef struct Method {
  const char *name, *doc, *cite;
  unsigned traits;
  int order;
  /* Traits that depend on options such as the base scheme; NULL: always the above. */
  unsigned (*traits_with)(const MethodOptions *options);
  /* Errors: STATUS_INPUT (the method does not fit the kind, with the reason), STATUS_MEMORY. */
  Status (*create)(void **self, const Kind *kind, const MethodOptions *options, Isa isa, Error *error);
  size_t (*scratch)(const void *self); /* vectors needed in pack->scratch; NULL: none           */
  /* Checks assumptions about a start q[nsite*dim], p; NULL: there is nothing to check. */
  Status (*check)(const void *self, const double *q, const double *p, Error *error);
  /* Advances pack->q and pack->p by a time t (h or a part of it, possibly negative). Returns in bits 0 to 7
   * the active lanes that failed. Bits 8 to 15: failed lanes whose equations are satisfied to rounding but
   * not to the tolerance, with the residual in pack->scratch[0]. Finished lanes are frozen, so that the bits
   * of a lane do not depend on the others. */
  unsigned (*step)(const void *self, double t, Pack *pack);
  /* The number of multipliers that each step leaves in the first vectors of pack->scratch; NULL: none. */
  int (*multipliers)(const void *self);
  void (*free)(void *self);
} Method;

#endif
