/* holonom example: the input files and scripts of the examples, wherever the program is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/example.h"
#include "engine/file.h"
#include "engine/visible.h"

static int list(void)
{
  for (const ExampleFolder *folder = example_folders; folder->name != NULL; folder++) {
    printf("%s: %s\n   ", folder->name, folder->title);
    const Example *e = example_find(folder->name, NULL);
    for (; e->folder != NULL && strcmp(e->folder, folder->name) == 0; e++)
      printf(" %s", e->file);
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

static const char *folder(int i) { return example_folders[i].name; }

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
    .summary = "lists the examples, or writes the files of one",
    .operands = "[NAME]",
    .subject = "example",
    .most = 1,
    .choice = folder,
    .doc =
        "Lists the examples with their files, or writes those of one, ready to run: inputs, and of a paper's "
        "example the script that draws its figures.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
