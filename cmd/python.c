/* Which interpreter runs what is Python's, and what it lacks. */
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
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Says by its exit code, 64 and a bit each, which packages an interpreter lacks. */
static const char probe[] = "import importlib.util, sys\n"
                            "lacks = [importlib.util.find_spec(name) is None for name in sys.argv[1:]]\n"
                            "sys.exit(64 + sum(1 << i for i, lack in enumerate(lacks) if lack))\n";
enum { ALL_THERE = 64, PACKAGES = 4 };

/* The exit code of the probe, silently; -1: there is no such interpreter. */
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
      posix_spawnp(&child, python, &quiet, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return started && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* Those of a set, with commas between; and as packages of Debian. */
static void list_packages(const char *const *package, int set, char names[96], char debian[128])
{
  names[0] = debian[0] = '\0';
  for (int i = 0; package[i] != NULL; i++)
    if ((set & 1 << i) != 0) {
      const size_t used = strlen(names), more = strlen(debian);
      snprintf(names + used, 96 - used, "%s%s", used > 0 ? ", " : "", package[i]);
      snprintf(debian + more, 128 - more, " python3-%s", package[i]);
    }
}

/* What lies about the program, built or installed, and is told to Python by way of the environment. */
static const struct {
  const char *variable;
  const char *place[2]; /* from the program's folder            */
  const char *has;      /* what must be there                   */
  bool first;           /* put before what the variable has, else left where it has something */
} about[] = {{"PYTHONPATH", {"../python", "../lib/python3/dist-packages"}, "/holonom/gallery.py", true},
             {"HOLONOM_LIBRARY", {"libholonom.so.0", NULL}, "", false},
             {"HOLONOM_PICTURES", {"../docs/pictures", "../share/doc/holonom/pictures"}, "/demo.png", false}};

static void tell_places(void)
{
  char program[PATH_MAX], path[2 * PATH_MAX], value[4 * PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(program, '/');
  if (slash == NULL)
    return;
  *slash = '\0';
  for (size_t i = 0; i < sizeof about / sizeof *about; i++)
    for (int k = 0; k < 2 && about[i].place[k] != NULL; k++) {
      const char *before = getenv(about[i].variable);
      snprintf(path, sizeof path, "%s/%s%s", program, about[i].place[k], about[i].has);
      if (access(path, R_OK) != 0)
        continue;
      path[strlen(path) - strlen(about[i].has)] = '\0';
      const bool both = about[i].first && before != NULL && before[0] != '\0';
      snprintf(value, sizeof value, "%s%s%s", path, both ? ":" : "", both ? before : "");
      setenv(about[i].variable, value, about[i].first);
      break;
    }
}

Status python_find(const char *who, const char *const *package, const char **python, Error *error)
{
  tell_places();
  const char *const named = getenv("HOLONOM_PYTHON");
  const char *const place[2] = {named != NULL ? named : "python3", named != NULL ? NULL : "/usr/bin/python3"};
  char names[96], debian[128];
  list_packages(package, INT_MAX, names, debian);
  Status status =
      error_set(error, STATUS_INPUT,
                "%s Python with these packages: %s, and %s cannot be started (Debian: apt-get install%s)",
                who, names, place[0], debian);
  for (int i = 0; i < 2 && place[i] != NULL; i++) {
    const int code = ask(place[i], package);
    *python = place[i];
    if (code == ALL_THERE)
      return STATUS_OK;
    if (code <= ALL_THERE || code >= ALL_THERE + (1 << PACKAGES))
      continue;
    list_packages(package, code - ALL_THERE, names, debian);
    status = error_set(error, STATUS_INPUT,
                       "%s packages of Python that %s does not have: %s; install them (Debian: apt-get "
                       "install%s), or name an interpreter that has them in $HOLONOM_PYTHON",
                       who, place[i], names, debian);
  }
  return status;
}

Status python_become(const char *const *argv, Error *error)
{
  fflush(stdout);
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  return error_set(error, STATUS_IO, "%s cannot be started: %s", argv[0], strerror(errno));
}
