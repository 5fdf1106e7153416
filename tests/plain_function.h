/* Constraints and potentials by their descriptions, with three derivatives, as one writes them down. */
#ifndef HOLONOM_TESTS_PLAIN_FUNCTION_H
#define HOLONOM_TESTS_PLAIN_FUNCTION_H

#include "engine/description.h"

enum { PLAIN_MOST = 45 /* coordinates of a molecule */ };

/* In the coordinates of a molecule. */
typedef struct PlainFunction {
  double value, grad[PLAIN_MOST], hess[PLAIN_MOST][PLAIN_MOST], third[PLAIN_MOST]; /* D3[u, u] */
} PlainFunction;

/* At q[nsite*dim]; u: the direction of the third derivative, NULL: none. Aborts the test for other types. */
void plain_function(const KindDescription *kind, const FunctionDescription *function, const double *q,
                    const double *u, PlainFunction *to);

#endif
