/* holonom check FILE: is the input right, what does it mean, and does the time step suit it? */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/check_forces.h"
#include "cmd/command.h"
#include "cmd/trial.h"
#include "simulation/run/run_folder.h"
#include "simulation/simulation_private.h"

/* The forces at the start against the sum that they stand for. */
static Status print_forces(Simulation *s, Error *error)
{
  State *state = NULL;
  ForceField field = {.n = 0};
  CheckForces found;
  Status status = simulation_place(s, error);
  if (status == STATUS_OK)
    status = state_create(&state, 1, s->nkind, s->kind, s->nmol, 1, 0, error);
  if (status == STATUS_OK) {
    state_copy(state, ensemble_gang(s->ensemble, 0));
    status = s->sort->field(s, state, &field, error);
  }
  if (status == STATUS_OK)
    status = check_forces_measure(&field.force[0], state, s->threads, &found, error);
  if (status == STATUS_OK)
    check_forces_print(&found, stdout);
  force_field_free(&field);
  state_free(state);
  return status;
}

typedef struct Call {
  const char *file, *start;
  CommandSets set;
  bool forces;
} Call;

static Status check(const Call *call, const Config *config, const char *folder, Error *error)
{
  const SimulationStart how = {.folder = folder, .given = call->start, .out = stderr};
  Simulation *s;
  Status status = simulation_create(&s, config, 0, error);
  if (status != STATUS_OK)
    return status;
  if (call->forces && !box_periodic(&s->box))
    status = error_set(error, STATUS_INPUT,
                       "%s: --forces measures the forces of a periodic box, and this input has no box",
                       call->file);
  if (status == STATUS_OK)
    status = simulation_check(s, &how, stdout, error);
  if (status == STATUS_OK && call->forces) {
    printf("# the forces at the start\n");
    status = print_forces(s, error);
  }
  simulation_free(s);
  return status;
}

static Status check_file(const Call *call, const Config *config, Error *error)
{
  char *folder = run_folder_default(call->file);
  const Status status =
      folder != NULL ? check(call, config, folder, error) : error_memory(error, "a file name");
  free(folder);
  return status;
}

static int run(void *self, int n, char *const *operand)
{
  (void)n;
  Call *call = self;
  Error error = {0};
  call->file = operand[0];
  Config *config;
  Status status = config_load(call->file, call->set.text, call->set.n, &config, &error);
  if (status == STATUS_OK)
    status = trial_of_start(config, &error);
  if (status == STATUS_OK)
    status = check_file(call, config, &error);
  config_free(config);
  if (status == STATUS_OK)
    printf("# the input is fine\n");
  else
    fflush(stdout); /* before the message */
  return command_end(&command_check, status, &error);
}

static const CommandOption options[] = {
    {"set", 0, "KEY=VALUE", "Overrides a key of the file; may come often.", COMMAND_TO(set)},
    {"forces", 0, NULL,
     "Measures the errors of forces, energy and pressure of a periodic box at its start, against a converged "
     "Ewald sum (seconds for thousands of molecules, and growing as their number to 3/2).",
     COMMAND_TO(forces)},
    {"start", 0, "DIR",
     "Takes the start that was built for the run in DIR (built-start.xyz); without it one that lies in the "
     "folder that FILE would be run into, if it fits, else it is built. Nothing is written.",
     COMMAND_TO(start)},
    {.name = NULL}};

const Command command_check = {
    .name = "check",
    .summary = "says what is wrong with an input file, or what it means",
    .operands = "FILE",
    .subject = "input file",
    .least = 1,
    .most = 1,
    .doc = "Reads an input file ('-': standard input), says what is wrong with it, or prints what it means: "
           "the resolved input, degrees of freedom, the fastest frequencies W and h W, and how far the step "
           "widens the stiff modes, and of penalties what they hold by equipartition, how much heat the step "
           "adds, "
           "and the longest step that is right. Of a periodic box also its density, how its forces would be "
           "computed, "
           "memory and speed.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
