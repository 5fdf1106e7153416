/* Loads, stores and table lookups of the mixed water kernel. */
#ifndef HOLONOM_FORCEFIELDS_WATER_FLOAT_VEC_H
#define HOLONOM_FORCEFIELDS_WATER_FLOAT_VEC_H

#include "forcefields/images_vec.h"
#include "forcefields/water_float_kernels.h"

/* --- rows ----------------------------------------------------------------------------------------------- */

/* A memory offset for each lane of a register, in bytes, of a row of molecules, forces or a table; used one
 * by one. */
typedef struct Offsets {
  uint32_t at[FLOATS];
} Offsets;

VEC_INLINE void find_rows(const int32_t *j, Offsets *offsets)
{
  vuf v;
  memcpy(&v, j, sizeof v);
  v *= (uint32_t)sizeof(WaterFloatRow);
  memcpy(offsets->at, &v, sizeof v);
}

/* Prefetches the rows of molecules j and of their forces: partners in a large box are far apart in memory. */
VEC_INLINE void prefetch_rows(const WaterFloatRow *row, const int32_t *force, const int32_t *j)
{
  UNROLL
  for (int l = 0; l < FLOATS; l++) {
    __builtin_prefetch(row + j[l]);
    __builtin_prefetch(force + WATER_FLOAT_INTS * (size_t)j[l], 1);
  }
}

/* Loads their sites: out[site][x, y, z]. */
VEC_INLINE void load_rows(const WaterFloatRow *row, const Offsets *offsets, vif out[3][3])
{
  UNROLL
  for (int b = 0; b < 3; b++) {
    vif v[4];
    UNROLL
    for (int m = 0; m < 4; m++)
      v[m] = vif_load_quads((const char *)row + 16 * b, offsets->at + m);
    vif_transpose(v, out[b]);
  }
}

/* A row of forces in registers. Loads always use the same pieces as stores, so that a recent store is
 * forwarded whole. */
typedef uint32_t Quad __attribute__((vector_size(16)));
#if defined(__AVX512F__)
typedef struct ForceRow {
  vuf all;
} ForceRow;
#elif defined(__AVX2__)
typedef struct ForceRow {
  vuf all; /* of O and H1 */
  Quad h2;
} ForceRow;
#else
typedef struct ForceRow {
  Quad o, h1, h2;
} ForceRow;
#endif

/* The rows of molecules whose sites are in registers, as many side by side as fit. The unused integers of a
 * row get meaningless sums. */
VEC_INLINE void join_rows(vif o, vif h1, vif h2, ForceRow row[FLOATS / 4])
{
#if defined(__AVX512F__)
  const vi low = __builtin_shufflevector((vi)o, (vi)h1, 0, 1, 2, 3, 8, 9, 10, 11), h = (vi)h2;
  const vi high = __builtin_shufflevector((vi)o, (vi)h1, 4, 5, 6, 7, 12, 13, 14, 15);
  row[0].all = (vuf)__builtin_shufflevector(low, h, 0, 1, 4, 5, 8, 9, 8, 9);
  row[1].all = (vuf)__builtin_shufflevector(low, h, 2, 3, 6, 7, 10, 11, 10, 11);
  row[2].all = (vuf)__builtin_shufflevector(high, h, 0, 1, 4, 5, 12, 13, 12, 13);
  row[3].all = (vuf)__builtin_shufflevector(high, h, 2, 3, 6, 7, 14, 15, 14, 15);
#elif defined(__AVX2__)
  row[0].all = (vuf)__builtin_shufflevector(o, h1, 0, 1, 2, 3, 8, 9, 10, 11);
  row[1].all = (vuf)__builtin_shufflevector(o, h1, 4, 5, 6, 7, 12, 13, 14, 15);
  row[0].h2 = (Quad)__builtin_shufflevector(h2, h2, 0, 1, 2, 3);
  row[1].h2 = (Quad)__builtin_shufflevector(h2, h2, 4, 5, 6, 7);
#else
  row[0] = (ForceRow){(Quad)o, (Quad)h1, (Quad)h2};
#endif
}

VEC_INLINE ForceRow sum_rows(ForceRow a, ForceRow b)
{
#if defined(__AVX512F__)
  return (ForceRow){a.all + b.all};
#elif defined(__AVX2__)
  return (ForceRow){a.all + b.all, a.h2 + b.h2};
#else
  return (ForceRow){a.o + b.o, a.h1 + b.h1, a.h2 + b.h2};
#endif
}

VEC_INLINE void add_quad(char *f, Quad g)
{
  Quad sum;
  memcpy(&sum, __builtin_assume_aligned(f, 16), sizeof sum);
  sum += g;
  memcpy(__builtin_assume_aligned(f, 16), &sum, sizeof sum);
}

/* The register as 16-byte pieces. */
VEC_INLINE void vuf_quads(vuf v, Quad quad[FLOATS / 4])
{
#if defined(__AVX512F__)
  quad[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  quad[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  quad[2] = __builtin_shufflevector(v, v, 8, 9, 10, 11);
  quad[3] = __builtin_shufflevector(v, v, 12, 13, 14, 15);
#elif defined(__AVX2__)
  quad[0] = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  quad[1] = __builtin_shufflevector(v, v, 4, 5, 6, 7);
#else
  quad[0] = (Quad)v;
#endif
}

/* The row at f += row. */
VEC_INLINE void add_row(char *f, ForceRow row)
{
#if defined(__AVX2__)
  vuf sum;
  memcpy(&sum, __builtin_assume_aligned(f, 64), sizeof sum);
  sum += row.all;
  memcpy(__builtin_assume_aligned(f, 64), &sum, sizeof sum);
#else
  add_quad(f, row.o);
  add_quad(f + 16, row.h1);
#endif
#if !defined(__AVX512F__)
  add_quad(f + 32, row.h2);
#endif
}

/* Forces += g; molecules may occur more than once. */
VEC_INLINE void scatter(int32_t *force, const Offsets *offsets, vif g[3][3])
{
  vif s[3][4];
  UNROLL
  for (int b = 0; b < 3; b++)
    vif_transpose_back(g[b], s[b]);
  UNROLL
  for (int m = 0; m < 4; m++) {
    ForceRow row[FLOATS / 4];
    join_rows(s[0][m], s[1][m], s[2][m], row);
    UNROLL
    for (int q = 0; q < FLOATS / 4; q++)
      add_row((char *)force + offsets->at[m + 4 * q], row[q]);
  }
}

/* The row at f -= the sum of g over its lanes. */
VEC_INLINE void subtract(int32_t *f, vuf g[3][3])
{
  vif s[3], r[4];
  ForceRow row[FLOATS / 4];
  UNROLL
  for (int a = 0; a < 3; a++) {
    const vif v[3] = {(vif)-g[a][0], (vif)-g[a][1], (vif)-g[a][2]};
    vif_transpose_back(v, r);
    s[a] = (vif)(((vuf)r[0] + (vuf)r[1]) + ((vuf)r[2] + (vuf)r[3]));
  }
  join_rows(s[0], s[1], s[2], row);
  UNROLL
  for (int q = 1; q < FLOATS / 4; q++)
    row[0] = sum_rows(row[0], row[q]);
  add_row((char *)f, row[0]);
}

/* --- tables --------------------------------------------------------------------------------------------- */

#if defined(__AVX512F__)
/* In registers, or in memory if too many. */
typedef struct Table {
  vf low[WATER_FLOAT_DEGREE + 1], high[WATER_FLOAT_DEGREE + 1];
} Table;
typedef vif Where;

VEC_INLINE Table table_load(const WaterFloatTable *t)
{
  Table r;
  UNROLL
  for (int k = 0; k <= WATER_FLOAT_DEGREE; k++) {
    memcpy(&r.low[k], t->coarse[k], sizeof r.low[k]);
    memcpy(&r.high[k], t->coarse[k] + FLOATS, sizeof r.high[k]);
  }
  return r;
}

/* vf_choose reads five bits. */
VEC_INLINE void table_find(vf s, Where *where) { *where = (vif)((vuf)s >> (23 - WATER_FLOAT_COARSE_BITS)); }

VEC_INLINE vf table_value(const Table *t, const Where *where, vf s)
{
  vf f = vf_choose(t->low[WATER_FLOAT_DEGREE], t->high[WATER_FLOAT_DEGREE], *where);
  UNROLL
  for (int k = WATER_FLOAT_DEGREE - 1; k >= 0; k--)
    f = vf_fma(f, s, vf_choose(t->low[k], t->high[k], *where));
  return f;
}
#else
typedef const WaterFloatTable *Table;
typedef Offsets Where;

VEC_INLINE Table table_load(const WaterFloatTable *t) { return t; }

/* Shifts the bits that choose an interval to a byte offset. */
VEC_INLINE void table_find(vf s, Where *where)
{
  enum { BYTES = 4 /* log2 of a row's */ };
  const vuf at = ((vuf)s >> (23 - WATER_FLOAT_FINE_BITS - BYTES)) & ((WATER_FLOAT_FINE - 1) << BYTES);
  memcpy(where->at, &at, sizeof at);
}

VEC_INLINE vf table_value(const Table *table, const Where *where, vf s)
{
  vif v[4], c[3];
  UNROLL
  for (int m = 0; m < 4; m++)
    v[m] = vif_load_quads((*table)->fine, where->at + m);
  vif_transpose(v, c);
  return vf_fma(vf_fma((vf)c[2], s, (vf)c[1]), s, (vf)c[0]);
}
#endif

/* --- molecules ------------------------------------------------------------------------------------------ */

/* a b rounded to the grid, by adding and subtracting a large number. */
VEC_INLINE vf on_grid(vf grid, vf a, vf b) { return vf_fma(a, b, grid) - grid; }

/* o: fractions of the box; at: the charged sites, relative to O. */
typedef struct Molecule {
  vuf o[3];
  vf at[3][3];
} Molecule;

VEC_INLINE void place_virtual(const bool four, vf grid, vf weight, Molecule *m)
{
  UNROLL
  for (int k = 0; k < 3; k++)
    m->at[0][k] = four ? on_grid(grid, weight, m->at[1][k] + m->at[2][k]) : (vf){0};
}

VEC_INLINE Molecule one(const bool four, vf grid, vf weight, const WaterFloatRow *row)
{
  Molecule m;
  UNROLL
  for (int k = 0; k < 3; k++) {
    m.o[k] = (vuf){0} + (uint32_t)row->o[k];
    m.at[1][k] = (vf){0} + row->h1[k];
    m.at[2][k] = (vf){0} + row->h2[k];
  }
  place_virtual(four, grid, weight, &m);
  return m;
}

VEC_INLINE Molecule load_molecules(const bool four, vf grid, vf weight, const WaterFloatRow *row,
                                   const Offsets *j)
{
  Molecule m;
  vif in[3][3];
  load_rows(row, j, in);
  UNROLL
  for (int k = 0; k < 3; k++) {
    m.o[k] = (vuf)in[0][k];
    m.at[1][k] = (vf)in[1][k];
    m.at[2][k] = (vf)in[2][k];
  }
  place_virtual(four, grid, weight, &m);
  return m;
}

/* --- shared by pairs ------------------------------------------------------------------------------------ */

/* Progress of a switch at the squared distance s, y = 1/sqrt(s): t = per r - start, or 0. */
VEC_INLINE vf progress(vf start, vf per, vf s, vf y)
{
  const vf x = vf_fma(s * y, per, -start);
  return (vf)((vif)x & ~((vif)x >> 31));
}

/* The cubic of a force switch, t^2 (p[0] + p[1] t), over the distance; subtracts its work from the energy. */
VEC_INLINE vf bent(vf start, vf per, const vf p[2], const vf work[2], vf s, vf *energy)
{
  const vf y = vf_rsqrt(s), t = progress(start, per, s, y), t2 = t * t;
  *energy -= (t2 * t) * vf_fma(work[1] * p[1], t, work[0] * p[0]);
  return (t2 * y) * vf_fma(p[1], t, p[0]);
}

/* The switching function of the squared distance s, t = per r - start, and minus its derivative over the
 * distance, times the unit of forces over that of energies. */
VEC_INLINE vf switched(vf start, vf per, vf rate, vf s, vf *slope)
{
  const vf y = vf_rsqrt(s), t = progress(start, per, s, y), rest = 1.0f - t;
  *slope = rate * (t * t) * (rest * rest) * y;
  return 1.0f - t * (t * t) * (10.0f - t * (15.0f - 6.0f * t));
}

/* The vector of wrapped fractions d[3] in an oblique box. */
VEC_INLINE void nearest_image(const double (*h)[3], const Images *images, vf d[3])
{
  const vf u[3] = {d[0], d[1], d[2]};
  d[0] = vf_fma(u[0], vf_set(h[0][0]), vf_fma(u[1], vf_set(h[1][0]), u[2] * vf_set(h[2][0])));
  d[1] = vf_fma(u[1], vf_set(h[1][1]), u[2] * vf_set(h[2][1]));
  d[2] = u[2] * vf_set(h[2][2]);
  images_floats(images, d);
}

VEC_INLINE vf square(const vf r[3]) { return vf_fma(r[2], r[2], vf_fma(r[1], r[1], r[0] * r[0])); }

/* Moves the force on M to the atoms. */
VEC_INLINE void spread_virtual(vf weight, vf rest, vf g[3][3])
{
  UNROLL
  for (int k = 0; k < 3; k++) {
    g[1][k] = vf_fma(weight, g[0][k], g[1][k]);
    g[2][k] = vf_fma(weight, g[0][k], g[2][k]);
    g[0][k] *= rest;
  }
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* 32-bit integers split in 16 bits and the rest, so that sums of thousands fit in 32 bits. */
typedef struct Totals {
  vif low[WATER_FLOAT_SUMS], high[WATER_FLOAT_SUMS];
} Totals;

VEC_INLINE void add_totals(Totals *t, const vif part[WATER_FLOAT_SUMS])
{
  for (int k = 0; k < WATER_FLOAT_SUMS; k++) {
    t->low[k] += part[k] & 0xffff;
    t->high[k] += part[k] >> 16;
  }
}

VEC_INLINE void empty_totals(Totals *t, int64_t *sums)
{
  for (int k = 0; k < WATER_FLOAT_SUMS; k++)
    for (int l = 0; l < FLOATS; l++)
      sums[k] += ((int64_t)t->high[k][l] * 65536 + t->low[k][l]) *
                 (INT64_C(1) << (WATER_FLOAT_SUM_BITS -
                                 (k < 2 ? WATER_FLOAT_ENERGY_BITS : WATER_FLOAT_VIRIAL_BITS)));
  *t = (Totals){0};
}

#endif
