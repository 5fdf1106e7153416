/* Biases: potentials V(xi) of coordinates of sites (topology/coordinate_sites.h), a row of biases.def each.
 *
 *   `harmonic`      1/2 k (xi - c)^2; a dihedral angle differs from c by at most half a turn.
 *   `wall`          the same above c alone, or below it; not of a dihedral angle.
 *   `pull`          as `harmonic`; a move changes c in time (simulation/ensemble/pull.h).
 *   `metadynamics`  a sum of hills on a grid, to which a move adds (bias_grid.h).
 *
 * Restraints of coordinates are harmonic biases whose energy belongs to the potential; the energy of the
 * other biases does not (engine/force.h). Values are in A or radians, c of angles in degrees. Both k and c
 * may be parameters of the Hamiltonian with a value for each replica, as in umbrella sampling. */
#ifndef HOLONOM_FORCEFIELDS_BIAS_H
#define HOLONOM_FORCEFIELDS_BIAS_H

#include "engine/force.h"
#include "topology/coordinate_sites.h"

typedef enum BiasForm {
#define BIAS(FORM, ...) BIAS_##FORM,
#include "forcefields/biases.def"
  BIASES
} BiasForm;

enum { BIAS_COORDINATES = 2, BIAS_CONSTANTS = 2 };

typedef struct BiasType {
  const char *name, *one; /* "wall", "a wall" */
  int coordinates;        /* the most that it acts on */
  bool constants;         /* k and c define it; else a grid does */
} BiasType;
extern const BiasType bias_types[BIASES];

typedef struct BiasInput {
  BiasForm form;
  const char *name; /* of the record; NULL: none */
  int n;            /* coordinates */
  CoordinateInput on[BIAS_COORDINATES];
  double constant[BIAS_CONSTANTS]; /* k, kcal/mol/A^2 or kcal/mol/rad^2, and c, A or degrees */
  int parameter; /* 1 + the number of the parameter that replaces k; the next one replaces c; 0: constants */
  bool below;    /* of a wall: it acts below c, not above */
  struct BiasGrid *grid; /* of metadynamics; borrowed */
} BiasInput;

/* The energy, kcal/mol, at the values x[n] of the coordinates, for constants[BIAS_CONSTANTS] and periods[n]
 * of the coordinates (0: not periodic); adds the derivatives by x to slope[n] unless it is NULL. */
double bias_energy(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                   double *slope);

/* The functions of the rows. */
#define BIAS(FORM, id, ...)                                                                                  \
  double bias_##id(const BiasInput *bias, const double *constants, const double *periods, const double *x,   \
                   double *slope);
#include "forcefields/biases.def"

/* x minus the constant c, at most half a period in size: for functions of rows with constants. */
double bias_beyond(const BiasInput *bias, const double *constants, double period, double x);

/* The period of a coordinate, A or radians, in a box; 0: not periodic. */
double bias_period(const CoordinateSites *on, const Box *box);

/* The force "biases" with the term "bias", or with `counts` "coordinate_restraints" with the term
 * "coordinate_restraint", whose energy belongs to the potential: of list[n], for states of the topology of
 * the width of `shape`. The list is copied without the coordinates' atoms; topology, grids and parameters
 * (NULL: none) are borrowed. Errors: STATUS_INPUT (no such atom, a site without atoms, constants that are
 * negative or not finite; not three dimensions), STATUS_MEMORY. */
Status bias_create(Force *force, const Topology *topology, int n, const BiasInput *list, bool counts,
                   const Parameters *parameters, const State *shape, Error *error);

#endif
