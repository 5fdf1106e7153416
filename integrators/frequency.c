#include "integrators/frequency.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "engine/random.h"
#include "integrators/projector.h"

/* --- the stiffness of rigid molecules ---------------------------------------------------------------------
 *
 * Along the manifold the second derivative of V includes its curvature: d2V/ds2 = v'Hess V v - mu' v'Hess g
 * v, with the multipliers mu for which f + J'mu is tangent. It is computed from differences of f + J(q)'mu at
 * constant mu. */

/* Displacement of the differences (angstrom), and iterations: the frequency needs an accuracy of a per cent.
 */
static const double displacement = 1e-4;
enum { ITERATIONS = 200 };
/* Fewer iterations in large boxes, where the result is slightly low: this many vectors in all, and at least
 * LEAST. */
enum { WORK = 1 << 17, LEAST = 12 };

typedef struct Stiffness {
  State *state;
  const ForceField *field;
  Arena arena;           /* memory of arrays per block */
  Projector **projector; /* [nblock] NULL: no constraints */
  size_t n;              /* vectors in the fields of all blocks */
  size_t moving;         /* those of blocks that are not frozen  */
  size_t *at;            /* [nblock + 1] first vector of each block */
  Vec8 *memory;          /* the allocation of the following */
  Vec8 *x0, *f0;         /* the reference positions; the forces there, with those of constraints */
  Vec8 *force;           /* displaced forces, or scratch */
  Vec8 *u, *f, *old;     /* momenta                     */
  Vec8 **mu;             /* [nblock] [npack][ncon] multipliers   */
  Vec8 *scratch;         /* the projectors'             */
  double *inverse_mass;  /* [n]                        */
  double reach;          /* displacement over the norm of u; in a box, scaled as if for each molecule */
} Stiffness;

/* Copies the fields of all blocks, one after the other. */
static void fetch(const Stiffness *p, bool force, Vec8 *to)
{
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    memcpy(to + p->at[b], force ? block->f : block->q, (p->at[b + 1] - p->at[b]) * sizeof(Vec8));
  }
}

/* y <- P y, for a field that transforms like momenta; 0 in frozen molecules. */
static void tangent(const Stiffness *p, Vec8 *y)
{
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    const size_t stride = (p->at[b + 1] - p->at[b]) / (size_t)block->npack;
    if (block->kind->frozen) {
      memset(y, 0, (p->at[b + 1] - p->at[b]) * sizeof(Vec8));
      y += p->at[b + 1] - p->at[b];
      continue;
    }
    for (int i = 0; i < block->npack; i++, y += stride) {
      Pack pack = state_pack(p->state, block, i);
      pack.q = p->x0 + p->at[b] + (size_t)i * stride;
      pack.p = y;
      pack.scratch = p->scratch;
      if (p->projector[b] != NULL)
        projector_apply(p->projector[b], &pack, NULL);
      for (size_t k = 0; k < stride; k++)
        y[k] *= *pack.active;
    }
  }
}

/* q = x0 + scale M^-1 u. */
static void displace(const Stiffness *p, double scale)
{
  for (int b = 0; b < p->state->nblock; b++)
    for (size_t i = p->at[b]; i < p->at[b + 1]; i++)
      p->state->block[b].q[i - p->at[b]] = p->x0[i] + scale * p->inverse_mass[i] * p->u[i];
}

/* f += J' mu at the present positions; with `find`, first computes mu such that f + J' mu is tangent. */
static void hold(const Stiffness *p, bool find, Vec8 *f)
{
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    const Kind *kind = block->kind;
    const size_t stride = (size_t)kind->nsite * (size_t)kind->dim, ncon = (size_t)kind->ncon;
    for (size_t i = 0; i < (size_t)block->npack && p->projector[b] != NULL; i++) {
      Vec8 *own = f + p->at[b] + i * stride, *mu = p->mu[b] + i * ncon, g, grad[CONSTRAINT_SITES * 3];
      Pack pack = state_pack(p->state, block, (int)i);
      if (find) {
        pack.p = p->f; /* scratch */
        pack.scratch = p->scratch;
        memcpy(pack.p, own, stride * sizeof(Vec8));
        projector_apply(p->projector[b], &pack, mu);
      }
      for (size_t c = 0; c < ncon; c++) {
        const Constraint *con = &kind->con[c];
        con->type->eval(con, kind->dim, pack.q, &g, grad);
        for (int k = 0; k < con->nsite * kind->dim; k++)
          own[con->site[k / kind->dim] * kind->dim + k % kind->dim] += mu[c] * grad[k];
      }
    }
  }
}

/* f = P H M^-1 u. */
static Status apply(Stiffness *p, Error *error)
{
  const Team alone = team_alone();
  displace(p, p->reach);
  TRY(force_field_compute(p->field, &alone, p->state, NULL, error));
  fetch(p, true, p->force);
  hold(p, false, p->force);
  for (size_t i = 0; i < p->n; i++)
    p->f[i] = (p->f0[i] - p->force[i]) / p->reach;
  tangent(p, p->f);
  return STATUS_OK;
}

/* a' M^-1 b. */
static double product(const Stiffness *p, const Vec8 *a, const Vec8 *b)
{
  Vec8 sum = vec8_set(0.0);
  for (size_t i = 0; i < p->n; i++)
    sum += a[i] * b[i] * p->inverse_mass[i];
  return vec8_sum(sum);
}

static double norm_of(const Stiffness *p, const Vec8 *a) { return sqrt(product(p, a, a)); }

/* to = from / norm; 0 if norm is 0 (no forces). */
static void normalise(const Stiffness *p, const Vec8 *from, double norm, Vec8 *to)
{
  const double scale = norm > 0.0 ? 1.0 / norm : 0.0;
  for (size_t i = 0; i < p->n; i++)
    to[i] = scale * from[i];
}

/* Restores the state's positions. */
static void stiffness_close(Stiffness *p)
{
  for (int b = 0; b < p->state->nblock && p->memory != NULL; b++)
    memcpy(p->state->block[b].q, p->x0 + p->at[b], (p->at[b + 1] - p->at[b]) * sizeof(Vec8));
  for (int b = 0; b < p->state->nblock && p->projector != NULL; b++)
    projector_free(p->projector[b]);
  free(p->memory);
  arena_free(&p->arena);
}

static void set_arrays(Stiffness *p, size_t scratch)
{
  Vec8 **const array[] = {&p->x0, &p->f0, &p->force, &p->u, &p->f, &p->old};
  Vec8 *next = p->memory;
  for (size_t k = 0; k < sizeof array / sizeof array[0]; k++, next += p->n)
    *array[k] = next;
  for (int b = 0; b < p->state->nblock; b++) {
    const Block *block = &p->state->block[b];
    p->mu[b] = next;
    next += (size_t)block->npack * (size_t)block->kind->ncon;
  }
  p->scratch = next;
  next += scratch;
  p->inverse_mass = (double *)next;
  for (int b = 0; b < p->state->nblock; b++) {
    const Kind *kind = p->state->block[b].kind;
    for (size_t i = p->at[b]; i < p->at[b + 1]; i++)
      p->inverse_mass[i] =
          1.0 / kind->mass[(i - p->at[b]) % (size_t)(kind->nsite * kind->dim) / (size_t)kind->dim];
  }
}

/* Starts at the state's positions. */
static Status stiffness_open(Stiffness *p, State *state, const ForceField *field, Isa isa, Error *error)
{
  const size_t nblock = (size_t)state->nblock;
  *p = (Stiffness){.state = state, .field = field};
  p->projector = arena_take(&p->arena, nblock, sizeof *p->projector);
  p->at = arena_take(&p->arena, nblock + 1, sizeof *p->at);
  p->mu = arena_take(&p->arena, nblock, sizeof *p->mu);
  TRY(arena_check(&p->arena, "frequencies", error));
  double molecules = 0.0;
  size_t multipliers = 0, scratch = 0;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    p->at[b] = p->n;
    molecules += block->kind->frozen ? 0 : block->nlane;
    multipliers += (size_t)block->npack * (size_t)block->kind->ncon;
    p->n += (size_t)block->npack * (size_t)(block->kind->nsite * block->kind->dim);
    p->moving +=
        block->kind->frozen ? 0 : (size_t)block->npack * (size_t)(block->kind->nsite * block->kind->dim);
    if (block->kind->ncon > 0 && !block->kind->frozen)
      TRY(projector_create(&p->projector[b], block->kind, NULL, true, isa, error));
    const size_t wanted = p->projector[b] != NULL ? projector_scratch(p->projector[b]) : 0;
    scratch = wanted > scratch ? wanted : scratch;
  }
  p->at[state->nblock] = p->n;
  p->reach = displacement * (box_periodic(&state->box) ? sqrt(fmax(molecules, 1.0)) : 1.0);
  const size_t vectors = 6 * p->n + multipliers + scratch + (p->n + LANES - 1) / LANES;
  p->memory = aligned_alloc(sizeof(Vec8), vectors * sizeof(Vec8));
  TRY_MEMORY(p->memory != NULL, "frequencies", error);
  const Team alone = team_alone();
  set_arrays(p, scratch);
  fetch(p, false, p->x0);
  TRY(force_field_compute(field, &alone, state, NULL, error));
  fetch(p, true, p->f0);
  hold(p, true, p->f0);
  return STATUS_OK;
}

static const char no_number[] = "the forces at the start are not numbers; do two molecules overlap?";

/* --- librations ------------------------------------------------------------------------------------------
 */

Status frequency_libration(State *state, const ForceField *field, Isa isa, double *frequency, Error *error)
{
  SCOPED(stiffness_close) Stiffness p;
  *frequency = 0.0;
  TRY(stiffness_open(&p, state, field, isa, error));
  for (size_t i = 0; i < p.n; i++)
    for (int l = 0; l < LANES; l++)
      p.u[i][l] = sin(1.0 + 1.7 * (double)(i * LANES + (size_t)l));
  tangent(&p, p.u);
  normalise(&p, p.u, norm_of(&p, p.u), p.u);
  const size_t bounded = WORK / (p.n > 0 ? p.n : 1) + LEAST;
  const int iterations = bounded < ITERATIONS ? (int)bounded : ITERATIONS;
  double value = 0.0;
  for (int k = 0; k < iterations; k++) {
    TRY(apply(&p, error));
    const double next = product(&p, p.u, p.f);
    normalise(&p, p.f, norm_of(&p, p.f), p.u);
    const bool settled = k > 10 && fabs(next - value) < 1e-5 * fabs(next);
    value = next;
    if (settled)
      break;
  }
  *frequency = sqrt(fmax(value, 0.0));
  return isfinite(value) ? STATUS_OK : error_set(error, STATUS_INPUT, "%s", no_number);
}

/* --- spectra ---------------------------------------------------------------------------------------------
 */

/* The components of a random vector in M^-1/2 are equal on average: z' phi(A) z / z'z is the mean of phi over
 * the modes, with an error of sqrt(2/n) of phi's scatter. With the covariance P M^-1 P instead, P the
 * projector on the tangent space, the mean weights each mode e by e'M^-1 e. Lanczos' method from z gives it
 * as a sum over a few nodes, exact for polynomials up to degree 2 NODES - 1 (Golub & Meurant 1994; Ubaru,
 * Chen & Saad, SIAM J. Matrix Anal. Appl. 38, 1075 (2017)). */
enum { NODES = 8, PROBES_LEAST = 2, PROBES_MOST = 128, COMPONENTS = 1 << 13 };

void frequency_spectrum_free(FrequencySpectrum *spectrum)
{
  free(spectrum->square);
  *spectrum = (FrequencySpectrum){0};
}

/* Adds the eigenvalues of the tridiagonal matrix, and the squares of their vectors' first elements. */
static Status add_nodes(FrequencySpectrum *s, int n, const double *diagonal, const double *beside,
                        double share, Error *error)
{
  double value[NODES], off[NODES], vector[NODES][NODES], work[2 * NODES];
  memcpy(value, diagonal, (size_t)n * sizeof *value);
  memcpy(off, beside, (size_t)(n - 1) * sizeof *off);
  if (LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', n, value, off, vector[0], NODES, work) != 0)
    return error_set(error, STATUS_INPUT, "%s", no_number);
  for (int i = 0; i < n; i++) {
    s->square[s->n] = value[i];
    s->weight[s->n++] = vector[i][0] * vector[i][0] * share;
  }
  return STATUS_OK;
}

/* Draws a random vector of unit length; returns its length before normalisation. */
static double random_vector(const Stiffness *p, FrequencyWeight weight, int probe)
{
  RandomStream stream = random_stream(1, (uint32_t)probe, RANDOM_STATISTICS);
  for (size_t i = 0; i < p->n; i++)
    for (int l = 0; l < LANES; l++)
      p->u[i][l] = random_normal(&stream) / (weight == FREQUENCY_EVEN ? sqrt(p->inverse_mass[i]) : 1.0);
  tangent(p, p->u);
  const double length = norm_of(p, p->u);
  normalise(p, p->u, length, p->u);
  return length;
}

/* The part of the slow forces in u'M^-1 H M^-1 u. */
static Status slow_part(Stiffness *p, double *part, Error *error)
{
  const Team alone = team_alone();
  for (int k = 0; k < 2; k++) {
    displace(p, k == 0 ? 0.0 : p->reach);
    TRY(force_field_compute_groups(p->field, &alone, p->state, FORCE_SLOW, error));
    fetch(p, true, k == 0 ? p->force : p->f);
  }
  for (size_t i = 0; i < p->n; i++)
    p->f[i] = (p->force[i] - p->f[i]) / p->reach;
  tangent(p, p->f);
  *part = product(p, p->u, p->f);
  return STATUS_OK;
}

typedef struct Sums {
  double slow, all, mobility, weight;
} Sums;

static double mobility_of_vector(const Stiffness *p)
{
  Vec8 sum = vec8_set(0.0);
  for (size_t i = 0; i < p->n; i++)
    sum += p->u[i] * p->u[i] * (p->inverse_mass[i] * p->inverse_mass[i]);
  return vec8_sum(sum);
}

/* Lanczos' three-term recurrence. A quadrature does not need orthogonal vectors. */
static Status probe(Stiffness *p, FrequencyWeight weight, int index, bool split, FrequencySpectrum *s,
                    Sums *sums, Error *error)
{
  double diagonal[NODES], beside[NODES], slow = 0.0;
  int n = 0;
  const double length = random_vector(p, weight, index),
               share = weight == FREQUENCY_EVEN ? 1.0 : length * length;
  sums->mobility += mobility_of_vector(p);
  memset(p->old, 0, p->n * sizeof(Vec8));
  TRY(split ? slow_part(p, &slow, error) : STATUS_OK);
  while (n < NODES) {
    TRY(apply(p, error));
    const double before = n > 0 ? beside[n - 1] : 0.0, value = product(p, p->u, p->f);
    for (size_t i = 0; i < p->n; i++)
      p->f[i] -= value * p->u[i] + before * p->old[i];
    memcpy(p->old, p->u, p->n * sizeof(Vec8));
    const double norm = norm_of(p, p->f);
    diagonal[n] = value;
    beside[n++] = norm;
    if (!(norm > 1e-9 * fabs(diagonal[0])))
      break;
    normalise(p, p->f, norm, p->u);
  }
  sums->slow += slow;
  sums->all += diagonal[0];
  sums->weight += share;
  return add_nodes(s, n, diagonal, beside, share, error);
}

static Status find_spectrum(State *state, const ForceField *field, FrequencyWeight weight, bool split,
                            Isa isa, FrequencySpectrum *spectrum, Error *error)
{
  SCOPED(stiffness_close) Stiffness p;
  TRY(stiffness_open(&p, state, field, isa, error));
  const size_t wanted = p.moving > 0 ? COMPONENTS / (p.moving * LANES) : 0;
  const int probes = wanted < PROBES_LEAST ? PROBES_LEAST : wanted > PROBES_MOST ? PROBES_MOST : (int)wanted;
  Sums sums = {0};
  spectrum->square = calloc(2 * (size_t)probes * NODES, sizeof(double));
  TRY_MEMORY(spectrum->square != NULL, "frequencies", error);
  spectrum->weight = spectrum->square + (size_t)probes * NODES;
  for (int k = 0; k < probes; k++)
    TRY(probe(&p, weight, k, split, spectrum, &sums, error));
  for (int i = 0; i < spectrum->n; i++)
    spectrum->weight[i] /= sums.weight;
  spectrum->mobility = sums.mobility / probes;
  spectrum->slow = sums.all > 0.0 ? fmin(fmax(sums.slow / sums.all, 0.0), 1.0) : 0.0;
  return STATUS_OK;
}

Status frequency_spectrum(State *state, const ForceField *field, FrequencyWeight weight, bool split, Isa isa,
                          FrequencySpectrum *spectrum, Error *error)
{
  *spectrum = (FrequencySpectrum){0};
  TRY_ELSE(find_spectrum(state, field, weight, split, isa, spectrum, error),
           frequency_spectrum_free(spectrum));
  return STATUS_OK;
}
