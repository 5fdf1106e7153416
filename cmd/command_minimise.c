/* holonom minimise: minimises the energy of an input's start. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/stop.h"
#include "base/text.h"
#include "cmd/command.h"
#include "cmd/listen.h"
#include "cmd/minimise.h"
#include "cmd/trial.h"
#include "simulation/molecules/system.h"

typedef struct Call {
  const char *file, *dir;
  CommandSets set;
  double tolerance;
  int steps, threads;
  bool force, quiet;
} Call;

static const ManifestNames names = {.file = minimise_names};

/* Settings for molecules, added after the user's own. */
enum { OWN = 4, WORDS = 64 };
typedef struct Sets {
  int n;
  const char *text[COMMAND_SETS + OWN];
  char words[OWN][WORDS];
} Sets;

static void add_set(Sets *sets, int i, const char *format, double value)
{
  LOCALE_PLAIN;
  snprintf(sets->words[i], WORDS, format, value);
  sets->text[sets->n++] = sets->words[i];
}

static Status load(const Call *call, Config **config, Error *error)
{
  Sets sets = {.n = call->set.n};
  for (int i = 0; i < sets.n; i++)
    sets.text[i] = call->set.text[i];
  TRY(config_load(call->file, sets.text, sets.n, config, error));
  if (config_mechanical(*config))
    return STATUS_OK;
  /* Velocities of the start file do not match the minimised positions. */
  if ((*config)->thermostat.initial == INITIAL_FILE)
    sets.text[sets.n++] = "thermostat.initial=zero";
  sets.text[sets.n++] = "system.minimise=true";
  if (call->tolerance > 0.0)
    add_set(&sets, 0, "system.minimise_tolerance=%.17g", call->tolerance);
  if (call->steps > 0)
    add_set(&sets, 1, "system.minimise_steps=%.0f", call->steps);
  config_free(*config);
  *config = NULL;
  return config_load(call->file, sets.text, sets.n, config, error);
}

/* --- results ------- */

static void print_summary(const Config *config, const Minimised *m, FILE *file)
{
  LOCALE_PLAIN;
  const bool reduced = config->reduced;
  fprintf(file,
          "# The start of an input at a minimum of its energy, by holonom minimise " HOLONOM_VERSION "\n");
  fprintf(file, "# %s\n",
          reduced ? "in the input's own units" : "energies in kcal/mol, forces in kcal/mol/A");
  fprintf(file, "tolerance: %.10g\nconverged: %s\nsteps: %d\n", m->tolerance, m->converged ? "yes" : "no",
          m->steps);
  if (m->softened > 0)
    fprintf(file, "steps_apart: %d # with a soft repulsion, because atoms overlapped\n", m->softened);
  fprintf(file, "configurations:\n");
  for (int i = 0; i < m->n; i++) {
    fprintf(file, "  - potential: %.15g\n    largest_force: %.6g\n", m->frame[i].energy, m->frame[i].force);
    for (int t = 0; t < m->nterm && m->nterm > 1; t++)
      fprintf(file, "    %s: %.15g\n", m->term[t], m->frame[i].term[t]);
  }
}

static Status write_all(const Call *call, const Simulation *s, const Minimised *m, Error *error)
{
  Text *summary;
  TRY(file_make_folder(call->dir, error));
  TRY(manifest_clear(call->dir, &names, error)); /* removes files of an earlier call */
  TRY(minimise_write(s, m, call->dir, error));
  TRY(text_replace(&summary, call->dir, "minimised.yaml", error));
  print_summary(simulation_config(s), m, text_file(summary));
  return text_close(summary, error);
}

static void print_result(const Call *call, const Simulation *s, const Minimised *m)
{
  LOCALE_PLAIN;
  double energy = 0.0, force = 0.0;
  for (int i = 0; i < m->n; i++) {
    energy += m->frame[i].energy / m->n;
    force = fmax(force, m->frame[i].force);
  }
  printf("potential %.15g\nlargest_force %.6g\nsteps %d\n", energy, force, m->steps);
  if (!m->converged)
    printable_print(stderr,
                    "holonom minimise: warning: the largest force, %.3g, exceeds the tolerance of %.3g after "
                    "%d steps; allow more with --steps\n",
                    force, m->tolerance, m->steps);
  if (call->quiet)
    return;
  const bool mechanical = config_mechanical(simulation_config(s)), gro = !mechanical && system_writes_gro(s);
  printable_print(stdout, "minimised.yaml and %s for system.file are in %s\n",
                  mechanical ? "the start minimised.csv"
                  : gro      ? "the starts minimised.xyz and minimised.gro"
                             : "the start minimised.xyz",
                  call->dir);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  Call *call = self;
  call->file = operand[0];
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *s = NULL;
  SCOPED(minimise_free) Minimised minimised = {0};
  TRY(command_folder(call->dir, &names, call->force, error));
  TRY(load(call, &config, error));
  TRY(trial_of_start(config, error));
  TRY(simulation_create(&s, config, command_threads(call->threads), error));
  listen_for_stops();
  const SimulationStart how = {.out = call->quiet ? NULL : stderr, .stop = stop_flag()};
  TRY(minimise_start(s, &how, call->tolerance > 0.0 ? call->tolerance : MINIMISE_TOLERANCE,
                     call->steps > 0 ? call->steps : MINIMISE_STEPS, &minimised, error));
  TRY(write_all(call, s, &minimised, error));
  print_result(call, s, &minimised);
  return STATUS_OK;
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the results; default: minimise.out.", COMMAND_TO(dir)},
    {"tolerance", 0, "F",
     "Largest component of a force at the end, in kcal/mol/A or the input's own units. Default: "
     "system.minimise_tolerance of the input; 1e-6 for mechanical systems.",
     COMMAND_TO(tolerance), .least = 1e-300, .unit = "kcal/mol/A"},
    {"steps", 0, "N",
     "Maximum number of steps. Default: system.minimise_steps of the input; 60000 for mechanical systems.",
     COMMAND_TO(steps), 1, INT32_MAX},
    {"set", 0, "KEY=VALUE", "Overrides a key of the input file; repeatable.", COMMAND_TO(set)},
    {"threads", 0, "N",
     "Overrides ensemble.threads; 0: all available cores. The result does not depend on it.",
     COMMAND_TO(threads), 0, 4096},
    {"force", 0, NULL, "Overwrites the results of an earlier call in DIR.", COMMAND_TO(force)},
    {"quiet", 'q', NULL, "Prints neither progress nor names of files.", COMMAND_TO(quiet)},
    {.name = NULL}};

static const Call defaults = {.dir = "minimise.out", .threads = COMMAND_NOT_GIVEN};

const Command command_minimise = {
    .name = "minimise",
    .summary = "minimises the energy of an input's start",
    .operands = "FILE",
    .subject = "input file",
    .least = 1,
    .most = 1,
    .doc = "Minimises the energy of the start of an input file, as runs do with system.minimise: true. The "
           "method is FIRE (Bitzek et al. 2006) in double precision, with the run's constraints, rigid "
           "molecules, virtual sites and restraints. Overlapping atoms are first moved apart. Prints energy, "
           "largest force and steps. Writes to DIR minimised.yaml, with the energies by term, and starts for "
           "a run: minimised.xyz (all digits) and minimised.gro, or minimised.csv for a mechanical system. "
           "Every start is minimised if there are several (system.frame: each, replicas of mechanical "
           "systems). A start that does not reach the tolerance is written with a warning.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
