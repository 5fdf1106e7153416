/* holonom example: lists and writes the embedded examples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "cmd/command.h"
#include "cmd/example.h"

static Status list(void)
{
  for (const ExampleFolder *folder = example_folders; folder->name != NULL; folder++) {
    printf("%s: %s\n   ", folder->name, folder->title);
    const Example *e = example_find(folder->name, NULL);
    for (; e->folder != NULL && strcmp(e->folder, folder->name) == 0; e++)
      printf(" %s", e->file);
    puts("");
  }
  return STATUS_OK;
}

static Status write_folder(const Example *first, const char *dir, Error *error)
{
  const char *const name = first->folder;
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, name) == 0; e++) {
    SCOPED(scoped_free) char *path = file_path(dir, e->file);
    TRY_MEMORY(path != NULL, "a file name", error);
    if (file_lies(path))
      return error_set(error, STATUS_INPUT, "%s exists; name another folder with -o", path);
  }
  TRY(file_make_folder(dir, error));
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, name) == 0; e++) {
    TRY(example_write(e, dir, false, error));
    printable_print(stdout, "%s/%s\n", dir, e->file);
  }
  return STATUS_OK;
}

static const char *folder(int i) { return example_folders[i].name; }

typedef struct Call {
  const char *dir;
} Call;

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  return n == 0 ? list() : write_folder(example_find(operand[0], NULL), call->dir, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR",
     "Folder for the files; default: the current folder. Existing files are not overwritten.",
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
    .doc = "Lists the examples and their files, or writes the files of one: inputs with their molecules and "
           "structures and, for the example of a paper, the script that draws its figures.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
