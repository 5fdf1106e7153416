/* Vectors over the lanes of one block, [npack][stride], and what the limited-memory method does with them in
 * one pass. Coefficients, sums and masks are [halves]: pack i belongs to the replicas i % halves. Sums are
 * added to. */
#ifndef HOLONOM_INTEGRATORS_LBFGS_HOT_H
#define HOLONOM_INTEGRATORS_LBFGS_HOT_H

#include "engine/octet.h"

typedef struct LbfgsSpan {
  int npack, stride, halves;
} LbfgsSpan;

typedef struct LbfgsPair {
  Octet *q, *q_old, *g, *s, *y; /* [npack][stride] */
  const Octet *g_new;
  const OctetMask *accepted;
  Octet *sy, *yy, *ss; /* sums */
} LbfgsPair;

typedef struct LbfgsAim {
  Octet *d;
  const Octet *x, *g, *shorter;
  const OctetMask *accepted;
  Octet *dd, *dg, *gg;          /* sums */
  Octet *d_largest, *g_largest; /* of each lane; no number if one is none */
} LbfgsAim;

typedef void LbfgsDot(const LbfgsSpan *span, const Octet *c, const Octet *y, const Octet *z, Octet *x,
                      Octet *sum);

typedef struct LbfgsKernels {
  /* g = -f of active lanes, 0 of others */
  void (*gradient)(const LbfgsSpan *span, const Octet *active, const Octet *f, Octet *g);
  /* *most: the largest |a| of each lane. sum += a.b */
  void (*look)(const LbfgsSpan *span, const Octet *a, const Octet *b, Octet *most, Octet *sum);
  /* Where accepted, s = q - q_old, y = g_new - g, g = g_new; elsewhere s = y = 0 and q = q_old. */
  void (*pair)(const LbfgsSpan *span, const LbfgsPair *pair);
  LbfgsDot *scale_dot; /* x = c y, sum += x.z */
  LbfgsDot *add_dot;   /* x += c y, sum += x.z */
  /* d = x where accepted, shorter d elsewhere */
  void (*aim)(const LbfgsSpan *span, const LbfgsAim *aim);
  /* d = a d + b g, q_old = q, q += d, p = d */
  void (*move)(const LbfgsSpan *span, const Octet *a, const Octet *b, const Octet *g, Octet *d, Octet *q_old,
               Octet *q, Octet *p);
} LbfgsKernels;

#endif
