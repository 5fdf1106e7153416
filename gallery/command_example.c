/* holonom example: the input files of the examples, wherever the program is. */
#include <stdio.h>
#include <string.h>

#include "engine/file.h"
#include "gallery/command_gallery.h"
#include "gallery/example.h"
#include "gallery/exhibit.h"

static int list(void)
{
  for (const Example *e = example_table; e->folder != NULL; e++) {
    if (e != example_find(e->folder, NULL))
      continue;
    const Exhibit *exhibit = exhibit_find(e->folder);
    printf("%s: %s\n   ", e->folder, exhibit != NULL ? exhibit->title : "");
    for (const Example *f = e; f->folder != NULL && strcmp(f->folder, e->folder) == 0; f++)
      printf(" %s", f->file);
    puts("");
  }
  return 0;
}

static Status write_folder(const Example *first, const char *dir, Error *error)
{
  const char *const name = first->folder;
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, name) == 0; e++)
    if (file_exists(dir, e->file))
      return error_set(error, STATUS_INPUT, "%s/%s exists; give another folder with -o", dir, e->file);
  Status status = file_make_folder(dir, error);
  for (const Example *e = first; status == STATUS_OK && e->folder != NULL && strcmp(e->folder, name) == 0;
       e++) {
    status = example_write(e, dir, error);
    if (status == STATUS_OK)
      printf("%s/%s\n", dir, e->file);
  }
  return status;
}

static void print_folders(FILE *file)
{
  for (const Example *e = example_table; e->folder != NULL; e++)
    if (e == example_find(e->folder, NULL))
      fprintf(file, "%s\n", e->folder);
}

static int run(int argc, char **argv)
{
  const char *dir = ".";
  for (int c; (c = command_option(&command_example, argc, argv)) != -1;) {
    if (c != 'o')
      return 2;
    dir = optarg;
  }
  if (argc - optind > 1)
    return command_misused(&command_example, "one example at a time");
  if (argc == optind)
    return list();
  Error error = {0};
  const Example *const first = example_find(argv[optind], NULL);
  if (first == NULL)
    return command_unknown(&command_example, "example", argv[optind], print_folders);
  const Status status = write_folder(first, dir, &error);
  return command_end(&command_example, status, &error);
}

static const CommandOption options[] = {
    {.name = "out",
     .value = 'o',
     .argument = "DIR",
     .help = "Where to write; default: the current folder; nothing is written over.",
     .brief = true},
    {.name = NULL}};

const Command command_example = {
    .name = "example",
    .summary = "lists the examples, or writes the input files of one",
    .operands = "[NAME]",
    .doc = "Lists the examples with their input files, or writes the files of one, ready to run.",
    .option = options,
    .choices = print_folders,
    .run = run,
};
