#include "simulation/hol_hook.h"

#include <stdlib.h>

static Hook *hook_add(hol_simulation *simulation, Hook hook)
{
  Hook *added = malloc(sizeof *added);
  if (added == NULL)
    return NULL;
  *added = hook;
  added->simulation = simulation;
  added->next = simulation->hooks;
  simulation->hooks = added;
  return added;
}

static Status observe(void *user, Simulation *simulation, Error *error)
{
  (void)simulation;
  const Hook *hook = user;
  hol_error e = {0};
  atomic_store(&hook->simulation->doing, OBSERVED);
  const hol_status status = hook->observer(hook->user, hook->simulation, &e);
  atomic_store(&hook->simulation->doing, WORKING);
  return hol_call_in(error, status, &e);
}

static Status add_force(void *user, ExternalCall *call, Error *error)
{
  const Hook *hook = user;
  const hol_simulation *s = hook->simulation;
  hol_error e = {0};
  hol_force_call c = {.size = sizeof c,
                      .step = call->step,
                      .replica = (int)call->replica,
                      .replicas = call->replicas,
                      .sites = hol_sites(s),
                      .dimensions = hol_dimensions(s),
                      .x = call->x,
                      .box = call->box,
                      .f = call->f,
                      .energy = call->energy,
                      .virial = call->virial,
                      .parameters = call->nparameter,
                      .parameter = call->parameter,
                      .slope = call->slope};
  return hol_call_in(error, hook->force(hook->user, &c, &e), &e);
}

/* Removes the hook that the simulation refused. */
static Status give_up(Call *call, Status status)
{
  Hook *const hook = call->s->hooks;
  call->s->hooks = hook->next;
  free(hook);
  return status;
}

Status hol_hook_add_observer(Call *call, int64_t every, hol_observer f, void *user)
{
  Hook *hook = hook_add(call->s, (Hook){.observer = f, .user = user});
  TRY_MEMORY(hook != NULL, "an observer", &call->error);
  const Status status = simulation_observe(call->s->simulation, every, observe, hook, &call->error);
  return status == STATUS_OK ? STATUS_OK : give_up(call, status);
}

Status hol_hook_add_force(Call *call, hol_force f, void *user, bool threads)
{
  Hook *hook = hook_add(call->s, (Hook){.force = f, .user = user});
  TRY_MEMORY(hook != NULL, "a force", &call->error);
  const Status status =
      simulation_add_force(call->s->simulation, &(ExternalRow){add_force, hook, threads}, &call->error);
  return status == STATUS_OK ? STATUS_OK : give_up(call, status);
}

Status hol_hook_remove(Call *call, hol_observer observer, hol_force force, const void *user)
{
  Hook **at = &call->s->hooks; /* the list begins with the latest */
  while (*at != NULL && ((*at)->observer != observer || (*at)->force != force || (*at)->user != user))
    at = &(*at)->next;
  Hook *const found = *at;
  if (found == NULL)
    return error_set(&call->error, STATUS_INPUT,
                     "there is no such %s to remove: this function with this user pointer was not added, or "
                     "was removed already",
                     force != NULL ? "force" : "observer");
  TRY(force != NULL ? simulation_remove_force(call->s->simulation, &(ExternalRow){add_force, found, false},
                                              &call->error)
                    : simulation_unobserve(call->s->simulation, observe, found, &call->error));
  *at = found->next;
  free(found);
  return STATUS_OK;
}

void hol_hook_free(Hook *first)
{
  for (Hook *hook = first, *next; hook != NULL; hook = next) {
    next = hook->next;
    free(hook);
  }
}
