/* What a mechanical run writes as it goes: frames of one replica as tables, rows over all. */
#include "simulation/mechanics/mechanics_run.h"

#include "simulation/ladder/ladder_report.h"
#include "simulation/mechanics/mechanics_report.h"
#include "simulation/run/record.h"

static void head_replica(const Run *run, Text *text)
{
  char place[96];
  ladder_report_place(run->s, run->s->config->output.trajectory_replica, place, sizeof place);
  text_print(text, "# units: %s\n", mechanics_report_units(mechanics_of(run->s)));
  if (run->s->replicas > 1)
    text_print(text, "# %s of %d\n", place, run->s->replicas);
}

/* --- trajectory.csv ------- */

static void head_trajectory(void *self, Text *text)
{
  const Run *run = self;
  const Mechanics *m = mechanics_of(run->s);
  text_print(text, "time");
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++)
      text_print(text, ",%s", mechanics_name(m, i, half != 0).text);
  text_print(text, "\n");
  head_replica(run, text);
}

static Status write_trajectory(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  for (int i = 0; i < measure_frames(run->measure); i++) {
    const MeasureFrame frame = measure_frame(run->measure, i, 0);
    text_print(writer->text, "%.17g", (double)frame.step * run->s->h);
    for (size_t k = 0; k < run->s->coordinates; k++)
      text_print(writer->text, ",%.17g", frame.x[k]);
    for (size_t k = 0; k < run->s->coordinates; k++)
      text_print(writer->text, ",%.17g", frame.v[k]);
    text_print(writer->text, "\n");
  }
  return STATUS_OK;
}

/* --- energy.csv ------- */

static void head_energy(void *self, Text *text)
{
  const Run *run = self;
  text_print(text, "time");
  for (int i = 0; i < run->s->gauge->shown; i++)
    text_print(text, ",%s", run->s->gauge->name[i]);
  text_print(text, "\n");
  text_print(text, "# largest_g: max |g|/scale, scale d^2 for distances; hidden_g: max |dg/dt|\n");
  head_replica(run, text);
}

static Status write_energy(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  const Gauge *g = run->s->gauge;
  for (int i = 0; i < measure_frames(run->measure); i++) {
    const MeasureFrame frame = measure_frame(run->measure, i, 0);
    const MechanicsEnergy energy = mechanics_columns_energy(g, frame.columns);
    const double time = (double)frame.step * run->s->h;
    text_print(writer->text, "%.17g", time);
    for (int c = 0; c < g->shown; c++)
      text_print(writer->text, ",%.*g", g->column[c].traits & MEANS_TOP ? 6 : 17, frame.columns[c]);
    text_print(writer->text, "\n");
    mechanics_report_add(mechanics_run(run), time, frame.x, &energy);
  }
  return STATUS_OK;
}

/* --- ensemble.csv ------- */

static void write_time(const Run *run, int64_t step, Text *text)
{
  text_print(text, "%.17g", (double)step * run->s->h);
}

static void write_units(const Run *run, Text *text)
{
  text_print(text, "# units: %s\n", mechanics_report_units(mechanics_of(run->s)));
  if (run->s->replicas == 1)
    text_print(text, "# of one replica\n");
}

static const RecordRows ensemble = {.name = "ensemble.csv",
                                    .time = "time",
                                    .largest = "largest_g and hidden_g are",
                                    .top = 6,
                                    .error = 6,
                                    .write_time = write_time,
                                    .write_units = write_units};

/* --- the whole ------- */

static Status measure(Run *run, Error *error)
{
  MeasureOptions options = record_options(run);
  options.momenta = options.frame_columns = true;
  options.multipliers_replica = options.frame_replica;
  TRY(record_measure(run, &options, error));
  run->samples.last = 1u << MEASURE_FRAME;
  return STATUS_OK;
}

Status mechanics_run_record(Run *run, Error *error)
{
  static const Writer rows[] = {
      {.name = "trajectory.csv", .head = head_trajectory, .write = write_trajectory},
      {.name = "energy.csv", .head = head_energy, .write = write_energy}};
  const Config *c = run->s->config;
  struct MechanicsReport *report;
  TRY(mechanics_report_create(&report, mechanics_of(run->s), error));
  run->own = report;
  TRY(measure(run, error));
  for (int i = 0; i < 2; i++) {
    Writer writer = rows[i];
    writer.self = run;
    TRY(simulation_run_add(run, &writer, error));
  }
  mechanics_report_chunks(report, &run->chunks);
  TRY(record_multipliers(run, "the system", &(MultipliersClock){"time", " AKMA", 1.0}, error));
  /* Of one replica there is a file if something was asked for. */
  const bool wanted = run->s->replicas > 1 || c->output.observables.n > 0;
  return wanted && c->output.thermo_every > 0 ? record_rows(run, &ensemble, error) : STATUS_OK;
}

void mechanics_run_release(Run *run) { mechanics_report_free(mechanics_run(run)); }

bool mechanics_run_progress(const Run *run, char *words, size_t size)
{
  text_append(words, size, "time %.6g  E %.9g", simulation_time(run->s),
              mechanics_report_energy(mechanics_run(run)));
  return true;
}
