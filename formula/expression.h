/* Formulas parsed from text and evaluated with derivatives, on numbers or on lanes, in one forward and one
 * backward pass over their terms (expression_real.h). Input files use them for constraints, potentials,
 * Hamiltonians and initial values.
 *
 * Grammar: numbers, variables, named constants, pi, parentheses, and the operators + - * / ^ (right to left;
 * unary minus has lower precedence than ^). Functions: sqrt exp log sin cos tan asin acos atan sinh cosh tanh
 * abs sign min(a, b) max(a, b) atan2(y, x). Derivatives of abs, sign, min and max are those of the smooth
 * parts. */
#ifndef HOLONOM_FORMULA_EXPRESSION_H
#define HOLONOM_FORMULA_EXPRESSION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "engine/vec8.h"

typedef struct Expression Expression; /* immutable */

/* A variable may have several names, "q1|q". */
typedef struct ExpressionNames {
  int nvar;
  const char *const *var; /* names of variable i of the array x */
  int nconst;
  const char *const *constant;
  const double *value; /* [nconst]                                                    */
} ExpressionNames;

/* Errors: STATUS_INPUT (the message has the column, what was found and what is required, and the nearest name
 * for an unknown one), STATUS_MEMORY. */
Status expression_parse(Expression **expression, const char *text, const ExpressionNames *names,
                        Error *error);

/* The name of function i, or NULL after the last. */
const char *expression_parse_function(int i);

void expression_free(Expression *expression); /* NULL is allowed */

/* A copy in an arena, which frees it; invalid if arena_check of the arena fails. */
const Expression *expression_copy(const Expression *expression, Arena *arena);

/* Derivatives are exact up to rounding. Formulas of more than about 60 terms (20 for the Hessian of six
 * variables) allocate memory; without memory all results are NaN. */
double expression_value(const Expression *expression, const double *x);
void expression_gradient(const Expression *expression, const double *x, double *gradient); /* [nvar]        */
void expression_hessian(const Expression *expression, const double *x, double *hessian);   /* [nvar][nvar]  */

/* Likewise on lanes; gradient may be NULL. */
void expression_lanes(const Expression *expression, const Vec8 *x, Vec8 *value, Vec8 *gradient);
void expression_lanes_hessian(const Expression *expression, const Vec8 *x, Vec8 *hessian);
/* along[order][nvar]: the second derivative in direction u and, for order 2, the third in directions u and
 * u. */
void expression_lanes_along(const Expression *expression, int order, const Vec8 *x, const Vec8 *u,
                            Vec8 *along);

bool expression_depends(const Expression *expression, int var);

/* The degree as a polynomial, 0 to 2, by the form of its terms; EXPRESSION_BENT if it is higher or not a
 * polynomial. */
enum { EXPRESSION_BENT = 3 };
int expression_degree(const Expression *expression);

#endif
