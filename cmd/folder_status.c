/* Reads folders of runs for holonom status. */
#include "cmd/folder_status.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/manifest.h"
#include "base/scoped.h"

/* A study's folder contains points, and these contain runs. */
enum { DEEPEST = 2 };

/* The folders in a manifest. */
typedef struct Folders {
  FolderStatus *folder;
  bool failed;
} Folders;

static bool add_folder(void *self, const char *name)
{
  Folders *f = self;
  const size_t length = strlen(name);
  if (strchr(name, '/') != name + length - 1 || strcmp(name, "./") == 0 || strcmp(name, "../") == 0)
    return true;
  FolderStatus *more = realloc(f->folder->in, (size_t)(f->folder->n + 1) * sizeof *more);
  char *bare = strndup(name, length - 1), *path = bare != NULL ? file_path(f->folder->path, bare) : NULL;
  free(bare);
  if (more != NULL)
    f->folder->in = more;
  f->failed = more == NULL || path == NULL;
  if (f->failed) {
    free(path);
    return false;
  }
  f->folder->in[f->folder->n++] = (FolderStatus){.path = path};
  return true;
}

static bool is_folder(const char *path)
{
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Reads a folder with a run, or the folders in its manifest. */
static Status read_folder(FolderStatus *f, int depth, Error *error)
{
  f->is_run = run_status_known(f->path);
  if (f->is_run)
    return run_status_read(&f->run, f->path, error);
  Folders folders = {.folder = f};
  if (depth < DEEPEST)
    (void)manifest_visit(f->path, add_folder, &folders, NULL);
  TRY_MEMORY(!folders.failed, "the folders of a study", error);
  for (int i = 0; i < f->n; i++)
    if (is_folder(f->in[i].path)) /* does not follow links */
      TRY(read_folder(&f->in[i], depth + 1, error));
  return STATUS_OK;
}

static bool has_run(const FolderStatus *f)
{
  bool has = f->is_run;
  for (int i = 0; i < f->n && !has; i++)
    has = has_run(&f->in[i]);
  return has;
}

/* The error for a folder without a run; names runs in subfolders that the user may have meant. */
static Status refuse(const char *path, Error *error)
{
  enum { NAMES = 3 };
  struct dirent **entry;
  SCOPED(bytes_free) Bytes words = {0};
  const int n = scandir(path, &entry, NULL, alphasort);
  int found = 0;
  for (int i = 0; i < n; i++) {
    char *in = entry[i]->d_name[0] != '.' ? file_path(path, entry[i]->d_name) : NULL;
    if (in != NULL && found <= NAMES && is_folder(in) && run_status_known(in) && found++ < NAMES)
      bytes_printf(&words, "%s%s", found > 1 ? ", " : "", in);
    free(in);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
  bytes_put(&words, "", 1);
  return found > 0 && !words.failed
             ? error_set(error, STATUS_INPUT, "%s contains no run; its subfolders do: %.1000s%s", path,
                         (const char *)words.data, found > NAMES ? " and others" : "")
             : error_set(error, STATUS_INPUT,
                         "%s contains no run or study (no holonom.log, no checkpoint.hol)", path);
}

Status folder_status_read(FolderStatus *f, const char *path, Error *error)
{
  struct stat info;
  *f = (FolderStatus){.path = NULL};
  if (stat(path, &info) != 0)
    return error_set(error, STATUS_INPUT, "%s: %s", path,
                     errno == ENOENT ? "no such folder; a run creates it after its start is built"
                                     : strerror(errno));
  if (!S_ISDIR(info.st_mode))
    return error_set(error, STATUS_INPUT, "%s is not a folder; give the folder of a run", path);
  if ((f->path = strdup(path)) == NULL)
    return error_memory(error, "a file name");
  char *const path_end = f->path + strlen(f->path) - 1;
  for (char *c = path_end; c > f->path && *c == '/'; c--)
    *c = '\0';
  Status status = read_folder(f, 0, error);
  if (status == STATUS_OK && !has_run(f))
    status = refuse(f->path, error);
  if (status != STATUS_OK)
    folder_status_free(f);
  return status;
}

void folder_status_free(FolderStatus *f)
{
  for (int i = 0; i < f->n; i++)
    folder_status_free(&f->in[i]);
  free(f->in);
  free(f->path);
  run_status_free(&f->run);
  *f = (FolderStatus){.path = NULL};
}
