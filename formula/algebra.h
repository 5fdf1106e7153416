/* Formulas under construction: a growing list of terms in which equal ones are kept once, and constants,
 * zeros and ones are folded as terms are made. Terms are numbered, operands before what is made of them. What
 * is finished becomes an Expression: those of its terms that it needs. Private to the formulas (expression.h
 * is the interface).
 *
 * A failed allocation, or too many terms, is remembered and told by algebra_finish; until then all functions
 * may be called on, and return some valid term. */
#ifndef HOLONOM_FORMULA_ALGEBRA_H
#define HOLONOM_FORMULA_ALGEBRA_H

#include <stdbool.h>

#include "formula/expression.h"
#include "formula/operation.h"

enum {
  ALGEBRA_QUADRATIC = 64, /* variables up to which a constant Hessian is kept */
  ALGEBRA_TERMS = 1 << 16,
  ALGEBRA_BUCKETS = 1 << 13
};

typedef struct Term {
  Operation op;
  int index;       /* of the variable, or the k of operation.h */
  int operand[2];  /* -1: none                                 */
  double constant; /* its value, or the exponent               */
  /* Of a finished formula, where operands that are not there count as 0: how many there are; whether it is
   * its operand times or divided by `constant`; its degree as a polynomial, as expression_degree has it;
   * where its slopes are kept in an evaluation, of what is no polynomial; what an operand is given on the way
   * back: nothing if it is a constant or none, and whether this is the first of its users to give it
   * anything. */
  int arity;
  bool scaled;
  int degree, slopes;
  enum { GIVE_NOTHING, GIVE_FIRST, GIVE_MORE } give[2];
} Term;

struct Expression {
  int nvar, nterm, nslopes, nvariable; /* nvariable: how many of the variables it depends on */
  double *hessian;                     /* [nvar][nvar] of a quadratic formula, NULL of others */
  Term term[]; /* [nterm], operands before what is made of them; the last is the formula; then room for the
                  Hessian */
};

typedef struct Algebra {
  Term *term;
  int *next; /* [room] in the same bucket, -1: none */
  int n, room;
  bool memory, size; /* what failed */
  int bucket[ALGEBRA_BUCKETS];
} Algebra;

void algebra_start(Algebra *algebra);
void algebra_end(Algebra *algebra); /* frees what it holds */

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
/* One of the others, of one or two (v = -1: one) operands. */
int algebra_function(Algebra *a, Operation op, int u, int v);

/* The formula `root` as an expression; nvar is written into it. Errors: STATUS_MEMORY; STATUS_INPUT: too
 * long. */
Status algebra_finish(Algebra *a, int root, int nvar, Expression **expression, Error *error);

#endif
