/* Forces on single molecules and from a function of the caller's, on several blocks and by several threads:
 * laws of a harmonic trap, the wall's sum over blocks, equal bits, faults that reach everyone. */
#include "forcefields/external.h"
#include "forcefields/wall.h"
#include "forcefields/water.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { WATERS = 11, ATOMS = 19, COORDINATES = 9 * WATERS + 3 * ATOMS };
static const int widths[3] = {1, 8, 16};
static const double radius = 3.0, stiffness = 4.0;

static const double mass[1] = {23.0}, origin[3] = {0.0};
static const char *const name[1] = {"Na"};
static const Kind atom = {"sodium", 1, 3, 0, mass, name, NULL, origin};

/* A trap of every site at a point of its own, with a constant that depends on the replica. */
typedef struct Trap {
  double centre[COORDINATES];
  uint32_t failing;     /* replica whose call fails, or none */
  double energy, force; /* added to those of replica 45 */
  int calls;
} Trap;

static double constant(uint32_t replica) { return 1.0 + 0.25 * replica; }

static void trap_one(const Trap *trap, uint32_t replica, const double *x, double *f, double *energy)
{
  const double k = constant(replica);
  for (size_t i = 0; i < COORDINATES; i++) {
    const double away = x[i] - trap->centre[i];
    f[i] = -k * away;
    *energy += 0.5 * k * away * away;
  }
  if (replica == 45) {
    *energy += trap->energy;
    f[COORDINATES - 1] += trap->force;
  }
}

static Status trap_force(void *user, ExternalCall *call, Error *error)
{
  Trap *trap = user;
  trap->calls++;
  if (call->n != COORDINATES || call->step != 0)
    return error_set(error, STATUS_INPUT, "not the state that was made");
  for (int r = 0; r < call->replicas; r++) {
    const uint32_t replica = call->replica + (uint32_t)r;
    if (replica == trap->failing)
      return error_set(error, STATUS_RUN, "replica %u has left the trap", replica);
    trap_one(trap, replica, call->x + r * COORDINATES, call->f + r * COORDINATES, &call->energy[r]);
  }
  return STATUS_OK;
}

typedef struct Scene {
  Kind *water;
  State *state;
  ForceField field;
  External *external;
  Topology *topology;
  Trap trap;
  double x[WIDTH_MAX][COORDINATES];
} Scene;

static Scene *scene(int width)
{
  Scene *s = calloc(1, sizeof *s);
  Error error = {0};
  s->trap.failing = UINT32_MAX;
  ck_assert_int_eq(water_kind(water_find("tip4p"), WATER_MASS_O, WATER_MASS_H, &s->water, &error), STATUS_OK);
  const Kind *kind[2] = {s->water, &atom};
  const int nmol[2] = {WATERS, ATOMS};
  ck_assert_int_eq(state_create(&s->state, width, 2, kind, nmol, 1, 40, &error), STATUS_OK);
  ck_assert_int_eq(topology_of_state(&s->topology, s->state, &error), STATUS_OK);
  srand48(3);
  for (int i = 0; i < COORDINATES; i++)
    s->trap.centre[i] = drand48();
  for (int r = 0; r < width; r++) {
    for (int i = 0; i < COORDINATES; i++)
      s->x[r][i] = 8.0 * (drand48() - 0.5);
    state_set_all(s->state, STATE_POSITIONS, r, s->x[r]);
  }
  s->field.n = 2;
  ck_assert_int_eq(wall_create(&s->field.force[0], stiffness, radius, s->state, &error), STATUS_OK);
  const ExternalRow row = {trap_force, &s->trap, false};
  ck_assert_int_eq(external_create(&s->external, 1, &row, s->topology, NULL, 40, width, &error), STATUS_OK);
  s->field.force[1] = external_force(s->external);
  return s;
}

static void scene_free(Scene *s)
{
  force_field_free(&s->field);
  external_free(s->external);
  topology_free(s->topology);
  state_free(s->state);
  kind_free(s->water);
  free(s);
}

/* Energies of the wall and the trap and their forces, as one writes them down. */
static void by_hand(const Scene *s, int r, double energy[2], double *f)
{
  const double k = constant(40 + (uint32_t)r);
  energy[0] = energy[1] = 0.0;
  for (int i = 0; i < COORDINATES; i++) {
    const double away = s->x[r][i] - s->trap.centre[i];
    f[i] = -k * away;
    energy[1] += 0.5 * k * away * away;
  }
  for (int m = 0; m < WATERS + ATOMS; m++) {
    const int at = m < WATERS ? 9 * m : 9 * WATERS + 3 * (m - WATERS);
    const double *x = s->x[r] + at, d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (d < radius)
      continue;
    energy[0] += 0.5 * stiffness * (d - radius) * (d - radius);
    for (int c = 0; c < 3; c++)
      f[at + c] -= stiffness * (d - radius) * x[c] / d;
  }
}

/* Whatever the team, the bits are those of one thread, which are those by hand to rounding. */
TEST(blocks_and_teams, .rows = 3, .threads = true)
{
  const int width = widths[_i];
  Scene *s = scene(width);
  double first[2 * WIDTH_MAX], energy[2 * WIDTH_MAX], want[2], f[COORDINATES], g[COORDINATES];
  double kept[WIDTH_MAX][COORDINATES];
  for (int size = 1; size <= 3; size++) {
    ck_assert_int_eq(team_forces(&s->field, s->state, size, 2, &(ForceSums){energy, NULL}, NULL), STATUS_OK);
    if (size == 1)
      memcpy(first, energy, sizeof first);
    for (int i = 0; i < 2 * width; i++)
      ck_assert_double_eq(first[i], energy[i]);
    for (int r = 0; r < width; r++) {
      by_hand(s, r, want, f);
      state_get_all(s->state, STATE_FORCES, r, g);
      for (int t = 0; t < 2; t++)
        ck_assert_double_eq_tol(energy[t * width + r], want[t], 1e-12 * want[t]);
      for (int i = 0; i < COORDINATES; i++)
        ck_assert_double_eq_tol(g[i], f[i], 1e-13 * (1.0 + fabs(f[i])));
      if (size == 1)
        memcpy(kept[r], g, sizeof g);
      for (int i = 0; i < COORDINATES; i++)
        ck_assert_double_eq(kept[r][i], g[i]);
    }
  }
  for (int b = 0; b < 2; b++) {
    const Block *block = &s->state->block[b];
    const int n = 3 * block->kind->nsite, last = block->npack - 1;
    for (int i = 0; i < n; i++)
      for (int l = 0; l < LANES; l++)
        ck_assert(block->active[last][l] != 0.0 || block->f[last * n + i][l] == 0.0);
  }
  scene_free(s);
}

TEST(faults_reach_everyone, .threads = true)
{
  Scene *s = scene(8);
  Error error = {0};
  s->trap.failing = 43;
  for (int size = 1; size <= 3; size++) {
    ck_assert_int_eq(team_forces(&s->field, s->state, size, 1, NULL, &error), STATUS_RUN);
    ck_assert_str_eq(error.text, "replica 43 has left the trap");
  }
  scene_free(s);
}

/* What is no finite number is a fault of its replica, whoever asks for what. */
TEST(numbers_must_be_finite, .rows = 4, .threads = true)
{
  static const struct {
    double energy, force;
    const char *said;
  } cases[] = {{NAN, 0.0, "an energy that is not finite (nan)"},
               {-INFINITY, 0.0, "an energy that is not finite (-inf)"},
               {0.0, NAN, "(coordinate 155 of 156: nan)"},
               {0.0, INFINITY, "(coordinate 155 of 156: inf)"}};
  Scene *s = scene(8);
  Error error = {0};
  s->trap.energy = cases[_i].energy;
  s->trap.force = cases[_i].force;
  for (int size = 1; size <= 3; size++) {
    ck_assert_int_eq(team_forces(&s->field, s->state, size, 1, NULL, &error), STATUS_RUN);
    ck_assert_ptr_nonnull(strstr(error.text, cases[_i].said));
    ck_assert_ptr_nonnull(strstr(error.text, "replica 45: "));
    ck_assert_ptr_nonnull(strstr(error.text, "after 0 steps"));
  }
  scene_free(s);
}

/* Nobody is called for lanes that hold nobody. */
TEST(lanes_may_hold_nobody, .threads = true)
{
  Scene *s = scene(8);
  double energy[2 * WIDTH_MAX], f[COORDINATES], g[COORDINATES], want[2];
  state_use(s->state, 3);
  s->trap.failing = 43;
  for (int size = 1; size <= 3; size++) {
    ck_assert_int_eq(team_forces(&s->field, s->state, size, 2, &(ForceSums){energy, NULL}, NULL), STATUS_OK);
    for (int r = 0; r < 8; r++) {
      by_hand(s, r, want, f);
      state_get_all(s->state, STATE_FORCES, r, g);
      ck_assert_double_eq_tol(energy[8 + r], (r < 3 ? want[1] : 0.0), 1e-12 * want[1]);
      for (int i = 0; i < COORDINATES && r < 3; i++)
        ck_assert_double_eq_tol(g[i], f[i], 1e-13 * (1.0 + fabs(f[i])));
    }
  }
  scene_free(s);
}

/* An answer for these positions, this box and this step is taken, any other is asked for anew; a fault is
 * none.
 */
TEST(answers_are_of_their_question, .threads = true)
{
  Scene *s = scene(8);
  double energy[2 * WIDTH_MAX], again[2 * WIDTH_MAX];
  const ForceSums sums = {energy, NULL}, more = {again, NULL};
  Error error = {0};
  external_ask(s->external, s->state);
  external_answer(s->external);
  ck_assert_int_eq(s->trap.calls, 1);
  ck_assert_int_eq(team_forces(&s->field, s->state, 1, 2, &sums, NULL), STATUS_OK);
  ck_assert_int_eq(s->trap.calls, 1);
  s->x[3][7] += 1e-9;
  state_set_all(s->state, STATE_POSITIONS, 3, s->x[3]);
  ck_assert_int_eq(team_forces(&s->field, s->state, 1, 1, &more, NULL), STATUS_OK);
  ck_assert_int_eq(s->trap.calls, 2);
  for (int r = 0; r < 8; r++)
    ck_assert((energy[8 + r] != again[8 + r]) == (r == 3));
  s->state->step = 1;
  ck_assert_int_eq(team_forces(&s->field, s->state, 1, 1, &more, &error), STATUS_INPUT);
  ck_assert_int_eq(team_forces(&s->field, s->state, 1, 1, &more, &error), STATUS_INPUT);
  ck_assert_int_eq(s->trap.calls, 4);
  s->state->step = 0;
  ck_assert_int_eq(team_forces(&s->field, s->state, 1, 1, &more, &error), STATUS_OK);
  scene_free(s);
}
