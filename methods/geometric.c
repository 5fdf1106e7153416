/* The base methods, and geometric SHAKE and RATTLE over any of them. */
#include "methods/geometric.h"

#include <stdlib.h>
#include <string.h>

#include "methods/method_table.h"

typedef struct Geometric {
  const Hamiltonian *ham;
  Hamiltonian *own; /* created from a natural kind, or NULL */
  const GeometricBase *base;
  double tolerance;
  int max_iterations;
  int keeps;   /* it has constraints: SHAKE or RATTLE         */
  int tangent; /* RATTLE                                      */
} Geometric;

static void geometric_free(void *self)
{
  Geometric *geometric = self;
  if (geometric == NULL)
    return;
  geometric_kind_free(geometric->own);
  free(geometric);
}

static Status fit(const Hamiltonian *ham, int keeps, const char *name, Error *error)
{
  if (ham->n > GEOMETRIC_SIZE)
    return error_set(error, STATUS_INPUT,
                     "%d degrees of freedom; methods for general Hamiltonians allow at most %d", ham->n,
                     GEOMETRIC_SIZE);
  if (ham->ncon > ham->n)
    return error_set(error, STATUS_INPUT,
                     "%d constraints are more than the %d degrees of freedom: they cannot be coisotropic",
                     ham->ncon, ham->n);
  if (!keeps && ham->ncon > 0)
    return error_set(
        error, STATUS_INPUT,
        "'%s' does not support constraints: use geometric-shake or geometric-rattle with base: %s", name,
        name);
  if (keeps && ham->ncon == 0)
    return error_set(error, STATUS_INPUT, "there are no constraints: use the base method itself");
  return STATUS_OK;
}

static Status create(void **self, const Kind *kind, const MethodOptions *o, const char *base, int keeps,
                     int tangent, Error *error)
{
  *self = NULL;
  if (base == NULL)
    base = "midpoint";
  const GeometricBase *row = geometric_base_find(base);
  if (row == NULL)
    return error_set(error, STATUS_INPUT,
                     "unknown base method '%s': use symplectic-euler, stormer-verlet or midpoint", base);
  if (keeps && o->step.w > 0.0)
    return error_set(error, STATUS_INPUT, "geometric methods satisfy the constraints exactly: leave out w");
  Geometric *geometric = malloc(sizeof *geometric);
  TRY_MEMORY(geometric != NULL, "a method", error);
  *geometric = (Geometric){
      .ham = kind->ham,
      .base = row,
      .tolerance = o->step.tolerance > 0.0 ? o->step.tolerance : 1e-12,
      .max_iterations = o->step.max_iterations > 0 ? o->step.max_iterations : 50,
      .keeps = keeps,
      .tangent = tangent,
  };
  if (geometric->ham == NULL) {
    TRY_ELSE(geometric_kind_create(&geometric->own, kind, keeps ? 0.0 : o->step.w, error),
             geometric_free(geometric));
    geometric->ham = geometric->own;
  }
  TRY_ELSE(fit(geometric->ham, keeps, base, error), geometric_free(geometric));
  *self = geometric;
  return STATUS_OK;
}

static size_t geometric_scratch(const void *self)
{
  const Geometric *geometric = self;
  const size_t m = (size_t)geometric->ham->ncon;
  return m + (geometric_work_size(geometric->ham->n, geometric->ham->ncon) + LANES - 1) / LANES;
}

static int geometric_multipliers(const void *self) { return ((const Geometric *)self)->ham->ncon; }

static Status geometric_start(const void *self, const double *q, const double *p, Error *error)
{
  const Geometric *geometric = self;
  const int n = geometric->ham->n;
  double z[2 * GEOMETRIC_SIZE];
  memcpy(z, q, (size_t)n * sizeof *z);
  memcpy(z + n, p, (size_t)n * sizeof *z);
  return geometric_check(geometric->ham, z, geometric->tangent, error);
}

/* One step of SHAKE from work->start to work->end, through work->slid on the start's fibre. Newton's method
 * on g(phi_t(exp(lambda X) z)) = 0 uses X_g at the slid point as the derivative with respect to lambda. This
 * is exact with one constraint, or fields that commute. Otherwise it differs by terms of the order of lambda,
 * and convergence is linear at that rate. */
static int shake(const Geometric *geometric, double t, GeometricWork *work)
{
  const Hamiltonian *ham = geometric->ham;
  const int m = ham->ncon, size = 2 * ham->n;
  for (int i = 0; i < m; i++)
    work->lambda[i] = 0.0;
  int close = 0; /* converged; one more correction reduces it to rounding */
  for (int iteration = 0; iteration <= geometric->max_iterations; iteration++) {
    memcpy(work->slid, work->start, (size_t)size * sizeof *work->slid);
    if (!geometric_flow(ham, work->lambda, work->slid, work))
      return 0;
    for (int i = 0; i < m; i++) {
      ham->con[i].gradient(ham->con[i].self, work->slid, work->a);
      geometric_work_turn(ham->n, work->a, work->tangent + i * size);
    }
    memcpy(work->end, work->slid, (size_t)size * sizeof *work->end);
    if (!geometric_base_step(geometric->base, ham, t, work->end, m, work->tangent, work))
      return 0;
    geometric_work_constraints(ham, work->end, work);
    const int small = geometric_work_small(work, geometric->tolerance);
    if (small && close)
      return 1;
    close = small;
    if (!geometric_work_correct(work, work->tangent))
      return 0;
    for (int i = 0; i < m; i++)
      work->lambda[i] -= work->correction[i];
  }
  return geometric_work_exhausted(work);
}

/* The sign of det {{g_i, H}, g_j} at z, 0 if it vanishes. It cannot change along a branch of the hidden
 * constraints. If it does, Newton's method has jumped to another branch, or has reached a point where the
 * equations are not well posed (section 5.4.2). */
static int branch(const Hamiltonian *ham, const double *z, GeometricWork *work)
{
  int sign;
  geometric_bracket_hidden(ham, z, work);
  return geometric_work_solve(work->second, ham->ncon, NULL, 0, &sign) ? sign : 0;
}

static int lane_step(const Geometric *geometric, double t, GeometricWork *work)
{
  const Hamiltonian *ham = geometric->ham;
  if (!geometric->keeps) {
    memcpy(work->end, work->start, 2 * (size_t)ham->n * sizeof *work->end);
    return geometric_base_step(geometric->base, ham, t, work->end, 0, NULL, work);
  }
  if (!shake(geometric, t, work))
    return 0;
  const int side = branch(ham, work->slid, work);
  if (side == 0 || branch(ham, work->end, work) != side)
    return 0;
  for (int i = 0; i < ham->ncon; i++)
    work->sigma[i] = 0.0;
  return !geometric->tangent ||
         (geometric_project_fibre(ham, geometric->tolerance, geometric->max_iterations, work->end, work) &&
          branch(ham, work->end, work) == side);
}

static unsigned geometric_step(const void *self, double t, Pack *pack)
{
  const Geometric *geometric = self;
  const int n = geometric->ham->n, m = geometric->ham->ncon;
  if (t == 0.0)
    return 0;
  Vec8 *multiplier = pack->scratch;
  GeometricWork work = geometric_work_view((double *)(pack->scratch + m), n, m);
  unsigned failed = 0;
  for (int l = 0; l < LANES; l++) {
    if ((*pack->active)[l] == 0.0)
      continue;
    for (int i = 0; i < n; i++) {
      work.start[i] = pack->q[i][l];
      work.start[n + i] = pack->p[i][l];
    }
    work.stalled = false;
    if (!lane_step(geometric, t, &work)) {
      failed |= (work.stalled ? 1u << LANES | 1u : 1u) << l;
      if (work.stalled)
        multiplier[0][l] = work.left;
      continue;
    }
    for (int i = 0; i < n; i++) {
      pack->q[i][l] = work.end[i];
      pack->p[i][l] = work.end[n + i];
    }
    /* The force is +lambda grad g throughout the engine; along X_g it is -grad g. */
    for (int i = 0; i < m; i++)
      multiplier[i][l] = -(work.lambda[i] + work.sigma[i]) / t;
  }
  return failed;
}

#define CREATE(name, base, keeps, tangent)                                                                   \
  static Status name(void **self, const Kind *kind, const MethodOptions *options, Isa isa, Error *error)     \
  {                                                                                                          \
    (void)isa;                                                                                               \
    return create(self, kind, options, base, keeps, tangent, error);                                         \
  }
CREATE(create_euler, "symplectic-euler", 0, 0)
CREATE(create_verlet, "stormer-verlet", 0, 0)
CREATE(create_midpoint, "midpoint", 0, 0)
CREATE(create_shake, options->base, 1, 0)
CREATE(create_rattle, options->base, 1, 1)

/* RATTLE is symmetric only over a symmetric base. */
static unsigned rattle_traits(const MethodOptions *options)
{
  const GeometricBase *base = options->base != NULL ? geometric_base_find(options->base) : NULL;
  const unsigned traits = METHOD_SYMPLECTIC | METHOD_CONSTRAINTS | METHOD_TANGENT;
  return base == NULL || base->symmetric ? traits | METHOD_REVERSIBLE : traits;
}

static const char cite[] = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14, 339 (2014)";

#define ROW(title, make, bits, degree)                                                                       \
  .name = (title), .cite = cite, .traits = (bits) | METHOD_GENERAL, .order = (degree), .create = (make),     \
  .scratch = geometric_scratch, .step = geometric_step, .free = geometric_free
#define KEEPS .check = geometric_start, .multipliers = geometric_multipliers

const Method method_symplectic_euler = {
    ROW("symplectic-euler", create_euler, METHOD_SYMPLECTIC, 1),
    .doc = "p1 = p0 - h H_q(q0, p1), q1 = q0 + h H_p(q0, p1), on any Hamiltonian",
};

const Method method_stormer_verlet = {
    ROW("stormer-verlet", create_verlet, METHOD_SYMPLECTIC | METHOD_REVERSIBLE, 2),
    .doc = "half a step of symplectic Euler and half a step of its adjoint, on any Hamiltonian",
};

const Method method_midpoint = {
    ROW("midpoint", create_midpoint, METHOD_SYMPLECTIC | METHOD_REVERSIBLE, 2),
    .doc = "the implicit midpoint rule, on any Hamiltonian",
};

const Method method_geometric_shake = {
    ROW("geometric-shake", create_shake, METHOD_SYMPLECTIC | METHOD_CONSTRAINTS, 1),
    .doc = "a base method after a move along the constraints' flows, so that it ends on g(q, p) = 0",
    KEEPS,
};

const Method method_geometric_rattle = {
    ROW("geometric-rattle", create_rattle,
        METHOD_SYMPLECTIC | METHOD_REVERSIBLE | METHOD_CONSTRAINTS | METHOD_TANGENT, 2),
    .doc = "geometric SHAKE, then a move along the flows onto {g, H} = 0; symmetric over stormer-verlet and "
           "midpoint",
    .traits_with = rattle_traits,
    KEEPS,
};
