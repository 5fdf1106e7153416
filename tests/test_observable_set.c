/* Observables of a state: those due, threads, restarts, and the same numbers as from samples by hand. */
#include "tests/observables.h"
#include "tests/suite.h"

enum { WATERS = 30, ATOMS = 11 };

static State *make_state(void)
{
  static const Kind *const kind[2] = {&observed_water, &observed_atom};
  static const int nmol[2] = {WATERS, ATOMS};
  State *state;
  Error error;
  ck_assert_msg(state_create(&state, 1, 2, kind, nmol, 1, 0, &error) == STATUS_OK, "%s", error.text);
  state->box = box_brick(20.0, 22.0, 21.0);
  return state;
}

/* Molecules that walk a little. */
static void move_state(State *state, int64_t step)
{
  RandomStream stream = random_stream(3, (uint32_t)step, RANDOM_TEST);
  for (int b = 0; b < 2; b++) {
    const Block *block = &state->block[b];
    for (int m = 0; m < block->nlane; m++)
      for (int s = 0; s < block->kind->nsite; s++)
        for (int d = 0; d < 3; d++) {
          const size_t at = state_index(block, 1, m, 0, s, d);
          ((double *)block->q)[at] = 1.9 * m * (d + 1) + 0.5 * s + 0.3 * random_normal(&stream);
          ((double *)block->p)[at] = random_normal(&stream);
        }
  }
  state->step = step;
}

typedef struct Adding {
  ObservableSet *set;
  const State *state;
} Adding;

static Status add_member(void *self, const Team *team, Error *error)
{
  const Adding *a = self;
  return observable_set_add(a->set, &(Sample){.state = a->state, .team = team}, &(ObservableLanes){0}, error);
}

static Topology *make_topology(const State *state)
{
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, state, NULL), STATUS_OK);
  memcpy(topology->sort[0].shared, observed_charge, 3 * sizeof(double));
  if (topology->nsort > 1)
    *topology->sort[1].shared = *observed_one_charge;
  return topology;
}

static ObservableSet *make_set(const Topology *topology, const State *state)
{
  const ObservableOptions options = {
      .every = {[OBSERVABLE_rdf] = 4, [OBSERVABLE_msd] = 2, [OBSERVABLE_vacf] = 2, [OBSERVABLE_dipole] = 6},
      .threads = 2,
      .temperature = 300.0,
      .vacf.max = 0.8};
  return observed_set(&options, topology, state);
}

/* `what` with the lists of two sets. */
static void with_chunks(void (*what)(ChunkList *, ChunkList *), ObservableSet *one, ObservableSet *other)
{
  ChunkList a = {0}, b = {0};
  observable_set_chunks(one, &a);
  observable_set_chunks(other, &b);
  what(&a, &b);
}

TEST(threads_and_restarts_leave_no_trace, .threads = true)
{
  State *state = make_state();
  Topology *topology = make_topology(state);
  ObservableSet *one = make_set(topology, state), *two = make_set(topology, state);
  const Team alone = team_alone();
  ck_assert_int_eq(observable_set_every(one), 2);
  ck_assert_int_eq(observable_set_velocities(one), 1);
  for (int64_t step = 0; step < 100; step++) {
    move_state(state, step);
    ck_assert_int_eq(
        observable_set_add(one, &(Sample){.state = state, .team = &alone}, &(ObservableLanes){0}, NULL),
        STATUS_OK);
    ck_assert_int_eq(team_run(2, add_member, &(Adding){two, state}, NULL), STATUS_OK);
    if (step == 48) {
      ObservableSet *fresh = make_set(topology, state);
      with_chunks(chunks_restore, two, fresh);
      observable_set_free(two);
      two = fresh;
    }
  }
  with_chunks(chunks_same, one, two);
  ResultSet report = {0};
  char dir[300];
  snprintf(dir, sizeof dir, "%s.", files_path(""));
  Error error;
  ck_assert_msg(observable_set_write(two, dir, &report, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_gt(report.n, 4);
  ResultTable *table;
  ck_assert_int_eq(results_csv_load(&table, files_path("gofr.csv"), NULL), STATUS_OK);
  double samples;
  ck_assert_int_eq(results_csv_number(table, "samples", &samples, NULL), STATUS_OK);
  ck_assert_double_eq(samples, 25.0);
  results_free_table(table);
  results_free(&report);
  observable_set_free(one);
  observable_set_free(two);
  topology_free(topology);
  state_free(state);
}

/* Blocks, times and velocities are those of the state. */
TEST(a_state_is_the_sample_that_it_looks_like)
{
  State *state = make_state();
  Topology *topology = make_topology(state);
  ObservableSet *by_state = make_set(topology, state), *by_hand = make_set(topology, state);
  const Team alone = team_alone();
  static double x[2][9 * WATERS], v[2][9 * WATERS];
  const ObservableBlock block[2] = {{&observed_water, observed_charge, WATERS, x[0], v[0]},
                                    {&observed_atom, observed_one_charge, ATOMS, x[1], v[1]}};
  for (int64_t step = 0; step < 60; step += 2) {
    move_state(state, step);
    ck_assert_int_eq(
        observable_set_add(by_state, &(Sample){.state = state, .team = &alone}, &(ObservableLanes){0}, NULL),
        STATUS_OK);
    for (int b = 0; b < 2; b++) {
      state_get(&state->block[b], 1, state->block[b].q, 0, x[b]);
      state_get(&state->block[b], 1, state->block[b].p, 0, v[b]);
      const int nsite = block[b].kind->nsite;
      for (int k = 0; k < 3 * nsite * block[b].nmol; k++)
        v[b][k] /= observed_mass[k / 3 % nsite];
    }
    const ObservableFrame frame = {0.04 * (double)step, &state->box, 2, block, NULL};
    ck_assert_int_eq(observable_set_add_frame(by_hand, &alone, step, &frame, NULL), STATUS_OK);
  }
  with_chunks(chunks_same, by_state, by_hand);
  observable_set_free(by_state);
  observable_set_free(by_hand);
  topology_free(topology);
  state_free(state);
}

TEST(what_one_of_them_lacks_is_said_by_its_name)
{
  State *state = make_state();
  const ObservableOptions options = {.every = {[OBSERVABLE_rdf] = 1}, .rdf.max = 1e3};
  ObservableSet *set;
  Error error;
  Topology *topology = make_topology(state);
  ck_assert_int_eq(
      observable_set_create_sample(&set, &options, 1.0, topology, &(Sample){.state = state}, &error),
      STATUS_INPUT);
  ck_assert_int_eq(strncmp(error.text, "rdf: ", 5), 0);
  ck_assert_ptr_null(set);
  topology_free(topology);
  state_free(state);
}

/* Two batches of eight in one set: in whatever order, and from a checkpoint, the same; others want one
 * system.
 */
TEST(replicas_in_lanes_share_a_set)
{
  static const Kind *const kind[1] = {&observed_water};
  static const int nmol[1] = {7};
  const ObservableOptions options = {
      .every = {[OBSERVABLE_rdf] = 2}, .replicas = 16, .batches = 2, .rdf.max = 20.0, .rdf.bins = 50};
  const Team alone = team_alone();
  ObservableSet *set[3];
  State *batch[2];
  Error error;
  for (int g = 0; g < 2; g++)
    ck_assert_int_eq(state_create(&batch[g], 8, 1, kind, nmol, 1, 0, NULL), STATUS_OK);
  Topology *topology = make_topology(batch[0]);
  for (int k = 0; k < 3; k++)
    ck_assert_msg(observable_set_create_sample(&set[k], &options, 0.04, topology,
                                               &(Sample){.state = batch[0]}, &error) == STATUS_OK,
                  "%s", error.text);
  for (int64_t step = 1; step <= 40; step++) {
    for (int g = 0; g < 2; g++) {
      RandomStream stream = random_stream(4, (uint32_t)(2 * step + g), RANDOM_TEST);
      for (int i = 0; i < batch[g]->block[0].npack * 9 * LANES; i++)
        ((double *)batch[g]->block[0].q)[i] = 5.0 * random_normal(&stream);
      batch[g]->step = step;
    }
    for (int k = 0; k < 2; k++)
      for (int g = 0; g < 2; g++)
        ck_assert_int_eq(observable_set_add(set[k], &(Sample){.state = batch[g ^ k], .team = &alone},
                                            &(ObservableLanes){.first = 8 * (g ^ k)}, NULL),
                         STATUS_OK);
    if (step == 20) {
      with_chunks(chunks_restore, set[1], set[2]);
      observable_set_free(set[1]);
      set[1] = set[2];
    }
  }
  with_chunks(chunks_same, set[0], set[1]);
  ResultSet report = {0};
  char dir[300];
  snprintf(dir, sizeof dir, "%s.", files_path(""));
  ck_assert_msg(observable_set_write(set[1], dir, &report, &error) == STATUS_OK, "%s", error.text);
  ResultTable *table;
  ck_assert_int_eq(results_csv_load(&table, files_path("rdf_replicas.csv"), NULL), STATUS_OK);
  ck_assert_uint_eq(table->nrow, 16);
  for (size_t r = 0; r < table->nrow; r++)
    ck_assert_double_eq(tables_at(table, r, 2), 20.0); /* samples */
  results_free_table(table);
  results_free(&report);
  for (int g = 0; g < 2; g++)
    observable_set_free(set[g]);
  const ObservableOptions other = {.every = {[OBSERVABLE_dipole] = 1}, .batches = 2, .temperature = 300.0};
  batch[0]->box = box_brick(20.0, 20.0, 20.0);
  ck_assert_int_eq(
      observable_set_create_sample(&set[0], &other, 1.0, topology, &(Sample){.state = batch[0]}, &error),
      STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "dipole needs a single system"));
  topology_free(topology);
  for (int g = 0; g < 2; g++)
    state_free(batch[g]);
}

int main(void) { return files_main("observable_set"); }
