/* Forces that act on each group by itself, such as walls and potentials inside a group. Such a force is a row
 * with a function for one pack; this file handles blocks, teams, sums and tail lanes. */
#ifndef HOLONOM_FORCEFIELDS_PACK_FORCE_H
#define HOLONOM_FORCEFIELDS_PACK_FORCE_H

#include "engine/force.h"

typedef struct PackForce {
  const char *name, *doc, *term; /* term: of its energy */
  /* pack->f += -grad V and, unless NULL, *energy = V of the molecules of one pack. The pack provides kind, q,
   * f, noise and scratch; own are the parameters. Changes to tail lanes are discarded. */
  void (*add)(const void *own, const Pack *pack, Vec8 *energy);
  /* hess[n][n] += each molecule's block of Hess V, n = nsite*dim; NULL: no Hessian. */
  void (*hess)(const void *own, const Kind *kind, const Vec8 *q, Vec8 *hess);
  /* Octets of scratch for a pack of the kind; NULL: none. Contents do not persist between calls. */
  size_t (*scratch)(const void *own, const Kind *kind);
  /* Frees what the parameters point to, with the force; NULL: nothing. */
  void (*free)(const void *own);
  /* The force as data; NULL: no description. */
  void (*describe)(const void *own, ForceDescription *to);
  int inside, telling, scales_with_kT; /* see ForceOps */
} PackForce;

/* Creates the force of a row with a copy of its `size` bytes of parameters, whose pointers stay the caller's,
 * for states of the shape of `shape`, any blocks and width. Errors: STATUS_MEMORY. */
Status pack_force_create(Force *force, const PackForce *row, const void *own, size_t size, const State *shape,
                         Error *error);

#endif
