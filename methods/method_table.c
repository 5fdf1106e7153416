#include "methods/method_table.h"

#include <string.h>

/* One row per line. */
/* clang-format off */
const Method *const method_table[] = {
    &method_newmark,
    &method_newmark_1,
    &method_energy_momentum,
    &method_so3_cayley,
    &method_symplectic_euler,
    &method_stormer_verlet,
    &method_midpoint,
    &method_geometric_shake,
    &method_geometric_rattle,
    &method_kinematic_search,
    NULL,
};
/* clang-format on */

const Method *method_table_find(const char *name)
{
  for (const Method *const *row = method_table; name != NULL && *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}
