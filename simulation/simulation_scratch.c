/* One replica by itself, and forces of its own on it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/simulation_private.h"

/* One replica by itself, with forces of its own on it. */
static Status make_scratch(Simulation *s, const State *like, Error *error)
{
  if (s->scratch != NULL && box_same(&s->scratch->box, &like->box))
    return STATUS_OK;
  force_field_free(&s->scratch_field);
  state_free(s->scratch);
  s->scratch_field = (ForceField){0};
  s->scratch = NULL;
  State *scratch;
  TRY(topology_state(s->topology, 1, like->seed, 0, &scratch, error));
  scratch->box = like->box;
  const Status status = simulation_field(s, scratch, &s->scratch_field, error);
  if (status == STATUS_OK)
    s->scratch = scratch;
  else
    state_free(scratch);
  return status;
}

/* Forces of a replica into x[coordinates], energies of all terms. */
Status simulation_scratch_forces(Simulation *s, int replica, double *x, double *energy, Error *error)
{
  const State *state = ensemble_gang(s->ensemble, replica / s->width);
  if (s->sort->no_forces != NULL)
    return error_set(error, STATUS_INPUT, "%s", s->sort->no_forces);
  TRY(make_scratch(s, state, error));
  const Team team = team_alone();
  const ForceSums sums = {energy, NULL};
  if (s->kT > 0.0) {
    TRY(state_keep_noise(s->scratch, error));
    state_set_noise(s->scratch, 0, sqrt(simulation_kT(s, replica) / s->kT));
  }
  s->scratch->replica = (uint32_t)replica;
  s->scratch->step = state->step;
  state_get_all(state, STATE_POSITIONS, replica % s->width, x);
  state_set_all(s->scratch, STATE_POSITIONS, 0, x);
  const Status status = force_field_compute(&s->scratch_field, &team, s->scratch, &sums, error);
  topology_get(s->topology, s->scratch, STATE_FORCES, 0, x);
  return status;
}

void simulation_scratch_free(Simulation *s)
{
  force_field_free(&s->scratch_field);
  state_free(s->scratch);
  s->scratch_field = (ForceField){0};
  s->scratch = NULL;
}

void simulation_scratch_ask(Simulation *s)
{
  if (s->external == NULL || !external_together(s->external))
    return;
  for (int g = s->first; g < s->first + ensemble_held(s->ensemble); g++)
    external_ask(s->external, ensemble_gang(s->ensemble, g));
  external_answer(s->external);
}
