#include "engine/vec.h"
#include "observables/rdf_kernels.h"

/* The bin of each lane of dx[3]. The root by the reciprocal one: the distance is kept off 0, where that is
 * infinite. */
VEC_INLINE void pair_bins(const vd dx[3], double scale, int nbin, int32_t bin[WIDTH])
{
  const vd d2 = vd_max(vd_set(1e-30), vd_dot3(dx, dx)); /* keeps NaN */
  vd_truncate(vd_min(d2 * vd_rsqrt(d2) * scale, vd_set(nbin)), bin);
}

static void count_gang(const Octet *x, size_t stride, int nmol, double scale, int nbin,
                       uint64_t *const count[LANES])
{
  for (int i = 0; i < nmol; i++) {
    const Octet *xi = x + (size_t)i * stride;
    for (int j = i + 1; j < nmol; j++) {
      const Octet *xj = x + (size_t)j * stride;
      int32_t bin[LANES];
      UNROLL for (int part = 0; part < PARTS; part++)
      {
        vd dx[3];
        UNROLL for (int d = 0; d < 3; d++) dx[d] = vd_load(&xi[d], part) - vd_load(&xj[d], part);
        pair_bins(dx, scale, nbin, bin + part * WIDTH);
      }
      for (int l = 0; l < LANES; l++)
        count[l][bin[l]]++;
    }
  }
}

VEC_INLINE void one_row(const double xi[3], const Octet *x, size_t stride, int from, int to, double scale,
                        int nbin, uint64_t *count, uint32_t *now)
{
  for (int pack = from / LANES; pack * LANES < to; pack++) {
    const Octet *xj = x + (size_t)pack * stride;
    int32_t bin[LANES];
    UNROLL for (int part = 0; part < PARTS; part++)
    {
      vd dx[3];
      UNROLL for (int d = 0; d < 3; d++) dx[d] = xi[d] - vd_load(&xj[d], part);
      pair_bins(dx, scale, nbin, bin + part * WIDTH);
    }
    const int begin = from > pack * LANES ? from - pack * LANES : 0;
    const int end = to < (pack + 1) * LANES ? to - pack * LANES : LANES;
    for (int l = begin; l < end; l++) {
      count[bin[l]]++;
      if (now != NULL)
        now[bin[l]]++;
    }
  }
}

static void count_one(const double xi[3], const Octet *x, size_t stride, int from, int to, double scale,
                      int nbin, uint64_t *count, uint32_t *now)
{
  if (now == NULL)
    one_row(xi, x, stride, from, to, scale, nbin, count, NULL);
  else
    one_row(xi, x, stride, from, to, scale, nbin, count, now);
}

const RdfKernels ISA_SYMBOL(rdf_kernels_table) = {count_gang, count_one};
