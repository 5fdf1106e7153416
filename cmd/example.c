#include "cmd/example.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "base/text.h"

const Example *example_find(const char *folder, const char *file)
{
  for (const Example *e = example_table; e->folder != NULL; e++)
    if (strcmp(e->folder, folder) == 0 && (file == NULL || strcmp(e->file, file) == 0))
      return e;
  return NULL;
}

const ExampleFolder *example_folder(const char *name)
{
  for (const ExampleFolder *f = example_folders; f->name != NULL; f++)
    if (strcmp(f->name, name) == 0)
      return f;
  return NULL;
}

/* Creates the folder of this path, if it has one. */
static Status make_folder_of(const char *path, Error *error)
{
  const char *const slash = strrchr(path, '/');
  if (slash == NULL)
    return STATUS_OK;
  SCOPED(scoped_free) char *folder = strndup(path, (size_t)(slash - path));
  TRY_MEMORY(folder != NULL, "a file name", error);
  return file_make_folder(folder, error);
}

Status example_write(const Example *example, const char *dir, bool own, Error *error)
{
  Text *text;
  SCOPED(scoped_free) char *path = file_path(dir, example->file);
  TRY_MEMORY(path != NULL, "a file name", error);
  if (strchr(example->file, '/') != NULL)
    TRY(make_folder_of(path, error));
  TRY(own ? text_replace(&text, NULL, path, error) : text_replace_named(&text, path, error));
  fputs(example->text, text_file(text));
  return text_close(text, error);
}
