#include "simulation/run/writer.h"

#include <string.h>

#include "base/file.h"
#include "base/manifest.h"
#include "base/scoped.h"

static Status open_trajectory(Writer *w, const char *dir, const WriterMark *mark, Error *error)
{
  const char *slash = strchr(w->name, '/');
  SCOPED(scoped_free) char *path = file_path(dir, w->name);
  SCOPED(scoped_free) char *folder = strndup(w->name, slash != NULL ? (size_t)(slash - w->name) : 0);
  TRY_MEMORY(path != NULL && folder != NULL, "a file name", error);
  if (slash != NULL) /* in a replica's folder */
    TRY(manifest_make_folder(dir, folder, error));
  return mark != NULL ? trajectory_resume(&w->trajectory, path, NULL, &w->options, mark, error)
                      : trajectory_create(&w->trajectory, path, NULL, &w->options, error);
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
