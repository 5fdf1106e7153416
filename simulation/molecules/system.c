#include "simulation/molecules/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "integrators/accel.h"

Status system_plan(Simulation *s, bool multipliers, Error *error)
{
  PlanOptions options = simulation_prepare_plan(s);
  options.keep_heat = s->config->output.conserved;
  options.keep_multipliers = options.keep_multipliers || multipliers;
  return plan_create_kinds(&s->plan, s->nkind, s->kind, &options, error);
}

static Status find_model(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->system.model != NULL && (system_molecules(s)->model = water_find(c->system.model)) == NULL)
    return input_error(c->input, KEY(system_model), error, "there is no water model '%s'", c->system.model);
  return STATUS_OK;
}

Status system_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  MolecularSystem *w = s->own = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "the system");
  w->rates.reading = w->rates.slow = w->rates.drift = w->rates.drift_error = s->counted = NAN;
  w->precision = c->precision == 0 ? PAIR_DOUBLE : PAIR_MIXED;
  s->constrained = config_constraint_method(c) != NULL;
  s->width = c->ensemble.replicas == 1 || s->sort->alone ? 1 : (w->precision == PAIR_MIXED ? 16 : 8);
  s->replicas = (c->ensemble.replicas + s->width - 1) / s->width * s->width;
  TRY(find_model(s, error));
  const bool file = c->system.start == START_FILE || c->system.topology != NULL;
  return file ? start_file_choose(c, s->replicas, &w->from, error) : STATUS_OK;
}

void system_free(Simulation *s)
{
  MolecularSystem *w = system_molecules(s);
  if (w == NULL)
    return;
  start_free(&w->start);
  for (int k = 0; k < s->nkind && w->groups != NULL; k++)
    w->groups->kind[k] = NULL; /* owned by the simulation */
  bias_grid_free(w->hills.grid);
  groups_free(w->groups);
  molecules_free(w->molecules);
  arena_free(&w->arena);
  free(w);
}

double system_speed(const Simulation *s, double seconds)
{
  return seconds > 0.0 ? 86400.0 / seconds * s->h * UNITS_AKMA_FS * 1e-6 : 0.0;
}

const SystemOrigin system_origin_builtin = {.key = "model",
                                            .placed = "made rigid (sites",
                                            .fastest = "fastest libration",
                                            .fastest_logged = "libration of the rigid molecules",
                                            .motions = "librations",
                                            .advice = ""},
                   system_origin_described = {.described = true,
                                              .key = "topology",
                                              .placed = "projected onto the constraints (atoms",
                                              .fastest = "fastest unconstrained motion",
                                              .fastest_logged = "unconstrained motion",
                                              .motions = "fastest motions",
                                              .advice = ", or constrain more of them (geometry.constrain)"};

bool system_writes_gro(const Simulation *s) { return box_periodic(&s->box) || system_origin(s)->described; }

double system_picoseconds(const Simulation *s, int64_t step)
{
  return (double)step * s->h * UNITS_AKMA_FS * 1e-3;
}

/* --- the time step ------- */

/* A time in the unit of the input's time step. */
static const char *in_own_unit(const Simulation *s, double time, char *text, size_t size)
{
  return input_amount_in(s->config->input, KEY(integrator_timestep), time, " akma", text, size);
}

int64_t system_light_hydrogens(const Simulation *s)
{
  HydrogenCount count;
  const bool asked = system_origin(s)->described && !(s->config->geometry.hydrogen_mass > 0.0);
  return asked && hydrogen_mass_count(system_molecules(s)->molecules, false, &count, NULL) == STATUS_OK
             ? count.light
             : 0;
}

Status system_check_step(const Simulation *s, Error *error)
{
  char step[64], most[64];
  const SystemRates *rates = &system_molecules(s)->rates;
  const Config *c = s->config;
  const bool verlet = accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
  if (verlet && s->h * rates->penalty[2] > rates->limit)
    return input_error(c->input, KEY(integrator_timestep), error,
                       "with acceleration 'verlet' the penalised bonds are unstable for time steps of %s: "
                       "their fastest frequency times the step is %.3g; the limit is %.3g. Use a step below "
                       "%s, a smaller w, or acceleration 'zss'",
                       in_own_unit(s, s->h, step, sizeof step), s->h * rates->penalty[2], rates->limit,
                       in_own_unit(s, rates->limit / rates->penalty[2], most, sizeof most));
  if (s->h * rates->libration > rates->limit)
    return input_error(
        c->input, KEY(integrator_timestep), error,
        "the %s of the molecules are unstable for time steps of %s: their fastest frequency "
        "times the step is %.3g; the limit is %.3g. Use a step below %s%s%s",
        system_origin(s)->motions, in_own_unit(s, s->h, step, sizeof step), s->h * rates->libration,
        rates->limit, in_own_unit(s, rates->limit / rates->libration, most, sizeof most),
        system_origin(s)->advice,
        system_light_hydrogens(s) > 0 ? ", or slow hydrogens (geometry.hydrogen_mass: 3 g/mol)" : "");
  return STATUS_OK;
}
