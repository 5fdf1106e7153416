#include "integrators/milc_hot.h"
#include "integrators/constraints_hot.h"

ISA_DECLARE(MilcKernels, milc_kernels_table);

/* Newton's matrix J(q) M^-1 J_old' along a chain is tridiagonal and never stored. A sweep down the chain
 * computes each row and eliminates with it; a sweep up solves, moves the sites and tests the constraints
 * behind them. Long chains exceed the L2 cache, so memory traffic decides: recomputing gradients at the old
 * positions is cheaper than storing them. All parts of a pack advance together. `radial`: all constraints are
 * radial. */

/* Arrays in pack->scratch, [n] each, by links. */
typedef struct Work {
  Vec8 *right, *y; /* rows after elimination: x_i + right_i x_(i+1) = y_i */
  Vec8 *nu;        /* by constraints                                      */
  Vec8 *x;         /* solutions of lanes with bad pivots                  */
  Vec8 *exchange;  /* [3n] and the scratch of band_exchange               */
} Work;

static Work divide_scratch(const Milc *self, Vec8 *scratch, Vec8 *nu_out)
{
  const size_t n = (size_t)self->n;
  return (Work){.right = scratch,
                .y = scratch + n,
                .nu = nu_out != NULL ? nu_out : scratch + 2 * n,
                .x = scratch + 3 * n,
                .exchange = scratch + 4 * n};
}

/* A link's row: its gradients at new and old positions, and its products with the previous link. */
typedef struct Row {
  MilcRow now, old;
  Vec8 g;
  vd diagonal[REGISTERS], lower[REGISTERS],
      upper[REGISTERS]; /* upper: of the row above, in this link's column */
} Row;

VEC_INLINE void make_row(int dim, bool radial, const MilcLink *link, const Vec8 *q, const Vec8 *q_old,
                         const Row *before, Row *row)
{
  jacobian_row(dim, radial, &link->entry, q, &row->g, row->now);
  jacobian_row(dim, radial, &link->entry, q_old, NULL, row->old);
  const bool tied = link->k >= 0;
  const int k = tied ? link->k : 0, l = tied ? link->l : 0;
  EACH_REGISTER(p)
  {
    vd diagonal = vd_rounded(link->inverse_mass[0] * jacobian_dot_site(dim, row->now, row->old, p));
    if (link->entry.nsite == 2)
      diagonal = vd_fma(vd_set(link->inverse_mass[1]),
                        jacobian_dot_site(dim, row->now + dim, row->old + dim, p), diagonal);
    row->diagonal[p] = diagonal;
    row->lower[p] = row->upper[p] = vd_set(0.0);
    if (tied) {
      const double weight = link->inverse_mass[k];
      row->lower[p] = weight * jacobian_dot_site(dim, row->now + k * dim, before->old + l * dim, p);
      row->upper[p] = weight * jacobian_dot_site(dim, before->now + l * dim, row->old + k * dim, p);
    }
  }
}

/* Eliminates down the chain. *small: lanes that satisfy all constraints. Returns the lanes with bad pivots.
 */
VEC_INLINE unsigned eliminate(int dim, bool radial, const Milc *self, const vd reach[REGISTERS],
                              const Vec8 *q, const Vec8 *q_old, const Work *work, unsigned *small)
{
  Row rows[2];
  vd inverse[REGISTERS], y[REGISTERS];
  vi sound[REGISTERS], met[REGISTERS];
  EACH_REGISTER(p) inverse[p] = y[p] = vd_set(0.0);
  EACH_REGISTER(p) sound[p] = met[p] = ~(vi){0};
  for (int i = 0; i < self->n; i++) {
    const MilcLink *link = &self->link[i];
    Row *row = &rows[i & 1];
    make_row(dim, radial, link, q, q_old, &rows[~i & 1], row);
    EACH_REGISTER(p)
    {
      const vd g = vd_load(&row->g, p), right = row->upper[p] * inverse[p];
      const vd pivot = vd_fma(-row->lower[p], right, row->diagonal[p]);
      const vd size = vd_abs(pivot), whole = vd_abs(row->diagonal[p]);
      met[p] &= constraints_met(link->limit, link->rounding, g, reach[p]);
      sound[p] &= (size > 1e-8 * whole) & (size < 16.0 * whole);
      inverse[p] = vd_recip(pivot);
      y[p] = vd_fma(-row->lower[p], y[p], -g) * inverse[p];
      if (i > 0)
        vd_store(&work->right[i - 1], p, right);
      vd_store(&work->y[i], p, y[p]);
    }
  }
  *small = registers_bits(met);
  return ~registers_bits(sound);
}

/* Solves lanes with bad pivots by row exchanges: x[n]. Returns the bits of lanes without a solution. */
static unsigned exchange(const Milc *self, const Pack *pack, const Vec8 *q_old, unsigned lanes,
                         const Work *work)
{
  const int n = self->n;
  Vec8 *a = work->exchange;
  Row rows[2];
  for (int i = 0; i < n; i++) {
    Row *row = &rows[i & 1];
    make_row(pack->kind->dim, false, &self->link[i], pack->q, q_old, &rows[~i & 1], row);
    EACH_REGISTER(p)
    {
      vd_store(&a[3 * i], p, row->lower[p]);
      vd_store(&a[3 * i + 1], p, row->diagonal[p]);
      if (i > 0)
        vd_store(&a[3 * i - 1], p, row->upper[p]);
      vd_store(&work->x[i], p, -vd_load(&row->g, p));
    }
  }
  return band_exchange(n, 1, false, a, lanes, work->x, a + 3 * n);
}

VEC_INLINE void look(int dim, bool radial, const MilcLink *link, const vd reach[REGISTERS], const Vec8 *q,
                     vi met[REGISTERS])
{
  Vec8 g;
  jacobian_row(dim, radial, &link->entry, q, &g, NULL);
  EACH_REGISTER(p) met[p] &= constraints_met(link->limit, link->rounding, vd_load(&g, p), reach[p]);
}

/* Which lanes an iteration moves. */
typedef struct Moves {
  unsigned moving, exchanged; /* exchanged: lanes whose solution is x          */
  bool first;                 /* the first iteration, when nu is undefined */
} Moves;

/* Solves up the chain: adds sigma, in the moving lanes, to nu and the sites. Returns the lanes that then
 * satisfy all constraints. A link is tested once the previous link has moved, when its sites are final. */
VEC_INLINE unsigned move(int dim, bool radial, const Milc *self, const vd reach[REGISTERS], const Vec8 *q_old,
                         Moves lanes, const Work *work, Vec8 *q)
{
  vd x[REGISTERS];
  vi met[REGISTERS], moves[REGISTERS];
  EACH_REGISTER(p) x[p] = vd_set(0.0);
  EACH_REGISTER(p) met[p] = ~(vi){0};
  EACH_REGISTER(p) moves[p] = register_mask(lanes.moving, p);
  for (int i = self->n - 1; i >= 0; i--) {
    const MilcLink *link = &self->link[i];
    Vec8 *nu = &work->nu[link->constraint];
    MilcRow old;
    vd sigma[REGISTERS];
    jacobian_row(dim, radial, &link->entry, q_old, NULL, old);
    EACH_REGISTER(p)
    {
      x[p] = i + 1 < self->n ? vd_fma(-vd_load(&work->right[i], p), x[p], vd_load(&work->y[i], p))
                             : vd_load(&work->y[i], p);
      sigma[p] = vd_select(moves[p], x[p], vd_set(0.0));
      if (lanes.exchanged != 0)
        sigma[p] = vd_select(register_mask(lanes.exchanged, p) & moves[p], vd_load(&work->x[i], p), sigma[p]);
      vd_store(nu, p, lanes.first ? sigma[p] : vd_load(nu, p) + sigma[p]);
    }
    for (int k = 0; k < (link->entry.nsite == MILC_SITES ? MILC_SITES : 1); k++)
      for (int d = 0; d < dim; d++)
        EACH_REGISTER(p)
        {
          Vec8 *to = &q[link->entry.site[k] * dim + d];
          vd_store(to, p,
                   vd_fma(link->inverse_mass[k] * sigma[p], vd_load(&old[k * dim + d], p), vd_load(to, p)));
        }
    if (i + 1 < self->n)
      look(dim, radial, &self->link[i + 1], reach, q, met);
  }
  look(dim, radial, self->link, reach, q, met);
  return registers_bits(met);
}

/* sigma = t nu becomes nu; p += J_old' nu. */
VEC_INLINE void kick(int dim, bool radial, const Milc *self, double t, const Vec8 *q_old, Vec8 *nu,
                     Vec8 *momenta)
{
  for (int i = 0; i < self->n; i++) {
    const MilcLink *link = &self->link[i];
    Vec8 *own = &nu[link->constraint];
    MilcRow old;
    vd value[REGISTERS];
    jacobian_row(dim, radial, &link->entry, q_old, NULL, old);
    EACH_REGISTER(p)
    {
      value[p] = vd_load(own, p) * (1.0 / t);
      vd_store(own, p, value[p]);
    }
    for (int k = 0; k < (link->entry.nsite == MILC_SITES ? MILC_SITES : 1); k++)
      for (int d = 0; d < dim; d++)
        EACH_REGISTER(p)
        {
          Vec8 *to = &momenta[link->entry.site[k] * dim + d];
          vd_store(to, p, vd_fma(value[p], vd_load(&old[k * dim + d], p), vd_load(to, p)));
        }
  }
}

/* From the third iteration on, the rounding of coordinates counts as converged; most chains converge before.
 */
VEC_INLINE unsigned milc(int dim, bool radial, const Milc *self, double t, const Vec8 *q_old, Pack *pack,
                         Vec8 *nu_out)
{
  const Work work = divide_scratch(self, pack->scratch, nu_out);
  unsigned open = registers_nonzero(pack->active);
  vd reach[REGISTERS];
  EACH_REGISTER(p) reach[p] = vd_set(0.0);
  for (int i = 0; i < self->max_iterations; i++) {
    unsigned small;
    if (i == 2)
      constraints_reach(pack->kind->nsite * dim, pack->q, reach);
    const unsigned poor = eliminate(dim, radial, self, reach, pack->q, q_old, &work, &small);
    open &= ~small;
    if (i > 0 && open == 0)
      break;
    const unsigned exchanged = poor & open;
    const unsigned moving = exchanged != 0 ? open & ~exchange(self, pack, q_old, exchanged, &work) : open;
    open &= ~move(dim, radial, self, reach, q_old, (Moves){moving, exchanged, i == 0}, &work, pack->q);
    if (open == 0)
      break;
  }
  kick(dim, radial, self, t, q_old, work.nu, pack->p);
  return open;
}

static unsigned positions(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  const int dim = pack->kind->dim;
  return ((const Milc *)self)->radial ? JACOBIAN_FOR_DIM(milc, dim, true, self, t, q_old, pack, nu_out)
                                      : milc(dim, false, self, t, q_old, pack, nu_out);
}

const MilcKernels ISA_SYMBOL(milc_kernels_table) = {positions};
