/* Formulas as data: parsed from text, differentiated symbolically, evaluated on numbers or on lanes. They
 * stand for constraints, potentials, Hamiltonians and initial values in input files.
 *
 * Grammar: numbers, variables, named constants, pi; + - * / ^ (right to left; unary minus binds looser than
 * ^) and parentheses; sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs sign, and min(a, b),
 * max(a, b), atan2(y, x). abs, sign, min and max are differentiated where they are smooth. */
#ifndef HOLONOM_ENGINE_EXPRESSION_H
#define HOLONOM_ENGINE_EXPRESSION_H

#include <stdbool.h>

#include "engine/octet.h"
#include "engine/status.h"

typedef struct Expression Expression; /* immutable once made */

/* A variable may go by several names, "q1|q". */
typedef struct ExpressionNames {
  int nvar;
  const char *const *var; /* variable i of the array x that it is evaluated on        */
  int nconst;
  const char *const *constant;
  const double *value; /* [nconst]                                                    */
} ExpressionNames;

/* Errors: STATUS_INPUT with the column, what was found and what is wanted (the nearest name for an unknown
 * one); STATUS_MEMORY. */
Status expression_parse(Expression **expression, const char *text, const ExpressionNames *names,
                        Error *error);

/* The name of function i, or NULL after the last. */
const char *expression_parse_function(int i);

/* d/dx[var], with zeros and ones folded away. */
Status expression_derivative(Expression **derivative, const Expression *expression, int var, Error *error);

void expression_free(Expression *expression); /* NULL is fine */

double expression_value(const Expression *expression, const double *x);
void expression_lanes(const Expression *expression, const Octet *x, Octet *value);

/* Whether it depends on no variable; its value then, unless NULL. */
bool expression_is_constant(const Expression *expression, double *value);
bool expression_depends(const Expression *expression, int var);

/* A formula with its derivatives up to `order` (at most 3) with respect to the first n variables; symmetric
 * ones are kept once. Borrows nothing. */
typedef struct Formula Formula;

Status formula_create(Formula **formula, const char *text, const ExpressionNames *names, int order,
                      Error *error);
void formula_free(Formula *formula);

int formula_size(const Formula *formula); /* n                                      */
int formula_order(
    const Formula *formula); /* derivatives beyond which all are zero, at most 3 are looked at */
/* NULL where it is identically zero. i, j, k in any order. */
const Expression *formula_value(const Formula *formula);
const Expression *formula_first(const Formula *formula, int i);
const Expression *formula_second(const Formula *formula, int i, int j);
const Expression *formula_third(const Formula *formula, int i, int j, int k);

#endif
