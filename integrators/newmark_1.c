/* Newmark in its own variables, with one Newton step from the old positions for its nonlinear system. From
 * q' = q that step is
 *
 *   q' = q + (M + beta h^2 Hess V)^-1 (h p + h^2/2 M a(q)),  p' = p + h/2 (M a(q) + M a(q')):
 *
 * velocity Verlet, BAB, whose drift is filtered by the matrix of Zhang and Skeel. (A Newton step for a' from
 * a' = 0 would be their method in other coordinates.) */
#include <string.h>

#include "integrators/accel_hot.h"

/* accel_solve adds the force of the penalties, so it is subtracted first. */
unsigned newmark_1_drift(const Accel *accel, double t, Pack *pack)
{
  const int n = accel->n;
  Pack move = *pack;
  move.f = pack->scratch + accel_scratch(accel) - n;
  memset(move.f, 0, (size_t)n * sizeof *move.f);
  (void)accel_force(accel, &move, NULL);
  for (int i = 0; i < n; i++)
    move.f[i] = pack->p[i] - move.f[i];
  const unsigned bits = accel_solve(accel, &move, NULL);
  for (int i = 0; i < n; i++)
    pack->q[i] += t / accel->mass[i] * move.f[i];
  return bits;
}
