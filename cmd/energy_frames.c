#include "cmd/energy_frames.h"

#include <math.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/stop.h"
#include "base/text.h"
#include "cmd/listen.h"
#include "cmd/trial.h"
#include "io/structure.h"
#include "simulation/molecules/single_point.h"
#include "simulation/molecules/system_words.h"

SCOPED_POINTER(SinglePoint, single_point_free)
SCOPED_POINTER(TrajectoryReader, trajectory_close)

/* The output of the frames. */
typedef struct Target {
  const EnergyFrames *call;
  SinglePoint *point;
  bool table; /* true: a table; false: lines 'name value' */
  Text *csv;  /* NULL: standard output */
  TrajectoryWriter *forces;
  int64_t frames; /* so far */
  bool doubled;   /* the note on double precision has been printed */
} Target;

static FILE *stream(const Target *out) { return out->csv != NULL ? text_file(out->csv) : stdout; }

static void put_head(const Target *out)
{
  fprintf(stream(out), "frame,time_ps");
  for (int c = 0; c < single_point_columns(out->point); c++)
    fprintf(stream(out), ",%s", single_point_name(out->point, c));
  fprintf(stream(out), "\n# energies in kcal/mol; frames are numbered from 0\n");
}

static void put_row(const Target *out, const Frame *frame, const double *energy)
{
  fprintf(stream(out), "%lld,", (long long)out->frames);
  fprintf(stream(out), isnan(frame->time) ? "nan" : "%.10g", frame->time);
  for (int c = 0; c < single_point_columns(out->point); c++)
    fprintf(stream(out), ",%.15g", energy[c]);
  fprintf(stream(out), "\n");
}

static Status put(void *self, const Frame *frame, const double *energy, Error *error)
{
  LOCALE_PLAIN;
  Target *out = self;
  if (single_point_doubled(out->point) && !out->doubled) {
    out->doubled = true;
    printable_print(
        stderr,
        "holonom energy: double precision from frame %lld on: atoms are too close for mixed precision\n",
        (long long)out->frames);
  }
  if (out->table && out->frames == 0)
    put_head(out);
  if (out->table)
    put_row(out, frame, energy);
  for (int c = 0; c < single_point_columns(out->point) && !out->table; c++)
    printf("%s %.15g\n", single_point_name(out->point, c), energy[c]);
  out->frames++;
  return out->forces != NULL ? trajectory_write(out->forces, single_point_forces(out->point), error)
                             : STATUS_OK;
}

static Status put_trajectory(Target *out, Error *error)
{
  const char *path = out->call->trajectory;
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  const size_t columns = (size_t)single_point_columns(out->point);
  SCOPED(scoped_free) double *energy = calloc(columns, sizeof *energy);
  TRY_MEMORY(energy != NULL, "energies", error);
  TRY(trajectory_open(&reader, path, error));
  for (bool end = false;;) {
    TRY(trajectory_read(reader, &frame, &end, error));
    if (end)
      break;
    if (stop_asked())
      return error_set(error, STATUS_RUN, "stopped by a signal after %lld frames%s", (long long)out->frames,
                       out->csv != NULL || out->forces != NULL ? "; no file was written" : "");
    if (box_periodic(&out->call->box))
      structure_set_box(&out->call->box, &frame);
    if (single_point_frame(out->point, &frame, path, energy, error) != STATUS_OK)
      return error_prefix(error, "frame %lld", (long long)out->frames);
    TRY(put(out, &frame, energy, error));
  }
  if (*trajectory_warning(reader) != '\0')
    printable_print(stderr, "holonom energy: warning: %s: %s\n", path, trajectory_warning(reader));
  return STATUS_OK;
}

/* Opens output files before the work, so that a bad path fails early. */
static Status open_files(Target *out, Error *error)
{
  const EnergyFrames *call = out->call;
  const TrajectoryOptions options = {.exact = true, .whole = true, .replace = call->force};
  Status status = STATUS_OK;
  if (call->csv != NULL)
    status = text_replace_named(&out->csv, call->csv, error);
  if (status == STATUS_OK && call->forces != NULL)
    status = trajectory_create(&out->forces, call->forces, "xyz", &options, error);
  return status == STATUS_IO ? STATUS_INPUT : status;
}

static Status put_all(Target *out, Error *error)
{
  listen_for_stops();
  TRY(open_files(out, error));
  return out->call->trajectory != NULL ? put_trajectory(out, error)
                                       : single_point_start(out->point, put, out, error);
}

/* Keeps the files only if everything succeeded. */
static Status close_files(const Target *out, Status status, Error *error)
{
  status = command_structures_end(out->forces, status, error);
  if (status == STATUS_OK)
    return text_close(out->csv, error);
  text_discard(out->csv);
  return status;
}

static Status check_file(const EnergyFrames *call, const char *option, const char *path, Error *error)
{
  if (path == NULL)
    return STATUS_OK;
  const char *const read[] = {call->input, call->trajectory};
  for (int i = 0; i < 2; i++)
    if (read[i] != NULL && file_same(read[i], path))
      return error_set(error, STATUS_INPUT,
                       "%s %s is an input of this call and would be overwritten; name another file", option,
                       path);
  return command_file(path, call->force, error);
}

/* Frames do not store their replica or state, so that all use the parameters of the first. */
static void remark_parameters(const Simulation *s, const Config *config)
{
  char words[1024] = "";
  for (int i = 0; i < config->parameters.n; i++) {
    const ConfigParameter *p = &config->parameters.item[i];
    const char *const unit = simulation_parameter_unit(s, i);
    if (p->each != NULL)
      text_append(words, sizeof words, "%s%s %.10g%s%s", *words != '\0' ? ", " : "", p->name, p->each[0],
                  *unit != '\0' ? " " : "", unit);
  }
  if (*words != '\0')
    printable_print(stderr, "holonom energy: note: all energies use the parameters of the first %s: %s\n",
                    config_parameters_states(config) > 0 ? "state" : "replica", words);
}

Status energy_frames(const EnergyFrames *call, Error *error)
{
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *s = NULL;
  SCOPED(single_point_free_at) SinglePoint *point = NULL;
  TRY(check_file(call, "--csv", call->csv, error));
  TRY(check_file(call, "--forces", call->forces, error));
  TRY(config_load(call->input, call->set->text, call->set->n, &config, error));
  TRY(trial_of_start(config, error));
  if (call->trajectory != NULL)
    TRY(trial_of(call->trajectory, error));
  TRY(simulation_create(&s, config, 0, error));
  TRY(single_point_create(&point, s, call->kept, error));
  remark_parameters(s, config);
  char words[512] = "";
  if (system_words_charge(s, words, sizeof words))
    printable_print(stderr, "holonom energy: %s\n", words);
  Target out = {.call = call,
                .point = point,
                .table = call->csv != NULL || call->trajectory != NULL || single_point_starts(point) > 1};
  return close_files(&out, put_all(&out, error), error);
}
