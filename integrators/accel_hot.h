/* Private to the acceleration maps: their numbers, and their kernels.
 *
 * With c = beta h^2 w^2, g and J = dg/dq at q, all maps but Verlet solve
 *   (M + c J'J + [c sum_c g_c Hess g_c] + [beta h^2 B]) a = f - w^2 J'g
 * and give M a back; the first bracket with the full Hessian of the penalties, B with the molecule's block of
 * Hess V0. The maps "zs" and "newmark" start from the same system.
 *
 * Where each penalty has a w of its own, w^2 and c stand for diagonal matrices. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_HOT_H
#define HOLONOM_INTEGRATORS_ACCEL_HOT_H

#include "engine/jacobian.h"
#include "integrators/accel.h"

typedef unsigned AccelLanes(const Accel *self, Pack *pack, const Vec8 *hess, unsigned lanes);

enum {
  ACCEL_TOUCHED = CONSTRAINT_SITES * 3,
  ACCEL_PAIRS = ACCEL_TOUCHED * (ACCEL_TOUCHED + 1) / 2 /* of coordinates, k >= l */
};

/* A penalty or a potential as the matrix routes see it. Many are radial, functions of the squared distance s
 * of two sites or of a site and a point, with U' = first + second (s - s0) and U'' = second: penalties of
 * distances and anchors, links, quartics. Those are worked out in line; the rest by their type's functions.
 */
typedef struct AccelTerm {
  int touched;                        /* coordinates                                   */
  int coordinate[ACCEL_TOUCHED];      /* which                                         */
  int at[ACCEL_PAIRS];                /* where the matrix has the pair (k, l), k >= l  */
  double point[3], s0, first, second; /* of a radial one                               */
  double curve;                       /* 1; 0: U' is left out of the Hessian           */
  double w2, c;                       /* of a penalty, as in Accel                     */
  const Constraint *function;         /* of any other                                  */
} AccelTerm;

struct Accel {
  const AccelMap *map;
  AccelKernel *force;  /* of the penalties; NULL: there are none         */
  AccelKernel *solve;  /* NULL: nothing to do, M a = f                   */
  double w2, c, block; /* w^2 (the largest, where it differs), beta h^2 w^2, beta h^2 */
  bool full;           /* with the second derivatives of the constraints */
  bool own;            /* with the Hessian of the kind's potentials      */
  bool third;          /* with the third derivatives                     */
  double tolerance;
  int max_iterations;
  AccelLanes *lanes;                               /* some lanes by the whole matrix                   */
  double pair[9];                                  /* triangle: of 1/m, see triangle_pairs     */
  int n, ncon;                                     /* coordinates, constraints                         */
  int kept;                                        /* constraints that are kept exactly, the first     */
  double *ridge;                                   /* [ncon] w2 over that of each, 0 of those          */
  int radial_penalties, radials, penalties, nterm; /* term: ends of the four groups, in this order     */
  AccelTerm *term;                                 /* radial penalties and potentials, other of either */
  Band *band;                                      /* of the matrix, else NULL                         */
  const BandKernels *bands;
  Jacobian *jacobian;    /* of the update by the constraints, else NULL      */
  int *diagonal;         /* [n] where the matrix has its diagonal            */
  double *mass;          /* [n] of each coordinate                           */
  double *constant;      /* [n] sum of the constant forces                   */
  double inverse_mass[]; /* [nsite]                                          */
};

typedef struct AccelKernels {
  AccelKernel *verlet[2];       /* [0] general, [1] triangle                    */
  AccelKernel *gauss_newton[2]; /* rank-ncon update of M                        */
  AccelKernel *full_triangle;   /* rank-3 update of S (x) I                     */
} AccelKernels;

/* Sizes whose loops are unrolled. */
enum { ACCEL_ANY, ACCEL_TWO_PLANAR, ACCEL_THREE_SPATIAL, ACCEL_SIZES };

typedef struct AccelSolveKernels {
  AccelKernel *zhang_skeel[ACCEL_SIZES]; /* with hess[n][n] unless NULL; none in large molecules */
  AccelKernel *newmark[ACCEL_SIZES];
  AccelLanes *lanes;
} AccelSolveKernels;

/* What single maps do in their own way. */
unsigned newmark_1_drift(const Accel *accel, double t, Pack *pack);

/* Some lanes of x[n] from the matrix and b[n] anew, with row exchanges, rows[n] a scratch and another for
 * band_exchange; those that have no solution come back. */
unsigned accel_exchange(const Accel *self, unsigned lanes, const Vec8 *matrix, const Vec8 *b, Vec8 *x,
                        Vec8 *rows, Vec8 *scratch);

#endif
