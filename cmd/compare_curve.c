/* Where two curves differ, for what compare.h says of them. */
#include <math.h>

#include "cmd/compare_private.h"

/* The bin where a curve differs most; with `at` the one that is nearest to it. */
static bool search(const Compare *c, const ComparePair *pair, const CompareTest *t, double at,
                   StatisticsWelch *found, double *r)
{
  const CompareCurves *a = &c->run[pair->a].curves, *b = &c->run[pair->b].curves;
  const int ka = compare_curve(a, t->name), kb = compare_curve(b, t->name);
  double best = -INFINITY;
  for (int i = 0; ka >= 0 && kb >= 0 && i < a->nbin && i < b->nbin; i++) {
    StatisticsWelch w;
    if (!compare_bin(a, ka, b, kb, i, &w))
      continue;
    const double score = isnan(at) ? fabs(w.difference) : -fabs(a->r[i] - at);
    if (score > best) {
      best = score;
      *found = w;
      *r = a->r[i];
    }
  }
  return isfinite(best);
}

bool compare_curve_widest(const Compare *c, const ComparePair *pair, const CompareTest *t,
                          StatisticsWelch *found, double *r)
{
  return search(c, pair, t, NAN, found, r);
}

bool compare_curve_at(const Compare *c, const ComparePair *pair, const CompareTest *t, double at,
                      StatisticsWelch *found)
{
  double r;
  return isfinite(at) && search(c, pair, t, at, found, &r);
}
