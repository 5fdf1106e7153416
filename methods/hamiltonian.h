/* A general Hamiltonian system on R^2n with constraints that may depend on momenta (McLachlan, Modin, Verdier
 * & Wilkins 2013): H(q, p) and g_i(q, p) with derivatives, and the flows of the constraints' vector fields
 * X_g: q' = dg/dp, p' = -dg/dq. z = (q[n], p[n]) throughout. */
#ifndef HOLONOM_METHODS_HAMILTONIAN_H
#define HOLONOM_METHODS_HAMILTONIAN_H

#include "base/status.h"

/* A scalar function of z = (q, p). */
typedef struct PhaseFunction {
  const void *self;
  double (*value)(const void *self, const double *z);
  void (*gradient)(const void *self, const double *z, double *gradient); /* [2n]           */
  void (*hessian)(const void *self, const double *z, double *hessian);   /* [2n][2n]       */
} PhaseFunction;

typedef enum ConstraintFlow {
  FLOW_SHIFT,    /* g = g(q): p -= s dg/dq                                        */
  FLOW_LINEAR,   /* g quadratic: z' = J Hess g z + J grad g(0), by a matrix exponential */
  FLOW_NUMERICAL /* integrated to rounding                                        */
} ConstraintFlow;

typedef struct Hamiltonian {
  int n;    /* degrees of freedom                                                  */
  int ncon; /* constraints g_i(q, p) = 0                                           */
  PhaseFunction energy;
  const PhaseFunction *con;   /* [ncon]                                              */
  const ConstraintFlow *flow; /* [ncon]                                              */
} Hamiltonian;

/* Creates a system from formulas in q1..qn, p1..pn (also q, p if n = 1), with its own memory. Errors:
 * STATUS_INPUT (see expression_parse), STATUS_MEMORY. */
Status hamiltonian_create(Hamiltonian **hamiltonian, int n, const char *energy, int ncon,
                          const char *const *constraint, int nconst, const char *const *constant,
                          const double *value, Error *error);
void hamiltonian_free(Hamiltonian *hamiltonian); /* for results of hamiltonian_create only; accepts NULL */

/* {a, b} = a_q . b_p - a_p . b_q at z; NaN if memory is short (n > 32). */
double hamiltonian_bracket(int n, const PhaseFunction *a, const PhaseFunction *b, const double *z);

#endif
