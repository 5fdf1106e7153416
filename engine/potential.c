#include "engine/potential.h"

#include <stddef.h>

#include "engine/radial.h"

/* --- a constant force ---------------------------------------------------------------------------------- */

static void field_eval(const Potential *c, int dim, const Vec8 *q, Vec8 *energy, Vec8 *grad)
{
  const Vec8 *x = q + c->site[0] * dim;
  Vec8 sum = vec8_set(0.0);
  for (int d = 0; d < dim; d++) {
    sum -= c->param[1 + d] * x[d];
    if (grad != NULL)
      grad[d] = vec8_set(-c->param[1 + d]);
  }
  *energy = sum;
}

const PotentialType potential_field = {
    .name = "field",
    .doc = "-a . q: a constant force a on a site",
    .nsite = 1,
    .degree = 1,
    .eval = field_eval,
    .hess_vec = constraint_flat_hess_vec,
    .hess = constraint_flat_hess,
};

/* --- functions of a squared distance ------------------------------------------------------------------- */

static void link_radial(const Potential *c, RadialForm *form)
{
  *form = (RadialForm){.first = 0.5 * c->param[0]};
}

static void quartic_radial(const Potential *c, RadialForm *form)
{
  *form = (RadialForm){.s0 = c->param[4] * c->param[4], .second = 0.5 * c->param[0]};
}

static void spring_profile(const Potential *c, const Vec8 *s, Vec8 u[4])
{
  const double k = c->param[0], d = c->param[4];
  if (d == 0.0) { /* smooth at r = 0 */
    u[0] = 0.5 * k * *s;
    u[1] = vec8_set(0.5 * k);
    u[2] = u[3] = vec8_set(0.0);
    return;
  }
  const Vec8 r = vec8_sqrt(*s), inverse = 1.0 / r;
  u[0] = 0.5 * k * (r - d) * (r - d);
  u[1] = 0.5 * k * (1.0 - d * inverse);
  u[2] = 0.25 * k * d * inverse * inverse * inverse;
  u[3] = -0.375 * k * d * inverse * inverse * inverse * inverse * inverse;
}

const PotentialType potential_link = {
    .name = "link",
    .doc = "1/2 k |q_i - q_j|^2, or from a fixed point: a spring of length 0",
    .nsite = 2,
    .degree = 2,
    RADIAL,
    .radial = link_radial,
};

const PotentialType potential_spring = {
    .name = "spring",
    .doc = "1/2 k (|q_i - q_j| - d)^2, or from a fixed point",
    .nsite = 2,
    RADIAL,
    .third = radial_third,
    .profile = spring_profile,
};

const PotentialType potential_quartic = {
    .name = "quartic",
    .doc = "1/4 k (|q_i - q_j|^2 - d^2)^2, or from a fixed point",
    .nsite = 2,
    RADIAL,
    .third = radial_third,
    .radial = quartic_radial,
};

const PotentialType *const potential_types[] = {&potential_field,   &potential_link,    &potential_spring,
                                                &potential_quartic, &potential_formula, NULL};
