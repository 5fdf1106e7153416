#include "simulation/frames.h"

#include <stdlib.h>

#include "engine/file.h"
#include "io/structure.h"
#include "simulation/checkpoint.h"

static const char *const format_names[FRAMES_FORMATS] = {"xyz", "dcd"};
static const char *const trajectory_names[FRAMES_FORMATS] = {"trajectory.xyz", "trajectory.dcd"};

struct Frames {
  const Simulation *system;
  TrajectoryWriter *writer[FRAMES_FORMATS];
  Frame frame;
};

/* --- frames ----------------------------------------------------------------------------------------------
 */

static StructureShape shape_of(const Simulation *s)
{
  return (StructureShape){s->nkind, s->kind, s->nmol, s->box};
}

static void stamp(const Simulation *s, int64_t step, Frame *frame)
{
  frame->step = step;
  frame->time = system_picoseconds(s, step);
}

/* --- trajectories ----------------------------------------------------------------------------------------
 */

static Status open_one(Frames *f, int i, const char *dir, const FramesMarks *marks, Error *error)
{
  const Simulation *s = f->system;
  const TrajectoryOptions options = {.replace = true,
                                     .timestep = system_picoseconds(s, 1),
                                     .stride = s->config->output.trajectory_every,
                                     .title = s->config->title};
  char *path = file_path(dir, trajectory_names[i]);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status =
      marks != NULL
          ? trajectory_resume(&f->writer[i], path, format_names[i], &options, &marks->trajectory[i], error)
          : trajectory_create(&f->writer[i], path, format_names[i], &options, error);
  free(path);
  return status;
}

Status frames_open(Frames **frames, const Simulation *system, const char *dir, const FramesMarks *marks,
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

/* --- structures of replicas ------------------------------------------------------------------------------
 */

/* Positions and velocities of replica r of a state, into x and v of all coordinates. */
static void get_replica(const Simulation *s, const State *state, int r, double *x, double *v)
{
  state_get_all(state, STATE_POSITIONS, r % state->width, x);
  state_get_all(state, STATE_MOMENTA, r % state->width, v);
  for (int k = 0; k < s->nkind; k++) {
    const int nsite = s->kind[k]->nsite;
    for (int i = 0; i < 3 * s->nmol[k] * nsite; i++)
      *v++ /= s->kind[k]->mass[i / 3 % nsite];
  }
}

/* Where frames of single replicas come from. */
typedef struct Replicas {
  const Simulation *system;
  const State *const *gang;
  int first;
  bool wrap;
  double *x, *v;
} Replicas;

static void fill_replica(void *self, int64_t i, Frame *frame)
{
  const Replicas *of = self;
  const Simulation *s = of->system;
  const StructureShape shape = shape_of(s);
  const int r = of->first + (int)i;
  const State *state = of->gang[r / s->width];
  get_replica(s, state, r, of->x, of->v);
  structure_fill(&shape, of->wrap, of->x, of->v, frame);
  stamp(s, state->step, frame);
  frame->replica = s->replicas > 1 ? r : -1;
}

Status frames_replicas(const Simulation *s, const State *const *gang, int first, int count, bool wrap,
                       const char *dir, const char *name, Error *error)
{
  const TrajectoryOptions options = {.replace = true,
                                     .exact = true,
                                     .timestep = system_picoseconds(s, 1),
                                     .stride = 1,
                                     .title = s->config->title};
  const StructureShape shape = shape_of(s);
  Frame frame = {0};
  Replicas of = {
      s, gang, first, wrap, malloc(s->coordinates * sizeof *of.x), malloc(s->coordinates * sizeof *of.v)};
  char *path = file_path(dir, name);
  Status status =
      of.x == NULL || of.v == NULL || path == NULL ? error_memory(error, "a structure") : STATUS_OK;
  if (status == STATUS_OK)
    status = structure_shape(&shape, &frame, error);
  if (status == STATUS_OK)
    status = trajectory_write_all(path, NULL, &options, &frame, count, fill_replica, &of, error);
  frame_free(&frame);
  free(path);
  free(of.x);
  free(of.v);
  return status;
}
