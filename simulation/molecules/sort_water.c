/* Clusters and boxes of molecules. */
#include <stdlib.h>
#include <string.h>

#include "simulation/molecules/confine.h"
#include "simulation/molecules/report_box.h"
#include "simulation/molecules/system.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/water_check.h"
#include "simulation/run/measure.h"

/* --- making ----------------------------------------------------------------------------------------------
 */

static Status create_cluster(Simulation *s, Error *error)
{
  Status status = system_create(s, error);
  if (status == STATUS_OK)
    status = system_cluster_create(s, error);
  return status == STATUS_OK ? system_plan(s, false, error) : status;
}

static Status create_box(Simulation *s, Error *error)
{
  Status status = system_create(s, error);
  if (status == STATUS_OK)
    status = system_box_create(s, error);
  const bool by_atom = (s->config->output.pressure & CONFIG_BY_ATOM) != 0;
  return status == STATUS_OK ? system_plan(s, by_atom && s->constrained, error) : status;
}

/* --- the start --------------------------------------------------------------------------------------------
 */

static Status place(Simulation *s, Error *error)
{
  const SystemStart *from = &system_water(s)->start;
  const bool maxwell = s->config->thermostat.initial == INITIAL_MAXWELL;
  return ensemble_start_each(s->ensemble, from->frames, from->x, from->p, maxwell, error);
}

/* --- looking ----------------------------------------------------------------------------------------------
 */

static Status columns(Simulation *s, SimulationColumns *out, Error *error)
{
  Water *w = system_water(s);
  const MeasureOptions options = system_measure(s);
  const Status status = w->look == NULL ? measure_create(&w->look, &options, error) : STATUS_OK;
  if (status != STATUS_OK)
    return status;
  const Columns *of = measure_columns(w->look);
  *out = (SimulationColumns){of->n, of->name, of->unit};
  return STATUS_OK;
}

static void forget(Simulation *s)
{
  Water *w = system_water(s);
  if (w == NULL)
    return;
  measure_free(w->look);
  w->look = NULL;
}

/* All gangs that have changed since are looked at together, by all threads; others' values stand still. */
static Status look_again(Simulation *s, Error *error)
{
  const Water *w = system_water(s);
  const int held = ensemble_held(s->ensemble);
  bool *which = malloc((size_t)held * sizeof *which);
  if (which == NULL)
    return error_memory(error, "a look");
  for (int g = 0; g < held; g++) {
    which[g] = s->looked[g] != s->changed[g];
    if (which[g])
      measure_flush_gang(w->look, s->first + g);
  }
  const Sampler sampler = measure_sampler(w->look);
  const Status status = simulation_step_sample(s, which, &sampler, 1u << MEASURE_THERMO, error);
  if (status == STATUS_OK)
    memcpy(s->looked, s->changed, (size_t)held * sizeof *s->looked);
  free(which);
  return status;
}

static Status look(Simulation *s, int replica, double *value, Error *error)
{
  Water *w = system_water(s);
  SimulationColumns of;
  Status status = columns(s, &of, error);
  const int at = simulation_place_of(s, replica);
  if (status == STATUS_OK && s->looked[at] != s->changed[at])
    status = look_again(s, error);
  if (status == STATUS_OK)
    memcpy(value, measure_row_value(w->look, 0, replica), (size_t)of.n * sizeof *value);
  return status;
}

/* --- reports ------- */

static Status summary_cluster(Run *run, Text *text, Error *error)
{
  const WaterReport of = {.times = water_report_evaporation};
  return water_report_summary(run, &of, text, error);
}

static Status summary_box(Run *run, Text *text, Error *error)
{
  const WaterReport of = {report_box_method, report_box_times, report_box_means};
  const Status status = water_report_summary(run, &of, text, error);
  if (status == STATUS_OK)
    report_box_observables(run, text);
  return status;
}

/* The constraining sphere holds the start, and the step is its own mirror image, on which what it does rests.
 */
static Status judge_cluster(const Simulation *s, Error *error)
{
  const Config *c = s->config;
  const double radius = c->system.constraining_radius;
  const SystemStart *start = &system_water(s)->start;
  Status status = system_check_step(s, error);
  for (int f = 0; f < start->frames && status == STATUS_OK && radius > 0.0; f++) {
    const double reach = confine_reach(s->nkind, s->kind, s->nmol, start->x + (size_t)f * s->coordinates);
    if (!(reach < radius))
      status = input_error(c->input, KEY(system_constraining_radius), error,
                           "a molecule of the start is %.4g A from the cluster's centre of mass", reach);
  }
  if (status == STATUS_OK && radius > 0.0 && !word_is_palindrome(plan_spelling(s->plan)))
    status = input_error(c->input, KEY(system_constraining_radius), error,
                         "the word %s is not the same backwards, which a constraining sphere needs",
                         c->integrator.word);
  return status;
}

/* --- rows ------- */

#define SHARED                                                                                               \
  .free = system_free, .start = system_start_find, .place = place, .columns = columns, .look = look,         \
  .forget = forget, .record = water_run_record, .release = water_run_release,                                \
  .progress = water_run_progress, .log_start = water_run_log_start, .keep_start = water_run_keep_start,      \
  .leave = water_run_leave, .results = water_report_results, .files = water_report_files

const Sort sort_cluster = {.name = "cluster",
                           .create = create_cluster,
                           .field = system_cluster_field,
                           .judge = judge_cluster,
                           .check = water_check_cluster,
                           .summary = summary_cluster,
                           .words = water_report_cluster_words,
                           SHARED};

const Sort sort_box = {.name = "box",
                       .alone = true,
                       .create = create_box,
                       .field = system_box_field,
                       .judge = system_check_step,
                       .check = water_check_box,
                       .summary = summary_box,
                       .words = report_box_words,
                       SHARED};
