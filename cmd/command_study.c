/* holonom study FILE: runs an input with several settings and compares the runs. */
#include <stdio.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/stop.h"
#include "cmd/listen.h"
#include "cmd/study.h"
#include "simulation/run/run_folder.h"

SCOPED_POINTER(Study, study_free)

typedef struct Call {
  const char *dir;
  CommandSets set;
  int threads;
  double max_hours; /* 0: no limit */
  bool quiet, force, list;
} Call;

static void print_list(const Study *s)
{
  for (int i = 0; i < s->npoint * s->nrun; i++) {
    printable_print(stdout, "%s:", s->run[i].folder);
    for (int k = 0; k + 1 < s->run[i].nset; k++) /* the last is the title */
      printable_print(stdout, " %s", s->run[i].set[k]);
    printf("\n");
  }
}

static Status study_file(const Call *call, const char *path, const char *dir, Error *error)
{
  SCOPED(study_free_at) Study *study = NULL;
  FILE *out = call->quiet ? NULL : stdout;
  TRY(study_read(&study, path, dir, &call->set, command_threads(call->threads), error));
  if (call->list) {
    print_list(study);
    return STATUS_OK;
  }
  TRY(study_check(study, dir, call->force, error));
  TRY(file_make_folder(dir, error));
  TRY(study_run(study, dir, call->force, out, error));
  if (!stop_asked()) {
    listen_end_limit();
    TRY(study_report(study, dir, stdout, error));
    return study_failed(study, error);
  }
  if (out != NULL)
    fprintf(out, "%s: all results so far are written; the same command continues\n", command_stop_reason());
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  const Call *call = self;
  if (call->max_hours > 0.0)
    listen_for_limit(3600.0 * call->max_hours);
  SCOPED(scoped_free) char *own = run_folder_default(operand[0]);
  return own != NULL ? study_file(call, operand[0], call->dir != NULL ? call->dir : own, error)
                     : error_memory(error, "a file name");
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the results.", COMMAND_TO(dir)},
    {"set", 0, "KEY=VALUE", "Overrides a key in all runs, as in --set integrator.time=1ns; repeatable.",
     COMMAND_TO(set)},
    {"threads", 0, "N", "Overrides ensemble.threads; 0: all available cores.", COMMAND_TO(threads), 0, 4096},
    {"list", 0, NULL, "Prints the runs and their settings, and runs nothing.", COMMAND_TO(list)},
    {"max-hours", 0, "H",
     "Ends the study with a checkpoint before H hours have passed, with exit code 124, as in holonom run; "
     "the "
     "same command continues it.",
     COMMAND_TO(max_hours), .unit = "h"},
    {"quiet", 0, NULL, "Prints verdicts and errors only.", COMMAND_TO(quiet)},
    {"force", 0, NULL, "Begins anew and overwrites the results of an earlier study in DIR.",
     COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.threads = COMMAND_NOT_GIVEN};

const Command command_study = {
    .name = "study",
    .summary = "runs an input with several settings and compares the runs",
    .operands = "FILE",
    .subject = "study file",
    .least = 1,
    .most = 1,
    .doc = "Runs an input with several settings and compares the runs, as holonom compare does. FILE names "
           "the input (base), settings of all runs (set), and the runs with their settings, the reference "
           "first (runs). It may list values of further keys, run in all combinations (vary), the margin "
           "within which runs count as equal (margin), and quantities whose maximum or minimum over the "
           "first list is fitted (extrema).\n"
           "All inputs are checked before the first run. Each run has a folder in DIR; the default is FILE's "
           "name with the suffix .out. After an interruption the same command continues, and does not repeat "
           "runs that have ended. A run that fails does not stop the others. It is reported at the end with "
           "its message and not compared, and the exit code is 3; the same command resumes it from its last "
           "checkpoint.\n"
           "DIR gets study.html, study.csv (a row per test), study_runs.csv (a row per run: means, the times "
           "of a step and of an independent sample, the share of solves), study_extrema.csv if there are "
           "extrema, and study.json with all tables.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .run = run,
};
