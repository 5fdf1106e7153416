/* A natural kind as a general Hamiltonian: H = p'M^-1 p/2 + V(q), constraints g(q). Its functions work on
 * lanes; here all lanes contain the same system. */
#include <stdlib.h>
#include <string.h>

#include "methods/geometric.h"

typedef struct Natural {
  Hamiltonian ham; /* first, so that freeing it frees all                     */
  const Kind *kind;
  double square; /* w^2                                                     */
  PhaseFunction *con;
  ConstraintFlow *flow;
  struct Part {
    const Kind *kind;
    const Constraint *con;
  } * part;
} Natural;

static void to_lanes(int n, const double *q, Vec8 *lanes)
{
  for (int i = 0; i < GEOMETRIC_SIZE; i++)
    lanes[i] = vec8_set(i < n ? q[i] : 0.0);
}

/* Adds scale times the gradient of one function of a few sites to gradient[n]; returns its value. */
static double add_gradient(const Constraint *con, int dim, const Vec8 *q, double scale, double *gradient)
{
  Vec8 value, part[CONSTRAINT_SITES * 3];
  con->type->eval(con, dim, q, &value, part);
  for (int k = 0; k < con->nsite * dim; k++)
    gradient[con->site[k / dim] * dim + k % dim] += scale * part[k][0];
  return value[0];
}

/* Adds scale times the Hessian to hessian[2n][2n]. */
static void add_hessian(const Constraint *con, int dim, int n, const Vec8 *q, double scale, double *hessian)
{
  Vec8 part[CONSTRAINT_SITES * 3 * CONSTRAINT_SITES * 3];
  con->type->hess(con, dim, q, part);
  const int size = con->nsite * dim;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      const int row = con->site[i / dim] * dim + i % dim, column = con->site[j / dim] * dim + j % dim;
      hessian[row * 2 * n + column] += scale * part[i * size + j][0];
    }
}

static double energy_value(const void *self, const double *z)
{
  const Natural *natural = self;
  const Kind *kind = natural->kind;
  const int n = natural->ham.n;
  Vec8 q[GEOMETRIC_SIZE], potential, g;
  to_lanes(n, z, q);
  kind_potential(kind, q, &potential, NULL);
  double sum = potential[0];
  for (int i = 0; i < n; i++)
    sum += 0.5 * z[n + i] * z[n + i] / kind->mass[i / kind->dim];
  for (int c = 0; natural->square > 0.0 && c < kind->ncon; c++) {
    kind->con[c].type->eval(&kind->con[c], kind->dim, q, &g, NULL);
    sum += 0.5 * natural->square * g[0] * g[0];
  }
  return sum;
}

static void energy_gradient(const void *self, const double *z, double *gradient)
{
  const Natural *natural = self;
  const Kind *kind = natural->kind;
  const int n = natural->ham.n, dim = kind->dim;
  Vec8 q[GEOMETRIC_SIZE];
  to_lanes(n, z, q);
  for (int i = 0; i < n; i++) {
    gradient[i] = 0.0;
    gradient[n + i] = z[n + i] / kind->mass[i / dim];
  }
  for (int i = 0; i < kind->npot; i++)
    add_gradient(&kind->pot[i], dim, q, 1.0, gradient);
  for (int c = 0; natural->square > 0.0 && c < kind->ncon; c++) {
    Vec8 g;
    kind->con[c].type->eval(&kind->con[c], dim, q, &g, NULL);
    add_gradient(&kind->con[c], dim, q, natural->square * g[0], gradient);
  }
}

static void energy_hessian(const void *self, const double *z, double *hessian)
{
  const Natural *natural = self;
  const Kind *kind = natural->kind;
  const int n = natural->ham.n, dim = kind->dim;
  Vec8 q[GEOMETRIC_SIZE];
  to_lanes(n, z, q);
  memset(hessian, 0, (size_t)(4 * n * n) * sizeof *hessian);
  for (int i = 0; i < n; i++)
    hessian[(n + i) * 2 * n + n + i] = 1.0 / kind->mass[i / dim];
  for (int i = 0; i < kind->npot; i++)
    add_hessian(&kind->pot[i], dim, n, q, 1.0, hessian);
  for (int c = 0; natural->square > 0.0 && c < kind->ncon; c++) {
    double slope[GEOMETRIC_SIZE] = {0.0};
    const double g = add_gradient(&kind->con[c], dim, q, 1.0, slope);
    add_hessian(&kind->con[c], dim, n, q, natural->square * g, hessian);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        hessian[i * 2 * n + j] += natural->square * slope[i] * slope[j];
  }
}

static double part_value(const void *self, const double *z)
{
  const struct Part *part = self;
  Vec8 q[GEOMETRIC_SIZE], g;
  to_lanes(part->kind->nsite * part->kind->dim, z, q);
  part->con->type->eval(part->con, part->kind->dim, q, &g, NULL);
  return g[0];
}

static void part_gradient(const void *self, const double *z, double *gradient)
{
  const struct Part *part = self;
  const int n = part->kind->nsite * part->kind->dim;
  Vec8 q[GEOMETRIC_SIZE];
  to_lanes(n, z, q);
  memset(gradient, 0, 2 * (size_t)n * sizeof *gradient);
  add_gradient(part->con, part->kind->dim, q, 1.0, gradient);
}

static void part_hessian(const void *self, const double *z, double *hessian)
{
  const struct Part *part = self;
  const int n = part->kind->nsite * part->kind->dim;
  Vec8 q[GEOMETRIC_SIZE];
  to_lanes(n, z, q);
  memset(hessian, 0, (size_t)(4 * n * n) * sizeof *hessian);
  add_hessian(part->con, part->kind->dim, n, q, 1.0, hessian);
}

Status geometric_kind_create(Hamiltonian **ham, const Kind *kind, double w, Error *error)
{
  *ham = NULL;
  const int n = kind->nsite * kind->dim, ncon = w > 0.0 ? 0 : kind->ncon;
  if (n > GEOMETRIC_SIZE)
    return error_set(error, STATUS_INPUT,
                     "the kind '%s' has %d coordinates; methods for general Hamiltonians allow at most %d",
                     kind->name, n, GEOMETRIC_SIZE);
  const size_t m = (size_t)ncon;
  Natural *natural =
      malloc(sizeof *natural + m * (sizeof(PhaseFunction) + sizeof(struct Part) + sizeof(ConstraintFlow)));
  TRY_MEMORY(natural != NULL, "a Hamiltonian", error);
  natural->kind = kind;
  natural->square = w * w;
  natural->con = (PhaseFunction *)(natural + 1);
  natural->part = (struct Part *)(natural->con + m);
  natural->flow = (ConstraintFlow *)(natural->part + m);
  for (int c = 0; c < ncon; c++) {
    natural->part[c] = (struct Part){kind, &kind->con[c]};
    natural->con[c] = (PhaseFunction){&natural->part[c], part_value, part_gradient, part_hessian};
    natural->flow[c] = FLOW_SHIFT;
  }
  natural->ham = (Hamiltonian){
      .n = n,
      .ncon = ncon,
      .energy = {natural, energy_value, energy_gradient, energy_hessian},
      .con = natural->con,
      .flow = natural->flow,
  };
  *ham = &natural->ham;
  return STATUS_OK;
}

void geometric_kind_free(Hamiltonian *ham) { free(ham); }
