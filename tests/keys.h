/* Keys by their names, for tests of inputs. */
#ifndef HOLONOM_TESTS_KEYS_H
#define HOLONOM_TESTS_KEYS_H

#include <stdlib.h>
#include <string.h>

#include "io/input.h"

/* The key of that name, which may be one in a record, "system.sites[2].mass", or a line of a map; it points
 * into `path`. Row -1: there is none. */
static inline InputKey key_named(const Input *input, const char *path)
{
  const char *value;
  const Parameter *p;
  for (int i = 0; (p = input_item(input, i, &value)) != NULL; i++) {
    const size_t n = strlen(p->key);
    if (strncmp(path, p->key, n) != 0)
      continue;
    char *rest = (char *)path + n;
    const int record = p->type == PARAMETER_RECORDS && *rest == '[' ? (int)strtol(rest + 1, &rest, 10) : 0;
    rest += record > 0 && *rest == ']';
    const bool inside = *rest == '.' && (record > 0 || p->type == PARAMETER_MAP);
    if (*rest == '\0' || inside)
      return (InputKey){.row = i, .record = record, .name = inside ? rest + 1 : NULL};
  }
  return (InputKey){.row = -1};
}

#endif
