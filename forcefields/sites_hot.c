/* One molecule against a register full of its list at a time, all of one kind. Each pair is computed so that
 * exchanging the molecules changes nothing but the sign of its forces. */
#include "forcefields/exact.h"
#include "forcefields/sites_kernels.h"

/* What a register full of partners gets. */
typedef struct Result {
  vd g[SITE_MAP_SITES][3], back[SITE_MAP_SITES][3]; /* forces on the sites of j, minus those on those of i */
  vd x[SITE_MAP_SITES][3];                          /* of j, the first less that of i                      */
  vi sum[SITES_SUMS];
  vi close;
  bool none; /* all are too far */
} Result;

/* Force over distance of Lennard-Jones at squared distance s; *energy unless NULL. */
VEC_INLINE vd lennard_jones(const SitesModel *m, const SitesPair *p, vd s, vd *energy)
{
  const vd u = 1.0 / s, u3 = u * u * u;
  const vd f = (12.0 * p->a * u3 - 6.0 * p->c) * (u3 * u);
  const vd v = (p->a * u3 - p->c) * u3 - p->shift;
  if (!m->switched) {
    *energy = v;
    return f;
  }
  const vd r = vd_sqrt(s), t = vd_max((r - m->switch_from) * m->switch_rate, vd_set(0.0));
  const vd slope = -30.0 * m->switch_rate * (t * t) * ((1.0 - t) * (1.0 - t));
  const vd factor = 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t));
  *energy = factor * v;
  return factor * f - v * slope / r;
}

/* What kernels are made for: sites of i and of j, whether all of them have charges, whether energies are
 * wanted. */
typedef struct Shape {
  int ni, nj;
  bool dense, energy;
} Shape;

VEC_INLINE bool acts(const Shape v, const SitesPair *p, int a, int b)
{
  return v.dense || a + b == 0 || p->qq[a][b] != 0.0;
}

/* Force over distance between site a of i and site b of j, with its energies in out->sum. */
VEC_INLINE vd force(const SitesModel *m, const SitesPair *p, const Shape v, int a, int b, vd s,
                    const ExactPlace *where, vi counts, Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS), qq = p->qq[a][b];
  vd f = vd_set(0.0);
  if (v.dense || qq != 0.0) {
    f = vd_where(counts, qq * (exact_polynomial(m->tables.exact_force, where) - 2.0 * m->field));
    if (v.energy) {
      const vd e = qq * (exact_polynomial(m->tables.exact_energy, where) + (m->field * s - m->constant));
      out->sum[1] += vd_integer(unit * vd_where(counts, e));
    }
  }
  if (a + b == 0) {
    vd e;
    f += vd_where(counts, lennard_jones(m, p, s, &e));
    if (v.energy)
      out->sum[0] += vd_integer(unit * vd_where(counts, e));
  }
  return f;
}

/* The sum over pairs of sites of r_x f_y, by what acts on each site. */
VEC_INLINE void add_virial(const double *i, const int ni, const int nj, Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS);
  for (int y = 0; y < 3; y++) {
    vd on_j = vd_set(0.0), on_i = vd_set(0.0);
    for (int b = 0; b < nj; b++)
      on_j += out->g[b][y];
    for (int a = 0; a < ni; a++)
      on_i += out->back[a][y];
    for (int x = 0; x < 3; x++) {
      vd inner_j = vd_set(0.0), inner_i = vd_set(0.0);
      for (int b = 1; b < nj; b++)
        inner_j += out->x[b][x] * out->g[b][y];
      for (int a = 1; a < ni; a++)
        inner_i += i[4 * a + x] * out->back[a][y];
      const vd w = out->x[0][x] * (0.5 * (on_j + on_i)) + (inner_j - inner_i);
      out->sum[2 + 3 * x + y] = vd_integer(unit * w);
    }
  }
}

/* From site a of i to site b of j. */
VEC_INLINE void between(const double *i, const Result *out, int a, int b, vd r[3])
{
  UNROLL
  for (int k = 0; k < 3; k++)
    r[k] = out->x[0][k] + ((b > 0 ? out->x[b][k] : vd_set(0.0)) - (a > 0 ? i[4 * a + k] : 0.0));
}

/* Forces of all pairs of sites. In phases, with barriers where not all of it fits the registers: squared
 * distances and where they are in the table; forces over distance; the same differences again, and forces. */
VEC_INLINE void all_sites(const SitesModel *m, const SitesPair *p, const double *i, vd r2, vi within,
                          const Shape v, Result *out)
{
  enum { PAIRS = SITE_MAP_SITES * SITE_MAP_SITES };
  ExactPlace where[PAIRS];
  vd s[PAIRS], f[PAIRS], r[3], least = r2;
  UNROLL
  for (int a = 0; a < v.ni; a++)
    UNROLL
  for (int b = 0; b < v.nj; b++) {
    const int n = a * v.nj + b;
    if (!acts(v, p, a, b))
      continue;
    between(i, out, a, b, r);
    s[n] = a + b == 0 ? r2 : vd_fma(r[2], r[2], vd_fma(r[1], r[1], r[0] * r[0]));
    least = vd_min(least, s[n]);
    exact_locate(s[n], &where[n]);
  }
  out->close = within & ((r2 < p->near) | (least < m->tables.exact_low));
  EXACT_PHASE(s);
  EXACT_PHASE(where);
  const vd far = vd_set(m->by_atom ? m->cutoff2 : (double)INFINITY);
  UNROLL
  for (int a = 0; a < v.ni; a++)
    UNROLL
  for (int b = 0; b < v.nj; b++) {
    const int n = a * v.nj + b;
    if (acts(v, p, a, b))
      f[n] = force(m, p, v, a, b, s[n], &where[n], within & (s[n] < far), out);
  }
  EXACT_PHASE(f);
  EXACT_PHASE(out->x);
  UNROLL
  for (int a = 0; a < v.ni; a++)
    UNROLL
  for (int b = 0; b < v.nj; b++) {
    const int n = a * v.nj + b;
    if (!acts(v, p, a, b))
      continue;
    between(i, out, a, b, r);
    UNROLL
    for (int k = 0; k < 3; k++) {
      out->g[b][k] = vd_fma(f[n], r[k], out->g[b][k]);
      out->back[a][k] = vd_fma(f[n], r[k], out->back[a][k]);
    }
  }
}

VEC_INLINE void several(const SitesModel *m, const SitesPair *p, const double *row, const double *i,
                        const ExactOffsets *j, int left, const Shape v, Result *out)
{
  exact_rows(row, j, out->x[0]);
  vd r2 = vd_set(0.0);
  UNROLL
  for (int k = 0; k < 3; k++) {
    const vd d = out->x[0][k] - i[k];
    out->x[0][k] = d - m->length[k] * vd_whole(d * m->inverse[k]);
    r2 = vd_fma(out->x[0][k], out->x[0][k], r2);
  }
  const vi within = (vi_lanes() < (int64_t)left) & (r2 < p->far2);
  out->none = vi_bits(within) == 0;
  if (out->none)
    return;
  UNROLL
  for (int b = 1; b < v.nj; b++)
    exact_rows(row + 4 * b, j, out->x[b]);
  UNROLL
  for (int k = 0; k < 3; k++) {
    UNROLL
    for (int a = 0; a < v.ni; a++)
      out->back[a][k] = vd_set(0.0);
    UNROLL
    for (int b = 0; b < v.nj; b++)
      out->g[b][k] = vd_set(0.0);
  }
  if (v.energy)
    out->sum[0] = out->sum[1] = (vi){0};
  all_sites(m, p, i, r2, within, v, out);
  if (v.energy)
    add_virial(i, v.ni, v.nj, out);
}

/* Place i against its partners of one block. */
VEC_INLINE void partners(const SitesModel *m, const SitesPair *p, const SitesWork *work, int i, int begin,
                         int end, const double *row, int64_t *force_row, int64_t *sums, const Shape v)
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS);
  vu own[SITE_MAP_SITES][3] = {0};
  vu total[SITES_SUMS] = {0};
  for (int k = begin; k < end; k += WIDTH) {
    ExactOffsets rows;
    Result r;
    exact_find_rows(work->j + k, m->stride, &rows);
    several(m, p, row, row + (size_t)i * m->stride, &rows, end - k, v, &r);
    if (r.none)
      continue;
    const unsigned close = vi_bits(r.close);
    if (close != 0 && work->fault->i < 0)
      *work->fault = (BulkFault){i, work->j[k + __builtin_ctz(close)]};
    if (close != 0)
      continue; /* nothing of use comes of this, nor could all of it be an integer */
    UNROLL
    for (int b = 0; b < v.nj; b++) {
      vi g[3];
      UNROLL
      for (int d = 0; d < 3; d++)
        g[d] = vd_integer(unit * r.g[b][d]);
      exact_add_rows(force_row + 4 * b, &rows, g);
    }
    UNROLL
    for (int a = 0; a < v.ni; a++)
      UNROLL
    for (int d = 0; d < 3; d++)
      own[a][d] += (vu)vd_integer(unit * r.back[a][d]);
    for (int t = 0; v.energy && t < SITES_SUMS; t++)
      total[t] += (vu)r.sum[t];
  }
  int64_t *const mine = force_row + (size_t)i * m->stride;
  for (int a = 0; a < v.ni; a++)
    for (int d = 0; d < 3; d++)
      mine[4 * a + d] = (int64_t)((uint64_t)mine[4 * a + d] - vu_sum(own[a][d]));
  for (int t = 0; v.energy && t < SITES_SUMS; t++)
    sums[t] = (int64_t)((uint64_t)sums[t] + vu_sum(total[t]));
}

static bool all_charged(const SitesPair *p)
{
  bool all = true;
  for (int a = 0; a < p->ni; a++)
    for (int b = 0; b < p->nj; b++)
      all &= p->qq[a][b] != 0.0;
  return all;
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
        partners(m, p, work, i, begin, end, row, force_row, sums, (Shape){1, 1, false, energy});
      else if (p->ni == 3 && p->nj == 3 && all_charged(p))
        partners(m, p, work, i, begin, end, row, force_row, sums, (Shape){3, 3, true, energy});
      else
        partners(m, p, work, i, begin, end, row, force_row, sums, (Shape){p->ni, p->nj, false, energy});
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
