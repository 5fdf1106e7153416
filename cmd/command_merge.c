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
    return command_misused(&command_merge, "into which folder? --out DIR is wanted");
  return merge(call, n, operand, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write; with parts that began by --from DIR, that folder.", COMMAND_TO(dir)},
    {"threads", 0, "N", "Threads that look at the parts; 0: as many as the machine gives.",
     COMMAND_TO(threads), 0, 4096},
    {"quiet", 0, NULL, "Prints nothing but errors.", COMMAND_TO(quiet)},
    {"force", 0, NULL, "Writes over the results of an earlier run in the folder.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.threads = COMMAND_NOT_GIVEN};

const Command command_merge = {
    .name = "merge",
    .summary = "puts the parts of a run together",
    .operands = "DIR...",
    .subject = "part of a run",
    .least = 1,
    .most = -1,
    .doc =
        "Makes one run of parts that `holonom run --replicas A..B` left: the same bytes in every result file "
        "(but times) as a run of all replicas in one process leaves, with a checkpoint from which --resume "
        "goes on, in one process or, by --from, in parts of another division. The parts are of one input "
        "and one build, have all replicas once, and have come to the same step. They stay as they are.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .run = run,
};
