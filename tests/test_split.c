/* Words with S: slow forces apart from the fast ones; and drifts in several parts. */
#include "engine/random.h"
#include "methods/method_table.h"
#include "tests/molecules.h"
#include "tests/norms.h"
#include "tests/residual.h"
#include "tests/suite.h"
#include "tests/trap.h"

#include "integrators/constraints.h"
#include "integrators/plan.h"

static const double mass_loose[3] = {1.0, 2.0, 0.5};
static const double start_q[6] = {0.9, 0.2, -1.2, 0.3, 0.4, -1.1},
                    start_p[6] = {0.3, -0.2, 0.5, 0.1, 0.7, -0.4};
static const Kind loose = {"loose", 3, 2, 0, mass_loose, letter, NULL, start_q};
enum { N = 6 };

typedef struct Walked {
  State *state;
  Plan *plan;
  Trap *trap;
  ForceField field;
  Walk *walk;
  Team team;
} Walked;

static PlanOptions plain(const char *word, double h)
{
  return (PlanOptions){.word = word,
                       .h = h,
                       .accel = "verlet",
                       .constraint = {.tolerance = 1e-14, .max_iterations = 100},
                       .kT = 0.5,
                       .isa = isa_best()};
}

static void walked_open(Walked *w, const Kind *kind, int nmol, const PlanOptions *o)
{
  static const Trap trap = {.fast = 2.0, .slow = 0.7};
  Error error;
  *w = (Walked){.team = team_alone()};
  ck_assert_msg(plan_create(&w->plan, kind, o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(state_create(&w->state, 1, 1, &kind, &nmol, 5, 0, NULL), STATUS_OK);
  ck_assert_int_eq(trap_make(&trap, w->state, &w->field, NULL), STATUS_OK);
  w->trap = w->field.force[0].self;
  ck_assert_msg(walk_create(&w->walk, w->plan, &w->field, w->state, &error) == STATUS_OK, "%s", error.text);
  walk_attach(w->walk, w->state, RANDOM_THERMOSTAT);
}

static void walked_close(Walked *w)
{
  walk_free(w->walk);
  plan_free(w->plan);
  force_field_free(&w->field);
  state_free(w->state);
}

static void walked_put(Walked *w, const double *z, int n)
{
  Block *block = &w->state->block[0];
  state_set(block, 1, block->q, 0, z);
  state_set(block, 1, block->p, 0, z + n);
  ck_assert_int_eq(walk_prepare(w->walk, &w->team, NULL), STATUS_OK);
}

static void walked_get(const Walked *w, double *z, int n)
{
  const Block *block = &w->state->block[0];
  state_get(block, 1, block->q, 0, z);
  state_get(block, 1, block->p, 0, z + n);
}

static void walked_run(Walked *w, int64_t n)
{
  Error error;
  ck_assert_msg(walk_run(w->walk, &w->team, n, &error) == STATUS_OK, "%s", error.text);
}

static double walked_energy(Walked *w)
{
  double kinetic, term, penalty, largest;
  const WalkEnergies to = {&kinetic, &term, &penalty, &largest, NULL, NULL};
  ck_assert_int_eq(walk_energies(w->walk, &w->team, &to, NULL), STATUS_OK);
  return kinetic + term;
}

static const char *const words[] = {"SBABS", "RESPA-2", "RESPA-3", "SABAS", "ASBSA", "BSABSAB"};
enum { WORDS = 6, SYMMETRIC = 5 };

static void start(double *z)
{
  memcpy(z, start_q, sizeof start_q);
  memcpy(z + N, start_p, sizeof start_p);
}

/* D' J D = J of the Jacobian D of two steps. */
TEST(steps_are_symplectic, .rows = WORDS)
{
  const PlanOptions o = plain(words[_i], 0.2);
  Walked w;
  double d[2 * N][2 * N];
  walked_open(&w, &loose, 1, &o);
  for (int j = 0; j < 2 * N; j++) {
    double z[2][2 * N];
    for (int k = 0; k < 2; k++) {
      start(z[k]);
      z[k][j] += k == 0 ? 1e-5 : -1e-5;
      walked_put(&w, z[k], N);
      walked_run(&w, 2);
      walked_get(&w, z[k], N);
    }
    for (int i = 0; i < 2 * N; i++)
      d[i][j] = (z[0][i] - z[1][i]) / 2e-5;
  }
  for (int a = 0; a < 2 * N; a++)
    for (int b = 0; b < 2 * N; b++) {
      double form = 0.0;
      for (int i = 0; i < N; i++)
        form += d[i][a] * d[N + i][b] - d[N + i][a] * d[i][b];
      ck_assert_double_eq_tol(form, (b == a + N) - (a == b + N), 1e-8);
    }
  walked_close(&w);
}

TEST(steps_come_back, .rows = SYMMETRIC)
{
  const PlanOptions o = plain(words[_i], 0.2);
  Walked w;
  double z[2 * N], first[2 * N];
  walked_open(&w, &loose, 1, &o);
  start(first);
  walked_put(&w, first, N);
  walked_run(&w, 50);
  walked_get(&w, z, N);
  ck_assert_double_gt(distance(2 * N, z, first), 0.1);
  for (int i = 0; i < N; i++)
    z[N + i] *= -1.0;
  walked_put(&w, z, N);
  walked_run(&w, 50);
  walked_get(&w, z, N);
  for (int i = 0; i < N; i++)
    z[N + i] *= -1.0;
  ck_assert_double_lt(distance(2 * N, z, first), 1e-11);
  walked_close(&w);
}

/* Against velocity Verlet by the whole force in fine steps. */
TEST(order_is_two, .rows = SYMMETRIC)
{
  double exact[2 * N], error[2];
  for (int k = 0; k < 3; k++) {
    const int steps = k == 0 ? 20000 : 20 << k;
    const PlanOptions o = plain(k == 0 ? "BAB" : words[_i], 2.0 / steps);
    double z[2 * N];
    Walked w;
    walked_open(&w, &loose, 1, &o);
    start(z);
    walked_put(&w, z, N);
    walked_run(&w, steps);
    walked_get(&w, k == 0 ? exact : z, N);
    if (k > 0)
      error[k - 1] = distance(2 * N, z, exact);
    walked_close(&w);
  }
  ck_assert_msg(fabs(log2(error[0] / error[1]) - 2.0) < 0.1, "%s: %g %g", words[_i], error[0], error[1]);
}

TEST(energy_stays, .rows = SYMMETRIC)
{
  double worst[2];
  for (int k = 0; k < 2; k++) {
    const PlanOptions o = plain(words[_i], k == 0 ? 0.1 : 0.05);
    double z[2 * N];
    Walked w;
    walked_open(&w, &loose, 1, &o);
    start(z);
    walked_put(&w, z, N);
    const double first = walked_energy(&w);
    worst[k] = 0.0;
    for (int i = 0; i < 2000; i++) {
      walked_run(&w, 5);
      worst[k] = fmax(worst[k], fabs(walked_energy(&w) - first));
    }
    walked_close(&w);
  }
  ck_assert_double_lt(worst[0], 0.1);
  ck_assert_msg(worst[0] / worst[1] > 3.0 && worst[0] / worst[1] < 5.0, "%s: %g %g", words[_i], worst[0],
                worst[1]);
}

/* Each group once where it is due: after drifts only, and never twice at one place. */
TEST(forces_are_computed_once)
{
  static const struct {
    const char *word;
    int fast, slow;
  } cost[] = {{"RESPA-BAOAB-2", 2, 1}, {"RESPA-BAOAB-3", 3, 1}, {"RESPA-G-BAOAB-2", 2, 1}, {"SBAOABS", 1, 1},
              {"RESPA-2", 2, 1},       {"BSAOASB", 1, 1},       {"BASAB", 1, 1},           {"ASBBSA", 1, 1}};
  for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) {
    PlanOptions o = plain(cost[i].word, 0.01);
    o.gamma = 1.0;
    double z[2 * N];
    Walked w;
    walked_open(&w, &loose, 1, &o);
    start(z);
    walked_put(&w, z, N);
    w.trap->count[0] = w.trap->count[1] = 0;
    walked_run(&w, 30);
    ck_assert_msg(w.trap->count[0] == 30 * cost[i].fast && w.trap->count[1] == 30 * cost[i].slow,
                  "%s: %d fast, %d slow", cost[i].word, w.trap->count[0], w.trap->count[1]);
    walked_close(&w);
  }
}

/* Where a run is cut, and looking at energies between steps, change no bit. */
TEST(cuts_change_no_bit)
{
  double z[2][2 * 9];
  for (int k = 0; k < 2; k++) {
    PlanOptions o = plain("RESPA-BAOAB-2", 0.02);
    o.constraints = "rattle";
    o.gamma = 1.0;
    Walked w;
    walked_open(&w, &kinds[KIND_OHH], 1, &o);
    walk_draw_momenta(w.walk);
    ck_assert_int_eq(walk_prepare(w.walk, &w.team, NULL), STATUS_OK);
    for (int i = 0; i < (k == 0 ? 1 : 10); i++) {
      walked_run(&w, k == 0 ? 30 : 3);
      (void)walked_energy(&w);
    }
    walked_get(&w, z[k], 9);
    walked_close(&w);
  }
  ck_assert_int_eq(memcmp(z[0], z[1], sizeof z[0]), 0);
}

/* --- along the manifold --------------------------------------------------------------------------------- */

static const char *const geodesic[] = {"G-BAOAB-2", "G-BAOAB-3", "G-BAOAB-5", "RESPA-G-BAOAB-2"};
enum { GEODESIC = 4 };

/* The position that waters end at, without noise: gamma = 0 makes of O a projection. */
static void rigid_after(const char *word, const char *method, int steps, double time, double *z, double *off)
{
  PlanOptions o = plain(word, time / steps);
  o.constraints = method;
  Walked w;
  walked_open(&w, &kinds[KIND_SCALENE], 1, &o);
  double p[9] = {2, 3, -4, 1, 1, 0.5, -2, 5, 1}, q[9];
  Block *block = &w.state->block[0];
  state_get(block, 1, block->q, 0, q);
  for (int i = 0; i < 9; i++)
    q[i] += 0.3;
  state_set(block, 1, block->q, 0, q);
  state_set(block, 1, block->p, 0, p);
  Projector *projector;
  ck_assert_int_eq(projector_create(&projector, &kinds[KIND_SCALENE], NULL, true, ISA_PLAIN, NULL),
                   STATUS_OK);
  Pack pack = state_pack(w.state, block, 0);
  projector_apply(projector, &pack, NULL);
  ck_assert_int_eq(walk_prepare(w.walk, &w.team, NULL), STATUS_OK);
  walked_run(&w, steps);
  walked_get(&w, z, 9);
  Vec8 residual, before[9];
  constraint_residual(&pack, &residual);
  memcpy(before, pack.p, sizeof before);
  projector_apply(projector, &pack, NULL);
  *off = residual[0];
  for (int i = 0; i < 9; i++)
    *off = fmax(*off, fabs(before[i][0] - pack.p[i][0]));
  projector_free(projector);
  walked_close(&w);
}

TEST(geodesic_words_have_order_two, .rows = GEODESIC)
{
  double exact[18], z[18], off, error[2];
  rigid_after("BAB", "rattle", 20000, 1.0, exact, &off);
  for (int k = 0; k < 2; k++) {
    rigid_after(geodesic[_i], "rattle", 40 << k, 1.0, z, &off);
    ck_assert_double_lt(off, 1e-11);
    error[k] = distance(18, z, exact);
  }
  ck_assert_msg(fabs(log2(error[0] / error[1]) - 2.0) < 0.15, "%s: %g %g", geodesic[_i], error[0], error[1]);
}

/* AA is two drifts along the manifold, not one of the double length: the drift of RATTLE is no flow. The
 * more of them, the nearer to the geodesic. */
TEST(drifts_stay_apart)
{
  static const char *const parts[3] = {"BAOAB", "BAAOAAB", "BAAAAOAAAAB"};
  double fine[18], z[3][18], off, error[3];
  rigid_after("BAAAAAAAAAAAAAAOAAAAAAAAAAAAAAB", "rattle", 4, 0.4, fine, &off);
  for (int k = 0; k < 3; k++) {
    rigid_after(parts[k], "rattle", 4, 0.4, z[k], &off);
    error[k] = distance(18, z[k], fine);
  }
  ck_assert_double_gt(error[0], 1e-8);
  ck_assert_msg(error[1] < 0.3 * error[0] && error[2] < 0.3 * error[1], "%g %g %g", error[0], error[1],
                error[2]);
}

TEST(what_does_not_go_with_slow_forces)
{
  Plan *plan;
  Walk *walk;
  Error error;
  PlanOptions o = plain("RESPA-2", 0.1);
  o.accel = "zss";
  ck_assert_int_eq(plan_create(&plan, &loose, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "verlet"));
  o = plain("SAS", 0.1);
  ck_assert_int_eq(plan_create(&plan, &loose, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "B (kick)"));
  o = plain("SHS", 0.1);
  o.method = &method_energy_momentum;
  ck_assert_int_eq(plan_create(&plan, &loose, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "mixes"));
  o = plain("RESPA-2", 0.1);
  Trap trap = {.fast = 1.0};
  const ForceField fast = trap_field(&trap);
  State *state;
  const Kind *kind = &loose;
  const int one = 1;
  ck_assert_int_eq(plan_create(&plan, &loose, &o, &error), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &one, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &fast, state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "slow"));
  plan_free(plan);
  state_free(state);
}
