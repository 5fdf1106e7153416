/* One molecule against a register full of its list at a time, all of one kind. Each pair is computed so that
 * exchanging the molecules changes nothing but the sign of its forces. */
#include "forcefields/exact.h"
#include "forcefields/sites_kernels.h"

/* What a register full of partners gets. */
typedef struct Result {
  ed g[SITE_MAP_SITES][3], back[SITE_MAP_SITES][3]; /* forces on the sites of j, minus those on those of i */
  ed x[SITE_MAP_SITES][3];                          /* of j, the first less that of i                      */
  ei sum[SITES_SUMS];
  ei close;
  bool none; /* all are too far */
} Result;

/* Force over distance of Lennard-Jones at squared distance s; *energy unless NULL. */
VEC_INLINE ed lennard_jones(const SitesModel *m, const SitesPair *p, ed s, ed *energy)
{
  const ed u = 1.0 / s, u3 = u * u * u;
  const ed f = (12.0 * p->a * u3 - 6.0 * p->c) * (u3 * u);
  const ed v = (p->a * u3 - p->c) * u3 - p->shift;
  if (!m->switched) {
    *energy = v;
    return f;
  }
  const ed r = ed_sqrt(s), t = ed_max((r - m->switch_from) * m->switch_rate, ed_set(0.0));
  const ed slope = -30.0 * m->switch_rate * (t * t) * ((1.0 - t) * (1.0 - t));
  const ed factor = 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t));
  *energy = factor * v;
  return factor * f - v * slope / r;
}

/* Force over distance between site a of i and site b of j, with its energies in out->sum. */
VEC_INLINE ed force(const SitesModel *m, const SitesPair *p, int a, int b, ed s, ei counts, const bool energy,
                    Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS), qq = p->qq[a][b];
  ed f = ed_set(0.0);
  if (qq != 0.0) {
    const ExactPlace where = exact_locate(&m->tables, s);
    f = qq * (exact_polynomial(m->tables.exact_force, &where) - 2.0 * m->field);
    if (energy) {
      const ed e = qq * (exact_polynomial(m->tables.exact_energy, &where) + (m->field * s - m->constant));
      out->sum[1] += exact_integers(unit * exact_clear(counts, e));
    }
  }
  if (a + b == 0) {
    ed e;
    f += lennard_jones(m, p, s, &e);
    if (energy)
      out->sum[0] += exact_integers(unit * exact_clear(counts, e));
  }
  return exact_clear(counts, f);
}

/* The sum over pairs of sites of r_x f_y, by what acts on each site. */
VEC_INLINE void add_virial(const double *i, const int ni, const int nj, Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS);
  for (int y = 0; y < 3; y++) {
    ed on_j = ed_set(0.0), on_i = ed_set(0.0);
    for (int b = 0; b < nj; b++)
      on_j += out->g[b][y];
    for (int a = 0; a < ni; a++)
      on_i += out->back[a][y];
    for (int x = 0; x < 3; x++) {
      ed inner_j = ed_set(0.0), inner_i = ed_set(0.0);
      for (int b = 1; b < nj; b++)
        inner_j += out->x[b][x] * out->g[b][y];
      for (int a = 1; a < ni; a++)
        inner_i += i[4 * a + x] * out->back[a][y];
      const ed w = out->x[0][x] * (0.5 * (on_j + on_i)) + (inner_j - inner_i);
      out->sum[2 + 3 * x + y] = exact_integers(unit * w);
    }
  }
}

VEC_INLINE void several(const SitesModel *m, const SitesPair *p, const double *row, const double *i,
                        const int32_t *j, int left, const int ni, const int nj, const bool energy,
                        Result *out)
{
  exact_rows(row, m->stride, j, out->x[0]);
  ed r2 = ed_set(0.0);
  for (int k = 0; k < 3; k++) {
    const ed d = out->x[0][k] - i[k];
    out->x[0][k] = d - m->length[k] * exact_whole(d * m->inverse[k]);
    r2 = exact_fused(out->x[0][k], out->x[0][k], r2);
  }
  const ei within = exact_first(left) & (r2 < p->far2);
  out->none = ei_bits(within) == 0;
  if (out->none)
    return;
  out->close = within & (r2 < p->near);
  for (int b = 1; b < nj; b++)
    exact_rows(row + 4 * b, m->stride, j, out->x[b]);
  for (int a = 0; a < ni; a++)
    for (int k = 0; k < 3; k++)
      out->back[a][k] = ed_set(0.0);
  for (int b = 0; b < nj; b++)
    for (int k = 0; k < 3; k++)
      out->g[b][k] = ed_set(0.0);
  for (int t = 0; energy && t < 2; t++)
    out->sum[t] = (ei){0};
  for (int a = 0; a < ni; a++)
    for (int b = 0; b < nj; b++) {
      if (a + b > 0 && p->qq[a][b] == 0.0)
        continue;
      ed r[3], s = r2;
      for (int k = 0; k < 3; k++)
        r[k] = out->x[0][k] + ((b > 0 ? out->x[b][k] : ed_set(0.0)) - (a > 0 ? i[4 * a + k] : 0.0));
      if (a + b > 0) {
        s = exact_fused(r[2], r[2], exact_fused(r[1], r[1], r[0] * r[0]));
        out->close |= within & (s < m->tables.exact_low);
      }
      const ei counts = m->by_atom ? within & (s < m->cutoff2) : within;
      const ed f = force(m, p, a, b, s, counts, energy, out);
      for (int k = 0; k < 3; k++) {
        out->g[b][k] = exact_fused(f, r[k], out->g[b][k]);
        out->back[a][k] = exact_fused(f, r[k], out->back[a][k]);
      }
    }
  if (energy)
    add_virial(i, ni, nj, out);
}

/* Place i against its partners of one block. */
VEC_INLINE void partners(const SitesModel *m, const SitesPair *p, const SitesWork *work, int i, int begin,
                         int end, const double *row, int64_t *force_row, int64_t *sums, const int ni,
                         const int nj, const bool energy)
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS);
  eu own[SITE_MAP_SITES][3] = {0};
  eu total[SITES_SUMS] = {0};
  for (int k = begin; k < end; k += EXACT_LANES) {
    const int32_t *const j = work->j + k;
    Result r;
    several(m, p, row, row + (size_t)i * m->stride, j, end - k, ni, nj, energy, &r);
    if (r.none)
      continue;
    const unsigned close = ei_bits(r.close);
    if (close != 0 && work->fault->i < 0)
      *work->fault = (BulkFault){i, j[__builtin_ctz(close)]};
    if (close != 0)
      continue; /* nothing of use comes of this, nor could all of it be an integer */
    for (int b = 0; b < nj; b++) {
      ei g[3];
      for (int d = 0; d < 3; d++)
        g[d] = exact_integers(unit * r.g[b][d]);
      exact_add_rows(force_row + 4 * b, m->stride, j, g);
    }
    for (int a = 0; a < ni; a++)
      for (int d = 0; d < 3; d++)
        own[a][d] += (eu)exact_integers(unit * r.back[a][d]);
    for (int t = 0; energy && t < SITES_SUMS; t++)
      total[t] += (eu)r.sum[t];
  }
  int64_t *const mine = force_row + (size_t)i * m->stride;
  for (int a = 0; a < ni; a++)
    for (int d = 0; d < 3; d++)
      mine[4 * a + d] = (int64_t)((uint64_t)mine[4 * a + d] - exact_sum(own[a][d]));
  for (int t = 0; energy && t < SITES_SUMS; t++)
    sums[t] = (int64_t)((uint64_t)sums[t] + exact_sum(total[t]));
}

VEC_INLINE void run(const SitesModel *m, const SitesWork *work, const double *row, int64_t *force_row,
                    int64_t *sums, const bool energy)
{
  for (int i = work->first; i < work->last; i++)
    for (int b = 0; b < m->nblock; b++) {
      const int at = i * m->nblock + b, begin = work->begin[at], end = work->end[at];
      const SitesPair *const p = &m->pair[work->block[i]][b];
      if (begin == end)
        continue;
      if (p->ni == 1 && p->nj == 1)
        partners(m, p, work, i, begin, end, row, force_row, sums, 1, 1, energy);
      else if (p->ni == 3 && p->nj == 3)
        partners(m, p, work, i, begin, end, row, force_row, sums, 3, 3, energy);
      else
        partners(m, p, work, i, begin, end, row, force_row, sums, p->ni, p->nj, energy);
    }
}

static void chunk(const SitesModel *model, const SitesWork *work, const double *row, int64_t *force_row,
                  int64_t *sums)
{
  if (sums == NULL)
    run(model, work, row, force_row, NULL, false);
  else
    run(model, work, row, force_row, sums, true);
}

const SitesKernels ISA_SYMBOL(sites_kernels_table) = {chunk};
