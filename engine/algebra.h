/* Formulas under construction: a growing list of terms in which equal ones are kept once, and constants,
 * zeros and ones are folded as terms are made. Terms are numbered, operands before what is made of them. What
 * is finished becomes an Expression: its terms in the order of evaluation, with a register for each. Private
 * to the formulas (expression.h is the interface).
 *
 * A failed allocation, or too many terms, is remembered and told by algebra_finish; until then all functions
 * may be called on, and return some valid term. */
#ifndef HOLONOM_ENGINE_ALGEBRA_H
#define HOLONOM_ENGINE_ALGEBRA_H

#include <stdbool.h>

#include "engine/expression.h"
#include "engine/operation.h"

enum {
  ALGEBRA_REGISTERS = 128, /* intermediate values alive at once in an evaluation */
  ALGEBRA_TERMS = 1 << 16,
  ALGEBRA_BUCKETS = 1024
};

typedef struct Term {
  Operation op;
  int index;       /* of the variable, or the k of operation.h */
  int operand[3];  /* -1: none                                 */
  double constant; /* its value, or the exponent               */
} Term;

/* Where an operand is found: a register, a variable, or a constant. */
typedef struct Place {
  enum { PLACE_REGISTER, PLACE_VARIABLE, PLACE_CONSTANT } bank;
  int index;
} Place;

typedef struct Instruction {
  Operation op;
  int k;
  double constant;
  Place operand[3];
  int result; /* register */
} Instruction;

struct Expression {
  int nvar, nterm, ninstruction;
  const Term *term; /* [nterm], the last is the formula                      */
  const Instruction *instruction;
  const double *constant; /* [.][LANES] copies of each                             */
  Place result;
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
int algebra_power_log(Algebra *a, int u, int v, int k); /* u^v log(u)^k */
int algebra_select(Algebra *a, int condition, int yes, int no);
/* One of the others, of one or two (v = -1: one) operands. */
int algebra_function(Algebra *a, Operation op, int u, int v);

bool algebra_is(const Algebra *a, int u, double value); /* that constant */

/* The terms of a finished formula, as the first ones of a fresh algebra. */
void algebra_import(Algebra *a, const Expression *expression);

/* The formula `root` as an expression; nvar is written into it. Errors: STATUS_MEMORY; STATUS_INPUT: too
 * long, or more than ALGEBRA_REGISTERS intermediate values. */
Status algebra_finish(Algebra *a, int root, int nvar, Expression **expression, Error *error);

#endif
