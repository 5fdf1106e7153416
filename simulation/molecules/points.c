#include "simulation/molecules/points.h"

#include <stdlib.h>

#include "base/scoped.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/molecules/system_frames.h"

SCOPED_POINTER(TrajectoryReader, trajectory_close)

typedef struct Points {
  const Simulation *s;
  double *x;
  Box *box;
} Points;

static Status take_start(void *self, int i, Frame *frame, const char *path, Error *error)
{
  const Points *to = self;
  return i > 0 ? STATUS_OK : system_frames_start(to->s, frame, path, to->x, NULL, to->box, error);
}

static Status read_frame(const Points *to, const char *path, Error *error)
{
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  SCOPED(frame_free) Frame frame = {0};
  bool end = false;
  TRY(trajectory_open(&reader, path, error));
  TRY(trajectory_read(reader, &frame, &end, error));
  if (end)
    return error_set(error, STATUS_INPUT, "%s: there is no frame", path);
  *to->box = to->s->box;
  if (box_periodic(&to->s->box) && frame.has_cell)
    TRY(structure_box(&frame, path, to->box, error));
  return system_frames_read(to->s, &frame, path, to->box, to->x, error);
}

Status points_read(const Simulation *s, InputKey key, const char *file, double *x, Box *box, Error *error)
{
  const Config *c = s->config;
  Points to = {s, x, box};
  const int starts = system_molecules(s)->from.count;
  if (file == NULL && c->system.start != START_FILE)
    return input_error(
        c->input, key, error,
        "is missing; wanted: a file with the positions, since the start is built and has no file");
  if (file == NULL && starts > 1)
    return input_error(
        c->input, key, error,
        "%d replicas start from their own frames (system.frame), but all replicas need the same "
        "positions here: give a file with them",
        starts);
  if (file == NULL)
    return start_file_read(c, &system_molecules(s)->from, take_start, &to, error);
  SCOPED(scoped_free) char *path = config_path(c, file);
  TRY_MEMORY(path != NULL, "a file name", error);
  Error why;
  const Status status = read_frame(&to, path, &why);
  return status == STATUS_OK || status == STATUS_MEMORY ? error_pass(error, status, &why)
                                                        : input_error(c->input, key, error, "%s", why.text);
}

Status points_reference(const Simulation *s, InputKey key, const char *file, Arena *arena,
                        CoordinateInput *input, Error *error)
{
  if (coordinate_types[input->form].options != COORDINATE_REFERENCE)
    return STATUS_OK;
  double *x = arena_take(arena, topology_coordinates(s->topology), sizeof *x);
  TRY(arena_check(arena, "a reference", error));
  input->reference = x;
  return points_read(s, key, file, x, &input->box, error);
}
