#include "gallery/page_write.h"

#include "engine/text.h"

Status page_write_file(const char *dir, const char *name, void (*write)(FILE *file, int n, Page *const *page),
                       int n, Page *const *page, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, dir, name, error);
  if (status != STATUS_OK)
    return status;
  write(text_file(text), n, page);
  return text_close(text, error);
}

const char *page_write_verdict(int holds) { return holds > 0 ? "yes" : (holds == 0 ? "no" : "–"); }
