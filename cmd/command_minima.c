/* holonom minima: finds the lowest minima of a cluster. */
#include <stdio.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cmd/command.h"
#include "cmd/listen.h"
#include "cmd/trial.h"
#include "engine/cores.h"
#include "forcefields/water.h"
#include "io/structure.h"
#include "simulation/molecules/starts.h"
#include "simulation/start/minima.h"

SCOPED_POINTER(Isomers, isomers_free)

typedef struct Call {
  const WaterModel *model; /* NULL: molecules of the input file */
  int molecules;
  const char *input;
  CommandSets set;
  MinimaOptions options;
  double kelvin[2];
  int64_t seed;
  int threads;
  const char *output;
  bool force, quiet;
} Call;

static Status check_call(Call *call, int n, char *const *operand)
{
  const MinimaOptions *o = &call->options;
  call->input = n > 0 ? operand[0] : NULL;
  if (call->input != NULL && (call->model != NULL || call->molecules > 0))
    return command_misused(&command_minima,
                           "--%s has no meaning with an input file, which describes the molecules",
                           call->model != NULL ? "model" : "molecules");
  if (call->input == NULL && call->set.n > 0)
    return command_misused(&command_minima, "--set needs an input file");
  if (call->input == NULL && call->model == NULL)
    return command_misused(&command_minima, "give a --model, or an input file for other molecules");
  if (call->input == NULL && call->molecules == 0)
    return command_misused(&command_minima, "give the number of --molecules");
  if (o->walkers % LANES > 0)
    return command_misused(&command_minima, "--walkers %d is not a multiple of %d: use %d", o->walkers, LANES,
                           (o->walkers / LANES + 1) * LANES);
  return STATUS_OK;
}

/* Loads the input file, or an input generated for waters of the model. */
static Status load(const Call *call, Simulation **s, Error *error)
{
  if (call->input == NULL) {
    char text[256];
    snprintf(text, sizeof text,
             "system: {model: %s, molecules: %d}\ngeometry: {method: settle}\n"
             "integrator: {word: BAB, timestep: 1 fs, steps: 1}\nthermostat: {type: none, initial: zero}\n",
             call->model->name, call->molecules);
    return simulation_parse(s, "--model", text, NULL, 0, error);
  }
  TRY(simulation_load(s, call->input, call->set.text, call->set.n, error));
  return trial_of_start(simulation_config(*s), error);
}

static Status complete_options(Call *call, const Simulation *s, Error *error)
{
  MinimaOptions *o = &call->options;
  TRY(start_minima(s, &o->of, error));
  o->cold = call->kelvin[0];
  o->hot = call->kelvin[1];
  o->steps = o->steps > 0 ? o->steps : minima_steps(o->of.on.topology->nmol);
  o->of.seed = (uint64_t)call->seed;
  o->of.threads = call->threads > 0 ? call->threads : cores_default();
  o->of.stop = stop_flag();
  return STATUS_OK;
}

static Status write_isomers(TrajectoryWriter *writer, const Topology *topology, const Isomers *isomers,
                            Error *error)
{
  const Box open = {0};
  SCOPED(frame_free) Frame frame = {0};
  TRY(structure_shape(topology, &open, &frame, error));
  for (int i = 0; i < isomers_number(isomers); i++) {
    structure_fill(topology, NULL, isomers_at(isomers, i).x, NULL, &frame);
    TRY(trajectory_write(writer, &frame, error));
  }
  return STATUS_OK;
}

static Status search(const Call *call, Error *error)
{
  LOCALE_PLAIN;
  TrajectoryWriter *writer;
  SCOPED(isomers_free_at) Isomers *isomers = NULL;
  MinimaReport report;
  const Topology *const topology = call->options.of.on.topology;
  char title[256];
  snprintf(title, sizeof title, "minima of %d %.128s, lowest first, by holonom " HOLONOM_VERSION,
           topology->nmol, call->model != NULL ? call->model->name : "molecules");
  TRY(command_structures(&writer, call->output, call->force, title, error));
  listen_for_stops();
  Status status = minima_search(&call->options, &isomers, &report, error);
  if (status == STATUS_OK)
    status = write_isomers(writer, topology, isomers, error);
  TRY(command_structures_end(writer, status, error));
  for (int i = 0; i < isomers_number(isomers); i++)
    printf("energy\t%.6f\tkcal/mol\n", isomers_at(isomers, i).energy);
  if (!call->quiet)
    printable_print(
        stderr,
        "%lld quenches of %.0f evaluations each; the lowest was found %lld times; largest force %.1e "
        "kcal/mol/A; structures: %s\n",
        (long long)report.quenches, (double)report.evaluations / (double)report.quenches,
        (long long)isomers_at(isomers, 0).all, report.force, call->output);
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  Call *call = self;
  TRY(check_call(call, n, operand));
  SCOPED(simulation_free_at) Simulation *s = NULL;
  SCOPED(progress_watch_end) ProgressWatch watch = {.out = call->quiet ? NULL : stderr};
  TRY(load(call, &s, error));
  TRY(complete_options(call, s, error));
  call->options.of.show = progress_watch;
  call->options.of.watcher = &watch;
  return search(call, error);
}

static const CommandOption options[] = {
    {"model", 0, "NAME", "Water model (see 'holonom list models'), instead of FILE.", COMMAND_TO(model)},
    {"molecules", 0, "N", "Number of waters.", COMMAND_TO(molecules), 2, 1000},
    {"set", 0, "KEY=VALUE", "Overrides a key of the input file; repeatable.", COMMAND_TO(set)},
    {"keep", 0, "N", "Number of minima to write; default 10.", COMMAND_TO(options.keep), 1, 100000},
    {"steps", 0, "N", "Trial moves of each walker; default 100 + 25 N^2 for N molecules.",
     COMMAND_TO(options.steps), 1, 1e12},
    {"walkers", 0, "N", "Number of parallel walkers, a multiple of 8; default 16.",
     COMMAND_TO(options.walkers), 1, 65536},
    {"temperature", 0, "T[,T]",
     "Temperatures in K of the first and the last walker, with a geometric series between; default 150,600.",
     COMMAND_TO(kelvin), .least = 1.0, .unit = "K"},
    {"seed", 0, "S", "Seed of the search; default 1.", COMMAND_TO(seed), 0, INT32_MAX},
    {"threads", 0, "N",
     "Number of threads; 0 (default): all available cores. The result does not depend on it.",
     COMMAND_TO(threads), 0, 256},
    {"output", 'o', "FILE", "File for the structures, lowest first (.xyz, .h5md); default minima.xyz.",
     COMMAND_TO(output)},
    {"force", 0, NULL, "Overwrites FILE.", COMMAND_TO(force)},
    {"quiet", 'q', NULL, "Prints nothing on stderr.", COMMAND_TO(quiet)},
    {.name = NULL}};

static const Call defaults = {.output = "minima.xyz",
                              .seed = 1,
                              .kelvin = {MINIMA_COLD, MINIMA_HOT},
                              .options = {.walkers = MINIMA_WALKERS, .keep = 10}};

const Command command_minima = {
    .name = "minima",
    .summary = "finds the lowest minima of a cluster",
    .operands = "[FILE]",
    .subject = "input file",
    .most = 1,
    .doc = "Searches for the lowest energy minima of a cluster by basin hopping (Wales & Doye 1997) with "
           "parallel walkers. The cluster consists of waters (--model, --molecules) or of the molecules of "
           "an input file in open space, with its constraints and its forces except a wall. Prints the "
           "energies of the distinct minima, lowest first, as lines 'energy<TAB>value<TAB>kcal/mol'. Writes "
           "their structures, each a start for\n"
           "  system: {start: file, file: minima.xyz}\n"
           "Equal options give equal results, with any --threads.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
