#include "simulation/mechanics/mechanics_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method_table.h"

/* --- making --------------------------------------------------------------------------------------------- */

static Status make_plan(Mechanics *m, Error *error)
{
  PlanOptions options = simulation_prepare_plan(m->s);
  options.keep_multipliers = true;
  return plan_create(&m->s->plan, m->s->kind[0], &options, error);
}

/* Copies the kind with replica 0 as its reference, which fills unused lanes. */
static Status set_reference(Mechanics *m, const double *q, Error *error)
{
  Kind with = *m->s->kind[0], *copy;
  with.reference = q;
  TRY(kind_copy(&copy, &with, error));
  kind_free((Kind *)m->s->kind[0]);
  m->s->kind[0] = copy;
  topology_free(m->s->topology); /* its kind no longer exists */
  return topology_of_kinds(&m->s->topology, 1, m->s->kind, m->s->lanes, error);
}

static Status check_method(const Mechanics *m, const double *q, const double *p, Error *error)
{
  for (int r = 0; r < m->s->replicas; r++) {
    Error why;
    const size_t at = (size_t)r * (size_t)m->size;
    const Status status = plan_check(m->s->plan, q + at, p + at, &why);
    if (status == STATUS_INPUT)
      return input_error(m->s->config->input, KEY(integrator_method), error, "%s (replica %d)", why.text, r);
    if (status != STATUS_OK)
      return error_pass(error, status, &why);
  }
  return STATUS_OK;
}

/* A formula may have no value at the start. */
static Status check_energy(Simulation *s, Error *error)
{
  const int first = s->first * s->width, end = first + ensemble_held(s->ensemble) * s->width;
  simulation_all_changed(s);
  for (int r = first; r < end && r < s->replicas; r++) {
    double value[MEASUREMENT_SHOWN];
    TRY(simulation_look_now(s, r, value, error));
    if (!isfinite(value[s->measurement->total]))
      return input_error(
          s->config->input, mechanics_of(s)->sort->energy, error,
          "the energy at the start is not finite (replica %d): change the start or the formula", r);
  }
  return STATUS_OK;
}

/* Unused lanes start as the last replica, where formulas have values. */
Status mechanics_place(Simulation *s, Error *error)
{
  const Mechanics *m = mechanics_of(s);
  const int first = s->first * s->width;
  for (int r = first; r < first + ensemble_held(s->ensemble) * s->width; r++) {
    const size_t at = (size_t)(r < s->replicas ? r : s->replicas - 1) * s->coordinates;
    ensemble_set(s->ensemble, r, m->q + at, m->p + at);
  }
  TRY(s->config->thermostat.initial == INITIAL_MAXWELL ? ensemble_draw(s->ensemble, error)
                                                       : ensemble_ready(s->ensemble, error));
  return check_energy(s, error);
}

/* Sets the start as the kind's reference, and makes the plan. */
static Status begin(Mechanics *m, Error *error)
{
  TRY(mechanics_start(m, m->q, m->p, error));
  TRY(set_reference(m, m->q, error));
  tangent_free(m->tangent);
  TRY(tangent_create(&m->tangent, m->s->kind[0], error));
  TRY(make_plan(m, error));
  return check_method(m, m->q, m->p, error);
}

static Status make(Mechanics *m, Error *error)
{
  Simulation *s = m->s;
  TRY(m->sort->build(m, error));
  const Method *method = method_table_find(s->config->integrator.method);
  s->constrained = s->config->geometry.method > GEOMETRY_PENALTY ||
                   (method != NULL && (method->traits & METHOD_CONSTRAINTS));
  s->replicas = s->config->ensemble.replicas;
  s->width = s->replicas == 1 ? 1 : LANES;
  s->ncon = ensemble_kind_constraints(s->kind[0]);
  m->size = s->kind[0]->nsite * s->kind[0]->dim;
  const size_t n = (size_t)s->replicas * (size_t)m->size;
  m->q = calloc(n, sizeof *m->q);
  m->p = calloc(n, sizeof *m->p);
  if (m->q == NULL || m->p == NULL)
    return error_memory(error, "a system");
  TRY(tangent_create(&m->tangent, s->kind[0], error));
  return begin(m, error);
}

Status mechanics_create(Simulation *s, Error *error)
{
  Mechanics *m = s->own = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "a system");
  m->s = s;
  m->sort = s->sort->form;
  return make(m, error);
}

void mechanics_release(Simulation *s)
{
  Mechanics *m = mechanics_of(s);
  if (m == NULL)
    return;
  tangent_free(m->tangent);
  for (int i = 0; i < m->nformula; i++)
    expression_free(m->formula[i]);
  free(m->formula);
  hamiltonian_free(m->ham);
  free(m->value);
  free(m->first);
  free(m->q);
  free(m->p);
  free(m);
}

/* The start was made with the plan. */
Status mechanics_begin(Simulation *s, const SimulationStart *how, Error *error)
{
  if (how->given == NULL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s: --start applies only to starts built for clusters of water",
                   input_name(s->config->input));
}
