/* Small mechanical systems with potentials of their own, and a step of them by an acceleration map alone. */
#ifndef HOLONOM_TESTS_MECHANICAL_H
#define HOLONOM_TESTS_MECHANICAL_H

#include "integrators/accel.h"
#include "tests/suite.h"

enum { MOST = 72 };

/* Positions, momenta, forces of eight copies. */
typedef struct Copies {
  Vec8 q[MOST], p[MOST], f[MOST], heat, active;
} Copies;

typedef struct Stepper {
  const Kind *kind;
  const AccelMap *map;
  Accel *self;
  double h;
  Vec8 *scratch;
} Stepper;

__attribute__((unused)) static int size_of(const Kind *kind) { return kind->nsite * kind->dim; }

__attribute__((unused)) static Stepper stepper_open(const Kind *kind, const char *map,
                                                    const AccelOptions *options, Isa isa)
{
  Stepper s = {.kind = kind, .map = accel_map_find(map), .h = options->h};
  Error error;
  ck_assert_ptr_nonnull(s.map);
  ck_assert_msg(accel_create(&s.self, s.map, kind, options, isa, &error) == STATUS_OK, "%s", error.text);
  const size_t n = accel_scratch(s.self);
  s.scratch = n > 0 ? aligned_alloc(sizeof(Vec8), n * sizeof(Vec8)) : NULL;
  return s;
}

__attribute__((unused)) static void stepper_close(Stepper *s)
{
  accel_free(s->self);
  free(s->scratch);
}

/* f = M a (Zhang-Skeel in full: M f). */
__attribute__((unused)) static unsigned stepper_force(const Stepper *s, Copies *c)
{
  Pack pack = {.kind = s->kind,
               .q = c->q,
               .p = c->p,
               .f = c->f,
               .heat = &c->heat,
               .active = &c->active,
               .scratch = s->scratch};
  memset(c->f, 0, sizeof c->f);
  kind_potential(s->kind, c->q, NULL, c->f);
  return s->map->apply(s->self, &pack, NULL);
}

/* The word BAB, n times. */
__attribute__((unused)) static void stepper_run(const Stepper *s, int n, Copies *c)
{
  const int size = size_of(s->kind);
  ck_assert_uint_eq(ACCEL_FAILED(stepper_force(s, c)), 0);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < size; i++) {
      c->p[i] += 0.5 * s->h * c->f[i];
      c->q[i] += s->h / s->kind->mass[i / s->kind->dim] * c->p[i];
    }
    ck_assert_uint_eq(ACCEL_FAILED(stepper_force(s, c)), 0);
    for (int i = 0; i < size; i++)
      c->p[i] += 0.5 * s->h * c->f[i];
  }
}

/* All copies at the same place. */
__attribute__((unused)) static void copies_set(const Kind *kind, const double *q, const double *p, Copies *c)
{
  c->active = vec8_set(1.0);
  c->heat = vec8_set(0.0);
  for (int i = 0; i < size_of(kind); i++) {
    c->q[i] = vec8_set(q[i]);
    c->p[i] = vec8_set(p[i]);
  }
}

/* D = d(q, p)' / d(q, p) of one step at (q, p), D[2n][2n] with momenta after positions, by differences of
 * sixth order. */
__attribute__((unused)) static void step_jacobian(const Stepper *s, const double *q, const double *p,
                                                  double *jac)
{
  static const double weight[6] = {-1.0 / 60, 3.0 / 20, -3.0 / 4, 3.0 / 4, -3.0 / 20, 1.0 / 60};
  static const double at[6] = {-3, -2, -1, 1, 2, 3};
  const int n = size_of(s->kind);
  const double step = 1e-3;
  for (int column = 0; column < 2 * n; column++) {
    Copies c;
    copies_set(s->kind, q, p, &c);
    Vec8 *moved = column < n ? &c.q[column] : &c.p[column - n];
    for (int l = 0; l < 6; l++)
      (*moved)[l] += step * at[l];
    stepper_run(s, 1, &c);
    for (int row = 0; row < 2 * n; row++) {
      double sum = 0.0;
      for (int l = 0; l < 6; l++)
        sum += weight[l] * (row < n ? c.q[row][l] : c.p[row - n][l]);
      jac[row * 2 * n + column] = sum / step;
    }
  }
}

/* The largest element of D'JD - J. */
__attribute__((unused)) static double symplectic_defect(const Stepper *s, const double *q, const double *p)
{
  const int n = size_of(s->kind), m = 2 * n;
  double *jac = malloc((size_t)(m * m) * sizeof(double)), worst = 0.0;
  step_jacobian(s, q, p, jac);
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++)
        sum += jac[i * m + a] * jac[(n + i) * m + b] - jac[(n + i) * m + a] * jac[i * m + b];
      worst = fmax(worst, fabs(sum - (b == a + n) + (a == b + n)));
    }
  free(jac);
  return worst;
}

#endif
