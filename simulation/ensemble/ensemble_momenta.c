/* Draws or projects the momenta of one replica; other replicas of its batch do not change in any bit. */
#include <stdlib.h>

#include "simulation/ensemble/ensemble_private.h"

/* Copies the momenta of all lanes except r to p, or back. */
static void copy_others(const State *state, int r, bool back, double *p)
{
  const size_t n = state_coordinates(state);
  for (int l = 0; l < state->width; l++) {
    if (l != r && back)
      state_set_all(state, STATE_MOMENTA, l, p + (size_t)l * n);
    else if (l != r)
      state_get_all(state, STATE_MOMENTA, l, p + (size_t)l * n);
  }
}

static Status of_one(const Ensemble *e, int r, bool draw, uint32_t turn, Error *error)
{
  const int w = e->options.width, batch = r / w;
  State *state = e->batch[batch - e->base];
  double *p = malloc((size_t)w * state_coordinates(state) * sizeof *p);
  if (p == NULL)
    return error_memory(error, "momenta");
  Walk *walk = ensemble_walk(e, 0, batch);
  walk_attach(walk, state, e->options.purpose);
  copy_others(state, r % w, false, p);
  if (draw)
    walk_draw_again(walk, turn);
  else
    walk_project_momenta(walk);
  copy_others(state, r % w, true, p);
  free(p);
  return STATUS_OK;
}

Status ensemble_momenta_draw(Ensemble *e, int r, uint32_t turn, Error *error)
{
  return of_one(e, r, true, turn, error);
}

Status ensemble_momenta_project(Ensemble *e, int r, Error *error) { return of_one(e, r, false, 0, error); }
