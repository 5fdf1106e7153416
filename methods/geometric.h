/* Geometric SHAKE and RATTLE for coisotropic constraints g(q, p) = 0 on general Hamiltonian systems
 * (McLachlan, Modin, Verdier & Wilkins 2013, definitions 1.3 and 1.4, example 1.7):
 *
 *   S_h = phi_h o exp(sum_i lambda_i X_gi),  g(S_h) = 0;
 *   R_h = exp(sum_i sigma_i X_gi) o S_h,     {g, H}(R_h) = 0
 *
 * with a base method phi_h for H alone and the flows of X_g: q' = dg/dp, p' = -dg/dq. This module has the
 * parts of these rows of method_table. z = (q[n], p[n]); functions are dense and work on one lane at a time.
 * Functions that return int return 1, or 0 if a value is not finite or an iteration does not converge. */
#ifndef HOLONOM_METHODS_GEOMETRIC_H
#define HOLONOM_METHODS_GEOMETRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/kind.h"
#include "methods/hamiltonian.h"

enum { GEOMETRIC_SIZE = 32 }; /* most degrees of freedom                                             */

/* A base method is one or two implicit stages z1 = z0 + share t J grad H(z*), with z* at the fraction q (p)
 * of the way from q0 to q1 (from p0 to p1). */
typedef struct GeometricStage {
  double share, q, p;
} GeometricStage;

typedef struct GeometricBase {
  const char *name;
  int symmetric, nstage;
  GeometricStage stage[2];
} GeometricBase;

/* "symplectic-euler", "stormer-verlet", "midpoint"; NULL for other names. */
const GeometricBase *geometric_base_find(const char *name);

/* Memory for one lane at a time, n degrees of freedom and m constraints. */
typedef struct GeometricWork {
  int n, m;
  double *start, *slid, *end;           /* [2n] of a step: its start, z+, its end                        */
  double *lambda, *sigma;               /* [m]                                                          */
  double *tangent, *normal;             /* [m][2n] X_g, transported; grad g                             */
  double *residual, *size;              /* [m] g or {g, H}, and its scale                               */
  double *correction, *matrix, *second; /* [m], [m][m], [m][m] second brackets                         */
  double *origin;                       /* [2n] of projections                                          */
  double *a, *b, *c, *d;                /* [2n] for the innermost functions                             */
  double *hess, *lu;                    /* [2n][2n]                                                     */
  double left, before;                  /* largest |residual|/size of the last two checks               */
  bool stalled;                         /* an iteration ended at rounding, above its tolerance          */
} GeometricWork;

size_t geometric_work_size(int n, int m); /* doubles                                                    */
GeometricWork geometric_work_view(double *memory, int n, int m);

double geometric_work_dot(int n, const double *x, const double *y);

/* y = J x = (x_p, -x_q). */
void geometric_work_turn(int n, const double *x, double *y);

/* Solves a x = b in place for each of nright rows of b[nright][n], by LU; a is overwritten. *sign, unless
 * NULL, is the sign of the determinant. */
int geometric_work_solve(double *a, int n, double *b, int nright, int *sign);

/* At z: work->residual = g, work->size = |grad g| |z|, work->normal = grad g. */
void geometric_work_constraints(const Hamiltonian *ham, const double *z, GeometricWork *work);

/* A Newton step on the residuals: work->correction = (normal . tangent')^-1 residual, for tangent[m][2n].
 * Returns 0 if the matrix is singular. */
int geometric_work_correct(GeometricWork *work, const double *tangent);

/* Whether every |residual| <= tolerance size. Stores the largest ratio in work->left and the previous one in
 * work->before. */
int geometric_work_small(GeometricWork *work, double tolerance);

/* Called if an iteration ends without this: sets work->stalled if the residual is rounding; returns 0. */
int geometric_work_exhausted(GeometricWork *work);

/* z -> phi_t(z), by Newton's method to rounding; tangent[ntangent][2n] -> D phi_t tangent. */
int geometric_base_step(const GeometricBase *base, const Hamiltonian *ham, double t, double *z, int ntangent,
                        double *tangent, GeometricWork *work);

/* z -> exp(sum_i s_i X_gi) z: exact for shifts and for quadratic constraints, else integrated to rounding. */
int geometric_flow(const Hamiltonian *ham, const double *s, double *z, GeometricWork *work);

/* At z: work->residual = {g_i, H}, work->size = |grad g_i| |grad H|, and work->second[i][j] = {{g_i, H},
 * g_j}, the derivative of the first along X_gj. Overwrites tangent and normal by X_g and grad g at z. */
void geometric_bracket_hidden(const Hamiltonian *ham, const double *z, GeometricWork *work);

/* After geometric_bracket_hidden: the smallest singular value of the second brackets, divided by |grad g_i|
 * |grad g_j| and by the size of their second derivatives. It is 0 where the critical points of H on the
 * fibres are degenerate (assumption 1). *condition, unless NULL: the ratio of largest to smallest. */
double geometric_bracket_nondegenerate(const Hamiltonian *ham, const double *z, GeometricWork *work,
                                       double *condition);

/* Moves z along the fibre to {g, H} = 0 (the projection Pi of corollary 2.9); the shift is in work->sigma. */
int geometric_project_fibre(const Hamiltonian *ham, double tolerance, int max_iterations, double *z,
                            GeometricWork *work);

/* Moves z across the level sets of g to g = 0, by Gauss-Newton. */
int geometric_project_manifold(const Hamiltonian *ham, double tolerance, int max_iterations, double *z,
                               GeometricWork *work);

/* Checks both assumptions of the methods near z: independent grad g, {g_i, g_j} = 0 at z and at points of M =
 * {g = 0} around it, {{H, g_i}, g_j} invertible. Also checks that z is on M and, with `hidden`, on {g, H} =
 * 0. Errors: STATUS_INPUT naming the bracket and its value, STATUS_MEMORY. */
Status geometric_check(const Hamiltonian *ham, const double *z, int hidden, Error *error);

/* A natural kind, H = p'M^-1 p/2 + V(q), as a Hamiltonian. If w is not 0, H includes w^2/2 |g|^2 and there
 * are no constraints. Errors: STATUS_INPUT (too large), STATUS_MEMORY. */
Status geometric_kind_create(Hamiltonian **ham, const Kind *kind, double w, Error *error);
void geometric_kind_free(Hamiltonian *ham); /* accepts NULL */

/* Moves a start q[n], p[n] of a kind (general or natural) onto M and along the fibre onto {g, H} = 0. Errors:
 * STATUS_INPUT (there is no such point nearby), STATUS_MEMORY. */
Status geometric_project_kind(const Kind *kind, double *q, double *p, Error *error);

#endif
