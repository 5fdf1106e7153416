/* holonom minima: the lowest minima of a cluster of water. */
#include <stdio.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cmd/command.h"
#include "cmd/listen.h"
#include "engine/cores.h"
#include "engine/isa.h"
#include "io/structure.h"
#include "simulation/start/minima.h"

SCOPED_POINTER(Isomers, isomers_free)
SCOPED_POINTER(Kind, kind_free)
SCOPED_POINTER(Topology, topology_free)

typedef struct Call {
  MinimaOptions options;
  double kelvin[2];
  int64_t seed;
  const char *output;
  bool force, quiet;
} Call;

static Status complete_call(Call *call)
{
  MinimaOptions *o = &call->options;
  if (o->of.model == NULL)
    return command_misused(&command_minima, "which --model?");
  if (o->of.nmol == 0)
    return command_misused(&command_minima, "how many --molecules?");
  if (o->walkers % LANES > 0)
    return command_misused(&command_minima, "--walkers %d: they go in groups of %d, so that %d would do",
                           o->walkers, LANES, (o->walkers / LANES + 1) * LANES);
  o->cold = call->kelvin[0];
  o->hot = call->kelvin[1];
  o->steps = o->steps > 0 ? o->steps : minima_steps(o->of.nmol);
  o->of.seed = (uint64_t)call->seed;
  o->of.threads = o->of.threads > 0 ? o->of.threads : cores_default();
  return STATUS_OK;
}

static Status write_isomers(TrajectoryWriter *writer, const Call *call, const Isomers *isomers, Error *error)
{
  const MinimaOptions *o = &call->options;
  const Box open = {0};
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(topology_free_at) Topology *topology = NULL;
  TRY(topology_of_kinds(&topology, 1, &o->of.kind, &o->of.nmol, error));
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
  char title[128];
  snprintf(title, sizeof title, "minima of %d %s, lowest first, by holonom " HOLONOM_VERSION,
           call->options.of.nmol, call->options.of.model->name);
  TRY(command_structures(&writer, call->output, call->force, title, error));
  listen_for_stops();
  Status status = minima_search(&call->options, &isomers, &report, error);
  if (status == STATUS_OK)
    status = write_isomers(writer, call, isomers, error);
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
  (void)n, (void)operand;
  Call *call = self;
  TRY(complete_call(call));
  SCOPED(kind_free_at) Kind *kind = NULL;
  SCOPED(progress_watch_end) ProgressWatch watch = {.out = call->quiet ? NULL : stderr};
  call->options.of.show = progress_watch;
  call->options.of.watcher = &watch;
  call->options.of.stop = stop_flag();
  TRY(isa_wanted(&call->options.of.isa, error));
  TRY(water_kind(call->options.of.model, WATER_MASS_O, WATER_MASS_H, &kind, error));
  call->options.of.kind = kind;
  return search(call, error);
}

static const CommandOption options[] = {
    {"model", 0, "NAME", "Water model (see 'holonom list models').", COMMAND_TO(options.of.model)},
    {"molecules", 0, "N", "Number of waters.", COMMAND_TO(options.of.nmol), 2, 1000},
    {"keep", 0, "N", "How many minima to keep; default 10.", COMMAND_TO(options.keep), 1, 100000},
    {"steps", 0, "N", "Trial moves of each walker; default 100 + 25 N^2 for N molecules.",
     COMMAND_TO(options.steps), 1, 1e12},
    {"walkers", 0, "N", "Walkers side by side, a multiple of 8; default 16.", COMMAND_TO(options.walkers), 1,
     65536},
    {"temperature", 0, "T[,T]",
     "Temperatures in K of the first and the last walker, the others in a geometric series between; default "
     "150,600.",
     COMMAND_TO(kelvin), .least = 1.0, .unit = "K"},
    {"seed", 0, "S", "Seed: another one makes another search; default 1.", COMMAND_TO(seed), 0, INT32_MAX},
    {"threads", 0, "N", "0, the default: as many as the machine gives. What is found does not depend on it.",
     COMMAND_TO(options.of.threads), 0, 256},
    {"output", 'o', "FILE", "Structures, lowest first; .xyz, .h5md; default minima.xyz.", COMMAND_TO(output)},
    {"force", 0, NULL, "Writes over FILE.", COMMAND_TO(force)},
    {"quiet", 'q', NULL, "Nothing on stderr.", COMMAND_TO(quiet)},
    {.name = NULL}};

static const Call defaults = {.output = "minima.xyz",
                              .seed = 1,
                              .kelvin = {MINIMA_COLD, MINIMA_HOT},
                              .options = {.walkers = MINIMA_WALKERS, .keep = 10}};

const Command command_minima = {
    .name = "minima",
    .summary = "the lowest minima of a cluster of water",
    .operands = "",
    .doc = "Looks for the lowest minima of the energy of a cluster of rigid water by basin hopping (Wales & "
           "Doye 1997), many walkers side by side. Prints the energies of the distinct minima that were "
           "found, lowest first, as lines 'energy<TAB>value<TAB>kcal/mol', and writes their structures, each "
           "a start for\n"
           "  system: {start: file, file: minima.xyz}\n"
           "The result is a function of the options but for --threads.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
