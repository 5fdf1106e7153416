#include "engine/owned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/owned_list.h"

/* --- names -------
 */

static bool ends(const char *name, size_t length, const char *suffix)
{
  const size_t n = strlen(suffix);
  return length > n && memcmp(name + length - n, suffix, n) == 0;
}

static bool is_one_of(const char *const *list, const char *name, size_t length)
{
  for (; list != NULL && *list != NULL; list++)
    if (strlen(*list) == length && memcmp(*list, name, length) == 0)
      return true;
  return false;
}

static bool have(const OwnedNames *names, const char *name)
{
  const size_t length = strlen(name);
  if (is_one_of(names->file, name, length))
    return true;
  for (const char *const *suffix = names->suffix; suffix != NULL && *suffix != NULL; suffix++)
    if (ends(name, length, *suffix) &&
        (names->stem == NULL || is_one_of(names->stem, name, length - strlen(*suffix))))
      return true;
  return false;
}

/* A folder of these names: how they begin, and a number. */
static bool is_folder_of(const OwnedNames *names, const char *name)
{
  const size_t n = names->folder != NULL ? strlen(names->folder) : 0;
  return n > 0 && strncmp(name, names->folder, n) == 0 && name[n] != '\0' &&
         strspn(name + n, "0123456789") == strlen(name + n);
}

/* --- what lies there -------
 */

static const char *kind_of(mode_t mode)
{
  return S_ISLNK(mode)   ? "a link"
         : S_ISDIR(mode) ? "a folder"
         : S_ISREG(mode) ? "a file"
                         : "a pipe or a device";
}

static Status refuse(const char *path, mode_t mode, Status status, Error *error)
{
  return error_set(error, status,
                   S_ISREG(mode)
                       ? "%s was not left there by Holonom (it is not named in " OWNED_LIST
                         "), and would be written over: move it away, or give another folder with -o"
                       : "%s was not left there by Holonom, which would write a file of that name: it "
                         "is %s; move it away, or give another folder with -o",
                   path, kind_of(mode));
}

/* Of one name, and of the part in which its file is made. */
static Status look(const OwnedList *list, const char *dir, const char *name, Status bad, Error *error)
{
  static const char *const behind[] = {"", ".part"};
  const bool ours = owned_list_has(list, name, "") || owned_list_found(list, name);
  char *path = file_path(dir, name), *full = NULL;
  Status status = path == NULL ? error_memory(error, "a file name") : STATUS_OK;
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    const size_t size = strlen(path) + strlen(behind[i]) + 1;
    struct stat info;
    char *const more = realloc(full, size);
    if (more == NULL) {
      status = error_memory(error, "a file name");
      break;
    }
    full = more;
    snprintf(full, size, "%s%s", path, behind[i]);
    if (lstat(full, &info) == 0 && !(ours && S_ISREG(info.st_mode)))
      status = refuse(full, info.st_mode, bad, error);
  }
  free(full);
  free(path);
  return status;
}

/* Whether an entry of a folder is a real folder. */
static bool is_folder(const char *dir, const char *name)
{
  struct stat info;
  char *path = file_path(dir, name);
  const bool is = path != NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
  free(path);
  return is;
}

static Status look_folder(const char *dir, const char *name, Status bad, Error *error)
{
  struct stat info;
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status =
      lstat(path, &info) != 0 || S_ISDIR(info.st_mode)
          ? STATUS_OK
          : error_set(error, bad,
                      "%s was not left there by Holonom, which would write into a folder of "
                      "that name: it is %s; move it away, or give another folder with -o",
                      path, kind_of(info.st_mode));
  free(path);
  return status;
}

Status owned_check_folder(const char *dir, const char *name, Error *error)
{
  return look_folder(dir, name, STATUS_INPUT, error);
}

/* Calls each with all names that lie in the folder, in the order of the alphabet, the part of a file as that
 * file. */
typedef Status Each(void *self, const char *dir, const char *name, Error *error);

static Status each_entry(const char *dir, Each *each, void *self, Error *error)
{
  struct dirent **entry;
  const int n = scandir(dir, &entry, NULL, alphasort);
  if (n < 0)
    return errno == ENOENT || errno == ENOTDIR
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "%s: cannot be read: %s", dir, strerror(errno));
  Status status = STATUS_OK;
  for (int i = 0; i < n; i++) {
    char *const name = entry[i]->d_name;
    const size_t length = strlen(name);
    if (ends(name, length, ".part"))
      name[length - 5] = '\0';
    if (status == STATUS_OK)
      status = each(self, dir, name, error);
    free(entry[i]);
  }
  free(entry);
  return status;
}

typedef struct Check {
  const OwnedNames *names;
  OwnedList list;
  char **found;
} Check;

static Status check_entry(void *self, const char *dir, const char *name, Error *error)
{
  Check *c = self;
  if (is_folder_of(c->names, name)) {
    Status status = look_folder(dir, name, STATUS_INPUT, error);
    char *path = status == STATUS_OK ? file_path(dir, name) : NULL;
    if (status == STATUS_OK)
      status = path != NULL ? owned_check(path, c->names, NULL, error) : error_memory(error, "a file name");
    free(path);
    return status;
  }
  if (!have(c->names, name))
    return STATUS_OK;
  const Status status = look(&c->list, dir, name, STATUS_INPUT, error);
  if (status == STATUS_OK && c->found != NULL && *c->found == NULL && file_exists(dir, name) &&
      (*c->found = strdup(name)) == NULL)
    return error_memory(error, "a file name");
  return status;
}

Status owned_check(const char *dir, const OwnedNames *names, char **found, Error *error)
{
  Check c = {.names = names, .found = found};
  if (found != NULL)
    *found = NULL;
  Status status = owned_list_read(dir, &c.list, STATUS_INPUT, error);
  if (status == STATUS_OK)
    status = each_entry(dir, check_entry, &c, error);
  free(c.list.text);
  if (status != STATUS_OK && found != NULL) {
    free(*found);
    *found = NULL;
  }
  return status;
}

typedef struct Find {
  const OwnedNames *names;
  const char *path;
  char *found;
} Find;

static Status find_at(Find *f, const char *dir, const char *name, const char *path, char **within,
                      Error *error)
{
  if (path == NULL)
    return error_memory(error, "a file name");
  const char *at = name;
  if (is_folder_of(f->names, name) && is_folder(dir, name)) {
    TRY(owned_find(path, f->names, f->path, within, error));
    at = *within;
  } else if (!have(f->names, name) || !file_same(path, f->path)) {
    return STATUS_OK;
  }
  if (at != NULL)
    f->found = at == name ? strdup(name) : file_path(name, at);
  return at != NULL && f->found == NULL ? error_memory(error, "a file name") : STATUS_OK;
}

static Status find_entry(void *self, const char *dir, const char *name, Error *error)
{
  Find *f = self;
  if (f->found != NULL)
    return STATUS_OK;
  char *path = file_path(dir, name), *within = NULL;
  const Status status = find_at(f, dir, name, path, &within, error);
  free(within);
  free(path);
  return status;
}

Status owned_find(const char *dir, const OwnedNames *names, const char *path, char **name, Error *error)
{
  Find f = {.names = names, .path = path};
  const Status status = each_entry(dir, find_entry, &f, error);
  *name = f.found;
  return status;
}

bool owned_known(const char *dir) { return file_exists(dir, OWNED_LIST); }

bool owned_has(const char *dir, const char *name)
{
  OwnedList list;
  const bool has =
      owned_list_read(dir, &list, STATUS_INPUT, NULL) == STATUS_OK && owned_list_has(&list, name, "");
  free(list.text);
  return has;
}

Status owned_visit(const char *dir, OwnedVisit *visit, void *self, Error *error)
{
  OwnedList list;
  const Status status = owned_list_read(dir, &list, STATUS_INPUT, error);
  const char *at = owned_list_names(&list), *line;
  bool more = true;
  for (size_t length; more && (line = owned_list_next(&at, &length)) != NULL;)
    if (strncmp(line, OWNED_LIST_FOUND, sizeof OWNED_LIST_FOUND - 1) != 0) {
      list.text[(line - list.text) + (ptrdiff_t)length] = '\0';
      more = visit(self, line);
    }
  free(list.text);
  return status;
}

/* --- claiming -------
 */

static Status claim_lines(const char *dir, const char *const *name, int n, const char *behind,
                          OwnedList *list, Bytes *lines, Error *error)
{
  TRY(owned_list_read(dir, list, STATUS_IO, error));
  for (int i = 0; i < n; i++) {
    if (*behind == '/')
      TRY(look_folder(dir, name[i], STATUS_IO, error));
    else if (owned_list_takes(name[i]))
      TRY(look(list, dir, name[i], STATUS_IO, error));
    else
      return error_set(error, STATUS_IO, "'%s' cannot be the name of a file", name[i]);
    if (!owned_list_has(list, name[i], behind))
      bytes_printf(lines, "%s%s\n", name[i], behind);
  }
  return lines->size > 0 || lines->failed ? owned_list_append(dir, list, lines, error) : STATUS_OK;
}

/* behind: "" of files, "/" of folders. */
static Status claim(const char *dir, const char *const *name, int n, const char *behind, Error *error)
{
  OwnedList list = {NULL, 0};
  Bytes lines = {0};
  const Status status = claim_lines(dir, name, n, behind, &list, &lines, error);
  bytes_free(&lines);
  free(list.text);
  return status;
}

Status owned_claim_all(const char *dir, const char *const *name, int n, Error *error)
{
  return claim(dir, name, n, "", error);
}

Status owned_claim(const char *dir, const char *name, Error *error)
{
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  char *slash = strrchr(path, '/');
  const char *const last = slash != NULL ? slash + 1 : path;
  if (slash != NULL)
    *slash = '\0';
  const Status status = claim(slash == NULL ? NULL : slash == path ? "/" : path, &last, 1, "", error);
  free(path);
  return status;
}

Status owned_claim_folders(const char *dir, const char *const *name, int n, Error *error)
{
  return claim(dir, name, n, "/", error);
}

Status owned_make_folder(const char *dir, const char *name, Error *error)
{
  if (is_folder(dir, name))
    return STATUS_OK;
  TRY(owned_claim_folders(dir, &name, 1, error));
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  if (mkdir(path, 0777) != 0)
    status = error_set(error, STATUS_IO, "cannot make the folder %s: %s", path, strerror(errno));
  free(path);
  return status;
}

/* --- removing -------
 */

static Status take_away(const char *path, Error *error)
{
  struct stat info;
  if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || unlink(path) == 0 || errno == ENOENT)
    return STATUS_OK;
  return error_set(error, STATUS_IO, "cannot take away %s: %s", path, strerror(errno));
}

/* The file and the part that it was made in. */
static Status remove_file(const char *dir, const char *name, Error *error)
{
  Bytes path = {0};
  bytes_printf(&path, "%s%s%s", dir != NULL ? dir : "", dir != NULL ? "/" : "", name);
  const size_t length = path.size;
  bytes_printf(&path, ".part");
  bytes_put(&path, "", 1);
  Status status = path.failed ? error_memory(error, "a file name") : take_away((char *)path.data, error);
  if (status == STATUS_OK) {
    path.data[length] = '\0';
    status = take_away((char *)path.data, error);
  }
  bytes_free(&path);
  return status;
}

Status owned_remove(const char *dir, const char *name, Error *error)
{
  return owned_has(dir, name) ? remove_file(dir, name, error) : STATUS_OK;
}

/* A folder that we made goes once nothing but its empty list is in it. */
static Status clear_folder(const char *dir, const char *name, const OwnedNames *names, bool *gone,
                           Error *error)
{
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status = is_folder(dir, name) ? owned_clear(path, names, error) : STATUS_OK;
  *gone = status == STATUS_OK && (rmdir(path) == 0 || errno == ENOENT);
  free(path);
  return status;
}

Status owned_clear(const char *dir, const OwnedNames *names, Error *error)
{
  OwnedList list;
  Bytes kept = {0};
  Status status = owned_list_read(dir, &list, STATUS_IO, error);
  const char *at = owned_list_names(&list), *line;
  bool changed = false;
  for (size_t length; status == STATUS_OK && (line = owned_list_next(&at, &length)) != NULL;) {
    char *const name = strndup(line, length);
    bool gone = false;
    if (name == NULL)
      status = error_memory(error, "a file name");
    else if (name[length - 1] == '/') {
      name[length - 1] = '\0';
      if (is_folder_of(names, name))
        status = clear_folder(dir, name, names, &gone, error);
    } else if (have(names, name)) {
      status = remove_file(dir, name, error);
      gone = true;
    }
    free(name);
    changed = changed || gone;
    if (!gone) {
      bytes_put(&kept, line, length);
      bytes_put(&kept, "\n", 1);
    }
  }
  if (status == STATUS_OK && list.text != NULL && (changed || kept.size == 0))
    status = owned_list_replace(dir, &kept, error);
  bytes_free(&kept);
  free(list.text);
  return status;
}

/* --- folders without a list -------
 */

typedef struct Adoption {
  const OwnedNames *const *names;
  int n;
  Bytes lines;
} Adoption;

static Status adopt_entry(void *self, const char *dir, const char *name, Error *error)
{
  Adoption *a = self;
  Status status = STATUS_OK;
  bool folder = false, wanted = false;
  for (int i = 0; i < a->n; i++) {
    folder = folder || is_folder_of(a->names[i], name);
    wanted = wanted || have(a->names[i], name);
  }
  if (folder && is_folder(dir, name)) {
    char *path = file_path(dir, name);
    status = path != NULL ? owned_adopt(path, a->names, a->n, error) : error_memory(error, "a file name");
    free(path);
  } else if (wanted)
    bytes_printf(&a->lines, "%s%s\n", OWNED_LIST_FOUND, name);
  return status;
}

Status owned_adopt(const char *dir, const OwnedNames *const *names, int n, Error *error)
{
  Adoption a = {.names = names, .n = n};
  if (owned_known(dir))
    return STATUS_OK;
  Status status = each_entry(dir, adopt_entry, &a, error);
  if (status == STATUS_OK && a.lines.size > 0)
    status = owned_list_append(dir, &(OwnedList){NULL, 0}, &a.lines, error);
  bytes_free(&a.lines);
  return status;
}
