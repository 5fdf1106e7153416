/* holonom run FILE: runs an input file. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "cmd/command.h"
#include "cmd/mpi_ranks.h"
#include "cmd/trial.h"
#include "simulation/run/run_folder.h"

typedef struct Call {
  const char *file, *dir, *start, *replicas, *from;
  int first, last; /* of `replicas` */
  CommandSets set;
  int threads;
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
  return command_simulate(simulation, &options, error);
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
    return command_misused(&command_run, "--replicas %s: the first and the last are wanted, as in 0..7",
                           call->replicas);
  if (call->from != NULL && call->replicas == NULL)
    return command_misused(&command_run, "--from needs --replicas, the part to be run");
  if (call->from != NULL && call->start != NULL)
    return command_misused(&command_run, "--from and --start: only one of the two");
  if (call->force && call->resume)
    return command_misused(&command_run, "--force starts anew, --resume goes on: only one of the two");
  if (call->start != NULL && call->resume)
    return command_misused(&command_run, "--start is of a new run, --resume goes on: only one of the two");
  if (call->other_build && !call->resume)
    return command_misused(&command_run, "--other-build is for --resume");
  SCOPED(scoped_free) char *own = run_folder_default(call->file);
  TRY_MEMORY(own != NULL, "a file name", error);
  TRY(run_all(call, call->dir != NULL ? call->dir : own, error));
  if (stop_asked() && !call->quiet)
    puts("interrupted: everything up to here is written, --resume goes on");
  return STATUS_OK;
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where to write.", COMMAND_TO(dir)},
    {"set", 0, "KEY=VALUE", "Overrides a key of the file, as in --set geometry.w=100; may come often.",
     COMMAND_TO(set)},
    {"threads", 0, "N", "Overrides ensemble.threads; 0: as many as the machine gives.", COMMAND_TO(threads),
     0, 4096},
    {"quiet", 0, NULL, "Prints nothing but errors.", COMMAND_TO(quiet)},
    {"start", 0, "DIR",
     "Begins with the start that was built for the run in DIR from an equal system section; without it "
     "the start that is kept in the run's own folder (built-start.xyz) is taken if it fits. Whether a "
     "start is kept or built changes no bit.",
     COMMAND_TO(start)},
    {"replicas", 0, "A..B",
     "Runs replicas A to B only, numbered from 0, whole groups of them: DIR gets a checkpoint and what was "
     "sampled, and `holonom merge` makes results of the folders of all replicas.",
     COMMAND_TO(replicas)},
    {"from", 0, "DIR",
     "With --replicas, begins where the whole run in DIR stands, with its checkpoint, to the bit; the parts "
     "are then merged into that folder.",
     COMMAND_TO(from)},
    {"force", 0, NULL, "Writes over the results of an earlier run in DIR.", COMMAND_TO(force)},
    {"resume", 0, NULL,
     "Goes on with the run in DIR from its checkpoint, to the bit; a larger integrator.time or "
     "integrator.steps makes it longer.",
     COMMAND_TO(resume)},
    {"other-build", 0, NULL,
     "With --resume, goes on also with a run that another build of the program began (another version, "
     "compiler or instruction set), where it otherwise refuses: the last bits may differ from then on.",
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
    .doc = "Runs an input file; '-' stands for standard input. Results go to DIR, by default FILE's name "
           "with .out for its suffix, in the current folder: report.html, a page of it all; summary.yaml; "
           "thermo.csv; trajectories, and tables with pictures of what the input's output asks for; the last "
           "structure; holonom.log. A run of molecules that goes wrong leaves last-good.xyz. Another run can "
           "start from it, or from final.xyz.\nCtrl-C, SIGTERM and SIGHUP (unless ignored, as by nohup) end "
           "the run cleanly, with everything written and a checkpoint to resume from; the exit code is then "
           "128 and the number of the signal, 130 for Ctrl-C. Signals within a second are one; a third "
           "request ends the program at once.",
    .option = options,
    .size = sizeof(Call),
    .call = &defaults,
    .shared = true,
    .run = run,
};
