/* The functions of holonom.h: each is a call of simulation.h with its errors as values of the caller's. */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "results/old_name.h"
#include "results/quantity.h"
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

/* Who is at work in a simulation: nobody, a call, or an observer that such a call has called. */
enum { IDLE, WORKING, OBSERVED };

struct hol_simulation {
  Simulation *simulation;
  Hook *hooks;
  Flag stop;
  atomic_int doing;
};

/* --- errors ------------------------------------------------------------------------------------------ */

/* What the library calls what the command line has another name for. */
static const char *const words[][2] = {{"holonom run --resume", "hol_run with HOL_RESUME"},
                                       {"--resume", "HOL_RESUME"},
                                       {"--other-build", "HOL_OTHER_BUILD"},
                                       {"--force", "HOL_FORCE"},
                                       {"--set ", ""}};

/* The row that `text` begins with, or NULL. */
static const char *const *word_at(const char *text)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(text, words[i][0], strlen(words[i][0])) == 0)
      return words[i];
  return NULL;
}

/* A message in the library's words, as much of it as there is room for. */
static void say(char *to, size_t size, const char *text)
{
  size_t n = 0;
  while (*text != '\0' && n + 1 < size) {
    const char *const *word = word_at(text);
    const char *as = word != NULL ? word[1] : text;
    size_t length = word != NULL ? strlen(as) : 1;
    length = length < size - 1 - n ? length : size - 1 - n;
    memcpy(to + n, as, length);
    n += length;
    text += word != NULL ? strlen(word[0]) : 1;
  }
  to[n] = '\0';
}

/* Hands a status out to the caller, with its message. */
static hol_status out(hol_error *to, Status status, const Error *from)
{
  if (to != NULL && status == STATUS_OK)
    *to = (hol_error){0};
  if (to != NULL && status != STATUS_OK) {
    to->status = (hol_status)status;
    say(to->message, sizeof to->message, from->text);
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

/* --- calls ------------------------------------------------------------------------------------------- */

/* One call that is at work in a simulation. */
typedef struct Call {
  hol_simulation *s;
  bool entered;
  int before; /* who was at work */
  Error error;
} Call;

static Status missing(Error *error, const char *what)
{
  return error_set(error, STATUS_INPUT, "NULL was given for %s", what);
}

/* An observer may make calls that read; functions that the simulation calls otherwise may make none. */
static Status enter(Call *call, hol_simulation *s, bool reads)
{
  *call = (Call){.s = s};
  if (s == NULL)
    return missing(&call->error, "a simulation");
  call->before = atomic_load(&s->doing);
  if (call->before == OBSERVED && !reads)
    return error_set(&call->error, STATUS_INPUT,
                     "an observer may read, save and stop the simulation that calls it, and nothing else");
  if (call->before == WORKING)
    return error_set(&call->error, STATUS_INPUT,
                     "the simulation is at work: a force has all that it may use in its call, and another "
                     "thread has to wait");
  call->entered = true;
  atomic_store(&s->doing, WORKING);
  return STATUS_OK;
}

static hol_status leave(const Call *call, Status status, hol_error *error)
{
  if (call->entered)
    atomic_store(&call->s->doing, call->before);
  return out(error, status, &call->error);
}

/* The end of a call that steps: a stop has had its effect unless it came too late to cut this one short. */
static hol_status leave_work(const Call *call, Status status, bool in_full, hol_error *error)
{
  if (call->entered && (status != STATUS_OK || !in_full))
    flag_lower(&call->s->stop);
  return leave(call, status, error);
}

static Status start(hol_simulation *s, Error *e)
{
  return simulation_started(s->simulation)
             ? STATUS_OK
             : simulation_start(s->simulation, &(SimulationStart){.stop = &s->stop}, e);
}

/* A call about one replica or, where `all` may be meant, all of them; the simulation has started after. */
static Status enter_replica(Call *call, hol_simulation *s, bool reads, int replica, bool all)
{
  TRY(enter(call, s, reads));
  const int n = simulation_replicas(s->simulation);
  if ((replica < 0 || replica >= n) && !(all && replica == HOL_ALL))
    return error_set(&call->error, STATUS_INPUT, "there is no replica %d: there are %d, from 0", replica, n);
  return start(s, &call->error);
}

/* --- life -------------------------------------------------------------------------------------------- */

const char *hol_version(void) { return HOLONOM_VERSION; }

/* What is opened: a file, or a text whose name stands for it. */
typedef struct Source {
  const char *name, *text; /* text: NULL for a file */
  const char *const *set;
  int nset;
} Source;

static Status check_source(const Source *from, Error *error)
{
  if (from->name == NULL)
    return missing(error, "the name of an input");
  if (from->nset < 0 || (from->nset > 0 && from->set == NULL))
    return error_set(error, STATUS_INPUT, "there are no %d changes of keys there", from->nset);
  for (int i = 0; i < from->nset; i++)
    if (from->set[i] == NULL)
      return missing(error, "a change of a key");
  return STATUS_OK;
}

static hol_status open_source(hol_simulation **made, const Source *from, hol_error *error)
{
  Error e;
  if (made == NULL)
    return out(error, missing(&e, "the place of a simulation"), &e);
  *made = NULL;
  Status status = check_source(from, &e);
  hol_simulation *s = status == STATUS_OK ? calloc(1, sizeof *s) : NULL;
  if (status == STATUS_OK && s == NULL)
    status = error_memory(&e, "a simulation");
  if (status == STATUS_OK)
    status = from->text != NULL
                 ? simulation_parse(&s->simulation, from->name, from->text, from->set, from->nset, &e)
                 : simulation_load(&s->simulation, from->name, from->set, from->nset, &e);
  if (status == STATUS_OK)
    *made = s;
  else
    free(s);
  return out(error, status, &e);
}

hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                    hol_error *error)
{
  return open_source(simulation, &(Source){file, NULL, set, nset}, error);
}

hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                         const char *const *set, int nset, hol_error *error)
{
  Error e;
  if (text != NULL)
    return open_source(simulation, &(Source){name, text, set, nset}, error);
  if (simulation != NULL)
    *simulation = NULL;
  return out(error, missing(&e, "the text of an input"), &e);
}

void hol_close(hol_simulation *simulation)
{
  if (simulation == NULL || atomic_load(&simulation->doing) != IDLE)
    return;
  simulation_free(simulation->simulation);
  for (Hook *hook = simulation->hooks, *next; hook != NULL; hook = next) {
    next = hook->next;
    free(hook);
  }
  free(simulation);
}

/* --- work -------------------------------------------------------------------------------------------- */

hol_status hol_start(hol_simulation *simulation, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK)
    status = start(simulation, &call.error);
  return leave_work(&call, status, true, error);
}

hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK && n < 0)
    status =
        error_set(&call.error, STATUS_INPUT, "a simulation takes 0 steps or more, not %lld", (long long)n);
  else if (status == STATUS_OK)
    status = start(simulation, &call.error);
  if (status != STATUS_OK)
    return leave_work(&call, status, true, error);
  const int64_t begun = simulation_done(simulation->simulation);
  status = simulation_step(simulation->simulation, n, &simulation->stop, &call.error);
  return leave_work(&call, status, simulation_done(simulation->simulation) - begun >= n, error);
}

void hol_stop(hol_simulation *simulation)
{
  if (simulation != NULL)
    flag_raise(&simulation->stop, 1);
}

hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK && folder == NULL)
    status = missing(&call.error, "the folder of a run");
  if (status == STATUS_OK && (flags & ~(unsigned)(HOL_FORCE | HOL_RESUME | HOL_OTHER_BUILD)) != 0)
    status = error_set(&call.error, STATUS_INPUT, "there is no flag %#x among those of a run", flags);
  if (status != STATUS_OK)
    return leave(&call, status, error);
  status = simulation_run(simulation->simulation,
                          &(SimulationRun){.dir = folder,
                                           .force = (flags & HOL_FORCE) != 0,
                                           .resume = (flags & HOL_RESUME) != 0,
                                           .other_build = (flags & HOL_OTHER_BUILD) != 0,
                                           .stop = &simulation->stop},
                          &call.error);
  const Config *config = simulation_config(simulation->simulation);
  return leave_work(&call, status, simulation_done(simulation->simulation) >= config->integrator.steps,
                    error);
}

/* --- what there is ----------------------------------------------------------------------------------- */

#define ASK(type, name, none)                                                                                \
  type hol_##name(const hol_simulation *simulation)                                                          \
  {                                                                                                          \
    return simulation != NULL ? simulation_##name(simulation->simulation) : (none);                          \
  }

ASK(const char *, sort, NULL)
ASK(int, replicas, 0)
ASK(int, dimensions, 0)
ASK(int, sites, 0)
ASK(int, molecules, 0)
ASK(int, freedom, 0)
ASK(int, constraints, 0)
ASK(double, time, NAN)

int64_t hol_steps_done(const hol_simulation *simulation)
{
  return simulation != NULL ? simulation_done(simulation->simulation) : 0;
}

double hol_temperature(const hol_simulation *simulation, int replica)
{
  return simulation != NULL ? simulation_temperature(simulation->simulation, replica) : NAN;
}

void hol_masses(const hol_simulation *simulation, double *mass)
{
  if (simulation != NULL && mass != NULL)
    simulation_masses(simulation->simulation, mass);
}

const char *hol_site_name(const hol_simulation *simulation, int site)
{
  const bool there = site >= 0 && site < hol_sites(simulation);
  return there ? simulation_site_name(simulation->simulation, site) : NULL;
}

/* --- one replica ------------------------------------------------------------------------------------- */

static Status check_field(hol_field field, const double *x, Error *error)
{
  if ((int)field < HOL_POSITIONS || (int)field > HOL_FORCES)
    return error_set(error, STATUS_INPUT,
                     "there is no field %d: wanted is one of HOL_POSITIONS to HOL_FORCES", (int)field);
  return x != NULL ? STATUS_OK : missing(error, "coordinates");
}

hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x, hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, true, replica, false);
  if (status == STATUS_OK)
    status = check_field(field, x, &call.error);
  if (status == STATUS_OK)
    status = simulation_get(simulation->simulation, (SimulationField)field, replica, x, &call.error);
  return leave(&call, status, error);
}

hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                   hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, false, replica, false);
  if (status == STATUS_OK)
    status = check_field(field, x, &call.error);
  if (status == STATUS_OK)
    status = simulation_set(simulation->simulation, (SimulationField)field, replica, x, &call.error);
  return leave(&call, status, error);
}

/* One replica after the other, or one alone. */
static hol_status change(hol_simulation *s, int replica, Status (*f)(Simulation *, int, Error *),
                         hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, s, false, replica, true);
  const int first = replica == HOL_ALL ? 0 : replica;
  const int end = status != STATUS_OK || replica != HOL_ALL ? first + 1 : simulation_replicas(s->simulation);
  for (int r = first; r < end && status == STATUS_OK; r++)
    status = f(s->simulation, r, &call.error);
  return leave(&call, status, error);
}

hol_status hol_project(hol_simulation *simulation, int replica, hol_error *error)
{
  return change(simulation, replica, simulation_project, error);
}

hol_status hol_draw(hol_simulation *simulation, int replica, hol_error *error)
{
  return change(simulation, replica, simulation_draw, error);
}

hol_status hol_get_box(hol_simulation *simulation, int replica, double length[3], hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, true, replica, false);
  if (status == STATUS_OK && length == NULL)
    status = missing(&call.error, "the edges of a box");
  if (status == STATUS_OK) {
    const Box box = simulation_box(simulation->simulation, replica);
    for (int d = 0; d < 3; d++)
      length[d] = box_length(&box, d);
  }
  return leave(&call, status, error);
}

hol_status hol_set_box(hol_simulation *simulation, int replica, const double length[3], hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, false, replica, false);
  if (status == STATUS_OK && length == NULL)
    status = missing(&call.error, "the edges of a box");
  if (status == STATUS_OK) {
    const Box box = box_brick(length[0], length[1], length[2]);
    status = simulation_set_box(simulation->simulation, replica, &box, &call.error);
  }
  return leave(&call, status, error);
}

/* Without forces there are no columns: hol_look says why. */
static SimulationColumns columns(hol_simulation *s)
{
  SimulationColumns all;
  return s != NULL && simulation_columns(s->simulation, &all, NULL) == STATUS_OK ? all
                                                                                 : (SimulationColumns){0};
}

int hol_columns(hol_simulation *simulation) { return columns(simulation).n; }

int hol_column(hol_simulation *simulation, const char *name)
{
  const SimulationColumns all = columns(simulation);
  const OldName other = old_name_other(name != NULL ? name : "");
  for (int i = 0; i < all.n && name != NULL; i++)
    if (strcmp(all.name[i], name) == 0 || strcmp(all.name[i], other.text) == 0)
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

const char *hol_table_unit(const char *table, const char *column)
{
  return table != NULL && column != NULL ? quantity_unit(QUANTITY_ALL, table, column) : NULL;
}

hol_status hol_look(hol_simulation *simulation, int replica, double *value, hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, true, replica, false);
  if (status == STATUS_OK && value == NULL)
    status = missing(&call.error, "the values of columns");
  if (status == STATUS_OK)
    status = simulation_look(simulation->simulation, replica, value, &call.error);
  return leave(&call, status, error);
}

hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error)
{
  Call call;
  Status status = enter_replica(&call, simulation, true, replica, false);
  if (status == STATUS_OK && lambda == NULL)
    status = missing(&call.error, "multipliers");
  if (status == STATUS_OK)
    status = simulation_multipliers(simulation->simulation, replica, lambda, &call.error);
  return leave(&call, status, error);
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
  atomic_store(&hook->simulation->doing, OBSERVED);
  const hol_status status = hook->observer(hook->user, hook->simulation, &e);
  atomic_store(&hook->simulation->doing, WORKING);
  return in(error, status, &e);
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
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK && f == NULL)
    status = missing(&call.error, "an observer");
  Hook *hook = status == STATUS_OK ? hook_add(simulation, (Hook){.observer = f, .user = user}) : NULL;
  if (status == STATUS_OK)
    status = hook == NULL ? error_memory(&call.error, "an observer")
                          : simulation_observe(simulation->simulation, every, observe, hook, &call.error);
  return leave(&call, status, error);
}

hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK && f == NULL)
    status = missing(&call.error, "a force");
  Hook *hook = status == STATUS_OK ? hook_add(simulation, (Hook){.force = f, .user = user}) : NULL;
  if (status == STATUS_OK)
    status = hook == NULL ? error_memory(&call.error, "a force")
                          : simulation_add_force(simulation->simulation, add_force, hook, &call.error);
  return leave(&call, status, error);
}

/* --- files ------------------------------------------------------------------------------------------- */

hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, true);
  if (status == STATUS_OK && file == NULL)
    status = missing(&call.error, "the name of a file");
  if (status == STATUS_OK)
    status = start(simulation, &call.error);
  if (status == STATUS_OK)
    status = simulation_save(simulation->simulation, file, &call.error);
  return leave(&call, status, error);
}

hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error)
{
  Call call;
  Status status = enter(&call, simulation, false);
  if (status == STATUS_OK && file == NULL)
    status = missing(&call.error, "the name of a file");
  if (status == STATUS_OK)
    status = simulation_restore(simulation->simulation, file, &call.error);
  return leave(&call, status, error);
}

hol_status hol_keys(char **json, hol_error *error)
{
  Error e;
  const Status status = json != NULL ? config_keys_json(json, &e) : missing(&e, "the keys' place");
  return out(error, status, &e);
}

void hol_free(void *memory) { free(memory); }
