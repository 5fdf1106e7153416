/* holonom report DIR ...: writes the page of a run, finished or not. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/printable.h"
#include "cmd/command.h"
#include "html/run_page.h"
#include "simulation/sort.h"

typedef struct Call {
  bool quiet;
} Call;

static const char *const files[] = {RUN_PAGE_NAME, NULL};
static const ManifestNames names = {.file = files};

/* Reads the units of the tables of an unfinished run. */
static void read_units(ResultSet *set, const char *dir)
{
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(scoped_free) char *path = file_path(dir, "input.yaml");
  if (path != NULL && config_load(path, NULL, 0, &config, NULL) == STATUS_OK) {
    set->sorts = sort_of(config)->quantities;
    set->reduced = config->reduced;
  }
}

static Status report(const char *dir, Error *error)
{
  SCOPED(results_free) ResultSet set;
  const bool ended = file_exists(dir, "results.json") || file_exists(dir, "summary.yaml");
  Status status = results_json_read(&set, dir, ended ? error : NULL);
  if (status == STATUS_INPUT && !ended) {
    read_units(&set, dir);
    status = STATUS_OK;
  }
  TRY(status);
  return run_page_write(&set, error);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  for (int i = 0; i < n; i++)
    TRY(manifest_check(operand[i], &names, NULL, error));
  for (int i = 0; i < n; i++) {
    TRY(report(operand[i], error));
    if (!call->quiet)
      printable_print(stdout, "%s/" RUN_PAGE_NAME "\n", operand[i]);
  }
  return STATUS_OK;
}

static const CommandOption options[] = {{"quiet", 0, NULL, "Prints errors only.", COMMAND_TO(quiet)},
                                        {.name = NULL}};

const Command command_report = {
    .name = "report",
    .summary = "writes the report page of a run",
    .operands = "DIR ...",
    .subject = "run folder",
    .least = 1,
    .most = -1,
    .doc = "Writes report.html into each folder: one file that needs no network, with a verdict, zoomable "
           "figures, the molecules, tables of all means, and the files to save. A run writes this page when "
           "it ends (output.report). This command writes it for a run that is at work or was killed, or "
           "writes it again.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
