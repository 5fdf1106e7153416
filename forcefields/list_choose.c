#include "forcefields/list_choose.h"

#include <math.h>

#include "engine/units.h"

enum { EVERY_MAX = 200 };

/* Time to make a list over that of a force evaluation with it; both go as the cube of the radius. */
static const double usual_cost = 0.35;

static double spread(const ListMotion *m, int steps) { return sqrt(2.0 * m->kT / m->mass) * m->h * steps; }

/* Of the normal distribution: beyond a, and the density there. */
typedef struct Tail {
  double q, phi;
} Tail;

static Tail tail(double a) { return (Tail){0.5 * erfc(a * M_SQRT1_2), exp(-0.5 * a * a) / sqrt(2.0 * M_PI)}; }

double list_choose_missing(const ListMotion *motion, double cutoff, double buffer, int every)
{
  const double s = spread(motion, every - 1);
  if (!(s > 0.0))
    return 0.0;
  /* Integrals of x^k Q(x) from a on, by parts. */
  const double a = buffer / s;
  const Tail t = tail(a);
  const double q0 = t.phi - a * t.q, q1 = 0.5 * (a * t.phi + (1.0 - a * a) * t.q),
               q2 = ((a * a + 2.0) * t.phi - a * a * a * t.q) / 3.0;
  const double x = s / cutoff;
  return fmax(0.0, 3.0 * x * (q0 + x * (2.0 * q1 + x * q2)));
}

void list_choose_depths(double depth[LIST_LOSSES])
{
  const double last = 2.5, ratio = 1.3, first = last / pow(ratio, LIST_LOSSES - 2);
  depth[0] = 0.0;
  for (int k = 1; k < LIST_LOSSES; k++)
    depth[k] = first * pow(ratio, k - 1);
}

/* Pairs between x and x + dx inside the cutoff that no list has are as many as Q((buffer + x)/s); where what
 * they lack grows by `rise` an A from x on, the second repeated integral of Q sums it up. */
static double lack(double rise, double from, double s)
{
  const double a = from / s;
  const Tail t = tail(a);
  return rise * s * s * 0.5 * ((1.0 + a * a) * t.q - a * t.phi);
}

double list_choose_drift(const ListMotion *motion, const ListLoss *loss, double cutoff, double buffer,
                         int every)
{
  const double s = spread(motion, every);
  if (!(s > 0.0))
    return 0.0;
  double sum = 0.0, before = 0.0;
  for (int k = 0; k + 1 < LIST_LOSSES; k++) {
    const double slope = (loss->lost[k + 1] - loss->lost[k]) / (loss->depth[k + 1] - loss->depth[k]);
    sum += lack(slope - before, buffer + loss->depth[k], s);
    before = slope;
  }
  const double ns = every * motion->h * UNITS_AKMA_FS * 1e-6;
  return fmax(0.0, 2.0 * M_PI * cutoff * cutoff * loss->density * sum) / (motion->kT * loss->freedom * ns);
}

static Status check(const ListMotion *m, double cutoff, Error *error)
{
  if (m->kT >= 0.0 && m->mass > 0.0 && m->h >= 0.0 && cutoff > 0.0 && isfinite(m->kT) && isfinite(m->h) &&
      isfinite(cutoff))
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "no buffer of a neighbour list for kT %g kcal/mol, mass %g g/mol, time step %g and cutoff %g A", m->kT,
      m->mass, m->h, cutoff);
}

/* The least buffer with a drift within `most`. */
static double least_buffer(const ListMotion *motion, const ListLoss *loss, double cutoff, double most,
                           int every)
{
  double low = 0.0, high = 12.0 * spread(motion, every);
  if (list_choose_drift(motion, loss, cutoff, 0.0, every) <= most)
    return 0.0;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (list_choose_drift(motion, loss, cutoff, middle, every) > most)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static double cost(const ListMotion *motion, double cutoff, double buffer, double every)
{
  const double r = 1.0 + buffer / cutoff;
  return r * r * r * (1.0 + (motion->cost > 0.0 ? motion->cost : usual_cost) / every);
}

Status list_choose_drifting(const ListMotion *motion, const ListLoss *loss, double cutoff, double drift,
                            double *buffer, int *every, Error *error)
{
  const Status status = check(motion, cutoff, error);
  if (status != STATUS_OK)
    return status;
  if (!(drift > 0.0 && isfinite(drift) && motion->kT > 0.0 && motion->h > 0.0))
    return error_set(
        error, STATUS_INPUT,
        "fast lists want a drift of energy that they may cause, a temperature and a time step, not "
        "%g kT/ns, kT %g kcal/mol and step %g",
        drift, motion->kT, motion->h);
  const double given = *buffer;
  double least = INFINITY;
  /* Deeper than 4 deviations hardly a pair comes. */
  for (int k = 1; k <= EVERY_MAX && (k == 1 || 4.0 * spread(motion, k) < loss->depth[LIST_LOSSES - 1]); k++) {
    const double b = given != 0.0 ? given : least_buffer(motion, loss, cutoff, drift, k);
    if (list_choose_drift(motion, loss, cutoff, b, k) <= drift && cost(motion, cutoff, b, k) < least) {
      least = cost(motion, cutoff, b, k);
      *buffer = b;
      *every = k;
    }
  }
  if (isfinite(least))
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "with a buffer of %g A a fast list makes more than the allowed drift of %g kT/ns even if it "
      "is made at every step: take a larger buffer",
      given, drift);
}

/* The fastest two of n molecules together go about 2 sqrt(kT/m (2 ln n + 3)) long. */
Status list_choose_strict(const ListMotion *motion, double cutoff, int n, double *buffer, Error *error)
{
  const Status status = check(motion, cutoff, error);
  if (status != STATUS_OK)
    return status;
  if (n < 1)
    return error_set(error, STATUS_INPUT, "a neighbour list needs at least one molecule, not %d", n);
  const double step = 2.0 * sqrt(motion->kT / motion->mass * (2.0 * log(n) + 3.0)) * motion->h;
  *buffer = 0.0;
  int best = 1;
  for (int k = 2; k <= EVERY_MAX; k++)
    if (cost(motion, cutoff, (k - 1) * step, k) < cost(motion, cutoff, *buffer, best)) {
      *buffer = (k - 1) * step;
      best = k;
    }
  return STATUS_OK;
}
