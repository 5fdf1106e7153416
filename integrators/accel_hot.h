/* Private to the acceleration maps: their numbers, and their kernels.
 *
 * With c = beta h^2 w^2, g and J = dg/dq at q, all maps but Verlet solve
 *   (M + c J'J + [c sum_c g_c Hess g_c] + [beta h^2 B]) a = f - w^2 J'g
 * and give M a back; the first bracket with the full Hessian of the penalties, B with the molecule's block.
 */
#ifndef HOLONOM_INTEGRATORS_ACCEL_HOT_H
#define HOLONOM_INTEGRATORS_ACCEL_HOT_H

#include "integrators/accel.h"

typedef struct Accel Accel;
typedef unsigned AccelKernel(const Accel *self, Pack *pack, const vd *hess);

struct Accel {
  AccelKernel *apply;    /* NULL: nothing to do, M a = f                   */
  double w2, c, block;   /* w^2, beta h^2 w^2, beta h^2                    */
  bool full;             /* with the second derivatives of the constraints */
  double pair[9];        /* triangle: of 1/m, see jacobian_triangle_pair   */
  double inverse_mass[]; /* [nsite]                                        */
};

typedef struct AccelKernels {
  AccelKernel *verlet[2];       /* [0] general, [1] triangle                    */
  AccelKernel *gauss_newton[2]; /* rank-ncon update of M                        */
  AccelKernel *full_triangle;   /* rank-3 update of S (x) I                     */
  AccelKernel *dense;           /* any of them, with hess[n][n] unless NULL     */
} AccelKernels;

const AccelKernels *accel_kernels(Isa isa);

extern const AccelMap accel_verlet, accel_zss, accel_zss_block;

/* What the maps' create have in common. Errors: STATUS_INPUT (h, beta or w negative or not a number; a kind
 * too large, `dense` says for which solve), STATUS_MEMORY. */
Status accel_create(Accel **accel, const Kind *kind, const AccelOptions *options, bool dense, Error *error);
unsigned accel_apply(const void *self, Pack *pack, const vd *hess);

/* Solves A x = b, A[n][n], b becomes x, by elimination with exchanges: for the rare molecules whose matrix
 * is not positive definite. A singular matrix gives infinities or NaN. */
void accel_eliminate(int n, double *a, double *b);

#endif
