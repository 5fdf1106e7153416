/* The rows of sorts cluster and box. */
#include "simulation/ensemble/confine.h"
#include "simulation/molecules/biases.h"
#include "simulation/molecules/frozen_virial.h"
#include "simulation/molecules/plumed_input.h"
#include "simulation/molecules/report_box.h"
#include "simulation/molecules/restraints.h"
#include "simulation/molecules/selection.h"
#include "simulation/molecules/solute.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_field.h"
#include "simulation/molecules/system_topology.h"
#include "simulation/molecules/variables.h"
#include "simulation/molecules/water_check.h"
#include "simulation/molecules/water_columns.h"
#include "simulation/molecules/windows.h"

/* --- making ------- */

static Status create(Simulation *s, Error *error)
{
  const bool by_atom = (s->config->output.pressure & CONFIG_BY_ATOM) != 0;
  TRY(system_create(s, error));
  TRY(system_topology_create(s, error));
  TRY(system_box_check(s, error));
  TRY(frozen_virial_create(&system_molecules(s)->frozen, s, error));
  TRY(restraints_create(s, error));
  TRY(solute_find(s, error));
  TRY(biases_create(s, error));
  TRY(plumed_input_create(s, error));
  return system_plan(s, by_atom && s->constrained, error);
}

static void free_system(Simulation *s)
{
  if (system_molecules(s) != NULL)
    variables_free(system_molecules(s)->variables);
  if (system_molecules(s) != NULL)
    frozen_virial_free(system_molecules(s)->frozen);
  if (system_molecules(s) != NULL)
    plumed_free(system_molecules(s)->plumed);
  system_free(s);
}

/* Finds the atoms and molecules that the input refers to. */
static Status speaks(Simulation *s, Error *error)
{
  MolecularSystem *own = system_molecules(s);
  variables_free(own->variables);
  s->labels = NULL;
  s->collective = NULL;
  s->sites = NULL;
  s->hydrogen_bonds = NULL;
  TRY(variables_create(&own->variables, s, error));
  s->labels = &own->variables->labels;
  TRY(selection_check(s, error));
  s->collective = own->variables->list;
  s->sites = own->variables->sites.n > 0 ? &own->variables->sites : NULL;
  s->hydrogen_bonds = &own->variables->hydrogen_bonds;
  TRY(windows_create(&s->free_energies, s, error));
  if (!system_form(s)->boxed)
    s->landscape = system_field_landscape(s);
  return STATUS_OK;
}

static Status speaks_box(Simulation *s, Error *error)
{
  TRY(system_field_check(s, error));
  return speaks(s, error);
}

/* --- the start ------- */

static Status place(Simulation *s, Error *error)
{
  const Start *from = &system_molecules(s)->start;
  const bool maxwell = s->config->thermostat.initial == INITIAL_MAXWELL;
  return ensemble_start_each(s->ensemble, from->frames, from->x, from->p, maxwell, error);
}

/* The start must be inside the constraining sphere, and the word a palindrome, which the sphere requires. */
static Status judge_cluster(const Simulation *s, Error *error)
{
  const Config *c = s->config;
  const double radius = c->system.constraining_radius;
  const Start *start = &system_molecules(s)->start;
  TRY(system_check_step(s, error));
  if (!(radius > 0.0))
    return STATUS_OK;
  for (int f = 0; f < start->frames; f++) {
    const double reach = confine_reach(s->topology, start->x + (size_t)f * s->coordinates);
    if (!(reach < radius))
      return input_error(c->input, KEY(system_constraining_radius), error,
                         "a molecule of the start is %.4g A from the cluster's centre of mass", reach);
  }
  if (!word_is_palindrome(plan_spelling(s->plan)))
    return input_error(c->input, KEY(system_constraining_radius), error,
                       "the word %s is not a palindrome, which a constraining sphere requires",
                       c->integrator.word);
  return STATUS_OK;
}

/* --- rows ------- */

#define SHARED                                                                                               \
  .create = create, .free = free_system, .field = system_field, .start = start_find, .place = place,         \
  .progress = water_run_progress, .log_start = water_run_log_start, .keep_start = water_run_keep_start,      \
  .leave = water_run_leave

#define UNITS "energies in kcal/mol; temperature in K; momenta in g/mol A/AKMA (AKMA: 48.88821 fs)"

static const SystemForm cluster = {.units = UNITS ", angular momentum about the centre of mass",
                                   .start = &start_cluster};

static const SystemForm box = {.boxed = true, .units = UNITS "; pressures in bar", .start = &start_box};

const Sort sort_cluster = {.name = "cluster",
                           .form = &cluster,
                           .speaks = speaks,
                           .judge = judge_cluster,
                           .check = water_check_cluster,
                           .measurement = water_columns_cluster,
                           .record = &water_run_cluster,
                           .quantities = QUANTITY_CLUSTERS,
                           .system = water_report_cluster_system,
                           .summary = water_report_cluster_summary,
                           .words = water_report_cluster_words,
                           SHARED};

const Sort sort_box = {.name = "box",
                       .form = &box,
                       .speaks = speaks_box,
                       .alone = true,
                       .judge = system_check_step,
                       .check = water_check_box,
                       .measurement = water_columns_box,
                       .record = &water_run_box,
                       .quantities = QUANTITY_BOXES,
                       .system = report_box_system,
                       .summary = report_box_summary,
                       .words = report_box_words,
                       SHARED};
