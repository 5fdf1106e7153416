/* Finds the files that an input names, and names them relative to other folders. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/input_private.h"

char *input_path(const Input *input, const char *name)
{
  const char *const own = input_name(input), *const slash = strrchr(own, '/');
  const int nfolder = *name != '/' && slash != NULL ? (int)(slash - own) + 1 : 0;
  const size_t size = (size_t)nfolder + strlen(name) + 1;
  char *const full = malloc(size);
  if (full != NULL)
    snprintf(full, size, "%.*s%s", nfolder, own, name);
  return full;
}

/* The text of an entry that names a file; NULL if it names none or was not given. */
static const char *name_of(const Entry *entry)
{
  return entry->parameter->path && entry->text != NULL ? entry->file : NULL;
}

/* Reduces FILE:NAME to FILE if no file has the whole name. */
static void cut_part(char *path)
{
  char *const colon = path != NULL && !file_lies(path) ? strrchr(path, ':') : NULL;
  if (colon != NULL)
    *colon = '\0';
}

bool input_path_file(const Input *input, int i, char **path, const char **key)
{
  *key = NULL;
  if (i == 0) {
    *path = strdup(input_name(input));
    return true;
  }
  for (int k = 0, n = 0; k < input->nentry; k++) {
    const Entry *entry = &input->entry[k];
    const char *name = name_of(entry);
    bool found = name != NULL && ++n == i;
    for (const MapName *item = entry->first; item != NULL && !found; item = item->next)
      if (input_map_names_file(entry, item)) {
        name = item->name;
        found = ++n == i;
      }
    if (!found)
      continue;
    *key = entry->parameter->key;
    *path = input_path(input, name);
    cut_part(*path);
    return true;
  }
  return false;
}

/* The folder of a path without links and dots; NULL if it does not exist. The caller frees it. */
static char *folder_of(const char *path)
{
  char *copy = strdup(path);
  if (copy == NULL)
    return NULL;
  char *slash = strrchr(copy, '/');
  if (slash == copy)
    slash[1] = '\0';
  else if (slash != NULL)
    *slash = '\0';
  char *folder = realpath(slash != NULL ? copy : ".", NULL);
  free(copy);
  return folder;
}

/* The path of file `name` in folder `to`, relative to folder `from`; both are absolute and without links. */
static const char *name_from(Input *input, const char *from, const char *to, const char *name)
{
  size_t common = 0; /* length of the common path */
  for (size_t i = 0; from[i] == to[i] || from[i] == '\0' || to[i] == '\0'; i++) {
    const bool one = from[i] == '\0' || from[i] == '/', other = to[i] == '\0' || to[i] == '/';
    if (one && other)
      common = i;
    if (from[i] != to[i] || from[i] == '\0')
      break;
  }
  if (common == 0)
    return input_keep_text(input, "%s/%s", strcmp(to, "/") != 0 ? to : "", name);
  const char *up = "";
  for (const char *c = from + common; *c != '\0' && up != NULL; c++)
    if (*c == '/')
      up = input_keep_text(input, "../%s", up);
  const char *down = to + common + (to[common] == '/');
  return up == NULL ? NULL : input_keep_text(input, "%s%s%s%s", up, down, *down != '\0' ? "/" : "", name);
}

static const char *rebased(Input *input, const char *folder, const char *name)
{
  char *path = input_path(input, name);
  char *to = path != NULL ? folder_of(path) : NULL;
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  const char *fresh = name; /* unchanged if the folder does not exist */
  if (to != NULL)
    fresh = name_from(input, folder, to, slash != NULL ? slash + 1 : path);
  free(to);
  const bool memory = path == NULL;
  free(path);
  return memory || fresh == NULL ? NULL : input_value_quoted(input, fresh);
}

Status input_path_rebase(Input *input, const char *folder, Error *error)
{
  char *from = realpath(folder, NULL);
  Status status = STATUS_OK;
  for (int i = 0; from != NULL && i < input->nentry && status == STATUS_OK; i++) {
    const Entry *entry = &input->entry[i];
    const char *name = name_of(entry);
    const bool map = entry->parameter->map > 0 && entry->nname > 0;
    const char *text = map            ? input_map_rename(input, entry, rebased, from)
                       : name != NULL ? rebased(input, from, name)
                                      : NULL;
    if (text != NULL)
      input->entry[i].text = text;
    else if ((map || name != NULL) && input->memory)
      status = error_memory(error, "the names of files");
  }
  free(from);
  return status;
}
