/* The functions of holonom.h: each is a call of simulation.h with its errors as values of the caller's. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "observables/column_unit.h"
#include "simulation/holonom.h"
#include "simulation/simulation.h"

_Static_assert((int)HOL_INPUT == (int)STATUS_INPUT && (int)HOL_RUN == (int)STATUS_RUN &&
                   (int)HOL_MEMORY == (int)STATUS_MEMORY && (int)HOL_IO == (int)STATUS_IO,
               "statuses are handed on as they are");
_Static_assert((int)HOL_POSITIONS == (int)SIMULATION_POSITIONS &&
                   (int)HOL_MOMENTA == (int)SIMULATION_MOMENTA &&
                   (int)HOL_VELOCITIES == (int)SIMULATION_VELOCITIES &&
                   (int)HOL_FORCES == (int)SIMULATION_FORCES,
               "fields are handed on as they are");

/* A function of the caller's, as the simulation calls it. */
typedef struct Hook {
  struct Hook *next;
  hol_simulation *simulation;
  hol_observer observer; /* or */
  hol_force force;
  void *user;
} Hook;

struct hol_simulation {
  Simulation *simulation;
  Hook *hooks;
  Flag stop;
};

/* --- errors ------------------------------------------------------------------------------------------ */

/* Hands a status out to the caller, with its message. */
static hol_status out(hol_error *to, Status status, const Error *from)
{
  if (to != NULL && status == STATUS_OK)
    *to = (hol_error){0};
  if (to != NULL && status != STATUS_OK) {
    to->status = (hol_status)status;
    memcpy(to->message, from->text, sizeof to->message);
  }
  return (hol_status)status;
}

/* Hands a status of a function of the caller's in; what is none of ours is a run that went wrong. */
static Status in(Error *to, hol_status status, const hol_error *from)
{
  if (status == HOL_OK)
    return STATUS_OK;
  const bool ours = status == HOL_INPUT || status == HOL_MEMORY || status == HOL_IO;
  return error_set(to, ours ? (Status)status : STATUS_RUN, "%.*s", (int)sizeof from->message - 1,
                   *from->message != '\0' ? from->message
                                          : "a function of the calling program reported an error");
}

/* --- life -------------------------------------------------------------------------------------------- */

const char *hol_version(void) { return HOLONOM_VERSION; }

static hol_status make(hol_simulation **made, hol_error *error)
{
  *made = calloc(1, sizeof **made);
  Error none;
  return *made != NULL ? HOL_OK : out(error, error_memory(&none, "a simulation"), &none);
}

/* What was made without success goes. */
static hol_status opened(hol_simulation **made, Status status, const Error *from, hol_error *error)
{
  if (status != STATUS_OK) {
    free(*made);
    *made = NULL;
  }
  return out(error, status, from);
}

hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                    hol_error *error)
{
  const hol_status status = make(simulation, error);
  if (status != HOL_OK)
    return status;
  Error e;
  return opened(simulation, simulation_load(&(*simulation)->simulation, file, set, nset, &e), &e, error);
}

hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                         const char *const *set, int nset, hol_error *error)
{
  const hol_status status = make(simulation, error);
  if (status != HOL_OK)
    return status;
  Error e;
  return opened(simulation, simulation_parse(&(*simulation)->simulation, name, text, set, nset, &e), &e,
                error);
}

void hol_close(hol_simulation *simulation)
{
  if (simulation == NULL)
    return;
  simulation_free(simulation->simulation);
  for (Hook *hook = simulation->hooks, *next; hook != NULL; hook = next) {
    next = hook->next;
    free(hook);
  }
  free(simulation);
}

/* --- work -------------------------------------------------------------------------------------------- */

/* The end of a call: a stop has had its effect unless it came too late to cut this one short. */
static hol_status work_done(hol_simulation *s, Status status, bool in_full, const Error *e, hol_error *error)
{
  if (status != STATUS_OK || !in_full)
    flag_lower(&s->stop);
  return out(error, status, e);
}

static Status start(hol_simulation *s, Error *e)
{
  return simulation_started(s->simulation)
             ? STATUS_OK
             : simulation_start(s->simulation, &(SimulationStart){.stop = &s->stop}, e);
}

hol_status hol_start(hol_simulation *simulation, hol_error *error)
{
  Error e;
  return work_done(simulation, start(simulation, &e), true, &e, error);
}

hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error)
{
  Error e;
  Status status = start(simulation, &e);
  const int64_t begun = simulation_done(simulation->simulation);
  if (status == STATUS_OK)
    status = simulation_step(simulation->simulation, n, &simulation->stop, &e);
  return work_done(simulation, status, simulation_done(simulation->simulation) - begun >= n, &e, error);
}

void hol_stop(hol_simulation *simulation) { flag_raise(&simulation->stop, 1); }

hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error)
{
  Error e;
  const Status status = simulation_run(simulation->simulation,
                                       &(SimulationRun){.dir = folder,
                                                        .force = (flags & HOL_FORCE) != 0,
                                                        .resume = (flags & HOL_RESUME) != 0,
                                                        .other_build = (flags & HOL_OTHER_BUILD) != 0,
                                                        .stop = &simulation->stop},
                                       &e);
  const Config *config = simulation_config(simulation->simulation);
  return work_done(simulation, status, simulation_done(simulation->simulation) >= config->integrator.steps,
                   &e, error);
}

/* --- what there is ----------------------------------------------------------------------------------- */

const char *hol_sort(const hol_simulation *simulation) { return simulation_sort(simulation->simulation); }

int hol_replicas(const hol_simulation *simulation) { return simulation_replicas(simulation->simulation); }

int hol_dimensions(const hol_simulation *simulation) { return simulation_dimensions(simulation->simulation); }

int hol_sites(const hol_simulation *simulation) { return simulation_sites(simulation->simulation); }

int hol_molecules(const hol_simulation *simulation) { return simulation_molecules(simulation->simulation); }

int hol_freedom(const hol_simulation *simulation) { return simulation_freedom(simulation->simulation); }

int hol_constraints(const hol_simulation *simulation)
{
  return simulation_constraints(simulation->simulation);
}

int64_t hol_steps_done(const hol_simulation *simulation) { return simulation_done(simulation->simulation); }

double hol_time(const hol_simulation *simulation) { return simulation_time(simulation->simulation); }

double hol_temperature(const hol_simulation *simulation, int replica)
{
  return simulation_temperature(simulation->simulation, replica);
}

void hol_masses(const hol_simulation *simulation, double *mass)
{
  simulation_masses(simulation->simulation, mass);
}

const char *hol_site_name(const hol_simulation *simulation, int site)
{
  const bool there = site >= 0 && site < hol_sites(simulation);
  return there ? simulation_site_name(simulation->simulation, site) : NULL;
}

/* --- one replica ------------------------------------------------------------------------------------- */

/* Starts what has not, and looks at the number of the replica. */
static Status ready(hol_simulation *s, int replica, Error *e)
{
  const int n = simulation_replicas(s->simulation);
  if (replica < 0 || replica >= n)
    return error_set(e, STATUS_INPUT, "there is no replica %d: there are %d, from 0", replica, n);
  return start(s, e);
}

hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x, hol_error *error)
{
  Error e;
  Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK)
    status = simulation_get(simulation->simulation, (SimulationField)field, replica, x, &e);
  return out(error, status, &e);
}

hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                   hol_error *error)
{
  Error e;
  Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK)
    status = simulation_set(simulation->simulation, (SimulationField)field, replica, x, &e);
  return out(error, status, &e);
}

hol_status hol_get_box(hol_simulation *simulation, int replica, double length[3], hol_error *error)
{
  Error e;
  const Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK) {
    const Box box = simulation_box(simulation->simulation, replica);
    memcpy(length, box.length, sizeof box.length);
  }
  return out(error, status, &e);
}

hol_status hol_set_box(hol_simulation *simulation, int replica, const double length[3], hol_error *error)
{
  Error e;
  Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK)
    status = simulation_set_box(simulation->simulation, replica,
                                &(Box){.length = {length[0], length[1], length[2]}}, &e);
  return out(error, status, &e);
}

/* Without forces there are no columns: hol_look says why. */
static SimulationColumns columns(hol_simulation *s)
{
  SimulationColumns all;
  return simulation_columns(s->simulation, &all, NULL) == STATUS_OK ? all : (SimulationColumns){0};
}

int hol_columns(hol_simulation *simulation) { return columns(simulation).n; }

int hol_column(hol_simulation *simulation, const char *name)
{
  const SimulationColumns all = columns(simulation);
  for (int i = 0; i < all.n; i++)
    if (strcmp(all.name[i], name) == 0)
      return i;
  return -1;
}

const char *hol_column_name(hol_simulation *simulation, int column)
{
  const SimulationColumns all = columns(simulation);
  return column >= 0 && column < all.n ? all.name[column] : NULL;
}

const char *hol_column_unit(hol_simulation *simulation, int column)
{
  const SimulationColumns all = columns(simulation);
  return column >= 0 && column < all.n ? all.unit[column] : NULL;
}

const char *hol_table_unit(const char *table, const char *column) { return column_unit(table, column); }

hol_status hol_look(hol_simulation *simulation, int replica, double *value, hol_error *error)
{
  Error e;
  Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK)
    status = simulation_look(simulation->simulation, replica, value, &e);
  return out(error, status, &e);
}

hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error)
{
  Error e;
  Status status = ready(simulation, replica, &e);
  if (status == STATUS_OK)
    status = simulation_multipliers(simulation->simulation, replica, lambda, &e);
  return out(error, status, &e);
}

/* --- functions of the caller's ----------------------------------------------------------------------- */

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
  return in(error, hook->observer(hook->user, hook->simulation, &e), &e);
}

static Status add_force(void *user, ExternalCall *call, Error *error)
{
  const Hook *hook = user;
  hol_error e = {0};
  hol_force_call c = {.replica = call->replica, .step = call->step, .n = call->n, .x = call->x, .f = call->f};
  const hol_status status = hook->force(hook->user, &c, &e);
  call->energy = c.energy;
  return in(error, status, &e);
}

hol_status hol_observe(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                       hol_error *error)
{
  Error e;
  Hook *hook = hook_add(simulation, (Hook){.observer = f, .user = user});
  return out(error,
             hook == NULL ? error_memory(&e, "an observer")
                          : simulation_observe(simulation->simulation, every, observe, hook, &e),
             &e);
}

hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, hol_error *error)
{
  Error e;
  Hook *hook = hook_add(simulation, (Hook){.force = f, .user = user});
  return out(error,
             hook == NULL ? error_memory(&e, "a force")
                          : simulation_add_force(simulation->simulation, add_force, hook, &e),
             &e);
}

/* --- files ------------------------------------------------------------------------------------------- */

hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error)
{
  Error e;
  Status status = start(simulation, &e);
  if (status == STATUS_OK)
    status = simulation_save(simulation->simulation, file, &e);
  return out(error, status, &e);
}

hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error)
{
  Error e;
  Status status = start(simulation, &e);
  if (status == STATUS_OK)
    status = simulation_restore(simulation->simulation, file, &e);
  return out(error, status, &e);
}

hol_status hol_keys(char **json, hol_error *error)
{
  Error e;
  const Status status = config_keys_json(json, &e);
  return out(error, status, &e);
}

void hol_free(void *memory) { free(memory); }
