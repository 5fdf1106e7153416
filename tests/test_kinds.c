/* Several kinds of molecules in one system: rigid waters, ions and noble gases. */
#include "methods/method_table.h"
#include "observables/statistics.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/molecules/pressure.h"
#include "tests/blocks.h"
#include "tests/chunks.h"
#include "tests/molecules.h"
#include "tests/suite.h"
#include "tests/teams.h"
#include "tests/trap.h"

static const double mass_ion[1] = {22.99}, mass_argon[1] = {39.948}, at_origin[3];
static const Kind ion = {"Na+", 1, 3, 0, mass_ion, letter, NULL, at_origin};
static const Kind argon = {"Ar", 1, 3, 0, mass_argon, letter, NULL, at_origin};
static const Kind *const mixture[3] = {&kinds[KIND_OHH], &ion, &argon};

enum { NWATER = 24, NION = 5, NARGON = 11, COORDS = 9 * NWATER + 3 * (NION + NARGON) };
static const int mixed[3] = {NWATER, NION, NARGON};

static PlanOptions rigid(const char *word)
{
  return (PlanOptions){.word = word,
                       .h = 0.05,
                       .accel = "verlet",
                       .constraints = "settle",
                       .constraint = {.tolerance = 1e-13, .max_iterations = 100},
                       .friction = FRICTION_UNIFORM,
                       .gamma = 2.0,
                       .kT = 0.6,
                       .isa = isa_best()};
}

static PlanOptions stiff(const char *accel, const char *word)
{
  PlanOptions o = rigid(word);
  o.constraints = NULL;
  o.accel = accel;
  o.beta = 0.4;
  o.w = 100.0;
  o.hessian = HESSIAN_GAUSS_NEWTON;
  return o;
}

/* Molecules scattered in a ball, each at its reference turned at random. */
static void scatter(State *state)
{
  srand48(5);
  for (int b = 0; b < state->nblock; b++) {
    Block *block = &state->block[b];
    const Kind *kind = block->kind;
    const size_t n = (size_t)(kind->nsite * 3);
    double *x = malloc((size_t)block->nlane * n * sizeof *x);
    for (int m = 0; m < block->nlane; m++) {
      double r[3][3], at[3];
      random_rotation(3, r);
      for (int d = 0; d < 3; d++)
        at[d] = 2.0 * uniform();
      for (size_t i = 0; i < n; i++) {
        x[(size_t)m * n + i] = at[i % 3];
        for (int e = 0; e < 3; e++)
          x[(size_t)m * n + i] += r[i % 3][e] * kind->reference[i / 3 * 3 + (size_t)e];
      }
    }
    state_set(block, 1, block->q, 0, x);
    free(x);
  }
}

/* A walk with its state, by a team of `threads`. */
typedef struct Run {
  State *state;
  Plan *plan;
  Trap trap;
  ForceField field;
  int threads;
  Walk *walk[3];
} Run;

static void run_open(Run *run, const PlanOptions *o, int nkind, const Kind *const *kind, const int *nmol,
                     int threads)
{
  Error error;
  *run = (Run){.trap = {.fast = 3.0}, .threads = threads};
  run->field = trap_field(&run->trap);
  ck_assert_msg(plan_create_kinds(&run->plan, nkind, kind, o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(state_create(&run->state, 1, nkind, kind, nmol, 3, 0, &error) == STATUS_OK, "%s", error.text);
  scatter(run->state);
  for (int t = 0; t < threads; t++) {
    ck_assert_int_eq(walk_create(&run->walk[t], run->plan, &run->field, run->state, NULL), STATUS_OK);
    walk_attach(run->walk[t], run->state, RANDOM_THERMOSTAT);
  }
  walk_draw_momenta(run->walk[0]);
}

typedef struct Going {
  Run *run;
  int64_t steps;
} Going;

static Status go_member(void *self, const Team *team, Error *error)
{
  const Going *g = self;
  Walk *walk = g->run->walk[team->rank];
  const Status status = walk_prepare(walk, team, error);
  return status == STATUS_OK ? walk_run(walk, team, g->steps, error) : status;
}

static Status run_go(Run *run, int64_t n, Error *error)
{
  return team_run(run->threads, go_member, &(Going){run, n}, error);
}

static void run_close(Run *run)
{
  for (int t = 0; t < run->threads; t++)
    walk_free(run->walk[t]);
  plan_free(run->plan);
  state_free(run->state);
}

/* --- numbers of molecules ------------------------------------------------------------------------------- */

typedef struct Inside {
  Run *run;
  Vec8 (*part)[9];
  double virial[3][3];
} Inside;

static Status inside_member(void *self, const Team *team, Error *error)
{
  Inside *in = self;
  double virial[3][3];
  (void)error;
  pressure_inside(&(Sample){in->run->state, in->run->walk[team->rank], team}, in->part, virial);
  if (team->rank == 0)
    memcpy(in->virial, virial, sizeof virial);
  return STATUS_OK;
}

/* The virial of constraints, and of penalties, is that of all blocks, wherever they are cut; atoms have none.
 */
TEST(inner_virials_are_of_all_blocks)
{
  static const Kind *const kind[3] = {&kinds[KIND_OHH], &ion, &kinds[KIND_OHH]};
  static const int whole[2] = {NWATER, NION}, parts[3] = {13, NION, NWATER - 13};
  for (int i = 0; i < 2; i++) {
    Inside in[2];
    for (int k = 0; k < 2; k++) {
      PlanOptions o = i == 0 ? rigid("BAB") : stiff("zss", "BAB");
      o.keep_multipliers = true;
      Run run;
      Error error;
      run_open(&run, &o, 2 + k, kind, k == 0 ? whole : parts, 2);
      for (int b = 0, at = 0; b < 2 + k; b++) { /* alike, whatever was drawn */
        const Block *block = &run.state->block[b];
        for (int m = 0; m < block->nlane; m++, at += block->kind->nsite == 3)
          for (int c = 0; c < 3 * block->kind->nsite; c++) {
            *state_element(block, block->q, 1, m, 0, c / 3, c % 3) =
                block->kind->reference[c] + (c % 3 == 0 ? 0.3 * at : 0.0);
            *state_element(block, block->p, 1, m, 0, c / 3, c % 3) = block->kind->nsite == 3 ? 0.1 * at : 1.0;
          }
      }
      ck_assert_msg(run_go(&run, 3, &error) == STATUS_OK, "%s", error.text);
      ck_assert_uint_eq(pressure_packs(&(Sample){.state = run.state}), k == 0 ? 3 : 4);
      in[k] = (Inside){&run, aligned_alloc(sizeof(Vec8), 4 * sizeof *in[k].part), {{0.0}}};
      ck_assert_int_eq(team_run(2, inside_member, &in[k], NULL), STATUS_OK);
      free(in[k].part);
      run_close(&run);
    }
    double size = 0.0;
    for (int k = 0; k < 9; k++)
      size = fmax(size, fabs(in[0].virial[k / 3][k % 3]));
    ck_assert_double_gt(size, 1.0);
    for (int k = 0; k < 9; k++)
      ck_assert_double_eq_tol(in[0].virial[k / 3][k % 3], in[1].virial[k / 3][k % 3], 1e-10 * size);
  }
}

/* Molecules are the same wherever the blocks are cut: noise, forces and constraints follow their numbers. */
TEST(cuts_between_blocks_change_no_bit)
{
  static const Kind *const twice[2] = {&kinds[KIND_OHH], &kinds[KIND_OHH]};
  static const int whole[1] = {NWATER}, parts[2] = {13, NWATER - 13};
  const PlanOptions options[3] = {rigid("BAOAB"), stiff("zss", "BABO"), stiff("verlet", "OBABO")};
  for (int i = 0; i < 3; i++) {
    double x[2][9 * NWATER], p[2][9 * NWATER];
    for (int k = 0; k < 2; k++) {
      PlanOptions o = options[i];
      o.h = i == 2 ? 0.002 : o.h;
      o.tangent = i == 1;
      Run run;
      Error error;
      run_open(&run, &o, 1 + k, twice, k == 0 ? whole : parts, 1);
      ck_assert_msg(run_go(&run, 40, &error) == STATUS_OK, "%s", error.text);
      blocks_get(run.state, 'q', x[k]);
      blocks_get(run.state, 'p', p[k]);
      run_close(&run);
    }
    ck_assert_int_eq(memcmp(x[0], x[1], sizeof x[0]), 0);
    ck_assert_int_eq(memcmp(p[0], p[1], sizeof p[0]), 0);
  }
}

TEST(faults_name_molecule_and_kind)
{
  const PlanOptions o = rigid("BAB");
  Run run;
  Error error;
  run_open(&run, &o, 3, mixture, mixed, 1);
  run.state->block[2].p[0][3] = NAN;
  ck_assert_int_eq(run_go(&run, 20, &error), STATUS_RUN);
  char want[64];
  snprintf(want, sizeof want, "molecule %d (Ar)", NWATER + NION + 4);
  ck_assert_msg(strstr(error.text, want) != NULL, "%s", error.text);
  run_close(&run);
}

/* --- each kind its own way ------------------------------------------------------------------------------ */

/* Atoms beside rigid or stiff waters move as they do alone. */
TEST(atoms_go_their_own_way)
{
  static const int alone[1] = {NARGON};
  const PlanOptions options[4] = {rigid("BAB"), stiff("zss", "BAB"), stiff("zss-block", "ABA"), rigid("ABA")};
  for (int i = 0; i < 4; i++) {
    Run many, one;
    Error error;
    double x[2][3 * NARGON];
    PlanOptions o = options[i];
    run_open(&many, &o, 3, mixture, mixed, 1);
    o.constraints = NULL;
    o.accel = "verlet";
    run_open(&one, &o, 1, &mixture[2], alone, 1);
    state_get(&many.state->block[2], 1, many.state->block[2].q, 0, x[0]);
    state_set(&one.state->block[0], 1, one.state->block[0].q, 0, x[0]);
    state_get(&many.state->block[2], 1, many.state->block[2].p, 0, x[0]);
    state_set(&one.state->block[0], 1, one.state->block[0].p, 0, x[0]);
    ck_assert_msg(run_go(&many, 50, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(run_go(&one, 50, &error) == STATUS_OK, "%s", error.text);
    state_get(&many.state->block[2], 1, many.state->block[2].q, 0, x[0]);
    state_get(&one.state->block[0], 1, one.state->block[0].q, 0, x[1]);
    ck_assert_int_eq(memcmp(x[0], x[1], sizeof x[0]), 0);
    run_close(&many);
    run_close(&one);
  }
}

static double kinetic_of(const State *state, int b)
{
  const Block *block = &state->block[b];
  double x[9 * NWATER], sum = 0.0;
  state_get(block, 1, block->p, 0, x);
  for (int i = 0; i < 3 * block->nlane * block->kind->nsite; i++)
    sum += 0.5 * x[i] * x[i] / block->kind->mass[i / 3 % block->kind->nsite];
  return sum;
}

/* Each kind has its share of kT/2: its degrees of freedom, less its share of the motion taken out, which is
 * that of its mass. */
TEST(equipartition, .rows = 4)
{
  static const Removal removal[2] = {REMOVE_NONE, REMOVE_LINEAR};
  PlanOptions o = rigid("BAOAB");
  o.removal = removal[_i / 2];
  o.friction = _i % 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
  o.gamma = o.friction == FRICTION_MASS ? 1.0 : 10.0;
  o.h = 0.02;
  Run run;
  Error error;
  run_open(&run, &o, 3, mixture, mixed, 1);
  double mass[3], total = 0.0;
  int freedom = 0;
  for (int b = 0; b < 3; b++) {
    mass[b] = mixed[b] * kind_mass(mixture[b]);
    total += mass[b];
    freedom += mixed[b] * kind_freedom(mixture[b], 1);
  }
  ck_assert_int_eq(plan_freedom(run.plan, mixed), freedom - (o.removal == REMOVE_LINEAR ? 3 : 0));
  StatisticsBlocks blocks[3];
  memset(blocks, 0, sizeof blocks);
  for (int i = 0; i < 6000; i++) {
    ck_assert_msg(run_go(&run, 10, &error) == STATUS_OK, "%s", error.text);
    for (int b = 0; b < 3 && i > 100; b++)
      statistics_blocks_add(&blocks[b], kinetic_of(run.state, b));
  }
  for (int b = 0; b < 3; b++) {
    const StatisticsSeries s = statistics_blocks_result(&blocks[b]);
    const double gone = o.removal == REMOVE_LINEAR ? 3.0 * mass[b] / total : 0.0;
    const double want = 0.5 * o.kT * (mixed[b] * kind_freedom(mixture[b], 1) - gone);
    ck_assert_msg(fabs(s.mean - want) < 4.0 * s.error + 2e-3 * want, "%s: %.4f(%.4f), not %.4f",
                  mixture[b]->name, s.mean, s.error, want);
    ck_assert_double_lt(s.error, 0.02 * want);
  }
  run_close(&run);
}

/* Energies and momenta are those of all blocks, by plain sums. */
TEST(energies_are_of_all_blocks)
{
  PlanOptions o = rigid("BAB");
  Run run;
  run_open(&run, &o, 3, mixture, mixed, 1);
  const Team alone = team_alone();
  double kinetic, term, penalty, largest, want = 0.0, linear[1][3], angular[1][3];
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, run.state, NULL), STATUS_OK);
  WalkPressure pressure = {.topology = topology};
  const WalkEnergies to = {&kinetic, &term, &penalty, &largest, &pressure, NULL};
  ck_assert_int_eq(walk_prepare(run.walk[0], &alone, NULL), STATUS_OK);
  ck_assert_int_eq(walk_energies(run.walk[0], &alone, &to, NULL), STATUS_OK);
  double x[COORDS], p[COORDS], sum[3] = {0}, diagonal = 0.0, energy = 0.0;
  for (int b = 0; b < 3; b++)
    want += kinetic_of(run.state, b);
  ck_assert_double_eq_tol(kinetic, want, 1e-12 * want);
  blocks_get(run.state, 'q', x);
  blocks_get(run.state, 'p', p);
  for (int i = 0; i < COORDS; i += 3) {
    double f[3];
    energy += trap_site(&run.trap, FORCE_FAST, 3, x + i, f);
    for (int d = 0; d < 3; d++)
      sum[d] += p[i + d];
  }
  ck_assert_double_eq_tol(term, energy, 1e-12 * energy);
  motion_momenta(run.state, linear, angular);
  for (int d = 0; d < 3; d++) {
    ck_assert_double_eq_tol(linear[0][d], sum[d], 1e-11);
    diagonal += pressure.kinetic_atom[d][d];
  }
  ck_assert_double_eq_tol(diagonal, 2.0 * want, 1e-12 * want);
  topology_free(topology);
  run_close(&run);
}

/* --- many threads --------------------------------------------------------------------------------------- */

/* Removal over many packs: nothing is left, momenta stay tangent, and threads change no bit. */
TEST(threads_change_no_bit, .rows = 4, .threads = true)
{
  enum { WATERS = 700, IONS = 3, ARGONS = 41, N = 9 * WATERS + 3 * (IONS + ARGONS) };
  static const int many[3] = {WATERS, IONS, ARGONS};
  static double x[3][N], p[3][N];
  PlanOptions o = rigid("BAOAB");
  o.removal = _i % 2 == 0 ? REMOVE_LINEAR : REMOVE_ANGULAR;
  o.friction = _i / 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
  for (int t = 0; t < 3; t++) {
    Run run;
    Error error;
    double linear[1][3], angular[1][3];
    run_open(&run, &o, 3, mixture, many, t + 1);
    ck_assert_msg(run_go(&run, 20, &error) == STATUS_OK, "%s", error.text);
    blocks_get(run.state, 'q', x[t]);
    blocks_get(run.state, 'p', p[t]);
    ck_assert_msg(memcmp(x[0], x[t], sizeof x[0]) == 0, "%d threads", t + 1);
    ck_assert_msg(memcmp(p[0], p[t], sizeof p[0]) == 0, "%d threads", t + 1);
    walk_draw_momenta(run.walk[0]);
    motion_momenta(run.state, linear, angular);
    for (int d = 0; d < 3; d++) {
      ck_assert_double_lt(fabs(linear[0][d]), 1e-9);
      if (o.removal == REMOVE_ANGULAR)
        ck_assert_double_lt(fabs(angular[0][d]), 1e-8);
    }
    run_close(&run);
  }
}

/* --- ensembles ------------------------------------------------------------------------------------------ */

static Ensemble *ensemble_of(const Plan *plan, const Topology *topology, const Trap *trap, int replicas,
                             int threads)
{
  Ensemble *e;
  Error error;
  const EnsembleOptions options = {.plan = plan,
                                   .topology = topology,
                                   .box = box_brick(20.0, 21.0, 22.0),
                                   .replicas = replicas,
                                   .width = 1,
                                   .threads = threads,
                                   .seed = 9,
                                   .maker = {trap, trap_make}};
  ck_assert_msg(ensemble_create(&e, &options, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq((int)state_coordinates(ensemble_at(e, 0).state), COORDS);
  ck_assert_double_eq(box_length(&ensemble_at(e, replicas - 1).state->box, 1), 21.0);
  return e;
}

/* One start for all: waters, ions, argons in this order. */
static void mixed_start(double *x)
{
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 3, mixture, mixed, 3, 0, NULL), STATUS_OK);
  scatter(state);
  blocks_get(state, 'q', x);
  state_free(state);
}

/* Replicas that are each by itself: neither threads nor company change a bit, and a run goes on from its
 * chunks to the bit. */
TEST(replicas_by_themselves, .rows = 2, .threads = true)
{
  enum { REPLICAS = 3 };
  PlanOptions o = rigid(_i == 0 ? "BAOAB" : "SBAOABBAOABS");
  o.removal = REMOVE_LINEAR;
  const Trap trap = {.fast = 3.0, .slow = 0.1};
  Plan *plan;
  Error error;
  double start[COORDS], x[2][REPLICAS][COORDS], p[COORDS];
  ck_assert_msg(plan_create_kinds(&plan, 3, mixture, &o, &error) == STATUS_OK, "%s", error.text);
  Topology *topology;
  ck_assert_int_eq(topology_of_kinds(&topology, 3, mixture, mixed, NULL), STATUS_OK);
  mixed_start(start);
  for (int t = 0; t < 2; t++) {
    Ensemble *e = ensemble_of(plan, topology, &trap, REPLICAS, t + 1);
    ck_assert_int_eq(ensemble_start(e, start, &error), STATUS_OK);
    ensemble_get(e, 1, x[t][0], p);
    ck_assert_int_eq(memcmp(x[t][0], start, sizeof start), 0);
    ck_assert_msg(ensemble_run(e, 40, NULL, &error) == STATUS_OK, "%s", error.text);
    for (int r = 0; r < REPLICAS; r++)
      ensemble_get(e, r, x[t][r], p);
    for (int r = 0; r < REPLICAS; r++)
      ck_assert(memcmp(x[t][r], x[t][(r + 1) % REPLICAS], sizeof start) != 0);
    ensemble_free(e);
  }
  ck_assert_int_eq(memcmp(x[0], x[1], sizeof x[0]), 0);

  Ensemble *half = ensemble_of(plan, topology, &trap, REPLICAS, 2),
           *rest = ensemble_of(plan, topology, &trap, REPLICAS, 1);
  ChunkList from = {0}, to = {0};
  ck_assert_int_eq(ensemble_start(half, start, &error), STATUS_OK);
  ck_assert_int_eq(ensemble_run(half, 17, NULL, &error), STATUS_OK);
  ensemble_chunks(half, &from);
  ensemble_chunks(rest, &to);
  chunks_restore(&from, &to);
  ck_assert_int_eq(ensemble_run(rest, 40, NULL, &error), STATUS_OK);
  for (int r = 0; r < REPLICAS; r++) {
    ensemble_get(rest, r, x[1][r], p);
    ck_assert_int_eq(memcmp(x[0][r], x[1][r], sizeof start), 0);
  }
  ensemble_free(half);
  ensemble_free(rest);

  /* The first of several is the only one. */
  Ensemble *one = ensemble_of(plan, topology, &trap, 1, 2);
  ck_assert_int_eq(ensemble_start(one, start, &error), STATUS_OK);
  ck_assert_int_eq(ensemble_run(one, 40, NULL, &error), STATUS_OK);
  ensemble_get(one, 0, x[1][0], p);
  ck_assert_int_eq(memcmp(x[0][0], x[1][0], sizeof start), 0);
  ensemble_free(one);
  topology_free(topology);
  plan_free(plan);
}

TEST(what_does_not_go_together)
{
  const Kind *const flat[2] = {&kinds[KIND_OHH], &kinds[KIND_PENDULUM]};
  PlanOptions o = rigid("BAB");
  o.constraints = "rattle";
  Plan *plan;
  Walk *walk;
  State *state;
  Error error;
  ck_assert_int_eq(plan_create_kinds(&plan, 2, flat, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "pendulum"));
  ck_assert_int_eq(plan_create_kinds(&plan, 0, mixture, &o, &error), STATUS_INPUT);
  o.constraints = NULL;
  o.method = &method_energy_momentum;
  o.word = NULL;
  ck_assert_int_eq(plan_create_kinds(&plan, 3, mixture, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "Na+"));
  o = rigid("BAB");
  const ForceField none = {0};
  ck_assert_int_eq(plan_create_kinds(&plan, 2, mixture, &o, &error), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 3, mixture, mixed, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &none, state, &error), STATUS_INPUT);
  plan_free(plan);
  state_free(state);
  static const Kind *const other[3] = {&ion, &kinds[KIND_OHH], &argon};
  ck_assert_int_eq(plan_create_kinds(&plan, 3, other, &o, &error), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 3, mixture, mixed, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &none, state, &error), STATUS_INPUT);
  plan_free(plan);
  state_free(state);
}

int main(void) { return suite_main("kinds"); }
