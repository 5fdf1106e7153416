/* holonom study FILE: runs an input with several settings and compares the runs. */
#include <stdio.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/stop.h"
#include "cmd/study.h"
#include "simulation/run/run_folder.h"

SCOPED_POINTER(Study, study_free)

typedef struct Call {
  const char *dir;
  CommandSets set;
  int threads;
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
    TRY(study_report(study, dir, stdout, error));
    return study_failed(study, error);
  }
  if (out != NULL)
    fputs("interrupted: everything up to here is written, the same call goes on\n", out);
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  const Call *call = self;
  SCOPED(scoped_free) char *own = run_folder_default(operand[0]);
  return own != NULL ? study_file(call, operand[0], call->dir != NULL ? call->dir : own, error)
                     : error_memory(error, "a file name");
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write.", COMMAND_TO(dir)},
    {"set", 0, "KEY=VALUE", "Overrides a key in all runs, as in --set integrator.time=1ns; may come often.",
     COMMAND_TO(set)},
    {"threads", 0, "N", "Overrides ensemble.threads; 0: as many as the machine gives.", COMMAND_TO(threads),
     0, 4096},
    {"list", 0, NULL, "Prints the runs and their settings only.", COMMAND_TO(list)},
    {"quiet", 0, NULL, "Prints nothing but the verdicts and errors.", COMMAND_TO(quiet)},
    {"force", 0, NULL, "Begins anew, over the results of an earlier study in DIR.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.threads = COMMAND_NOT_GIVEN};

const Command command_study = {
    .name = "study",
    .summary = "runs an input in several ways and says whether that differs",
    .operands = "FILE",
    .subject = "file of a study",
    .least = 1,
    .most = 1,
    .doc =
        "Runs an input in several ways and compares the runs, as holonom compare does. FILE names the input "
        "(base), settings of all runs (set), the runs with theirs, of which the first is the reference "
        "(runs), lists of values of further keys, all combinations of which are run (vary), the margin "
        "within which runs count as equal (margin), and of which quantities a maximum or minimum over the "
        "first list is wanted (extrema). All inputs are checked before the first run. Each run has a folder "
        "in DIR, by default FILE's name with .out for its suffix; a call that was interrupted goes on by the "
        "same call, and runs that have ended are not run again. A run that goes wrong, or that its own start "
        "refuses, keeps none of the others from being run: it is named with its message at the end, where "
        "the exit code is 3, and nothing is compared with it; the same call takes it up again from its last "
        "checkpoint. DIR gets study.html, study.csv (a row a test), study_runs.csv (a row a run: means, the "
        "time of a step and of an independent sample, the share of solves), study_extrema.csv where extrema "
        "are asked for, and all tables in study.json.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .run = run,
};
