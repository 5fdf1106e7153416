#include "forcefields/wall.h"

#include <math.h>

#include "forcefields/field.h"
#include "forcefields/pack_force.h"

typedef struct Wall {
  double stiffness, radius;
} Wall;

/* Distance beyond the wall and the outward unit vector, 0 inside. */
static Vec8 beyond(const Wall *wall, const Vec8 q[3], Vec8 unit[3])
{
  const Vec8 r = vec8_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const Vec8Mask outside = r > vec8_set(wall->radius);
  const Vec8 scale = vec8_select(outside, 1.0 / r, vec8_set(0.0));
  for (int d = 0; d < 3; d++)
    unit[d] = scale * q[d];
  return vec8_select(outside, r - wall->radius, vec8_set(0.0));
}

static void add(const void *own, const Pack *pack, Vec8 *energy)
{
  const Wall *wall = own;
  Vec8 unit[3];
  const Vec8 depth = beyond(wall, pack->q, unit);
  for (int d = 0; d < 3; d++)
    pack->f[d] -= wall->stiffness * depth * unit[d];
  if (energy != NULL)
    *energy = 0.5 * wall->stiffness * depth * depth;
}

/* k [u u' + (1 - R/r)(1 - u u')] on site 0, where it is outside. */
static void hess(const void *own, const Kind *kind, const Vec8 *q, Vec8 *h)
{
  const Wall *wall = own;
  const size_t n = (size_t)kind->nsite * 3;
  Vec8 unit[3];
  const Vec8 depth = beyond(wall, q, unit);
  const Vec8 across = depth / (depth + wall->radius);
  const Vec8 inside = vec8_select(depth > vec8_set(0.0), vec8_set(1.0), vec8_set(0.0));
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++) {
      const Vec8 uu = unit[a] * unit[b];
      const Vec8 delta = a == b ? inside : vec8_set(0.0);
      h[a * n + b] += wall->stiffness * (inside * uu + across * (delta - inside * uu));
    }
}

static void describe(const void *own, ForceDescription *to)
{
  const Wall *wall = own;
  to->form = FORM_WALL;
  to->wall = (WallDescription){wall->stiffness, wall->radius};
}

static const PackForce row = {.name = "wall",
                              .doc = "a spherical half-harmonic wall on site 0 of every molecule",
                              .term = "wall_energy",
                              .add = add,
                              .hess = hess,
                              .describe = describe,
                              .telling = 1};

Status wall_create(Force *force, double stiffness, double radius, const State *shape, Error *error)
{
  if (!(stiffness > 0.0) || !(radius > 0.0) || !isfinite(stiffness) || !isfinite(radius))
    return error_set(error, STATUS_INPUT, "a wall needs a positive stiffness and radius, not %g and %g",
                     stiffness, radius);
  return pack_force_create(force, &row, &(Wall){stiffness, radius}, sizeof(Wall), shape, error);
}

Status wall_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return wall_create(force, input->options.wall.stiffness, input->options.wall.radius, shape, error);
}
