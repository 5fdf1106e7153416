#include "simulation/molecules/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "integrators/accel.h"
#include "io/structure.h"
#include "simulation/start/cluster.h"

Status system_open_frame(const Simulation *s, const Frame *frame, Error *error)
{
  const Config *c = s->config;
  if (!frame->has_cell || c->system.box_none)
    return STATUS_OK;
  return input_error(c->input, KEY(system_box), error,
                     "is missing, and %s has a box, of %.6g x %.6g x %.6g A: its molecules would run as a "
                     "droplet in vacuum; wanted: box: file for the periodic system, or box: none for a "
                     "cluster in open space",
                     c->system.file, frame->cell[0][0], frame->cell[1][1], frame->cell[2][2]);
}

/* The box of the input, or of the file; molecules are made whole in it. */
Status system_frame_box(const Simulation *s, Frame *frame, Error *error)
{
  const Config *c = s->config;
  if (c->system.box_of_file)
    return frame->has_cell ? STATUS_OK
                           : input_error(c->input, KEY(system_box), error,
                                         "%s has no box; wanted: its lengths, such as 31 A", c->system.file);
  Box box = (Box){0};
  Error why;
  if (frame->has_cell && structure_box(frame, c->system.file, &box, &why) != STATUS_OK)
    return input_error(c->input, KEY(system_file), error, "%s", why.text);
  char words[BOX_WORDS], other[BOX_WORDS];
  if (frame->has_cell && !box_alike(&box, &c->system.box, SYSTEM_BOX_SAME))
    return input_error(c->input, KEY(system_box), error,
                       "%s, but the box of %s has %s; correct one of them, or write 'box: file'",
                       box_words(&c->system.box, 10, words), c->system.file, box_words(&box, 10, other));
  frame->has_cell = true;
  memcpy(frame->cell, c->system.box.h, sizeof frame->cell);
  return STATUS_OK;
}

Status system_cluster_read(const Simulation *s, Frame *frame, const char *path, Structure *structure,
                           Error *error)
{
  const Config *c = s->config;
  TRY(system_open_frame(s, frame, error));
  Error why;
  const Status status = structure_cluster(frame, path, 0, NULL, structure, &why);
  return input_pass(c->input, KEY(system_file), status, &why, error);
}

const StructureGroup *system_group(const Structure *structure, const char *symbol)
{
  const AtomModelNames names = atom_model_names();
  int group = 0;
  for (int i = 0; i < names.n; i++)
    if (strcmp(names.symbol[i], symbol) == 0)
      group = 1 + i;
  return &structure->group[group];
}

static Status count_waters(void *self, int i, Frame *frame, const char *path, Error *error)
{
  Simulation *s = self;
  if (i > 0)
    return STATUS_OK;
  Structure structure;
  TRY(system_cluster_read(s, frame, path, &structure, error));
  s->lanes[0] = structure.group[0].nmol;
  structure_free(&structure);
  return STATUS_OK;
}

static Status count_molecules(Simulation *s, Error *error)
{
  const Config *c = s->config;
  s->lanes[0] = c->system.molecules;
  if (c->system.start == START_MINIMUM && s->lanes[0] > CLUSTER_THOROUGH)
    return input_error(c->input, KEY(system_start), error,
                       "the lowest minimum of %d molecules would take too long to find; at most %d are "
                       "allowed. Take 'holonom minima' and start: file",
                       s->lanes[0], CLUSTER_THOROUGH);
  if (c->system.start != START_FILE)
    return STATUS_OK;
  TRY(start_file_read(c, &system_molecules(s)->from, count_waters, s, error));
  if (input_given(c->input, KEY(system_molecules)) && c->system.molecules != s->lanes[0])
    return input_error(c->input, KEY(system_molecules), error, "%d are asked for, but %s holds %d",
                       c->system.molecules, c->system.file, s->lanes[0]);
  return STATUS_OK;
}

Status system_cluster_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  Kind *kind;
  TRY(simulation_room_for_kinds(s, 1, error));
  TRY(count_molecules(s, error));
  if (s->lanes[0] < 2)
    return input_error(c->input, KEY(system_molecules), error, "a cluster needs at least 2 molecules, not %d",
                       s->lanes[0]);
  TRY(water_kind(system_molecules(s)->model, c->system.mass_O, c->system.mass_H, &kind, error));
  s->kind[s->nkind++] = kind;
  return STATUS_OK;
}

Status system_plan(Simulation *s, bool multipliers, Error *error)
{
  PlanOptions options = simulation_prepare_plan(s);
  options.keep_heat = s->config->output.conserved;
  options.keep_multipliers = options.keep_multipliers || multipliers;
  return plan_create_kinds(&s->plan, s->nkind, s->kind, &options, error);
}

static Status find_model(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->system.model != NULL && (system_molecules(s)->model = water_find(c->system.model)) == NULL)
    return input_error(c->input, KEY(system_model), error, "there is no water model '%s'", c->system.model);
  return STATUS_OK;
}

Status system_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  MolecularSystem *w = s->own = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "the system");
  w->rates.reading = w->rates.slow = w->rates.drift = w->rates.drift_error = s->counted = NAN;
  w->precision = c->precision == 0 ? PAIR_DOUBLE : PAIR_MIXED;
  s->constrained = config_constraint_method(c) != NULL;
  s->width = c->ensemble.replicas == 1 || s->sort->alone ? 1 : (w->precision == PAIR_MIXED ? 16 : 8);
  s->replicas = (c->ensemble.replicas + s->width - 1) / s->width * s->width;
  TRY(find_model(s, error));
  return c->system.start == START_FILE ? start_file_choose(c, s->replicas, &w->from, error) : STATUS_OK;
}

void system_free(Simulation *s)
{
  MolecularSystem *w = system_molecules(s);
  if (w == NULL)
    return;
  start_free(&w->start);
  for (int k = 0; k < s->nkind && w->groups != NULL; k++)
    w->groups->kind[k] = NULL; /* the simulation has them */
  groups_free(w->groups);
  molecules_free(w->molecules);
  arena_free(&w->arena);
  free(w);
}

double system_speed(const Simulation *s, double seconds)
{
  return seconds > 0.0 ? 86400.0 / seconds * s->h * UNITS_AKMA_FS * 1e-6 : 0.0;
}

bool system_writes_gro(const Simulation *s)
{
  return system_form(s)->boxed || s->config->system.topology != NULL;
}

double system_picoseconds(const Simulation *s, int64_t step)
{
  return (double)step * s->h * UNITS_AKMA_FS * 1e-3;
}

/* --- the time step -----------------------------------------------------------------------------------------
 */

/* A time in the unit of the input's own step. */
static const char *in_own_unit(const Simulation *s, double time, char *text, size_t size)
{
  return input_amount_in(s->config->input, KEY(integrator_timestep), time, " akma", text, size);
}

Status system_check_step(const Simulation *s, Error *error)
{
  char step[64], most[64];
  const SystemRates *rates = &system_molecules(s)->rates;
  const Config *c = s->config;
  const bool verlet = accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
  if (verlet && s->h * rates->penalty[2] > rates->limit)
    return input_error(
        c->input, KEY(integrator_timestep), error,
        "with acceleration 'verlet' the penalised bonds are unstable in steps of %s: their fastest frequency "
        "times the step is %.3g, and %.3g is the limit. Take a step below %s, a smaller w, or acceleration "
        "'zss'",
        in_own_unit(s, s->h, step, sizeof step), s->h * rates->penalty[2], rates->limit,
        in_own_unit(s, rates->limit / rates->penalty[2], most, sizeof most));
  if (s->h * rates->libration > rates->limit)
    return input_error(
        c->input, KEY(integrator_timestep), error,
        "the %s of the molecules are unstable in steps of %s: their fastest frequency times the step "
        "is %.3g, and %.3g is the limit. Take a step below %s%s",
        s->config->system.topology != NULL ? "fastest motions" : "librations",
        in_own_unit(s, s->h, step, sizeof step), s->h * rates->libration, rates->limit,
        in_own_unit(s, rates->limit / rates->libration, most, sizeof most),
        s->config->system.topology != NULL ? ", or keep more of them (geometry.constrain)" : "");
  return STATUS_OK;
}
