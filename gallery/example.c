#include "gallery/example.h"

#include <stdlib.h>
#include <string.h>

#include "engine/file.h"

const Example *example_find(const char *folder, const char *file)
{
  for (const Example *e = example_table; e->folder != NULL; e++)
    if (strcmp(e->folder, folder) == 0 && (file == NULL || strcmp(e->file, file) == 0))
      return e;
  return NULL;
}

Status example_write(const Example *example, const char *dir, Error *error)
{
  char *path = file_path(dir, example->file);
  if (path == NULL)
    return error_memory(error, "a file name");
  FILE *file;
  Status status = file_begin(&file, path, error);
  if (status == STATUS_OK) {
    fputs(example->text, file);
    status = file_finish(file, path, error);
  }
  free(path);
  return status;
}
