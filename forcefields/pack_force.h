/* Forces on single molecules: what a field, a wall or potentials inside a molecule do to it, whatever the
 * others do. Such a force is a row: a function over one pack. Blocks, teams, sums and tail lanes are seen to
 * here. */
#ifndef HOLONOM_FORCEFIELDS_PACK_FORCE_H
#define HOLONOM_FORCEFIELDS_PACK_FORCE_H

#include "engine/force.h"

typedef struct PackForce {
  const char *name, *doc, *term; /* term: of its energy */
  /* pack->f += -grad V and, unless NULL, *energy = V of the molecules of one pack, of which kind, q, f, noise
   * and scratch are there; own are the parameters. What it does to tail lanes is dropped. */
  void (*add)(const void *own, const Pack *pack, Vec8 *energy);
  /* hess[n][n] += each molecule's block of Hess V, n = nsite*dim; NULL: none to offer. */
  void (*hess)(const void *own, const Kind *kind, const Vec8 *q, Vec8 *hess);
  /* Octets of scratch that a pack of the kind wants; NULL: none. What add leaves there is gone at the next.
   */
  size_t (*scratch)(const Kind *kind);
  /* The force as data; NULL: it has no description. */
  void (*describe)(const void *own, ForceDescription *to);
  int inside, telling, scales_with_kT; /* see ForceOps */
} PackForce;

/* The force of a row with a copy of its `size` bytes of parameters, which hold no pointers that it would own;
 * for states of the shape of `shape`, any blocks and width. Errors: STATUS_MEMORY. */
Status pack_force_create(Force *force, const PackForce *row, const void *own, size_t size, const State *shape,
                         Error *error);

#endif
