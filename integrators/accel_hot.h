/* Private to the acceleration maps: their data and kernels.
 *
 * All maps but Verlet solve, with c = beta h^2 w^2 and g and J = dg/dq at q,
 *
 *   (M + c J'J + [c sum_c g_c Hess g_c] + [beta h^2 B]) a = f - w^2 J'g
 *
 * and return M a. The first bracket applies with the full Hessian of the penalties. B is the molecule's block
 * of Hess V0. The maps "zs" and "newmark" start from the same system.
 *
 * Where penalties have different w, w^2 and c are diagonal matrices. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_HOT_H
#define HOLONOM_INTEGRATORS_ACCEL_HOT_H

#include "engine/jacobian.h"
#include "integrators/accel.h"

typedef unsigned AccelLanes(const Accel *self, Pack *pack, const Vec8 *hess, unsigned lanes);

enum {
  ACCEL_TOUCHED = CONSTRAINT_SITES * 3,
  ACCEL_PAIRS = ACCEL_TOUCHED * (ACCEL_TOUCHED + 1) / 2 /* pairs of coordinates, k >= l */
};

/* A penalty or a potential in the matrix routes. Radial terms are functions of the squared distance s of two
 * sites, or of a site and a point, with U' = first + second (s - s0) and U'' = second: penalties of distances
 * and anchors, links, quartics. They are evaluated inline, other terms by their type's functions. */
typedef struct AccelTerm {
  int touched;                        /* coordinates                                   */
  int coordinate[ACCEL_TOUCHED];      /* their indices                                 */
  int at[ACCEL_PAIRS];                /* index of the pair (k, l), k >= l, in the matrix */
  double point[3], s0, first, second; /* of a radial term                              */
  double curve;                       /* 1; 0: the Hessian omits U'                    */
  double w2, c;                       /* of a penalty, as in Accel                     */
  const Constraint *function;         /* of any other term                             */
} AccelTerm;

struct Accel {
  const AccelMap *map;
  AccelKernel *force;  /* force of the penalties; NULL: no penalties     */
  AccelKernel *solve;  /* NULL: no solve, M a = f                        */
  double w2, c, block; /* w^2 (the largest), beta h^2 w^2, beta h^2 */
  bool full;           /* includes the second derivatives of the constraints */
  bool own;            /* includes the Hessian of the kind's potentials  */
  bool third;          /* includes the third derivatives                 */
  double tolerance;
  int max_iterations;
  AccelLanes *lanes;                               /* solves some lanes by the whole matrix            */
  double pair[9];                                  /* triangle: triangle_pairs of 1/m          */
  int n, ncon;                                     /* coordinates, constraints                         */
  int kept;                                        /* exact constraints: the first ones                */
  double *ridge;                                   /* [ncon] w2 over that of each penalty, 0 for exact
                                                    * constraints */
  int radial_penalties, radials, penalties, nterm; /* ends of the four groups in `term`, in this order */
  AccelTerm *term;                                 /* radial penalties, radial potentials, other penalties,
                                                    * other potentials */
  Band *band;                                      /* of the matrix, else NULL                         */
  const BandKernels *bands;
  Sparse *sparse; /* of the matrix of a kind of many sites, if that is less work than the band */
  const SparseKernels *sparses;
  int nelement;          /* sparse: nonzero elements (i, j) of the matrix, one of (i, j) and (j, i) */
  int (*element)[2];     /* [nelement] coordinates                           */
  size_t size;           /* vectors of the matrix                            */
  Jacobian *jacobian;    /* of the update by the constraints, else NULL      */
  int *diagonal;         /* [n] index of the diagonal in the matrix          */
  double *mass;          /* [n] of each coordinate                           */
  double *constant;      /* [n] sum of the constant forces                   */
  double inverse_mass[]; /* [nsite]                                          */
};

typedef struct AccelKernels {
  AccelKernel *verlet[2];       /* [0] general, [1] triangle                    */
  AccelKernel *gauss_newton[2]; /* rank-ncon update of M                        */
  AccelKernel *full_triangle;   /* rank-3 update of S (x) I                     */
} AccelKernels;

/* Sizes with unrolled loops. */
enum { ACCEL_ANY, ACCEL_TWO_PLANAR, ACCEL_THREE_SPATIAL, ACCEL_SIZES };

typedef struct AccelSolveKernels {
  AccelKernel *zhang_skeel[ACCEL_SIZES]; /* with hess[n][n] unless NULL; always NULL in large molecules */
  AccelKernel *newmark[ACCEL_SIZES];
  AccelLanes *lanes;
} AccelSolveKernels;

/* Functions of single maps. */
unsigned newmark_1_drift(const Accel *accel, double t, Pack *pack);

/* Solves x[n] from the matrix and b[n] in some lanes with row exchanges; rows[n] and `scratch`, for
 * band_exchange, are scratch. Returns the lanes without a solution. */
unsigned accel_exchange(const Accel *self, unsigned lanes, const Vec8 *matrix, const Vec8 *b, Vec8 *x,
                        Vec8 *rows, Vec8 *scratch);

#endif
