/* Collective variables: coordinates of chosen atoms (topology/coordinate_sites.h), one observable for each
 * row of coordinates.def. It measures the distribution of a variable, its free energy -kT ln P, and means;
 * for pairs of torsions also the joint distribution. A variable has atoms of any molecules and one value, or
 * it has atoms of one molecule and a value for each of several molecules. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_H

#include "integrators/sample.h"
#include "topology/coordinate_sites.h"

enum { COLLECTIVE_MOST = 64 }; /* variables of a row, at most */

/* Molecules begin to end - 1 of a type. */
typedef struct CollectiveSpan {
  int sort, begin, end;
} CollectiveSpan;

typedef struct Collective {
  const char *name;
  CoordinateSites sites;
  int nspan;
  const CollectiveSpan
      *span; /* the molecules measured, by the places' atoms; NULL: the places' own molecules */
} Collective;

/* The number of values. */
int collective_count(const Collective *of);

/* All variables of a row, and pairs of variables whose joint distribution is measured. */
typedef struct CollectiveList {
  int n, npair;
  const Collective *variable;
  const int (*pair)[2];
} CollectiveList;

/* The averaged moments: sine and cosine of torsions; otherwise the value and its square. */
void collective_moments(const CoordinateType *type, double value, double moment[2]);

/* Computes the values, A or radians, in n molecules with atoms at x[n][nsite][3], for a variable with spans.
 * scratch: coordinate_sites_memory. */
void collective_values(const Collective *of, int n, int nsite, const double *x, Vec8 *scratch, double *value);

/* The value of sites, A or radians, in the 8 replicas of group k of the lanes (width 1: in its replica),
 * value[LANES]. scratch: coordinate_sites_memory. */
void collective_lane_site_values(const CoordinateSites *on, const Topology *topology, const Sample *sample,
                                 int k, Vec8 *scratch, double *value);

#endif
