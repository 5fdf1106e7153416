/* holonom run FILE: a whole run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/stop.h"
#include "simulation/mechanics.h"
#include "simulation/run_folder.h"
#include "simulation/simulation.h"

enum { SETS_MAX = 64 };

typedef struct Call {
  const char *file, *dir, *start;
  const char *set[SETS_MAX];
  int nset;
  int threads;
  bool quiet, force, resume, other_build;
} Call;

/* Returns 0, or the exit code of a wrong call. */
static int read_call(int argc, char **argv, Call *call)
{
  for (int c; (c = command_option(&command_run, argc, argv)) != -1;) {
    long n;
    switch (c) {
    case 'o':
      call->dir = optarg;
      break;
    case 's':
      if (call->nset == SETS_MAX)
        return command_misused(&command_run, "more than %d --set", SETS_MAX);
      call->set[call->nset++] = optarg;
      break;
    case 't':
      if (!command_number(optarg, 1, 4096, &n))
        return command_misused(&command_run, "--threads %s: a number from 1 to 4096 is wanted", optarg);
      call->threads = (int)n;
      break;
    case 'b':
      call->start = optarg;
      break;
    case 'q':
      call->quiet = true;
      break;
    case 'f':
      call->force = true;
      break;
    case 'r':
      call->resume = true;
      break;
    case 'x':
      call->other_build = true;
      break;
    default:
      return 2;
    }
  }
  if (argc - optind != 1)
    return command_misused(&command_run, argc == optind ? "which input file?" : "one input file at a time");
  if (call->force && call->resume)
    return command_misused(&command_run, "--force starts anew, --resume goes on: only one of the two");
  if (call->start != NULL && call->resume)
    return command_misused(&command_run, "--start is of a new run, --resume goes on: only one of the two");
  if (call->other_build && !call->resume)
    return command_misused(&command_run, "--other-build is for --resume");
  call->file = argv[optind];
  return 0;
}

static Status run_mechanics(Config *config, const SimulationOptions *options, int threads, Error *error)
{
  if (threads > 0)
    config->ensemble.threads = threads;
  Mechanics *mechanics;
  Status status = mechanics_create(&mechanics, config, error);
  if (status != STATUS_OK)
    return status;
  status = mechanics_simulate(mechanics, options, error);
  mechanics_free(mechanics);
  return status;
}

static Status run_file(const Call *call, const char *dir, Error *error)
{
  Config *config;
  Status status = config_load(call->file, call->set, call->nset, &config, error);
  if (status != STATUS_OK)
    return status;
  config->forces.keep_wisdom = true;
  const SimulationOptions options = {.dir = dir,
                                     .force = call->force,
                                     .resume = call->resume,
                                     .other_build = call->other_build,
                                     .start = call->start,
                                     .out = call->quiet ? NULL : stdout,
                                     .stop = stop_flag()};
  stop_listen();
  if (config_mechanical(config) && call->start != NULL) {
    config_free(config);
    return error_set(error, STATUS_INPUT, "%s: --start takes the start that was built for a cluster of water",
                     call->file);
  }
  if (config_mechanical(config)) {
    status = run_mechanics(config, &options, call->threads, error);
    config_free(config);
    return status;
  }
  System *system;
  status = system_create(&system, config, call->threads, error);
  if (status == STATUS_OK) {
    status = simulation_run(system, &options, error);
    system_free(system);
  }
  config_free(config);
  return status;
}

static int run(int argc, char **argv)
{
  Call call = {0};
  const int wrong = read_call(argc, argv, &call);
  if (wrong != 0)
    return wrong;
  char *own = call.dir == NULL ? run_folder_default(call.file) : NULL;
  const char *dir = call.dir != NULL ? call.dir : own;
  Error error = {0};
  const Status status = dir != NULL ? run_file(&call, dir, &error) : error_memory(&error, "a file name");
  free(own);
  if (status == STATUS_OK && stop_asked() && !call.quiet)
    puts("interrupted: everything up to here is written, --resume goes on");
  return command_end(&command_run, status, &error);
}

static const CommandOption options[] = {
    {.name = "out", .value = 'o', .argument = "DIR", .help = "Where to write.", .brief = true},
    {.name = "set",
     .value = 's',
     .argument = "KEY=VALUE",
     .help = "Overrides a key of the file, as in --set geometry.w=100; may come often.",
     .choices = command_keys},
    {.name = "threads", .value = 't', .argument = "N", .help = "Overrides ensemble.threads."},
    {.name = "quiet", .value = 'q', .help = "Prints nothing but errors."},
    {.name = "start",
     .value = 'b',
     .argument = "DIR",
     .help =
         "Begins with the start that was built for the run in DIR from an equal system section; without it "
         "the start that is kept in the run's own folder (built-start.xyz) is taken if it fits. Whether a "
         "start is kept or built changes no bit."},
    {.name = "force", .value = 'f', .help = "Writes over the results of an earlier run in DIR."},
    {.name = "resume",
     .value = 'r',
     .help = "Goes on with the run in DIR from its checkpoint, to the bit; a larger integrator.time or "
             "integrator.steps makes it longer."},
    {.name = "other-build",
     .value = 'x',
     .help =
         "With --resume, goes on also with a run that another build of the program began (another version, "
         "compiler or instruction set), where it otherwise refuses: the last bits may differ from then on."},
    {.name = NULL}};

const Command command_run = {
    .name = "run",
    .summary = "runs an input file",
    .operands = "FILE",
    .doc =
        "Runs an input file; '-' stands for standard input. Results go to DIR, by default FILE's name "
        "with .out for its suffix, in the current folder: summary.yaml, thermo.csv, trajectories, "
        "final.xyz, holonom.log; of a cluster rdf.csv with its picture; of a periodic box final.gro, and "
        "its observables (gofr.csv, msd.csv, vacf.csv, dipole.csv) with pictures; of a mechanical system "
        "trajectory.csv with its picture, energy.csv, multipliers.csv. A run of water that goes wrong "
        "leaves last-good.xyz. Another run can start from it, or from final.xyz.\nCtrl-C, SIGTERM "
        "and SIGHUP (unless ignored, as by nohup) end the run cleanly, with everything written and a "
        "checkpoint to resume from; the exit code is then 128 and the number of the signal, 130 for Ctrl-C.",
    .option = options,
    .run = run,
};
