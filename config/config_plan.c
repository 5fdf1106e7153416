#include "config/config_plan.h"

#include <string.h>

#include "config/kinematic_search.h"

const Method *config_plan_method_row(int i)
{
  int known = 0;
  while (known < i && method_table[known] != NULL)
    known++;
  return method_table[known] != NULL ? method_table[known] : i == known ? &method_kinematic_search : NULL;
}

const Method *config_plan_method(const Config *c)
{
  const Method *method = NULL;
  for (int i = 0; c->integrator.method != NULL && (method = config_plan_method_row(i)) != NULL; i++)
    if (strcmp(method->name, c->integrator.method) == 0)
      break;
  return method;
}

PlanOptions config_plan_options(const Config *c, Isa isa)
{
  const bool composed = c->integrator.composition != NULL && strcmp(c->integrator.composition, "none") != 0;
  return (PlanOptions){.word = c->integrator.word,
                       .weight = c->integrator.weights.value,
                       .nweight = c->integrator.weights.n,
                       .h = c->integrator.timestep,
                       .accel = c->integrator.acceleration,
                       .beta = c->integrator.beta,
                       .w = c->geometry.method == GEOMETRY_PENALTY ? c->geometry.w : 0.0,
                       .hessian = (PenaltyHessian)c->geometry.hessian,
                       .tolerance = c->integrator.tolerance,
                       .max_iterations = c->integrator.max_iterations,
                       .method = config_plan_method(c),
                       .base = c->integrator.base,
                       .own = &c->integrator.search,
                       .composition = composed ? c->integrator.composition : NULL,
                       .constraints = config_constraint_method(c),
                       .constraint = {.tolerance = c->geometry.tolerance,
                                      .max_iterations = c->geometry.max_iterations,
                                      .solver = c->geometry.solver},
                       .friction = (Friction)c->thermostat.convention,
                       .gamma = c->thermostat.langevin ? c->thermostat.friction : 0.0,
                       .kT = c->thermostat.kT,
                       .tangent = c->thermostat.tangent,
                       .removal = (Removal)c->thermostat.remove,
                       .keep_multipliers = c->output.multipliers_every > 0,
                       .isa = isa};
}
