/* Spreading and gathering for rows of W reals: included with S (real), V (vector of LANES_V of them), R (a
 * row, at any address), W, FN(name), and LOW, HIGH, EVEN, ODD (shuffles of V). */

#define PIECES ((int)(W * sizeof(S) / sizeof(R)))
#define PIECE  ((int)(sizeof(R) / sizeof(S)))

/* What z[W] holds for each lane to rows, one lane after the other: the perfect shuffle, log2 W times. */
VEC_INLINE void FN(to_rows)(const V *z, S *rows)
{
  V a[W], b[W];
#pragma GCC unroll 8
  for (int j = 0; j < W; j++)
    a[j] = z[j];
#pragma GCC unroll 3
  for (int n = 1; n < W; n *= 2) {
#pragma GCC unroll 8
    for (int j = 0; j < W / 2; j++) {
      b[2 * j] = LOW(a[j], a[j + W / 2]);
      b[2 * j + 1] = HIGH(a[j], a[j + W / 2]);
    }
#pragma GCC unroll 8
    for (int j = 0; j < W; j++)
      a[j] = b[j];
  }
  memcpy(rows, a, sizeof a);
}

/* The sum of each lane's row. */
VEC_INLINE V FN(row_sums)(const S *rows)
{
  V a[W];
  memcpy(a, rows, sizeof a);
#pragma GCC unroll 3
  for (int n = W / 2; n > 0; n /= 2) {
#pragma GCC unroll 8
    for (int j = 0; j < n; j++)
      a[j] = EVEN(a[2 * j], a[2 * j + 1]) + ODD(a[2 * j], a[2 * j + 1]);
  }
  return a[0];
}

VEC_INLINE void FN(spread)(const PmeMesh *m, const PmePatch *patch, const int order, const PmeSites *s,
                           int begin, int end)
{
  S *const q = patch->q;
  const ptrdiff_t line = m->row, slab = patch->plane;
  for (int i = begin; i < end; i += LANES_V) {
    V x[PME_ORDER_MAX], y[PME_ORDER_MAX], z[W], column[4];
    S rows[LANES_V * W] __attribute__((aligned(64)));
#pragma GCC unroll 8
    for (int j = 0; j < W; j++)
      z[j] = (V){0};
    COLUMNS(s, i, column);
    WEIGHTS(order, column[0], x, NULL);
    WEIGHTS(order, column[1], y, NULL);
    WEIGHTS(order, column[2], z, NULL);
#pragma GCC unroll 6
    for (int a = 0; a < order; a++)
      x[a] *= column[3];
    FN(to_rows)(z, rows);
    const S *wx = (const S *)x, *wy = (const S *)y;
    const int n = end - i < LANES_V ? end - i : LANES_V;
    for (int l = 0; l < n; l++) {
      const uint32_t cell = (uint32_t)s->tag[i + l];
      S *corner = q + ((int)(cell >> 20) - patch->x) * slab + ((int)(cell >> 10 & 1023) - patch->y) * line +
                  (cell & 1023);
      R yz[PME_ORDER_MAX][PIECES];
#pragma GCC unroll 6
      for (int b = 0; b < order; b++)
#pragma GCC unroll 4
        for (int k = 0; k < PIECES; k++)
          yz[b][k] = wy[b * LANES_V + l] * *(const R *)(rows + W * l + PIECE * k);
#pragma GCC unroll 6
      for (int a = 0; a < order; a++) {
        S *plane = corner + a * slab;
        const S wa = wx[a * LANES_V + l];
#pragma GCC unroll 6
        for (int b = 0; b < order; b++)
#pragma GCC unroll 4
          for (int k = 0; k < PIECES; k++) {
            R *row = (R *)(plane + b * line + PIECE * k);
            *row += wa * yz[b][k];
          }
      }
    }
  }
}

/* One site: the mesh at its rows times the splines of x and y or a derivative of one of them, summed over the
 * rows, times that of z. Weights w and slopes e of point j are LANES_V apart. */
#ifdef PAIR /* [value | slope] in one register */
VEC_INLINE void FN(along)(const int order, const S *corner, const ptrdiff_t *slab, const ptrdiff_t *line,
                          const S *wx, const S *wy, const S *ex, const S *ey, const S *wz, const S *ez, S *gx,
                          S *gy, S *gz)
{
  PAIR y[PME_ORDER_MAX], along_x = {0}, along_yz = {0};
#pragma GCC unroll 6
  for (int b = 0; b < order; b++)
    y[b] = FN(pair_of)(wy + b * LANES_V, ey + b * LANES_V);
#pragma GCC unroll 6
  for (int a = 0; a < order; a++) {
    const S *plane = corner + slab[a];
    PAIR sum = y[0] * FN(pair_twice)(plane + line[0]);
#pragma GCC unroll 6
    for (int b = 1; b < order; b++)
      sum += y[b] * FN(pair_twice)(plane + line[b]);
    along_x += ex[a * LANES_V] * sum;
    along_yz += wx[a * LANES_V] * sum;
  }
  *(R *)gx = *(const R *)wz * FN(pair_low)(along_x);
  *(R *)gy = *(const R *)wz * FN(pair_high)(along_yz);
  *(R *)gz = *(const R *)ez * FN(pair_low)(along_yz);
}
#else
VEC_INLINE void FN(along)(const int order, const S *corner, const ptrdiff_t *slab, const ptrdiff_t *line,
                          const S *wx, const S *wy, const S *ex, const S *ey, const S *wz, const S *ez, S *gx,
                          S *gy, S *gz)
{
#pragma GCC unroll 4
  for (int k = 0; k < PIECES; k++) {
    R along_x = {0}, along_y = {0}, along_z = {0};
#pragma GCC unroll 6
    for (int a = 0; a < order; a++) {
      const S *plane = corner + slab[a] + PIECE * k;
      R value = wy[0] * *(const R *)(plane + line[0]), slope = ey[0] * *(const R *)(plane + line[0]);
#pragma GCC unroll 6
      for (int b = 1; b < order; b++) {
        const R row = *(const R *)(plane + line[b]);
        value += wy[b * LANES_V] * row;
        slope += ey[b * LANES_V] * row;
      }
      along_x += ex[a * LANES_V] * value;
      along_y += wx[a * LANES_V] * slope;
      along_z += wx[a * LANES_V] * value;
    }
    *(R *)(gx + PIECE * k) = along_x * *(const R *)(wz + PIECE * k);
    *(R *)(gy + PIECE * k) = along_y * *(const R *)(wz + PIECE * k);
    *(R *)(gz + PIECE * k) = along_z * *(const R *)(ez + PIECE * k);
  }
}
#endif

VEC_INLINE void FN(gather)(const PmeMesh *m, const int order, const PmeSites *s, int begin, int end,
                           const S *phi, const double scale[3], S *force, double net[3])
{
  S gx[LANES_V * W] __attribute__((aligned(64))) = {0}, gy[LANES_V * W] __attribute__((aligned(64))) = {0},
                    gz[LANES_V * W] __attribute__((aligned(64))) = {0};
  const S sx = (S)scale[0], sy = (S)scale[1], sz = (S)scale[2];
  D sum[3] = {{0}};
  for (int i = begin; i < end; i += LANES_V) {
    V x[PME_ORDER_MAX], y[PME_ORDER_MAX], z[W], dx[PME_ORDER_MAX], dy[PME_ORDER_MAX], dz[W], column[4];
    S rows[LANES_V * W] __attribute__((aligned(64))), slopes[LANES_V * W] __attribute__((aligned(64)));
#pragma GCC unroll 8
    for (int j = 0; j < W; j++)
      z[j] = dz[j] = (V){0};
    COLUMNS(s, i, column);
    WEIGHTS(order, column[0], x, dx);
    WEIGHTS(order, column[1], y, dy);
    WEIGHTS(order, column[2], z, dz);
    FN(to_rows)(z, rows);
    FN(to_rows)(dz, slopes);
    const S *wx = (const S *)x, *wy = (const S *)y, *ex = (const S *)dx, *ey = (const S *)dy;
    const int n = end - i < LANES_V ? end - i : LANES_V;
    for (int l = 0; l < n; l++) {
      const uint32_t cell = (uint32_t)s->tag[i + l];
      const ptrdiff_t *slab = m->slab + (cell >> 20), *line = m->line + (cell >> 10 & 1023);
      const S *corner = phi + (cell & 1023);
      FN(along)
      (order, corner, slab, line, wx + l, wy + l, ex + l, ey + l, rows + W * l, slopes + W * l, gx + W * l,
       gy + W * l, gz + W * l);
    }
    /* Lanes behind the last site give nothing to the net force. */
    V charge = column[3];
    for (int l = n; l < LANES_V; l++)
      charge[l] = 0;
    const V along[4] = {sx * charge * FN(row_sums)(gx), sy * charge * FN(row_sums)(gy),
                        sz * charge * FN(row_sums)(gz)};
    NAME(to_rows4)(along, rows);
    for (int l = 0; l < n; l++)
      memcpy(force + 4 * (ptrdiff_t)(s->tag[i + l] >> 32), rows + 4 * l, 4 * sizeof(S));
    for (int d = 0; d < 3; d++)
      sum[d] += __builtin_convertvector(along[d], D);
  }
  for (int d = 0; d < 3; d++) {
    net[d] = 0.0;
    for (int l = 0; l < LANES_V; l++)
      net[d] += sum[d][l];
  }
}

static void FN(fold)(const PmeMesh *m, void *plane)
{
  for (int i = 0; i < m->n[1]; i++) {
    S *row = (S *)plane + (ptrdiff_t)i * m->row;
    for (int k = 0; k < W; k += PIECE)
      *(R *)(row + k) += *(const R *)(row + m->n[2] + k);
  }
}

static void FN(repeat)(const PmeMesh *m, void *plane)
{
  for (int i = 0; i < m->n[1]; i++) {
    S *row = (S *)plane + (ptrdiff_t)i * m->row;
    for (int k = 0; k < W; k += PIECE)
      *(R *)(row + m->n[2] + k) = *(const R *)(row + k);
  }
}

#undef PIECES
#undef PIECE
