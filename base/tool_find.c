#include "base/tool_find.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *tool_find(const char *name)
{
  if (strchr(name, '/') != NULL)
    return strdup(name);
  const char *entry = getenv("PATH");
  if (entry == NULL)
    entry = "/usr/local/bin:/usr/bin:/bin";
  for (; *entry != '\0'; entry += *entry == ':') {
    const size_t length = strcspn(entry, ":");
    char *path = NULL;
    if (*entry == '/' && asprintf(&path, "%.*s/%s", (int)length, entry, name) < 0)
      return NULL;
    if (path != NULL && is_program(path))
      return path;
    free(path);
    entry += length;
  }
  return NULL;
}
