/* Walks of periodic water by a team. */
#ifndef HOLONOM_TESTS_PERIODIC_WALK_H
#define HOLONOM_TESTS_PERIODIC_WALK_H

#include "integrators/plan.h"
#include "tests/periodic_box.h"

typedef struct PeriodicWalk {
  Periodicals p;
  Plan *plan;
  Walk *walk[PERIODIC_THREADS];
  int threads;
} PeriodicWalk;

/* By the best instruction set; walks are attached, not prepared. */
static void periodic_walk_open(PeriodicWalk *w, const PeriodicOptions *options, const PlanOptions *plan,
                               int threads)
{
  *w = (PeriodicWalk){.threads = threads};
  periodic_open(&w->p, options);
  PlanOptions o = *plan;
  o.isa = isa_best();
  ck_assert_msg(plan_create(&w->plan, w->p.kind[0], &o, &w->p.error) == STATUS_OK, "%s", w->p.error.text);
  for (int t = 0; t < threads; t++) {
    ck_assert_int_eq(walk_create(&w->walk[t], w->plan, &w->p.field, w->p.state, NULL), STATUS_OK);
    walk_attach(w->walk[t], w->p.state, RANDOM_THERMOSTAT);
  }
}

static void periodic_walk_close(PeriodicWalk *w)
{
  for (int t = 0; t < w->threads; t++)
    walk_free(w->walk[t]);
  plan_free(w->plan);
  periodic_close(&w->p);
}

typedef struct PeriodicSteps {
  PeriodicWalk *w;
  bool prepare;
  int64_t n;
} PeriodicSteps;

static Status periodic_walk_member(void *self, const Team *team, Error *error)
{
  const PeriodicSteps *s = self;
  Walk *walk = s->w->walk[team->rank];
  const Status status = s->prepare ? walk_prepare(walk, team, error) : STATUS_OK;
  return status == STATUS_OK ? walk_run(walk, team, s->n, error) : status;
}

/* n steps; `prepare` where positions or momenta were set since the last ones. */
static void periodic_walk_run(PeriodicWalk *w, bool prepare, int64_t n)
{
  ck_assert_msg(team_run(w->threads, periodic_walk_member, &(PeriodicSteps){w, prepare, n}, &w->p.error) ==
                    STATUS_OK,
                "%s", w->p.error.text);
}

#endif
