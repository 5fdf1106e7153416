#include "gallery/exhibit.h"

#include <string.h>

const Exhibit *exhibit_find(const char *name)
{
  for (int i = 0; exhibit_table[i] != NULL; i++)
    if (strcmp(exhibit_table[i]->name, name) == 0)
      return exhibit_table[i];
  return NULL;
}
