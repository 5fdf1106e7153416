/* The pair force over packs of one vector type, once for doubles and once for floats. The file that
 * includes this defines
 *   V         the vector type            S          its element
 *   MASK      an integer vector alike    FN(name)   name with a suffix of the type
 *   V_LANES   its lanes                  V_PACKS    packs of the state in one vector
 * and V_RSQRT, V_RSQRT_CUBED, V_SUM_EACH, and FN(deliver)(m, nsite, g, packs, f), which adds the forces g
 * on the sites of one pack to those on the atoms in `packs` packs of the state, f[packs][3][3].
 *
 * The arguments nsite, newton, energy and mask are constants at every call, so that each variant is
 * straight code. Loops over small arrays are unrolled, so that these live in registers. */

typedef struct FN(Constants) {
  V qq[3];
  V a12, c6; /* 12 A, 6 C */
  V a, c;
} FN(Constants);

VEC_INLINE FN(Constants) FN(constants)(const PairModel *m)
{
  const V zero = {0};
  return (FN(Constants)){.qq = {(S)m->qq[0] - zero, (S)m->qq[1] - zero, (S)m->qq[2] - zero},
                         .a12 = (S)(12.0 * m->a) - zero,
                         .c6 = (S)(6.0 * m->c) - zero,
                         .a = (S)m->a - zero,
                         .c = (S)m->c - zero};
}

VEC_INLINE V FN(masked)(const MASK *mask, V x) { return mask != NULL ? (V)((MASK)x & *mask) : x; }

/* Molecule i on molecule j: f_j, if `newton` f_i, and energy[2] += coulomb, lj. Lanes where the mask is 0
 * get nothing. The energy reuses no product that the forces add up, so that the compiler fuses those alike
 * in both variants and the forces keep their bits. */
VEC_INLINE void FN(molecules)(const FN(Constants) * k, const int nsite, const bool newton, V *energy,
                              const MASK *mask, const V *xi, V *fi, const V *xj, V *fj)
{
#pragma GCC unroll 4
  for (int b = 0; b < nsite; b++) {
    const V x0 = xj[3 * b], x1 = xj[3 * b + 1], x2 = xj[3 * b + 2];
    V g0 = fj[3 * b], g1 = fj[3 * b + 1], g2 = fj[3 * b + 2];
#pragma GCC unroll 4
    for (int a = 0; a < nsite; a++) {
      const int o = pair_oxygen(nsite);
      const bool charge = a < 3 && b < 3, lj = a == o && b == o;
      if (!charge && !lj)
        continue;
      const V r0 = xi[3 * a] - x0, r1 = xi[3 * a + 1] - x1, r2 = xi[3 * a + 2] - x2;
      const V rr = r0 * r0 + r1 * r1 + r2 * r2;
      const V qq = k->qq[(a > 0) + (b > 0)];
      V s; /* force on i = s r */
      if (lj) {
        const V y = V_RSQRT(rr), y2 = y * y, y6 = y2 * y2 * y2;
        const V steep = (k->a12 * y6 - k->c6) * y6;
        s = charge ? steep * y2 + qq * (y * y2) : steep * y2;
        if (energy != NULL) {
          energy[1] += FN(masked)(mask, (k->a * y6 - k->c) * y6);
          if (charge)
            energy[0] += FN(masked)(mask, qq * y);
        }
      } else {
        s = qq * V_RSQRT_CUBED(rr);
        if (energy != NULL)
          energy[0] += FN(masked)(mask, qq * V_RSQRT(rr));
      }
      s = FN(masked)(mask, s);
      if (newton) {
        fi[3 * a] += s * r0;
        fi[3 * a + 1] += s * r1;
        fi[3 * a + 2] += s * r2;
      }
      g0 -= s * r0;
      g1 -= s * r1;
      g2 -= s * r2;
    }
    fj[3 * b] = g0;
    fj[3 * b + 1] = g1;
    fj[3 * b + 2] = g2;
  }
}

/* --- replicas in lanes ---------------------------------------------------------------------------------- */

/* With `out`, f is scratch memory and the sums go on to out; without, they stay in f. */
VEC_INLINE void FN(gang_any)(const PairModel *m, const int nsite, int nmol, int stride, const V *x, V *f,
                             Octet *out, V *energy)
{
  const FN(Constants) k = FN(constants)(m);
  const size_t step = 3 * (size_t)nsite * (size_t)stride;
  const size_t out_step = 9 * (size_t)V_PACKS * (size_t)stride;
  for (int i = 0; i < nmol; i++, x += step, f += step) {
    V xi[12], fi[12];
#pragma GCC unroll 12
    for (int d = 0; d < 3 * nsite; d++) {
      xi[d] = x[d];
      fi[d] = (V){0};
    }
    const V *xj = x + step;
    V *fj = f + step;
    for (int j = i + 1; j < nmol; j++, xj += step, fj += step)
      FN(molecules)(&k, nsite, true, energy, NULL, xi, fi, xj, fj);
#pragma GCC unroll 12
    for (int d = 0; d < 3 * nsite; d++)
      fi[d] += f[d];
    if (out != NULL)
      FN(deliver)(m, nsite, fi, V_PACKS, out + out_step * (size_t)i);
    else
#pragma GCC unroll 12
      for (int d = 0; d < 3 * nsite; d++)
        f[d] = fi[d];
  }
}

/* --- molecules in lanes --------------------------------------------------------------------------------- */

/* -1 in lanes whose molecule exists, for the pack of molecules first.. */
VEC_INLINE MASK FN(exists)(int first, int nmol)
{
  MASK lane;
#pragma GCC unroll 16
  for (int l = 0; l < V_LANES; l++)
    lane[l] = l;
  return (MASK)(lane < nmol - first);
}

VEC_INLINE MASK FN(others)(int own)
{
  MASK lane;
#pragma GCC unroll 16
  for (int l = 0; l < V_LANES; l++)
    lane[l] = l;
  return (MASK)(lane != own);
}

/* One molecule of a pack in all lanes. */
VEC_INLINE void FN(broadcast)(const int nsite, const V *pack, int lane, V *x)
{
#pragma GCC unroll 12
  for (int d = 0; d < 3 * nsite; d++)
    x[d] = ((const S *)&pack[d])[lane] - (V){0};
}

/* A pack on itself: every molecule in turn acts on all others. Each pair is computed twice, but there is
 * nothing to sum across lanes; the two results are opposite to the bit. */
VEC_INLINE void FN(within)(const FN(Constants) * k, const int nsite, int count, const V *x, V *f, V *energy)
{
  const MASK exist = FN(exists)(0, count);
  V xj[12], fj[12], twice[2] = {{0}, {0}};
#pragma GCC unroll 12
  for (int d = 0; d < 3 * nsite; d++) {
    xj[d] = x[d];
    fj[d] = f[d];
  }
  for (int i = 0; i < count; i++) {
    V xi[12];
    FN(broadcast)(nsite, x, i, xi);
    const MASK mask = FN(others)(i) & exist;
    FN(molecules)(k, nsite, false, energy != NULL ? twice : NULL, &mask, xi, NULL, xj, fj);
  }
#pragma GCC unroll 12
  for (int d = 0; d < 3 * nsite; d++)
    f[d] = fj[d];
  if (energy != NULL) {
    energy[0] += (S)0.5 * twice[0];
    energy[1] += (S)0.5 * twice[1];
  }
}

/* A full pack of molecules i on the packs j = begin..end-1, all behind it. */
VEC_INLINE void FN(between)(const FN(Constants) * k, const int nsite, int nmol, int begin, int end,
                            const V *x, V *f, V *energy, const V *x_row, V *f_row)
{
  const size_t step = 3 * (size_t)nsite;
  const bool ragged = end * V_LANES > nmol;
  V sum[12][V_LANES];
  for (int i = 0; i < V_LANES; i++) {
    V xi[12], fi[12];
    FN(broadcast)(nsite, x_row, i, xi);
#pragma GCC unroll 12
    for (int d = 0; d < 3 * nsite; d++)
      fi[d] = (V){0};
    for (int j = begin; j < end - ragged; j++)
      FN(molecules)(k, nsite, true, energy, NULL, xi, fi, x + (size_t)j * step, f + (size_t)j * step);
    if (ragged) {
      const size_t last = (size_t)(end - 1);
      const MASK exist = FN(exists)((end - 1) * V_LANES, nmol);
      FN(molecules)(k, nsite, true, energy, &exist, xi, fi, x + last * step, f + last * step);
    }
#pragma GCC unroll 12
    for (int d = 0; d < 3 * nsite; d++)
      sum[d][i] = fi[d];
  }
  for (int d = 0; d < 3 * nsite; d++)
    f_row[d] += V_SUM_EACH(sum[d]);
}

VEC_INLINE void FN(chunk_any)(const PairModel *m, const int nsite, int nmol, int begin, int end, const V *x,
                              V *f, V *energy)
{
  const FN(Constants) k = FN(constants)(m);
  const int npack = (nmol + V_LANES - 1) / V_LANES;
  const size_t step = 3 * (size_t)nsite;
  int row, column;
  pair_locate(npack, begin, &row, &column);
  for (size_t i = (size_t)row * step; i < (size_t)npack * step; i++)
    f[i] = (V){0};
  while (begin < end) {
    const int stop = column + (end - begin) < npack ? column + (end - begin) : npack;
    begin += stop - column;
    const V *x_row = x + (size_t)row * step;
    V *f_row = f + (size_t)row * step;
    if (column == row) {
      const int left = nmol - row * V_LANES;
      FN(within)(&k, nsite, left < V_LANES ? left : V_LANES, x_row, f_row, energy);
      column++;
    }
    if (column < stop)
      FN(between)(&k, nsite, nmol, column, stop, x, f, energy, x_row, f_row);
    column = ++row;
  }
}

/* See PairKernels.collect. Every buffer is added on its own, in order, so that the sum is one of doubles. */
VEC_INLINE void FN(collect_any)(const PairModel *m, const int nsite, int begin, int end, int npack, int nbuf,
                                const int *first, int size, const V *buffer, Octet *f)
{
  for (int p = begin; p < end; p++)
    for (int k = 0; k < nbuf && first[k] <= p; k++) {
      const V *from = buffer + (size_t)k * (size_t)size + 3 * (size_t)nsite * (size_t)p;
      const int left = npack - p * V_PACKS;
      FN(deliver)(m, nsite, from, left < V_PACKS ? left : V_PACKS, f + 9 * (size_t)V_PACKS * (size_t)p);
    }
}
