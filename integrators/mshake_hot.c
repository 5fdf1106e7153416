#include "integrators/mshake_hot.h"
#include "integrators/constraints_hot.h"
#include "integrators/gram_hot.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

/* Newton's method on sigma = t nu: g(q + M^-1 J_old' sigma) = 0 has the matrix J(q) M^-1 J_old'. A lane
 * that has converged gets sigma = 0 from then on, so that it does not see how long the others take. */
VEC_INLINE unsigned newton(const Mshake *self, bool triangle, double t, const Octet *q_old, Pack *pack,
                           Octet *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  const double *inverse_mass = self->numbers.inverse_mass;
  Jacobian old, now;
  Octet g[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON], nu[JACOBIAN_CON], pair[9];
  jacobian_eval(kind, triangle, q_old, NULL, &old);
  jacobian_pair(triangle, 1.0, self->pair, pair);
  for (int c = 0; c < n; c++)
    nu[c] = octet_set(0.0);
  OctetMask done = *pack->active == 0.0;
  const Octet reach = constraints_reach(triangle ? 9 : kind->nsite * kind->dim, pack->q);
  for (int i = 0;; i++) {
    jacobian_eval(kind, triangle, pack->q, g, &now);
    OctetMask small = ~(OctetMask){0};
    for (int c = 0; c < n; c++)
      small &= constraints_met(&self->numbers, c, g[c], reach);
    done |= small;
    if (octet_bits(done) == 0xff || i == self->numbers.max_iterations)
      break;
    jacobian_gram(kind, triangle, &now, &old, 1.0, inverse_mass, pair, 0.0, gram);
    lanes_solve(n, gram, g);
    for (int c = 0; c < n; c++) {
      g[c] = octet_select(done, octet_set(0.0), -g[c]);
      nu[c] += g[c];
    }
    jacobian_add(kind, triangle, &old, inverse_mass, g, pack->q);
  }
  for (int c = 0; c < n; c++) {
    nu[c] *= 1.0 / t;
    if (nu_out != NULL)
      nu_out[c] = nu[c];
  }
  jacobian_add(kind, triangle, &old, NULL, nu, pack->p);
  return ~octet_bits(done) & 0xffu;
}

static unsigned triangle(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  return newton(self, true, t, q_old, pack, nu_out);
}

static unsigned general(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  return pack->kind->ncon > 0 ? newton(self, false, t, q_old, pack, nu_out) : 0;
}

/* What a large kind's Newton steps need, in pack->scratch. */
typedef struct Room {
  JacobianRow *old, *now; /* [n]                                                 */
  Octet *g, *nu;          /* [n] by constraints                                  */
  Octet *x;               /* [n] by rows                                         */
  Octet *a;               /* the band matrix                                     */
  Octet *exchange;
} Room;

static Room furnish(const Mshake *self, Octet *scratch)
{
  const size_t n = (size_t)self->gram->band->n;
  Room r = {.old = (JacobianRow *)scratch};
  r.now = r.old + n;
  r.g = scratch + 2 * n * JACOBIAN_TOUCH;
  r.nu = r.g + n;
  r.x = r.nu + n;
  r.a = r.x + n;
  r.exchange = r.a + self->gram->size;
  return r;
}

/* sigma = -(J M^-1 J_old')^-1 g, zero in lanes that are done, in place of g. Lanes with bad pivots are solved
 * with row exchanges; those whose matrix is singular stay where they are, and fail in the end. */
static void newton_step(const Mshake *self, int dim, const Room *r, OctetMask done)
{
  const Band *band = self->gram->band;
  const int n = band->n;
  gram_fill(self->gram, dim, r->now, r->old, self->numbers.inverse_mass, r->a);
  for (int i = 0; i < n; i++)
    r->x[i] = -r->g[band->unknown[i]];
  const unsigned bad = ~self->band->general_factor(n, band->half, r->a) & ~octet_bits(done) & 0xffu;
  self->band->general_solve(n, band->half, r->a, r->x);
  if (bad != 0) {
    const OctetMask mask = constraints_mask(bad);
    gram_fill(self->gram, dim, r->now, r->old, self->numbers.inverse_mass, r->a);
    for (int i = 0; i < n; i++)
      r->x[i] = octet_select(mask, -r->g[band->unknown[i]], r->x[i]);
    done |= constraints_mask(band_exchange(n, band->half, false, r->a, bad, r->x, r->exchange));
  }
  for (int i = 0; i < n; i++)
    r->g[band->unknown[i]] = octet_select(done, octet_set(0.0), r->x[i]);
}

static unsigned banded(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = kind->ncon;
  const Room r = furnish(self, pack->scratch);
  jacobian_rows(kind, q_old, NULL, r.old);
  for (int c = 0; c < n; c++)
    r.nu[c] = octet_set(0.0);
  OctetMask done = *pack->active == 0.0;
  const Octet reach = constraints_reach(kind->nsite * kind->dim, pack->q);
  for (int i = 0;; i++) {
    jacobian_rows(kind, pack->q, r.g, r.now);
    OctetMask small = ~(OctetMask){0};
    for (int c = 0; c < n; c++)
      small &= constraints_met(&self->numbers, c, r.g[c], reach);
    done |= small;
    if (octet_bits(done) == 0xff || i == self->numbers.max_iterations)
      break;
    newton_step(self, kind->dim, &r, done);
    for (int c = 0; c < n; c++)
      r.nu[c] += r.g[c];
    jacobian_rows_add(kind, r.old, self->numbers.inverse_mass, r.g, pack->q);
  }
  constraints_kick(kind, r.old, t, r.nu, pack->p, nu_out);
  return ~octet_bits(done) & 0xffu;
}

const MshakeKernels ISA_SYMBOL(mshake_kernels_table) = {triangle, general, banded};
