#include "app/frequency.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sort_vector.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/projector.h"

/* G = J M^-1 J' of one molecule at its reference geometry, lane 0 of a pack of copies. */
static Status gram(const Kind *kind, double *g, Error *error)
{
  const size_t n = (size_t)kind->nsite * (size_t)kind->dim, m = (size_t)kind->ncon;
  vd *q = aligned_alloc(sizeof(vd), n * sizeof(vd));
  double *jacobian = calloc(m * n, sizeof *jacobian);
  if (q == NULL || jacobian == NULL) {
    free(q);
    free(jacobian);
    return error_memory(error, "a Jacobian");
  }
  for (size_t i = 0; i < n; i++)
    q[i] = vd_set(kind->reference[i]);
  for (size_t c = 0; c < m; c++) {
    const Constraint *con = &kind->con[c];
    vd value, grad[CONSTRAINT_SITES * 3];
    con->type->eval(con, kind->dim, q, &value, grad);
    for (int k = 0; k < con->nsite; k++)
      for (int d = 0; d < kind->dim; d++)
        jacobian[c * n + (size_t)(con->site[k] * kind->dim + d)] += grad[k * kind->dim + d][0];
  }
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++) {
      g[a * m + b] = 0.0;
      for (size_t i = 0; i < n; i++)
        g[a * m + b] += jacobian[a * n + i] * jacobian[b * n + i] / kind->mass[i / (size_t)kind->dim];
    }
  free(q);
  free(jacobian);
  return STATUS_OK;
}

Status frequency_penalty(const Kind *kind, double w, double *frequency, Error *error)
{
  const size_t m = (size_t)kind->ncon;
  if (m == 0)
    return STATUS_OK;
  double *g = malloc(m * m * sizeof *g);
  gsl_vector *value = gsl_vector_alloc(m);
  gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(m);
  Status status =
      g == NULL || value == NULL || work == NULL ? error_memory(error, "frequencies") : gram(kind, g, error);
  if (status == STATUS_OK) {
    gsl_matrix_view view = gsl_matrix_view_array(g, m, m);
    gsl_eigen_symm(&view.matrix, value, work);
    gsl_sort_vector(value);
    for (size_t i = 0; i < m; i++)
      frequency[i] = w * sqrt(fmax(gsl_vector_get(value, i), 0.0));
  }
  gsl_eigen_symm_free(work);
  gsl_vector_free(value);
  free(g);
  return status;
}

/* --- librations ------------------------------------------------------------------------------------------
 */

/* Displacement of the differences (angstrom), and iterations: the rate is wanted to a per cent. */
static const double displacement = 1e-4;
enum { ITERATIONS = 200 };
/* In large boxes fewer, which comes out a little low: this many vectors in all, and at least so often. */
enum { WORK = 1 << 17, LEAST = 12 };

typedef struct Power {
  State *state;
  const ForceField *field;
  Projector *projector[KINDS_MAX]; /* NULL: free */
  size_t n;                        /* vectors in the fields of all blocks */
  size_t at[KINDS_MAX + 1];        /* where each block's begins */
  vd *x0, *f0, *u, *f;
  double reach; /* displacement over the norm of u: in a box, as if each molecule had its own */
} Power;

/* Fields of all blocks one behind the other. */
static void fetch(const Power *p, bool force, vd *to)
{
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    memcpy(to + p->at[b], force ? block->f : block->q, (p->at[b + 1] - p->at[b]) * sizeof(vd));
  }
}

/* y <- P y for a field that transforms as a momentum. */
static void tangent(const Power *p, vd *y)
{
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    const size_t stride = (p->at[b + 1] - p->at[b]) / (size_t)block->npack;
    for (int i = 0; i < block->npack; i++, y += stride) {
      Pack pack = state_pack(p->state, block, i);
      pack.q = p->x0 + p->at[b] + (size_t)i * stride;
      pack.p = y;
      if (p->projector[b] != NULL)
        projector_apply(p->projector[b], &pack, NULL);
      for (size_t k = 0; k < stride; k++)
        y[k] *= *pack.active;
    }
  }
}

static double mass_of(const Power *p, size_t i)
{
  int b = 0;
  while (i >= p->at[b + 1])
    b++;
  const Kind *kind = p->state->block[b].kind;
  return kind->mass[(i - p->at[b]) % (size_t)(kind->nsite * kind->dim) / (size_t)kind->dim];
}

/* q = x0 + scale M^-1 u. */
static void displace(const Power *p, double scale)
{
  for (int b = 0; b < p->state->nblock; b++)
    for (size_t i = p->at[b]; i < p->at[b + 1]; i++)
      p->state->block[b].q[i - p->at[b]] = p->x0[i] + scale / mass_of(p, i) * p->u[i];
}

/* u holds a momentum of unit M^-1 norm; returns u' M^-1 H M^-1 u and puts -P H M^-1 u in its place. */
static Status step(Power *p, double *value, Error *error)
{
  const Team alone = team_alone();
  displace(p, p->reach);
  const Status status = force_field_compute(p->field, &alone, p->state, NULL, error);
  if (status != STATUS_OK)
    return status;
  vd quotient = vd_set(0.0), norm = vd_set(0.0);
  vd *f = p->f;
  fetch(p, true, f);
  for (size_t i = 0; i < p->n; i++)
    f[i] = (p->f0[i] - f[i]) / p->reach;
  tangent(p, f);
  for (size_t i = 0; i < p->n; i++) {
    quotient += p->u[i] * f[i] / mass_of(p, i);
    norm += f[i] * f[i] / mass_of(p, i);
  }
  const double size = sqrt(vd_sum(norm)), scale = size > 0.0 ? 1.0 / size : 0.0; /* 0: nothing interacts */
  for (size_t i = 0; i < p->n; i++)
    p->u[i] = scale * f[i];
  *value = vd_sum(quotient);
  return STATUS_OK;
}

static Status power_iteration(Power *p, double *result, Error *error)
{
  const Team alone = team_alone();
  fetch(p, false, p->x0);
  Status status = force_field_compute(p->field, &alone, p->state, NULL, error);
  fetch(p, true, p->f0);
  vd norm = vd_set(0.0);
  for (size_t i = 0; i < p->n; i++)
    for (int l = 0; l < LANES; l++)
      p->u[i][l] = sin(1.0 + 1.7 * (double)(i * LANES + (size_t)l));
  tangent(p, p->u);
  for (size_t i = 0; i < p->n; i++)
    norm += p->u[i] * p->u[i] / mass_of(p, i);
  for (size_t i = 0; i < p->n; i++)
    p->u[i] /= sqrt(vd_sum(norm));
  const size_t bounded = WORK / (p->n > 0 ? p->n : 1) + LEAST;
  const int iterations = bounded < ITERATIONS ? (int)bounded : ITERATIONS;
  double value = 0.0;
  for (int k = 0; k < iterations && status == STATUS_OK; k++) {
    double next = 0.0;
    status = step(p, &next, error);
    const bool settled = k > 10 && fabs(next - value) < 1e-5 * fabs(next);
    value = next;
    if (settled)
      break;
  }
  displace(p, 0.0);
  *result = value;
  return status;
}

Status frequency_libration(State *state, const ForceField *field, Isa isa, double *frequency, Error *error)
{
  Power p = {.state = state, .field = field};
  Status status = STATUS_OK;
  double molecules = 0.0;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    p.at[b] = p.n;
    molecules += block->nmol;
    p.n += (size_t)block->npack * (size_t)(block->kind->nsite * block->kind->dim);
    if (block->kind->ncon > 0 && status == STATUS_OK)
      status = projector_create(&p.projector[b], block->kind, NULL, true, isa, error);
  }
  p.at[state->nblock] = p.n;
  p.reach = displacement * (box_periodic(&state->box) ? sqrt(molecules) : 1.0);
  vd *memory = aligned_alloc(sizeof(vd), 4 * p.n * sizeof(vd));
  if (memory == NULL && status == STATUS_OK)
    status = error_memory(error, "frequencies");
  double square = 0.0;
  if (status == STATUS_OK) {
    p.x0 = memory;
    p.f0 = memory + p.n;
    p.u = memory + 2 * p.n;
    p.f = memory + 3 * p.n;
    status = power_iteration(&p, &square, error);
  }
  *frequency = sqrt(fmax(square, 0.0));
  for (int b = 0; b < state->nblock; b++)
    projector_free(p.projector[b]);
  free(memory);
  return status;
}

/* --- words -----------------------------------------------------------------------------------------------
 */

/* Of the map of a word at s = h W, on positions and on momenta over the mode's mass and W. */
static double trace(const WordSpelling *word, double s)
{
  double m[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  for (int i = 0; i < word->n; i++)
    for (int k = 0; k < 2; k++) {
      if (word->letter[i] == 'A')
        m[0][k] += word->weight[i] * s * m[1][k];
      if (word->letter[i] == 'B')
        m[1][k] -= word->weight[i] * s * m[0][k];
    }
  return m[0][0] + m[1][1];
}

double frequency_limit(const WordSpelling *word)
{
  static const double beyond = 2.0 + 1e-10, mesh = 1.0 / 64.0; /* words of equal steps touch 2 on the way */
  double low = 0.0, high = mesh;
  if (word_has(word, 'P'))
    return 2.0;
  while (fabs(trace(word, high)) < beyond) {
    low = high;
    high += mesh;
    if (high > 2.0 * WORD_LETTERS)
      return INFINITY;
  }
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    *(fabs(trace(word, middle)) < beyond ? &low : &high) = middle;
  }
  return low;
}

double frequency_widening(double frequency, double h, double beta)
{
  const double s2 = frequency * frequency * h * h, filtered = 1.0 + beta * s2;
  const double left = 1.0 - s2 / (4.0 * filtered);
  return left > 0.0 ? filtered / left : INFINITY;
}
