#include "simulation/start/start_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "base/text.h"
#include "io/trajectory.h"

/* An open file. */
typedef struct Reading {
  const Config *config;
  TrajectoryReader *reader;
  char *path;
  Frame frame;
} Reading;

static void reading_end(Reading *r)
{
  trajectory_close(r->reader);
  frame_free(&r->frame);
  free(r->path);
}

static Status wrong_file(const Config *c, Status status, const Error *why, Error *error)
{
  return status == STATUS_OK ? STATUS_OK : input_error(c->input, KEY(system_file), error, "%s", why->text);
}

static Status reading_begin(Reading *r, Error *error)
{
  Error why;
  r->path = config_path(r->config, r->config->system.file);
  TRY_MEMORY(r->path != NULL, "a file name", error);
  return wrong_file(r->config, trajectory_open(&r->reader, r->path, &why), &why, error);
}

static Status reading_next(Reading *r, bool *end, Error *error)
{
  Error why;
  return wrong_file(r->config, trajectory_next(r->reader, &r->frame, end, &why), &why, error);
}

static Status reading_fill(Reading *r, Error *error)
{
  Error why;
  return wrong_file(r->config, trajectory_fill(r->reader, &r->frame, &why), &why, error);
}

/* Counts the frames of the file, up to `most`. */
static Status count_frames(const Config *c, int64_t most, StartFile *file, Error *error)
{
  SCOPED(reading_end) Reading reading = {.config = c};
  TRY(reading_begin(&reading, error));
  bool end = false;
  for (file->frames = 0; !end && file->frames < most; file->frames += !end)
    TRY(reading_next(&reading, &end, error));
  if (end)
    snprintf(file->warning, sizeof file->warning, "%s", trajectory_warning(reading.reader));
  return STATUS_OK;
}

/* Uses all frames, whose number must be that of replicas. */
static Status take_each(const Config *c, int replicas, StartFile *file, Error *error)
{
  if (file->frames == replicas || file->frames == c->ensemble.replicas) {
    file->first = 0;
    file->count = (int)file->frames;
    return STATUS_OK;
  }
  if (c->system.frame == FRAME_EACH)
    return input_error(
        c->input, KEY(system_frame), error,
        "'each' needs one frame for each replica, but %s has %lld frames and there are %d replicas",
        c->system.file, (long long)file->frames, c->ensemble.replicas);
  return input_error(c->input, KEY(system_frame), error,
                     "%s has %lld frames: select one by frame: last, or a number from 0 to %lld (or give one "
                     "frame for each of the %d replicas)",
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
                       "there is no frame %lld in %s, which has %lld, numbered from 0", (long long)wanted,
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
  SCOPED(reading_end) Reading reading = {.config = c};
  TRY(reading_begin(&reading, error));
  for (int64_t i = 0; i < file->first + file->count; i++) {
    bool end;
    TRY(reading_next(&reading, &end, error));
    if (end)
      return input_error(c->input, KEY(system_file), error, "%s changed while it was read", c->system.file);
    if (i < file->first)
      continue;
    TRY(reading_fill(&reading, error));
    TRY(visit(self, (int)(i - file->first), &reading.frame, reading.path, error));
  }
  return STATUS_OK;
}

void start_file_words(const StartFile *file, char *words, size_t size)
{
  if (file->count > 1)
    text_append(words, size, ", one frame for each of %d replicas", file->count);
  else if (file->frames < 0)
    text_append(words, size, ", frame %lld", (long long)file->first);
  else if (file->frames > 1)
    text_append(words, size, ", frame %lld (from 0) of %lld", (long long)file->first,
                (long long)file->frames);
  if (file->warning[0] != '\0')
    text_append(words, size, " (%.200s)", file->warning);
}
