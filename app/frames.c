#include "app/frames.h"

#include <stdlib.h>
#include <string.h>

#include "app/checkpoint.h"
#include "engine/units.h"
#include "io/text.h"

static const char *const format_names[FRAMES_FORMATS] = {"xyz", "dcd"};
static const char *const trajectory_names[FRAMES_FORMATS] = {"trajectory.xyz", "trajectory.dcd"};

struct Frames {
  const System *system;
  TrajectoryWriter *writer[FRAMES_FORMATS];
  Frame frame;
};

static double picoseconds(const System *s, int64_t step)
{
  return (double)step * s->h * UNITS_AKMA_FS * 1e-3;
}

/* --- frames ----------------------------------------------------------------------------------------------
 */

/* Names, and the box, which are the same in all frames. */
static Status make_frame(const System *s, Frame *frame, Error *error)
{
  const Status status = frame_resize(frame, (int)(s->coordinates / 3), error);
  if (status != STATUS_OK)
    return status;
  frame->has_symbols = true;
  int i = 0;
  for (int k = 0; k < s->nkind; k++)
    for (int m = 0; m < s->nmol[k]; m++)
      for (int site = 0; site < s->kind[k]->nsite; site++) {
        const char *symbol = s->kind[k]->site[site];
        frame_name(frame->symbols[i++], symbol, (int)strlen(symbol));
      }
  frame->has_cell = box_periodic(&s->box) != 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      frame->cell[a][b] = a == b ? s->box.length[a] : 0.0;
  return STATUS_OK;
}

static void fill_frame(const System *s, bool wrap, const double *x, const double *v, int64_t step,
                       Frame *frame)
{
  static const double per_ps = 1e3 / UNITS_AKMA_FS; /* A/ps of A per AKMA time */
  memcpy(frame->positions, x, s->coordinates * sizeof *x);
  frame->has_velocities = v != NULL;
  for (size_t i = 0; i < s->coordinates && v != NULL; i++)
    frame->velocities[i / 3][i % 3] = per_ps * v[i];
  double *to = &frame->positions[0][0];
  for (int k = 0; k < s->nkind && wrap && frame->has_cell; k++) {
    box_wrap(&s->box, s->nmol[k], s->kind[k]->nsite, to);
    to += 3 * (size_t)s->kind[k]->nsite * (size_t)s->nmol[k];
  }
  frame->step = step;
  frame->time = picoseconds(s, step);
}

/* --- trajectories ----------------------------------------------------------------------------------------
 */

static Status open_one(Frames *f, int i, const char *dir, const FramesMarks *marks, Error *error)
{
  const System *s = f->system;
  const TrajectoryOptions options = {.replace = true,
                                     .timestep = picoseconds(s, 1),
                                     .stride = s->config->output.trajectory_every,
                                     .title = s->config->title};
  char *path = text_path(dir, trajectory_names[i]);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status =
      marks != NULL
          ? trajectory_resume(&f->writer[i], path, format_names[i], &options, &marks->trajectory[i], error)
          : trajectory_create(&f->writer[i], path, format_names[i], &options, error);
  free(path);
  return status;
}

Status frames_open(Frames **frames, const System *system, const char *dir, const FramesMarks *marks,
                   Error *error)
{
  Frames *f = *frames = calloc(1, sizeof *f);
  if (f == NULL)
    return error_memory(error, "trajectories");
  f->system = system;
  const unsigned formats = system->config->output.trajectory;
  Status status = formats != 0 ? make_frame(system, &f->frame, error) : STATUS_OK;
  for (int i = 0; i < FRAMES_FORMATS && status == STATUS_OK; i++)
    if (formats & 1u << i)
      status = open_one(f, i, dir, marks, error);
  return status;
}

Status frames_check(const char *dir, const FramesMarks *marks, int64_t saved, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < FRAMES_FORMATS && status == STATUS_OK; i++)
    status = checkpoint_file(dir, trajectory_names[i], marks->trajectory[i].size, saved, error);
  return status;
}

Status frames_write(Frames *f, const double *x, const double *v, int64_t step, Error *error)
{
  Status status = STATUS_OK;
  fill_frame(f->system, f->system->config->output.wrap, x, v, step, &f->frame);
  for (int i = 0; i < FRAMES_FORMATS && status == STATUS_OK; i++)
    if (f->writer[i] != NULL)
      status = trajectory_write(f->writer[i], &f->frame, error);
  return status;
}

Status frames_mark(Frames *f, FramesMarks *marks, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < FRAMES_FORMATS && status == STATUS_OK; i++)
    if (f->writer[i] != NULL)
      status = trajectory_mark(f->writer[i], &marks->trajectory[i], error);
  return status;
}

Status frames_close(Frames *f, Error *error)
{
  if (f == NULL)
    return STATUS_OK;
  Status status = STATUS_OK;
  for (int i = 0; i < FRAMES_FORMATS; i++) {
    const Status one = trajectory_finish(f->writer[i], status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? one : status;
  }
  frame_free(&f->frame);
  free(f);
  return status;
}

/* --- single structures -----------------------------------------------------------------------------------
 */

/* Positions and velocities of a state, kind after kind. */
static void take_state(const System *s, const State *state, double *x, double *v)
{
  for (int k = 0; k < s->nkind; k++) {
    const Block *block = &state->block[k];
    const size_t n = 3 * (size_t)block->kind->nsite * (size_t)block->nmol;
    state_get(block, 1, block->q, 0, x);
    state_get(block, 1, block->p, 0, v);
    for (size_t i = 0; i < n; i++)
      v[i] /= block->kind->mass[i / 3 % (size_t)block->kind->nsite];
    x += n;
    v += n;
  }
}

static Status write_one(const System *s, const Frame *frame, const char *path, Error *error)
{
  const TrajectoryOptions options = {
      .replace = true, .exact = true, .timestep = picoseconds(s, 1), .stride = 1, .title = s->config->title};
  TrajectoryWriter *writer;
  Status status = trajectory_create(&writer, path, NULL, &options, error);
  if (status != STATUS_OK)
    return status;
  status = trajectory_write(writer, frame, error);
  const Status closed = trajectory_finish(writer, status == STATUS_OK ? error : NULL);
  if (status != STATUS_OK || closed != STATUS_OK)
    (void)remove(path); /* half a structure is no start */
  return status == STATUS_OK ? closed : status;
}

Status frames_structure(const System *s, const State *state, bool wrap, const char *dir, const char *name,
                        Error *error)
{
  Frame frame = {0};
  char *path = text_path(dir, name);
  double *x = malloc(2 * s->coordinates * sizeof *x);
  Status status = path == NULL || x == NULL ? error_memory(error, "a structure") : STATUS_OK;
  if (status == STATUS_OK)
    status = make_frame(s, &frame, error);
  if (status == STATUS_OK) {
    take_state(s, state, x, x + s->coordinates);
    fill_frame(s, wrap, x, x + s->coordinates, state->step, &frame);
    status = write_one(s, &frame, path, error);
  }
  frame_free(&frame);
  free(path);
  free(x);
  return status;
}
