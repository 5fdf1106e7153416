/* The files of a mechanical run: coordinates and energies of one replica, averages over all. */
#include "simulation/mechanics/mechanics_run.h"

#include "simulation/mechanics/mechanics_report.h"

/* Averages of one replica form a file only if there are formulas. */
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

static Status add_files(Run *run, Error *error)
{
  chunk_add(&run->chunks, run->own, sizeof(MechanicsReport));
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
  record_curve(&energy, run->s->measurement, "kinetic", NULL, false);
  record_curve(&energy, run->s->measurement, "potential", "penalty", false);
  record_curve(&energy, run->s->measurement, "total", NULL, true);
  TRY(record_rows(run, &point, error));
  TRY(record_rows(run, &energy, error));
  TRY(record_multipliers(run, "the system", error));
  return add_averages(run, &like, error);
}

const RecordForm mechanics_run_record = {
    .clock = {"time", " AKMA", 1.0}, .points = true, .own = sizeof(MechanicsReport), .add = add_files};

bool mechanics_run_progress(const Run *run, char *words, size_t size)
{
  text_append(words, size, "time %.6g  E %.9g", simulation_time(run->s), mechanics_run(run)->last);
  return true;
}
