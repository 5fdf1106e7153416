#include "integrators/oscillator.h"

#include <math.h>
#include <string.h>

#include "engine/band.h"
#include "engine/force.h"
#include "integrators/letters.h"

/* The units are h sqrt(kT/m) for positions, sqrt(m kT) for momenta and h for times. W then enters as (h W)^2
 * alone, which may be zero or negative. */
typedef struct Map {
  double m[2][2]; /* z' = m z + noise                       */
  double q[3];    /* covariance of the noise: qq, qp, pp    */
  bool noisy;
} Map;

OscillatorStep oscillator_step(const Plan *plan)
{
  const PlanOptions *o = plan_options(plan);
  return (OscillatorStep){.word = plan_spelling(plan),
                          .composition = o->composition != NULL ? composition_find(o->composition) : NULL,
                          .h = o->h};
}

/* Appends z <- l z. */
static void apply(Map *map, const double l[2][2])
{
  double m[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      m[i][j] = l[i][0] * map->m[0][j] + l[i][1] * map->m[1][j];
  memcpy(map->m, m, sizeof m);
  const double qq = map->q[0], qp = map->q[1], pp = map->q[2];
  map->q[0] = l[0][0] * l[0][0] * qq + 2.0 * l[0][0] * l[0][1] * qp + l[0][1] * l[0][1] * pp;
  map->q[1] = l[0][0] * l[1][0] * qq + (l[0][0] * l[1][1] + l[0][1] * l[1][0]) * qp + l[0][1] * l[1][1] * pp;
  map->q[2] = l[1][0] * l[1][0] * qq + 2.0 * l[1][0] * l[1][1] * qp + l[1][1] * l[1][1] * pp;
}

/* t: in h. square: (h W)^2. filter: the factor of the acceleration map on a kick or a drift. */
static void add_letter(Map *map, const Letter *letter, double t, double square, double filter,
                       const OscillatorMode *mode, double h)
{
  if (letter->moves)
    apply(map, (const double[2][2]){{1.0, mode->drifts ? filter * t : t}, {0.0, 1.0}});
  if (letter->kicks == FORCE_SLOW)
    apply(map, (const double[2][2]){{1.0, 0.0}, {-t * mode->slow * square, 1.0}});
  else if (letter->kicks != 0)
    apply(map, (const double[2][2]){{1.0, 0.0},
                                    {-t * (mode->drifts ? 1.0 : filter) * (1.0 - mode->slow) * square, 1.0}});
  if (letter->noise) {
    const double decay = exp(-mode->rate * t * h);
    apply(map, (const double[2][2]){{1.0, 0.0}, {0.0, decay}});
    map->q[2] += mode->cold ? 0.0 : 1.0 - decay * decay;
    map->noisy |= decay < 1.0 && !mode->cold;
  }
}

/* *after, unless NULL: the map up to the last O. */
static Map step_map(const OscillatorStep *step, const OscillatorMode *mode, Map *after)
{
  Map map = {.m = {{1.0, 0.0}, {0.0, 1.0}}};
  const double square = mode->square * step->h * step->h;
  for (int k = 0; k < composition_stages(step->composition); k++) {
    const double weight = composition_weight(step->composition, k);
    const double filter = 1.0 / (1.0 + mode->beta * square * weight * weight);
    for (int i = 0; i < step->word->n; i++) {
      add_letter(&map, letter_find(step->word->letter[i]), weight * step->word->weight[i], square, filter,
                 mode, step->h);
      if (after != NULL && step->word->letter[i] == 'O')
        *after = map;
    }
  }
  return map;
}

static double trace(const Map *map) { return map->m[0][0] + map->m[1][1]; }

static double determinant(const Map *map)
{
  return map->m[0][0] * map->m[1][1] - map->m[0][1] * map->m[1][0];
}

static double growth(const Map *map)
{
  const double half = 0.5 * trace(map), root = half * half - determinant(map);
  return root < 0.0 ? sqrt(determinant(map)) : fabs(half) + sqrt(root);
}

/* Words of equal steps reach |trace| = 2 without becoming unstable. */
static const double touching = 1e-10;

/* Solves S = M S M' + Q. */
static void stationary(const Map *map, double s[3])
{
  const double a = map->m[0][0], b = map->m[0][1], c = map->m[1][0], d = map->m[1][1];
  double matrix[9] = {1.0 - a * a, -2.0 * a * b, -b * b,       -a * c,     1.0 - a * d - b * c,
                      -b * d,      -c * c,       -2.0 * c * d, 1.0 - d * d};
  memcpy(s, map->q, sizeof map->q);
  int pivot[3];
  if (!band_dense(3, matrix, 1, s, pivot, NULL))
    s[0] = s[1] = s[2] = NAN;
}

/* Action times angle. Both are imaginary for W^2 < 0. For the slowest modes the angle is lost in rounding. */
static double shared(const Map *map, double reach, const double s[3])
{
  if (fabs(reach) < 1e-8)
    return 1.0;
  const double square = s[0] * s[2] - s[1] * s[1], half = 0.5 * trace(map) / sqrt(determinant(map));
  return square > 0.0 ? sqrt(square) * acos(half) : sqrt(-square) * acosh(half);
}

/* Follows the stationary covariance s through the step to find the momenta before each O. */
static void meet_noise(const OscillatorStep *step, const OscillatorMode *mode, const double s[3],
                       OscillatorResult *result)
{
  Map map = {.m = {{1.0, 0.0}, {0.0, 1.0}}, .q = {s[0], s[1], s[2]}};
  const double square = mode->square * step->h * step->h;
  double sum = 0.0, found = 0.0;
  for (int k = 0; k < composition_stages(step->composition); k++) {
    const double weight = composition_weight(step->composition, k);
    const double filter = 1.0 / (1.0 + mode->beta * square * weight * weight);
    for (int i = 0; i < step->word->n; i++) {
      const Letter *letter = letter_find(step->word->letter[i]);
      const double t = weight * step->word->weight[i];
      if (letter->noise) {
        const double share = -expm1(-2.0 * mode->rate * t * step->h);
        sum += share;
        found += share * map.q[2];
      }
      add_letter(&map, letter, t, square, filter, mode, step->h);
    }
  }
  result->found = found / sum;
  result->exchange = 0.5 * sum;
  result->heat = 0.5 * (sum - found);
}

OscillatorResult oscillator_solve(const OscillatorStep *step, const OscillatorMode *mode)
{
  if (word_has(step->word, 'H'))
    return (OscillatorResult){OSCILLATOR_UNKNOWN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  Map after = {0};
  const Map map = step_map(step, mode, &after);
  const double square = mode->square * step->h * step->h;
  OscillatorResult result = {.growth = growth(&map),
                             .thermal = NAN,
                             .shared = NAN,
                             .given = NAN,
                             .found = NAN,
                             .heat = NAN,
                             .exchange = NAN};
  double s[3] = {0};
  const bool area = fabs(determinant(&map) - 1.0) < 1e-12;
  if (mode->square <= 0.0) {
    result.fate = OSCILLATOR_UNSTABLE;
    result.position = INFINITY;
    if (map.noisy && square < 0.0)
      stationary(&map, s);
    else
      s[2] = 1.0; /* a free particle: the variance of its position is not needed */
    result.momentum = s[2];
    if (map.noisy)
      meet_noise(step, mode, s, &result);
    result.shared = map.noisy ? shared(&map, square, s) : NAN;
    return result;
  }
  if (area ? fabs(trace(&map)) > 2.0 + touching : !(result.growth < 1.0)) {
    result.fate = OSCILLATOR_UNSTABLE;
    result.position = result.momentum = INFINITY;
  } else if (map.noisy) {
    result.fate = OSCILLATOR_SAMPLED;
    stationary(&map, s);
    result.position = square * s[0];
    result.momentum = s[2];
    result.given = s[2] - s[1] * s[1] / s[0];
    meet_noise(step, mode, s, &result);
    const double c = after.m[1][0], d = after.m[1][1];
    result.shared = shared(&map, square, s);
    result.thermal = c * c * s[0] + 2.0 * c * d * s[1] + d * d * s[2] + after.q[2];
  } else if (area) {
    /* The matrix of the form is that of (-m10, (m00 - m11)/2, m01); at M = +-1 all forms are conserved. */
    const double q = fabs(square * map.m[0][1]), p = fabs(map.m[1][0]);
    result.fate = OSCILLATOR_CONSERVED;
    result.position = q + p > touching ? 2.0 * q / (q + p) : 1.0;
    result.momentum = q + p > touching ? 2.0 * p / (q + p) : 1.0;
  } else {
    result.fate = OSCILLATOR_DIES;
  }
  return result;
}

/* --- a mode that is pushed --------------------------------------------------------------------------------
 *
 * The state is (q, p, a) in units of h for times, h^2 a for lengths and h a for momenta. The only noise of
 * these steps is that of a, whose mean square is 1. */

typedef struct Pushed {
  double m[3][3], s[3][3]; /* z' = m z + noise of covariance s */
} Pushed;

/* Appends z <- l z. */
static void follow(Pushed *to, const Pushed *l)
{
  Pushed out = {.s = {{0.0}}};
  double half[3][3] = {{0.0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        out.m[i][j] += l->m[i][k] * to->m[k][j];
        half[i][j] += l->m[i][k] * to->s[k][j];
      }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out.s[i][j] = l->s[i][j];
      for (int k = 0; k < 3; k++)
        out.s[i][j] += half[i][k] * l->m[j][k];
    }
  *to = out;
}

static const Pushed unmoved = {.m = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

/* t: in h; decay and along: friction rates times h. */
static void push_letter(Pushed *to, const Letter *letter, double t, double square, double filter,
                        const OscillatorMode *mode, double decay, double along)
{
  Pushed l = unmoved;
  if (letter->moves) {
    l.m[0][1] = mode->drifts ? filter * t : t;
    l.m[0][2] = 0.5 * t * t;
    l.m[1][2] = t;
  }
  if (letter->kicks == FORCE_SLOW)
    l.m[1][0] = -t * mode->slow * square;
  else if (letter->kicks != 0)
    l.m[1][0] = -t * (mode->drifts ? 1.0 : filter) * (1.0 - mode->slow) * square;
  if (letter->noise) { /* a is a product of two momenta */
    l.m[1][1] = exp(-decay * t);
    l.m[2][2] = exp(-2.0 * along * t);
    l.s[2][2] = 1.0 - l.m[2][2] * l.m[2][2];
  }
  follow(to, &l);
}

static Pushed push_step(const OscillatorStep *step, const OscillatorMode *mode, double along)
{
  Pushed to = unmoved;
  const double square = mode->square * step->h * step->h;
  for (int k = 0; k < composition_stages(step->composition); k++) {
    const double weight = composition_weight(step->composition, k),
                 filter = 1.0 / (1.0 + mode->beta * square * weight * weight);
    for (int i = 0; i < step->word->n; i++)
      push_letter(&to, letter_find(step->word->letter[i]), weight * step->word->weight[i], square, filter,
                  mode, mode->rate * step->h, along);
  }
  return to;
}

/* The fixed point of z = M z + (column of a). */
static double rest_of(const Pushed *step)
{
  const double a = 1.0 - step->m[0][0], b = -step->m[0][1], c = -step->m[1][0], d = 1.0 - step->m[1][1];
  return (d * step->m[0][2] - b * step->m[1][2]) / (a * d - b * c);
}

OscillatorPush oscillator_push(const OscillatorStep *step, const OscillatorMode *mode, double along)
{
  if (word_has(step->word, 'H'))
    return (OscillatorPush){NAN, NAN};
  const OscillatorFate fate = oscillator_solve(step, mode).fate;
  if (fate == OSCILLATOR_UNSTABLE)
    return (OscillatorPush){INFINITY, INFINITY};
  const Pushed still = push_step(step, mode, 0.0);
  OscillatorPush push = {.steady = rest_of(&still)};
  push.shaken = push.steady * push.steady;
  if (fate == OSCILLATOR_CONSERVED || !(along > 0.0))
    return push; /* a is constant */
  Pushed sum = push_step(step, mode, along * step->h);
  for (int i = 0; i < 64; i++) { /* 2^i steps in one */
    const Pushed before = sum;
    follow(&sum, &before);
  }
  push.shaken = sum.s[0][0];
  return push;
}

bool oscillator_shadow(const Plan *plan, OscillatorShadow *shadow)
{
  const double small = 4e-4, weak = 1e-5; /* (h W)^2, and the friction rate over W */
  const OscillatorStep step = oscillator_step(plan);
  const char *const map = plan_options(plan)->accel;
  if (!plan_is_thermal(plan) || !plan_is_fresh(plan) || word_has(step.word, 'S') ||
      word_has(step.word, 'H') || (map != NULL && !accel_map_has(map, ACCEL_PLAIN)))
    return false;
  const OscillatorMode mode = {.square = small / (step.h * step.h), .rate = weak * sqrt(small) / step.h};
  const OscillatorResult one = oscillator_solve(&step, &mode);
  /* Noise on every momentum adds as much energy as friction removes where T' is `shared`. One factor for all
   * momenta keeps their kinetic energy at the value before O. */
  const double temperature = plan_options(plan)->time > 0.0 ? one.shared / one.found : one.shared;
  *shadow = (OscillatorShadow){.drift = 0.5 * (1.0 - one.given / one.shared) / small,
                               .kick = 0.5 * (1.0 - one.position / one.shared) / small,
                               .heat = (temperature - 1.0) / small};
  return one.fate == OSCILLATOR_SAMPLED;
}

bool oscillator_unbiased(const Plan *plan)
{
  static const double reach[] = {0.3, 0.7}, slow[] = {0.0, 0.1, 0.4};
  if (!plan_is_thermal(plan))
    return false;
  const OscillatorStep step = oscillator_step(plan);
  const double h = step.h;
  for (size_t i = 0; i < sizeof reach / sizeof *reach; i++)
    for (size_t k = 0; k < sizeof slow / sizeof *slow; k++) {
      const OscillatorMode mode = {.square = reach[i] * reach[i] / (h * h), .slow = slow[k], .rate = 0.2 / h};
      const OscillatorResult result = oscillator_solve(&step, &mode);
      if (fabs(result.thermal - 1.0) > 1e-9)
        return false;
    }
  return true;
}

static bool stable(const OscillatorStep *step, double reach)
{
  const OscillatorMode mode = {.square = reach * reach / (step->h * step->h)};
  const Map map = step_map(step, &mode, NULL);
  return fabs(trace(&map)) < 2.0 + touching;
}

double oscillator_limit(const OscillatorStep *step)
{
  static const double mesh = 1.0 / 64.0;
  double low = 0.0, high = mesh;
  while (stable(step, high)) {
    low = high;
    high += mesh;
    if (high > 2.0 * WORD_LETTERS * composition_stages(step->composition))
      return INFINITY;
  }
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    *(stable(step, middle) ? &low : &high) = middle;
  }
  return low;
}
