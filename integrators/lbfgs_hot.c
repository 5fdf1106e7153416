#include "integrators/lbfgs_hot.h"

#include "engine/isa.h"
#include "engine/vec.h"

ISA_DECLARE(LbfgsKernels, lbfgs_kernels_table);

/* Frequent passes add to three sums in turn, which hides their latency. */
enum { ABREAST = 3 };

/* The packs of one half: index of each pack's first element; and the parts of each half. */
#define EACH_PACK(span, half, at)                                                                            \
  for (size_t at = (size_t)(half) * (size_t)(span)->stride,                                                  \
              pack_step_ = (size_t)(span)->halves * (size_t)(span)->stride,                                  \
              pack_end_ = (size_t)(span)->npack * (size_t)(span)->stride;                                    \
       at < pack_end_; at += pack_step_)
#define EACH_HALF(span, half, rigid)                                                                         \
  for (int half = 0; half < (span)->halves; half++)                                                          \
    for (int rigid = 0; rigid < REGISTERS; rigid++)

static void gradient(const LbfgsSpan *span, const Vec8 *active, const Vec8 *f, Vec8 *g)
{
  for (int i = 0; i < span->npack; i++)
    for (int rigid = 0; rigid < REGISTERS; rigid++) {
      const vi used = vd_load(&active[i], rigid) != 0.0;
      const size_t at = (size_t)i * (size_t)span->stride;
      for (size_t k = at; k < at + (size_t)span->stride; k++)
        vd_store(&g[k], rigid, vd_where(used, -vd_load(&f[k], rigid)));
    }
}

static void look(const LbfgsSpan *span, const Vec8 *a, const Vec8 *b, Vec8 *most, Vec8 *to)
{
  EACH_HALF(span, half, rigid)
  {
    vd largest = vd_load(&most[half], rigid);
    vd sum = vd_set(0.0);
    EACH_PACK(span, half, at)
    for (size_t k = at; k < at + (size_t)span->stride; k++) {
      const vd x = vd_load(&a[k], rigid);
      largest = vd_largest(largest, x);
      sum += x * vd_load(&b[k], rigid);
    }
    vd_store(&most[half], rigid, largest);
    vd_add(&to[half], rigid, sum);
  }
}

static void pair(const LbfgsSpan *span, const LbfgsPair *l)
{
  EACH_HALF(span, half, rigid)
  {
    const vi accepted = vi_load(&l->accepted[half], rigid);
    vd sy = vd_set(0.0), yy = sy, ss = sy;
    EACH_PACK(span, half, at)
    for (size_t k = at; k < at + (size_t)span->stride; k++) {
      const vd q = vd_load(&l->q[k], rigid), q_old = vd_load(&l->q_old[k], rigid);
      const vd g = vd_load(&l->g[k], rigid), g_new = vd_load(&l->g_new[k], rigid);
      const vd s = vd_where(accepted, q - q_old), y = vd_where(accepted, g_new - g);
      vd_store(&l->s[k], rigid, s);
      vd_store(&l->y[k], rigid, y);
      vd_store(&l->q[k], rigid, vd_select(accepted, q, q_old));
      vd_store(&l->g[k], rigid, vd_select(accepted, g_new, g));
      sy += s * y;
      yy += y * y;
      ss += s * s;
    }
    vd_add(&l->sy[half], rigid, sy);
    vd_add(&l->yy[half], rigid, yy);
    vd_add(&l->ss[half], rigid, ss);
  }
}

static void scale_dot(const LbfgsSpan *span, const Vec8 *c, const Vec8 *a, const Vec8 *z, Vec8 *x, Vec8 *to)
{
  EACH_HALF(span, half, rigid)
  {
    const vd factor = vd_load(&c[half], rigid);
    vd sum = vd_set(0.0);
    EACH_PACK(span, half, at)
    for (size_t k = at; k < at + (size_t)span->stride; k++) {
      const vd value = factor * vd_load(&a[k], rigid);
      vd_store(&x[k], rigid, value);
      sum += value * vd_load(&z[k], rigid);
    }
    vd_add(&to[half], rigid, sum);
  }
}

static void add_dot(const LbfgsSpan *span, const Vec8 *c, const Vec8 *y, const Vec8 *z, Vec8 *x, Vec8 *to)
{
  EACH_HALF(span, half, rigid)
  {
    const vd factor = vd_load(&c[half], rigid);
    vd sum[ABREAST] = {{0.0}};
    EACH_PACK(span, half, at)
    {
      size_t k = at;
      const size_t end = at + (size_t)span->stride;
      for (; k + ABREAST <= end; k += ABREAST)
        UNROLL for (size_t i = 0; i < ABREAST; i++)
        {
          const vd value = vd_load(&x[k + i], rigid) + factor * vd_load(&y[k + i], rigid);
          vd_store(&x[k + i], rigid, value);
          sum[i] += value * vd_load(&z[k + i], rigid);
        }
      for (; k < end; k++) {
        const vd value = vd_load(&x[k], rigid) + factor * vd_load(&y[k], rigid);
        vd_store(&x[k], rigid, value);
        sum[0] += value * vd_load(&z[k], rigid);
      }
    }
    vd_add(&to[half], rigid, (sum[0] + sum[1]) + sum[2]);
  }
}

static void aim(const LbfgsSpan *span, const LbfgsAim *l)
{
  EACH_HALF(span, half, rigid)
  {
    const vi accepted = vi_load(&l->accepted[half], rigid);
    const vd shorter = vd_load(&l->shorter[half], rigid);
    vd dd = vd_set(0.0), dg = dd, gg = dd;
    vd d_largest = vd_load(&l->d_largest[half], rigid), g_largest = vd_load(&l->g_largest[half], rigid);
    EACH_PACK(span, half, at)
    for (size_t k = at; k < at + (size_t)span->stride; k++) {
      const vd g = vd_load(&l->g[k], rigid);
      const vd d = vd_select(accepted, vd_load(&l->x[k], rigid), shorter * vd_load(&l->d[k], rigid));
      vd_store(&l->d[k], rigid, d);
      d_largest = vd_largest(d_largest, d);
      g_largest = vd_largest(g_largest, g);
      dd += d * d;
      dg += d * g;
      gg += g * g;
    }
    vd_store(&l->d_largest[half], rigid, d_largest);
    vd_store(&l->g_largest[half], rigid, g_largest);
    vd_add(&l->dd[half], rigid, dd);
    vd_add(&l->dg[half], rigid, dg);
    vd_add(&l->gg[half], rigid, gg);
  }
}

static void move(const LbfgsSpan *span, const Vec8 *a, const Vec8 *b, const Vec8 *g, Vec8 *d, Vec8 *q_old,
                 Vec8 *q, Vec8 *p)
{
  EACH_HALF(span, half, rigid)
  {
    const vd of_d = vd_load(&a[half], rigid), of_g = vd_load(&b[half], rigid);
    EACH_PACK(span, half, at)
    for (size_t k = at; k < at + (size_t)span->stride; k++) {
      const vd step = vd_fma(of_d, vd_load(&d[k], rigid), vd_rounded(of_g * vd_load(&g[k], rigid)));
      const vd old = vd_load(&q[k], rigid);
      vd_store(&d[k], rigid, step);
      vd_store(&p[k], rigid, step);
      vd_store(&q_old[k], rigid, old);
      vd_store(&q[k], rigid, old + step);
    }
  }
}

const LbfgsKernels ISA_SYMBOL(lbfgs_kernels_table) = {.gradient = gradient,
                                                      .look = look,
                                                      .pair = pair,
                                                      .scale_dot = scale_dot,
                                                      .add_dot = add_dot,
                                                      .aim = aim,
                                                      .move = move};
