/* What a mechanical run writes as it goes: coordinates and energies of one replica, averages over all. */
#include "simulation/mechanics/mechanics_run.h"

#include <stdlib.h>

#include "simulation/mechanics/mechanics_report.h"

static Status measure(Run *run, Error *error)
{
  static const MultipliersClock clock = {"time", " AKMA", 1.0};
  const Simulation *s = run->s;
  TRY(sampling_create(&run->sampling, s, s->ensemble, NULL, error));
  MeasureOptions options = record_options(run);
  options.observables = sampling_sets(run->sampling, &options.sets);
  options.momenta = options.frame_columns = true;
  options.multipliers_replica = options.frame_replica;
  options.mixing = s->ladder == NULL && s->config->thermostat.langevin && s->gauge->potential >= 0;
  TRY(record_measure(run, &options, &clock, error));
  run->samples.last = 1u << MEASURE_FRAME;
  return STATUS_OK;
}

/* Kinetic energy, potential energy with that of penalties, total less the first; of a Hamiltonian the last.
 */
static void add_curves(RecordRows *rows, const Gauge *g)
{
  if (g->potential >= 0) {
    rows->curve[rows->ncurve++] = (RecordCurve){gauge_find(g, "kinetic"), -1, false};
    rows->curve[rows->ncurve++] = (RecordCurve){g->potential, gauge_find(g, "penalty"), false};
  }
  rows->curve[rows->ncurve++] = (RecordCurve){g->total, -1, true};
}

/* Of one replica averages are a file if something was asked for. */
static Status add_averages(Run *run, const RecordRows *like, Error *error)
{
  const Config *c = run->s->config;
  RecordRows rows = *like;
  if (run->s->replicas > 1 || c->output.observables.n > 0)
    rows.name = "ensemble.csv";
  rows.largest = "largest_g and hidden_g are";
  rows.digits = 12;
  return c->output.thermo_every > 0 ? record_rows(run, &rows, error) : STATUS_OK;
}

static Status add_rows(Run *run, Error *error)
{
  const char *const units = run->s->config->reduced ? "units: none" : mechanics_of(run->s)->sort->form->units;
  const RecordRows like = {.units = units, .time = 17, .digits = 17, .top = 6, .error = 6};
  RecordRows point = like, energy = like;
  point.name = "trajectory.csv";
  point.of = RECORD_POINT;
  mechanics_report_curves(run->s, &point);
  energy.name = "energy.csv";
  energy.of = RECORD_ONE;
  energy.remark = "largest_g: max |g|/scale, scale d^2 for distances; hidden_g: max |dg/dt|";
  energy.note = mechanics_report_energies;
  add_curves(&energy, run->s->gauge);
  TRY(record_rows(run, &point, error));
  TRY(record_rows(run, &energy, error));
  TRY(record_multipliers(run, "the system", error));
  return add_averages(run, &like, error);
}

Status mechanics_run_record(Run *run, Error *error)
{
  run->own = calloc(1, sizeof(MechanicsReport));
  TRY_MEMORY(run->own != NULL, "a report", error);
  chunk_add(&run->chunks, run->own, sizeof(MechanicsReport));
  TRY(measure(run, error));
  return add_rows(run, error);
}

void mechanics_run_release(Run *run) { free(run->own); }

bool mechanics_run_progress(const Run *run, char *words, size_t size)
{
  text_append(words, size, "time %.6g  E %.9g", simulation_time(run->s), mechanics_run(run)->last);
  return true;
}
