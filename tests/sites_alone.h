/* The forces between molecules by themselves: positions to rows, and forces back to atoms. */
#ifndef HOLONOM_TESTS_SITES_ALONE_H
#define HOLONOM_TESTS_SITES_ALONE_H

#include "forcefields/sites.h"

/* By all of a team: the list for the positions of now, which o[n][4] takes, f += forces, and *sums, unless
 * NULL, with the virial by atom. */
static inline Status sites_alone_add(Sites *sites, Stage *stage, const Team *team, List *list, State *state,
                                     int32_t (*o)[4], SitesSums *sums, Error *error)
{
  StageForces forces = {0};
  StageOut out = {.o = o};
  TRY(stage_run(stage, team, state, &out, error));
  TRY(list_update(list, team, (const int32_t(*)[4])o, error));
  out = sites_rows(sites, list_view(list));
  TRY(stage_run(stage, team, state, &out, error));
  TRY(sites_run(sites, team, list_view(list), state, sums != NULL, &forces, error));
  team_barrier(team);
  stage_deliver(stage, team, &forces, state->block, sums != NULL);
  team_barrier(team);
  if (sums != NULL && team->rank == 0) {
    double inside;
    sites_sums(sites, list_view(list), sums);
    stage_sums(stage, &inside, sums->virial);
    sums->intramolecular += inside;
  }
  return STATUS_OK;
}

#endif
