/* Registers callbacks of the calling program with a simulation. */
#ifndef HOLONOM_SIMULATION_HOL_HOOK_H
#define HOLONOM_SIMULATION_HOL_HOOK_H

#include "simulation/hol_call.h"

/* Adds a callback to the simulation of a call. Errors: those of simulation_observe and simulation_add_force;
 * STATUS_MEMORY. */
Status hol_hook_add_observer(Call *call, int64_t every, hol_observer f, void *user);
Status hol_hook_add_force(Call *call, hol_force f, void *user, bool threads);

/* Removes the observer or the force (the other is NULL) with this user that was added last. STATUS_INPUT:
 * there is no such callback; errors of simulation_remove_force. */
Status hol_hook_remove(Call *call, hol_observer observer, hol_force force, const void *user);

void hol_hook_free(Hook *first); /* the whole list */

#endif
