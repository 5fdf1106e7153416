/* The program's own methods: steps that are not words over A and B, passed to a plan like a caller's method
 * (PlanOptions.method). One row and one file each. */
#ifndef HOLONOM_METHODS_METHOD_TABLE_H
#define HOLONOM_METHODS_METHOD_TABLE_H

#include "integrators/method.h"

/* All rows, ended by NULL. */
extern const Method *const method_table[];

const Method *method_table_find(const char *name); /* NULL for an unknown name or NULL */

extern const Method method_newmark, method_newmark_1;                                /* newmark_own.c */
extern const Method method_energy_momentum;                                          /* energy_momentum.c  */
extern const Method method_so3_cayley;                                               /* so3_cayley.c       */
extern const Method method_symplectic_euler, method_stormer_verlet, method_midpoint; /* geometric.c */
extern const Method method_geometric_shake, method_geometric_rattle;
extern const Method method_kinematic_search; /* kinematic_search.c, with its own settings */

#endif
