/* The Jacobian J = dg/dq of a kind's constraints, and the matrices J_a W J_b' of projections, Newton steps,
 * penalties and Fixman's potential, over lanes and for kinds of any size. This module finds the properties of
 * the kind once: radial forms, and the order in which the matrix is a band or, for kinds of many sites,
 * sparse. In that order constraints are nodes, neighbours if they share a site. jacobian_hot.h has the work
 * over lanes. */
#ifndef HOLONOM_ENGINE_JACOBIAN_H
#define HOLONOM_ENGINE_JACOBIAN_H

#include "engine/band.h"
#include "engine/kind.h"
#include "engine/sparse.h"

enum { JACOBIAN_TOUCH = CONSTRAINT_SITES * 3 };

/* A constraint's gradient with respect to each touched site, [k*dim + d]. */
typedef Vec8 JacobianRow[JACOBIAN_TOUCH];

/* The data of a constraint for hot code. */
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
  Sparse *sparse; /* NULL: the band takes as little work */
  const SparseKernels *sparses;
  int nelement; /* sparse: elements that are not 0; of a symmetric matrix, one of (i, j) and (j, i) */
  int (*element)[2], *at; /* [nelement] constraints (row, column), and the index in the matrix */
  JacobianEntry entry[];  /* [ncon]                                        */
} Jacobian;

/* inverse[nsite] = 1/m, times weight[nsite] unless NULL. */
void jacobian_inverse_mass(const Kind *kind, const double *weight, double *inverse);

JacobianEntry jacobian_entry(const Constraint *con);

/* Creates an immutable Jacobian. JACOBIAN_SYMMETRIC: for J_a = J_b, positive definite or nearly; GENERAL: for
 * any two. Errors: STATUS_INPUT (no constraints, or too many constraints at one site for the matrix),
 * STATUS_MEMORY. */
Status jacobian_create(Jacobian **jacobian, const Kind *kind, JacobianMatrix matrix, Isa isa, Error *error);
void jacobian_free(Jacobian *jacobian);

/* The vectors of scratch memory of a solve. */
size_t jacobian_scratch(const Jacobian *jacobian);

/* Solves x[n] (by rows) from the matrix and b[n] (by constraints) in some lanes with row exchanges. Returns
 * the lanes whose matrix is singular; x is NaN there. */
unsigned jacobian_exchange(const Jacobian *jacobian, unsigned lanes, const Vec8 *matrix, const Vec8 *b,
                           Vec8 *x, Vec8 *scratch);

#endif
