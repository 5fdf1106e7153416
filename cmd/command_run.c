/* holonom run FILE: runs an input file. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "cmd/command.h"
#include "cmd/listen.h"
#include "cmd/mpi_ranks.h"
#include "cmd/trial.h"
#include "simulation/run/run_folder.h"

typedef struct Call {
  const char *file, *dir, *start, *replicas, *from;
  int first, last; /* of `replicas` */
  CommandSets set;
  int threads;
  double max_hours; /* 0: no limit */
  bool quiet, force, resume, other_build;
} Call;

static Status run_file(const Call *call, const char *dir, const Ranks *ranks, Error *error)
{
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *simulation = NULL;
  Status status = config_load(call->file, call->set.text, call->set.n, &config, error);
  if (status == STATUS_OK)
    status = trial_of_start(config, error);
  if (status == STATUS_OK)
    status = simulation_create(&simulation, config, command_threads(call->threads), error);
  TRY(ranks_agree(ranks, status, 0, error));
  const SimulationRun options = {.dir = dir,
                                 .force = call->force,
                                 .resume = call->resume,
                                 .other_build = call->other_build,
                                 .part = call->replicas != NULL,
                                 .first = call->first,
                                 .last = call->last,
                                 .from = call->from,
                                 .ranks = ranks,
                                 .start = call->start,
                                 .out = call->quiet ? NULL : stdout,
                                 .stop = stop_flag()};
  TRY(command_simulate(simulation, &options, error));
  if (simulation_done(simulation) >= config->integrator.steps)
    listen_end_limit();
  if (stop_asked() && !call->quiet) {
    printf("%s: all results so far are written; --resume continues the run\n", command_stop_reason());
    fflush(stdout); /* mpirun may end this process once another has ended */
  }
  return STATUS_OK;
}

/* Runs in this process, or in all processes of mpirun, of which only the first prints. */
static Status run_all(Call *call, const char *dir, Error *error)
{
  Ranks ranks;
  bool several;
  TRY(mpi_ranks_begin(&ranks, &several, error));
  const bool silent = several && !ranks_writes(&ranks);
  call->quiet = call->quiet || silent;
  const Status status = run_file(call, dir, several ? &ranks : NULL, error);
  if (silent)
    listen_end_limit(); /* the exit code of the call is that of the first process */
  if (several)
    mpi_ranks_end();
  return silent ? STATUS_OK : status;
}

/* Parses A..B. */
static bool read_replicas(Call *call)
{
  char first[16];
  int64_t from, to;
  const char *dots = strstr(call->replicas, "..");
  if (dots == NULL || (size_t)(dots - call->replicas) >= sizeof first)
    return false;
  snprintf(first, sizeof first, "%.*s", (int)(dots - call->replicas), call->replicas);
  if (!command_number(first, 0, INT_MAX, &from) || !command_number(dots + 2, (double)from, INT_MAX, &to))
    return false;
  call->first = (int)from;
  call->last = (int)to;
  return true;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  Call *call = self;
  call->file = operand[0];
  if (call->replicas != NULL && !read_replicas(call))
    return command_misused(&command_run, "--replicas %s is not a range of replicas such as 0..7",
                           call->replicas);
  if (call->from != NULL && call->replicas == NULL)
    return command_misused(&command_run, "--from needs --replicas, the part to run");
  if (call->from != NULL && call->start != NULL)
    return command_misused(&command_run, "--from and --start exclude each other");
  if (call->force && call->resume)
    return command_misused(&command_run, "--force begins anew and --resume continues: use only one of them");
  if (call->start != NULL && call->resume)
    return command_misused(&command_run,
                           "--start is for a new run and --resume continues one: use only one of them");
  if (call->other_build && !call->resume)
    return command_misused(&command_run, "--other-build needs --resume");
  if (call->max_hours > 0.0)
    listen_for_limit(3600.0 * call->max_hours);
  SCOPED(scoped_free) char *own = run_folder_default(call->file);
  TRY_MEMORY(own != NULL, "a file name", error);
  return run_all(call, call->dir != NULL ? call->dir : own, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the results.", COMMAND_TO(dir)},
    {"set", 0, "KEY=VALUE", "Overrides a key of the file, as in --set geometry.w=100; repeatable.",
     COMMAND_TO(set)},
    {"threads", 0, "N", "Overrides ensemble.threads; 0: all available cores.", COMMAND_TO(threads), 0, 4096},
    {"max-hours", 0, "H",
     "Ends the run with a checkpoint before H hours have passed since the program began, with exit code 124; "
     "--resume continues it.",
     COMMAND_TO(max_hours), .unit = "h"},
    {"quiet", 0, NULL, "Prints errors only.", COMMAND_TO(quiet)},
    {"start", 0, "DIR",
     "Uses the start built for the run in DIR, which must have the same system section. Default: the start "
     "in the run's own folder (built-start.xyz) if it matches; otherwise a start is built. The choice "
     "changes no bit of the run.",
     COMMAND_TO(start)},
    {"replicas", 0, "A..B",
     "Runs only replicas A to B (numbered from 0, whole groups). DIR gets a checkpoint and samples; `holonom "
     "merge` combines the folders of all replicas.",
     COMMAND_TO(replicas)},
    {"from", 0, "DIR",
     "With --replicas, continues the run in DIR from its checkpoint, bit for bit. Merge the parts into DIR.",
     COMMAND_TO(from)},
    {"force", 0, NULL, "Overwrites the results of an earlier run in DIR.", COMMAND_TO(force)},
    {"resume", 0, NULL,
     "Continues the run in DIR from its checkpoint, bit for bit; a larger integrator.time or "
     "integrator.steps extends it.",
     COMMAND_TO(resume)},
    {"other-build", 0, NULL,
     "With --resume, also continues a run of another build (version, compiler or instruction set), which is "
     "otherwise refused. The last bits may then differ.",
     COMMAND_TO(other_build)},
    {.name = NULL}};

static const Call defaults = {.threads = COMMAND_NOT_GIVEN};

const Command command_run = {
    .name = "run",
    .summary = "runs an input file",
    .operands = "FILE",
    .subject = "input file",
    .least = 1,
    .most = 1,
    .doc = "Runs an input file; '-' reads standard input. Results go to DIR; the default is FILE's name with "
           "the suffix .out, in the current folder. They include report.html, summary.yaml, thermo.csv, "
           "trajectories, tables and pictures of the outputs in the input, the last structure, and "
           "holonom.log. A run of molecules that fails writes last-good.xyz. Another run can start from it "
           "or from final.xyz.\n"
           "Ctrl-C, SIGTERM and SIGHUP (unless ignored, as by nohup) end the run cleanly and write a "
           "checkpoint for --resume. The exit code is then 128 plus the signal's number, 130 for Ctrl-C. "
           "Signals within a second count as one; the third request ends the program at once.\n"
           "With --max-hours 24, the limit of a batch system, the run ends by itself: 1 % of the time, at "
           "least 10 seconds, is kept for the checkpoint and the results. Time counts from the start of the "
           "program and includes the search for a start; the processes of mpirun end at the same step.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .shared = true,
    .run = run,
};
