/* Measures, for docs/validation.md: the error of positions against the time step, and how far a trajectory
 * that turns round comes home. Seven TIP3P waters from a rigid minimum, 8 replicas with momenta at 10 K.
 * Prints, tab-separated:
 *   order   METHOD  h  ROOT-MEAN-SQUARE ERROR (A)
 *   return  METHOD  STEPS THERE  LARGEST DISTANCE FROM THE START (A), -1 where the trajectory broke off */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/scenes.h"

typedef struct Method {
  const char *name, *word, *constraints;
  PenaltyHessian hessian;
  double w, finest; /* finest: the reference's step; the stiffer the bonds, the finer */
} Method;

static const Method methods[] = {
    {"settle", "BAB", "settle", HESSIAN_FULL, 0.0, 0.1 / 4096},
    {"rattle", "BAB", "rattle", HESSIAN_FULL, 0.0, 0.1 / 4096},
    {"zss full w=20", "BAB", NULL, HESSIAN_FULL, 20.0, 0.1 / 16384},
    {"zss Gauss-Newton w=20", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.1 / 16384},
    {"zss Gauss-Newton w=500", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 500.0, 0.1 / 131072},
    {"NEWMARK-1 w=20", "NEWMARK-1", NULL, HESSIAN_FULL, 20.0, 0.1 / 16384},
};
enum { METHODS = sizeof methods / sizeof *methods, WIDTH = 8, MOLECULES = 7 };

static size_t field_size(const Scene *s) { return (size_t)s->state->block[0].npack * 9; }

/* The scene under one method; penalties keep the momenta that constraints would start with. */
static void take(Scene *s, const Method *m, double h)
{
  PlanOptions o = m->constraints != NULL ? scene_constrained(m->constraints, m->word, h)
                                         : scene_penalty("zss", m->hessian, m->w, m->word, h);
  o.tangent = m->constraints == NULL;
  scene_plan(s, &o);
}

static State *copy_of(const Scene *s)
{
  State *copy;
  const Kind *kind = s->kind;
  if (state_create(&copy, WIDTH, 1, &kind, &s->nmol, 1, 0, NULL) != STATUS_OK)
    ck_abort_msg("no memory");
  state_copy(copy, s->state);
  return copy;
}

static void positions_after(Scene *s, const State *start, const Method *m, double time, double h, double *q)
{
  state_copy(s->state, start);
  take(s, m, h);
  scene_ready(s);
  scene_run(s, llround(time / h));
  memcpy(q, s->state->block[0].q, field_size(s) * sizeof(vd));
}

static void errors(Scene *s, const State *start, const Method *m)
{
  const size_t n = field_size(s) * LANES;
  double *exact = malloc(n * sizeof *exact), *q = malloc(n * sizeof *q);
  if (exact == NULL || q == NULL)
    ck_abort_msg("no memory");
  const double time = 0.8;
  positions_after(s, start, m, time, m->finest, exact);
  for (double h = 0.1; h > 3.0 * m->finest; h /= 2) {
    positions_after(s, start, m, time, h, q);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
      sum += (q[i] - exact[i]) * (q[i] - exact[i]);
    printf("order\t%s\t%.6g\t%.4g\n", m->name, h, sqrt(3.0 * sum / (double)n));
  }
  free(exact);
  free(q);
}

/* Negative where the trajectory breaks off. */
static double way_home(Scene *s, const State *start, const Method *m, int64_t steps)
{
  state_copy(s->state, start);
  take(s, m, 0.05);
  scene_ready(s);
  vd *p = s->state->block[0].p;
  for (int leg = 0; leg < 2; leg++) {
    if (walk_run(s->walk, &s->team, steps, NULL) != STATUS_OK)
      return -1.0;
    for (size_t i = 0; i < field_size(s); i++)
      p[i] = -p[i];
    scene_ready(s);
  }
  const double *q = (const double *)s->state->block[0].q, *q0 = (const double *)start->block[0].q;
  double largest = 0.0;
  for (size_t i = 0; i < field_size(s) * LANES; i++)
    largest = fmax(largest, fabs(q[i] - q0[i]));
  return largest;
}

/* Scenes check themselves with Check, which wants a test around them. */
START_TEST(measure)
{
  Scene s;
  scene_cluster(&s, MOLECULES, WIDTH, isa_best());
  take(&s, &methods[0], 0.05);
  scene_warm(&s, 1);
  State *start = copy_of(&s);
  for (int i = 0; i < METHODS; i++)
    errors(&s, start, &methods[i]);
  for (int i = 0; i < METHODS; i++)
    for (int64_t steps = 100; steps <= 10000; steps *= 10)
      printf("return\t%s\t%lld\t%.3g\n", methods[i].name, (long long)steps,
             way_home(&s, start, &methods[i], steps));
  state_free(start);
  scene_free(&s);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("order");
  TCase *tc = tcase_create("order");
  tcase_set_timeout(tc, 600);
  tcase_add_test(tc, measure);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_SILENT);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
