#include "simulation/start/start_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/text.h"
#include "io/trajectory.h"

static Status wrong_file(const Config *c, const Error *why, Error *error)
{
  return input_error(c->input, KEY(system_file), error, "%s", why->text);
}

static Status open_file(const Config *c, TrajectoryReader **reader, char **path, Error *error)
{
  *reader = NULL;
  *path = config_path(c, c->system.file);
  if (*path == NULL)
    return error_memory(error, "a file name");
  Error why;
  const Status status = trajectory_open(reader, *path, &why);
  return status == STATUS_OK ? STATUS_OK : wrong_file(c, &why, error);
}

/* Frames of the file, counted up to `most`. */
static Status count_frames(const Config *c, int64_t most, StartFile *file, Error *error)
{
  TrajectoryReader *reader;
  char *path;
  Frame frame = {0};
  Error why;
  Status status = open_file(c, &reader, &path, error);
  bool end = status != STATUS_OK;
  for (file->frames = 0; !end && file->frames < most;) {
    status = trajectory_read(reader, &frame, &end, &why);
    if (status != STATUS_OK) {
      status = wrong_file(c, &why, error);
      break;
    }
    file->frames += !end;
  }
  if (end && reader != NULL)
    snprintf(file->warning, sizeof file->warning, "%s", trajectory_warning(reader));
  trajectory_close(reader);
  frame_free(&frame);
  free(path);
  return status;
}

/* All frames, of which there are to be as many as replicas. */
static Status take_each(const Config *c, int replicas, StartFile *file, Error *error)
{
  if (file->frames == replicas || file->frames == c->ensemble.replicas) {
    file->first = 0;
    file->count = (int)file->frames;
    return STATUS_OK;
  }
  if (c->system.frame == FRAME_EACH)
    return input_error(c->input, KEY(system_frame), error,
                       "each replica needs a frame, but %s holds %lld frames and there are %d replicas",
                       c->system.file, (long long)file->frames, c->ensemble.replicas);
  return input_error(c->input, KEY(system_frame), error,
                     "%s holds %lld frames, and nothing says which is the start; wanted: frame: last, or a "
                     "number from 0 to %lld (or as many frames as replicas, of which there are %d)",
                     c->system.file, (long long)file->frames, (long long)file->frames - 1,
                     c->ensemble.replicas);
}

Status start_file_choose(const Config *c, int replicas, StartFile *file, Error *error)
{
  *file = (StartFile){.count = 1};
  const int64_t wanted = c->system.frame;
  TRY(count_frames(c, wanted >= 0 ? wanted + 1 : INT64_MAX, file, error));
  if (wanted >= file->frames)
    return input_error(c->input, KEY(system_frame), error,
                       "there is no frame %lld in %s, which holds %lld, from 0", (long long)wanted,
                       c->system.file, (long long)file->frames);
  if (wanted >= 0) {
    file->first = wanted;
    file->frames = -1;
  } else if (wanted == FRAME_LAST)
    file->first = file->frames - 1;
  else if (file->frames > 1 || wanted == FRAME_EACH)
    return take_each(c, replicas, file, error);
  return STATUS_OK;
}

Status start_file_read(const Config *c, const StartFile *file, StartFileVisit *visit, void *self,
                       Error *error)
{
  TrajectoryReader *reader;
  char *path;
  Frame frame = {0};
  Status status = open_file(c, &reader, &path, error);
  for (int64_t i = 0; i < file->first + file->count && status == STATUS_OK; i++) {
    Error why;
    bool end;
    status = trajectory_read(reader, &frame, &end, &why);
    if (status != STATUS_OK)
      status = wrong_file(c, &why, error);
    else if (end)
      status =
          input_error(c->input, KEY(system_file), error, "%s has changed while it was read", c->system.file);
    else if (i >= file->first)
      status = visit(self, (int)(i - file->first), &frame, path, error);
  }
  trajectory_close(reader);
  frame_free(&frame);
  free(path);
  return status;
}

void start_file_words(const StartFile *file, char *words, size_t size)
{
  if (file->count > 1)
    text_append(words, size, ", a frame for each of %d replicas", file->count);
  else if (file->frames < 0)
    text_append(words, size, ", frame %lld", (long long)file->first);
  else if (file->frames > 1)
    text_append(words, size, ", frame %lld (from 0) of %lld", (long long)file->first,
                (long long)file->frames);
  if (file->warning[0] != '\0')
    text_append(words, size, " (%.200s)", file->warning);
}
