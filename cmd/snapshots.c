#include "cmd/snapshots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/file_system.h"
#include "cmd/trial.h"
#include "engine/units.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/molecules/observed.h"

static const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3); /* in AKMA time */

struct Snapshots {
  SnapshotsOptions options;
  /* The position in the files. */
  int file;
  TrajectoryReader *reader; /* of that file; NULL: not open */
  int64_t frames, taken;    /* read so far, over all files */
  int64_t late;             /* frames skipped because their times do not increase */
  double time;              /* ps, of the current frame */
  Frame frame, names;
  Simulation *own; /* the system, without an input */
  Observed *observed;
  Box box;
  ObservableFrame sample, shape; /* the current snapshot, and the shape of all */
  double interval;
  int velocities;
  bool boxed, breathes;
  char warning[512];
};

/* --- frames ------- */

static void note_warning(Snapshots *s)
{
  const char *text = trajectory_warning(s->reader);
  if (*text != '\0' && s->warning[0] == '\0')
    snprintf(s->warning, sizeof s->warning, "%s", text);
}

/* A continuation file repeats the last frame of the previous file. More skipped frames cause a warning. */
static void note_late(Snapshots *s)
{
  if (s->late >= s->options.nfile && s->warning[0] == '\0')
    snprintf(s->warning, sizeof s->warning,
             "%lld frames are not later than the previous one and were skipped; --interval sets the times of "
             "frames",
             (long long)s->late);
}

/* Reads the next frame of any file, without the data that trajectory_fill reads. */
static Status read_frame(Snapshots *s, bool *end, Error *error)
{
  for (*end = false; s->file < s->options.nfile; s->file++) {
    bool over = false;
    if (s->reader == NULL)
      TRY(trajectory_open(&s->reader, s->options.file[s->file], error));
    TRY(trajectory_next(s->reader, &s->frame, &over, error));
    if (!over)
      return STATUS_OK;
    note_warning(s);
    trajectory_close(s->reader);
    s->reader = NULL;
  }
  *end = true;
  return STATUS_OK;
}

static Status frame_time(const Snapshots *s, double *time, Error *error)
{
  *time = s->options.interval > 0.0 ? s->options.interval * (double)s->frames : s->frame.time;
  if (isnan(*time) && (s->options.from > 0.0 || s->options.to > 0.0))
    return error_set(error, STATUS_INPUT, "%s has no times, which --from and --to need; give --interval",
                     s->options.file[s->file]);
  return STATUS_OK;
}

/* The next selected frame. */
static Status next_frame(Snapshots *s, bool *end, Error *error)
{
  for (;;) {
    double time;
    TRY(read_frame(s, end, error));
    if (*end) {
      note_late(s);
      return STATUS_OK;
    }
    TRY(frame_time(s, &time, error));
    if (s->frames > 0 && time <= s->time) {
      s->late++;
      continue;
    }
    s->frames++;
    s->time = time;
    if (s->options.to > 0.0 && time > s->options.to * (1.0 + 1e-9)) {
      *end = true;
      return STATUS_OK;
    }
    if (!(time < s->options.from * (1.0 - 1e-9)) && s->taken++ % s->options.every == 0)
      return trajectory_fill(s->reader, &s->frame, error);
  }
}

static void go_back(Snapshots *s)
{
  trajectory_close(s->reader);
  s->reader = NULL;
  s->file = 0;
  s->frames = s->taken = s->late = 0;
  s->time = -INFINITY;
}

/* --- molecules ------- */

/* Makes the sample from the current frame. */
static Status take_sample(Snapshots *s, Error *error)
{
  s->box = s->options.box;
  s->sample.time = isnan(s->time) ? (double)(s->taken - 1) : s->time * ps;
  return observed_take(s->observed, &s->frame, s->options.file[s->file], &s->box, &s->sample.block, error);
}

/* Recognises the molecules of the first frame. */
static Status recognise(Snapshots *s, const char *path, Error *error)
{
  TRY(file_system_name(&s->frame, path, s->options.names != NULL ? &s->names : NULL, s->options.model,
                       error));
  return file_system_create(&s->own, &s->frame, path, s->options.model, error);
}

static Status find_system(Snapshots *s, Error *error)
{
  const char *path = s->options.file[s->file];
  const Simulation *system = s->options.system;
  if (system == NULL)
    TRY(recognise(s, path, error));
  const bool boxed = system == NULL && (s->frame.has_cell || box_periodic(&s->options.box));
  TRY(observed_create(&s->observed, system != NULL ? system : s->own, s->options.select, boxed, &s->frame,
                      path, error));
  s->shape.block = observed_blocks(s->observed, &s->shape.nblock);
  s->sample.nblock = s->shape.nblock;
  return take_sample(s, error);
}

static Status find_shape(Snapshots *s, Error *error)
{
  bool end;
  TRY(next_frame(s, &end, error));
  if (end)
    return error_set(error, STATUS_INPUT, "%s: no frame%s", s->options.file[0],
                     s->options.from > 0.0 || s->options.to > 0.0 ? " between --from and --to" : "");
  TRY(find_system(s, error));
  s->velocities = s->frame.has_velocities;
  s->boxed = box_periodic(&s->box);
  const double first = s->time;
  double cell[3][3];
  memcpy(cell, s->frame.cell, sizeof cell);
  TRY(next_frame(s, &end, error));
  if (!end && !isnan(s->time))
    s->interval = (s->time - first) * ps;
  for (int k = 0; k < 9 && !end && s->frame.has_cell && !box_periodic(&s->options.box); k++)
    s->breathes = s->breathes || cell[k / 3][k % 3] != s->frame.cell[k / 3][k % 3];
  return STATUS_OK;
}

static Status fill(Snapshots *s, Error *error)
{
  const SnapshotsOptions *options = &s->options;
  for (int i = 0; i < options->nfile; i++)
    TRY(trial_of(options->file[i], error));
  if (options->names != NULL)
    TRY(file_system_read_names(options->names, &s->names, error));
  return find_shape(s, error);
}

Status snapshots_open(Snapshots **snapshots, const SnapshotsOptions *options, Error *error)
{
  *snapshots = NULL;
  Snapshots *s = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "snapshots");
  s->options = *options;
  s->options.every = options->every > 1 ? options->every : 1;
  s->shape.box = s->sample.box = &s->box;
  go_back(s);
  TRY_ELSE(fill(s, error), snapshots_close(s));
  go_back(s);
  *snapshots = s;
  return STATUS_OK;
}

void snapshots_close(Snapshots *s)
{
  if (s == NULL)
    return;
  trajectory_close(s->reader);
  observed_free(s->observed);
  simulation_free(s->own);
  frame_free(&s->frame);
  frame_free(&s->names);
  free(s);
}

const ObservableFrame *snapshots_shape(const Snapshots *snapshots) { return &snapshots->shape; }

Status snapshots_check(const Snapshots *s, const ObservableOptions *options, Error *error)
{
  return observed_check(s->observed, options, s->options.file[0], error);
}

double snapshots_interval(const Snapshots *snapshots) { return snapshots->interval; }

bool snapshots_breathe(const Snapshots *snapshots) { return snapshots->breathes; }

int snapshots_velocities(const Snapshots *snapshots) { return snapshots->velocities; }

const char *snapshots_warning(const Snapshots *snapshots) { return snapshots->warning; }

/* Frames of files without an input all have a box, or none has. */
static Status check_box(const Snapshots *s, Error *error)
{
  if (s->own == NULL || box_periodic(&s->options.box) || s->frame.has_cell == s->boxed)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s: %s; set one for all frames with --box", s->options.file[s->file],
                   s->boxed ? "no box, unlike the first frame" : "a box, unlike the first frame");
}

Status snapshots_next(Snapshots *s, const ObservableFrame **frame, Error *error)
{
  bool end;
  *frame = NULL;
  Status status = next_frame(s, &end, error);
  if (status != STATUS_OK || end)
    return status;
  status = check_box(s, error);
  if (status == STATUS_OK)
    status = take_sample(s, error);
  if (status != STATUS_OK)
    return error_prefix(error, "frame %lld", (long long)s->frames);
  *frame = &s->sample;
  return STATUS_OK;
}
