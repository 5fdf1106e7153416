#include "simulation/penalty.h"

#include <math.h>
#include <stdlib.h>

#include "integrators/accel.h"

static OscillatorMode make_mode(const Simulation *s, double gamma, double square, double mobility,
                                bool filtered)
{
  const Config *c = s->config;
  const PlanOptions *o = plan_options(s->plan);
  const AccelMap *map = accel_map_find(o->accel);
  const bool uniform = c->thermostat.convention == FRICTION_UNIFORM;
  return (OscillatorMode){.square = square,
                          .beta = filtered ? c->integrator.beta : 0.0,
                          .drifts = map->drift != NULL,
                          .rate = o->time > 0.0 ? 0.5 / o->time : gamma * (uniform ? mobility : 1.0)};
}

OscillatorMode penalty_mode(const Simulation *s, double square, double mobility, bool filtered)
{
  return make_mode(s, simulation_friction_mean(s), square, mobility, filtered);
}

static double friction_of(const Simulation *s, const Kind *kind)
{
  int k = 0;
  while (k < s->nkind - 1 && s->kind[k] != kind)
    k++;
  return plan_gamma(s->plan, k);
}

double penalty_square(const Simulation *s, const Kind *kind)
{
  return kind->w != NULL ? 1.0 : s->config->geometry.w * s->config->geometry.w;
}

/* The mean friction rate of the sites. */
static double rate_of_sites(const Simulation *s, const Kind *kind)
{
  double mobility = 0.0;
  for (int i = 0; i < kind->nsite; i++)
    mobility += 1.0 / (kind->mass[i] * kind->nsite);
  return make_mode(s, friction_of(s, kind), 0.0, mobility, false).rate;
}

OscillatorMode penalty_mode_stiff(const Simulation *s, const Kind *kind, double square, double mobility)
{
  const bool filtered = !accel_map_has(plan_options(s->plan)->accel, ACCEL_PLAIN);
  OscillatorMode mode = make_mode(s, friction_of(s, kind), square, mobility, filtered);
  if (s->config->thermostat.tangent) {
    mode.cold = true;
    mode.rate = rate_of_sites(s, kind);
  }
  return mode;
}

Status penalty_kinds_create(PenaltyKinds *kinds, const Simulation *s, Error *error)
{
  *kinds = (PenaltyKinds){0, calloc((size_t)s->nkind, sizeof *kinds->of)};
  TRY_MEMORY(kinds->of != NULL, "penalised modes", error);
  for (; kinds->n < s->nkind; kinds->n++) {
    const Kind *kind = s->kind[kinds->n];
    if (kind->frozen) /* has no modes */
      continue;
    TRY_ELSE(penalty_modes_create(&kinds->of[kinds->n], kind, kind->reference, error),
             penalty_kinds_free(kinds));
  }
  return STATUS_OK;
}

void penalty_kinds_free(PenaltyKinds *kinds)
{
  for (int k = 0; k < kinds->n; k++)
    penalty_modes_free(&kinds->of[k]);
  free(kinds->of);
  *kinds = (PenaltyKinds){0};
}

bool penalty_filters(const Simulation *s)
{
  const PlanOptions *o = plan_options(s->plan);
  return config_penalises(s->config) && s->config->thermostat.type != THERMOSTAT_NONE && o->method == NULL &&
         plan_is_fresh(s->plan) && !accel_map_has(o->accel, ACCEL_PLAIN);
}

/* The mean square of a mode driven by the curvature. */
static double pushed(const Simulation *s, const Kind *kind, const OscillatorStep *step,
                     const OscillatorMode *mode, double mean, double variance)
{
  const OscillatorPush push = oscillator_push(step, mode, rate_of_sites(s, kind));
  return (mean * mean * push.steady * push.steady + variance * push.shaken) * pow(step->h, 4.0);
}

/* The same in exact dynamics: unfiltered, with steps much shorter than the period. */
static double pushed_truly(const Simulation *s, const Kind *kind, const OscillatorStep *step,
                           const OscillatorMode *mode, double mean, double variance)
{
  static const double reach = 0.02;
  OscillatorStep fine = *step;
  OscillatorMode plain = *mode;
  fine.h = fmin(step->h, reach / sqrt(mode->square));
  plain.beta = 0.0;
  return pushed(s, kind, &fine, &plain, mean, variance);
}

/* Adds mode k of one group of a kind, at kT. */
static void add_mode(const Simulation *s, const Kind *kind, const PenaltyModes *modes, int k,
                     const OscillatorStep *step, double kT, PenaltyHeat *to)
{
  const double w2 = penalty_square(s, kind), square = w2 * modes->square[k];
  const OscillatorMode mode = penalty_mode_stiff(s, kind, square, modes->mobility[k]);
  const OscillatorResult result = oscillator_solve(step, &mode);
  const double reach = mode.beta * square * step->h * step->h;
  const double filter = mode.drifts ? 1.0 - reach : 1.0 / (1.0 + reach); /* of x + beta h^2 M^-1 f */
  if (!mode.cold) {
    to->due += 0.5 * kT;
    to->thermal += 0.5 * kT * result.position;
    to->seen += 0.5 * kT * result.position * filter * filter;
  }
  const double mean = modes->mean[k] * kT, variance = modes->variance[k] * kT * kT;
  to->curved +=
      0.5 * w2 *
      (pushed(s, kind, step, &mode, mean, variance) - pushed_truly(s, kind, step, &mode, mean, variance));
}

PenaltyHeat penalty_heat(const Simulation *s, const PenaltyKinds *kinds, double h, double kT)
{
  PenaltyHeat heat = {0};
  OscillatorStep step = oscillator_step(s->plan);
  step.h = h;
  if (s->config->thermostat.type == THERMOSTAT_NONE || !plan_is_thermal(s->plan) ||
      word_has(step.word, 'H') || !(kT > 0.0))
    return heat;
  for (int k = 0; k < kinds->n; k++) {
    PenaltyHeat one = {0};
    for (int i = 0; i < kinds->of[k].n; i++)
      add_mode(s, s->kind[k], &kinds->of[k], i, &step, kT, &one);
    const double lanes = s->lanes[k];
    heat.modes += s->lanes[k] * kinds->of[k].n;
    heat.due += lanes * one.due;
    heat.thermal += lanes * one.thermal;
    heat.seen += lanes * one.seen;
    heat.curved += lanes * one.curved;
  }
  heat.heat = heat.thermal + heat.curved - heat.due;
  if (isnan(heat.heat))
    heat.heat = INFINITY;
  heat.least = heat.heat >= 0.0 && s->terms;
  heat.allowed = PENALTY_ALLOWED * 0.5 * kT * heat.modes;
  return heat;
}

static bool allowed(const Simulation *s, const PenaltyKinds *kinds, double h, double kT)
{
  const PenaltyHeat heat = penalty_heat(s, kinds, h, kT);
  return fabs(heat.heat) <= heat.allowed;
}

double penalty_step(const Simulation *s, const PenaltyKinds *kinds, double most, double kT)
{
  if (penalty_heat(s, kinds, most, kT).modes == 0)
    return 0.0;
  double high = most, low = most;
  for (int i = 0; i < 60 && !allowed(s, kinds, low, kT); i++) {
    high = low;
    low *= 0.5;
  }
  for (int i = 0; i < 30 && low < high; i++) {
    const double middle = 0.5 * (low + high);
    *(allowed(s, kinds, middle, kT) ? &low : &high) = middle;
  }
  return low;
}
