/* Implements the functions of holonom.h for parameters of the Hamiltonian. */
#include "simulation/hol_call.h"

int hol_parameter_find(const hol_simulation *simulation, const char *name)
{
  return simulation != NULL && name != NULL ? simulation_parameter_find(simulation->simulation, name) : -1;
}

const char *hol_parameter_name(const hol_simulation *simulation, int parameter)
{
  return simulation != NULL ? simulation_parameter_name(simulation->simulation, parameter) : NULL;
}

const char *hol_parameter_unit(const hol_simulation *simulation, int parameter)
{
  return simulation != NULL ? simulation_parameter_unit(simulation->simulation, parameter) : NULL;
}

hol_status hol_parameter_get(hol_simulation *simulation, int parameter, int replica, double *value,
                             hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS | SEES | EARLY, replica, value,
                            "values of a parameter"));
  for (int r = call.first; r < call.end; r++)
    DO(simulation_parameter_get(simulation->simulation, parameter, r, value++, &call.error));
  return DONE;
}

hol_status hol_parameter_set(hol_simulation *simulation, int parameter, int replica, const double *value,
                             hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, CHANGES, replica, value, "values of a parameter"));
  for (int r = call.first; r < call.end; r++) /* check all before setting any */
    DO(simulation_parameter_check(simulation->simulation, parameter, value[r - call.first], &call.error));
  for (int r = call.first; r < call.end; r++)
    simulation_parameter_set(simulation->simulation, parameter, r, value[r - call.first]);
  return DONE;
}

hol_status hol_parameter_energies(hol_simulation *simulation, int replica, int sets, const double *set,
                                  double *energy, double *slope, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS, replica, slope, "slopes"));
  DO(hol_call_given(&call, sets >= 0 && (sets == 0 || (set != NULL && energy != NULL)), "sets of values"));
  const int n = hol_parameters(simulation);
  for (int r = call.first; r < call.end; r++, energy += sets, slope += n)
    DO(simulation_parameter_energies(simulation->simulation, r, sets, set, energy, slope, &call.error));
  return DONE;
}
