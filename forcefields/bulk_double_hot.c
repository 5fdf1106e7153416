/* Water on water in double, one molecule against a register full of its list at a time; energies and virial.
 * As in bulk_hot.c, molecules may change places without a trace. */
#include "forcefields/exact.h"

/* What a register full of molecules gets. */
typedef struct Result {
  ed g[3][3], back[3][3]; /* forces on the sites of j, minus those on the sites of i */
  ed sum[BULK_SUMS];
  ei close;
} Result;

VEC_INLINE void several(const BulkModel *m, const double *row, const double *i, const int32_t *j, int left,
                        const bool energy, Result *out)
{
  ed x[3][3];
  for (int b = 0; b < 3; b++)
    exact_rows(row + 4 * b, BULK_ROW, j, x[b]);
  for (int k = 0; k < 3; k++) {
    const ed d = x[0][k] - i[k];
    x[0][k] = d - m->length[k] * exact_whole(d / m->length[k]);
  }
  ei counts = exact_first(left);
  ed sum[3][BULK_SUMS] = {0}; /* a = b, a < b, a > b: the last two change places with the molecules */
  out->close = (ei){0};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      ed r[3], *const part = sum[a == b ? 0 : (a < b ? 1 : 2)];
      for (int k = 0; k < 3; k++)
        r[k] = b == 0 ? (a == 0 ? x[0][k] : x[0][k] - i[4 * a + k])
                      : (a == 0 ? x[0][k] + x[b][k] : x[0][k] + (x[b][k] - i[4 * a + k]));
      const ed s = exact_fused(r[2], r[2], exact_fused(r[1], r[1], r[0] * r[0]));
      if (a + b == 0)
        counts &= s < m->cutoff2;
      out->close |= counts & (s < (a + b == 0 ? (double)m->near_exact : m->tables.exact_low));
      const ExactPlace where = exact_locate(&m->tables, s);
      const double qq = m->qq[(a > 0) + (b > 0)];
      ed f = qq * exact_polynomial(m->tables.exact_force, &where);
      if (energy)
        part[1] += exact_clear(counts, qq * exact_polynomial(m->tables.exact_energy, &where));
      if (a + b == 0) {
        const ed u = 1.0 / s, u3 = u * u * u;
        f += (12.0 * m->a * u3 - 6.0 * m->c) * (u3 * u);
        if (energy)
          part[0] = exact_clear(counts, (m->a * u3 - m->c) * u3);
      }
      f = exact_clear(counts, f);
      for (int k = 0; k < 3; k++) {
        out->g[b][k] = a == 0 ? f * r[k] : exact_fused(f, r[k], out->g[b][k]);
        out->back[a][k] = b == 0 ? f * r[k] : exact_fused(f, r[k], out->back[a][k]);
      }
      if (energy)
        for (int k = 0; k < 9; k++)
          part[2 + k] += f * r[k / 3] * r[k % 3];
    }
  for (int t = 0; energy && t < BULK_SUMS; t++)
    out->sum[t] = sum[0][t] + (sum[1][t] + sum[2][t]);
}

/* Entries behind the end of a list are i itself, with no force. */
VEC_INLINE void add_forces(const Result *r, const int32_t *j, int64_t *force, eu own[3][3])
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS);
  for (int b = 0; b < 3; b++) {
    ei g[3];
    for (int k = 0; k < 3; k++) {
      g[k] = exact_integers(unit * r->g[b][k]);
      own[b][k] += (eu)exact_integers(unit * r->back[b][k]); /* may wrap on the way */
    }
    exact_add_rows(force + 4 * b, BULK_ROW, j, g);
  }
}

/* Molecule i against its list. */
VEC_INLINE void one(const BulkModel *model, const BulkWork *work, int i, const double *row, int64_t *force,
                    const bool energy, eu total[BULK_SUMS])
{
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS);
  eu own[3][3] = {0};
  for (int k = work->begin[i]; k < work->end[i]; k += EXACT_LANES) {
    const int32_t *const j = work->chunk->j + k;
    Result r;
    several(model, row, row + (size_t)i * BULK_ROW, j, work->end[i] - k, energy, &r);
    const unsigned close = ei_bits(r.close);
    if (close != 0 && work->fault->i < 0)
      *work->fault = (BulkFault){i, j[__builtin_ctz(close)]};
    if (close != 0)
      continue; /* nothing of use comes of this, nor could all of it be an integer */
    if (force != NULL)
      add_forces(&r, j, force, own);
    for (int t = 0; energy && t < BULK_SUMS; t++)
      total[t] += (eu)exact_integers(unit * r.sum[t]);
  }
  for (int b = 0; force != NULL && b < 3; b++)
    for (int k = 0; k < 3; k++) {
      int64_t *const f = force + (size_t)i * BULK_ROW + (size_t)(4 * b + k);
      for (int l = 0; l < EXACT_LANES; l++)
        *f = (int64_t)((uint64_t)*f - own[b][k][l]);
    }
}

VEC_INLINE void run(const BulkModel *model, const BulkWork *work, const double *row, int64_t *force,
                    int64_t *sums, const bool energy)
{
  eu total[BULK_SUMS] = {0};
  for (int i = work->chunk->first; i < work->chunk->last; i++)
    one(model, work, i, row, force, energy, total);
  for (int t = 0; energy && t < BULK_SUMS; t++)
    for (int l = 0; l < EXACT_LANES; l++)
      sums[t] = (int64_t)((uint64_t)sums[t] + total[t][l]);
}

static void chunk(const BulkModel *model, const BulkWork *work, const double *row, int64_t *force,
                  int64_t *sums)
{
  if (sums == NULL)
    run(model, work, row, force, NULL, false);
  else
    run(model, work, row, force, sums, true);
}

const BulkDoubleKernels ISA_SYMBOL(bulk_double_table) = {chunk};
