/* Collective variables: coordinates of chosen atoms of molecules (engine/coordinate.h), one observable for
 * each row of coordinates.def. It measures the distribution of a variable over all molecules that have it,
 * its free energy -kT ln P, and means; for pairs of torsions also the joint distribution. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_H

#include "engine/coordinate.h"

enum { COLLECTIVE_MOST = 64 }; /* variables of a row, at most */

/* Molecules begin to end - 1 of a type. */
typedef struct CollectiveSpan {
  int sort, begin, end;
} CollectiveSpan;

typedef struct Collective {
  const char *name;
  int natom, nspan;
  const int *atom;      /* [natom] numbers in the molecule, in the order of the coordinate */
  const double *weight; /* [natom] fractions of their total mass */
  const CollectiveSpan *span;
} Collective;

/* All variables of a row, and pairs of variables whose joint distribution is measured. */
typedef struct CollectiveList {
  int n, npair;
  const Collective *variable;
  const int (*pair)[2];
} CollectiveList;

/* The averaged moments: sine and cosine of torsions; otherwise the value and its square. */
void collective_moments(const CoordinateType *type, double value, double moment[2]);

/* Computes the values, A or radians, in n molecules with atoms at x[n][nsite][3]. scratch: COLLECTIVE_SCRATCH
 * packs for each atom of the variable. */
enum { COLLECTIVE_SCRATCH = 6 };
void collective_values(CoordinateForm form, const Collective *of, int n, int nsite, const double *x,
                       Vec8 *scratch, double *value);

#endif
