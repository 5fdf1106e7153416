/* The initial positions and momenta: evaluates them, checks them against constraints, and projects them if
 * requested. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "engine/random.h"
#include "methods/geometric.h"
#include "simulation/mechanics/mechanics_private.h"

static const char *const start_names[] = {"i", "n", "r", "xi", "u"};
static const Names starts = {5, start_names};
enum { VARIABLES = 5 };

/* --- evaluation ------- */

/* Each number has its own address: two of the four words are for u, two for xi. */
static void draw(const Mechanics *m, int replica, int component, double *xi, double *u)
{
  uint32_t key[2], words[4];
  random_key((uint64_t)m->s->config->seed, (uint32_t)replica, RANDOM_START, key);
  const uint32_t counter[4] = {(uint32_t)component, 0, 1, UINT32_MAX - 1};
  random_words(key, counter, words);
  const double a = ((double)words[0] + 0.5) * 0x1p-32, b = ((double)words[1] + 0.5) * 0x1p-32;
  *xi = sqrt(-2.0 * log(a)) * cos(6.283185307179586 * b);
  *u = (double)(((uint64_t)words[2] << 32 | words[3]) >> 11) * 0x1p-53;
}

Status mechanics_start_fill(const Mechanics *m, const MechanicsFill *f, double *x, Error *error)
{
  Expression *expression;
  TRY(mechanics_value_parse(m, f->key, f->text, starts, &expression, error));
  for (int r = 0; r < m->s->replicas; r++)
    for (int i = 0; i < f->count; i++) {
      const int at = f->at + i * f->step;
      double v[VARIABLES] = {i + 1, f->count, r, 0.0, 0.0};
      if (expression_depends(expression, 3) || expression_depends(expression, 4))
        draw(m, r, f->place + at, &v[3], &v[4]);
      double value = expression_value(expression, v);
      if (!isfinite(value)) {
        expression_free(expression);
        return input_error(m->s->config->input, f->key, error,
                           "'%s' is not a finite number for i = %d (replica r = %d)", f->text, i + 1, r);
      }
      if (f->velocity)
        value *= m->s->kind[0]->mass[at / m->s->kind[0]->dim];
      x[(size_t)r * (size_t)m->size + (size_t)at] = value;
    }
  expression_free(expression);
  return STATUS_OK;
}

/* A vector of a record: dim texts. */
static Status fill_vector(const Mechanics *m, int record, const char *name, const InputStrings *text,
                          MechanicsFill f, double *x, Error *error)
{
  const int dim = m->s->kind[0]->dim;
  const InputKey key = input_record(KEY(system_sites), record, name);
  if (text->n != dim)
    return input_error(m->s->config->input, key, error, "has %d component%s; wanted: %d (system.dimensions)",
                       text->n, text->n == 1 ? "" : "s", dim);
  f.key = key;
  f.step = dim;
  const int first = f.at;
  for (int d = 0; d < dim; d++) {
    f.at = first + d;
    f.text = text->value[d];
    TRY(mechanics_start_fill(m, &f, x, error));
  }
  return STATUS_OK;
}

Status mechanics_start_sites(const Mechanics *m, double *q, double *p, Error *error)
{
  const ConfigSite *site = m->s->config->system.sites.item;
  int at = 0;
  for (int i = 0; i < m->s->config->system.sites.n; i++) {
    int count;
    TRY(mechanics_build_count(m, i, &count, error));
    MechanicsFill f = {.count = count, .at = at};
    TRY(fill_vector(m, i, "position", &site[i].position, f, q, error));
    f.place = m->size;
    if (site[i].momentum.value != NULL)
      TRY(fill_vector(m, i, "momentum", &site[i].momentum, f, p, error));
    f.velocity = true;
    if (site[i].velocity.value != NULL)
      TRY(fill_vector(m, i, "velocity", &site[i].velocity, f, p, error));
    at += count * m->s->kind[0]->dim;
  }
  return STATUS_OK;
}

Status mechanics_start_hamiltonian(const Mechanics *m, double *q, double *p, Error *error)
{
  const Config *c = m->s->config;
  const InputStrings *position = &c->system.position, *momentum = &c->system.momentum;
  if (momentum->value != NULL && momentum->n != position->n)
    return input_error(c->input, KEY(system_momentum), error, "has %d components, but system.position has %d",
                       momentum->n, position->n);
  for (int i = 0; i < position->n; i++) {
    MechanicsFill f = {
        .key = KEY(system_position), .text = position->value[i], .count = 1, .at = i, .step = 1};
    TRY(mechanics_start_fill(m, &f, q, error));
    if (momentum->value == NULL)
      continue;
    f.key = KEY(system_momentum);
    f.text = momentum->value[i];
    f.place = m->size;
    TRY(mechanics_start_fill(m, &f, p, error));
  }
  return STATUS_OK;
}

/* --- constraints ------- */

/* "constraint 3 (distance of sites 2 and 3)". */
static const char *describe(const Kind *kind, int c, char *text, size_t size)
{
  const Constraint *con = &kind->con[c];
  if (c >= kind->ncon) /* of a Hamiltonian */
    snprintf(text, size, "constraint %d", c + 1);
  else if (con->nsite == 1)
    snprintf(text, size, "constraint %d (%s, site %d)", c + 1, con->type->name, con->site[0] + 1);
  else
    snprintf(text, size, "constraint %d (%s, sites %d and %d)", c + 1, con->type->name, con->site[0] + 1,
             con->site[1] + 1);
  return text;
}

static Status check_rank(const Mechanics *m, int r, Error *error)
{
  int dependent;
  const int n = m->s->ncon, rank = tangent_rank(m->tangent, &dependent);
  char which[96];
  if (rank == n)
    return STATUS_OK;
  return input_error(m->s->config->input, mechanics_build_origin(m, dependent), error,
                     "the %d constraint%s have rank %d at the start (replica %d): %s depends on the others, "
                     "or its gradient vanishes; remove it, or change the start",
                     n, n > 1 ? "s" : "", rank, r, describe(m->s->kind[0], dependent, which, sizeof which));
}

/* Checks the residuals; projects if requested. */
static Status check_positions(const Mechanics *m, int r, double *q, double *p, Error *error)
{
  const Config *c = m->s->config;
  int worst;
  char which[96];
  const double residual = tangent_residual(m->tangent, &worst);
  const double rounding = tangent_rounding(m->tangent, q);
  const double tolerance = fmax(c->geometry.tolerance, rounding);
  if (residual <= tolerance)
    return STATUS_OK;
  describe(m->s->kind[0], worst, which, sizeof which);
  if (c->system.project) {
    const double aim = fmax(fmin(1e-14, c->geometry.tolerance), rounding);
    if (!tangent_project(m->tangent, aim, q, p))
      return input_error(
          c->input, KEY(system_project), error,
          "the start of replica %d cannot be projected onto the constraints; %s is violated by %.3g", r,
          which, residual);
    if (r == 0)
      input_note(c->input, KEY(system_project),
                 "the start was projected onto the constraints: %s was violated by %.3g", which, residual);
    tangent_look(m->tangent, q, p);
    return STATUS_OK;
  }
  if (m->s->constrained)
    return input_error(c->input, mechanics_build_origin(m, worst), error,
                       "the start violates the constraints (replica %d): %s has |g|/scale = %.3g; allowed: "
                       "%.3g; correct the positions, or set system.project: true to project them",
                       r, which, residual, tolerance);
  if (r == 0)
    input_note(c->input, KEY(system_constraints), "the start violates the penalties: %s has |g|/scale = %.3g",
               which, residual);
  return STATUS_OK;
}

void mechanics_start_tangent(const Mechanics *m, int r, double *q, double *p)
{
  (void)q;
  const Config *c = m->s->config;
  double size = 0.0;
  for (int i = 0; i < m->size; i++)
    size = fmax(size, fabs(p[i]) / m->s->kind[0]->mass[i / m->s->kind[0]->dim]);
  const double speed = tangent_speed(m->tangent, p);
  if (speed <= 1e-13 * size || !(m->s->constrained || c->system.project))
    return;
  tangent_momenta(m->tangent, p);
  if (r == 0 && speed > 1e-9 * size)
    input_note(c->input, KEY(system_sites),
               "the initial momenta were projected onto the constraints (|d/dt g| was up to %.3g)", speed);
}

/* For a general Hamiltonian: projects along the fibres of the constraints onto {g, H} = 0. If there is no
 * such point, the start is unchanged and the method's check reports the violated assumption. */
void mechanics_start_fibres(const Mechanics *m, int r, double *q, double *p)
{
  (void)r;
  if (m->s->config->system.project)
    (void)geometric_project_kind(m->s->kind[0], q, p, NULL);
}

Status mechanics_start_project(const Simulation *s, double *q, double *p, Error *error)
{
  return s->ncon > 0 ? geometric_project_kind(s->kind[0], q, p, error) : STATUS_OK;
}

static Status check_replica(const Mechanics *m, int r, double *q, double *p, Error *error)
{
  tangent_look(m->tangent, q, p);
  TRY(check_positions(m, r, q, p, error));
  TRY(check_rank(m, r, error));
  m->sort->form->momenta(m, r, q, p);
  return STATUS_OK;
}

/* --- potentials ------- */

/* Otherwise a missing gradient would be reported as an unstable integration. */
static Status check_potential(const Mechanics *m, int i, int r, const Vec8 *q, Error *error)
{
  LOCALE_PLAIN;
  const Potential *pot = &m->s->kind[0]->pot[i];
  const int n = pot->nsite * m->s->kind[0]->dim;
  Vec8 energy, grad[CONSTRAINT_SITES * 3];
  pot->type->eval(pot, m->s->kind[0]->dim, q, &energy, grad);
  bool fine = true;
  for (int k = 0; k < n; k++)
    fine = fine && isfinite(grad[k][0]);
  if (fine || !isfinite(energy[0])) /* energies are checked together */
    return STATUS_OK;
  char sites[48], why[96] = "";
  if (pot->nsite == 1)
    snprintf(sites, sizeof sites, "on site %d", pot->site[0] + 1);
  else
    snprintf(sites, sizeof sites, "of sites %d and %d", pot->site[0] + 1, pot->site[1] + 1);
  if (pot->type == &potential_spring)
    snprintf(why, sizeof why,
             "; the direction of a spring of rest length %.6g is undefined where its length is 0",
             pot->param[4]);
  return input_error(
      m->s->config->input, KEY(system_potentials), error,
      "potential %d (%s %s) has no finite gradient at the start (replica %d)%s: change the start", i + 1,
      pot->type->name, sites, r, why);
}

static Status check_potentials(const Mechanics *m, const double *q, Error *error)
{
  SCOPED(scoped_free) Vec8 *lanes = aligned_alloc(sizeof(Vec8), (size_t)m->size * sizeof *lanes);
  TRY_MEMORY(lanes != NULL, "a start", error);
  for (int r = 0; r < m->s->replicas; r++) {
    for (int k = 0; k < m->size; k++)
      lanes[k] = vec8_set(q[(size_t)r * (size_t)m->size + (size_t)k]);
    for (int i = 0; i < m->s->kind[0]->npot; i++)
      TRY(check_potential(m, i, r, lanes, error));
  }
  return STATUS_OK;
}

Status mechanics_start(Mechanics *m, double *q, double *p, Error *error)
{
  TRY(m->sort->start(m, q, p, error));
  TRY(mechanics_file_fill(m, q, p, error));
  for (int r = 0; r < m->s->replicas && m->s->ncon > 0; r++)
    TRY(check_replica(m, r, q + (size_t)r * (size_t)m->size, p + (size_t)r * (size_t)m->size, error));
  return check_potentials(m, q, error);
}
