#include "engine/potential.h"

#include <stddef.h>
#include <string.h>

/* --- a constant force ---------------------------------------------------------------------------------- */

static void field_eval(const Potential *c, int dim, const Octet *q, Octet *energy, Octet *grad)
{
  const Octet *x = q + c->site[0] * dim;
  Octet sum = octet_set(0.0);
  for (int d = 0; d < dim; d++) {
    sum -= c->param[1 + d] * x[d];
    if (grad != NULL)
      grad[d] = octet_set(-c->param[1 + d]);
  }
  *energy = sum;
}

static void field_hess_vec(const Potential *c, int dim, const Octet *q, const Octet *scale, const Octet *u,
                           Octet *out)
{
  (void)c;
  (void)dim;
  (void)q;
  (void)scale;
  (void)u;
  (void)out;
}

static void field_hess(const Potential *c, int dim, const Octet *q, Octet *hess)
{
  (void)c;
  (void)q;
  for (int i = 0; i < dim * dim; i++)
    hess[i] = octet_set(0.0);
}

const PotentialType potential_field = {
    .name = "field",
    .doc = "-a . q: a constant force a on a site",
    .nsite = 1,
    .constant = 1,
    .eval = field_eval,
    .hess_vec = field_hess_vec,
    .hess = field_hess,
};

/* --- functions U(s) of a squared distance s ------------------------------------------------------------ */

/* u[k] = the k-th derivative of U at s. */
typedef void Radial(const Potential *c, const Octet *s, Octet u[4]);

/* r = q_i - q_j, or q_i - x with one site; returns s = |r|^2. */
static void separation(const Potential *c, int dim, const Octet *q, Octet *r, Octet *s)
{
  *s = octet_set(0.0);
  for (int d = 0; d < dim; d++) {
    const Octet from = c->nsite == 2 ? q[c->site[1] * dim + d] : octet_set(c->param[1 + d]);
    r[d] = q[c->site[0] * dim + d] - from;
    *s += r[d] * r[d];
  }
}

static void radial_eval(Radial *radial, const Potential *c, int dim, const Octet *q, Octet *energy,
                        Octet *grad)
{
  Octet r[3], u[4], s;
  separation(c, dim, q, r, &s);
  radial(c, &s, u);
  *energy = u[0];
  for (int k = 0; grad != NULL && k < c->nsite * dim; k++)
    grad[k] = (k < dim ? 2.0 : -2.0) * u[1] * r[k % dim];
}

/* +-(2 U' I + 4 U'' r r'), + on the diagonal blocks. */
static void radial_hess(Radial *radial, const Potential *c, int dim, const Octet *q, Octet *hess)
{
  Octet r[3], u[4], s;
  separation(c, dim, q, r, &s);
  radial(c, &s, u);
  const int n = c->nsite * dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int a = i % dim, b = j % dim;
      const Octet block = 4.0 * u[2] * r[a] * r[b] + (a == b ? 2.0 * u[1] : octet_set(0.0));
      hess[i * n + j] = i / dim == j / dim ? block : -block;
    }
}

/* v = u_i - u_j (or u_i), and r . v, |v|^2. */
static void relative(const Potential *c, int dim, const Octet *u, const Octet *r, Octet *v, Octet *along,
                     Octet *square)
{
  *along = *square = octet_set(0.0);
  for (int d = 0; d < dim; d++) {
    v[d] = u[c->site[0] * dim + d];
    if (c->nsite == 2)
      v[d] -= u[c->site[1] * dim + d];
    *along += r[d] * v[d];
    *square += v[d] * v[d];
  }
}

static void radial_hess_vec(Radial *radial, const Potential *c, int dim, const Octet *q, const Octet *scale,
                            const Octet *u, Octet *out)
{
  Octet r[3], v[3], d[4], s, along, square;
  separation(c, dim, q, r, &s);
  radial(c, &s, d);
  relative(c, dim, u, r, v, &along, &square);
  for (int k = 0; k < c->nsite * dim; k++) {
    const Octet h = *scale * (2.0 * d[1] * v[k % dim] + 4.0 * d[2] * along * r[k % dim]);
    out[k] += k < dim ? h : -h;
  }
}

/* The gradient of v' Hess v = 2 U' |v|^2 + 4 U'' (r.v)^2, v kept. */
static void radial_third(Radial *radial, const Potential *c, int dim, const Octet *q, const Octet *scale,
                         const Octet *u, Octet *out)
{
  Octet r[3], v[3], d[4], s, along, square;
  separation(c, dim, q, r, &s);
  radial(c, &s, d);
  relative(c, dim, u, r, v, &along, &square);
  for (int k = 0; k < c->nsite * dim; k++) {
    const int a = k % dim;
    const Octet h =
        *scale * (4.0 * d[2] * (square * r[a] + 2.0 * along * v[a]) + 8.0 * d[3] * along * along * r[a]);
    out[k] += k < dim ? h : -h;
  }
}

/* The entries of a type from its U(s). */
#define RADIAL_ENTRIES(name)                                                                                 \
  static void name##_eval(const Potential *c, int dim, const Octet *q, Octet *energy, Octet *grad)           \
  {                                                                                                          \
    radial_eval(name##_radial, c, dim, q, energy, grad);                                                     \
  }                                                                                                          \
  static void name##_hess(const Potential *c, int dim, const Octet *q, Octet *hess)                          \
  {                                                                                                          \
    radial_hess(name##_radial, c, dim, q, hess);                                                             \
  }                                                                                                          \
  static void name##_hess_vec(const Potential *c, int dim, const Octet *q, const Octet *scale,               \
                              const Octet *u, Octet *out)                                                    \
  {                                                                                                          \
    radial_hess_vec(name##_radial, c, dim, q, scale, u, out);                                                \
  }                                                                                                          \
  static void name##_third(const Potential *c, int dim, const Octet *q, const Octet *scale, const Octet *u,  \
                           Octet *out)                                                                       \
  {                                                                                                          \
    radial_third(name##_radial, c, dim, q, scale, u, out);                                                   \
  }                                                                                                          \
  static double name##_profile(const Potential *c, double s)                                                 \
  {                                                                                                          \
    const Octet lanes = octet_set(s);                                                                        \
    Octet u[4];                                                                                              \
    name##_radial(c, &lanes, u);                                                                             \
    return u[0][0];                                                                                          \
  }

static void link_radial(const Potential *c, const Octet *s, Octet u[4])
{
  u[0] = 0.5 * c->param[0] * *s;
  u[1] = octet_set(0.5 * c->param[0]);
  u[2] = u[3] = octet_set(0.0);
}

static void spring_radial(const Potential *c, const Octet *s, Octet u[4])
{
  const double k = c->param[0], d = c->param[4];
  if (d == 0.0) { /* smooth at r = 0, too */
    link_radial(c, s, u);
    return;
  }
  const Octet r = octet_sqrt(*s), inverse = 1.0 / r;
  u[0] = 0.5 * k * (r - d) * (r - d);
  u[1] = 0.5 * k * (1.0 - d * inverse);
  u[2] = 0.25 * k * d * inverse * inverse * inverse;
  u[3] = -0.375 * k * d * inverse * inverse * inverse * inverse * inverse;
}

static void quartic_radial(const Potential *c, const Octet *s, Octet u[4])
{
  const Octet stretch = *s - c->param[4] * c->param[4];
  u[0] = 0.25 * c->param[0] * stretch * stretch;
  u[1] = 0.5 * c->param[0] * stretch;
  u[2] = octet_set(0.5 * c->param[0]);
  u[3] = octet_set(0.0);
}

RADIAL_ENTRIES(link)
RADIAL_ENTRIES(spring)
RADIAL_ENTRIES(quartic)

const PotentialType potential_link = {
    .name = "link",
    .doc = "1/2 k |q_i - q_j|^2, or from a fixed point: a spring of no length",
    .nsite = 2,
    .constant = 1,
    .eval = link_eval,
    .hess_vec = link_hess_vec,
    .hess = link_hess,
    .third = link_third,
    .profile = link_profile,
};

const PotentialType potential_spring = {
    .name = "spring",
    .doc = "1/2 k (|q_i - q_j| - d)^2, or from a fixed point",
    .nsite = 2,
    .eval = spring_eval,
    .hess_vec = spring_hess_vec,
    .hess = spring_hess,
    .third = spring_third,
    .profile = spring_profile,
};

const PotentialType potential_quartic = {
    .name = "quartic",
    .doc = "1/4 k (|q_i - q_j|^2 - d^2)^2, or from a fixed point",
    .nsite = 2,
    .eval = quartic_eval,
    .hess_vec = quartic_hess_vec,
    .hess = quartic_hess,
    .third = quartic_third,
    .profile = quartic_profile,
};

const PotentialType *const potential_types[] = {&potential_field,   &potential_link,    &potential_spring,
                                                &potential_quartic, &potential_formula, NULL};

const PotentialType *potential_find(const char *name)
{
  for (const PotentialType *const *row = potential_types; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}
