/* One molecule with a register of partners from its list, all of one kind. Exchanging the molecules of a pair
 * changes only the sign of its forces. */
#include "forcefields/images_vec.h"
#include "forcefields/sites_kernels.h"
#include "forcefields/sites_vec.h"

/* Results for a register of partners. */
typedef struct Result {
  vd g[SITE_MAP_SITES][3], back[SITE_MAP_SITES][3]; /* forces on the sites of j, minus those on those of i */
  vi sum[WATER_FLOAT_SUMS];
  vi close;
  bool none; /* all are beyond the cutoff */
} Result;

/* Constants of a kernel: sites of i and of j, pairs of them that act, which of them are charged (SitesPair),
 * which are individual atoms, and whether energies are computed. */
typedef struct Shape {
  int ni, nj, npair;
  SitesCharges charges;
  int atoms;
  bool energy;
} Shape;

/* For individual atoms: A, C, shift and near of a pair of types, and the charge of one or the product of
 * both. */
typedef struct Types {
  vd lj[SITES_TYPE], charge;
} Types;

/* The first charged site, if constant. */
VEC_INLINE int least_charged(const Shape v) { return v.charges == SITES_CHARGED_BUT_FIRST; }

/* The sites of pair n, of i and of j. */
VEC_INLINE void find_pair(const Shape v, const SitesPair *p, int n, int *a, int *b)
{
  const int least = least_charged(v), wide = v.nj - least, k = n - least;
  if (v.charges == SITES_CHARGED_ANY) {
    *a = p->site[n][0];
    *b = p->site[n][1];
  } else {
    *a = k < 0 ? 0 : least + k / wide;
    *b = k < 0 ? 0 : least + k % wide;
  }
}

typedef vd Molecules[SITE_MAP_SITES][3]; /* sites relative to the first */

/* The vector from site a of i to site b of j, whose first sites are d apart. */
VEC_INLINE void between(const Shape v, const vd d[3], Molecules i, Molecules j, int a, int b, vd r[3])
{
  const bool fixed = v.charges != SITES_CHARGED_ANY;
  UNROLL
  for (int k = 0; k < 3; k++)
    if (fixed && a == 0)
      r[k] = b == 0 ? d[k] : d[k] + j[b][k];
    else
      r[k] = fixed && b == 0 ? d[k] - i[a][k] : d[k] + (j[b][k] - i[a][k]);
}

VEC_INLINE vd square(const vd r[3]) { return vd_fma(r[2], r[2], vd_fma(r[1], r[1], r[0] * r[0])); }

/* First sites: minus the derivative of Lennard-Jones over the distance, and its energy; the switch at that
 * distance, and minus its derivative over the distance. */
typedef struct Contact {
  vd lj, lj_energy, share, slope;
} Contact;

/* The cubic that a force switch adds. */
VEC_INLINE void bend(const SitesModel *m, vd a, vd c, vd r, vd t, Contact *out)
{
  const LjBend *const twelve = &m->bend[0], *const six = &m->bend[1];
  const vd second = a * twelve->a - c * six->a, third = a * twelve->b - c * six->b, t2 = t * t;
  out->lj += t2 * (second + third * t) / r;
  out->lj_energy -= t2 * (t / m->switch_rate) * ((1.0 / 3.0) * second + 0.25 * third * t);
}

VEC_INLINE Contact first_sites(const SitesModel *m, const SitesPair *p, const Shape v, const Types *types,
                               vd s)
{
  const vd u = 1.0 / s, u3 = u * u * u, *const lj = types->lj;
  Contact c = {.lj = v.atoms == 0 ? (12.0 * p->a * u3 - 6.0 * p->c) * (u3 * u)
                                  : (12.0 * lj[0] * u3 - 6.0 * lj[1]) * (u3 * u),
               .lj_energy =
                   v.atoms == 0 ? (p->a * u3 - p->c) * u3 - p->shift : (lj[0] * u3 - lj[1]) * u3 - lj[2]};
  if (m->switching == WATER_FLOAT_SWITCH_NOTHING)
    return c;
  const vd r = vd_sqrt(s), t = vd_max((r - m->switch_from) * m->switch_rate, vd_set(0.0)), rest = 1.0 - t;
  c.share = 1.0 - t * (t * t) * (10.0 - t * (15.0 - 6.0 * t));
  c.slope = 30.0 * m->switch_rate * (t * t) * (rest * rest) / r;
  if (m->switching == WATER_FLOAT_SWITCH_LJ) {
    c.lj = c.share * c.lj + c.slope * c.lj_energy;
    c.lj_energy *= c.share;
  } else if (m->switching == WATER_FLOAT_SWITCH_FORCE)
    bend(m, v.atoms == 0 ? vd_set(p->a) : lj[0], v.atoms == 0 ? vd_set(p->c) : lj[1], r, t, &c);
  return c;
}

enum { PAIRS = SITE_MAP_SITES * SITE_MAP_SITES };

/* C q q of pair n of sites, times f. */
VEC_INLINE vd product(const SitesPair *p, const Shape v, const Types *types, int n, vd f)
{
  if (v.atoms == 0)
    return p->qq[n] * f;
  return (v.atoms == SITES_ATOMS ? types->charge : p->qq[n] * types->charge) * f;
}

/* Lanes in which a pair of sites at squared distance s counts; single sites are within the cutoff. */
VEC_INLINE vi counting(const SitesModel *m, const SitesPair *p, const Shape v, vd s, vi within)
{
  return p->by_atom && (v.ni > 1 || v.nj > 1) ? within & (s < m->cutoff2) : within;
}

/* Forces over distances f of all pairs from their table positions, in lanes `within` and, by atom, at squared
 * distances s; returns the energy of the charges, summed symmetrically in i and j. */
VEC_INLINE vd charges(const SitesModel *m, const SitesPair *p, const Shape v, const Types *types,
                      const ExactInterval *where, const vd *s, vi within, vd *f)
{
  vd on_i[SITE_MAP_SITES] = {{0}}, on_j[SITE_MAP_SITES] = {{0}}, sum = vd_set(0.0);
  UNROLL
  for (int n = 0; n < v.npair; n++) {
    int a, b;
    find_pair(v, p, n, &a, &b);
    if (n == 0 && p->qq[0] == 0.0) {
      f[n] = vd_set(0.0);
      continue;
    }
    const vi counts = counting(m, p, v, s[n], within);
    f[n] = vd_where(counts, product(p, v, types, n, exact_polynomial(m->tables.force, &where[n])));
    if (v.energy) {
      const vd e = vd_where(counts, product(p, v, types, n, exact_polynomial(m->tables.energy, &where[n])));
      on_i[a] += e;
      on_j[b] += e;
    }
  }
  for (int a = 0; v.energy && a < v.ni; a++)
    sum += on_i[a];
  vd other = vd_set(0.0);
  for (int b = 0; v.energy && b < v.nj; b++)
    other += on_j[b];
  return 0.5 * (sum + other);
}

/* Adds Lennard-Jones to the forces over distances f, and switches whole pairs of molecules off. Energies go
 * to out->sum; `real` is that of the charges. */
VEC_INLINE void add_first_sites(const SitesModel *m, const SitesPair *p, const Shape v, const Types *types,
                                vd r2, vi within, vd real, vd *f, Result *out)
{
  const double unit = (double)(INT64_C(1) << WATER_FLOAT_SUM_BITS);
  const vi counts = counting(m, p, v, r2, within);
  Contact c = first_sites(m, p, v, types, r2);
  if (v.energy && m->switching == WATER_FLOAT_SWITCH_MOLECULES) {
    UNROLL
    for (int n = 0; n < v.npair; n++)
      f[n] = vd_where(within, f[n] * c.share);
    c.lj = c.share * c.lj + c.slope * (c.lj_energy + real);
    c.lj_energy *= c.share;
    real *= c.share;
  }
  f[0] += vd_where(counts, c.lj);
  if (v.energy) {
    out->sum[0] = vd_integer(unit * vd_where(counts, c.lj_energy));
    out->sum[1] = vd_integer(unit * vd_where(within, real));
  }
}

/* Forces of all pairs of sites. Three phases, with barriers where registers are few: squared distances and
 * table positions; forces over distance; forces, with differences recomputed. */
VEC_INLINE void all_sites(const SitesModel *m, const SitesPair *p, const Shape v, const Types *types, vd d[3],
                          Molecules i, Molecules j, vd r2, vi within, Result *out)
{
  ExactInterval where[PAIRS];
  vd s[PAIRS], f[PAIRS], r[3], least = r2;
  int a, b;
  UNROLL
  for (int n = 0; n < v.npair; n++) {
    find_pair(v, p, n, &a, &b);
    between(v, d, i, j, a, b, r);
    s[n] = n == 0 ? r2 : square(r);
    least = vd_min(least, s[n]);
    exact_locate(s[n], &where[n]);
  }
  /* The tables are for charges: uncharged atoms have no least distance. */
  const vi beyond = v.atoms == 0 ? (least < p->low) : (least < p->low) & (types->charge != 0.0);
  out->close = within & ((v.atoms == 0 ? r2 < p->near : r2 < types->lj[3]) | beyond);
  EXACT_PHASE(where);
  const vd real = charges(m, p, v, types, where, s, within, f);
  add_first_sites(m, p, v, types, r2, within, real, f, out);
  EXACT_PHASE(f);
  EXACT_PHASE(d);
  UNROLL
  for (int n = 0; n < v.npair; n++) {
    find_pair(v, p, n, &a, &b);
    between(v, d, i, j, a, b, r);
    UNROLL
    for (int k = 0; k < 3; k++) { /* with constant shapes, first pairs store instead of adding to zero */
      const bool fresh_j = v.charges != SITES_CHARGED_ANY && a <= (b > 0 ? least_charged(v) : 0);
      const bool fresh_i = v.charges != SITES_CHARGED_ANY && b <= (a > 0 ? least_charged(v) : 0);
      out->g[b][k] = fresh_j ? f[n] * r[k] : vd_fma(f[n], r[k], out->g[b][k]);
      out->back[a][k] = fresh_i ? f[n] * r[k] : vd_fma(f[n], r[k], out->back[a][k]);
    }
  }
}

/* The sum over pairs of molecules of d_x F_y, d the vector of their first sites. */
VEC_INLINE void add_virial(const Shape v, const vd d[3], Result *out)
{
  const double unit = (double)(INT64_C(1) << WATER_FLOAT_SUM_BITS);
  for (int y = 0; y < 3; y++) {
    vd on_j = vd_set(0.0), on_i = vd_set(0.0);
    for (int b = 0; b < v.nj; b++)
      on_j += out->g[b][y];
    for (int a = 0; a < v.ni; a++)
      on_i += out->back[a][y];
    for (int x = 0; x < 3; x++)
      out->sum[2 + 3 * x + y] = vd_integer(unit * (d[x] * (0.5 * (on_j + on_i))));
  }
}

/* The nearest image in an oblique box. */
static __attribute__((noinline)) void lean(const SitesModel *m, vd d[3])
{
  const Box *const box = m->box;
  vd whole[3];
  for (int k = 0; k < 3; k++) {
    vd u = d[k] * box->inverse[k][k];
    for (int e = k + 1; e < 3; e++)
      u += d[e] * box->inverse[e][k];
    whole[k] = vd_whole(u);
  }
  for (int k = 0; k < 3; k++)
    for (int e = 0; e <= k; e++)
      d[e] -= box->h[k][e] * whole[k];
  images_doubles(&m->images, d);
}

/* Place i with those at j; `charge` are the charges of j if they are atoms. */
VEC_INLINE void find_types(const SitesModel *m, const SitesWork work, const Shape v, int i, const int32_t *j,
                           vd charge, Types *types)
{
  ExactOffsets at;
  UNROLL
  for (int l = 0; l < WIDTH; l++)
    at.at[l] = (uint64_t)work.type[j[l]] * sizeof *m->lj;
  vd_gather4(m->lj[(ptrdiff_t)work.type[i] * m->ntype], at.at, types->lj);
  const double own = work.row[(size_t)i * m->stride + 3];
  types->charge = v.atoms == SITES_ATOMS ? own * charge : vd_set(own);
}

/* Molecule i with a register of molecules at j; the first `left` count. */
VEC_INLINE void act_on_register(const SitesModel *m, const SitesPair *p, const SitesWork work, int place,
                                const vd first[3], Molecules i, const int32_t *at, const ExactOffsets *rows,
                                int left, const Shape v, Result *out)
{
  const double *const row = work.row;
  vd d[4];
  Molecules j;
  if (v.atoms != 0)
    vd_gather4(row, rows->at, d);
  else
    exact_rows(row, rows, d);
  UNROLL
  for (int k = 0; k < 3; k++) {
    d[k] -= first[k];
    j[0][k] = vd_set(0.0);
  }
  if (__builtin_expect(m->oblique, 0)) {
    vd r[3] = {d[0], d[1], d[2]};
    lean(m, r);
    memcpy(d, r, sizeof r);
  } else {
    UNROLL
    for (int k = 0; k < 3; k++)
      d[k] -= m->box->h[k][k] * vd_whole(d[k] * m->box->inverse[k][k]);
  }
  const vd r2 = square(d);
  const vi within = (vi_lanes() < (int64_t)left) & (r2 < p->far2);
  out->none = vi_bits(within) == 0;
  if (out->none)
    return;
  UNROLL
  for (int b = 1; b < v.nj; b++)
    exact_rows(row + 4 * b, rows, j[b]);
  if (v.charges == SITES_CHARGED_ANY) {
    memset(out->g, 0, sizeof out->g);
    memset(out->back, 0, sizeof out->back);
  }
  Types types;
  if (v.atoms != 0)
    find_types(m, work, v, place, at, d[3], &types);
  all_sites(m, p, v, &types, d, i, j, r2, within, out);
  if (v.energy)
    add_virial(v, d, out);
}

/* Place i with its partners of one bucket. */
VEC_INLINE void partners(const SitesModel *m, const SitesPair *p, const SitesWork work, int i, int begin,
                         int end, const Shape v)
{
  const WaterFloatPairs *const pairs = &work.pairs;
  const double unit = (double)(INT64_C(1) << WATER_FLOAT_EXACT_BITS);
  vu own[SITE_MAP_SITES][3] = {0};
  vu total[WATER_FLOAT_SUMS] = {0};
  const double *const x = work.row + (size_t)i * m->stride;
  const vd first[3] = {vd_set(x[0]), vd_set(x[1]), vd_set(x[2])};
  Molecules sites;
  for (int a = 0; a < v.ni; a++)
    for (int d = 0; d < 3; d++)
      sites[a][d] = vd_set(a > 0 ? x[4 * a + d] : 0.0);
  for (int k = begin; k < end; k += WIDTH) {
    ExactOffsets rows;
    Result r;
    exact_find_rows(pairs->j + k, m->stride, &rows);
    act_on_register(m, p, work, i, first, sites, pairs->j + k, &rows, end - k, v, &r);
    if (r.none)
      continue;
    const unsigned close = vi_bits(r.close);
    if (close != 0 && pairs->fault->i < 0)
      *pairs->fault = (WaterFloatFault){i, pairs->j[k + __builtin_ctz(close)]};
    if (close != 0)
      continue; /* the result is unusable, and may not fit an integer */
    UNROLL
    for (int b = 0; b < v.nj; b++) {
      vi g[3];
      UNROLL
      for (int d = 0; d < 3; d++)
        g[d] = vd_integer(unit * r.g[b][d]);
      exact_add_rows(work.force + 4 * b, &rows, g);
    }
    UNROLL
    for (int a = 0; a < v.ni; a++)
      UNROLL
    for (int d = 0; d < 3; d++)
      own[a][d] += (vu)vd_integer(unit * r.back[a][d]);
    for (int t = 0; v.energy && t < WATER_FLOAT_SUMS; t++)
      total[t] += (vu)r.sum[t];
  }
  int64_t *const mine = work.force + (size_t)i * m->stride;
  for (int a = 0; a < v.ni; a++)
    for (int d = 0; d < 3; d++)
      mine[4 * a + d] = (int64_t)((uint64_t)mine[4 * a + d] - vu_sum(own[a][d]));
  for (int t = 0; v.energy && t < WATER_FLOAT_SUMS; t++)
    work.sums[t] = (int64_t)((uint64_t)work.sums[t] + vu_sum(total[t]));
}

/* All of bucket a with their partners of bucket b. */
VEC_INLINE void bucket(const SitesModel *m, const SitesPair *p, const SitesWork work, int a, int b,
                       const Shape v)
{
  const WaterFloatPairs *const pairs = &work.pairs;
  for (int i = pairs->first[a]; i < pairs->last[a]; i++) {
    const int at = b * pairs->n + i;
    if (pairs->begin[at] < pairs->end[at])
      partners(m, p, work, i, pairs->begin[at], pairs->end[at], v);
  }
}

VEC_INLINE void run(const SitesModel *m, const SitesWork work, const bool energy)
{
#define PARTNERS(shape, ...)                                                                                 \
  case shape:                                                                                                \
    bucket(m, p, work, a, b, (Shape){__VA_ARGS__, energy});                                                  \
    break
  for (int a = 0; a < m->nbucket; a++)
    for (int b = 0; b <= a; b++) {
      const SitesPair *const p = &m->pair[a][b];
      switch (p->shape) {
        PARTNERS(SITES_3_3, 3, 3, 9, SITES_CHARGED, 0);
        PARTNERS(SITES_4_4, 4, 4, 10, SITES_CHARGED_BUT_FIRST, 0);
        PARTNERS(SITES_ANY, p->ni, p->nj, p->npair, SITES_CHARGED_ANY, 0);
        PARTNERS(SITES_ATOM_ATOM, 1, 1, 1, SITES_CHARGED, SITES_ATOMS);
        PARTNERS(SITES_ATOM_3, 1, 3, 3, SITES_CHARGED, SITES_ATOM_I);
        PARTNERS(SITES_ATOM_ANY, 1, p->nj, p->npair, SITES_CHARGED_ANY, SITES_ATOM_I);
      case SITES_WATER_FLOAT:
      case SITES_ATOMS_FLOAT:
        break;
      }
    }
#undef PARTNERS
}

static void chunk(const SitesModel *model, const SitesWork *work)
{
  int64_t unused[WATER_FLOAT_SUMS] = {0};
  SitesWork own = *work;
  if (own.sums == NULL && model->switching != WATER_FLOAT_SWITCH_MOLECULES) {
    run(model, own, false);
    return;
  }
  if (own.sums == NULL)
    own.sums = unused;
  run(model, own, true);
}

const SitesKernels ISA_SYMBOL(sites_kernels_table) = {chunk};
