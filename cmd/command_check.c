/* holonom check FILE: is the input right, what does it mean, and does the time step suit it? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "cmd/check_forces.h"
#include "cmd/command.h"
#include "engine/ticks.h"
#include "engine/units.h"
#include "integrators/accel.h"
#include "simulation/frequency.h"
#include "simulation/mechanics_report.h"
#include "simulation/progress.h"
#include "simulation/report_box.h"
#include "simulation/run_folder.h"
#include "simulation/sampling.h"
#include "simulation/simulation.h"
#include "simulation/system_box.h"
#include "simulation/water_report.h"

/* Steps of a box to see how fast it goes: the best of some trials. */
enum { TRIALS = 10, TRIAL_STEPS = 10 };
static const double trial_seconds = 1.0;

static void print_system(const Simulation *s, const char *remark)
{
  const Config *c = s->config;
  printf("# what runs\n");
  if (c->sort != SORT_BOX)
    printf("molecules: %d %s, %d replica%s in groups of %d\n", s->molecules, system_water(s)->model->name,
           s->replicas, s->replicas > 1 ? "s" : "", s->width);
  printf("machine: %d thread%s, %s instructions\n", s->threads, s->threads > 1 ? "s" : "", isa_name(s->isa));
  printf("start: %s\n", remark);
  printf("length: %lld steps of %.6g AKMA (%.6g fs): %.6g AKMA (%.6g ps)\n", (long long)s->steps, s->h,
         s->h * UNITS_AKMA_FS, (double)s->steps * s->h, system_picoseconds(s, s->steps));
  printf("degrees of freedom: %d of each replica\n", plan_freedom(s->plan, s->nmol));
  printf("temperature: %.6g K (kT = %.6g kcal/mol, inverse temperature %.6g)\n", s->kT / UNITS_BOLTZMANN,
         s->kT, s->kT > 0 ? 1.0 / s->kT : INFINITY);
  if (c->thermostat.langevin && c->thermostat.friction > 0.0) {
    const bool uniform = c->thermostat.convention == FRICTION_UNIFORM;
    printf("relaxation of free momenta:");
    for (int k = 0; k < s->nkind; k++)
      for (int site = 0; site < s->kind[k]->nsite && site < 2; site++)
        printf("%s %.4g AKMA (%s)", k + site > 0 ? "," : "",
               (uniform ? s->kind[k]->mass[site] : 1.0) / c->thermostat.friction, s->kind[k]->site[site]);
    printf("\n");
  }
}

/* Forces, memory and, from one computation of them, about how fast it would go. */
static Status print_box(Simulation *s, Error *error)
{
  printf("box: %.6g x %.6g x %.6g A, %.5g g/cm3, %d molecules:", s->box.length[0], s->box.length[1],
         s->box.length[2], system_box_density(s), s->molecules);
  for (int k = 0; k < s->nkind; k++)
    printf(" %d %s", s->nmol[k], s->kind[k]->name);
  printf("\n");
  Status status = simulation_prepare(s, error);
  if (status != STATUS_OK)
    return status;
  Ensemble *ensemble = s->ensemble;
  char words[1024];
  report_box_forces(s, &ensemble_field(ensemble)->force[0], words, sizeof words);
  printf("%s", words);
  Sampling *sampling = NULL;
  status = sampling_create(&sampling, s, ensemble, error);
  sampling_free(sampling);
  if (status == STATUS_OK)
    status = simulation_place(s, error);
  double least = INFINITY;
  const double begun = ticks_seconds();
  for (int i = 0; i < TRIALS && status == STATUS_OK && ticks_seconds() - begun < trial_seconds; i++) {
    const double before = ticks_seconds();
    status = ensemble_run(ensemble, ensemble_step(ensemble) + TRIAL_STEPS, NULL, error);
    least = fmin(least, (ticks_seconds() - before) / TRIAL_STEPS);
  }
  struct rusage usage;
  if (status == STATUS_OK && getrusage(RUSAGE_SELF, &usage) == 0) {
    char left[64];
    printf("memory: %.3g MB so far\n", (double)usage.ru_maxrss / 1024.0);
    printf("speed: about %.4g ms a step, %.4g ns a day, %s in all\n", 1e3 * least, system_speed(s, least),
           progress_duration((double)s->steps * least, left, sizeof left));
  }
  return status;
}

/* The forces at the start against the sum that they stand for. */
static Status print_forces(const Simulation *s, const double *x, Error *error)
{
  State *state = NULL;
  ForceField field = {.n = 0};
  CheckForces found;
  Status status = state_create(&state, 1, s->nkind, s->kind, s->nmol, 1, 0, error);
  if (status == STATUS_OK) {
    state->box = s->box;
    state_set_all(state, STATE_POSITIONS, 0, x);
    status = system_box_field(s, state, &field, error);
  }
  if (status == STATUS_OK)
    status = check_forces_measure(&field.force[0], state, s->threads, &found, error);
  if (status == STATUS_OK)
    check_forces_print(&found, stdout);
  force_field_free(&field);
  state_free(state);
  return status;
}

/* What the word makes of a mode. */
static void print_result(const OscillatorResult *r)
{
  switch (r->fate) {
  case OSCILLATOR_SAMPLED:
    printf("its variance is sampled %.4g times as large as it is, its momenta at the end of a step read %.4g "
           "of the "
           "temperature\n",
           r->position, r->momentum);
    break;
  case OSCILLATOR_CONSERVED:
    printf("stable; without a thermostat the variance of its position is %.4g times what goes with its "
           "momenta\n",
           r->position / r->momentum);
    break;
  case OSCILLATOR_DIES:
    printf("cold by design: noise does not reach it, and friction takes its energy in %.3g steps\n",
           -0.5 / log(r->growth));
    break;
  case OSCILLATOR_UNSTABLE:
    printf("UNSTABLE\n");
    break;
  case OSCILLATOR_UNKNOWN:
    printf("as the method takes it\n");
    break;
  }
}

static void print_mode(const char *name, double frequency, double h, const OscillatorResult *result)
{
  printf("%s: W = %.5g per AKMA (%.4g cm^-1), h W = %.4g, ", name, frequency,
         frequency / UNITS_AKMA_FS * 1e15 / (2.0 * M_PI * 2.99792458e10), h * frequency);
  print_result(result);
}

static void print_rates(const Simulation *s, const SystemRates *rates)
{
  const Config *c = s->config;
  const bool filtered = !accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
  printf("# the time step against the fastest motions\n");
  for (int i = 0; i < 3 && c->geometry.method == GEOMETRY_PENALTY; i++) {
    char name[32];
    snprintf(name, sizeof name, "penalised mode %d", i + 1);
    print_mode(name, rates->penalty[i], s->h, &rates->stiff[i]);
  }
  print_mode("fastest libration", rates->libration, s->h, &rates->fastest);
  char words[512];
  if (water_report_reading(s, rates->reading, words, sizeof words))
    printf("%s", words);
  if (word_has(plan_spelling(s->plan), 'S') && s->h * rates->libration > M_PI)
    printf("note: the slow kicks come more than half a period of the librations apart, and can drive them\n");
  if (c->geometry.method == GEOMETRY_PENALTY && filtered && s->h * rates->penalty[2] > 2.0)
    printf("note: a plain Verlet word would be unstable here (h W = %.3g, and 2 is the limit)\n",
           s->h * rates->penalty[2]);
  if (c->geometry.method == GEOMETRY_PENALTY && filtered && c->geometry.hessian == HESSIAN_FULL) {
    const double gap = c->integrator.beta * s->h * s->h * c->geometry.w * c->geometry.w;
    printf("warning: with the full penalty Hessian the matrix of a molecule can lose its definiteness once a "
           "bond "
           "is compressed by about %.3g A\n",
           s->kind[0]->mass[s->kind[0]->nsite - 1] / (4.0 * gap * system_water(s)->model->d_oh));
  }
}

static Status check(const Config *config, const SimulationStart *how, bool forces, Error *error)
{
  Simulation *s;
  Status status = simulation_create(&s, config, 0, error);
  if (status != STATUS_OK)
    return status;
  const Water *w = system_water(s);
  status = system_find(s, how, error);
  if (status == STATUS_OK) {
    printf("# the input, resolved\n");
    status = input_print(config->input, stdout, error);
  }
  if (status == STATUS_OK) {
    for (int i = 0; input_notes(config->input, i) != NULL; i++)
      printf("note: %s\n", input_notes(config->input, i));
    print_system(s, w->start.remark);
    print_rates(s, &w->rates);
    status = system_check_step(s, &w->rates, error);
  }
  if (status == STATUS_OK && config->sort == SORT_BOX) {
    printf("# the box\n");
    status = print_box(s, error);
  }
  if (status == STATUS_OK && forces) {
    printf("# the forces at the start\n");
    status = print_forces(s, w->start.x, error);
  }
  simulation_free(s);
  return status;
}

static Status check_mechanics(const Config *config, Error *error)
{
  Simulation *s;
  Status status = simulation_create(&s, config, 0, error);
  if (status == STATUS_OK)
    status = simulation_start(s, NULL, error);
  if (status == STATUS_OK)
    status = mechanics_report_check(mechanics_of(s), stdout, error);
  simulation_free(s);
  return status;
}

typedef struct Call {
  const char *file, *start;
  CommandSets set;
  bool forces, keys;
} Call;

static Status check_file(const Call *call, const Config *config, Error *error)
{
  if (call->forces && config->sort != SORT_BOX)
    return error_set(error, STATUS_INPUT,
                     "%s: --forces measures the forces of a periodic box, and this is none", call->file);
  if (config_mechanical(config) && call->start != NULL)
    return error_set(error, STATUS_INPUT, "%s: --start takes the start that was built for a cluster of water",
                     call->file);
  if (config_mechanical(config))
    return check_mechanics(config, error);
  char *folder = run_folder_default(call->file);
  const SimulationStart how = {.folder = folder, .given = call->start, .out = stderr};
  const Status status =
      folder != NULL ? check(config, &how, call->forces, error) : error_memory(error, "a file name");
  free(folder);
  return status;
}

static int run(void *self, int n, char *const *operand)
{
  Call *call = self;
  Error error = {0};
  if (call->keys)
    return command_end(&command_check, input_describe(config_table, stdout, &error), &error);
  if (n == 0)
    return command_misused(&command_check, "which input file?");
  call->file = operand[0];
  Config *config;
  Status status = config_load(call->file, call->set.text, call->set.n, &config, &error);
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
     "Measures the errors of forces, energy and pressure of a periodic box at its start, against a "
     "converged Ewald sum (seconds for thousands of molecules, and growing as their number to 3/2).",
     COMMAND_TO(forces)},
    {"start", 0, "DIR",
     "Takes the start that was built for the run in DIR (built-start.xyz); without it one that lies in "
     "the folder that FILE would be run into, if it fits, else it is built. Nothing is written.",
     COMMAND_TO(start)},
    {"keys", 0, NULL, "Lists every key that an input file can have; needs no FILE.", COMMAND_TO(keys)},
    {.name = NULL}};

const Command command_check = {
    .name = "check",
    .summary = "says what is wrong with an input file, or what it means",
    .operands = "FILE",
    .subject = "input file",
    .most = 1,
    .doc =
        "Reads an input file ('-': standard input), says what is wrong with it, or prints what it means: the "
        "resolved input, degrees of freedom, the fastest frequencies W and h W, and how far the step widens "
        "the "
        "stiff modes. Of a periodic box also its density, how its forces would be computed, memory and "
        "speed.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
