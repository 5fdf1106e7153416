/* Computes frequencies of a system relative to its time step, and the response of the word. */
#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "integrators/accel.h"
#include "integrators/frequency.h"
#include "integrators/motion.h"
#include "simulation/molecules/system.h"
#include "simulation/penalty.h"

SCOPED_POINTER(State, state_free)

/* --- penalised modes ------- */

/* Stores a penalised mode in the rates: as number i of three for a single kind, else as slowest or
 * fastest. */
static void keep_rate(SystemRates *rates, bool alone, int i, double rate, const OscillatorResult *stiff)
{
  for (int k = 0; k < 3; k++) {
    const double now = rates->penalty[k];
    if (alone ? k != i : k == 1 || (now > 0.0 && (k == 0) != (rate < now)))
      continue;
    rates->penalty[k] = rate;
    rates->stiff[k] = *stiff;
  }
}

/* Sums the expected momenta over the penalised modes of all groups. */
static Status penalty_rates(const Simulation *s, const OscillatorStep *step, SystemRates *rates,
                            double *reading, Error *error)
{
  SCOPED(penalty_kinds_free) PenaltyKinds kinds = {0};
  TRY(penalty_kinds_create(&kinds, s, error));
  for (int k = 0; k < kinds.n; k++) {
    const PenaltyModes *modes = &kinds.of[k];
    double sum = 0.0;
    for (int i = 0; i < modes->n; i++) {
      const double square = penalty_square(s, s->kind[k]) * modes->square[i];
      const OscillatorMode mode = penalty_mode_stiff(s, s->kind[k], square, modes->mobility[i]);
      const OscillatorResult stiff = oscillator_solve(step, &mode);
      keep_rate(rates, !system_origin(s)->described, i, sqrt(square), &stiff);
      sum += stiff.momentum;
    }
    *reading += s->lanes[k] * sum;
  }
  return STATUS_OK;
}

/* --- modes that share their energy -------
 *
 * Modes that exchange energy faster than noise adds it share one temperature T', that of the energy which a
 * step without noise would conserve. O removes as much of this energy as it adds, so T' is the mean of
 * oscillator.h's `shared`, weighted by friction. O then finds T' found/shared of a mode's <p^2>, which gives
 * the heat (docs/theory.md). */

/* Bond stretches exchange energy with slower motions only over many periods. A mode with a period below 25 fs
 * (1,330 cm^-1) is treated as isolated. */
static const double shortest_period = 25.0 / UNITS_AKMA_FS;

static bool exchanges(double square)
{
  return square * shortest_period * shortest_period < 4.0 * M_PI * M_PI;
}

/* A mode with the actual noise (own), and with vanishing noise (weak), which gives the shared energy. */
typedef struct SharedMode {
  double weight;
  bool exchanges;
  OscillatorResult own, weak;
} SharedMode;

static SharedMode solve_mode(const OscillatorStep *step, OscillatorMode mode,
                             const FrequencySpectrum *spectrum, int i)
{
  SharedMode to = {.weight = spectrum->weight[i], .exchanges = exchanges(spectrum->square[i])};
  mode.square = spectrum->square[i];
  to.own = oscillator_solve(step, &mode);
  mode.rate = 1e-3 * sqrt(fabs(mode.square)) + 1e-9 / step->h;
  to.weak = oscillator_solve(step, &mode);
  return to;
}

/* T'/T; NaN: no mode exchanges energy. global: one thermostat factor for all momenta controls the kinetic
 * energy. */
static double shared_temperature(const SharedMode *mode, int n, bool global)
{
  double weight = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++)
    if (mode[i].exchanges && isfinite(mode[i].weak.shared)) {
      weight += mode[i].weight;
      sum += mode[i].weight * (global ? mode[i].weak.found / mode[i].weak.shared : mode[i].weak.shared);
    }
  return global ? weight / sum : sum / weight;
}

/* The mean heat that O adds to the modes, in kT, over the exchanged energy; T' NaN: isolated modes. */
static double heat_of(const SharedMode *mode, int n, double shared)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    const bool by_itself = isnan(shared) || !mode[i].exchanges || !isfinite(mode[i].weak.shared);
    const double found = by_itself ? mode[i].own.found : shared * mode[i].weak.found / mode[i].weak.shared;
    sum += mode[i].weight * (1.0 - found);
  }
  return sum;
}

/* The number of modes, including those of removed motions. */
static int count_modes(const Simulation *s, int *removed)
{
  int modes = 0, sites = 0;
  for (int k = 0; k < s->nkind; k++) {
    modes += s->lanes[k] * kind_freedom(s->kind[k], 1);
    sites += s->lanes[k] * s->kind[k]->nsite;
  }
  *removed = motion_freedom(plan_options(s->plan)->removal, 3, sites);
  return modes;
}

/* Relative error of the drift, from the frequencies of one configuration and a few random vectors. */
static const double drift_uncertain = 0.1;

/* mode: weighted by friction. A global thermostat controls the kinetic energy of all modes together, so its
 * drift is that of one degree of freedom: zero. */
static void shared_rates(const Simulation *s, const OscillatorStep *step, const SharedMode *mode, int n,
                         SystemRates *rates)
{
  const bool global = plan_options(s->plan)->time > 0.0;
  int removed;
  const int modes = count_modes(s, &removed);
  rates->apart = 0.0;
  for (int i = 0; i < n; i++)
    rates->apart += mode[i].exchanges ? 0.0 : mode[i].weight;
  rates->slow = global && rates->apart > 0.0 ? NAN : shared_temperature(mode, n, global);
  if (n == 0 || !plan_is_thermal(s->plan) || config_penalises(s->config))
    return;
  const double brought = s->kT * mode[0].own.exchange / step->h;
  const double shared = heat_of(mode, n, rates->slow) * modes - removed * (1.0 - rates->slow),
               alone = heat_of(mode, n, NAN) * modes;
  rates->drift = global ? 0.0 : -brought * shared;
  rates->drift_error = global ? 0.0 : brought * hypot(drift_uncertain * shared, 0.5 * (shared - alone));
}

/* The mean momenta at the end of a step, over T. With different frictions, modes share a temperature other
 * than that at which the noise finds each of them. */
static double mean_reading(const Simulation *s, const SharedMode *mode, int n, double slow)
{
  const bool even = s->config->thermostat.convention != FRICTION_UNIFORM;
  double mean = 0.0;
  for (int i = 0; i < n; i++) {
    const bool by_itself = even || !mode[i].exchanges || !isfinite(mode[i].weak.shared);
    mean += mode[i].weight *
            (by_itself ? mode[i].own.momentum : slow * mode[i].weak.momentum / mode[i].weak.shared);
  }
  return mean;
}

static Status solve_modes(const OscillatorStep *step, const OscillatorMode *like,
                          const FrequencySpectrum *spectrum, SharedMode **mode, Error *error)
{
  *mode = calloc((size_t)spectrum->n + 1, sizeof **mode);
  TRY_MEMORY(*mode != NULL, "frequencies", error);
  for (int i = 0; i < spectrum->n; i++)
    (*mode)[i] = solve_mode(step, *like, spectrum, i);
  return STATUS_OK;
}

/* Over the modes that exchange energy. */
static double mean_square(const FrequencySpectrum *spectrum)
{
  double weight = 0.0, sum = 0.0;
  for (int i = 0; i < spectrum->n; i++)
    if (exchanges(spectrum->square[i])) {
      weight += spectrum->weight[i];
      sum += spectrum->weight[i] * spectrum->square[i];
    }
  return sum / weight;
}

/* The matrix of zss-block contains the molecules' own blocks of the Hessian, its largest part. */
static Status rigid_rates(const Simulation *s, const OscillatorStep *step, State *state,
                          const ForceField *field, SystemRates *rates, double *reading, Error *error)
{
  const bool filtered = accel_map_has(s->config->integrator.acceleration, ACCEL_HESS_BLOCK),
             split = word_has(step->word, 'S'),
             uniform = s->config->thermostat.convention == FRICTION_UNIFORM;
  SCOPED(frequency_spectrum_free) FrequencySpectrum even = {0}, weighted = {0};
  SCOPED(scoped_free) SharedMode *all = NULL, *by_friction = NULL;
  rates->counted = 1.0;
  TRY(frequency_spectrum(state, field, FREQUENCY_EVEN, split, s->isa, &even, error));
  OscillatorMode mode = penalty_mode(s, rates->libration * rates->libration, even.mobility, filtered);
  mode.slow = even.slow;
  rates->fastest = oscillator_solve(step, &mode);
  TRY(solve_modes(step, &mode, &even, &all, error));
  if (uniform) {
    TRY(frequency_spectrum(state, field, FREQUENCY_MOBILITY, false, s->isa, &weighted, error));
    TRY(solve_modes(step, &mode, &weighted, &by_friction, error));
    rates->counted = mean_square(&weighted) / mean_square(&even);
  }
  shared_rates(s, step, uniform ? by_friction : all, uniform ? weighted.n : even.n, rates);
  int removed;
  const int modes = count_modes(s, &removed);
  *reading += modes * mean_reading(s, all, even.n, rates->slow) - removed;
  return STATUS_OK;
}

Status system_rates(const Simulation *s, const double *x, const Box *box, SystemRates *rates, Error *error)
{
  const OscillatorStep step = oscillator_step(s->plan);
  *rates = (SystemRates){.limit = oscillator_limit(&step),
                         .reading = NAN,
                         .slow = NAN,
                         .drift = NAN,
                         .drift_error = NAN,
                         .counted = NAN};
  double sum = 0.0, rigid = 0.0;
  if (config_penalises(s->config))
    TRY(penalty_rates(s, &step, rates, &sum, error));
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {0};
  TRY(topology_state(s->topology, 1, 0, 0, &state, error));
  state->box = *box;
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  TRY(simulation_field_create(s, NULL, state, &field, error));
  TRY(frequency_libration(state, &field, s->isa, &rates->libration, error));
  TRY(rigid_rates(s, &step, state, &field, rates, &rigid, error));
  const double all = sum + rigid;
  if (s->friction != NULL) { /* how modes share different frictions is unknown */
    rates->slow = rates->drift = rates->drift_error = rates->counted = NAN;
    return STATUS_OK;
  }
  if (plan_is_thermal(s->plan) && isfinite(all))
    rates->reading = all / simulation_freedom(s);
  return STATUS_OK;
}
