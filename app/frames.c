#include "app/frames.h"

#include <stdlib.h>

#include "app/checkpoint.h"
#include "io/structure.h"
#include "io/text.h"

static const char *const format_names[FRAMES_FORMATS] = {"xyz", "dcd"};
static const char *const trajectory_names[FRAMES_FORMATS] = {"trajectory.xyz", "trajectory.dcd"};

struct Frames {
  const System *system;
  TrajectoryWriter *writer[FRAMES_FORMATS];
  Frame frame;
};

/* --- frames ----------------------------------------------------------------------------------------------
 */

static StructureShape shape_of(const System *s)
{
  return (StructureShape){s->nkind, s->kind, s->nmol, s->box};
}

static void stamp(const System *s, int64_t step, Frame *frame)
{
  frame->step = step;
  frame->time = system_picoseconds(s, step);
}

/* --- trajectories ----------------------------------------------------------------------------------------
 */

static Status open_one(Frames *f, int i, const char *dir, const FramesMarks *marks, Error *error)
{
  const System *s = f->system;
  const TrajectoryOptions options = {.replace = true,
                                     .timestep = system_picoseconds(s, 1),
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
  const StructureShape shape = shape_of(system);
  Status status = formats != 0 ? structure_shape(&shape, &f->frame, error) : STATUS_OK;
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
  const StructureShape shape = shape_of(f->system);
  structure_fill(&shape, f->system->config->output.wrap, x, v, &f->frame);
  stamp(f->system, step, &f->frame);
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

Status frames_structure(const System *s, const State *state, bool wrap, const char *dir, const char *name,
                        Error *error)
{
  Frame frame = {0};
  char *path = text_path(dir, name);
  Status status = path == NULL ? error_memory(error, "a file name") : STATUS_OK;
  if (status == STATUS_OK)
    status = structure_frame(state, wrap, &frame, error);
  stamp(s, state->step, &frame);
  const TrajectoryOptions options = {.replace = true,
                                     .exact = true,
                                     .timestep = system_picoseconds(s, 1),
                                     .stride = 1,
                                     .title = s->config->title};
  if (status == STATUS_OK)
    status = trajectory_write_one(path, NULL, &options, &frame, error);
  frame_free(&frame);
  free(path);
  return status;
}
