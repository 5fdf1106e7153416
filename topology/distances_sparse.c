#include "topology/distances_sparse.h"

#include <math.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/jacobian_hot.h"
#include "engine/random.h"
#include "topology/distances_rows.h"

enum { NEWTON = 60, DAMPED = 300, STARTS = 4 };
#define CONVERGED     1e-14 /* relative to a length */
#define STEP_MOST     0.3   /* of a coordinate in a Newton step, A */
#define STRIDE        0.1   /* of a coordinate in a damped step, A */
#define STILL         1e-13 /* A: a negligible step */
#define SHAKEN        0.1   /* displacement of a site at another start, A */
#define DAMPING_FIRST 1e-3
#define DAMPING_LEAST 1e-12
#define DAMPING_MOST  1e8

/* The rows have unit length in coordinates sqrt(m) x. All lanes do the same work. */
typedef struct Motion {
  Kind kind;                 /* the constraints of the kept distances */
  const Distance **distance; /* [kind.ncon] */
  Jacobian *jacobian;
  JacobianRow *row;                          /* [kind.ncon] */
  Vec8 *part, *work;                         /* [kind.ncon]; jacobian_scratch */
  double *inverse_mass, *fault;              /* [nsite]; [kind.ncon]: errors in units of the rows */
  double (*next)[3], (*best)[3], (*step)[3]; /* [nsite]; best: and another one */
} Motion;

SCOPED_POINTER(Jacobian, jacobian_free)

static Status make(Motion *m, int nsite, const double *mass, int n, const Distance *distance,
                   const bool *kept, Arena *arena, Error *error)
{
  Constraint *con = arena_take(arena, (size_t)n + 1, sizeof *con);
  *m = (Motion){.kind = {.name = "a group", .nsite = nsite, .dim = 3, .mass = mass, .con = con},
                .distance = arena_take(arena, (size_t)n + 1, sizeof *m->distance),
                .row = arena_take(arena, (size_t)n + 1, sizeof *m->row),
                .part = arena_take(arena, (size_t)n + 1, sizeof *m->part),
                .fault = arena_take(arena, (size_t)n + 1, sizeof *m->fault),
                .inverse_mass = arena_take(arena, (size_t)nsite, sizeof *m->inverse_mass),
                .next = arena_take(arena, (size_t)nsite, sizeof *m->next),
                .best = arena_take(arena, 2 * (size_t)nsite, sizeof *m->best),
                .step = arena_take(arena, (size_t)nsite, sizeof *m->step)};
  TRY(arena_check(arena, "distances", error));
  for (int c = 0; c < n; c++)
    if (kept == NULL || kept[c]) {
      m->distance[m->kind.ncon] = &distance[c];
      con[m->kind.ncon++] = distance_constraint(&distance[c]);
    }
  jacobian_inverse_mass(&m->kind, NULL, m->inverse_mass);
  return STATUS_OK;
}

/* Computes rows and errors at x. Returns the sum of squares; *most is the largest relative error. */
static double lay_rows(const Motion *m, const double (*x)[3], double *most)
{
  double sum = 0.0;
  *most = 0.0;
  for (int c = 0; c < m->kind.ncon; c++) {
    const Distance *d = m->distance[c];
    const DistancesGradient g = distances_rows_gradient(d, x);
    const double norm = distances_rows_norm(&g, d, m->kind.mass);
    for (int k = 0; k < 3 * g.nsite; k++)
      m->row[c][k] = vec8_set(g.weight[k / 3] * g.along[k % 3] / (g.length * norm));
    m->fault[c] = g.fault / norm;
    *most = fmax(*most, fabs(g.fault) / d->length);
    sum += m->fault[c] * m->fault[c];
  }
  return sum;
}

/* Computes m->step = M^-1 J' (J M^-1 J' + damping)^-1 fault. Returns the largest displacement of a
 * coordinate, infinite if the matrix is singular. */
static double find_step(const Motion *m, double damping)
{
  const JacobianGram gram = {m->row, m->row, m->inverse_mass, 1.0, damping, NULL};
  double longest = 0.0;
  for (int c = 0; c < m->kind.ncon; c++)
    m->part[c] = vec8_set(m->fault[c]);
  if (jacobian_solve(3, m->jacobian, &gram, 1, m->part, m->work) != 0)
    return HUGE_VAL;
  memset(m->step, 0, (size_t)m->kind.nsite * sizeof *m->step);
  for (int c = 0; c < m->kind.ncon; c++) {
    const Constraint *con = &m->kind.con[c];
    for (int k = 0; k < 3 * con->nsite; k++)
      m->step[con->site[k / 3]][k % 3] += m->inverse_mass[con->site[k / 3]] * m->row[c][k][0] * m->part[c][0];
  }
  for (int i = 0; i < 3 * m->kind.nsite; i++) {
    const double move = fabs(m->step[i / 3][i % 3]);
    longest = move <= longest ? longest : isnan(move) ? HUGE_VAL : move;
  }
  return longest;
}

/* y = x + step, shortened so that no coordinate moves by more than `most`. */
static void displace(const Motion *m, const double (*x)[3], double longest, double most, double (*y)[3])
{
  const double scale = longest > most ? most / longest : 1.0;
  for (int i = 0; i < 3 * m->kind.nsite; i++)
    y[i / 3][i % 3] = x[i / 3][i % 3] + scale * m->step[i / 3][i % 3];
}

/* Returns the largest relative error at the end. */
static double newton(const Motion *m, double (*x)[3])
{
  double worst = HUGE_VAL;
  (void)lay_rows(m, (const double(*)[3])x, &worst);
  for (int i = 0; i < NEWTON && worst > CONVERGED; i++) {
    const double longest = find_step(m, 0.0), before = worst;
    if (isinf(longest))
      return HUGE_VAL;
    displace(m, (const double(*)[3])x, longest, STEP_MOST, x);
    (void)lay_rows(m, (const double(*)[3])x, &worst);
    if (before <= DISTANCES_MET && worst >= before) /* rounding limits the error */
      break;
  }
  return worst;
}

/* The damped iteration of Levenberg and Marquardt; returns the largest relative error. */
static double approach(const Motion *m, double (*x)[3])
{
  double most, damping = DAMPING_FIRST, longest = 1.0;
  double sum = lay_rows(m, (const double(*)[3])x, &most);
  for (int i = 0; i < DAMPED && longest > STILL && damping < DAMPING_MOST; i++) {
    double worst;
    longest = find_step(m, damping);
    if (isinf(longest)) {
      damping *= 10.0;
      continue;
    }
    displace(m, (const double(*)[3])x, longest, STRIDE, m->next);
    const double next = lay_rows(m, (const double(*)[3])m->next, &worst);
    if (next < sum) {
      memcpy(x, m->next, (size_t)m->kind.nsite * sizeof *x);
      sum = next;
      most = worst;
      damping = fmax(0.1 * damping, DAMPING_LEAST);
    } else {
      (void)lay_rows(m, (const double(*)[3])x, &worst);
      damping *= 10.0;
    }
  }
  return most;
}

/* From x, then from damped steps that begin there or at places nearby; x becomes the best configuration. */
static double search(const Motion *m, double (*x)[3])
{
  RandomStream stream = random_stream(0, 3, RANDOM_START);
  const size_t nsite = (size_t)m->kind.nsite, bytes = nsite * sizeof *x;
  double(*at)[3] = m->best + nsite, least = HUGE_VAL;
  memcpy(m->best, x, bytes);
  for (int time = 0; time <= STARTS && least > DISTANCES_MET; time++) {
    for (size_t i = 0; i < 3 * nsite; i++)
      at[i / 3][i % 3] = x[i / 3][i % 3] + (time > 1 ? SHAKEN * random_normal(&stream) : 0.0);
    if (time > 0)
      (void)approach(m, at);
    const double fault = newton(m, at);
    if (fault < least) {
      least = fault;
      memcpy(m->best, at, bytes);
    }
  }
  memcpy(x, m->best, bytes);
  return least;
}

Status distances_sparse_move(int nsite, const double *mass, int n, const Distance *distance, const bool *kept,
                             double (*x)[3], int *worst, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  SCOPED(jacobian_free_at) Jacobian *jacobian = NULL;
  Motion m;
  TRY(make(&m, nsite, mass, n, distance, kept, &arena, error));
  if (m.kind.ncon == 0)
    return STATUS_OK;
  TRY(jacobian_create(&jacobian, &m.kind, JACOBIAN_SYMMETRIC, ISA_PLAIN, error));
  m.jacobian = jacobian;
  m.work = arena_take(&arena, jacobian_scratch(jacobian), sizeof *m.work);
  TRY(arena_check(&arena, "distances", error));
  return search(&m, x) <= DISTANCES_MET
             ? STATUS_OK
             : distances_rows_unsolved(n, distance, kept, (const double(*)[3])x, worst, error);
}
