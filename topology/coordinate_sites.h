/* Coordinates of atoms of any molecules: which atoms form each site, and the value and gradient for given
 * positions. Restraints and observables read coordinates in this way; forcefields/coordinate_lanes.h reads
 * them from a state.
 *
 * A site is an atom, or the centre of mass of several. Forms of any number of sites use each atom as a site,
 * and so do formulas, whose atoms are those of all their coordinates.
 * In a periodic box, atoms of one molecule keep their distances, since molecules are whole in memory. Vectors
 * between molecules are nearest images: between sites, and from the first atom of a site to other molecules.
 */
#ifndef HOLONOM_TOPOLOGY_COORDINATE_SITES_H
#define HOLONOM_TOPOLOGY_COORDINATE_SITES_H

#include "engine/coordinate_pairs.h"
#include "topology/topology.h"

enum { COORDINATE_LISTS = 4 };

struct Expression; /* formula/expression.h */

/* A coordinate as a user names it. All pointers are borrowed. */
typedef struct CoordinateInput {
  CoordinateForm form;
  int natom[COORDINATE_LISTS];       /* of each site; with any number of sites the first list has all */
  const int *atom[COORDINATE_LISTS]; /* in the order of molecules */
  int axis;                          /* of a row with AXIS: 0: z, 1: x, 2: y */
  CoordinateContacts contacts;       /* of a row with CONTACTS */
  const double *reference;           /* of a row with REFERENCE: positions of all atoms, [natom][3], ... */
  Box box;                           /* ... and their box */
  const char *name;                  /* for messages; NULL: none */
  const char *text;                  /* of a formula; its variables are the values of child[nchild] */
  const struct Expression *formula;
  int nchild;
  const struct CoordinateInput *child;
} CoordinateInput;

/* Atom `atom` of molecule `molecule` of a type. */
typedef struct CoordinatePlace {
  int sort, molecule, atom;
} CoordinatePlace;

typedef struct CoordinateSites {
  CoordinateForm form;
  int nsite, natom;
  const int *natoms;            /* [nsite] atoms of each site */
  const CoordinatePlace *place; /* [natom] by site */
  const double *share;          /* [natom] of the mass of its site */
  const double *weight;         /* [nsite] of the mass of all sites */
  bool apart;                   /* the atoms belong to several molecules */
  int axis;                     /* the component along which the coordinate is measured */
  CoordinateContacts contacts;
  int first;                    /* atoms of the first selection */
  const double (*reference)[3]; /* [nsite] with mean zero; NULL: none */
  const char *name, *text;      /* of the input; borrowed, as the formula is */
  const struct Expression *formula;
  int nchild;
  const struct CoordinateSites *child; /* [nchild] whose atoms follow each other in place */
} CoordinateSites;

/* Eight values side by side, and the memory for them. */
typedef struct CoordinateReading {
  Vec8 *x;             /* [natom][3] positions, set by the caller */
  Vec8 *site;          /* [nsite][3] */
  Vec8 *v;             /* vectors between sites (coordinate_ends); not of sums over pairs and formulas */
  Vec8 *slope;         /* gradient by these vectors */
  Vec8 *by;            /* [nsite][3] gradient by sites; an atom's is its share of it */
  Vec8 *part;          /* of a formula: the values of its coordinates, and the derivatives by these */
  Vec8 value;          /* A, radians, or a number */
  int lanes;           /* sums over pairs and formulas compute the first ones alone; the others are 0 */
  double strain[3][3]; /* of sums over pairs and formulas: coordinate_sites_strain with factor 1 */
} CoordinateReading;

/* Finds the sites; the arrays live in the arena. Errors: STATUS_INPUT (a site without atoms, no such atom,
 * not three dimensions), STATUS_MEMORY. */
Status coordinate_sites_create(CoordinateSites *sites, const CoordinateInput *input, const Topology *topology,
                               Arena *arena, Error *error);

/* The memory of a reading, and a reading in it. */
size_t coordinate_sites_memory(const CoordinateSites *sites);
CoordinateReading coordinate_sites_reading(const CoordinateSites *sites, Vec8 *memory);

/* The period of the value, A or radians; 0: not periodic. An oblique box has a period along z alone. */
double coordinate_sites_period(const CoordinateSites *c, const Box *box);

/* Computes the value of positions r->x, and with `slopes` its gradient. */
void coordinate_sites_read(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes);

/* Adds to sum[3][3], in the first lane of a reading with slopes, `factor` times the derivative of the value
 * by a strain of the atoms and the box: the sum of r_a times component b of the gradient. */
void coordinate_sites_strain(const CoordinateSites *c, const CoordinateReading *r, double factor,
                             double (*sum)[3]);

#endif
