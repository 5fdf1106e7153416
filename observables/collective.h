/* Collective variables of molecules: torsions, angles, distances and radii of gyration of chosen atoms, a row
 * of observable_rows.def each. What is measured of one is its distribution, over all molecules that have it,
 * with its free energy -kT ln P, and means; of pairs of torsions the distribution in the plane of both.
 *
 * Torsions are as IUPAC has them: 0 where the outer atoms are cis, positive where the far bond is turned
 * clockwise against the near one (Pure Appl. Chem. 40, 291 (1974), rule 2.2). The radius of gyration is the
 * root of the mean square distance from the centre of mass, by mass. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_H

#include <stdbool.h>

/* The rows. */
typedef enum CollectiveRow {
  COLLECTIVE_TORSIONS,
  COLLECTIVE_ANGLES,
  COLLECTIVE_DISTANCES,
  COLLECTIVE_GYRATION,
  COLLECTIVES
} CollectiveRow;

enum { COLLECTIVE_MOST = 64 }; /* variables of a row */

typedef struct CollectiveType {
  const char *name, *one; /* of the observable, "torsions", and of one of them */
  int natom;              /* 0: one or more                                     */
  bool bonded;            /* each atom is bonded to the next one, where names are those of several atoms */
  bool angle, periodic;   /* in radians; from -pi to pi, else from 0 on          */
  double (*value)(int natom, const double *mass, const double (*x)[3]);
} CollectiveType;
extern const CollectiveType collective_types[COLLECTIVES];

/* Molecules begin to end - 1 of a sort. */
typedef struct CollectiveSpan {
  int sort, begin, end;
} CollectiveSpan;

typedef struct Collective {
  const char *name;
  int natom, nspan;
  const int *atom; /* [natom] of the molecule, in the order that the value takes them */
  const CollectiveSpan *span;
} Collective;

/* All of a row; pairs are numbers of variables, whose joint distribution is wanted. */
typedef struct CollectiveList {
  int n, npair;
  const Collective *variable;
  const int (*pair)[2];
} CollectiveList;

/* Sines and cosines of angles, else the value, and its square: what is averaged. */
void collective_moments(const CollectiveType *type, double value, double moment[2]);

#endif
