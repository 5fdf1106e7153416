/* Formulas under construction: a growing list of terms, in which equal terms are shared, and constants, zeros
 * and ones are folded. Terms are numbered, operands before the terms that use them. algebra_finish makes an
 * Expression of the terms that it needs. Private to the formulas (the interface is expression.h).
 *
 * A failed allocation, or too many terms, is recorded, and algebra_finish reports it; until then all
 * functions return some valid term. */
#ifndef HOLONOM_FORMULA_ALGEBRA_H
#define HOLONOM_FORMULA_ALGEBRA_H

#include <stdbool.h>

#include "formula/expression.h"
#include "formula/operation.h"

enum {
  ALGEBRA_QUADRATIC = 64, /* largest number of variables with a stored constant Hessian */
  ALGEBRA_TERMS = 1 << 16,
  ALGEBRA_BUCKETS = 1 << 13
};

typedef struct Term {
  Operation op;
  int index;       /* of the variable; or the k of operation.h */
  int operand[2];  /* -1: no operand */
  double constant; /* its value, or the exponent */
  /* Members of a finished formula, where missing operands are 0. `arity` is the number of operands. `scaled`
   * is true if the term is its operand times or divided by `constant`. `degree` is that of the polynomial
   * (expression_degree). `slopes` is the index of its slopes in an evaluation, unless it is a polynomial.
   * `give` is the contribution to each operand in the backward pass: none (a constant or missing), the first
   * one, or a further one. */
  int arity;
  bool scaled;
  int degree, slopes;
  enum { GIVE_NOTHING, GIVE_FIRST, GIVE_MORE } give[2];
} Term;

struct Expression {
  int nvar, nterm, nslopes, nvariable; /* nvariable: number of variables on which it depends */
  double *hessian;                     /* [nvar][nvar] of a quadratic formula; otherwise NULL */
  Term term[]; /* [nterm], operands before the terms that use them; the last one is the formula; memory for
                  the Hessian follows */
};

typedef struct Algebra {
  Term *term;
  int *next; /* [room] next term in the same bucket; -1: none */
  int n, room;
  bool memory, size; /* errors: no memory; too many terms */
  int bucket[ALGEBRA_BUCKETS];
} Algebra;

void algebra_start(Algebra *algebra);
void algebra_end(Algebra *algebra); /* frees its memory */

int algebra_constant(Algebra *a, double value);
int algebra_variable(Algebra *a, int index);
int algebra_negate(Algebra *a, int u);
int algebra_add(Algebra *a, int u, int v);
int algebra_subtract(Algebra *a, int u, int v);
int algebra_multiply(Algebra *a, int u, int v);
int algebra_divide(Algebra *a, int u, int v);
int algebra_power(Algebra *a, int u, double c);
int algebra_abs_power(Algebra *a, int u, double c, int odd);
int algebra_general_power(Algebra *a, int u, int v);
/* Another operation, of one (v = -1) or two operands. */
int algebra_function(Algebra *a, Operation op, int u, int v);

/* Makes an expression of the formula `root`, with nvar variables. Errors: STATUS_MEMORY, STATUS_INPUT (too
 * long). */
Status algebra_finish(Algebra *a, int root, int nvar, Expression **expression, Error *error);

#endif
