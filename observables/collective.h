/* Coordinates of chosen atoms of molecules (engine/coordinate.h), each row of coordinates.def an observable.
 * It measures the distribution of a variable over all molecules that have it, its free energy -kT ln P, and
 * means; of pairs of torsions also the distribution in the plane of both. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_H

#include "engine/coordinate.h"

enum { COLLECTIVE_MOST = 64 }; /* variables of a row */

/* Molecules begin to end - 1 of a sort. */
typedef struct CollectiveSpan {
  int sort, begin, end;
} CollectiveSpan;

typedef struct Collective {
  const char *name;
  int natom, nspan;
  const int *atom;      /* [natom] of the molecule, in the order that the value takes them */
  const double *weight; /* [natom] shares in their mass */
  const CollectiveSpan *span;
} Collective;

/* All of a row; pairs are numbers of variables, whose joint distribution is wanted. */
typedef struct CollectiveList {
  int n, npair;
  const Collective *variable;
  const int (*pair)[2];
} CollectiveList;

/* Sines and cosines of torsions, else the value, and its square: what is averaged. */
void collective_moments(const CoordinateType *type, double value, double moment[2]);

/* The values, A or radians, in n molecules whose atoms lie in x[n][nsite][3]. scratch: COLLECTIVE_SCRATCH
 * packs for each atom of the variable. */
enum { COLLECTIVE_SCRATCH = 6 };
void collective_values(CoordinateForm form, const Collective *of, int n, int nsite, const double *x,
                       Vec8 *scratch, double *value);

#endif
