/* The acceleration maps.
 *
 * "zs" is Zhang and Skeel's complete method: the kick by -grad U of
 *
 *   U(x) = V + beta h^2 a.grad V + 1/2 beta h^2 a'M a + 1/2 beta^2 h^4 a'Hess V a
 *
 * at its stationary a, (M + beta h^2 Hess V) a = -grad V. It is therefore symplectic. Since a is stationary,
 *
 *   grad U = grad V + beta h^2 Hess V a + 1/2 beta^2 h^4 D3V[a, a] = -M a + 1/2 beta^2 h^4 D3V[a, a].
 *
 * In "newmark" the Gauss-Newton Hessian affects the iteration only, not the solution. */
#include <string.h>

#include "integrators/accel_hot.h"

const AccelMap accel_maps[] = {
    {.name = "verlet",
     .doc = "M a = -grad V: the plain force, penalties included",
     .cite = "Verlet, Phys. Rev. 159, 98 (1967)",
     .traits = ACCEL_PLAIN | ACCEL_SYMPLECTIC,
     .route = ACCEL_FORCE,
     .apply = accel_force},
    {.name = "zss",
     .doc = "simplified Zhang-Skeel for stiff systems: (M + beta h^2 Hess V1) a = -grad V, V1 the penalties",
     .cite = "Tao & Owhadi, IMA J. Numer. Anal. (2015), Integrator 2.6",
     .route = ACCEL_PENALTIES,
     .apply = accel_solve},
    {.name = "zss-block",
     .doc = "simplified Zhang-Skeel with the molecule's block of Hess V0, from its potentials and the forces "
            "between molecules: (M + beta h^2 (Hess V1 + block of Hess V0)) a = -grad V; for one molecule "
            "the whole Hessian",
     .cite = "Tao & Owhadi, IMA J. Numer. Anal. (2015), Integrators 2.3 and 2.6",
     .traits = ACCEL_HESS_BLOCK,
     .route = ACCEL_LINEAR,
     .apply = accel_solve},
    {.name = "zs",
     .doc = "complete Zhang-Skeel: M f = M a - 1/2 beta^2 h^4 D3V[a, a], (M + beta h^2 Hess V) a = -grad V; "
            "linearly implicit and symplectic; for molecules without forces between them",
     .cite = "Zhang & Skeel, Appl. Numer. Math. 25, 297 (1997); Tao & Owhadi (2015), Integrator 1.1",
     .traits = ACCEL_ALONE | ACCEL_SYMPLECTIC,
     .route = ACCEL_THIRD,
     .apply = accel_solve},
    {.name = "newmark",
     .doc = "pushforward Newmark: a = -M^-1 grad V(x + beta h^2 a), solved to a tolerance; symplectic; for "
            "molecules without forces between them",
     .cite = "Newmark (1959); Skeel, Zhang & Schlick (1997); Tao & Owhadi (2015), Integrator 2.2",
     .traits = ACCEL_ALONE | ACCEL_ITERATES | ACCEL_SYMPLECTIC,
     .route = ACCEL_NEWTON,
     .apply = accel_solve},
    {.name = "newmark-1",
     .doc =
         "Newmark's nonlinear system solved by one Newton step from the old positions (with the word BAB): "
         "the plain force, and a drift filtered by M (M + beta h^2 Hess V)^-1; neither symplectic nor "
         "reversible, the paper's negative example",
     .cite = "Tao & Owhadi 2015, (2.1) and Fig. 6",
     .traits = ACCEL_IRREVERSIBLE,
     .route = ACCEL_LINEAR,
     .apply = accel_force,
     .drift = newmark_1_drift},
    {.name = NULL}};

const AccelMap *accel_map_find(const char *name)
{
  for (const AccelMap *row = accel_maps; row->name != NULL; row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

bool accel_map_has(const char *name, unsigned traits)
{
  const AccelMap *map = accel_map_find(name);
  return map != NULL && (map->traits & traits) != 0;
}
