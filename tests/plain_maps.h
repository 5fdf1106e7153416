/* Dense algebra on single molecules, and acceleration maps by it. */
#ifndef HOLONOM_TESTS_PLAIN_MAPS_H
#define HOLONOM_TESTS_PLAIN_MAPS_H

#include "integrators/scheme.h"
#include "tests/plain_forces.h"

enum { PLAIN_UNKNOWNS = 2 * PLAIN_MOST };

static inline int plain_size_of(const PlainMolecule *m) { return m->kind->nsite * m->kind->dim; }

static inline double plain_mass_of(const PlainMolecule *m, int i) { return m->kind->mass[i / m->kind->dim]; }

/* b = A^-1 b by elimination with row exchanges. */
void plain_solve(int n, double a[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS], double *b);

/* g and J of the first n constraints at q. */
void plain_constraints(const PlainMolecule *m, int n, const double *q, double *g,
                       double jacobian[][PLAIN_MOST]);

/* f = -grad V0 of a molecule at q becomes M a. The first `kept` constraints are kept exactly; hess: on entry
 * the block of Hess V0 that the map takes in, or zero. */
void plain_accelerate(const PlainMolecule *m, const SchemeMap *map, int kept, const double *q,
                      double hess[PLAIN_MOST][PLAIN_MOST], double *f);

/* q += t M^-1 p, or what the map makes of it. */
void plain_drift(const PlainMolecule *m, const SchemeMap *map, double t, const double *p, double *q);

#endif
