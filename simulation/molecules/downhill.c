#include "simulation/molecules/downhill.h"

#include <math.h>
#include <stdio.h>

#include "base/locale.h"
#include "base/progress.h"
#include "base/scoped.h"
#include "base/text.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/soften.h"
#include "simulation/molecules/system_field.h"
#include "simulation/molecules/system_topology.h"

/* Evaluates energy and forces only. */
static const QuenchOptions still = {.tolerance = INFINITY};

static QuenchOptions wanted(const Simulation *s)
{
  const Config *c = s->config;
  return (QuenchOptions){.tolerance = c->system.minimise_tolerance, .max_steps = c->system.minimise_steps};
}

/* A built box is minimised only to about the energy of the liquid unless the input sets the limits. */
static bool may_stop(const Simulation *s)
{
  const Config *c = s->config;
  return c->system.start != START_FILE && !input_given(c->input, KEY(system_minimise_steps)) &&
         !input_given(c->input, KEY(system_minimise_tolerance));
}

/* --- one minimisation ------- */

typedef struct Shown {
  ProgressWatch watch;
  const char *what;
  int most;
} Shown;

static void show(void *watcher, int step, double force)
{
  LOCALE_PLAIN;
  Shown *shown = watcher;
  char words[64];
  snprintf(words, sizeof words, "largest force %.2g kcal/mol/A", force);
  progress_watch(&shown->watch, shown->what, step, shown->most, words);
}

/* The run's own forces, with all threads. */
static Status own_field(const Simulation *s, const State *shape, ForceField *field, Error *error)
{
  FieldInput input = simulation_field_input(s);
  input.threads = s->threads;
  return simulation_field_create(s, &input, shape, field, error);
}

static Status quench(const Simulation *s, const SimulationStart *how, bool own, const QuenchOptions *options,
                     State *state, QuenchResult *result, Error *error)
{
  SCOPED(force_field_free) ForceField field = {.n = 0};
  TRY((own ? own_field : system_field_start)(s, state, &field, error));
  Shown shown = {{.out = how->out}, "minimising the start", options->max_steps};
  const bool of_water = system_topology_water(s) != NULL; /* its kernel uses one thread in open space */
  QuenchOptions with = *options;
  with.thaw = freeze_thaws(s);
  with.threads = of_water && !box_periodic(&s->box) ? 1 : s->threads;
  with.stop = how->stop;
  with.show = shown.most > 0 && how->out != NULL ? show : NULL;
  with.watcher = &shown;
  const Status status = quench_run(state, &field, &with, s->isa, result, error);
  progress_watch_end(&shown.watch);
  return status;
}

static Status soften(const Simulation *s, const SimulationStart *how, State *state, int *steps, Error *error)
{
  Shown shown = {{.out = how->out}, "moving atoms apart", SOFTEN_STEPS};
  const QuenchOptions with = {.stop = how->stop, .show = how->out != NULL ? show : NULL, .watcher = &shown};
  const Status status = soften_run(s, &with, state, steps, error);
  progress_watch_end(&shown.watch);
  return status;
}

/* --- a start ------- */

/* Larger forces, kcal/mol/A, indicate overlapping atoms: a minimisation could move a hydrogen onto a charge
 * without Lennard-Jones. */
static const double violent = 1e4;

static bool is_sound(Status status, const QuenchResult *result)
{
  return status == STATUS_OK && result->force <= violent;
}

/* Minimises from the present positions; if forces are not finite or too large, from positions after a soft
 * repulsion. */
static Status descend(const Simulation *s, const SimulationStart *how, State *state, QuenchResult *result,
                      int *softened, Error *error)
{
  const QuenchOptions options = wanted(s);
  Error why;
  SCOPED(scoped_free) double *x = calloc(s->coordinates, sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  topology_get(s->topology, state, STATE_POSITIONS, 0, x);
  Status status = quench(s, how, false, &still, state, result, &why);
  if (is_sound(status, result))
    status = quench(s, how, false, &options, state, result, &why);
  const bool failed = status == STATUS_RUN || (status == STATUS_OK && !is_sound(status, result));
  if (!failed || flag_value(how->stop) != 0)
    return error_pass(error, status, &why);
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  TRY(soften(s, how, state, softened, error));
  return quench(s, how, false, &options, state, result, error);
}

/* Finds faults that only the run's own forces have. */
static Status look(const Simulation *s, const SimulationStart *how, State *state, Error *error)
{
  QuenchResult ignored;
  return box_periodic(&s->box) && system_molecules(s)->precision == PAIR_MIXED
             ? quench(s, how, true, &still, state, &ignored, error)
             : STATUS_OK;
}

static Status go(const Simulation *s, const SimulationStart *how, bool minimise, State *state,
                 QuenchResult *result, int *softened, Error *error)
{
  *softened = 0;
  if (minimise)
    TRY(descend(s, how, state, result, softened, error));
  else
    TRY(quench(s, how, false, &still, state, result, error));
  return look(s, how, state, error);
}

Downhill downhill_begin(void) { return (Downhill){.least = INFINITY, .most = -INFINITY, .converged = true}; }

Status downhill_settle(const Simulation *s, const SimulationStart *how, bool minimise, State *state,
                       Downhill *down, double *x, Error *error)
{
  const Config *c = s->config;
  QuenchResult result;
  int softened;
  Error why;
  const Status status = go(s, how, minimise, state, &result, &softened, &why);
  if (status == STATUS_RUN && c->system.start == START_FILE && flag_value(how->stop) == 0)
    return input_error(c->input, KEY(system_file), error, "%s: %s%s", c->system.file, why.text,
                       minimise ? "" : "; 'system.minimise: true' moves them apart");
  if (status != STATUS_OK)
    return error_set(error, status, "start configuration: %s", why.text);
  topology_get(s->topology, state, STATE_POSITIONS, 0, x);
  down->force = fmax(down->force, result.force);
  down->least = fmin(down->least, result.energy);
  down->most = fmax(down->most, result.energy);
  down->energy += result.energy;
  down->steps = result.steps > down->steps ? result.steps : down->steps;
  down->softened = softened > down->softened ? softened : down->softened;
  down->converged = down->converged && (!minimise || result.converged);
  return STATUS_OK;
}

void downhill_words(const Simulation *s, const Downhill *down, char *words, size_t size)
{
  const Config *c = s->config;
  if (!c->system.minimise)
    return;
  if (down->softened > 0)
    text_append(words, size, ", overlapping atoms moved apart in %d steps", down->softened);
  text_append(words, size, ", minimised in %d steps%s", down->steps,
              system_molecules(s)->precision == PAIR_MIXED ? " in double precision" : "");
  if (!down->converged && !may_stop(s))
    text_append(words, size,
                " (WARNING: the largest force still exceeds %.3g kcal/mol/A, system.minimise_tolerance; "
                "increase system.minimise_steps)",
                c->system.minimise_tolerance);
}
