/* The rows of method_table. */
#ifndef HOLONOM_INTEGRATORS_METHOD_ROWS_H
#define HOLONOM_INTEGRATORS_METHOD_ROWS_H

#include "integrators/method.h"

extern const Method method_kinematic_search; /* kinematic_search.c */

#endif
