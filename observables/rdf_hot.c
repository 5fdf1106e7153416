#include "observables/rdf_kernels.h"

typedef int32_t vbin __attribute__((vector_size(4 * LANES)));

/* The bin of each lane. The root by the reciprocal one: the distance is kept off 0, where that is infinite.
 */
VEC_INLINE void pair_bins(const Octet dx[3], Octet scale, Octet last, int32_t bin[LANES])
{
  const Octet d2 = octet_max(octet_set(1e-30), dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2]); /* keeps NaN */
  const Octet place = d2 * octet_rsqrt(d2) * scale;
  const vbin b = __builtin_convertvector(octet_min(place, last), vbin);
  __builtin_memcpy(bin, &b, sizeof b);
}

static void count_gang(const Octet *x, size_t stride, int nmol, double scale, int nbin,
                       uint64_t *const count[LANES])
{
  const Octet s = octet_set(scale), last = octet_set(nbin);
  for (int i = 0; i < nmol; i++) {
    const Octet *xi = x + (size_t)i * stride;
    for (int j = i + 1; j < nmol; j++) {
      const Octet *xj = x + (size_t)j * stride;
      const Octet dx[3] = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]};
      int32_t bin[LANES];
      pair_bins(dx, s, last, bin);
      for (int l = 0; l < LANES; l++)
        count[l][bin[l]]++;
    }
  }
}

VEC_INLINE void one_row(const double xi[3], const Octet *x, size_t stride, int from, int to, Octet scale,
                        Octet last, uint64_t *count, uint32_t *now)
{
  for (int pack = from / LANES; pack * LANES < to; pack++) {
    const Octet *xj = x + (size_t)pack * stride;
    const Octet dx[3] = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]};
    int32_t bin[LANES];
    pair_bins(dx, scale, last, bin);
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
  const Octet s = octet_set(scale), last = octet_set(nbin);
  if (now == NULL)
    one_row(xi, x, stride, from, to, s, last, count, NULL);
  else
    one_row(xi, x, stride, from, to, s, last, count, now);
}

const RdfKernels ISA_SYMBOL(rdf_kernels_table) = {count_gang, count_one};
