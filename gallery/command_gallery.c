/* holonom gallery: every example of the papers on one page. */
#include "gallery/command_gallery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/nearest.h"
#include "gallery/gallery.h"

typedef struct Call {
  GalleryOptions options;
  const char *only;
  bool list;
} Call;

static int read_call(int argc, char **argv, Call *call)
{
  for (int c; (c = command_option(&command_gallery, argc, argv)) != -1;) {
    long n;
    switch (c) {
    case 'o':
      call->options.dir = optarg;
      break;
    case 'n':
      call->only = optarg;
      break;
    case 't':
      if (!command_number(optarg, 1, 4096, &n))
        return command_misused(&command_gallery, "--threads %s: a number from 1 to 4096 is wanted", optarg);
      call->options.threads = (int)n;
      break;
    case 'l':
      call->list = true;
      break;
    case 'f':
      call->options.force = true;
      break;
    default:
      return 2;
    }
  }
  if (argc > optind)
    return command_misused(&command_gallery, "'%s': it takes options alone", argv[optind]);
  return 0;
}

static int list(void)
{
  for (int i = 0; exhibit_table[i] != NULL; i++)
    printf("%-28s %s (%s)\n", exhibit_table[i]->name, exhibit_table[i]->title, exhibit_table[i]->paper);
  return 0;
}

static Status unknown(const char *name, Error *error)
{
  Nearest nearest = nearest_start(name);
  for (int i = 0; exhibit_table[i] != NULL; i++)
    nearest_try(&nearest, exhibit_table[i]->name, 0.0);
  const bool near = nearest.name != NULL;
  return error_set(error, STATUS_INPUT, "--only: there is no exhibit '%s'%s%s%s; --list names them", name,
                   near ? "; did you mean '" : "", near ? nearest.name : "", near ? "'?" : "");
}

/* The rows with these names, in the order of the table; NULL stands for all. */
static Status select_rows(const char *only, const Exhibit **row, Error *error)
{
  if (only == NULL) {
    for (int i = 0; exhibit_table[i] != NULL; i++)
      row[i] = exhibit_table[i];
    return STATUS_OK;
  }
  char *names = strdup(only), *rest = NULL;
  if (names == NULL)
    return error_memory(error, "names");
  Status status = STATUS_OK;
  for (char *name = strtok_r(names, ",", &rest); name != NULL && status == STATUS_OK;
       name = strtok_r(NULL, ",", &rest)) {
    const Exhibit *found = exhibit_find(name);
    if (found == NULL)
      status = unknown(name, error);
    for (int i = 0; found != NULL && exhibit_table[i] != NULL; i++)
      if (exhibit_table[i] == found)
        row[i] = found;
  }
  free(names);
  int n = 0;
  for (int i = 0; exhibit_table[i] != NULL; i++) {
    const Exhibit *one = row[i];
    row[i] = NULL;
    if (one != NULL)
      row[n++] = one;
  }
  if (status == STATUS_OK && n == 0)
    status = error_set(error, STATUS_INPUT, "--only names nothing");
  return status;
}

static int run(int argc, char **argv)
{
  Call call = {.options = {.dir = "gallery.out", .out = stdout}};
  const int wrong = read_call(argc, argv, &call);
  if (wrong != 0)
    return wrong;
  if (call.list)
    return list();
  size_t rows = 1;
  while (exhibit_table[rows - 1] != NULL)
    rows++;
  Error error = {0};
  const Exhibit **row = calloc(rows, sizeof(Exhibit *));
  Status status = row != NULL ? select_rows(call.only, row, &error) : error_memory(&error, "names");
  if (status == STATUS_OK)
    status = gallery_run(row, &call.options, &error);
  free(row);
  return command_end(&command_gallery, status, &error);
}

static void print_names(FILE *file)
{
  for (int i = 0; exhibit_table[i] != NULL; i++)
    fprintf(file, "%s\n", exhibit_table[i]->name);
}

static const CommandOption options[] = {
    {.name = "out",
     .value = 'o',
     .argument = "DIR",
     .help = "Where to write; default: gallery.out.",
     .brief = true},
    {.name = "only",
     .value = 'n',
     .argument = "NAME,...",
     .help = "Only these, separated by commas.",
     .choices = print_names},
    {.name = "threads", .value = 't', .argument = "N", .help = "Default: all of the machine."},
    {.name = "list", .value = 'l', .help = "Names the exhibits and runs none."},
    {.name = "force", .value = 'f', .help = "Writes over an earlier gallery in DIR."},
    {.name = NULL}};

const Command command_gallery = {
    .name = "gallery",
    .summary = "runs the examples of the papers, on one page",
    .operands = "",
    .doc = "Runs the examples of the papers and writes DIR/index.html, one page with every figure, what the "
           "paper "
           "says and what comes out here; DIR/numbers.csv has the same numbers, DIR/NAME/ the files of each. "
           "One that "
           "fails is shown with its message, the others go on, and the exit code is 3.",
    .option = options,
    .run = run,
};
