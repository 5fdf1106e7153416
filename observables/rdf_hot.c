#include "engine/vec.h"
#include "observables/rdf_kernels.h"

/* The gap to the nearest image. */
VEC_INLINE vd nearest(vd gap, double length) { return gap - vd_whole(gap * (1.0 / length)) * length; }

/* A lower limit avoids the infinite reciprocal root of 0. */
VEC_INLINE vd square(const vd dx[3]) { return vd_max(vd_set(1e-30), vd_dot3(dx, dx)); /* preserves NaN */ }

VEC_INLINE vd bin_of(vd d2, const RdfRule *rule) { return d2 * vd_rsqrt(d2) * rule->scale; }

VEC_INLINE void count_run(const RdfRule *rule, const int boxed, const double site[3], double molecule,
                          const RdfRun *run, uint32_t *counts)
{
  static const Vec8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const double longest2 = rule->longest * rule->longest;
  for (int k = 0; k * LANES < run->n; k++) {
    const Vec8 *x = run->x[k];
    int32_t at[LANES];
    UNROLL for (int part = 0; part < REGISTERS; part++)
    {
      vd dx[3];
      UNROLL for (int d = 0; d < 3; d++)
      {
        dx[d] = vd_load(&x[d], part) - site[d];
        dx[d] = boxed ? nearest(dx[d], rule->length[d]) : dx[d];
      }
      const vd d2 = square(dx);
      const vi other = vd_load(&x[3], part) != molecule;
      const vd beyond = (double)rule->nbin + vd_load(&lane, part);
      vd_truncate(vd_select((d2 < longest2) & other, bin_of(d2, rule), beyond), at + part * WIDTH);
    }
    for (int l = 0; l < LANES; l++)
      counts[at[l]]++;
  }
}

static void count_box(const RdfRule *rule, const double site[3], double molecule, const RdfRun *run,
                      uint32_t *count)
{
  count_run(rule, 1, site, molecule, run, count);
}

static void count_open(const RdfRule *rule, const double site[3], double molecule, const RdfRun *run,
                       uint32_t *count)
{
  count_run(rule, 0, site, molecule, run, count);
}

VEC_INLINE void count_lanes(const RdfRule *rule, const int dim, int nrun, const RdfPointRun *run,
                            const double *const *x, int64_t *const count[LANES])
{
  for (int k = 0; k < nrun; k++) {
    const Vec8 *xi = (const Vec8 *)x[run[k].point];
    for (int j = run[k].begin; j < run[k].end; j++) {
      const Vec8 *xj = (const Vec8 *)x[j];
      int32_t bin[LANES];
      UNROLL for (int part = 0; part < REGISTERS; part++)
      {
        vd dx[3] = {0};
        UNROLL for (int d = 0; d < dim; d++) dx[d] = vd_load(&xi[d], part) - vd_load(&xj[d], part);
        vd_truncate(vd_min(bin_of(square(dx), rule), vd_set(rule->nbin)), bin + part * WIDTH);
      }
      for (int l = 0; l < LANES; l++)
        count[l][bin[l]]++;
    }
  }
}

static void count_batch(const RdfRule *rule, int dim, int nrun, const RdfPointRun *run,
                        const double *const *x, int64_t *const count[LANES])
{
  if (dim == 3)
    count_lanes(rule, 3, nrun, run, x, count);
  else
    count_lanes(rule, dim, nrun, run, x, count);
}

const RdfKernels ISA_SYMBOL(rdf_kernels_table) = {count_box, count_open, count_batch};
