#include "observables/mbar.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of self-consistent steps before Newton's; maximal numbers of iterations and of halvings. */
enum { SELF_CONSISTENT = 2, ITERATIONS = 200, HALVINGS = 40 };
/* Accepted error of the expected numbers of samples, relative to the total number. */
static const double converged = 1e-10;

/* --- memory -----------------------------------------------------------------------------------------------
 */

static Status check(const EnergyPool *pool, const double *temperature, Error *error)
{
  for (int k = 0; k < pool->temperatures; k++) {
    if (!(temperature[k] > 0.0) || isinf(temperature[k]) || (k > 0 && !(temperature[k] > temperature[k - 1])))
      return error_set(error, STATUS_INPUT,
                       "temperatures of a ladder must be positive and rising, not %g, %g",
                       k > 0 ? temperature[k - 1] : 0.0, temperature[k]);
    if (!(pool->drawn[k] > 0.0))
      return error_set(error, STATUS_INPUT, "there is no sample at %g K", temperature[k]);
  }
  return STATUS_OK;
}

static Status take_room(Mbar *m, Error *error)
{
  const size_t states = (size_t)m->states, bins = (size_t)m->pool->bins;
  m->temperature = arena_take(&m->arena, states, sizeof *m->temperature);
  m->beta = arena_take(&m->arena, states, sizeof *m->beta);
  m->free = arena_take(&m->arena, states, sizeof *m->free);
  m->log_weight = arena_take(&m->arena, bins, sizeof *m->log_weight);
  m->share = arena_take(&m->arena, bins * states, sizeof *m->share);
  return arena_check(&m->arena, "MBAR", error);
}

void mbar_free(Mbar *m)
{
  if (m != NULL)
    arena_free(&m->arena);
  free(m);
}

/* --- the equations ----------------------------------------------------------------------------------------
 */

/* Computes shares and weights of all bins for these free energies. Returns the convex function sum_i c_i ln
 * D_i - sum_k N_k f_k, whose gradient is expected - drawn. `head` is scratch memory [states]. */
static double evaluate(Mbar *m, const double *f, double *head)
{
  const EnergyPool *pool = m->pool;
  const size_t states = (size_t)m->states;
  double value = 0.0;
  for (size_t k = 0; k < states; k++) {
    head[k] = log(pool->drawn[k]) + f[k];
    value -= pool->drawn[k] * f[k];
  }
  for (int i = 0; i < pool->bins; i++) {
    double *share = m->share + (size_t)i * states, top = -INFINITY, sum = 0.0;
    const double *const u = pool->reduced != NULL ? pool->reduced + (size_t)i * states : NULL;
    for (size_t k = 0; k < states; k++) {
      share[k] = head[k] - (u != NULL ? u[k] : m->beta[k] * pool->energy[i]);
      top = fmax(top, share[k]);
    }
    for (size_t k = 0; k < states; k++)
      sum += share[k] = exp(share[k] - top);
    for (size_t k = 0; k < states; k++)
      share[k] /= sum;
    m->log_weight[i] = log(pool->count[i]) - top - log(sum);
    value += pool->count[i] * (top + log(sum));
  }
  return value;
}

/* The expected number of samples of each temperature. */
static void expect(const Mbar *m, double *expected)
{
  memset(expected, 0, (size_t)m->states * sizeof *expected);
  for (int i = 0; i < m->pool->bins; i++)
    for (int k = 0; k < m->states; k++)
      expected[k] += m->pool->count[i] * m->share[(size_t)i * (size_t)m->states + (size_t)k];
}

static double residual(const Mbar *m, const double *expected)
{
  double most = 0.0;
  for (int k = 0; k < m->states; k++)
    most = fmax(most, fabs(expected[k] / m->pool->drawn[k] - 1.0));
  return most;
}

/* Computes sum_i c_i p_ik p_il. */
static void products(const Mbar *m, double *matrix)
{
  const size_t n = (size_t)m->states;
  memset(matrix, 0, n * n * sizeof *matrix);
  for (int i = 0; i < m->pool->bins; i++) {
    const double *share = m->share + (size_t)i * n;
    for (size_t k = 0; k < n; k++) {
      const double a = m->pool->count[i] * share[k];
      if (a < 1e-30) /* most temperatures do not contribute to a bin */
        continue;
      for (size_t l = 0; l <= k; l++)
        matrix[k * n + l] += a * share[l];
    }
  }
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < k; l++)
      matrix[l * n + k] = matrix[k * n + l];
}

/* Newton's step from the present shares, without the first state; 0: the matrix is singular. */
static int newton(const Mbar *m, const double *expected, double *matrix, double *step)
{
  const int n = m->states, rest = n - 1;
  products(m, matrix);
  double *inner = matrix + n + 1;
  for (int k = 0; k < rest; k++)
    for (int l = 0; l < rest; l++)
      inner[k * n + l] = (k == l ? expected[k + 1] * (1.0 + 1e-13) : 0.0) - inner[k * n + l];
  step[0] = 0.0;
  for (int k = 1; k < n; k++)
    step[k] = m->pool->drawn[k] - expected[k];
  return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', rest, 1, inner, n, step + 1, rest) == 0;
}

typedef struct Work {
  double *head, *expected, *step, *trial, *matrix;
} Work;

static void self_consistent(const Mbar *m, const Work *w)
{
  for (int k = 0; k < m->states; k++)
    w->step[k] = log(m->pool->drawn[k] / w->expected[k]);
  for (int k = m->states - 1; k >= 0; k--)
    w->step[k] -= w->step[0];
}

/* Halves the step until the function has decreased sufficiently, up to rounding; 0: it does not. */
static int descend(Mbar *m, const Work *w, double *value)
{
  double slope = 0.0, scale = 1.0, samples = 0.0;
  for (int k = 0; k < m->states; k++) {
    slope += (w->expected[k] - m->pool->drawn[k]) * w->step[k];
    samples += m->pool->drawn[k];
  }
  const double rounding = 1e-12 * (fabs(*value) + samples);
  for (int tries = 0; tries < HALVINGS; tries++, scale *= 0.5) {
    for (int k = 0; k < m->states; k++)
      w->trial[k] = m->free[k] + scale * w->step[k];
    const double there = evaluate(m, w->trial, w->head);
    if (there <= *value + 1e-4 * scale * slope + rounding) {
      memcpy(m->free, w->trial, (size_t)m->states * sizeof *m->free);
      *value = there;
      return 1;
    }
  }
  *value = evaluate(m, m->free, w->head);
  return 0;
}

static Status solve(Mbar *m, const Work *w, Error *error)
{
  double value = evaluate(m, m->free, w->head);
  for (m->iterations = 0; m->iterations < ITERATIONS; m->iterations++) {
    expect(m, w->expected);
    if (residual(m, w->expected) < converged || m->states == 1)
      return STATUS_OK;
    if (m->iterations >= SELF_CONSISTENT && newton(m, w->expected, w->matrix, w->step) &&
        descend(m, w, &value))
      continue;
    self_consistent(m, w);
    if (!descend(m, w, &value))
      break;
  }
  return error_set(
      error, STATUS_RUN,
      "MBAR: the free energies of %d temperatures do not converge: check that their energies overlap",
      m->states);
}

/* Thermodynamic integration with the trapezoidal rule: d f/d beta = <U>. */
static void first_guess(Mbar *m)
{
  m->free[0] = 0.0;
  for (int k = 1; k < m->states; k++)
    m->free[k] =
        m->free[k - 1] + 0.5 * (m->pool->mean[k] + m->pool->mean[k - 1]) * (m->beta[k] - m->beta[k - 1]);
}

static Status fill(Mbar *m, const double *temperature, const double *start, Error *error)
{
  const size_t n = (size_t)m->states;
  TRY(take_room(m, error));
  SCOPED(scoped_free) double *work = malloc((4 + n) * n * sizeof *work);
  TRY_MEMORY(work != NULL, "MBAR", error);
  for (size_t k = 0; k < n && temperature != NULL; k++) {
    m->temperature[k] = temperature[k];
    m->beta[k] = 1.0 / (m->boltzmann * temperature[k]);
  }
  if (start != NULL)
    memcpy(m->free, start, n * sizeof *m->free);
  else
    first_guess(m);
  const Work w = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n};
  return solve(m, &w, error);
}

Status mbar_create(Mbar **mbar, const EnergyPool *pool, const double *temperature, double boltzmann,
                   const double *start, Error *error)
{
  *mbar = NULL;
  TRY(check(pool, temperature, error));
  Mbar *m = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "MBAR", error);
  *m = (Mbar){.pool = pool, .states = pool->temperatures, .boltzmann = boltzmann};
  TRY_ELSE(fill(m, temperature, start, error), mbar_free(m));
  *mbar = m;
  return STATUS_OK;
}

Status mbar_create_reduced(Mbar **mbar, const EnergyPool *pool, const double *start, Error *error)
{
  *mbar = NULL;
  for (int k = 0; k < pool->temperatures; k++)
    if (!(pool->drawn[k] > 0.0))
      return error_set(error, STATUS_INPUT, "there is no sample of state %d", k);
  Mbar *m = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "MBAR", error);
  *m = (Mbar){.pool = pool, .states = pool->temperatures, .boltzmann = 1.0};
  TRY_ELSE(fill(m, NULL, start, error), mbar_free(m));
  *mbar = m;
  return STATUS_OK;
}

/* --- any temperature --------------------------------------------------------------------------------------
 */

Status mbar_at(const Mbar *m, double temperature, MbarState *state, double *weight, Error *error)
{
  const double low = m->temperature[0], high = m->temperature[m->states - 1], slack = 1e-9;
  if (!(temperature >= low * (1.0 - slack) && temperature <= high * (1.0 + slack)))
    return error_set(error, STATUS_INPUT, "%g K is outside the ladder, which has samples for %g to %g K",
                     temperature, low, high);
  const EnergyPool *pool = m->pool;
  const double beta = 1.0 / (m->boltzmann * temperature);
  double top = -INFINITY, sum = 0.0, first = 0.0, second = 0.0, squares = 0.0;
  for (int i = 0; i < pool->bins; i++)
    top = fmax(top, m->log_weight[i] - beta * pool->energy[i]);
  for (int i = 0; i < pool->bins; i++) {
    const double w = exp(m->log_weight[i] - beta * pool->energy[i] - top);
    sum += w;
    first += w * (pool->energy[i] - pool->energy[0]);
    squares += w * w / pool->count[i];
    if (weight != NULL)
      weight[i] = w;
  }
  first /= sum;
  for (int i = 0; i < pool->bins; i++) {
    const double w = weight != NULL ? weight[i] : exp(m->log_weight[i] - beta * pool->energy[i] - top);
    second += w / sum * pow(pool->energy[i] - pool->energy[0] - first, 2);
    if (weight != NULL)
      weight[i] /= sum;
  }
  second += pool->width * pool->width / 12.0; /* within bins */
  *state = (MbarState){.free = -top - log(sum),
                       .energy = pool->energy[0] + first,
                       .heat = second * beta / temperature,
                       .effective = sum * sum / squares};
  return STATUS_OK;
}

/* --- overlap ----------------------------------------------------------------------------------------------
 */

static void narrowest(const Mbar *m, MbarOverlap *overlap)
{
  overlap->least = INFINITY;
  for (int cut = 0; cut + 1 < m->states; cut++) {
    double either = 0.0;
    for (int i = 0; i < m->pool->bins; i++) {
      double below = 0.0;
      for (int k = 0; k <= cut; k++)
        below += m->share[(size_t)i * (size_t)m->states + (size_t)k];
      either += m->pool->count[i] * below * (1.0 - below);
    }
    either /= fmin(m->pool->drawn[cut], m->pool->drawn[cut + 1]);
    if (either < overlap->least) {
      overlap->least = either;
      overlap->at = cut;
    }
  }
}

Status mbar_overlap(const Mbar *m, double *matrix, MbarOverlap *overlap, Error *error)
{
  const int n = m->states;
  const size_t size = (size_t)n * (size_t)n;
  *overlap = (MbarOverlap){.second = 0.0, .least = INFINITY};
  SCOPED(scoped_free) double *symmetric = malloc((size + (size_t)n) * sizeof *symmetric);
  TRY_MEMORY(symmetric != NULL, "the overlap of temperatures", error);
  double *const eigenvalue = symmetric + size;
  products(m, symmetric);
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++) {
      const size_t at = (size_t)k * (size_t)n + (size_t)l;
      matrix[at] = symmetric[at] / m->pool->drawn[k];
      symmetric[at] /= sqrt(m->pool->drawn[k] * m->pool->drawn[l]);
    }
  if (n > 1) {
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, symmetric, n, eigenvalue) == 0)
      overlap->second = eigenvalue[n - 2];
    else
      overlap->second = NAN;
    narrowest(m, overlap);
  }
  return STATUS_OK;
}

double mbar_least_overlap(const Mbar *m)
{
  MbarOverlap overlap = {.least = INFINITY};
  narrowest(m, &overlap);
  return overlap.least;
}

Status mbar_overlap_check(const Mbar *m, Error *error)
{
  MbarOverlap overlap = {.least = INFINITY};
  narrowest(m, &overlap);
  if (overlap.least >= MBAR_OVERLAP_LEAST)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "energies at %g K and %g K hardly overlap (%.2g; at least %g is required), so temperatures above and "
      "below cannot be compared: add a temperature between them, or run longer if exchanges are rare",
      m->temperature[overlap.at], m->temperature[overlap.at + 1], overlap.least, MBAR_OVERLAP_LEAST);
}
