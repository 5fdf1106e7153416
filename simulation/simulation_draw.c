/* Draws momenta. */
#include "simulation/simulation_private.h"

Status simulation_draw(Simulation *s, int replica, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  if (s->sort->no_draw != NULL)
    return error_set(error, STATUS_INPUT, "%s", s->sort->no_draw);
  if (!(simulation_kT(s, replica) > 0.0))
    return error_set(error, STATUS_INPUT,
                     "momenta cannot be drawn without a temperature: set thermostat.temperature");
  TRY(simulation_project_met(s, replica, error));
  const int64_t turn = ++simulation_replica(s, replica)->draws;
  simulation_changed(s, replica);
  return ensemble_momenta_draw(s->ensemble, replica, (uint32_t)(1 + turn % UINT16_MAX), error);
}
