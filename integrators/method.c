#include "integrators/method.h"

#include "integrators/method_rows.h"

/* A row a line. */
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
    NULL,
};
/* clang-format on */

unsigned method_traits(const Method *method, const MethodOptions *options)
{
  return method->traits_with != NULL ? method->traits_with(options) : method->traits;
}
