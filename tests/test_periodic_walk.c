/* Walks of periodic water: whatever is done between the steps, and whoever does them, the bits are the same.
 */
#include "integrators/walk_private.h"
#include "tests/periodic_walk.h"
#include "tests/suite.h"

enum { N = 3 * BOX_N, STEPS = 40 };

/* Lists are made again every few steps. */
static const PeriodicOptions tight = {
    .nonbonded.cutoff = 9.0, .nonbonded.buffer = 0.1, .threads = PERIODIC_THREADS, .kT = 0.6, .h = 0.04};

static const PlanOptions langevin = {.word = "BAOAB",
                                     .h = 0.04,
                                     .accel = "verlet",
                                     .constraints = "settle",
                                     .constraint = {.tolerance = 1e-10, .max_iterations = 50},
                                     .friction = FRICTION_UNIFORM,
                                     .gamma = 0.05,
                                     .kT = 0.6};

static void draw_and_run(PeriodicWalk *w, int64_t n)
{
  walk_draw_momenta(w->walk[0]);
  periodic_walk_run(w, true, n);
}

static void look(PeriodicWalk *w)
{
  double kinetic[1], terms[EWALD_TERMS], penalty[1], largest[1];
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, w->p.state, NULL), STATUS_OK);
  WalkPressure pressure = {.topology = topology};
  const WalkEnergies to = {kinetic, terms, penalty, largest, &pressure, NULL};
  const Team alone = team_alone();
  ck_assert_int_eq(walk_energies(w->walk[0], &alone, &to, NULL), STATUS_OK);
  topology_free(topology);
}

/* All that a checkpoint holds, into `to` or back. */
static void copy_chunks(PeriodicWalk *w, char *saved, bool back)
{
  ChunkList list = {0};
  state_chunks(w->p.state, &list);
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

/* Straight; with looks at the energies; stopped and taken up by another process, as it were. */
TEST(nothing_between_steps_changes_a_bit, .rows = 2)
{
  static double x[N], again[N];
  static char saved[1 << 20];
  PeriodicOptions o = tight;
  o.nonbonded.mixed = _i == 0;
  PeriodicWalk w;
  periodic_walk_open(&w, &o, &langevin, 1);
  draw_and_run(&w, STEPS);
  blocks_get(w.p.state, 'q', x);
  periodic_walk_close(&w);
  for (int n = 1; n <= 3; n++) {
    periodic_walk_open(&w, &o, &langevin, 1);
    walk_draw_momenta(w.walk[0]);
    for (int i = 0; i < STEPS; i += n) {
      periodic_walk_run(&w, i == 0, STEPS - i < n ? STEPS - i : n);
      look(&w);
    }
    blocks_get(w.p.state, 'q', again);
    ck_assert_mem_eq(x, again, sizeof x);
    periodic_walk_close(&w);
  }
  for (int cut = 10; cut < 26; cut++) {
    periodic_walk_open(&w, &o, &langevin, 1);
    draw_and_run(&w, cut);
    copy_chunks(&w, saved, false);
    periodic_walk_close(&w);
    periodic_walk_open(&w, &o, &langevin, 1);
    if (cut % 2 != 0)
      draw_and_run(&w, cut % 5); /* not even a fresh one */
    copy_chunks(&w, saved, true);
    for (int t = 0; t < w.threads; t++)
      walk_attach(w.walk[t], w.p.state, RANDOM_THERMOSTAT);
    if (cut % 3 == 0)
      look(&w);
    periodic_walk_run(&w, false, STEPS - cut);
    blocks_get(w.p.state, 'q', again);
    ck_assert_mem_eq(x, again, sizeof x);
    periodic_walk_close(&w);
  }
  o.nonbonded.buffer = o.atoms_buffer = 0.4; /* other lists, the same forces */
  periodic_walk_open(&w, &o, &langevin, 1);
  draw_and_run(&w, STEPS);
  blocks_get(w.p.state, 'q', again);
  ck_assert_mem_eq(x, again, sizeof x);
  periodic_walk_close(&w);
}

TEST(teams_change_no_bit, .rows = 2, .threads = true)
{
  static double x[N], again[N];
  PeriodicOptions o = tight;
  o.nonbonded.mixed = _i == 0;
  for (int threads = 1; threads <= PERIODIC_THREADS; threads++) {
    PeriodicWalk w;
    periodic_walk_open(&w, &o, &langevin, threads);
    draw_and_run(&w, STEPS);
    blocks_get(w.p.state, 'q', threads == 1 ? x : again);
    ck_assert(threads == 1 || memcmp(x, again, sizeof x) == 0);
    periodic_walk_close(&w);
  }
}

typedef struct TeamLook {
  PeriodicWalk *w;
  double kinetic[1], thermal[1], terms[EWALD_TERMS];
  WalkPressure pressure;
} TeamLook;

static Status look_member(void *self, const Team *team, Error *error)
{
  static double penalty[1], largest[1];
  TeamLook *look = self;
  const WalkEnergies to = {look->kinetic, look->terms, penalty, largest, &look->pressure, look->thermal};
  return walk_energies(look->w->walk[team->rank], team, &to, error);
}

/* Those that each thread has kept, put together: at the end of BABO they are the momenta themselves. The
 * pressure is made of them. */
TEST(teams_measure_the_momenta_after_noise, .rows = 2, .threads = true)
{
  static const char *const word[] = {"BABO", "BAOAB"};
  double first = 0.0;
  PlanOptions o = langevin;
  o.word = word[_i];
  for (int threads = 1; threads <= PERIODIC_THREADS; threads++) {
    PeriodicWalk w;
    TeamLook look = {.w = &w};
    Topology *topology;
    periodic_walk_open(&w, &tight, &o, threads);
    ck_assert_int_eq(topology_of_state(&topology, w.p.state, NULL), STATUS_OK);
    look.pressure.topology = topology;
    draw_and_run(&w, 7);
    ck_assert_int_eq(team_run(threads, look_member, &look, NULL), STATUS_OK);
    topology_free(topology);
    first = threads == 1 ? look.thermal[0] : first;
    ck_assert_double_eq(look.thermal[0], first);
    ck_assert_int_eq(look.thermal[0] == look.kinetic[0], _i == 0);
    ck_assert_double_eq_tol(look.thermal[0], look.kinetic[0], 0.05 * first);
    double trace = 0.0;
    for (int d = 0; d < 3; d++)
      trace += look.pressure.kinetic_atom[d][d];
    ck_assert_double_eq_tol(trace, 2.0 * first, 1e-12 * first);
    periodic_walk_close(&w);
  }
}

/* Those that are asked beforehand say energies and virial with the forces of the step, others are computed
 * anew for them: the same bits, also of a pressure where a map has changed the forces. Slow forces that are
 * apart cannot. */
TEST(the_forces_of_a_step_say_its_energies, .rows = 4, .threads = true)
{
  PeriodicOptions o = tight;
  PlanOptions how = langevin;
  o.nonbonded.mixed = _i == 0;
  how.word = _i == 2 ? "SBAOABS" : "BAOAB";
  if (_i == 3) {
    how.accel = "zss";
    how.beta = 0.3;
    how.w = 20.0;
    how.h = 0.01;
    how.constraints = NULL;
  }
  for (int threads = 1; threads <= PERIODIC_THREADS; threads++) {
    TeamLook look[2] = {{0}};
    for (int asked = 0; asked < 2; asked++) {
      PeriodicWalk w;
      Topology *topology;
      periodic_walk_open(&w, &o, &how, threads);
      ck_assert_int_eq(topology_of_state(&topology, w.p.state, NULL), STATUS_OK);
      look[asked] = (TeamLook){.w = &w, .pressure.topology = topology};
      draw_and_run(&w, 3);
      for (int t = 0; t < threads && asked == 1; t++)
        walk_ask_energies(w.walk[t]);
      periodic_walk_run(&w, false, 4);
      ck_assert_int_eq(w.walk[0]->terms_step == 7, asked == 1 && _i != 2);
      ck_assert_int_eq(team_run(threads, look_member, &look[asked], NULL), STATUS_OK);
      look[asked].w = NULL;
      look[asked].pressure.topology = NULL;
      topology_free(topology);
      periodic_walk_close(&w);
    }
    ck_assert_mem_eq(&look[0], &look[1], sizeof *look);
  }
}

/* Where molecules are put somewhere else, a list is made at once. */
TEST(lists_see_that_molecules_were_moved)
{
  static double x[N], y[N], f[N], again[N];
  Periodicals p, q;
  periodic_open(&p, &tight);
  periodic_open(&q, &tight);
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

TEST(larger_teams_are_refused, .threads = true)
{
  Periodicals p;
  PeriodicOptions o = periodic_usual;
  o.threads = 1;
  periodic_open(&p, &o);
  ck_assert_int_eq(periodic_run(&p, 2, false), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(p.error.text, "made for 1 threads is called by 2"));
  ck_assert_int_eq(periodic_run(&p, 1, false), STATUS_OK);
  periodic_close(&p);
}
