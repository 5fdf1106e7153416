/* The Ewald sum of waters: all particles are of one model. */
#ifndef HOLONOM_TESTS_EWALD_WATER_H
#define HOLONOM_TESTS_EWALD_WATER_H

#include "forcefields/ewald.h"

/* Energies, virial and, unless NULL, forces f[nmol][3][3] of waters x[nmol][3][3] (O, H, H); masses from the
 * kind. Errors: those of ewald_create and ewald_compute. */
static inline Status ewald_water_compute(const WaterModel *model, const Kind *kind, const Box *box,
                                         const EwaldOptions *options, int nmol, const double *x, double *f,
                                         EwaldResult *result, Error *error)
{
  if (kind->nsite != 3 || kind->dim != 3)
    return error_set(error, STATUS_INPUT, "the Ewald sum of water wants molecules of three sites (O, H, H)");
  State *state;
  Particles particles = {0};
  Status status = state_create(&state, 1, 1, &kind, &nmol, 1, 0, error);
  if (status != STATUS_OK)
    return status;
  state->box = *box;
  state_set(&state->block[0], 1, state->block[0].q, 0, x);
  status = particles_make(&particles, model, NULL, state, error);
  if (status == STATUS_OK)
    status = ewald_alone(&particles, state, options, f, result, error);
  particles_free(&particles);
  state_free(state);
  return status;
}

#endif
