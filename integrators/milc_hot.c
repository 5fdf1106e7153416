#include "integrators/milc_hot.h"
#include "integrators/band.h"
#include "integrators/constraints_hot.h"

ISA_DECLARE(MilcKernels, milc_kernels_table);

/* Newton's matrix J(q) M^-1 J_old' along a chain is tridiagonal. It is never stored: a sweep down the chain
 * makes each row and eliminates with it at once; a sweep up solves, moves the sites and looks at the
 * constraints behind it. Long chains do not fit the L2 cache, so what counts is how much each sweep fetches:
 * gradients at the old positions are cheaper made anew than kept. */

/* In pack->scratch, [n] each, by links. */
typedef struct Room {
  Octet *right, *y; /* rows after elimination: x_i + right_i x_(i+1) = y_i */
  Octet *nu;        /* by constraints                                      */
  Octet *x;         /* solutions of lanes with bad pivots                  */
  Octet *exchange;  /* [3n] and what band_exchange wants                   */
} Room;

static Room furnish(const Milc *self, Octet *scratch, Octet *nu_out)
{
  const size_t n = (size_t)self->n;
  return (Room){.right = scratch,
                .y = scratch + n,
                .nu = nu_out != NULL ? nu_out : scratch + 2 * n,
                .x = scratch + 3 * n,
                .exchange = scratch + 4 * n};
}

VEC_INLINE Octet value_of(const MilcLink *link, int dim, const Octet *q)
{
  Octet g = octet_set(-link->square);
  if (!link->distance) {
    link->con->type->eval(link->con, dim, q, &g, NULL);
    return g;
  }
  for (int d = 0; d < dim; d++) {
    const Octet r = q[link->site[0] * dim + d] - q[link->site[1] * dim + d];
    g += r * r;
  }
  return g;
}

VEC_INLINE Octet gradient_of(const MilcLink *link, int dim, const Octet *q, Octet *grad)
{
  Octet g = octet_set(-link->square);
  if (!link->distance) {
    jacobian_one(link->con, dim, q, &g, grad);
    return g;
  }
  for (int d = 0; d < dim; d++) {
    const Octet r = q[link->site[0] * dim + d] - q[link->site[1] * dim + d];
    g += r * r;
    grad[d] = 2.0 * r;
    grad[dim + d] = -2.0 * r;
  }
  return g;
}

VEC_INLINE Octet dot(int dim, const Octet *a, const Octet *b)
{
  Octet sum = a[0] * b[0];
  for (int d = 1; d < dim; d++)
    sum += a[d] * b[d];
  return sum;
}

VEC_INLINE OctetMask met(const MilcLink *link, Octet g, Octet reach)
{
  return octet_abs(g) <= octet_max(link->rounding * reach, octet_set(link->limit));
}

/* A link's row: gradients now and old, and its products with the link before. */
typedef struct Row {
  Octet now[JACOBIAN_TOUCH], old[JACOBIAN_TOUCH];
  Octet g, diagonal, lower, upper; /* upper: the entry of the row above, in this link's column */
} Row;

VEC_INLINE void make_row(const MilcLink *link, int dim, const Octet *q, const Octet *q_old, const Row *before,
                         Row *row)
{
  row->g = gradient_of(link, dim, q, row->now);
  (void)gradient_of(link, dim, q_old, row->old);
  row->diagonal = link->inverse_mass[0] * dot(dim, row->now, row->old);
  if (link->nsite == 2)
    row->diagonal += link->inverse_mass[1] * dot(dim, row->now + dim, row->old + dim);
  row->lower = row->upper = octet_set(0.0);
  if (link->k < 0)
    return;
  const int k = link->k * dim, l = link->l * dim;
  const double weight = link->inverse_mass[link->k];
  row->lower = weight * dot(dim, row->now + k, before->old + l);
  row->upper = weight * dot(dim, before->now + l, row->old + k);
}

/* Down the chain. Lanes that meet all constraints go to *small, those with bad pivots come back. */
VEC_INLINE OctetMask eliminate(const Milc *self, int dim, Octet reach, const Octet *q, const Octet *q_old,
                               const Room *room, OctetMask *small)
{
  Row rows[2];
  Octet inverse = octet_set(0.0), y = octet_set(0.0);
  OctetMask sound = ~(OctetMask){0};
  *small = ~(OctetMask){0};
  for (int i = 0; i < self->n; i++) {
    const MilcLink *link = &self->link[i];
    Row *row = &rows[i & 1];
    make_row(link, dim, q, q_old, &rows[~i & 1], row);
    *small &= met(link, row->g, reach);
    const Octet right = row->upper * inverse, pivot = row->diagonal - row->lower * right;
    const Octet size = octet_abs(pivot), whole = octet_abs(row->diagonal);
    sound &= (size > 1e-8 * whole) & (size < 16.0 * whole);
    inverse = lanes_recip(pivot);
    y = (-row->g - row->lower * y) * inverse;
    if (i > 0)
      room->right[i - 1] = right;
    room->y[i] = y;
  }
  return ~sound;
}

/* Lanes with bad pivots by row exchanges: x[n]. The bits of those without a solution come back. */
static unsigned exchange(const Milc *self, const Pack *pack, const Octet *q_old, unsigned lanes,
                         const Room *room)
{
  const int n = self->n;
  Octet *a = room->exchange;
  Row rows[2];
  for (int i = 0; i < n; i++) {
    Row *row = &rows[i & 1];
    make_row(&self->link[i], pack->kind->dim, pack->q, q_old, &rows[~i & 1], row);
    a[3 * i] = row->lower;
    a[3 * i + 1] = row->diagonal;
    if (i > 0)
      a[3 * i - 1] = row->upper;
    room->x[i] = -row->g;
  }
  return band_exchange(n, 1, false, a, lanes, room->x, a + 3 * n);
}

/* Up the chain: sigma, zero where done, to nu and the sites. The lanes that then meet all constraints come
 * back: a link's sites are where they will be once the link before it has moved. exchanged: lanes whose
 * solution is x. */
VEC_INLINE OctetMask move(const Milc *self, int dim, Octet reach, const Octet *q_old, OctetMask done,
                          const OctetMask *exchanged, bool first, const Room *room, Octet *q)
{
  Octet x = octet_set(0.0);
  OctetMask small = ~(OctetMask){0};
  for (int i = self->n - 1; i >= 0; i--) {
    const MilcLink *link = &self->link[i];
    Octet old[JACOBIAN_TOUCH];
    (void)gradient_of(link, dim, q_old, old);
    x = i + 1 < self->n ? room->y[i] - room->right[i] * x : room->y[i];
    Octet sigma = octet_select(done, octet_set(0.0), x);
    if (exchanged != NULL)
      sigma = octet_select(*exchanged & ~done, room->x[i], sigma);
    room->nu[link->constraint] = first ? sigma : room->nu[link->constraint] + sigma;
    for (int k = 0; k < link->nsite; k++)
      for (int d = 0; d < dim; d++)
        q[link->site[k] * dim + d] += link->inverse_mass[k] * sigma * old[k * dim + d];
    if (i + 1 < self->n)
      small &= met(&self->link[i + 1], value_of(&self->link[i + 1], dim, q), reach);
  }
  return small & met(self->link, value_of(self->link, dim, q), reach);
}

/* sigma = t nu becomes nu; p += J_old' nu. */
VEC_INLINE void kick(const Milc *self, int dim, double t, const Octet *q_old, Octet *nu, Octet *p)
{
  for (int i = 0; i < self->n; i++) {
    const MilcLink *link = &self->link[i];
    Octet old[JACOBIAN_TOUCH];
    (void)gradient_of(link, dim, q_old, old);
    const Octet value = nu[link->constraint] * (1.0 / t);
    nu[link->constraint] = value;
    for (int k = 0; k < link->nsite; k++)
      for (int d = 0; d < dim; d++)
        p[link->site[k] * dim + d] += value * old[k * dim + d];
  }
}

/* Coordinates' rounding excuses a residual from the third iteration on: most chains never ask for it. */
VEC_INLINE unsigned milc(const Milc *self, int dim, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Room room = furnish(self, pack->scratch, nu_out);
  OctetMask done = *pack->active == 0.0;
  Octet reach = octet_set(0.0);
  for (int i = 0; i < self->max_iterations; i++) {
    OctetMask small;
    if (i == 2)
      reach = constraints_reach(pack->kind->nsite * dim, pack->q);
    const OctetMask bad = eliminate(self, dim, reach, pack->q, q_old, &room, &small) & ~done & ~small;
    done |= small;
    if (i > 0 && octet_bits(done) == 0xff)
      break;
    OctetMask still = done;
    const bool exchanged = octet_bits(bad) != 0;
    if (exchanged)
      still |= constraints_mask(exchange(self, pack, q_old, octet_bits(bad), &room));
    done |= move(self, dim, reach, q_old, still, exchanged ? &bad : NULL, i == 0, &room, pack->q);
    if (octet_bits(done) == 0xff)
      break;
  }
  kick(self, dim, t, q_old, room.nu, pack->p);
  return ~octet_bits(done) & 0xffu;
}

static unsigned positions(const Milc *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  if (pack->kind->dim == 2)
    return milc(self, 2, t, q_old, pack, nu_out);
  return milc(self, pack->kind->dim, t, q_old, pack, nu_out);
}

const MilcKernels ISA_SYMBOL(milc_kernels_table) = {positions};
