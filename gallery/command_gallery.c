/* holonom gallery: every example of the papers on one page. */
#include "cmd/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/gallery.h"

typedef struct Call {
  GalleryOptions options;
  const char *only;
  bool list;
} Call;

static const char *name(int i) { return exhibit_table[i] != NULL ? exhibit_table[i]->name : NULL; }

static int list(void)
{
  for (int i = 0; exhibit_table[i] != NULL; i++)
    printf("%-28s %s (%s)\n", exhibit_table[i]->name, exhibit_table[i]->title, exhibit_table[i]->paper);
  return 0;
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

/* The first word that names no exhibit; 0, or 2 after a message. */
static int check_names(const char *only)
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
  return 0;
}

static int run(void *self, int n, char *const *operand)
{
  (void)n, (void)operand;
  Call *call = self;
  if (call->list)
    return list();
  if (check_names(call->only) != 0)
    return 2;
  call->options.out = stdout;
  size_t rows = 1, k = 0;
  while (exhibit_table[rows - 1] != NULL)
    rows++;
  Error error = {0};
  const Exhibit **row = calloc(rows, sizeof(Exhibit *));
  for (int i = 0; row != NULL && exhibit_table[i] != NULL; i++)
    if (wanted(call->only, name(i)))
      row[k++] = exhibit_table[i];
  const Status status =
      row != NULL ? gallery_run(row, &call->options, &error) : error_memory(&error, "names");
  free(row);
  return command_end(&command_gallery, status, &error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write; default: gallery.out.", COMMAND_TO(options.dir)},
    {"only", 0, "NAME,...", "Only these, separated by commas.", COMMAND_TO(only), .choice = name},
    {"threads", 0, "N", "Default: all of the machine.", COMMAND_TO(options.threads), 1, 4096},
    {"list", 0, NULL, "Names the exhibits and runs none.", COMMAND_TO(list)},
    {"force", 0, NULL, "Writes over an earlier gallery in DIR.", COMMAND_TO(options.force)},
    {.name = NULL}};

static const Call defaults = {.options = {.dir = "gallery.out"}};

const Command command_gallery = {
    .name = "gallery",
    .summary = "runs the examples of the papers, on one page",
    .operands = "",
    .doc = "Runs the examples of the papers and writes DIR/index.html, one page with every figure, what the "
           "paper says and what comes out here; DIR/numbers.csv has the same numbers, DIR/NAME/ the files of "
           "each. One that fails is shown with its message, the others go on, and the exit code is 3.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
