#include "simulation/mechanics_private.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_plan.h"
#include "engine/isa_wanted.h"
#include "forcefields/fixman.h"
#include "forcefields/internal.h"

/* --- making --------------------------------------------------------------------------------------------- */

static Status make_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Config *c = self;
  field->n = 0;
  Status status = internal_create(&field->force[0], shape, error);
  field->n = status == STATUS_OK;
  if (status != STATUS_OK || !c->geometry.fixman)
    return status;
  Error why;
  status = fixman_create(&field->force[1], c->thermostat.kT, shape, &why);
  field->n += status == STATUS_OK;
  return status == STATUS_OK ? status : input_error(c->input, "geometry.fixman", error, "%s", why.text);
}

static bool would_do(const Mechanics *m, const PlanOptions *options)
{
  Plan *plan;
  const bool fine = plan_create(&plan, m->kind, options, NULL) == STATUS_OK;
  if (fine)
    plan_free(plan);
  return fine;
}

/* The key whose value a refused plan could do without. */
static const char *culprit(const Mechanics *m, const PlanOptions *options)
{
  PlanOptions o = *options;
  o.composition = NULL;
  if (options->composition != NULL && would_do(m, &o))
    return "integrator.composition";
  o = *options;
  o.constraint.solver = "auto";
  if (options->constraints != NULL && would_do(m, &o))
    return "geometry.solver";
  o.constraints = "rattle";
  if (options->constraints != NULL && would_do(m, &o))
    return "geometry.method";
  return options->method != NULL ? "integrator.method" : "integrator.word";
}

static Status make_plan(Mechanics *m, Error *error)
{
  const Config *c = m->config;
  PlanOptions options = config_plan_options(c, m->isa);
  options.keep_multipliers = true;
  Error why;
  const Status status = plan_create(&m->plan, m->kind, &options, &why);
  if (status != STATUS_INPUT)
    return status == STATUS_OK ? status : error_set(error, status, "%s", why.text);
  return input_error(c->input, culprit(m, &options), error, "%s", why.text);
}

static Status make_ensemble(Mechanics *m, Error *error)
{
  const EnsembleOptions options = {.plan = m->plan,
                                   .kind = {m->kind},
                                   .nmol = {1},
                                   .replicas = m->replicas,
                                   .width = m->replicas == 1 ? 1 : LANES,
                                   .threads = m->threads,
                                   .seed = (uint64_t)m->config->seed,
                                   .maker = {m->config, make_field}};
  const Status status = ensemble_create(&m->ensemble, &options, error);
  if (status != STATUS_OK)
    return status;
  const size_t n = (size_t)ensemble_replicas(m->ensemble) * (size_t)m->ncon;
  m->lambda = calloc(n + 1, sizeof *m->lambda);
  return m->lambda != NULL ? STATUS_OK : error_memory(error, "multipliers");
}

/* The kind again with replica 0 as its reference, since unused lanes are filled with that. */
static Status set_reference(Mechanics *m, const double *q, Error *error)
{
  Kind with = *m->kind, *copy;
  with.reference = q;
  const Status status = kind_copy(&copy, &with, error);
  if (status != STATUS_OK)
    return status;
  kind_free(m->kind);
  m->kind = copy;
  return STATUS_OK;
}

/* Lanes beyond the replicas asked for run as the last of these. */
static Status set_all(Mechanics *m, const double *q, const double *p, Error *error)
{
  for (int r = 0; r < ensemble_replicas(m->ensemble); r++) {
    const size_t at = (size_t)(r < m->replicas ? r : m->replicas - 1) * (size_t)m->size;
    ensemble_set(m->ensemble, r, q + at, p + at);
  }
  return m->config->thermostat.initial == INITIAL_MAXWELL ? ensemble_draw(m->ensemble, error)
                                                          : ensemble_ready(m->ensemble, error);
}

static Status check_method(const Mechanics *m, const double *q, const double *p, Error *error)
{
  for (int r = 0; r < m->replicas; r++) {
    Error why;
    const size_t at = (size_t)r * (size_t)m->size;
    const Status status = plan_check(m->plan, q + at, p + at, &why);
    if (status == STATUS_INPUT)
      return input_error(m->config->input, "integrator.method", error, "%s (replica %d)", why.text, r);
    if (status != STATUS_OK)
      return error_set(error, status, "%s", why.text);
  }
  return STATUS_OK;
}

/* A formula may have no value where the run starts. */
static Status check_energy(const Mechanics *m, Error *error)
{
  for (int r = 0; r < m->replicas; r++) {
    const MechanicsEnergy e = mechanics_energy(m, r);
    if (!isfinite(e.total))
      return input_error(m->config->input, m->ham != NULL ? "system.hamiltonian" : "system.potentials", error,
                         "the energy at the start is no finite number (replica %d); start elsewhere, or "
                         "mend the formula",
                         r);
  }
  return STATUS_OK;
}

static Status begin(Mechanics *m, double *q, double *p, Error *error)
{
  Status status = mechanics_start(m, q, p, error);
  if (status == STATUS_OK)
    status = set_reference(m, q, error);
  mechanics_tangent_free(m->tangent);
  m->tangent = NULL;
  if (status == STATUS_OK)
    status = mechanics_tangent_create(&m->tangent, m->kind, error);
  if (status == STATUS_OK)
    status = make_plan(m, error);
  if (status == STATUS_OK)
    status = check_method(m, q, p, error);
  if (status == STATUS_OK)
    status = make_ensemble(m, error);
  if (status == STATUS_OK)
    status = set_all(m, q, p, error);
  return status == STATUS_OK ? check_energy(m, error) : status;
}

static Status make_system(Mechanics *m, Error *error)
{
  const Config *c = m->config;
  Status status = mechanics_build(m, error);
  if (status != STATUS_OK)
    return status;
  const Method *method = config_plan_method(c);
  m->exact =
      c->geometry.method > GEOMETRY_PENALTY || (method != NULL && (method->traits & METHOD_CONSTRAINTS));
  m->size = m->kind->nsite * m->kind->dim;
  m->ncon = m->ham != NULL ? m->ham->ncon : m->kind->ncon;
  m->z = malloc(2 * (size_t)m->size * sizeof *m->z);
  if (m->z == NULL)
    return error_memory(error, "a system");
  return mechanics_tangent_create(&m->tangent, m->kind, error);
}

static Status make(Mechanics *m, Error *error)
{
  const Config *c = m->config;
  m->replicas = c->ensemble.replicas;
  m->threads = c->ensemble.threads > 0 ? c->ensemble.threads : omp_get_max_threads();
  Status status = isa_wanted(&m->isa, error);
  if (status == STATUS_OK && !config_mechanical(c))
    status = input_error(c->input, "system.model", error,
                         "is water; a mechanical system has system.sites or system.hamiltonian");
  if (status == STATUS_OK)
    status = make_system(m, error);
  if (status != STATUS_OK)
    return status;
  const size_t n = (size_t)m->replicas * (size_t)m->size;
  double *q = calloc(n, sizeof *q), *p = calloc(n, sizeof *p);
  status = q == NULL || p == NULL ? error_memory(error, "positions") : begin(m, q, p, error);
  free(q);
  free(p);
  return status;
}

Status mechanics_create(Mechanics **mechanics, const Config *config, Error *error)
{
  *mechanics = NULL;
  Mechanics *m = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "a system");
  m->config = config;
  const Status status = make(m, error);
  if (status != STATUS_OK) {
    mechanics_free(m);
    return status;
  }
  *mechanics = m;
  return STATUS_OK;
}

Status mechanics_load(Mechanics **mechanics, const char *path, const char *const *set, int nset, Error *error)
{
  *mechanics = NULL;
  Config *config;
  Status status = config_load(path, set, nset, &config, error);
  if (status != STATUS_OK)
    return status;
  status = mechanics_create(mechanics, config, error);
  if (status != STATUS_OK)
    config_free(config);
  else
    (*mechanics)->owned = config;
  return status;
}

void mechanics_free(Mechanics *m)
{
  if (m == NULL)
    return;
  ensemble_free(m->ensemble);
  plan_free(m->plan);
  mechanics_tangent_free(m->tangent);
  kind_free(m->kind);
  for (int i = 0; i < m->nformula; i++)
    formula_free(m->formula[i]);
  free(m->formula);
  hamiltonian_free(m->ham);
  free(m->value);
  free(m->lambda);
  free(m->first);
  free(m->z);
  config_free(m->owned);
  free(m);
}

/* --- looking -------------------------------------------------------------------------------------------- */

const Config *mechanics_config(const Mechanics *m) { return m->config; }

const Kind *mechanics_kind(const Mechanics *m) { return m->kind; }

const Plan *mechanics_plan(const Mechanics *m) { return m->plan; }

int mechanics_size(const Mechanics *m) { return m->size; }

int mechanics_replicas(const Mechanics *m) { return m->replicas; }

double mechanics_time(const Mechanics *m)
{
  return (double)ensemble_step(m->ensemble) * m->config->integrator.timestep;
}

void mechanics_get(const Mechanics *m, int r, double *q, double *p) { ensemble_get(m->ensemble, r, q, p); }

Status mechanics_set(Mechanics *m, int r, const double *q, const double *p, Error *error)
{
  if (r < 0 || r >= m->replicas)
    return error_set(error, STATUS_INPUT, "there is no replica %d; there are %d", r, m->replicas);
  const int last = r == m->replicas - 1 ? ensemble_replicas(m->ensemble) : r + 1;
  for (int k = r; k < last; k++)
    ensemble_set(m->ensemble, k, q, p);
  m->stale = true;
  return STATUS_OK;
}

/* --- stepping ------------------------------------------------------------------------------------------- */

static Status keep_multipliers(void *self, unsigned due, int gang, const State *state, Walk *walk,
                               const Team *team, Error *error)
{
  (void)due;
  (void)error;
  Mechanics *m = self;
  if (team->rank != 0)
    return STATUS_OK;
  for (int l = 0; l < state->width; l++)
    walk_multipliers(walk, l, 0, m->lambda + (size_t)(gang * state->width + l) * (size_t)m->ncon);
  return STATUS_OK;
}

Status mechanics_run(Mechanics *m, int64_t n, Error *error)
{
  if (n <= 0)
    return STATUS_OK;
  const Status ready = m->stale ? ensemble_ready(m->ensemble, error) : STATUS_OK;
  if (ready != STATUS_OK)
    return ready;
  m->stale = false;
  const int64_t until = ensemble_step(m->ensemble) + n;
  const Sampler sampler = {.self = m, .every = {until}, .sample = keep_multipliers};
  return ensemble_run(m->ensemble, until, m->ncon > 0 ? &sampler : NULL, error);
}

void mechanics_multipliers(const Mechanics *m, int r, double *lambda)
{
  memcpy(lambda, m->lambda + (size_t)r * (size_t)m->ncon, (size_t)m->ncon * sizeof *lambda);
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

MechanicsEnergy mechanics_energy(const Mechanics *m, int r)
{
  double *q = m->z, *p = m->z + m->size;
  mechanics_get(m, r, q, p);
  if (m->ham != NULL)
    return energy_hamiltonian(m);
  MechanicsEnergy e = {0};
  int worst;
  mechanics_tangent_look(m->tangent, q, p);
  e.largest = mechanics_tangent_residual(m->tangent, &worst);
  /* SHAKE keeps momenta whose part across the manifold means nothing. */
  const char *constraints = plan_options(m->plan)->constraints;
  if (constraints != NULL && constraint_method_find(constraints)->lazy)
    mechanics_tangent_momenta(m->tangent, p);
  e.hidden = mechanics_tangent_speed(m->tangent, p);
  sum_motion(m->kind, q, p, &e);
  e.potential = mechanics_tangent_potential(m->tangent);
  if (m->config->geometry.fixman)
    e.potential += mechanics_tangent_fixman(m->tangent, m->config->thermostat.kT);
  const double w = plan_options(m->plan)->w;
  e.penalty = 0.5 * w * w * mechanics_tangent_square(m->tangent);
  e.total = e.kinetic + e.potential + e.penalty;
  return e;
}
