/* holonom example: the input files of the examples, wherever the program is. */
#include <stdio.h>
#include <string.h>

#include "gallery/command_gallery.h"
#include "gallery/example.h"
#include "gallery/exhibit.h"
#include "io/text.h"

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
  return fflush(stdout) == 0 ? 0 : 3;
}

static Status write_folder(const char *name, const char *dir, Error *error)
{
  const Example *first = example_find(name, NULL);
  if (first == NULL)
    return error_set(error, STATUS_INPUT, "there is no example '%s'; 'holonom example' lists them", name);
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, name) == 0; e++)
    if (text_exists(dir, e->file))
      return error_set(error, STATUS_INPUT, "%s/%s exists; give another folder with -o", dir, e->file);
  Status status = text_make_folder(dir, error);
  for (const Example *e = first; status == STATUS_OK && e->folder != NULL && strcmp(e->folder, name) == 0;
       e++) {
    status = example_write(e, dir, error);
    if (status == STATUS_OK)
      printf("%s/%s\n", dir, e->file);
  }
  return status;
}

static int run(int argc, char **argv)
{
  static const struct option options[] = {{NULL, 0, NULL, 0}};
  const char *dir = ".";
  for (int c; (c = command_option(&command_example, argc, argv, ":o:", options)) != -1;) {
    if (c != 'o')
      return 2;
    dir = optarg;
  }
  if (argc - optind > 1)
    return command_misused(&command_example, "one example at a time");
  if (argc == optind)
    return list();
  Error error = {0};
  const Status status = write_folder(argv[optind], dir, &error);
  return command_end(&command_example, status, &error);
}

const Command command_example = {
    .name = "example",
    .usage = "example [NAME] [-o DIR]",
    .doc = "Lists the examples with their input files, or writes the files of one, ready to run.\n"
           "  -o DIR  where to write; default: the current folder; nothing is written over",
    .run = run,
};
