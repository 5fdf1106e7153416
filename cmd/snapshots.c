#include "cmd/snapshots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/frame_molecules.h"
#include "cmd/trial.h"
#include "engine/units.h"
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
  Structure structure;
  Observed *observed; /* for an input's system; otherwise `structure` is used */
  /* The shape of the first snapshot. */
  FrameMoleculesKinds kinds;
  double charge[FRAME_MOLECULES_KINDS][3];
  Box box;
  ObservableBlock block[FRAME_MOLECULES_KINDS], empty[FRAME_MOLECULES_KINDS];
  ObservableFrame sample, shape;
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

static Status read_molecules(Snapshots *s, Error *error)
{
  structure_free(&s->structure);
  TRY(frame_molecules_names(&s->frame, s->options.file[s->file], s->options.names != NULL ? &s->names : NULL,
                            s->options.model, error));
  if (box_periodic(&s->options.box))
    structure_set_box(&s->options.box, &s->frame);
  const AtomModelNames names = atom_model_names();
  return structure_molecules(&s->frame, s->options.file[s->file], names.n, names.symbol, &s->structure,
                             error);
}

/* Makes the sample of an input's system from the current frame. */
static Status take_sample(Snapshots *s, Error *error)
{
  s->box = s->options.box;
  s->sample.time = isnan(s->time) ? (double)(s->taken - 1) : s->time * ps;
  return observed_take(s->observed, &s->frame, s->options.file[s->file], &s->box, &s->sample.block, error);
}

/* Makes the sample from the current structure. */
static Status fill_sample(Snapshots *s, Error *error)
{
  s->box = s->structure.box;
  s->sample.time = isnan(s->time) ? (double)(s->taken - 1) : s->time * ps;
  int molecules = 0;
  for (int b = 0; b < s->sample.nblock; b++) {
    const StructureGroup *group = &s->structure.group[s->kinds.group[b]];
    ObservableBlock *block = &s->block[b];
    if (group->nmol != block->nmol)
      return error_set(error, STATUS_INPUT, "%s: %d molecules of %s, but the first frame has %d",
                       s->options.file[s->file], group->nmol, block->kind->name, block->nmol);
    block->x = group->x;
    block->v = group->v;
    for (size_t k = 0; group->v != NULL && k < 3 * (size_t)group->nmol * (size_t)group->nsite; k++)
      group->v[k] /= ps;
    molecules += group->nmol;
  }
  int all = 0;
  for (int g = 0; g < s->structure.ngroup; g++)
    all += s->structure.group[g].nmol;
  return molecules == all
             ? STATUS_OK
             : error_set(error, STATUS_INPUT, "%s: different kinds of molecules than in the first frame",
                         s->options.file[s->file]);
}

/* --- shape ------- */

static Status find_kinds(Snapshots *s, Error *error)
{
  FrameMoleculesKinds *k = &s->kinds;
  TRY(frame_molecules_kinds_find(k, &s->structure, s->options.file[0], s->options.model, error));
  for (int b = 0; b < k->n; b++) {
    site_map_atom_charges(&k->map[b], s->charge[b]);
    s->empty[b] =
        (ObservableBlock){k->kind[b], s->charge[b], s->structure.group[k->group[b]].nmol, NULL, NULL};
    s->block[b] = s->empty[b];
  }
  s->shape.nblock = s->sample.nblock = k->n;
  return STATUS_OK;
}

static Status find_molecules(Snapshots *s, Error *error)
{
  TRY(read_molecules(s, error));
  TRY(find_kinds(s, error));
  s->box = s->structure.box;
  return STATUS_OK;
}

static Status find_system(Snapshots *s, Error *error)
{
  const char *path = s->options.file[s->file];
  TRY(observed_create(&s->observed, s->options.system, s->options.select, &s->frame, path, error));
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
  TRY(s->options.system != NULL ? find_system(s, error) : find_molecules(s, error));
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
    TRY(frame_molecules_read_names(options->names, &s->names, error));
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
  s->shape = (ObservableFrame){0.0, &s->box, 0, s->empty, NULL, NULL};
  s->sample = (ObservableFrame){0.0, &s->box, 0, s->block, NULL, NULL};
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
  structure_free(&s->structure);
  observed_free(s->observed);
  frame_free(&s->frame);
  frame_free(&s->names);
  frame_molecules_kinds_free(&s->kinds);
  free(s);
}

const ObservableFrame *snapshots_shape(const Snapshots *snapshots) { return &snapshots->shape; }

Status snapshots_check(const Snapshots *s, const ObservableOptions *options, Error *error)
{
  return s->observed != NULL ? observed_check(s->observed, options, s->options.file[0], error) : STATUS_OK;
}

double snapshots_interval(const Snapshots *snapshots) { return snapshots->interval; }

bool snapshots_breathe(const Snapshots *snapshots) { return snapshots->breathes; }

int snapshots_velocities(const Snapshots *snapshots) { return snapshots->velocities; }

const char *snapshots_warning(const Snapshots *snapshots) { return snapshots->warning; }

static Status check_box(const Snapshots *s, Error *error)
{
  if ((box_periodic(&s->box) != 0) == s->boxed)
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
  status = s->observed != NULL ? take_sample(s, error) : read_molecules(s, error);
  if (status == STATUS_OK && s->observed == NULL)
    status = fill_sample(s, error);
  if (status == STATUS_OK)
    status = check_box(s, error);
  if (status != STATUS_OK)
    return error_prefix(error, "frame %lld", (long long)s->frames);
  *frame = &s->sample;
  return STATUS_OK;
}
