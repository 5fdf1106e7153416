#include "integrators/method.h"

#include <string.h>

#include "integrators/method_rows.h"

const Method *const method_table[] = {&method_kinematic_search, NULL};

const Method *method_find(const char *name)
{
  for (const Method *const *row = method_table; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}
