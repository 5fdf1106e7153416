/* Coordinates of sites: a table (coordinates.def) for terms of force fields, restraints and observables.
 * Values, gradients and Hessians are functions of the vectors between sites, v[k] = q[to] - q[from]
 * (coordinate_vec.h), so that energies of a coordinate need one derivation.
 *
 *   `distance`   r = |v0|.
 *   `cosine`     c = cos theta of the angle between v0 and v1, both from the second of three sites; unlike
 *                theta, smooth at 0 and at pi.
 *   `dihedral`   phi of the sites 0-1-2-3 with IUPAC's sign (Pure Appl. Chem. 40, 291 (1974), rule 2.2):
 *                trans is pi; seen from 1 to 2, a positive angle turns the first bond clockwise into the last
 *                (Blondel and Karplus, J. Comput. Chem. 17, 1132 (1996)).
 *   `dihedrals`  two angles, phi of the sites 0-1-2-3 and psi of 1-2-3-4, for terms alone.
 *   `distances`  two distances, of the sites 0-1 and 2-1, for terms alone.
 *   `gyration`   root of the mean square distance of atoms from their centre of mass, weighted by mass.
 *   `height`     z of the first site minus z of the second.
 *   `position`   z of a site.
 *   `rmsd`       root mean square deviation from a reference after the best superposition, with equal
 * weights. `coordination`  sum over the pairs of two selections of (1 - u^n)/(1 - u^m), u = r/radius.
 *   `formula`    a function of other coordinates (topology/coordinate_formula.h).
 *
 * Functions of registers return a value as a pair `at`: r and 1/r; cos theta and sin theta; cos phi and sin
 * phi; for other lengths the length and 0. A gradient without a limit is zero, the mean of those around it.
 * These are sites at one point, and the end of a dihedral angle whose first or last three sites are on a line
 * (to 1e-6 of the lengths). Values that are not finite stay so. */
#ifndef HOLONOM_ENGINE_COORDINATE_H
#define HOLONOM_ENGINE_COORDINATE_H

#include <stdbool.h>

#include "engine/vec8.h"

/* The rows, then pairs: two dihedral angles, two distances. */
typedef enum CoordinateForm {
#define COORDINATE(FORM, ...) COORDINATE_##FORM,
#include "engine/coordinates.def"
  COORDINATES,
  COORDINATE_DIHEDRALS = COORDINATES,
  COORDINATE_DISTANCES
} CoordinateForm;

/* The maximum of rows with a fixed number of sites, and of pairs. */
enum { COORDINATE_VECTORS = 4, COORDINATE_SITES = COORDINATE_VECTORS + 1, COORDINATE_VALUES = 2 };

/* The number of sites and of derivatives of each form. */
enum { COORDINATE_MANY, COORDINATE_PAIRS, COORDINATE_COMPOSED, COORDINATE_FIRST, COORDINATE_SECOND };
enum {
#define COORDINATE(FORM, id, sites, derivatives, ...)                                                        \
  COORDINATE_SITES_##FORM = (sites), COORDINATE_DERIVATIVES_##FORM = COORDINATE_##derivatives,
#include "engine/coordinates.def"
  COORDINATE_SITES_DIHEDRALS = COORDINATE_SITES,
  COORDINATE_DERIVATIVES_DIHEDRALS = COORDINATE_SECOND,
  COORDINATE_SITES_DISTANCES = 3,
  COORDINATE_DERIVATIVES_DISTANCES = COORDINATE_SECOND
};

/* How many sites a form takes (0: any number), and how many values it has. */
static inline int coordinate_sites(CoordinateForm form)
{
  switch (form) {
#define COORDINATE(FORM, id, sites, ...)                                                                     \
  case COORDINATE_##FORM:                                                                                    \
    return (sites);
#include "engine/coordinates.def"
  case COORDINATE_DISTANCES:
    return COORDINATE_SITES_DISTANCES;
  default:
    return COORDINATE_SITES;
  }
}
static inline int coordinate_values(CoordinateForm form) { return form >= COORDINATES ? 2 : 1; }

/* The number of vectors between n sites: a single site is measured from the origin, unless the form takes any
 * number. */
static inline int coordinate_between_sites(CoordinateForm form, int n)
{
  return coordinate_sites(form) == 1 ? 1 : n - 1;
}

/* As coordinates.def describes them. */
typedef enum CoordinateMeasure {
  COORDINATE_LENGTH,
  COORDINATE_OFFSET,
  COORDINATE_COUNT,
  COORDINATE_NUMBER,
  COORDINATE_BEND,
  COORDINATE_TURN
} CoordinateMeasure;

typedef enum CoordinateInvariance {
  COORDINATE_NOTHING,
  COORDINATE_SHIFTS,
  COORDINATE_MOTIONS
} CoordinateInvariance;
typedef enum CoordinateKeys {
  COORDINATE_NONE,
  COORDINATE_AXIS,
  COORDINATE_CONTACTS,
  COORDINATE_REFERENCE,
  COORDINATE_TEXT
} CoordinateKeys;

typedef struct CoordinateType {
  const char *name; /* "distance" */
  int nsite;        /* 0: any number, each an atom */
  CoordinateMeasure measure;
  bool angle, periodic;        /* in radians; from -pi to pi, all the way round */
  bool plain;                  /* a number without a unit */
  bool negative;               /* values of both signs, not all the way round */
  const char *unit, *argument; /* in files: " A", " degrees" or "" after a value; the column of values */
  const char *list, *one;      /* keys of observables: "distances", "distance"  */
  CoordinateInvariance invariance;
  CoordinateKeys options;
  bool pairs;    /* a sum over pairs of atoms */
  bool composed; /* a formula of other coordinates */
  int lists;     /* selections of atoms that it needs */
  bool bonded;   /* where several atoms share a name, each atom is bonded to the next one */
} CoordinateType;
extern const CoordinateType coordinate_types[COORDINATES];

/* The bin of a value among n of equal width from `low`, A or radians; -1: outside, or NaN. Half a turn
 * itself, and values beyond it by rounding, are in the last bin, or all the way round in the first one. */
int coordinate_bin(const CoordinateType *type, double low, double width, int n, double value);

/* The sites at which vector k starts and ends. */
void coordinate_ends(CoordinateForm form, int k, int *from, int *to);

/* Computes v[n - 1][3] of n sites x[n][3], in eight lanes. */
void coordinate_between(CoordinateForm form, int n, const Vec8 *x, Vec8 *v);

/* What forms of any number of sites need. */
typedef struct CoordinateMany {
  const double *weight;         /* [n] mass fractions */
  const double (*reference)[3]; /* [n] of a row with REFERENCE; their mean is zero */
  double *scratch;              /* [6 n] of such a row */
  int lanes;                    /* it computes the first ones alone; the others are 0 */
} CoordinateMany;

/* Computes the value of n sites in eight lanes, A or radians, and its gradient slope[n - 1][3], unless NULL,
 * with respect to the vectors v[n - 1][3]. of: NULL for forms with a fixed number of sites. */
void coordinate_read(CoordinateForm form, int n, const CoordinateMany *of, const Vec8 *v, Vec8 *value,
                     Vec8 *slope);

#endif
