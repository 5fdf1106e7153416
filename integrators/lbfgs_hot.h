/* Passes of limited-memory BFGS over the lanes of one block, vectors [npack][stride]. Coefficients, sums and
 * masks are [halves]: pack i belongs to the replicas i % halves. Functions add to sums. */
#ifndef HOLONOM_INTEGRATORS_LBFGS_HOT_H
#define HOLONOM_INTEGRATORS_LBFGS_HOT_H

#include "engine/vec8.h"

typedef struct LbfgsSpan {
  int npack, stride, halves;
} LbfgsSpan;

typedef struct LbfgsPair {
  Vec8 *q, *q_old, *g, *s, *y; /* [npack][stride] */
  const Vec8 *g_new;
  const Vec8Mask *accepted;
  Vec8 *sy, *yy, *ss; /* sums */
} LbfgsPair;

typedef struct LbfgsAim {
  Vec8 *d;
  const Vec8 *x, *g, *shorter;
  const Vec8Mask *accepted;
  Vec8 *dd, *dg, *gg;          /* sums */
  Vec8 *d_largest, *g_largest; /* of each lane; NaN if one is NaN */
} LbfgsAim;

typedef void LbfgsDot(const LbfgsSpan *span, const Vec8 *c, const Vec8 *y, const Vec8 *z, Vec8 *x, Vec8 *sum);

typedef struct LbfgsKernels {
  /* g = -f of active lanes, 0 of others */
  void (*gradient)(const LbfgsSpan *span, const Vec8 *active, const Vec8 *f, Vec8 *g);
  /* *most: the largest |a| of each lane. sum += a.b */
  void (*look)(const LbfgsSpan *span, const Vec8 *a, const Vec8 *b, Vec8 *most, Vec8 *sum);
  /* Where accepted: s = q - q_old, y = g_new - g, g = g_new; elsewhere s = y = 0 and q = q_old. */
  void (*pair)(const LbfgsSpan *span, const LbfgsPair *pair);
  LbfgsDot *scale_dot; /* x = c y, sum += x.z */
  LbfgsDot *add_dot;   /* x += c y, sum += x.z */
  /* d = x where accepted, shorter d elsewhere */
  void (*aim)(const LbfgsSpan *span, const LbfgsAim *aim);
  /* d = a d + b g, q_old = q, q += d, p = d */
  void (*move)(const LbfgsSpan *span, const Vec8 *a, const Vec8 *b, const Vec8 *g, Vec8 *d, Vec8 *q_old,
               Vec8 *q, Vec8 *p);
} LbfgsKernels;

#endif
