/* Implements holonom.h: each function calls simulation.h and returns its error to the caller. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "config/config.h"
#include "results/quantity.h"
#include "simulation/hol_hook.h"
#include "simulation/hol_json.h"
#include "simulation/simulation_virtual.h"

_Static_assert((int)HOL_POSITIONS == (int)SIMULATION_POSITIONS &&
                   (int)HOL_MOMENTA == (int)SIMULATION_MOMENTA &&
                   (int)HOL_VELOCITIES == (int)SIMULATION_VELOCITIES &&
                   (int)HOL_FORCES == (int)SIMULATION_FORCES,
               "fields must have equal values");

/* --- life -------------------------------------------------------------------------------------------- */

const char *hol_version(void) { return HOLONOM_VERSION; }

/* The input to open: a file, or a text with the name that messages use for it. */
typedef struct Source {
  const char *name, *text; /* text: NULL for a file */
  const char *const *set;
  int nset;
} Source;

static Status check_source(const Source *from, Error *error)
{
  if (from->name == NULL)
    return hol_call_missing(error, "the name of an input");
  if (from->nset < 0 || (from->nset > 0 && from->set == NULL))
    return error_set(error, STATUS_INPUT, "%d changes of keys were announced without a list of them",
                     from->nset);
  for (int i = 0; i < from->nset; i++)
    if (from->set[i] == NULL)
      return hol_call_missing(error, "a change of a key");
  return STATUS_OK;
}

static Status open_source(hol_simulation **made, const Source *from, Error *error)
{
  Simulation *simulation;
  if (made == NULL)
    return hol_call_missing(error, "the new simulation");
  *made = NULL;
  TRY(check_source(from, error));
  if (from->text == NULL)
    TRY(hol_call_opens(from->name, error));
  TRY(from->text != NULL ? simulation_parse(&simulation, from->name, from->text, from->set, from->nset, error)
                         : simulation_load(&simulation, from->name, from->set, from->nset, error));
  *made = calloc(1, sizeof **made);
  if (*made == NULL) {
    simulation_free(simulation);
    return error_memory(error, "a simulation");
  }
  (*made)->simulation = simulation;
  return STATUS_OK;
}

hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                    hol_error *error)
{
  Error e;
  return hol_call_out(error, open_source(simulation, &(Source){file, NULL, set, nset}, &e), &e);
}

hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                         const char *const *set, int nset, hol_error *error)
{
  Error e;
  if (text != NULL)
    return hol_call_out(error, open_source(simulation, &(Source){name, text, set, nset}, &e), &e);
  if (simulation != NULL)
    *simulation = NULL;
  return hol_call_out(error, hol_call_missing(&e, "the text of an input"), &e);
}

void hol_close(hol_simulation *simulation)
{
  if (simulation == NULL || atomic_load(&simulation->doing) != IDLE)
    return;
  simulation_free(simulation->simulation);
  hol_hook_free(simulation->hooks);
  free(simulation);
}

/* --- work -------------------------------------------------------------------------------------------- */

hol_status hol_start(hol_simulation *simulation, hol_error *error)
{
  Call call;
  const Status status = hol_call_enter_started(&call, simulation, SEES);
  return hol_call_leave_work(&call, status, true, error);
}

static Status step(Call *call, hol_simulation *s, int64_t n, bool *in_full)
{
  TRY(hol_call_enter(call, s, CHANGES));
  if (n < 0)
    return error_set(&call->error, STATUS_INPUT, "the number of steps is %lld; allowed: 0 or more",
                     (long long)n);
  TRY(hol_call_begin(call, CHANGES));
  const int64_t begun = simulation_done(s->simulation);
  if (n > INT64_MAX - begun)
    return error_set(&call->error, STATUS_INPUT,
                     "%lld steps are done; %lld more exceed the limit of 2^63 - 1", (long long)begun,
                     (long long)n);
  const SimulationStart how = {.stop = &s->stop, .out = hol_call_speak(s)};
  const Status status = simulation_step(s->simulation, n, &how, &call->error);
  hol_call_quiet(s);
  *in_full = simulation_done(s->simulation) - begun >= n;
  return status;
}

hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error)
{
  Call call;
  bool in_full = true;
  const Status status = step(&call, simulation, n, &in_full);
  return hol_call_leave_work(&call, status, in_full, error);
}

void hol_stop(hol_simulation *simulation)
{
  if (simulation != NULL)
    flag_raise(&simulation->stop, 1);
}

hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, folder != NULL, "the folder of a run"));
  if ((flags & ~(unsigned)(HOL_FORCE | HOL_RESUME | HOL_OTHER_BUILD)) != 0)
    DO(error_set(&call.error, STATUS_INPUT,
                 "flags %#x contain an unknown flag; allowed: HOL_FORCE, HOL_RESUME, HOL_OTHER_BUILD",
                 flags));
  const Status status = simulation_run(simulation->simulation,
                                       &(SimulationRun){.dir = folder,
                                                        .force = (flags & HOL_FORCE) != 0,
                                                        .resume = (flags & HOL_RESUME) != 0,
                                                        .other_build = (flags & HOL_OTHER_BUILD) != 0,
                                                        .out = hol_call_speak(simulation),
                                                        .stop = &simulation->stop},
                                       &call.error);
  hol_call_quiet(simulation);
  const Config *config = simulation_config(simulation->simulation);
  return hol_call_leave_work(&call, status,
                             simulation_done(simulation->simulation) >= config->integrator.steps, error);
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
ASK(int, parameters, 0)
ASK(double, time, NAN)
ASK(double, timestep, NAN)
ASK(double, friction, NAN)

int64_t hol_steps_done(const hol_simulation *simulation)
{
  return simulation != NULL ? simulation_done(simulation->simulation) : 0;
}

hol_status hol_get_topology(hol_simulation *simulation, hol_topology *topology, hol_error *error)
{
  Call call;
  const hol_topology *all;
  DO(hol_call_enter(&call, simulation, READS));
  if (topology == NULL)
    DO(hol_call_missing(&call.error, "a topology"));
  DO(hol_call_sized(&call, topology->size, "hol_topology"));
  DO(simulation_topology(simulation->simulation, &all, &call.error));
  memcpy(topology, all, topology->size < all->size ? topology->size : all->size);
  return DONE;
}

hol_status hol_get_virtual_sites(hol_simulation *simulation, hol_virtual_sites *sites, hol_error *error)
{
  Call call;
  const hol_virtual_sites *all;
  DO(hol_call_enter(&call, simulation, READS));
  if (sites == NULL)
    DO(hol_call_missing(&call.error, "virtual sites"));
  DO(hol_call_sized(&call, sites->size, "hol_virtual_sites"));
  DO(simulation_virtual(simulation->simulation, &all, &call.error));
  memcpy(sites, all, sites->size < all->size ? sites->size : all->size);
  return DONE;
}

/* Both read constant data only, so they need no hol_call_enter. */
hol_status hol_place_sites(const hol_simulation *simulation, const double *x, double *v, hol_error *error)
{
  Error e;
  const bool given = simulation != NULL && x != NULL && v != NULL;
  return hol_call_out(error,
                      given ? simulation_virtual_place(simulation->simulation, x, v, &e)
                            : hol_call_missing(&e, "a simulation or coordinates"),
                      &e);
}

hol_status hol_spread_sites(const hol_simulation *simulation, const double *x, const double *fv, double *f,
                            hol_error *error)
{
  Error e;
  const bool given = simulation != NULL && x != NULL && fv != NULL && f != NULL;
  return hol_call_out(error,
                      given ? simulation_virtual_spread(simulation->simulation, x, fv, f, &e)
                            : hol_call_missing(&e, "a simulation or coordinates"),
                      &e);
}

/* --- replicas ------------------------------------------------------------------------------------------ */

static Status check_field(hol_field field, bool set, Error *error)
{
  if ((int)field < HOL_POSITIONS || (int)field > HOL_FORCES)
    return error_set(error, STATUS_INPUT, "there is no field %d; allowed: HOL_POSITIONS to HOL_FORCES",
                     (int)field);
  if (set && field == HOL_FORCES)
    return error_set(error, STATUS_INPUT,
                     "forces cannot be set, since they follow from positions; hol_add_force adds a force");
  return STATUS_OK;
}

static size_t coordinates(const Call *call) { return (size_t)simulation_coordinates(call->s->simulation); }

hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, field == HOL_FORCES ? READS : READS | SEES, replica, x,
                            "coordinates"));
  DO(check_field(field, false, &call.error));
  if (field == HOL_FORCES && replica == HOL_ALL)
    simulation_scratch_ask(simulation->simulation);
  for (int r = call.first; r < call.end; r++, x += coordinates(&call))
    DO(simulation_get(simulation->simulation, (SimulationField)field, r, x, &call.error));
  return DONE;
}

hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                   hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, CHANGES, replica, x, "coordinates"));
  DO(check_field(field, true, &call.error));
  DO(hol_call_finite(&call, x, (size_t)(call.end - call.first) * coordinates(&call)));
  for (int r = call.first; r < call.end; r++, x += coordinates(&call))
    DO(simulation_set(simulation->simulation, (SimulationField)field, r, x, &call.error));
  return DONE;
}

static hol_status change(hol_simulation *s, int replica, Status (*f)(Simulation *, int, Error *),
                         hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, s, CHANGES, replica, s, "a simulation"));
  for (int r = call.first; r < call.end; r++)
    DO(f(s->simulation, r, &call.error));
  return DONE;
}

hol_status hol_project(hol_simulation *simulation, int replica, hol_error *error)
{
  return change(simulation, replica, simulation_project, error);
}

hol_status hol_draw(hol_simulation *simulation, int replica, hol_error *error)
{
  return change(simulation, replica, simulation_draw, error);
}

hol_status hol_get_box(hol_simulation *simulation, int replica, double *box, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS | SEES, replica, box, "a box"));
  for (int r = call.first; r < call.end; r++, box += 9) {
    const Box own = simulation_box(simulation->simulation, r);
    memcpy(box, own.h, sizeof own.h);
  }
  return DONE;
}

/* Sets the boxes of replicas first to end - 1. After an error the earlier ones are set back to `was`. */
static Status set_boxes(Simulation *s, int first, int end, const double *edges, Box *was, Error *error)
{
  Status status = STATUS_OK;
  int r = first;
  for (; r < end && status == STATUS_OK; r++) {
    Box box = simulation_box(s, r);
    double edge[3][3];
    was[r - first] = box;
    memcpy(edge, edges + 9 * (r - first), sizeof edge);
    status = box_set(&box, (const double(*)[3])edge, error);
    if (status == STATUS_OK)
      status = simulation_set_box(s, r, &box, error);
  }
  for (r -= 2; status != STATUS_OK && r >= first; r--)
    (void)simulation_set_box(s, r, &was[r - first], NULL); /* a valid box */
  return status;
}

hol_status hol_set_box(hol_simulation *simulation, int replica, const double *box, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, CHANGES, replica, box, "a box"));
  SCOPED(scoped_free) Box *was = malloc((size_t)(call.end - call.first) * sizeof *was);
  DO(was == NULL ? error_memory(&call.error, "boxes")
                 : set_boxes(simulation->simulation, call.first, call.end, box, was, &call.error));
  return DONE;
}

hol_status hol_get_temperature(hol_simulation *simulation, int replica, double *kelvin, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS | SEES | EARLY, replica, kelvin, "temperatures"));
  for (int r = call.first; r < call.end; r++)
    *kelvin++ = simulation_temperature(simulation->simulation, r);
  return DONE;
}

hol_status hol_set_temperature(hol_simulation *simulation, int replica, const double *kelvin,
                               hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, CHANGES, replica, kelvin, "temperatures"));
  for (int r = call.first; r < call.end; r++) /* check all before setting any */
    DO(simulation_check_temperature(simulation->simulation, kelvin[r - call.first], &call.error));
  for (int r = call.first; r < call.end; r++)
    simulation_set_temperature(simulation->simulation, r, kelvin[r - call.first]);
  return DONE;
}

hol_status hol_get_ladder(hol_simulation *simulation, int replica, int *place, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS | SEES, replica, place, "places on ladders"));
  for (int r = call.first; r < call.end; r++, place += 2)
    DO(simulation_ladder(simulation->simulation, r, &place[0], &place[1], &call.error));
  return DONE;
}

hol_status hol_set_timestep(hol_simulation *simulation, double h, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(simulation_set_timestep(simulation->simulation, h, &call.error));
  return DONE;
}

hol_status hol_set_friction(hol_simulation *simulation, double gamma, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(simulation_set_friction(simulation->simulation, gamma, &call.error));
  return DONE;
}

/* Without forces there are no columns; hol_look then reports why. */
static SimulationColumns columns(hol_simulation *s)
{
  SimulationColumns all;
  return s != NULL && simulation_columns(s->simulation, &all, NULL) == STATUS_OK ? all
                                                                                 : (SimulationColumns){0};
}

int hol_columns(hol_simulation *simulation) { return columns(simulation).n; }

static int find_column(const SimulationColumns *all, const char *name)
{
  int i = 0;
  while (i < all->n && strcmp(all->name[i], name) != 0)
    i++;
  return i < all->n ? i : -1;
}

/* Names of columns in earlier versions are accepted unless a current column has that name. */
int hol_column(hol_simulation *simulation, const char *name)
{
  static const char *const renamed[][2] = {
      {"nonbonded", "potential"}, {"px", "momentum_x"}, {"py", "momentum_y"}, {"pz", "momentum_z"},
      {"lx", "angular_x"},        {"ly", "angular_y"},  {"lz", "angular_z"},  {"wall", "wall_energy"}};
  const SimulationColumns all = columns(simulation);
  if (name == NULL)
    return -1;
  int found = find_column(&all, name);
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed && found < 0; i++)
    if (strcmp(name, renamed[i][0]) == 0)
      found = find_column(&all, renamed[i][1]);
  return found;
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
  DO(hol_call_enter_replica(&call, simulation, READS, replica, value, "the values of columns"));
  const int n = columns(simulation).n;
  for (int r = call.first; r < call.end; r++, value += n)
    DO(simulation_look(simulation->simulation, r, value, &call.error));
  return DONE;
}

hol_status hol_evaluate(hol_simulation *simulation, int replica, const double *x, double *energy, double *f,
                        double *virial, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS, replica, x, "coordinates"));
  DO(hol_call_finite(&call, x, (size_t)(call.end - call.first) * coordinates(&call)));
  DO(simulation_scratch_evaluate(simulation->simulation, call.first, call.end, x,
                                 &(SimulationEvaluation){energy, f, virial}, &call.error));
  return DONE;
}

hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error)
{
  Call call;
  DO(hol_call_enter_replica(&call, simulation, READS | SEES, replica, lambda, "multipliers"));
  for (int r = call.first; r < call.end; r++, lambda += hol_constraints(simulation))
    DO(simulation_multipliers(simulation->simulation, r, lambda, &call.error));
  return DONE;
}

/* --- functions of the caller's ----------------------------------------------------------------------- */

hol_status hol_add_observer(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                            hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, f != NULL, "an observer"));
  DO(hol_hook_add_observer(&call, every, f, user));
  return DONE;
}

hol_status hol_observe(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                       hol_error *error)
{
  return hol_add_observer(simulation, every, f, user, error);
}

hol_status hol_remove_observer(hol_simulation *simulation, hol_observer f, const void *user, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, f != NULL, "an observer"));
  DO(hol_hook_remove(&call, f, NULL, user));
  return DONE;
}

hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, unsigned flags,
                         hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, f != NULL, "a force"));
  if ((flags & ~(unsigned)HOL_THREADS) != 0)
    DO(error_set(&call.error, STATUS_INPUT, "flags %#x contain an unknown flag; allowed: HOL_THREADS",
                 flags));
  DO(hol_hook_add_force(&call, f, user, (flags & HOL_THREADS) != 0));
  return DONE;
}

hol_status hol_remove_force(hol_simulation *simulation, hol_force f, const void *user, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, f != NULL, "a force"));
  DO(hol_hook_remove(&call, NULL, f, user));
  return DONE;
}

hol_status hol_listen(hol_simulation *simulation, hol_listener f, void *user, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  simulation->listener = (Listener){.function = f, .user = user};
  return DONE;
}

/* --- checkpoints ------------------------------------------------------------------------------------- */

hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, READS));
  DO(hol_call_given(&call, file != NULL, "the name of a file"));
  DO(hol_call_begin(&call, READS));
  DO(simulation_save(simulation->simulation, &(CheckpointStore){.path = file}, &call.error));
  return DONE;
}

hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, file != NULL, "the name of a file"));
  DO(hol_call_opens(file, &call.error));
  DO(simulation_restore(simulation->simulation, &(CheckpointStore){.path = file}, &call.error));
  return DONE;
}

/* With room 0 it only returns the size. */
static Status save_memory(hol_simulation *s, void *memory, size_t room, size_t *size, Error *error)
{
  TRY(simulation_save_size(s->simulation, size, error));
  if (room == 0)
    return STATUS_OK;
  if (room < *size)
    return error_set(error, STATUS_INPUT, "a checkpoint needs %zu bytes; the memory has only %zu", *size,
                     room);
  if (memory == NULL)
    return hol_call_missing(error, "the memory of a checkpoint");
  return simulation_save(s->simulation, &(CheckpointStore){.memory = memory, .size = *size}, error);
}

hol_status hol_save_memory(hol_simulation *simulation, void *memory, size_t room, size_t *size,
                           hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, READS));
  DO(hol_call_given(&call, size != NULL, "the size of a checkpoint"));
  DO(hol_call_begin(&call, READS));
  DO(save_memory(simulation, memory, room, size, &call.error));
  return DONE;
}

hol_status hol_load_memory(hol_simulation *simulation, const void *memory, size_t size, hol_error *error)
{
  Call call;
  DO(hol_call_enter(&call, simulation, CHANGES));
  DO(hol_call_given(&call, memory != NULL, "the memory of a checkpoint"));
  const CheckpointStore store = {.memory = (void *)memory, .size = size}; /* only read */
  DO(simulation_restore(simulation->simulation, &store, &call.error));
  return DONE;
}

hol_status hol_keys(char **json, hol_error *error)
{
  Error e;
  const Status status = json != NULL ? config_keys_json(json, &e) : hol_call_missing(&e, "the JSON text");
  return hol_call_out(error, status, &e);
}

hol_status hol_waters(char **json, hol_error *error)
{
  Error e;
  const Status status = json != NULL ? hol_json_waters(json, &e) : hol_call_missing(&e, "the JSON text");
  return hol_call_out(error, status, &e);
}

void hol_free(void *memory) { free(memory); }
