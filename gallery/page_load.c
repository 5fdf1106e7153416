#include "gallery/page.h"

Status page_load(Page *page, const char *file, const char *const *set, int nset, Simulation **mechanics,
                 Error *error)
{
  *mechanics = NULL;
  const char *path = page_input(page, file);
  if (page->failed != STATUS_OK) {
    if (error != NULL)
      *error = page->error;
    return page->failed;
  }
  return simulation_open(mechanics, path, set, nset, error);
}
