/* holonom gallery: writes the examples of the papers and runs their scripts; holonom.gallery (Python) makes
 * the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/example.h"
#include "cmd/python.h"
#include "observables/picture.h"

/* Folders of examples with a script, in the order of the page. */
static const char *const order[] = {
    "double-pendulum",        "pendulum-chain", "dna",           "constrained-hamiltonians",
    "water-cluster",          "bulk-water",     "rigid-body",    "circle-and-pendulum",
    "double-triple-pendulum", "curves",         "surfaces",      "trimer",
    "kramers-chain",          "robot-arm",      "four-particles"};
enum { EXHIBITS = sizeof order / sizeof *order };

static const char *const packages[] = {"numpy", "matplotlib", "holonom", NULL};

typedef struct Call {
  const char *dir, *only;
  int threads;
  bool list, force;
} Call;

/* --- selection ------- */

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

/* Whether the first word of the comma-separated list `only` is `word`; *next: the rest of the list. */
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

/* Reports the first unknown name. */
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
      return command_unknown(&command_gallery, "example", word, name);
    }
    only = next;
  }
  return STATUS_OK;
}

/* Replaces the program by Python; returns only after an error. */
static Status become_python(const char *python, const Call *call, Error *error)
{
  const char *argv[EXHIBITS + 2] = {call->dir};
  int n = 1;
  for (int i = 0; i < EXHIBITS; i++)
    if (wanted(call->only, order[i]))
      argv[n++] = order[i];
  char threads[32];
  snprintf(threads, sizeof threads, "%d", call->threads);
  if (call->threads > 0)
    setenv("OMP_NUM_THREADS", threads, 1);
  return python_become(python, "holonom.gallery", argv, error);
}

/* --- files ------- */

/* Checks the files of each example: tables, inputs, a script, pictures. Runs check their own folders. */
static Status check_folder(const Call *call, Error *error)
{
  static const char *const files[] = {"index.html", "numbers.csv", NULL};
  static const char *const suffixes[] = {".csv", ".yaml", ".md", ".py", ".json", PICTURE_SUFFIXES, NULL};
  TRY(command_folder(call->dir, &(ManifestNames){.file = files}, call->force, error));
  for (int i = 0; i < EXHIBITS; i++) {
    if (!wanted(call->only, order[i]))
      continue;
    TRY(manifest_check_folder(call->dir, order[i], error));
    SCOPED(scoped_free) char *path = file_path(call->dir, order[i]);
    TRY_MEMORY(path != NULL, "a file name", error);
    TRY(command_folder(path, &(ManifestNames){.suffix = suffixes}, call->force, error));
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
    TRY(manifest_make_folder(call->dir, e->folder, error));
    SCOPED(scoped_free) char *path = file_path(call->dir, e->folder);
    TRY_MEMORY(path != NULL, "a file name", error);
    TRY(example_write(e, path, true, error));
  }
  return STATUS_OK;
}

static Status make(const Call *call, Error *error)
{
  SCOPED(scoped_free) char *python = NULL;
  TRY(check_folder(call, error));
  TRY(python_find("the gallery's scripts need", packages, &python, error));
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
    {"out", 'o', "DIR", "Folder for the gallery; default: gallery.out.", COMMAND_TO(dir)},
    {"only", 0, "NAME,...", "Runs only these examples, separated by commas.", COMMAND_TO(only),
     .choice = name},
    {"threads", 0, "N", "Number of threads; 0 (default): all available cores.", COMMAND_TO(threads), 0, 4096},
    {"list", 0, NULL, "Prints the names of the examples and runs nothing.", COMMAND_TO(list)},
    {"force", 0, NULL, "Overwrites an earlier gallery in DIR.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "gallery.out"};

const Command command_gallery = {
    .name = "gallery",
    .summary = "runs the examples of the papers and shows the results on one page",
    .operands = "",
    .doc = "Runs the scripts of the papers' examples with Python. Writes DIR/index.html, a page with every "
           "figure, the paper's statement and the result of this run, and DIR/numbers.csv with the same "
           "numbers. DIR/NAME/ contains the inputs, script and pictures of each example. A script that fails "
           "is shown with its message and does not stop the others. The exit code is 3 if a script fails or "
           "a number is outside its bounds.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
