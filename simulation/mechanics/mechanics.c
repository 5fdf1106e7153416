#include "simulation/mechanics/mechanics_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_plan.h"
#include "forcefields/fixman.h"
#include "forcefields/internal.h"
#include "methods/method_table.h"
#include "results/quantity.h"
#include "simulation/mechanics/mechanics_report.h"
#include "simulation/mechanics/mechanics_run.h"
#include "simulation/molecules/penalty.h"

/* --- making --------------------------------------------------------------------------------------------- */

static Status make_field(const Simulation *s, const State *shape, ForceField *field, Error *error)
{
  const Config *c = s->config;
  Status status = internal_create(&field->force[0], shape, error);
  field->n = status == STATUS_OK;
  if (status != STATUS_OK || !c->geometry.fixman)
    return status;
  Error why;
  status = fixman_create(&field->force[1], c->thermostat.kT, shape, &why);
  field->n += status == STATUS_OK;
  return input_pass(c->input, KEY(geometry_fixman), status, &why, error);
}

static bool would_do(const Mechanics *m, const PlanOptions *options)
{
  Plan *plan;
  const bool fine = plan_create(&plan, m->s->kind[0], options, NULL) == STATUS_OK;
  if (fine)
    plan_free(plan);
  return fine;
}

/* The key whose value a refused plan could do without. */
static InputKey culprit(const Mechanics *m, const PlanOptions *options)
{
  PlanOptions o = *options;
  o.composition = NULL;
  if (options->composition != NULL && would_do(m, &o))
    return KEY(integrator_composition);
  o = *options;
  o.constraint.solver = "auto";
  if (options->constraints != NULL && would_do(m, &o))
    return KEY(geometry_solver);
  o.constraints = "rattle";
  if (options->constraints != NULL && would_do(m, &o))
    return KEY(geometry_method);
  return options->method != NULL ? KEY(integrator_method) : KEY(integrator_word);
}

static Status make_plan(Mechanics *m, Error *error)
{
  const Config *c = m->s->config;
  PlanOptions options = config_plan_options(c, m->s->isa);
  options.keep_multipliers = true;
  Error why;
  const Status status = plan_create(&m->s->plan, m->s->kind[0], &options, &why);
  const InputKey key = status == STATUS_INPUT ? culprit(m, &options) : KEY(integrator_word);
  return input_pass(c->input, key, status, &why, error);
}

/* The kind again with replica 0 as its reference, since unused lanes are filled with that. */
static Status set_reference(Mechanics *m, const double *q, Error *error)
{
  Kind with = *m->s->kind[0], *copy;
  with.reference = q;
  const Status status = kind_copy(&copy, &with, error);
  if (status != STATUS_OK)
    return status;
  kind_free((Kind *)m->s->kind[0]);
  m->s->kind[0] = copy;
  return STATUS_OK;
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

/* A formula may have no value where the run starts. */
static Status check_energy(Simulation *s, Error *error)
{
  const int first = s->first * s->width, end = first + ensemble_held(s->ensemble) * s->width;
  for (int r = first; r < end && r < s->replicas; r++)
    if (!isfinite(mechanics_energy(s, r).total))
      return input_error(s->config->input, mechanics_of(s)->sort->energy, error,
                         "the energy at the start is not a finite number (replica %d); start elsewhere, or "
                         "mend the formula",
                         r);
  return STATUS_OK;
}

/* Lanes that hold nobody begin as the last replica, where formulas have values. */
static Status place(Simulation *s, Error *error)
{
  const Mechanics *m = mechanics_of(s);
  const int first = s->first * s->width;
  for (int r = first; r < first + ensemble_held(s->ensemble) * s->width; r++) {
    const size_t at = (size_t)(r < s->replicas ? r : s->replicas - 1) * s->coordinates;
    ensemble_set(s->ensemble, r, m->q + at, m->p + at);
  }
  const Status status = s->config->thermostat.initial == INITIAL_MAXWELL ? ensemble_draw(s->ensemble, error)
                                                                         : ensemble_ready(s->ensemble, error);
  return status == STATUS_OK ? check_energy(s, error) : status;
}

/* The kind again, with the start as its reference, and the plan for it. */
static Status begin(Mechanics *m, Error *error)
{
  Status status = mechanics_start(m, m->q, m->p, error);
  if (status == STATUS_OK)
    status = set_reference(m, m->q, error);
  mechanics_tangent_free(m->tangent);
  m->tangent = NULL;
  if (status == STATUS_OK)
    status = mechanics_tangent_create(&m->tangent, m->s->kind[0], error);
  if (status == STATUS_OK)
    status = make_plan(m, error);
  return status == STATUS_OK ? check_method(m, m->q, m->p, error) : status;
}

static Status make(Mechanics *m, Error *error)
{
  Simulation *s = m->s;
  Status status = m->sort->build(m, error);
  if (status != STATUS_OK)
    return status;
  const Method *method = method_table_find(s->config->integrator.method);
  s->constrained = s->config->geometry.method > GEOMETRY_PENALTY ||
                   (method != NULL && (method->traits & METHOD_CONSTRAINTS));
  s->replicas = s->config->ensemble.replicas;
  s->width = s->replicas == 1 ? 1 : LANES;
  s->ncon = simulation_kind_constraints(s->kind[0]);
  m->size = s->kind[0]->nsite * s->kind[0]->dim;
  const size_t n = (size_t)s->replicas * (size_t)m->size;
  m->z = malloc(2 * (size_t)m->size * sizeof *m->z);
  m->q = calloc(n, sizeof *m->q);
  m->p = calloc(n, sizeof *m->p);
  if (m->z == NULL || m->q == NULL || m->p == NULL)
    return error_memory(error, "a system");
  status = mechanics_tangent_create(&m->tangent, s->kind[0], error);
  return status == STATUS_OK ? begin(m, error) : status;
}

static Status create(Simulation *s, const MechanicsSort *sort, Error *error)
{
  Mechanics *m = s->own = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "a system");
  m->s = s;
  m->sort = sort;
  return make(m, error);
}

static void release(Simulation *s)
{
  Mechanics *m = mechanics_of(s);
  if (m == NULL)
    return;
  mechanics_tangent_free(m->tangent);
  for (int i = 0; i < m->nformula; i++)
    formula_free(m->formula[i]);
  free(m->formula);
  hamiltonian_free(m->ham);
  free(m->value);
  free(m->first);
  free(m->z);
  free(m->q);
  free(m->p);
  free(m);
}

/* Positions and momenta came with the plan. */
static Status start(Simulation *s, const SimulationStart *how, Error *error)
{
  if (how->given == NULL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s: --start takes the start that was built for a cluster of water",
                   input_name(s->config->input));
}

/* --- energies ------------------------------------------------------------------------------------------- */

static MechanicsEnergy energy_hamiltonian(const Mechanics *m)
{
  MechanicsEnergy e = {0};
  const Hamiltonian *ham = m->ham;
  e.total = ham->energy.value(ham->energy.self, m->z);
  for (int c = 0; c < ham->ncon; c++) {
    e.largest = fmax(e.largest, fabs(ham->con[c].value(ham->con[c].self, m->z)));
    e.hidden = fmax(e.hidden, fabs(hamiltonian_bracket(ham->n, &ham->con[c], &ham->energy, m->z)));
  }
  return e;
}

static void sum_motion(const Kind *kind, const double *q, const double *p, MechanicsEnergy *e)
{
  const int dim = kind->dim;
  for (int s = 0; s < kind->nsite; s++) {
    double x[3] = {0}, y[3] = {0};
    for (int d = 0; d < dim; d++) {
      x[d] = q[s * dim + d];
      y[d] = p[s * dim + d];
      e->momentum[d] += y[d];
      e->kinetic += 0.5 * y[d] * y[d] / kind->mass[s];
    }
    for (int d = 0; d < 3; d++)
      e->angular[d] += x[(d + 1) % 3] * y[(d + 2) % 3] - x[(d + 2) % 3] * y[(d + 1) % 3];
  }
}

MechanicsEnergy mechanics_energy(Simulation *s, int r)
{
  const Mechanics *m = mechanics_of(s);
  double *q = m->z, *p = m->z + m->size;
  simulation_get_point(s, r, q, p);
  if (m->ham != NULL)
    return energy_hamiltonian(m);
  MechanicsEnergy e = {0};
  int worst;
  mechanics_tangent_look(m->tangent, q, p);
  e.largest = mechanics_tangent_residual(m->tangent, &worst);
  /* SHAKE keeps momenta whose part across the manifold means nothing. */
  const char *constraints = plan_options(s->plan)->constraints;
  if (constraints != NULL && constraint_method_find(constraints)->lazy)
    mechanics_tangent_momenta(m->tangent, p);
  e.hidden = mechanics_tangent_speed(m->tangent, p);
  sum_motion(s->kind[0], q, p, &e);
  e.potential = mechanics_tangent_potential(m->tangent);
  if (s->config->geometry.fixman)
    e.potential += mechanics_tangent_fixman(m->tangent, simulation_kT(s, r));
  if (s->nforce > 0)
    e.potential += simulation_scratch_external(s, r);
  const double w = plan_options(s->plan)->w;
  e.penalty = 0.5 * w * w * mechanics_tangent_square(m->tangent);
  if (penalty_filters(s)) {
    state_get_all(ensemble_gang(s->ensemble, r / s->width), STATE_FORCES, r % s->width, p);
    e.excess =
        e.penalty - 0.5 * w * w * mechanics_tangent_filtered(m->tangent, plan_filter_reach(s->plan), p);
  }
  e.total = e.kinetic + e.potential + e.penalty;
  return e;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

static Status columns(Simulation *s, SimulationColumns *out, Error *error)
{
  (void)error;
  Mechanics *m = mechanics_of(s);
  const MechanicsEnergy none = {0};
  m->columns = mechanics_report_columns(m, &none);
  for (int i = 0; i < m->columns.n; i++) {
    const char *const unit =
        s->config->reduced ? NULL : quantity_unit(QUANTITY_MECHANICAL, "energy", m->columns.name[i]);
    m->unit[i] = unit != NULL ? unit : "";
  }
  *out = (SimulationColumns){m->columns.n, m->columns.name, m->unit};
  return STATUS_OK;
}

static Status look(Simulation *s, int replica, double *value, Error *error)
{
  (void)error;
  const MechanicsEnergy e = mechanics_energy(s, replica);
  const MechanicsColumns c = mechanics_report_columns(mechanics_of(s), &e);
  memcpy(value, c.value, (size_t)c.n * sizeof *value);
  return STATUS_OK;
}

/* sort_NAME from what NAME alone does. */
#define ROW(title, key)                                                                                      \
  static Status create_##title(Simulation *s, Error *error)                                                  \
  {                                                                                                          \
    static const MechanicsSort sort = {                                                                      \
        mechanics_build_##title, mechanics_start_##title, {.row = KEY_##key}};                               \
    return create(s, &sort, error);                                                                          \
  }                                                                                                          \
  const Sort sort_##title = {.name = #title,                                                                 \
                             .create = create_##title,                                                       \
                             .free = release,                                                                \
                             .field = make_field,                                                            \
                             .start = start,                                                                 \
                             .place = place,                                                                 \
                             .check = mechanics_report_check,                                                \
                             .columns = columns,                                                             \
                             .look = look,                                                                   \
                             .record = mechanics_run_record,                                                 \
                             .release = mechanics_run_release,                                               \
                             .progress = mechanics_run_progress,                                             \
                             .results = mechanics_report_results,                                            \
                             .summary = mechanics_report_summary,                                            \
                             .words = mechanics_report_words,                                                \
                             .files = mechanics_report_files}

ROW(sites, system_potentials);
ROW(hamiltonian, system_hamiltonian);
