#include "integrators/milc_hot.h"
#include "integrators/band.h"
#include "integrators/constraints_hot.h"

ISA_DECLARE(MilcKernels, milc_kernels_table);

/* Newton's matrix J(q) M^-1 J_old' along a chain is tridiagonal. It is never stored: a sweep down the chain
 * makes each row and eliminates with it at once, a sweep up solves and moves the sites. Gradients at the old
 * positions are cheaper made anew than fetched. */

/* In pack->scratch, [n] each, by links. */
typedef struct Room {
  vd *inverse, *upper, *y; /* 1/pivot, the entry right of it, the right-hand side */
  vd *nu, *x;              /* x: solutions of lanes with bad pivots               */
  vd *exchange;            /* [3n] and what band_exchange wants                   */
} Room;

static Room furnish(const Milc *self, vd *scratch)
{
  const size_t n = (size_t)self->n;
  return (Room){scratch, scratch + n, scratch + 2 * n, scratch + 3 * n, scratch + 4 * n, scratch + 5 * n};
}

/* A link's row: gradients now and old, and its products with the link before. */
typedef struct Row {
  vd now[JACOBIAN_TOUCH], old[JACOBIAN_TOUCH];
  vd g, diagonal, lower, upper; /* upper: the entry of the row above, in this link's column */
} Row;

VEC_INLINE vd dot(int dim, const vd *a, const vd *b)
{
  vd sum = a[0] * b[0];
  for (int d = 1; d < dim; d++)
    sum += a[d] * b[d];
  return sum;
}

VEC_INLINE void make_row(const Milc *self, const Kind *kind, int dim, const MilcLink *link, const vd *q,
                         const vd *q_old, const Row *before, Row *row)
{
  const Constraint *con = &kind->con[link->constraint];
  const double *w = self->numbers.inverse_mass;
  jacobian_one(con, dim, q, &row->g, row->now);
  jacobian_one(con, dim, q_old, NULL, row->old);
  row->diagonal = w[con->site[0]] * dot(dim, row->now, row->old);
  if (con->nsite == 2)
    row->diagonal += w[con->site[1]] * dot(dim, row->now + dim, row->old + dim);
  row->lower = row->upper = vd_set(0.0);
  if (link->k < 0)
    return;
  const int k = link->k * dim, l = link->l * dim;
  const double weight = w[con->site[link->k]];
  row->lower = weight * dot(dim, row->now + k, before->old + l);
  row->upper = weight * dot(dim, before->now + l, row->old + k);
}

/* Down the chain. Lanes that meet all constraints go to *small, those with bad pivots come back. */
VEC_INLINE vi eliminate(const Milc *self, const Kind *kind, int dim, vd reach, const vd *q, const vd *q_old,
                        const Room *room, vi *small)
{
  Row rows[2];
  vd inverse = vd_set(0.0), y = vd_set(0.0);
  vi sound = ~(vi){0};
  *small = ~(vi){0};
  for (int i = 0; i < self->n; i++) {
    Row *row = &rows[i & 1];
    make_row(self, kind, dim, &self->link[i], q, q_old, &rows[~i & 1], row);
    *small &= constraints_met(&self->numbers, self->link[i].constraint, row->g, reach);
    const vd l = row->lower * inverse, pivot = row->diagonal - l * row->upper;
    const vd size = vd_abs(pivot), whole = vd_abs(row->diagonal);
    sound &= (size > 1e-8 * whole) & (size < 16.0 * whole);
    inverse = lanes_recip(pivot);
    y = -row->g - l * y;
    if (i > 0)
      room->upper[i - 1] = row->upper;
    room->inverse[i] = inverse;
    room->y[i] = y;
  }
  return ~sound;
}

/* Lanes with bad pivots by row exchanges: x[n]. The bits of those without a solution come back. */
static unsigned exchange(const Milc *self, const Pack *pack, const vd *q_old, unsigned lanes,
                         const Room *room)
{
  const int n = self->n;
  vd *a = room->exchange;
  Row rows[2];
  for (int i = 0; i < n; i++) {
    Row *row = &rows[i & 1];
    make_row(self, pack->kind, pack->kind->dim, &self->link[i], pack->q, q_old, &rows[~i & 1], row);
    a[3 * i] = row->lower;
    a[3 * i + 1] = row->diagonal;
    if (i > 0)
      a[3 * i - 1] = row->upper;
    room->x[i] = -row->g;
  }
  return band_exchange(n, 1, false, a, lanes, room->x, a + 3 * n);
}

/* Up the chain: sigma, zero where done, to nu and the sites. */
VEC_INLINE void move(const Milc *self, const Kind *kind, int dim, const vd *q_old, vi done, vi exchanged,
                     const Room *room, vd *q)
{
  vd x = vd_set(0.0);
  for (int i = self->n - 1; i >= 0; i--) {
    const int c = self->link[i].constraint;
    const Constraint *con = &kind->con[c];
    vd old[JACOBIAN_TOUCH];
    jacobian_one(con, dim, q_old, NULL, old);
    const vd right = i + 1 < self->n ? room->upper[i] * x : vd_set(0.0);
    x = (room->y[i] - right) * room->inverse[i];
    const vd sigma = vd_select(done, vd_set(0.0), vd_select(exchanged, room->x[i], x));
    room->nu[c] += sigma;
    for (int k = 0; k < con->nsite; k++)
      for (int d = 0; d < dim; d++)
        q[con->site[k] * dim + d] += self->numbers.inverse_mass[con->site[k]] * sigma * old[k * dim + d];
  }
}

VEC_INLINE void kick(const Kind *kind, int dim, double t, const vd *q_old, vd *nu, vd *p, vd *nu_out)
{
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    vd old[JACOBIAN_TOUCH];
    jacobian_one(con, dim, q_old, NULL, old);
    const vd value = nu[c] * (1.0 / t);
    if (nu_out != NULL)
      nu_out[c] = value;
    for (int k = 0; k < con->nsite; k++)
      for (int d = 0; d < dim; d++)
        p[con->site[k] * dim + d] += value * old[k * dim + d];
  }
}

VEC_INLINE unsigned milc(const Milc *self, int dim, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  const Kind *kind = pack->kind;
  const Room room = furnish(self, pack->scratch);
  for (int c = 0; c < self->n; c++)
    room.nu[c] = room.x[c] = vd_set(0.0);
  vi done = *pack->active == 0.0, small;
  const vd reach = constraints_reach(kind->nsite * dim, pack->q);
  for (int i = 0;; i++) {
    const vi bad = eliminate(self, kind, dim, reach, pack->q, q_old, &room, &small) & ~done & ~small;
    done |= small;
    if (vi_bits(done) == 0xff || i == self->numbers.max_iterations)
      break;
    vi still = done;
    if (vi_bits(bad) != 0)
      still |= constraints_mask(exchange(self, pack, q_old, vi_bits(bad), &room));
    move(self, kind, dim, q_old, still, bad, &room, pack->q);
  }
  kick(kind, dim, t, q_old, room.nu, pack->p, nu_out);
  return ~vi_bits(done) & 0xffu;
}

static unsigned positions(const Milc *self, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  if (pack->kind->dim == 2)
    return milc(self, 2, t, q_old, pack, nu_out);
  return milc(self, pack->kind->dim, t, q_old, pack, nu_out);
}

const MilcKernels ISA_SYMBOL(milc_kernels_table) = {positions};
