#include "forcefields/wall.h"

#include <math.h>

#include "forcefields/pack_force.h"

typedef struct Wall {
  double stiffness, radius;
} Wall;

/* Distance beyond the wall and the outward unit vector, 0 inside. */
static Octet beyond(const Wall *wall, const Octet q[3], Octet unit[3])
{
  const Octet r = octet_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const OctetMask outside = r > octet_set(wall->radius);
  const Octet scale = octet_select(outside, 1.0 / r, octet_set(0.0));
  for (int d = 0; d < 3; d++)
    unit[d] = scale * q[d];
  return octet_select(outside, r - wall->radius, octet_set(0.0));
}

static void add(const void *own, const Pack *pack, Octet *energy)
{
  const Wall *wall = own;
  Octet unit[3];
  const Octet depth = beyond(wall, pack->q, unit);
  for (int d = 0; d < 3; d++)
    pack->f[d] -= wall->stiffness * depth * unit[d];
  if (energy != NULL)
    *energy = 0.5 * wall->stiffness * depth * depth;
}

/* k [u u' + (1 - R/r)(1 - u u')] on site 0, where it is outside. */
static void hess(const void *own, const Kind *kind, const Octet *q, Octet *h)
{
  const Wall *wall = own;
  const size_t n = (size_t)kind->nsite * 3;
  Octet unit[3];
  const Octet depth = beyond(wall, q, unit);
  const Octet across = depth / (depth + wall->radius);
  const Octet inside = octet_select(depth > octet_set(0.0), octet_set(1.0), octet_set(0.0));
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++) {
      const Octet uu = unit[a] * unit[b];
      const Octet delta = a == b ? inside : octet_set(0.0);
      h[a * n + b] += wall->stiffness * (inside * uu + across * (delta - inside * uu));
    }
}

static const PackForce row = {.name = "wall",
                              .doc = "a spherical half-harmonic wall on site 0 of every molecule",
                              .term = "wall_energy",
                              .add = add,
                              .hess = hess,
                              .telling = 1};

Status wall_create(Force *force, double stiffness, double radius, const State *shape, Error *error)
{
  if (!(stiffness > 0.0) || !(radius > 0.0) || !isfinite(stiffness) || !isfinite(radius))
    return error_set(error, STATUS_INPUT, "a wall needs a positive stiffness and radius, not %g and %g",
                     stiffness, radius);
  return pack_force_create(force, &row, &(Wall){stiffness, radius}, sizeof(Wall), shape, error);
}
