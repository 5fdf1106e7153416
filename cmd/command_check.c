/* holonom check FILE: validates an input and prints what it means, including whether the time step suits
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/check_forces.h"
#include "cmd/command.h"
#include "cmd/trial.h"
#include "simulation/run/run_folder.h"
#include "simulation/simulation_private.h"

SCOPED_POINTER(State, state_free)

/* Compares the forces at the start with an exact sum. */
static Status print_forces(Simulation *s, Error *error)
{
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  CheckForces found;
  SCOPED(scoped_free) double *x = malloc(s->coordinates * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  TRY(simulation_place(s, error));
  TRY(topology_state(s->topology, 1, 1, 0, &state, error));
  ensemble_get(s->ensemble, 0, x, NULL);
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  state->box = simulation_box(s, 0);
  TRY(simulation_field_create(s, NULL, state, &field, error));
  TRY(check_forces_measure(&field.force[0], state, s->threads, &found, error));
  check_forces_print(&found, stdout);
  return STATUS_OK;
}

typedef struct Call {
  const char *file, *start;
  CommandSets set;
  bool forces, all;
} Call;

static Status check(const Call *call, int *warnings, Error *error)
{
  SCOPED(config_free_at) Config *config = NULL;
  SCOPED(simulation_free_at) Simulation *s = NULL;
  TRY(config_load(call->file, call->set.text, call->set.n, &config, error));
  TRY(trial_of_start(config, error));
  SCOPED(scoped_free) char *folder = run_folder_default(call->file);
  TRY_MEMORY(folder != NULL, "a file name", error);
  TRY(simulation_create(&s, config, 0, error));
  if (call->forces && !box_periodic(&s->box))
    return error_set(error, STATUS_INPUT, "%s: --forces needs a periodic box, and this input has none",
                     call->file);
  TRY(simulation_check(s, &(SimulationStart){.folder = folder, .given = call->start, .out = stderr}, stdout,
                       warnings, error));
  if (call->forces) {
    printf("# forces at the start\n");
    TRY(print_forces(s, error));
  }
  if (call->all) {
    printf("# all keys of the input\n");
    TRY(input_print(config->input, stdout, error));
  }
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  Call *call = self;
  call->file = operand[0];
  int warnings = 0;
  const Status status = check(call, &warnings, error);
  if (status != STATUS_OK)
    fflush(stdout); /* before the message */
  else if (warnings == 0)
    printf("# the input is fine\n");
  else
    printf("# %d warning%s\n", warnings, warnings > 1 ? "s" : "");
  return status;
}

static const CommandOption options[] = {
    {"set", 0, "KEY=VALUE", "Overrides a key of the file; repeatable.", COMMAND_TO(set)},
    {"forces", 0, NULL,
     "Measures the errors of forces, energy and pressure of a periodic box at its start against a converged "
     "Ewald sum. It takes seconds for thousands of molecules and scales as their number to the power 3/2.",
     COMMAND_TO(forces)},
    {"all", 0, NULL, "Also prints every key with its value, including defaults.", COMMAND_TO(all)},
    {"start", 0, "DIR",
     "Uses the start built for the run in DIR (built-start.xyz). Default: a matching start in the folder "
     "that a run of FILE would use; otherwise a start is built. Writes nothing.",
     COMMAND_TO(start)},
    {.name = NULL}};

const Command command_check = {
    .name = "check",
    .summary = "validates an input file and explains it",
    .operands = "FILE",
    .subject = "input file",
    .least = 1,
    .most = 1,
    .doc = "Reads an input file ('-': standard input) and reports its first error, or explains it: degrees "
           "of freedom, the fastest frequencies W and h W, and how much the step widens stiff modes. For "
           "penalties it prints their energy by equipartition, the heat that the step adds, and the longest "
           "accurate step. For a periodic box it prints the density, the method of the forces, memory and "
           "speed. The last line says that the input is fine, or counts the warnings.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
