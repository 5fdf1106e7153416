/* Coordinates that are sums over pairs of atoms (rows PAIRS of coordinates.def), as functions of one
 * distance.
 *
 *   `coordination`  (1 - u^n)/(1 - u^m) with u = r/radius, which falls from 1 to 0. As a quotient of
 *                   1 + u + ... + u^(n-1) and 1 + u + ... + u^(m-1) it has no gap at u = 1. */
#ifndef HOLONOM_ENGINE_COORDINATE_PAIRS_H
#define HOLONOM_ENGINE_COORDINATE_PAIRS_H

#include "engine/coordinate.h"

enum { COORDINATE_POWER = 64 /* the largest m */ };

typedef struct CoordinateContacts {
  double radius; /* A */
  int n, m;      /* n < m */
} CoordinateContacts;

/* The value of a pair at this squared distance, and its derivative by r, divided by r. */
double coordinate_pairs_value(CoordinateForm form, const CoordinateContacts *contacts, double square,
                              double *slope);

#endif
