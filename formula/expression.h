/* Formulas as data: parsed from text, evaluated with derivatives on numbers or on lanes, all in one pass over
 * their terms and one back (expression_real.h). They stand for constraints, potentials, Hamiltonians and
 * initial values in input files.
 *
 * Grammar: numbers, variables, named constants, pi; + - * / ^ (right to left; unary minus binds looser than
 * ^) and parentheses; sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs sign, and min(a, b),
 * max(a, b), atan2(y, x). abs, sign, min and max are differentiated where they are smooth. */
#ifndef HOLONOM_FORMULA_EXPRESSION_H
#define HOLONOM_FORMULA_EXPRESSION_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/vec8.h"

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

void expression_free(Expression *expression); /* NULL is fine */

/* Derivatives are exact, to rounding. Formulas of more than some 60 terms (20 for the Hessian of six
 * variables) take memory for it; where there is none, all that comes back is NaN. */
double expression_value(const Expression *expression, const double *x);
void expression_gradient(const Expression *expression, const double *x, double *gradient); /* [nvar]        */
void expression_hessian(const Expression *expression, const double *x, double *hessian);   /* [nvar][nvar]  */

/* The same on lanes; a gradient of NULL is left out. */
void expression_lanes(const Expression *expression, const Vec8 *x, Vec8 *value, Vec8 *gradient);
void expression_lanes_hessian(const Expression *expression, const Vec8 *x, Vec8 *hessian);
/* along[order][nvar]: the second derivative in u and, of order 2, the third in u and u. */
void expression_lanes_along(const Expression *expression, int order, const Vec8 *x, const Vec8 *u,
                            Vec8 *along);

bool expression_depends(const Expression *expression, int var);

/* The degree as a polynomial, 0 to 2, as its terms show it; EXPRESSION_BENT where it is higher, or none. */
enum { EXPRESSION_BENT = 3 };
int expression_degree(const Expression *expression);

#endif
