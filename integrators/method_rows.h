/* The rows of method_table. */
#ifndef HOLONOM_INTEGRATORS_METHOD_ROWS_H
#define HOLONOM_INTEGRATORS_METHOD_ROWS_H

#include "integrators/method.h"

extern const Method method_newmark, method_newmark_1;                                /* newmark_own.c */
extern const Method method_energy_momentum;                                          /* energy_momentum.c  */
extern const Method method_so3_cayley;                                               /* so3_cayley.c       */
extern const Method method_symplectic_euler, method_stormer_verlet, method_midpoint; /* geometric.c */
extern const Method method_geometric_shake, method_geometric_rattle;

#endif
