#include "gallery/example.h"

#include <string.h>

#include "engine/text.h"

const Example *example_find(const char *folder, const char *file)
{
  for (const Example *e = example_table; e->folder != NULL; e++)
    if (strcmp(e->folder, folder) == 0 && (file == NULL || strcmp(e->file, file) == 0))
      return e;
  return NULL;
}

Status example_write(const Example *example, const char *dir, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, dir, example->file, error);
  if (status != STATUS_OK)
    return status;
  fputs(example->text, text_file(text));
  return text_close(text, error);
}
