#include "config/config_plan.h"

#include <string.h>

#include "config/config_private.h"
#include "methods/method_table.h"

PlanOptions config_plan_options(const Config *c, Isa isa)
{
  const bool composed = c->integrator.composition != NULL && strcmp(c->integrator.composition, "none") != 0;
  return (PlanOptions){.word = c->integrator.word,
                       .weight = c->integrator.weights.value,
                       .nweight = c->integrator.weights.n,
                       .h = c->integrator.timestep,
                       .accel = c->integrator.acceleration,
                       .beta = c->integrator.beta,
                       .w = config_penalises(c) ? c->geometry.w : 0.0,
                       .hessian = (PenaltyHessian)c->geometry.hessian,
                       .tolerance = c->integrator.tolerance,
                       .max_iterations = c->integrator.max_iterations,
                       .method = method_table_find(c->integrator.method),
                       .base = c->integrator.base,
                       .own = &c->integrator.search,
                       .composition = composed ? c->integrator.composition : NULL,
                       .constraints = config_constraint_method(c),
                       .constraint = {.tolerance = c->geometry.tolerance,
                                      .max_iterations = c->geometry.max_iterations,
                                      .solver = c->geometry.solver},
                       .friction = (Friction)c->thermostat.convention,
                       .gamma = c->thermostat.type == THERMOSTAT_LANGEVIN ? c->thermostat.friction : 0.0,
                       .time = c->thermostat.type == THERMOSTAT_RESCALE ? c->thermostat.time : 0.0,
                       .kT = c->thermostat.kT,
                       .tangent = c->thermostat.tangent,
                       .removal = (Removal)c->thermostat.remove,
                       .keep_multipliers = c->output.multipliers_every > 0,
                       .isa = isa};
}

static const struct {
  const char *option;
  int key;
} keys[] = {{"word", KEY_integrator_word},
            {"weights", KEY_integrator_weights},
            {"acceleration", KEY_integrator_acceleration},
            {"method", KEY_integrator_method},
            {"composition", KEY_integrator_composition},
            {"hessian", KEY_geometry_hessian},
            {"constraints", KEY_geometry_method},
            {"solver", KEY_geometry_solver},
            {"removal", KEY_thermostat_remove}};

/* An option without a row is a fault in the table; the word stands for the integrator then. */
static InputKey key_of(const Error *why)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (why->option != NULL && strcmp(keys[i].option, why->option) == 0)
      return (InputKey){.row = keys[i].key};
  return KEY(integrator_word);
}

void config_plan_check(const Config *c, Input *in)
{
  const PlanOptions plan = config_plan_options(c, ISA_PLAIN);
  const bool mechanical = config_mechanical(c), general = config_sort_is(c, SORT_GENERAL);
  const PlanSystem system = {.general = general,
                             .unkept = mechanical && !general && c->system.constraints.n > 0 &&
                                       !config_penalises(c),
                             .stiff = config_penalises(c) || (mechanical && plan.constraints == NULL)};
  Error why;
  if (plan.accel != NULL && plan_check_options(&plan, &system, &why) != STATUS_OK) /* NULL: out of memory */
    input_complain(in, key_of(&why), "%s", why.text);
}

Status config_plan_name(const Config *c, Status status, Error *error)
{
  const bool named = status == STATUS_INPUT && error != NULL && error->option != NULL;
  return named ? input_pass(c->input, key_of(error), status, error, error) : status;
}
