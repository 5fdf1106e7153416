/* Finds a Python interpreter and checks its packages. */
#include "cmd/python.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/scoped.h"
#include "base/tool_find.h"

extern char **environ;

/* Python searches the current folder (an empty entry) before all others, and would import a re.py in it.
 * Versions from 3.11 on omit it if PYTHONSAFEPATH is set; for older ones each script begins with this code,
 * which imports only a built-in module. */
#define SAFE_PATH "import sys\nsys.path[:] = [folder for folder in sys.path if folder]\n"

/* Exits with 64 plus one bit for each missing package. */
static const char probe[] =
    SAFE_PATH "import importlib.util\n"
              "lacks = [importlib.util.find_spec(name) is None for name in sys.argv[1:]]\n"
              "sys.exit(64 + sum(1 << i for i, lack in enumerate(lacks) if lack))\n";
enum { ALL_THERE = 64, PACKAGES = 4 };

/* Runs a module with the arguments after its name. */
static const char module_runner[] =
    SAFE_PATH "import runpy\n"
              "sys.argv[:] = sys.argv[1:]\n"
              "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)\n";

/* Runs the probe silently and returns its exit code; -1: the interpreter cannot be started. */
static int ask(const char *python, const char *const *package)
{
  const char *argv[PACKAGES + 4] = {python, "-c", probe};
  for (int i = 0; package[i] != NULL; i++)
    argv[3 + i] = package[i];
  posix_spawn_file_actions_t quiet;
  pid_t child = -1;
  if (posix_spawn_file_actions_init(&quiet) != 0)
    return -1;
  const bool started =
      posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0) == 0 &&
      posix_spawn_file_actions_adddup2(&quiet, 1, 2) == 0 &&
      posix_spawn(&child, python, &quiet, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return started && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* --- the environment of the interpreter ------- */

/* Whether an entry of PYTHONPATH is the current folder: empty, or a relative path. An absolute path is
 * deliberate. */
static bool is_current_folder(const char *entry)
{
  struct stat here, there;
  return entry[0] == '\0' || (entry[0] != '/' && stat(".", &here) == 0 && stat(entry, &there) == 0 &&
                              here.st_dev == there.st_dev && here.st_ino == there.st_ino);
}

/* Sets PYTHONPATH to `first` (may be NULL) and its previous entries without the current folder. */
static Status set_module_path(const char *first, Error *error)
{
  const char *before = getenv("PYTHONPATH");
  SCOPED(bytes_free) Bytes path = {0};
  SCOPED(scoped_free) char *entries = strdup(before != NULL ? before : "");
  TRY_MEMORY(entries != NULL, "the path of Python's modules", error);
  if (first != NULL)
    bytes_printf(&path, "%s", first);
  const size_t length = strlen(entries);
  for (size_t at = 0; at <= length; at += strlen(entries + at) + 1) {
    entries[at + strcspn(entries + at, ":")] = '\0';
    if (!is_current_folder(entries + at))
      bytes_printf(&path, "%s%s", path.size > 0 ? ":" : "", entries + at);
  }
  bytes_put(&path, "", 1);
  TRY_MEMORY(!path.failed, "the path of Python's modules", error);
  if (path.size > 1)
    setenv("PYTHONPATH", (const char *)path.data, 1);
  else
    unsetenv("PYTHONPATH");
  setenv("PYTHONSAFEPATH", "1", 1);
  return STATUS_OK;
}

/* Returns base/place if base/place/file is readable (file may be empty), owned by the caller; NULL: not
 * readable, or no memory. */
static char *find_place(const char *base, const char *place, const char *file)
{
  char *path = NULL;
  if (asprintf(&path, "%s/%s%s%s", base, place, file[0] != '\0' ? "/" : "", file) < 0)
    return NULL;
  if (access(path, R_OK) != 0) {
    free(path);
    return NULL;
  }
  if (file[0] != '\0')
    path[strlen(path) - strlen(file) - 1] = '\0';
  return path;
}

static const char package_file[] = "holonom/gallery.py";

/* Finds the folder of this program's Python package, owned by the caller, or NULL: next to a build inside
 * the sources, as installed, or in the sources of a build elsewhere. The last only while the program is in
 * its build folder: on another machine, that path may be someone else's. */
static char *find_package(const char *folder)
{
  char build[PATH_MAX];
  char *found = find_place(folder, "../python", package_file);
  if (found == NULL)
    found = find_place(folder, "../lib/python3/dist-packages", package_file);
  if (found == NULL && realpath(HOLONOM_BUILD, build) != NULL && strcmp(build, folder) == 0)
    found = find_place(HOLONOM_SOURCES, "python", package_file);
  return found;
}

/* Sets the environment so that Python finds this program's package, library and pictures. */
static Status set_places(Error *error)
{
  static const char *const pictures[] = {"../docs/pictures", "../share/doc/holonom/pictures"};
  char folder[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  folder[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash == NULL)
    return set_module_path(NULL, error);
  *slash = '\0';
  SCOPED(scoped_free) char *package = find_package(folder);
  SCOPED(scoped_free) char *library = find_place(folder, "libholonom.so.0", "");
  if (library != NULL)
    setenv("HOLONOM_LIBRARY", library, 0);
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
    SCOPED(scoped_free) char *path = find_place(folder, pictures[i], "demo.png");
    if (path != NULL)
      setenv("HOLONOM_PICTURES", path, 0);
  }
  return set_module_path(package, error);
}

/* --- the interpreter ------- */

static const char own[] = "holonom";

/* Appends how to install the missing packages. */
static void put_advice(Bytes *text, const char *const *package, int set)
{
  const char *between = "install ";
  for (int i = 0; package[i] != NULL; i++)
    if ((set & 1 << i) != 0 && strcmp(package[i], own) != 0) {
      bytes_printf(text, "%s%s (Debian: apt-get install python3-%s)", between, package[i], package[i]);
      between = ", ";
    }
  for (int i = 0; package[i] != NULL; i++)
    if ((set & 1 << i) != 0 && strcmp(package[i], own) == 0)
      bytes_printf(text,
                   "%sadd the folder python of Holonom's sources to $PYTHONPATH (this program was built "
                   "from " HOLONOM_SOURCES "), or install the package: python3-holonom of Holonom's Debian "
                   "packages, or pip install SOURCES/python",
                   text->size > 0 ? "; " : "");
}

static Status refuse(const char *who, const char *python, const char *const *package, int set, Error *error)
{
  SCOPED(bytes_free) Bytes names = {0}, advice = {0};
  for (int i = 0; package[i] != NULL; i++)
    if ((set & 1 << i) != 0)
      bytes_printf(&names, "%s%s", names.size > 0 ? ", " : "", package[i]);
  put_advice(&advice, package, set);
  bytes_put(&names, "", 1);
  bytes_put(&advice, "", 1);
  TRY_MEMORY(!names.failed && !advice.failed, "a message", error);
  return error_set(error, STATUS_INPUT,
                   "%s Python packages that %s does not have: %s. To get them, %s; or set $HOLONOM_PYTHON to "
                   "an interpreter that has them",
                   who, python, (const char *)names.data, (const char *)advice.data);
}

Status python_find(const char *who, const char *const *package, char **python, Error *error)
{
  TRY(set_places(error));
  const char *const named = getenv("HOLONOM_PYTHON");
  const char *const place[2] = {named != NULL ? named : "python3", named != NULL ? NULL : "/usr/bin/python3"};
  Status status = error_set(error, STATUS_INPUT,
                            "%s Python 3, and %s cannot be started: install it (Debian: apt-get install "
                            "python3), or set $HOLONOM_PYTHON to an interpreter",
                            who, place[0]);
  for (int i = 0; i < 2 && place[i] != NULL; i++) {
    SCOPED(scoped_free) char *path = tool_find(place[i]);
    const int code = path != NULL ? ask(path, package) : -1;
    if (code == ALL_THERE) {
      *python = path;
      path = NULL;
      return STATUS_OK;
    }
    if (code > ALL_THERE && code < ALL_THERE + (1 << PACKAGES))
      status = refuse(who, path, package, code - ALL_THERE, error);
  }
  return status;
}

Status python_become(const char *python, const char *module, const char *const *argument, Error *error)
{
  enum { BEFORE = 4 };
  size_t n = 0;
  while (argument[n] != NULL)
    n++;
  SCOPED(scoped_free) const char **argv = calloc(BEFORE + n + 1, sizeof *argv);
  TRY_MEMORY(argv != NULL, "a call of Python", error);
  argv[0] = python, argv[1] = "-c", argv[2] = module_runner, argv[3] = module;
  memcpy(argv + BEFORE, argument, n * sizeof *argv);
  fflush(stdout);
  execv(python, (char *const *)(uintptr_t)argv);
  return error_set(error, STATUS_IO, "%s cannot be started: %s", python, strerror(errno));
}
