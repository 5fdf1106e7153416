/* Forces by their descriptions, by double loops. */
#ifndef HOLONOM_TESTS_PLAIN_FORCES_H
#define HOLONOM_TESTS_PLAIN_FORCES_H

#include "tests/plain_function.h"

/* Where a molecule's coordinates begin among those of the replica; kept: of its constraints, the first. */
typedef struct PlainMolecule {
  const KindDescription *kind;
  int block, lane, first, kept;
} PlainMolecule;

/* The molecule of an atom, and where the atom's coordinates begin. */
int plain_forces_find(int n, const PlainMolecule *molecule, const AtomIndex *atom, int *at);

/* f += -grad V at q, in the coordinates of all n molecules. */
void plain_forces_add(const ForceDescription *force, int n, const PlainMolecule *molecule, const double *q,
                      double *f);

/* hess += the block of Hess V of molecule i alone. */
void plain_forces_block(const ForceDescription *force, int n, const PlainMolecule *molecule, int i,
                        const double *q, double hess[PLAIN_MOST][PLAIN_MOST]);

#endif
