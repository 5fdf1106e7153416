/* The Jacobian J = dg/dq of a kind's constraints, and the matrices J_a W J_b' that projections, Newton's
 * steps, penalties and Fixman's potential solve with: over lanes, kinds of any size. What is known from the
 * kind is found here once: radial forms, and the order in which the matrix is a band, with constraints as
 * nodes that are neighbours where they share a site. The work over lanes is in jacobian_hot.h. */
#ifndef HOLONOM_ENGINE_JACOBIAN_H
#define HOLONOM_ENGINE_JACOBIAN_H

#include "engine/band.h"
#include "engine/kind.h"

enum { JACOBIAN_TOUCH = CONSTRAINT_SITES * 3 };

/* A constraint's gradient with respect to each touched site, [k*dim + d]. */
typedef Vec8 JacobianRow[JACOBIAN_TOUCH];

/* All that hot code asks of a constraint. */
typedef struct JacobianEntry {
  const Constraint *con;
  RadialForm form; /* if radial */
  int site[CONSTRAINT_SITES];
  short nsite;
  bool radial;
} JacobianEntry;

typedef enum JacobianMatrix { JACOBIAN_NO_MATRIX, JACOBIAN_SYMMETRIC, JACOBIAN_GENERAL } JacobianMatrix;

typedef struct Jacobian {
  const Kind *kind; /* borrowed                                                    */
  JacobianMatrix matrix;
  Band *band; /* of the matrix, else NULL                                     */
  const BandKernels *bands;
  JacobianEntry entry[]; /* [ncon]                                        */
} Jacobian;

/* inverse[nsite] = 1/m, times weight[nsite] unless NULL. */
void jacobian_inverse_mass(const Kind *kind, const double *weight, double *inverse);

JacobianEntry jacobian_entry(const Constraint *con);

/* JACOBIAN_SYMMETRIC: for J_a = J_b, positive definite or near to it; GENERAL: for any two. Immutable.
 * Errors: STATUS_INPUT (a matrix of no constraints, or of so many at one site that it is out of reach),
 * STATUS_MEMORY. */
Status jacobian_create(Jacobian **jacobian, const Kind *kind, JacobianMatrix matrix, Isa isa, Error *error);
void jacobian_free(Jacobian *jacobian);

/* Vectors that a solve works in. */
size_t jacobian_scratch(const Jacobian *jacobian);

/* Some lanes of x[n], by rows, from the matrix and b[n], by constraints, with row exchanges; those whose
 * matrix is singular come back, with NaN. */
unsigned jacobian_exchange(const Jacobian *jacobian, unsigned lanes, const Vec8 *matrix, const Vec8 *b,
                           Vec8 *x, Vec8 *scratch);

#endif
