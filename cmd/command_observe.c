/* holonom observe NAME[,NAME] TRAJECTORY...: computes observables of liquids and clusters from
 * trajectories. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/command.h"
#include "cmd/snapshots.h"
#include "cmd/trial.h"
#include "engine/cores.h"
#include "engine/units.h"
#include "observables/diffusion.h"
#include "observables/observable_set.h"
#include "observables/picture.h"
#include "simulation/molecules/observed.h"

SCOPED_POINTER(Snapshots, snapshots_close)
SCOPED_POINTER(ObservableSet, observable_set_free)

/* The placeholder, unit and AKMA scale of an option by quantity. */
#define NONE_ARGUMENT   "X"
#define NONE_UNIT       NULL
#define NONE_SCALE      1
#define LENGTH_ARGUMENT "R"
#define LENGTH_UNIT     "A"
#define LENGTH_SCALE    1
#define TIME_ARGUMENT   "PS"
#define TIME_UNIT       "ps"
#define TIME_SCALE      (1.0 / (UNITS_AKMA_FS * 1e-3))

typedef struct Call {
  char list[256]; /* names of observables, split at commas */
  SnapshotsOptions snapshots;
  ObservableOptions options;
  const char *input; /* NULL: the names of atoms identify molecules */
  CommandSets set;
  const char *dir;
  bool force;
} Call;

/* --- the call ------- */

static Status read_names(const char *text, Call *call)
{
  if (strlen(text) >= sizeof call->list)
    return command_misused(&command_observe, "'%.40s...': the list of names is too long", text);
  strcpy(call->list, text);
  char *save = NULL;
  int n = 0;
  for (char *name = strtok_r(call->list, ",", &save); name != NULL; name = strtok_r(NULL, ",", &save)) {
    int row;
    Error error;
    if (observable_find(name, &row, &error) != STATUS_OK)
      return command_misused(&command_observe, "%s", error.text);
    if (strcmp(name, observable_table[row]->name) != 0)
      printable_print(stderr, "holonom observe: %s is the old name of %s\n", name,
                      observable_table[row]->name);
    call->options.every[row] = 1;
    n++;
  }
  return n > 0 ? STATUS_OK : command_misused(&command_observe, "no observable given");
}

/* Adds the input's settings that the call does not override. */
static void merge_input(Call *call, const Simulation *s)
{
  ObservableOptions *o = &call->options, from;
  observed_options(s, &from);
  const double temperature = o->temperature > 0.0 ? o->temperature : from.temperature;
  memcpy(from.every, o->every, sizeof from.every);
  from.threads = o->threads;
  from.keep_drift = o->keep_drift;
  from.temperature = temperature;
  if (o->friction > 0.0) {
    from.friction = o->friction;
    from.friction_uniform = false;
  }
#define OWN_KEY(name, key, ...)                      from.name.key = o->name.key > 0 ? o->name.key : from.name.key;
#define SHARED_KEY(key, ...)                         from.given_##key = o->given_##key > 0 ? o->given_##key : from.given_##key;
#define OBSERVABLE(name, sorts, fallback, help, ...) __VA_ARGS__
#include "observables/observable_rows.def"
  *o = from;
  call->snapshots.system = s;
}

static Status find_input(Call *call, int *n, char *const **operand)
{
  const char *second = *n > 1 ? (*operand)[1] : "";
  const SnapshotsOptions *s = &call->snapshots;
  if (text_ends(second, ".yaml") || text_ends(second, ".yml")) {
    call->input = second;
    ++*operand;
    --*n;
  }
  for (int i = call->input != NULL ? 1 : 2; i < *n; i++)
    if (text_ends((*operand)[i], ".yaml") || text_ends((*operand)[i], ".yml"))
      return command_misused(&command_observe, "%s: the input file must come before the trajectories",
                             (*operand)[i]);
  if (call->input == NULL && (call->set.n > 0 || s->select != NULL))
    return command_misused(&command_observe, "%s needs an input file (.yaml)",
                           call->set.n > 0 ? "--set" : "--select");
  if (call->input != NULL && (s->model != NULL || s->names != NULL))
    return command_misused(&command_observe, "%s has no meaning with an input file, which sets it",
                           s->model != NULL ? "--model" : "--names");
  return STATUS_OK;
}

static Status complete_call(Call *call, int n, char *const *operand)
{
  char *const name = operand[0];
  if (n > 0 && strpbrk(name, "./") != NULL)
    return command_misused(&command_observe, "the name of an observable must come first, as in 'rdf %s'",
                           name);
  TRY(find_input(call, &n, &operand));
  if (n < 2)
    return command_misused(&command_observe, n == 0 ? "no observable given" : "no trajectory given");
  SnapshotsOptions *s = &call->snapshots;
  ObservableOptions *o = &call->options;
  s->file = operand + 1;
  s->nfile = n - 1;
  if (s->to > 0.0 && s->to <= s->from)
    return command_misused(&command_observe, "--to %g is not after --from %g", s->to, s->from);
#define OWN_KEY(name, key, type, sorts, quantity, ...) o->name.key *= quantity##_SCALE;
#define SHARED_KEY(key, type, quantity, ...)           o->given_##key *= quantity##_SCALE;
#define OBSERVABLE(name, sorts, fallback, help, ...)   __VA_ARGS__
#include "observables/observable_rows.def"
  o->threads = o->threads > 0 ? o->threads : cores_default();
  o->friction *= UNITS_AKMA_FS * 1e-3;
  o->water = s->model;
  diffusion_viscosity(o, s->model != NULL ? s->model->name : NULL);
  return read_names(name, call);
}

/* --- the work ------- */

/* Checks that fail before anything is written. */
static Status check_snapshots(const Call *call, const Snapshots *snapshots, Error *error)
{
  for (int k = 0; k < OBSERVABLES; k++)
    if (call->options.every[k] > 0 && observable_table[k]->pressures)
      return error_set(error, STATUS_INPUT,
                       "%s needs pressures, which trajectories do not have: set output.%s_every of a run",
                       observable_table[k]->name, observable_table[k]->name);
    else if (call->options.every[k] > 0 && observable_table[k]->timed &&
             !(snapshots_interval(snapshots) > 0.0))
      return error_set(error, STATUS_INPUT,
                       "%s has one frame only or no times, which %s needs; give --interval",
                       call->snapshots.file[0], observable_table[k]->name);
    else if (call->options.every[k] > 0 && observable_table[k]->velocities &&
             !snapshots_velocities(snapshots))
      return error_set(error, STATUS_INPUT,
                       "%s has no velocities, which %s needs: use extended XYZ with velo columns and "
                       "velo_unit=A/ps, H5MD or GRO",
                       call->snapshots.file[0], observable_table[k]->name);
  return STATUS_OK;
}

/* Reads the next frame; NULL: the end, or an error. */
static Status next_frame(const ObservableSet *set, Snapshots *snapshots, int64_t k,
                         const ObservableFrame **next, Error *error)
{
  const ObservableFrame *frame;
  *next = NULL;
  TRY(snapshots_next(snapshots, &frame, error));
  for (int b = 0; frame != NULL && b < frame->nblock && observable_set_velocities(set); b++)
    if (frame->block[b].v == NULL)
      return error_set(error, STATUS_INPUT, "sample %lld has no velocities, unlike the first",
                       (long long)k + 1);
  *next = frame;
  return STATUS_OK;
}

/* Thread 0 reads a frame, all threads add it. One team runs over all frames, so that its barrier can learn
 * whether every thread has a core (engine/team.c). A team per frame would spin for threads without a core,
 * as OpenMP does at the end of each parallel region. */
static Status add_all(const Call *call, ObservableSet *set, Snapshots *snapshots, Error *error)
{
  Status status = STATUS_OK;
  const ObservableFrame *frame = NULL;
  TeamBarrier barrier = {0};
#pragma omp parallel num_threads(call->options.threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own, *const why = team.rank == 0 ? error : &own;
    for (int64_t k = 0;; k++) {
      Status mine = STATUS_OK;
      if (team.rank == 0)
        mine = next_frame(set, snapshots, k, &frame, why);
      team_barrier(&team);
      const bool more = frame != NULL;
      if (more)
        mine = observable_set_add_frame(set, &team, k, frame, why);
      if (team.rank == 0)
        status = mine;
      if (!more || mine != STATUS_OK)
        break;
      team_barrier(&team);
    }
  }
  return status;
}

static void print_report(const ResultSet *report)
{
  for (int i = 0; i < report->n; i++) {
    char words[512];
    results_number_line(&report->number[i], words, sizeof words);
    puts(words);
  }
  printable_lines(stderr, "holonom observe: ", report->remark);
}

/* Checks, or removes, all files named after the chosen observables, so that no old file remains next to new
 * ones. */
static Status ready_folder(const Call *call, bool clear, Error *error)
{
  static const char *const files[] = {"observables.json", NULL};
  static const char *const suffixes[] = {".csv",       "_replicas.csv",  "_ladder.csv", "_spectrum.csv",
                                         "_pairs.csv", PICTURE_SUFFIXES, NULL};
  const char *chosen[OBSERVABLES + 2];
  int n = 0;
  for (int k = 0; k < OBSERVABLES; k++)
    if (call->options.every[k] > 0)
      chosen[n++] = observable_table[k]->name;
  if (call->options.every[OBSERVABLE_rdf] > 0)
    chosen[n++] = "gofr"; /* the name for boxes */
  chosen[n] = NULL;
  const ManifestNames names = {.file = files, .stem = chosen, .suffix = suffixes};
  return clear ? manifest_clear(call->dir, &names, error)
               : command_folder(call->dir, &names, call->force, error);
}

static Status write_all(const Call *call, ObservableSet *set, Error *error)
{
  SCOPED(results_free) ResultSet report = {0};
  TRY(ready_folder(call, true, error));
  TRY(observable_set_write(set, call->dir, &report, error));
  TRY(results_json_observed(&report, call->dir, error));
  print_report(&report);
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  Call *call = self;
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *s = NULL;
  SCOPED(snapshots_close_at) Snapshots *snapshots = NULL;
  SCOPED(observable_set_free_at) ObservableSet *set = NULL;
  TRY(complete_call(call, n, operand));
  TRY(ready_folder(call, false, error));
  if (call->input != NULL) {
    TRY(config_load(call->input, call->set.text, call->set.n, &config, error));
    TRY(trial_of_start(config, error));
    TRY(simulation_create(&s, config, 0, error));
    merge_input(call, s);
  }
  TRY(snapshots_open(&snapshots, &call->snapshots, error));
  TRY(check_snapshots(call, snapshots, error));
  TRY(snapshots_check(snapshots, &call->options, error));
  call->options.breathes = snapshots_breathe(snapshots);
  TRY(observable_set_create(&set, &call->options, snapshots_interval(snapshots), snapshots_shape(snapshots),
                            error));
  TRY(file_make_folder(call->dir, error));
  TRY(add_all(call, set, snapshots, error));
  if (*snapshots_warning(snapshots) != '\0')
    printable_print(stderr, "holonom observe: warning: %s\n", snapshots_warning(snapshots));
  return write_all(call, set, error);
}

static const char *name(int i) { return observable_table[i] != NULL ? observable_table[i]->name : NULL; }

/* Options for the keys of observables. */
#define ABOVE(limit)     .least = (limit)
#define WITHIN(from, to) .least = (from), .most = (to)
#define DEFAULT(text)    text
#define OPTIONAL(words)  words
#define OPTION(field, words, quantity, absent, help, ...)                                                    \
  {words,                                                                                                    \
   0,                                                                                                        \
   quantity##_ARGUMENT,                                                                                      \
   help " Default: " absent ".",                                                                             \
   COMMAND_TO(options.field),                                                                                \
   __VA_ARGS__,                                                                                              \
   .unit = quantity##_UNIT},

static const CommandOption options[] = {
    {"model", 0, "NAME",
     "Water model (see 'holonom list models') for masses and charges; not needed without water.",
     COMMAND_TO(snapshots.model)},
    {"names", 0, "FILE", "Structure file with the names of the atoms of a DCD or XTC; default: waters O H H.",
     COMMAND_TO(snapshots.names)},
    {"set", 0, "KEY=VALUE", "Overrides a key of the input file; repeatable.", COMMAND_TO(set)},
    {"select", 0, "WORDS",
     "With an input file: selects the atoms that the trajectory contains, in MDAnalysis's language. Default: "
     "the selection in the file (H5MD) or in the input's output.FORMAT_atoms.",
     COMMAND_TO(snapshots.select)},
    {"box", 0, "A[,B,C[,ALPHA,BETA,GAMMA]]",
     "Lengths of the box in angstrom, with the angles between its edges in degrees, or nine components of "
     "its edges; replaces the files' boxes.",
     COMMAND_TO(snapshots.box)},
    {"from", 0, "PS", "First time to use.", COMMAND_TO(snapshots.from), .zero = true, .unit = "ps"},
    {"to", 0, "PS", "Last time to use.", COMMAND_TO(snapshots.to), .unit = "ps"},
    {"every", 0, "N", "Uses every Nth frame in that range.", COMMAND_TO(snapshots.every), 1, 1e12},
    {"interval", 0, "PS", "Time between frames, instead of the files' times.", COMMAND_TO(snapshots.interval),
     .unit = "ps"},
    {"temperature", 0, "K", "Temperature for dipole and for the finite-size correction of msd and vacf.",
     COMMAND_TO(options.temperature), .unit = "K"},
    {"friction", 0, "PER_PS",
     "Langevin friction (mass convention) for the finite-size correction of msd and vacf. Default: the input "
     "file's, else no thermostat.",
     COMMAND_TO(options.friction), .unit = "1/ps"},
#define OWN_KEY(name, key, type, sorts, quantity, limits, absent, example, ...)                              \
  OPTION(name.key, #name "-" #key, quantity, absent, __VA_ARGS__, limits)
#define SHARED_KEY(key, type, quantity, limits, absent, example, ...)                                        \
  OPTION(given_##key, #key, quantity, absent, __VA_ARGS__, limits)
#define OBSERVABLE(name, sorts, fallback, help, ...) __VA_ARGS__
#include "observables/observable_rows.def"
    {"gofr-max", 0, "R", "Old name of --rdf-max.", COMMAND_TO(options.rdf.max), .unit = "A"},
    {"gofr-width", 0, "R", "Old name of --rdf-width.", COMMAND_TO(options.rdf.width), .unit = "A"},
    {"keep-drift", 0, NULL, "Keeps the motion of the centre of all molecules in msd and vacf.",
     COMMAND_TO(options.keep_drift)},
    {"threads", 0, "N", "Number of threads; 0 (default): all available cores.", COMMAND_TO(options.threads),
     0, 1024},
    {"out", 'o', "DIR", "Folder for the results; default: observe.out.", COMMAND_TO(dir)},
    {"force", 0, NULL, "Overwrites earlier results.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "observe.out"};

const Command command_observe = {
    .name = "observe",
    .summary = "computes radial distributions, diffusion and other observables of a trajectory",
    .operands = "NAME[,NAME...] [INPUT.yaml] TRAJECTORY...",
    .most = -1,
    .doc = "Computes observables of a periodic liquid or a cluster from XYZ, DCD, XTC, H5MD, GRO or PDB "
           "trajectories; several files of one run are given in order. 'holonom list observables' describes "
           "the observables. With an input file (.yaml), its molecules are those of the trajectory. "
           "Torsions, angles, distances, radii of gyration and sites of g(r) of the input are measured as in "
           "a run, with its bins, ranges and temperature unless options override them. Writes NAME.csv with "
           "standard errors, pictures, and observables.json with the printed numbers.",
    .choice = name,
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
