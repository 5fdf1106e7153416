#include "integrators/method.h"

#include <string.h>

const Method *const method_table[] = {NULL};

const Method *method_find(const char *name)
{
  for (const Method *const *row = method_table; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}
