#include "simulation/molecules/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "io/structure.h"
#include "simulation/molecules/system_frames.h"

/* --- frames ------- */

static void stamp(const Simulation *s, int64_t step, Frame *frame)
{
  frame->step = step;
  frame->time = system_picoseconds(s, step);
}

Status frames_shape(const Simulation *s, Frame *frame, Error *error)
{
  TRY(structure_shape(s->topology, &s->box, frame, error));
  system_frames_name(s, frame);
  return STATUS_OK;
}

TrajectoryOptions frames_options(const Simulation *s, int64_t stride)
{
  return (TrajectoryOptions){.replace = true,
                             .owned = true,
                             .timestep = system_picoseconds(s, 1),
                             .stride = stride,
                             .precision = s->config->output.xtc_precision,
                             .title = s->config->title};
}

void frames_fill(const Simulation *s, const Box *box, bool wrap, int64_t step, const double *x,
                 const double *v, Frame *frame)
{
  memcpy(frame->cell, box->h, sizeof frame->cell);
  structure_fill(s->topology, wrap ? box : NULL, x, v, frame);
  stamp(s, step, frame);
}

/* --- structures of replicas ------- */

/* The source of frames of single replicas. */
typedef struct Replicas {
  const Simulation *system;
  const Sample *batch;
  int first;
  bool wrap;
  double *x, *v;
} Replicas;

static void fill_replica(void *self, int64_t i, Frame *frame)
{
  const Replicas *of = self;
  const Simulation *s = of->system;
  const int r = of->first + (int)i;
  const Sample *sample = &of->batch[r / s->width];
  sample_get(sample, s->topology, STATE_POSITIONS, r % s->width, of->x);
  sample_get(sample, s->topology, STATE_VELOCITIES, r % s->width, of->v);
  frames_fill(s, sample_box(sample), of->wrap, sample_step(sample), of->x, of->v, frame);
  frame->replica = s->replicas > 1 ? r : -1;
}

Status frames_replicas(const Simulation *s, const Sample *batch, int first, int count, bool wrap,
                       const char *dir, const char *name, Error *error)
{
  TrajectoryOptions options = frames_options(s, 1);
  options.exact = true;
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(scoped_free) double *x = malloc(2 * s->coordinates * sizeof *x);
  SCOPED(scoped_free) char *path = file_path(dir, name);
  TRY_MEMORY(x != NULL && path != NULL, "a structure", error);
  Replicas of = {s, batch, first, wrap, x, x + s->coordinates};
  TRY(frames_shape(s, &frame, error));
  return trajectory_write_all(path, NULL, &options, &frame, count, fill_replica, &of, error);
}
