/* holonom example: the input files of the examples, wherever the program is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "engine/file.h"
#include "engine/visible.h"
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
  Status status = STATUS_OK;
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, name) == 0 && status == STATUS_OK;
       e++) {
    char *path = file_path(dir, e->file);
    status = path == NULL ? error_memory(error, "a file name")
             : file_lies(path)
                 ? error_set(error, STATUS_INPUT, "%s exists; give another folder with -o", path)
                 : STATUS_OK;
    free(path);
  }
  if (status == STATUS_OK)
    status = file_make_folder(dir, error);
  for (const Example *e = first; status == STATUS_OK && e->folder != NULL && strcmp(e->folder, name) == 0;
       e++) {
    status = example_write(e, dir, false, error);
    if (status == STATUS_OK)
      visible_print(stdout, "%s/%s\n", dir, e->file);
  }
  return status;
}

/* Files of a folder lie side by side. */
static const char *folder(int i)
{
  const Example *e = example_table;
  for (int k = 0; e->folder != NULL; e++)
    if (e == example_find(e->folder, NULL) && k++ == i)
      break;
  return e->folder;
}

typedef struct Call {
  const char *dir;
} Call;

static int run(void *self, int n, char *const *operand)
{
  const Call *call = self;
  if (n == 0)
    return list();
  Error error = {0};
  const Status status = write_folder(example_find(operand[0], NULL), call->dir, &error);
  return command_end(&command_example, status, &error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write; default: the current folder; nothing is written over.",
     COMMAND_TO(dir)},
    {.name = NULL}};

static const Call defaults = {.dir = "."};

const Command command_example = {
    .name = "example",
    .summary = "lists the examples, or writes the input files of one",
    .operands = "[NAME]",
    .subject = "example",
    .most = 1,
    .choice = folder,
    .doc = "Lists the examples with their input files, or writes the files of one, ready to run.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
