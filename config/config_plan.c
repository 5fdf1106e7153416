#include "config/config_plan.h"

#include <string.h>

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
