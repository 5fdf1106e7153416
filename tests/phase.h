/* General Hamiltonian systems out of polynomials, and a runner of one row of method_table on them. */
#ifndef HOLONOM_TESTS_PHASE_H
#define HOLONOM_TESTS_PHASE_H

#include "methods/hamiltonian.h"
#include "methods/method_table.h"
#include "tests/norms.h"
#include "tests/suite.h"

enum { PHASE = 6, TERMS = 16 }; /* coordinates and momenta together; monomials, at most */

typedef struct Polynomial {
  int size; /* 2n */
  struct {
    double c;
    int power[PHASE];
  } term[TERMS]; /* ended by c = 0 */
} Polynomial;

/* The derivative of a monomial with respect to variables i and j (-1: none). */
static double monomial(const Polynomial *f, int t, const double *z, int i, int j)
{
  int power[PHASE];
  double value = f->term[t].c;
  for (int k = 0; k < f->size; k++)
    power[k] = f->term[t].power[k];
  const int by[2] = {i, j};
  for (int d = 0; d < 2; d++)
    if (by[d] >= 0)
      value *= power[by[d]]--;
  if (value == 0.0)
    return 0.0;
  for (int k = 0; k < f->size; k++)
    for (int e = 0; e < power[k]; e++)
      value *= z[k];
  return value;
}

static double polynomial(const Polynomial *f, const double *z, int i, int j)
{
  double sum = 0.0;
  for (int t = 0; t < TERMS && f->term[t].c != 0.0; t++)
    sum += monomial(f, t, z, i, j);
  return sum;
}

static double polynomial_value(const void *self, const double *z) { return polynomial(self, z, -1, -1); }

static void polynomial_gradient(const void *self, const double *z, double *gradient)
{
  const Polynomial *f = self;
  for (int i = 0; i < f->size; i++)
    gradient[i] = polynomial(f, z, i, -1);
}

static void polynomial_hessian(const void *self, const double *z, double *hessian)
{
  const Polynomial *f = self;
  for (int i = 0; i < f->size; i++)
    for (int j = 0; j < f->size; j++)
      hessian[i * f->size + j] = polynomial(f, z, i, j);
}

#define PHASE_FUNCTION(f)                                                                                    \
  {                                                                                                          \
    &(f), polynomial_value, polynomial_gradient, polynomial_hessian                                          \
  }

/* One system in lane 0 of a pack, the others switched off. */
typedef struct Runner {
  const Method *method;
  void *self;
  Kind kind;
  int n;
  double h;
  Vec8 q[PHASE], p[PHASE], heat, active, *scratch;
} Runner;

static const double phase_ones[PHASE] = {1, 1, 1, 1, 1, 1}, phase_zeros[PHASE];
static const char *const phase_site[PHASE] = {"A", "B", "C", "D", "E", "F"};

__attribute__((unused)) static Kind phase_kind(const Hamiltonian *ham)
{
  return (Kind){.name = "system",
                .nsite = ham->n,
                .dim = 1,
                .mass = phase_ones,
                .site = phase_site,
                .reference = phase_zeros,
                .ham = ham};
}

__attribute__((unused)) static Runner *runner_open_kind(const Kind *kind, const Method *method,
                                                        const char *base, double h)
{
  Runner *r = aligned_alloc(sizeof(Vec8), (sizeof *r + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  Error error;
  memset(r, 0, sizeof *r);
  r->method = method;
  r->kind = *kind;
  r->n = kind->nsite * kind->dim;
  r->h = h;
  r->active[0] = 1.0;
  const MethodOptions options = {.step = {.h = h, .tolerance = 1e-13, .max_iterations = 50}, .base = base};
  ck_assert_msg(r->method->create(&r->self, &r->kind, &options, isa_best(), &error) == STATUS_OK, "%s",
                error.text);
  r->scratch = aligned_alloc(sizeof(Vec8), r->method->scratch(r->self) * sizeof(Vec8));
  return r;
}

__attribute__((unused)) static Runner *runner_open(const Hamiltonian *ham, const Method *method,
                                                   const char *base, double h)
{
  const Kind kind = phase_kind(ham);
  return runner_open_kind(&kind, method, base, h);
}

__attribute__((unused)) static void runner_close(Runner *r)
{
  r->method->free(r->self);
  free(r->scratch);
  free(r);
}

/* Bits of the lanes that fail. */
__attribute__((unused)) static unsigned runner_try(Runner *r, double t)
{
  Pack pack = {
      .kind = &r->kind, .q = r->q, .p = r->p, .heat = &r->heat, .active = &r->active, .scratch = r->scratch};
  return r->method->step(r->self, t, &pack);
}

/* z -> steps of size t, in place. */
__attribute__((unused)) static void runner_go(Runner *r, double t, int steps, double *z)
{
  for (int i = 0; i < r->n; i++) {
    r->q[i][0] = z[i];
    r->p[i][0] = z[r->n + i];
  }
  for (int s = 0; s < steps; s++)
    ck_assert_msg(runner_try(r, t) == 0, "%s fails at step %d", r->method->name, s + 1);
  for (int i = 0; i < r->n; i++) {
    z[i] = r->q[i][0];
    z[r->n + i] = r->p[i][0];
  }
}

/* omega(a, b) = a_q . b_p - a_p . b_q. */
__attribute__((unused)) static double phase_form(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[n + i] - a[n + i] * b[i];
  return sum;
}

#endif
