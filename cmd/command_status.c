/* holonom status DIR ...: prints the state of runs. */
#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/folder_status.h"

typedef struct Call {
  bool json;
} Call;

static void print_json(const FolderStatus *folder, int n)
{
  putchar('[');
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ",\n" : "", stdout);
    folder_status_print_json(&folder[i], stdout);
  }
  puts("]");
}

static void print(const FolderStatus *folder, int n)
{
  if (n == 1 && folder->is_run) {
    folder_status_print_run(folder, stdout);
    return;
  }
  for (int i = 0; i < n; i++)
    if (!folder[i].is_run)
      folder_status_print_sum(&folder[i], stdout);
  folder_status_print_rows(folder, n, stdout);
}

/* Prints all readable folders, even if others are not. */
static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  Status status = STATUS_OK;
  int good = 0;
  SCOPED(scoped_free) FolderStatus *folder = calloc((size_t)n, sizeof *folder);
  TRY_MEMORY(folder != NULL, "the folders", error);
  for (int i = 0; i < n; i++) {
    const Status one = folder_status_read(&folder[good], operand[i], error);
    command_print_error(&command_status, error);
    good += one == STATUS_OK;
    status = one == STATUS_OK ? status : one;
  }
  if (call->json)
    print_json(folder, good);
  else
    print(folder, good);
  for (int i = 0; i < good; i++)
    folder_status_free(&folder[i]);
  return status;
}

static const CommandOption options[] = {
    {"json", 0, NULL, "Prints a JSON array of objects with all files; times are in seconds.",
     COMMAND_TO(json)},
    {.name = NULL}};

const Command command_status = {
    .name = "status",
    .summary = "reports the state of runs",
    .operands = "DIR ...",
    .subject = "run folder",
    .least = 1,
    .most = -1,
    .doc = "Reports the state of the run in a folder: at work, complete, interrupted, failed or killed. "
           "Prints its step, speed, remaining time, files and the checkpoint that --resume continues from, "
           "and for a run that has ended the verdict of its report. Several folders, or the folder of a "
           "study, get one line per run. Nothing is written, and a running process is not disturbed: the "
           "step is that of the last row or checkpoint on disk, the speed that since the last checkpoint. "
           "The exit code is 2 if a folder contains no run.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
