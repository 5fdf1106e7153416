#include "integrators/mshake_hot.h"
#include "integrators/constraints_hot.h"
#include "integrators/gram_hot.h"
#include "integrators/triangle_hot.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

/* Newton's method on sigma = t nu: g(q + M^-1 J_old' sigma) = 0 has the matrix J(q) M^-1 J_old'. A lane
 * that has converged gets sigma = 0 from then on, so that it does not see how long the others take. */
static unsigned general(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Kind *kind = pack->kind;
  const int n = kind->ncon;
  if (n == 0)
    return 0;
  const double *inverse_mass = self->numbers.inverse_mass;
  JacobianRow old[JACOBIAN_CON], now[JACOBIAN_CON];
  Octet g[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON], nu[JACOBIAN_CON];
  jacobian_rows(kind, q_old, NULL, old);
  for (int c = 0; c < n; c++)
    nu[c] = octet_set(0.0);
  OctetMask done = *pack->active == 0.0;
  const Octet reach = constraints_reach(kind->nsite * kind->dim, pack->q);
  for (int i = 0;; i++) {
    jacobian_rows(kind, pack->q, g, now);
    OctetMask small = ~(OctetMask){0};
    for (int c = 0; c < n; c++)
      small &= constraints_met(&self->numbers, c, g[c], reach);
    done |= small;
    if (octet_bits(done) == 0xff || i == self->numbers.max_iterations)
      break;
    jacobian_gram(kind, now, old, 1.0, inverse_mass, 0.0, gram);
    lanes_solve(n, gram, g);
    for (int c = 0; c < n; c++) {
      g[c] = octet_select(done, octet_set(0.0), -g[c]);
      nu[c] += g[c];
    }
    jacobian_rows_add(kind, old, inverse_mass, g, pack->q);
  }
  constraints_kick(kind, old, t, nu, pack->p, nu_out);
  return ~octet_bits(done) & 0xffu;
}

/* The same for a triangle, one part of a pack; `done` has the lanes that are not in use. */
VEC_INLINE vi triangle_newton(const Mshake *self, const Kind *kind, vi done, const vd old[3][3], vd q[9],
                              vd sigma[3])
{
  vd reach = vd_set(0.0);
  UNROLL for (int i = 0; i < 9; i++) reach = vd_max(vd_abs(q[i]), reach);
  reach = vd_min(reach, vd_set(1e8));
  UNROLL for (int c = 0; c < 3; c++) sigma[c] = vd_set(0.0);
  for (int i = 0;; i++) {
    vd now[3][3], g[3], gram[9];
    vi small = ~(vi){0};
    triangle_sides(q, now);
    triangle_residuals(kind, now, g);
    UNROLL for (int c = 0; c < 3; c++) small &=
        vd_abs(g[c]) <= vd_max(self->numbers.rounding[c] * reach, vd_set(self->numbers.limit[c]));
    done |= small;
    if (vi_bits(~done) == 0 || i == self->numbers.max_iterations)
      return done;
    UNROLL for (int k = 0; k < 9; k++) gram[k] = self->pair[k] * vd_dot3(now[k / 3], old[k % 3]);
    triangle_solve_general(gram, g);
    UNROLL for (int c = 0; c < 3; c++)
    {
      g[c] = vd_select(done, vd_set(0.0), -g[c]);
      sigma[c] += g[c];
    }
    triangle_add(old, self->numbers.inverse_mass, g, q);
  }
}

static unsigned triangle(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  unsigned failed = 0;
  for (int part = 0; part < PARTS; part++) {
    vd before[9], q[9], p[9], old[3][3], nu[3];
    triangle_load(q_old, part, before);
    triangle_load(pack->q, part, q);
    triangle_load(pack->p, part, p);
    triangle_sides(before, old);
    const vi done = triangle_newton(self, pack->kind, vd_load(pack->active, part) == 0.0, old, q, nu);
    UNROLL for (int c = 0; c < 3; c++) nu[c] *= 1.0 / t;
    triangle_add(old, NULL, nu, p);
    triangle_store(q, part, pack->q);
    triangle_store(p, part, pack->p);
    for (int c = 0; nu_out != NULL && c < 3; c++)
      vd_store(&nu_out[c], part, nu[c]);
    failed |= vi_bits(~done) << part * WIDTH;
  }
  return failed;
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
