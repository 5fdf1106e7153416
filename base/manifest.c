#include "base/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/manifest_list.h"
#include "base/scoped.h"

/* --- names -------
 */

static bool ends(const char *name, size_t length, const char *suffix)
{
  const size_t n = strlen(suffix);
  return length > n && memcmp(name + length - n, suffix, n) == 0;
}

/* stars: names that end with '*' stand for all that begin so; else they are ignored. */
static bool is_one_of(const char *const *list, const char *name, size_t length, bool stars)
{
  for (; list != NULL && *list != NULL; list++) {
    const size_t n = strlen(*list);
    const bool star = n > 0 && (*list)[n - 1] == '*';
    if (star ? stars && length >= n && memcmp(*list, name, n - 1) == 0
             : n == length && memcmp(*list, name, n) == 0)
      return true;
  }
  return false;
}

static bool have(const ManifestNames *names, const char *name, bool stars)
{
  const size_t length = strlen(name);
  if (is_one_of(names->file, name, length, stars))
    return true;
  for (const char *const *suffix = names->suffix; suffix != NULL && *suffix != NULL; suffix++)
    if (ends(name, length, *suffix) &&
        (names->stem == NULL || is_one_of(names->stem, name, length - strlen(*suffix), stars)))
      return true;
  return false;
}

/* Whether a name is that of such a folder: a first part, and a number. */
static bool is_folder_of(const ManifestNames *names, const char *name)
{
  for (const char *const *folder = names->folder; folder != NULL && *folder != NULL; folder++) {
    const size_t n = strlen(*folder);
    if (strncmp(name, *folder, n) == 0 && name[n] != '\0' &&
        strspn(name + n, "0123456789") == strlen(name + n))
      return true;
  }
  return false;
}

/* --- existing files --------- */

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
                   S_ISREG(mode) ? "%s is not a file of Holonom (it is not named in " MANIFEST_NAME
                                   ") and would be overwritten: move it, or choose another folder with -o"
                                 : "%s is not a file of Holonom, which would write a file of that name: it "
                                   "is %s; move it, or choose another folder with -o",
                   path, kind_of(mode));
}

/* The path of a file or, with behind = ".part", of its partial file. */
static Status put_path(Bytes *path, const char *dir, const char *name, const char *behind, Error *error)
{
  path->size = 0;
  bytes_printf(path, "%s%s%s%s", dir != NULL ? dir : "", dir != NULL ? "/" : "", name, behind);
  bytes_put(path, "", 1);
  TRY_MEMORY(!path->failed, "a file name", error);
  return STATUS_OK;
}

/* Checks one name, and that of its partial file. */
static Status look(const ManifestList *list, const char *dir, const char *name, Status bad, Error *error)
{
  static const char *const behind[] = {"", ".part"};
  const bool ours = manifest_list_has(list, name, "");
  SCOPED(bytes_free) Bytes path = {0};
  for (int i = 0; i < 2; i++) {
    struct stat info;
    TRY(put_path(&path, dir, name, behind[i], error));
    if (lstat((char *)path.data, &info) == 0 && !(ours && S_ISREG(info.st_mode)))
      return refuse((char *)path.data, info.st_mode, bad, error);
  }
  return STATUS_OK;
}

/* Whether an entry is a folder and not a link. */
static bool is_folder(const char *dir, const char *name)
{
  struct stat info;
  SCOPED(scoped_free) char *path = file_path(dir, name);
  return path != NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static Status look_folder(const char *dir, const char *name, Status bad, Error *error)
{
  struct stat info;
  SCOPED(scoped_free) char *path = file_path(dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  if (lstat(path, &info) != 0 || S_ISDIR(info.st_mode))
    return STATUS_OK;
  return error_set(error, bad,
                   "%s is not a folder of Holonom, which would write into a folder of that name: it is %s; "
                   "move it, or choose another folder with -o",
                   path, kind_of(info.st_mode));
}

Status manifest_check_folder(const char *dir, const char *name, Error *error)
{
  return look_folder(dir, name, STATUS_INPUT, error);
}

/* Calls `each` with all names in the folder, in alphabetical order; a partial file has the name of its
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
  const ManifestNames *names;
  ManifestList list;
  char **found;
} Check;

static Status check_entry(void *self, const char *dir, const char *name, Error *error)
{
  Check *c = self;
  if (is_folder_of(c->names, name)) {
    TRY(look_folder(dir, name, STATUS_INPUT, error));
    SCOPED(scoped_free) char *path = file_path(dir, name);
    TRY_MEMORY(path != NULL, "a file name", error);
    return manifest_check(path, c->names, NULL, error);
  }
  if (!have(c->names, name, manifest_list_has(&c->list, name, "")))
    return STATUS_OK;
  TRY(look(&c->list, dir, name, STATUS_INPUT, error));
  if (c->found != NULL && *c->found == NULL && file_exists(dir, name))
    TRY_MEMORY((*c->found = strdup(name)) != NULL, "a file name", error);
  return STATUS_OK;
}

Status manifest_check(const char *dir, const ManifestNames *names, char **found, Error *error)
{
  SCOPED(scoped_free) char *first = NULL;
  Check c = {.names = names, .found = found != NULL ? &first : NULL};
  if (found != NULL)
    *found = NULL;
  TRY(manifest_list_read(dir, &c.list, STATUS_INPUT, error));
  TRY_ELSE(each_entry(dir, check_entry, &c, error), free(c.list.text));
  free(c.list.text);
  if (found != NULL)
    *found = first;
  first = NULL;
  return STATUS_OK;
}

typedef struct Find {
  const ManifestNames *names;
  const char *path;
  char *found;
} Find;

static Status find_at(Find *f, const char *dir, const char *name, const char *path, char **within,
                      Error *error)
{
  TRY_MEMORY(path != NULL, "a file name", error);
  const char *at = name;
  if (is_folder_of(f->names, name) && is_folder(dir, name)) {
    TRY(manifest_find(path, f->names, f->path, within, error));
    at = *within;
  } else if (!have(f->names, name, true) || !file_same(path, f->path)) {
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

Status manifest_find(const char *dir, const ManifestNames *names, const char *path, char **name, Error *error)
{
  Find f = {.names = names, .path = path};
  const Status status = each_entry(dir, find_entry, &f, error);
  *name = f.found;
  return status;
}

bool manifest_has(const char *dir, const char *name)
{
  ManifestList list;
  const bool has =
      manifest_list_read(dir, &list, STATUS_INPUT, NULL) == STATUS_OK && manifest_list_has(&list, name, "");
  free(list.text);
  return has;
}

Status manifest_visit(const char *dir, ManifestVisit *visit, void *self, Error *error)
{
  ManifestList list;
  const Status status = manifest_list_read(dir, &list, STATUS_INPUT, error);
  const char *at = manifest_list_names(&list), *line;
  bool more = true;
  for (size_t length; more && (line = manifest_list_next(&at, &length)) != NULL;) {
    list.text[(line - list.text) + (ptrdiff_t)length] = '\0';
    more = visit(self, line);
  }
  free(list.text);
  return status;
}

/* --- claiming -------
 */

static Status claim_lines(const char *dir, const char *const *name, int n, const char *behind,
                          ManifestList *list, Bytes *lines, Error *error)
{
  TRY(manifest_list_read(dir, list, STATUS_IO, error));
  for (int i = 0; i < n; i++) {
    if (*behind == '/')
      TRY(look_folder(dir, name[i], STATUS_IO, error));
    else if (manifest_list_takes(name[i]))
      TRY(look(list, dir, name[i], STATUS_IO, error));
    else
      return error_set(error, STATUS_IO, "'%s' is not a valid file name", name[i]);
    if (!manifest_list_has(list, name[i], behind))
      bytes_printf(lines, "%s%s\n", name[i], behind);
  }
  return lines->size > 0 || lines->failed ? manifest_list_append(dir, list, lines, error) : STATUS_OK;
}

/* behind: "" for files, "/" for folders. */
static Status claim(const char *dir, const char *const *name, int n, const char *behind, Error *error)
{
  ManifestList list = {NULL, 0};
  Bytes lines = {0};
  const Status status = claim_lines(dir, name, n, behind, &list, &lines, error);
  bytes_free(&lines);
  free(list.text);
  return status;
}

Status manifest_claim_all(const char *dir, const char *const *name, int n, Error *error)
{
  return claim(dir, name, n, "", error);
}

Status manifest_claim(const char *dir, const char *name, Error *error)
{
  char *path = file_path(dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  char *slash = strrchr(path, '/');
  const char *const last = slash != NULL ? slash + 1 : path;
  if (slash != NULL)
    *slash = '\0';
  const Status status = claim(slash == NULL ? NULL : slash == path ? "/" : path, &last, 1, "", error);
  free(path);
  return status;
}

Status manifest_claim_folders(const char *dir, const char *const *name, int n, Error *error)
{
  return claim(dir, name, n, "/", error);
}

Status manifest_make_folder(const char *dir, const char *name, Error *error)
{
  if (is_folder(dir, name))
    return STATUS_OK;
  TRY(manifest_claim_folders(dir, &name, 1, error));
  char *path = file_path(dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  Status status = STATUS_OK;
  if (mkdir(path, 0777) != 0)
    status = error_set(error, STATUS_IO, "cannot create the folder %s: %s", path, strerror(errno));
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
  return error_set(error, STATUS_IO, "cannot remove %s: %s", path, strerror(errno));
}

/* Removes a file and its partial file. */
static Status remove_file(const char *dir, const char *name, Error *error)
{
  SCOPED(bytes_free) Bytes path = {0};
  TRY(put_path(&path, dir, name, ".part", error));
  TRY(take_away((char *)path.data, error));
  TRY(put_path(&path, dir, name, "", error));
  return take_away((char *)path.data, error);
}

Status manifest_remove(const char *dir, const char *name, Error *error)
{
  return manifest_has(dir, name) ? remove_file(dir, name, error) : STATUS_OK;
}

static Status clear(const char *dir, const ManifestNames *names, Error *error);

/* Removes a folder of this program if it contains only its empty list. */
static Status clear_folder(const char *dir, const char *name, const ManifestNames *names, bool *gone,
                           Error *error)
{
  SCOPED(scoped_free) char *path = file_path(dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(is_folder(dir, name) ? clear(path, names, error) : STATUS_OK);
  *gone = rmdir(path) == 0 || errno == ENOENT;
  return STATUS_OK;
}

/* Whether a name is removed from the list of dir. The function may remove its file, and may change `name`,
 * which is a copy. */
typedef Status Rule(const char *dir, char *name, const ManifestNames *names, bool *leaves, Error *error);

/* Neither the file nor its partial file exists; folders may be created later. */
static Status is_gone(const char *dir, char *name, const ManifestNames *names, bool *leaves, Error *error)
{
  static const char *const behind[] = {"", ".part"};
  SCOPED(bytes_free) Bytes path = {0};
  (void)names;
  *leaves = name[strlen(name) - 1] != '/';
  for (int i = 0; i < 2 && *leaves; i++) {
    TRY(put_path(&path, dir, name, behind[i], error));
    *leaves = !file_lies((char *)path.data);
  }
  return STATUS_OK;
}

/* Removes the file if it has one of these names. */
static Status remove_named(const char *dir, char *name, const ManifestNames *names, bool *leaves,
                           Error *error)
{
  const size_t last = strlen(name) - 1;
  if (name[last] == '/') {
    name[last] = '\0';
    return is_folder_of(names, name) ? clear_folder(dir, name, names, leaves, error) : STATUS_OK;
  }
  *leaves = have(names, name, true);
  return *leaves ? remove_file(dir, name, error) : STATUS_OK;
}

/* Applies a rule to the list of dir, removing names. With `names`, an empty list is removed. */
static Status drop(const char *dir, Rule *rule, const ManifestNames *names, Error *error)
{
  ManifestList list;
  SCOPED(bytes_free) Bytes kept = {0};
  TRY(manifest_list_read(dir, &list, STATUS_IO, error));
  SCOPED(scoped_free) char *const text = list.text;
  const char *at = manifest_list_names(&list), *line;
  bool changed = false;
  for (size_t length; (line = manifest_list_next(&at, &length)) != NULL;) {
    SCOPED(scoped_free) char *const name = strndup(line, length);
    bool leaves = false;
    TRY_MEMORY(name != NULL, "a file name", error);
    TRY(rule(dir, name, names, &leaves, error));
    changed = changed || leaves;
    if (!leaves) {
      bytes_put(&kept, line, length);
      bytes_put(&kept, "\n", 1);
    }
  }
  changed = changed || (names != NULL && kept.size == 0);
  return text != NULL && changed ? manifest_list_replace(dir, &kept, error) : STATUS_OK;
}

Status manifest_drop_gone(const char *dir, Error *error) { return drop(dir, is_gone, NULL, error); }

/* Whether no command can be about to create files that it has claimed: no run is active, and the list is
 * older than the time any command takes from a claim to its file. */
static bool is_settled(const char *dir)
{
  enum { LONGEST = 60 }; /* s */
  struct stat info;
  struct timespec now;
  SCOPED(scoped_free) char *list = file_path(dir, MANIFEST_NAME);
  return list != NULL && !file_exists(dir, FOLDER_LOCK) && lstat(list, &info) == 0 &&
         clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec - info.st_mtim.tv_sec > LONGEST;
}

static Status clear(const char *dir, const ManifestNames *names, Error *error)
{
  return drop(dir, remove_named, names, error);
}

Status manifest_clear(const char *dir, const ManifestNames *names, Error *error)
{
  if (is_settled(dir))
    TRY(manifest_drop_gone(dir, error));
  return clear(dir, names, error);
}
