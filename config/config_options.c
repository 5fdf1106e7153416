#include "config/config_options.h"

#include <string.h>

#include "config/config_private.h"
#include "methods/method_table.h"

PlanOptions config_options_plan(const Config *c, Isa isa)
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
            {"removal", KEY_thermostat_remove},
            {"friction", KEY_thermostat_friction},
            {"temperature", KEY_thermostat_temperature},
            {"cutoff", KEY_forces_cutoff},
            {"truncation", KEY_forces_truncation},
            {"switch", KEY_forces_switch},
            {"coulomb", KEY_forces_coulomb},
            {"solute", KEY_alchemy_molecules},
            {"accuracy", KEY_forces_accuracy},
            {"beta", KEY_forces_beta},
            {"order", KEY_forces_order},
            {"grid", KEY_forces_grid},
            {"permittivity", KEY_forces_permittivity},
            {"buffer", KEY_forces_buffer}};

/* The key of the option that the error names, or `otherwise`. */
static InputKey key_of(const Error *why, InputKey otherwise)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (why->option != NULL && strcmp(keys[i].option, why->option) == 0)
      return (InputKey){.row = keys[i].key};
  return otherwise;
}

void config_options_check(const Config *c, Input *in)
{
  const PlanOptions plan = config_options_plan(c, ISA_PLAIN);
  const bool mechanical = config_mechanical(c), general = config_sort_is(c, SORT_GENERAL);
  const PlanSystem system = {.general = general,
                             .unkept = mechanical && !general && c->system.constraints.n > 0 &&
                                       !config_penalises(c),
                             .stiff = config_penalises(c) || (mechanical && plan.constraints == NULL)};
  Error why;
  if (plan.accel != NULL && plan_check_options(&plan, &system, &why) != STATUS_OK) /* NULL: out of memory */
    input_complain(in, key_of(&why, KEY(integrator_word)), "%s", why.text);
}

Status config_options_name(const Config *c, Status status, Error *error)
{
  const bool named = error != NULL && error->option != NULL;
  return named ? config_options_pass(c, KEY(integrator_word), status, error, error) : status;
}

Status config_options_pass(const Config *c, InputKey otherwise, Status status, const Error *why, Error *error)
{
  if (status == STATUS_OK) /* *why is not set */
    return STATUS_OK;
  return input_pass(c->input, key_of(why, otherwise), status, why, error);
}
