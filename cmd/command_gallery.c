/* holonom gallery: runs the scripts that lie beside the papers' inputs, and makes one page of what they
 * leave. The page is Python's as the scripts are (holonom.gallery); here the files are written, and an
 * interpreter is found. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/example.h"
#include "engine/file.h"
#include "observables/picture.h"

extern char **environ;

/* Folders of examples with a script, in the order of the page. */
static const char *const order[] = {
    "double-pendulum",        "pendulum-chain", "dna",           "constrained-hamiltonians",
    "water-cluster",          "bulk-water",     "rigid-body",    "circle-and-pendulum",
    "double-triple-pendulum", "curves",         "surfaces",      "trimer",
    "kramers-chain",          "robot-arm",      "four-particles"};
enum { EXHIBITS = sizeof order / sizeof *order };

typedef struct Call {
  const char *dir, *only;
  int threads;
  bool list, force;
} Call;

/* --- which of them -------------------------------------------------------------------------------------- */

static const char *name(int i) { return i < EXHIBITS ? order[i] : NULL; }

static Status list(void)
{
  for (int i = 0; i < EXHIBITS; i++) {
    const ExampleFolder *folder = example_folder(order[i]);
    if (folder != NULL)
      printf("%-28s %s (%s)\n", order[i], folder->title, folder->paper);
  }
  return STATUS_OK;
}

/* Whether a word of `only`, whose words commas part, is the name; *next: what follows the first word. */
static bool is_word(const char *only, const char *word, const char **next)
{
  const size_t n = strcspn(only, ",");
  *next = only[n] == ',' ? only + n + 1 : NULL;
  return strlen(word) == n && strncmp(only, word, n) == 0;
}

static bool wanted(const char *only, const char *word)
{
  bool found = only == NULL;
  while (only != NULL && !found)
    found = is_word(only, word, &only);
  return found;
}

/* Tells of the first word that names no exhibit. */
static Status check_names(const char *only)
{
  while (only != NULL) {
    const char *next = NULL;
    int i = 0;
    while (name(i) != NULL && !is_word(only, name(i), &next))
      i++;
    if (name(i) == NULL) {
      char word[64];
      snprintf(word, sizeof word, "%.*s", (int)strcspn(only, ","), only);
      return command_unknown(&command_gallery, "exhibit", word, name);
    }
    only = next;
  }
  return STATUS_OK;
}

/* --- an interpreter ------------------------------------------------------------------------------------- */

/* Says by its exit code, 64 and a bit each, which packages an interpreter lacks. */
static const char probe[] = "import importlib.util, sys\n"
                            "names = 'numpy', 'matplotlib', 'holonom'\n"
                            "lacks = [importlib.util.find_spec(name) is None for name in names]\n"
                            "sys.exit(64 + sum(1 << i for i, lack in enumerate(lacks) if lack))\n";
enum { PACKAGES = 3, ALL_THERE = 64 };
static const char *const package[PACKAGES] = {"numpy", "matplotlib", "holonom"};

/* The exit code of the probe, silently; -1: there is no such interpreter. */
static int ask(const char *python)
{
  char *const argv[] = {(char *)(uintptr_t)python, "-c", (char *)(uintptr_t)probe, NULL};
  posix_spawn_file_actions_t quiet;
  pid_t child = -1;
  if (posix_spawn_file_actions_init(&quiet) != 0)
    return -1;
  const bool started = posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                       posix_spawn_file_actions_adddup2(&quiet, 1, 2) == 0 &&
                       posix_spawnp(&child, python, &quiet, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return started && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* What an interpreter lacks, as an error. */
static Status lacks(const char *python, int code, Error *error)
{
  char names[96] = "", debian[128] = "";
  for (int i = 0; i < PACKAGES; i++)
    if ((code & 1 << i) != 0) {
      const size_t used = strlen(names), more = strlen(debian);
      snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", package[i]);
      snprintf(debian + more, sizeof debian - more, " python3-%s", package[i]);
    }
  return error_set(
      error, STATUS_INPUT,
      "the gallery's scripts need packages of Python that %s does not have: %s; install them (Debian: "
      "apt-get install%s), or name an interpreter that has them in $HOLONOM_PYTHON",
      python, names, debian);
}

/* $HOLONOM_PYTHON alone, or the first of those that there are that has all packages. */
static Status find_python(const char **python, Error *error)
{
  const char *const named = getenv("HOLONOM_PYTHON");
  const char *const place[2] = {named != NULL ? named : "python3", named != NULL ? NULL : "/usr/bin/python3"};
  Status status = error_set(
      error, STATUS_INPUT,
      "the gallery's scripts need Python with numpy, matplotlib and the package holonom, and %s cannot be "
      "started (Debian: apt-get install python3-numpy python3-matplotlib python3-holonom)",
      place[0]);
  for (int i = 0; i < 2 && place[i] != NULL; i++) {
    const int code = ask(place[i]);
    *python = place[i];
    if (code == ALL_THERE)
      return STATUS_OK;
    if (code > ALL_THERE && code < ALL_THERE + (1 << PACKAGES))
      status = lacks(place[i], code - ALL_THERE, error);
  }
  return status;
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

/* Python takes the program's place; comes back with an error alone. */
static Status become_python(const char *python, const Call *call, Error *error)
{
  const char *argv[EXHIBITS + 5] = {python, "-m", "holonom.gallery", call->dir};
  int n = 4;
  for (int i = 0; i < EXHIBITS; i++)
    if (wanted(call->only, order[i]))
      argv[n++] = order[i];
  char threads[32];
  snprintf(threads, sizeof threads, "%d", call->threads);
  if (call->threads > 0)
    setenv("OMP_NUM_THREADS", threads, 1);
  fflush(stdout);
  execvp(python, (char *const *)(uintptr_t)argv);
  return error_set(error, STATUS_IO, "%s cannot be started: %s", python, strerror(errno));
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* An exhibit's files are tables, inputs, a script and pictures of any name; of a run in its folder the run
 * looks itself. */
static Status check_folder(const Call *call, Error *error)
{
  static const char *const files[] = {"index.html", "numbers.csv", NULL};
  static const char *const suffixes[] = {".csv", ".yaml", ".md", ".py", ".json", PICTURE_SUFFIXES, NULL};
  TRY(command_folder(call->dir, &(OwnedNames){.file = files}, call->force, error));
  for (int i = 0; i < EXHIBITS; i++) {
    if (!wanted(call->only, order[i]))
      continue;
    TRY(owned_check_folder(call->dir, order[i], error));
    SCOPED(scoped_free) char *path = file_path(call->dir, order[i]);
    if (path == NULL)
      return error_memory(error, "a file name");
    TRY(command_folder(path, &(OwnedNames){.suffix = suffixes}, call->force, error));
  }
  return STATUS_OK;
}

static Status write_examples(const Call *call, Error *error)
{
  TRY(file_make_folder(call->dir, error));
  for (const Example *e = example_table; e->folder != NULL; e++) {
    int i = 0;
    while (i < EXHIBITS && strcmp(order[i], e->folder) != 0)
      i++;
    if (i == EXHIBITS || !wanted(call->only, e->folder))
      continue;
    TRY(owned_make_folder(call->dir, e->folder, error));
    SCOPED(scoped_free) char *path = file_path(call->dir, e->folder);
    if (path == NULL)
      return error_memory(error, "a file name");
    TRY(example_write(e, path, true, error));
  }
  return STATUS_OK;
}

static Status make(const Call *call, Error *error)
{
  const char *python = NULL;
  TRY(check_folder(call, error));
  tell_places();
  TRY(find_python(&python, error));
  TRY(write_examples(call, error));
  return become_python(python, call, error);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n, (void)operand;
  const Call *call = self;
  if (call->list)
    return list();
  TRY(check_names(call->only));
  return make(call, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write; default: gallery.out.", COMMAND_TO(dir)},
    {"only", 0, "NAME,...", "Only these, separated by commas.", COMMAND_TO(only), .choice = name},
    {"threads", 0, "N", "Default: all of the machine.", COMMAND_TO(threads), 1, 4096},
    {"list", 0, NULL, "Names the exhibits and runs none.", COMMAND_TO(list)},
    {"force", 0, NULL, "Writes over an earlier gallery in DIR.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "gallery.out"};

const Command command_gallery = {
    .name = "gallery",
    .summary = "runs the examples of the papers, on one page",
    .operands = "",
    .doc = "Runs the scripts of the papers' examples by Python and writes DIR/index.html, one page with "
           "every figure, "
           "what the paper says and what comes out here; DIR/numbers.csv has the same numbers, DIR/NAME/ the "
           "files of "
           "each: inputs, script, pictures. One that fails is shown with its message, the others go on, and "
           "the exit "
           "code is 3, as it is where a number is not within its bounds.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
