/* Walks of periodic water: whatever is done between the steps, and whoever does them, the bits are the same,
 * with fast lists that miss pairs too; and what their bound on the drift is worth. */
#include <check.h>
#include <math.h>

#include "integrators/plan.h"
#include "tests/periodic_box.h"
#include "tests/suite.h"

enum { N = 3 * BOX_N, STEPS = 40 };

/* Made again every few steps, far too late: without pairs missing there would be nothing to see. */
static const PeriodicOptions loose = {.cutoff = 9.0,
                                      .buffer = 0.02,
                                      .fast_lists = true,
                                      .drift = 0.6,
                                      .threads = PERIODIC_THREADS,
                                      .kT = 0.6,
                                      .h = 0.04};

static const PlanOptions langevin = {.word = "BAOAB",
                                     .h = 0.04,
                                     .accel = "verlet",
                                     .constraints = "settle",
                                     .constraint = {.tolerance = 1e-10, .max_iterations = 50},
                                     .friction = FRICTION_UNIFORM,
                                     .gamma = 0.05,
                                     .kT = 0.6};

typedef struct Walking {
  Periodicals p;
  Plan *plan;
  Walk *walk[PERIODIC_THREADS];
  int threads;
} Walking;

static void walking_open(Walking *w, const PeriodicOptions *options, int threads)
{
  *w = (Walking){.threads = threads};
  periodic_open(&w->p, options);
  PlanOptions o = langevin;
  o.isa = isa_best();
  ck_assert_msg(plan_create(&w->plan, w->p.kind[0], &o, &w->p.error) == STATUS_OK, "%s", w->p.error.text);
  for (int t = 0; t < threads; t++) {
    ck_assert_int_eq(walk_create(&w->walk[t], w->plan, &w->p.field, w->p.state, NULL), STATUS_OK);
    walk_attach(w->walk[t], w->p.state, RANDOM_THERMOSTAT);
  }
}

static void walking_close(Walking *w)
{
  for (int t = 0; t < w->threads; t++)
    walk_free(w->walk[t]);
  plan_free(w->plan);
  periodic_close(&w->p);
}

typedef struct Going {
  Walking *w;
  bool prepare;
  int64_t steps;
} Going;

static Status go_member(void *self, const Team *team, Error *error)
{
  const Going *g = self;
  Walk *walk = g->w->walk[team->rank];
  const Status status = g->prepare ? walk_prepare(walk, team, error) : STATUS_OK;
  return status == STATUS_OK ? walk_run(walk, team, g->steps, error) : status;
}

static void walking_run(Walking *w, bool prepare, int64_t n)
{
  if (prepare)
    walk_draw_momenta(w->walk[0]);
  ck_assert_msg(team_run(w->threads, go_member, &(Going){w, prepare, n}, &w->p.error) == STATUS_OK, "%s",
                w->p.error.text);
}

static void look(Walking *w)
{
  double kinetic[1], terms[EWALD_TERMS], penalty[1], largest[1];
  WalkPressure pressure;
  const WalkEnergies to = {kinetic, terms, penalty, largest, &pressure};
  const Team alone = team_alone();
  ck_assert_int_eq(walk_energies(w->walk[0], &alone, &to, NULL), STATUS_OK);
}

/* All that a checkpoint holds, into `to` or back. */
static void copy_chunks(Walking *w, char *saved, bool back)
{
  ChunkList list = {0};
  state_chunks(w->p.state, &list);
  force_field_chunks(&w->p.field, &list);
  ck_assert(!list.failed);
  for (int i = 0; i < list.n; i++) {
    if (back)
      memcpy(list.chunk[i].data, saved, list.chunk[i].size);
    else
      memcpy(saved, list.chunk[i].data, list.chunk[i].size);
    saved += list.chunk[i].size;
  }
  chunk_free(&list);
}

/* Straight; with looks at the energies; by teams; stopped and taken up by another process, as it were. */
START_TEST(nothing_between_steps_changes_a_bit)
{
  static double x[N], again[N], strict[N];
  static char saved[1 << 20];
  PeriodicOptions o = loose;
  o.mixed = true;
  o.fast_lists = _i == 0;
  Walking w;
  walking_open(&w, &o, 1);
  PeriodicChoice c;
  periodic_choice(&w.p.field.force[0], &c);
  ck_assert(_i == 0 ? c.every > 2 && c.every < STEPS / 2 : c.every == 0);
  walking_run(&w, true, STEPS);
  blocks_get(w.p.state, 'q', x);
  walking_close(&w);
  for (int n = 1; n <= 3; n++) {
    walking_open(&w, &o, 1);
    for (int i = 0; i < STEPS; i += n) {
      walking_run(&w, i == 0, STEPS - i < n ? STEPS - i : n);
      look(&w);
    }
    blocks_get(w.p.state, 'q', again);
    ck_assert_mem_eq(x, again, sizeof x);
    walking_close(&w);
  }
  for (int threads = 2; threads <= PERIODIC_THREADS; threads++) {
    walking_open(&w, &o, threads);
    walking_run(&w, true, STEPS);
    blocks_get(w.p.state, 'q', again);
    ck_assert_mem_eq(x, again, sizeof x);
    walking_close(&w);
  }
  for (int cut = 10; cut < 26; cut++) {
    walking_open(&w, &o, 1);
    walking_run(&w, true, cut);
    copy_chunks(&w, saved, false);
    walking_close(&w);
    walking_open(&w, &o, 1);
    if (cut % 2 != 0)
      walking_run(&w, true, cut % 5); /* not even a fresh one */
    copy_chunks(&w, saved, true);
    for (int t = 0; t < w.threads; t++)
      walk_attach(w.walk[t], w.p.state, RANDOM_THERMOSTAT);
    if (cut % 3 == 0)
      look(&w);
    walking_run(&w, false, STEPS - cut);
    blocks_get(w.p.state, 'q', again);
    ck_assert_mem_eq(x, again, sizeof x);
    walking_close(&w);
  }
  o.fast_lists = false;
  o.buffer = 0.4;
  walking_open(&w, &o, 1);
  walking_run(&w, true, STEPS);
  blocks_get(w.p.state, 'q', strict);
  ck_assert_int_eq(memcmp(x, strict, sizeof x) != 0, _i == 0); /* pairs were missed, or none */
  walking_close(&w);
}
END_TEST

/* Where molecules are put somewhere else, a list is made at once. */
START_TEST(fast_lists_see_that_molecules_were_moved)
{
  static double x[N], y[N], f[N], again[N];
  Periodicals p, q;
  periodic_open(&p, &loose);
  periodic_open(&q, &loose);
  ck_assert_int_eq(periodic_run(&p, 1, false), STATUS_OK);
  blocks_get(p.state, 'q', x);
  for (int m = 0; m < BOX_NMOL; m++) /* they change places */
    memcpy(y + (size_t)9 * (size_t)m, x + (size_t)9 * (size_t)((m + 75) % BOX_NMOL), 9 * sizeof *y);
  blocks_set(p.state, 'q', y);
  blocks_set(q.state, 'q', y);
  for (int sums = 1; sums >= 0; sums--) {
    ck_assert_int_eq(periodic_run(&p, 2, sums != 0), STATUS_OK);
    ck_assert_int_eq(periodic_run(&q, 1, sums != 0), STATUS_OK);
    blocks_get(p.state, 'f', f);
    blocks_get(q.state, 'f', again);
    ck_assert_mem_eq(f, again, sizeof f);
  }
  periodic_close(&p);
  periodic_close(&q);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("periodic_walk");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, nothing_between_steps_changes_a_bit, 0, 2);
  tcase_add_test(tc, fast_lists_see_that_molecules_were_moved);
  return suite_main("periodic_walk", tc);
}
