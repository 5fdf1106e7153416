#include "simulation/system.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/config_plan.h"
#include "engine/isa_wanted.h"
#include "engine/text.h"
#include "engine/units.h"
#include "forcefields/wall.h"
#include "integrators/accel.h"
#include "integrators/constraints.h"
#include "io/structure.h"
#include "simulation/frequency.h"
#include "simulation/system_box.h"

static Status make_plan(System *s, Error *error)
{
  const Config *c = s->config;
  PlanOptions options = config_plan_options(c, s->isa);
  options.keep_heat = c->output.conserved;
  if (c->sort == SORT_BOX && (c->output.pressure & CONFIG_BY_ATOM) != 0 && s->constrained)
    options.keep_multipliers = true;
  Error why;
  const Status status = plan_create_kinds(&s->plan, s->nkind, s->kind, &options, &why);
  return status == STATUS_OK ? status : input_error(c->input, "integrator.word", error, "%s", why.text);
}

static Status count_waters(void *self, int i, Frame *frame, const char *path, Error *error)
{
  System *s = self;
  if (i > 0)
    return STATUS_OK;
  Structure structure;
  Error why;
  const Status status = structure_cluster(frame, path, 0, NULL, &structure, &why);
  if (status != STATUS_OK)
    return input_error(s->config->input, "system.file", error, "%s", why.text);
  s->nmol[0] = structure.group[0].nmol;
  structure_free(&structure);
  return STATUS_OK;
}

static Status count_molecules(System *s, Error *error)
{
  const Config *c = s->config;
  s->nmol[0] = c->system.molecules;
  if (c->system.start == START_BUILD)
    return STATUS_OK;
  const Status status = start_file_read(c, &s->from, count_waters, s, error);
  if (status != STATUS_OK)
    return status;
  if (input_given(c->input, "system.molecules") && c->system.molecules != s->nmol[0])
    return input_error(c->input, "system.molecules", error, "%d are asked for, but %s holds %d",
                       c->system.molecules, c->system.file, s->nmol[0]);
  return STATUS_OK;
}

/* One kind, and nothing around it. */
static Status make_cluster(System *s, Error *error)
{
  const Config *c = s->config;
  Status status = count_molecules(s, error);
  if (status == STATUS_OK && s->nmol[0] < 2)
    status = input_error(c->input, "system.molecules", error, "a cluster needs at least 2 molecules, not %d",
                         s->nmol[0]);
  Kind *kind;
  if (status == STATUS_OK)
    status = water_kind(s->model, c->system.mass_O, c->system.mass_H, &kind, error);
  if (status == STATUS_OK)
    s->kind[s->nkind++] = kind;
  return status;
}

static void shape(System *s, int threads)
{
  const Config *c = s->config;
  s->precision = c->precision == 0 ? PAIR_DOUBLE : PAIR_MIXED;
  s->width = c->ensemble.replicas == 1 || c->sort == SORT_BOX ? 1 : (s->precision == PAIR_MIXED ? 16 : 8);
  s->replicas = (c->ensemble.replicas + s->width - 1) / s->width * s->width;
  s->threads = threads > 0 ? threads : c->ensemble.threads;
  if (s->threads <= 0)
    s->threads = omp_get_max_threads();
}

Status system_create(System **system, const Config *config, int threads, Error *error)
{
  *system = NULL;
  System *s = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "the system");
  s->config = config;
  s->constrained = config_constraint_method(config) != NULL;
  s->kT = config->thermostat.kT;
  s->h = config->integrator.timestep;
  s->steps = config->integrator.steps;
  s->equilibration = config->output.equilibration;
  const bool box = config->sort == SORT_BOX;
  Status status = STATUS_OK;
  if (config_mechanical(config))
    status =
        input_error(config->input, "system.model", error,
                    "is missing: the file describes a mechanical system, and a water model is wanted here");
  if (status == STATUS_OK && config->system.model != NULL) {
    s->model = water_find(config->system.model);
    if (s->model == NULL)
      status = input_error(config->input, "system.model", error, "there is no water model '%s'",
                           config->system.model);
  }
  if (status == STATUS_OK)
    status = isa_wanted(&s->isa, error);
  shape(s, threads);
  if (status == STATUS_OK && config->system.start == START_FILE)
    status = start_file_choose(config, s->replicas, &s->from, error);
  if (status == STATUS_OK)
    status = box ? system_box_create(s, error) : make_cluster(s, error);
  for (int k = 0; k < s->nkind; k++) {
    s->molecules += s->nmol[k];
    s->coordinates += 3 * (size_t)s->kind[k]->nsite * (size_t)s->nmol[k];
  }
  if (status == STATUS_OK)
    status = make_plan(s, error);
  if (status != STATUS_OK) {
    system_free(s);
    return status;
  }
  *system = s;
  return STATUS_OK;
}

void system_free(System *system)
{
  if (system == NULL)
    return;
  plan_free(system->plan);
  for (int k = 0; k < system->nkind; k++)
    kind_free((Kind *)system->kind[k]);
  free(system);
}

double system_picoseconds(const System *s, int64_t step)
{
  return (double)step * s->h * UNITS_AKMA_FS * 1e-3;
}

/* --- forces ----------------------------------------------------------------------------------------------
 */

static Status make_field(const void *self, const State *state, ForceField *field, Error *error)
{
  const System *s = self;
  const Config *c = s->config;
  field->n = 0;
  if (c->sort == SORT_BOX)
    return system_box_field(s, state, field, error);
  Status status = pair_create(&field->force[0], s->model, s->precision, state, s->isa, error);
  if (status != STATUS_OK)
    return status;
  field->n = 1;
  if (c->system.wall_radius <= 0.0)
    return STATUS_OK;
  status = wall_create(&field->force[1], c->system.wall_stiffness, c->system.wall_radius, state, error);
  field->n += status == STATUS_OK;
  return status;
}

FieldMaker system_maker(const System *system) { return (FieldMaker){system, make_field}; }

/* --- rates ------------------------------------------------------------------------------------------------
 */

/* What O, the map and the slow forces do with a mode. */
static OscillatorMode mode_of(const System *s, double square, double mobility, bool filtered)
{
  const Config *c = s->config;
  const bool uniform = c->thermostat.convention == FRICTION_UNIFORM;
  return (OscillatorMode){.square = square,
                          .beta = filtered ? c->integrator.beta : 0.0,
                          .drifts = accel_map_find(c->integrator.acceleration)->drift != NULL,
                          .rate = plan_options(s->plan)->gamma * (uniform ? mobility : 1.0)};
}

/* Friction across the manifold is one rate for a molecule (thermostat/ou.h). */
static OscillatorMode cold_mode(const System *s, OscillatorMode mode)
{
  const Kind *kind = s->kind[0];
  double mobility = 0.0;
  for (int i = 0; i < kind->nsite; i++)
    mobility += 1.0 / (kind->mass[i] * kind->nsite);
  mode.cold = true;
  mode.rate = mode_of(s, 0.0, mobility, false).rate;
  return mode;
}

/* Sum over the penalised modes of a molecule of what their momenta read. */
static Status penalty_rates(const System *s, const OscillatorStep *step, SystemRates *rates, double *reading,
                            Error *error)
{
  const Config *c = s->config;
  double mobility[3];
  const Status status = frequency_penalty(s->kind[0], c->geometry.w, rates->penalty, mobility, error);
  for (int i = 0; i < 3 && status == STATUS_OK; i++) {
    OscillatorMode mode = mode_of(s, rates->penalty[i] * rates->penalty[i], mobility[i],
                                  !accel_map_has(c->integrator.acceleration, ACCEL_PLAIN));
    if (c->thermostat.tangent)
      mode = cold_mode(s, mode);
    rates->stiff[i] = oscillator_solve(step, &mode);
    *reading += rates->stiff[i].momentum;
  }
  return status;
}

/* The matrix of zss-block has the molecules' own blocks of the Hessian, which is the most of it. */
static void rigid_rates(const System *s, const OscillatorStep *step, const FrequencySpectrum *spectrum,
                        SystemRates *rates, double *reading)
{
  const bool filtered = accel_map_has(s->config->integrator.acceleration, ACCEL_HESS_BLOCK);
  OscillatorMode mode = mode_of(s, rates->libration * rates->libration, spectrum->mobility, filtered);
  mode.slow = spectrum->slow;
  rates->fastest = oscillator_solve(step, &mode);
  int modes = 0, sites = 0;
  for (int k = 0; k < s->nkind; k++) {
    modes += s->nmol[k] * kind_freedom(s->kind[k], 1);
    sites += s->nmol[k] * s->kind[k]->nsite;
  }
  double mean = 0.0;
  for (int i = 0; i < spectrum->n; i++) {
    mode.square = spectrum->square[i];
    mean += spectrum->weight[i] * oscillator_solve(step, &mode).momentum;
  }
  *reading += modes * mean - motion_freedom(plan_options(s->plan)->removal, 3, sites);
}

Status system_rates(const System *s, const double *x, SystemRates *rates, Error *error)
{
  const OscillatorStep step = oscillator_step(s->plan);
  *rates = (SystemRates){.limit = oscillator_limit(&step), .reading = NAN};
  Status status = STATUS_OK;
  double sum = 0.0, rigid = 0.0;
  if (!s->constrained && s->model != NULL)
    status = penalty_rates(s, &step, rates, &sum, error);
  State *state = NULL;
  ForceField field = {0};
  FrequencySpectrum spectrum = {0};
  if (status == STATUS_OK)
    status = state_create(&state, 1, s->nkind, s->kind, s->nmol, 0, 0, error);
  if (status == STATUS_OK) {
    state->box = s->box;
    state_set_all(state, STATE_POSITIONS, 0, x);
    status = make_field(s, state, &field, error);
  }
  if (status == STATUS_OK)
    status = frequency_libration(state, &field, s->isa, &rates->libration, error);
  if (status == STATUS_OK)
    status = frequency_spectrum(state, &field, word_has(step.word, 'S'), s->isa, &spectrum, error);
  if (status == STATUS_OK) {
    rigid_rates(s, &step, &spectrum, rates, &rigid);
    const double all = s->nmol[0] * sum + rigid;
    if (plan_is_thermal(s->plan) && isfinite(all))
      rates->reading = all / plan_freedom(s->plan, s->nmol);
  }
  frequency_spectrum_free(&spectrum);
  force_field_free(&field);
  state_free(state);
  return status;
}

Status system_check_step(const System *s, const SystemRates *rates, Error *error)
{
  const Config *c = s->config;
  const bool verlet = accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
  if (!s->constrained && s->model != NULL && verlet && s->h * rates->penalty[2] > rates->limit)
    return input_error(
        c->input, "integrator.timestep", error,
        "with acceleration 'verlet' the penalised bonds (fastest W = %.4g per AKMA time) are unstable "
        "at h = %.4g: h W = %.3g, and %.3g is the limit. Take h below %.3g, a smaller w, or acceleration "
        "'zss'",
        rates->penalty[2], s->h, s->h * rates->penalty[2], rates->limit, rates->limit / rates->penalty[2]);
  if (s->h * rates->libration > rates->limit)
    return input_error(
        c->input, "integrator.timestep", error,
        "the librations of the molecules (fastest W = %.4g per AKMA time) are unstable at h = %.4g "
        "(%.3g fs): h W = %.3g, and %.3g is the limit. Take h below %.3g",
        rates->libration, s->h, s->h * UNITS_AKMA_FS, s->h * rates->libration, rates->limit,
        rates->limit / rates->libration);
  return STATUS_OK;
}

void system_contents(const System *s, char *words, size_t size)
{
  words[0] = '\0';
  for (int k = 0; k < s->nkind; k++)
    text_append(words, size, "%s%d %s", k > 0 ? ", " : "", s->nmol[k],
                s->species[k] != NULL ? s->species[k]->name : s->kind[k]->name);
}
