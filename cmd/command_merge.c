/* holonom merge DIR...: merges the parts of a run. */
#include "base/file.h"
#include "base/stop.h"
#include "cmd/command.h"

typedef struct Call {
  const char *dir;
  int threads;
  bool quiet, force;
} Call;

/* Uses the input of the first part; the checkpoints show whether the other parts match it. */
static Status merge(const Call *call, int n, char *const *part, Error *error)
{
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *simulation = NULL;
  SCOPED(scoped_free) char *input = file_path(part[0], "input.yaml");
  TRY_MEMORY(input != NULL, "a file name", error);
  TRY(config_load(input, NULL, 0, &config, error));
  const SimulationRun options = {.dir = call->dir,
                                 .force = call->force,
                                 .nparts = n,
                                 .parts = (const char *const *)part,
                                 .out = call->quiet ? NULL : stdout,
                                 .stop = stop_flag()};
  TRY(simulation_create(&simulation, config, command_threads(call->threads), error));
  return command_simulate(simulation, &options, error);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  if (call->dir == NULL)
    return command_misused(&command_merge, "--out DIR is required");
  return merge(call, n, operand, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the results; for parts begun with --from DIR, that DIR.",
     COMMAND_TO(dir)},
    {"threads", 0, "N", "Number of threads for reading the parts; 0: all available cores.",
     COMMAND_TO(threads), 0, 4096},
    {"quiet", 0, NULL, "Prints errors only.", COMMAND_TO(quiet)},
    {"force", 0, NULL, "Overwrites the results of an earlier run in the folder.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.threads = COMMAND_NOT_GIVEN};

const Command command_merge = {
    .name = "merge",
    .summary = "merges the parts of a run",
    .operands = "DIR...",
    .subject = "part of a run",
    .least = 1,
    .most = -1,
    .doc =
        "Merges the parts left by `holonom run --replicas A..B` into one run. Apart from times, every result "
        "file has the same bytes as that of a run of all replicas in one process. --resume continues from "
        "the merged checkpoint, in one process or, with --from, in other parts. The parts must have the same "
        "input and build, contain every replica once, and be at the same step. They are not changed.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .run = run,
};
