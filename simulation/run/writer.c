#include "simulation/run/writer.h"

#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/owned.h"

static Status open_trajectory(Writer *w, const char *dir, const WriterMark *mark, Error *error)
{
  char *path = file_path(dir, w->name);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  const char *slash = strchr(w->name, '/');
  if (slash != NULL) { /* a replica's */
    char *const folder = strndup(w->name, (size_t)(slash - w->name));
    status = folder != NULL ? owned_make_folder(dir, folder, error) : error_memory(error, "a file name");
    free(folder);
  }
  if (status == STATUS_OK)
    status = mark != NULL ? trajectory_resume(&w->trajectory, path, NULL, &w->options, mark, error)
                          : trajectory_create(&w->trajectory, path, NULL, &w->options, error);
  free(path);
  return status;
}

Status writer_open(Writer *w, const char *dir, const WriterMark *mark, Error *error)
{
  if (w->frames)
    return open_trajectory(w, dir, mark, error);
  if (mark != NULL)
    return text_resume(&w->text, dir, w->name, mark->size, error);
  const Status status = text_create(&w->text, dir, w->name, error);
  if (status == STATUS_OK && w->head != NULL)
    w->head(w->self, w->text);
  return status;
}

Status writer_mark(Writer *w, WriterMark *mark, Error *error)
{
  if (w->trajectory != NULL)
    return trajectory_mark(w->trajectory, mark, error);
  return w->text != NULL ? text_sync(w->text, &mark->size, error) : STATUS_OK;
}

Status writer_flush(Writer *w, Error *error)
{
  return w->text != NULL ? text_flush(w->text, error) : STATUS_OK;
}

Status writer_close(Writer *w, Error *error)
{
  return w->frames ? trajectory_finish(w->trajectory, error) : text_close(w->text, error);
}
