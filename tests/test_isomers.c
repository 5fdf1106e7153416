/* What open clusters are observed for beside distances: isomers and their populations, Lindemann's index. */
#include "engine/place.h"
#include "forcefields/water.h"
#include "tests/observables.h"
#include "tests/program.h"

enum { N = 4, WIDTH_OF_BATCH = 8 };

static const Box open_box;

static ObservableFrame frame_of(ObservableBlock *block, const Kind *kind, int nmol, const double *x)
{
  *block = (ObservableBlock){.kind = kind, .nmol = nmol, .x = x};
  return (ObservableFrame){.box = &open_box, .nblock = 1, .block = block};
}

/* Two molecules whose distance goes to and fro by d about r: sqrt(<r^2> - <r>^2)/<r> = d/r. */
TEST(index_is_that_of_its_formula)
{
  const ObservableOps *ops = observed_ops("lindemann");
  ObservableOptions options = {0};
  ObservableBlock block;
  double x[18] = {0.0};
  ObservableFrame frame = frame_of(&block, &observed_water, 2, x);
  options.lindemann.samples = 10;
  Observable *self = observed_create(ops, &options, &frame);
  for (int i = 0; i < 35; i++) {
    x[9] = i % 2 == 0 ? 2.7 : 3.3;
    x[10] = x[0] = i; /* the whole cluster's moves do not matter */
    x[9] += i;
    x[1] = i;
    observed_sample(self, i % 3 + 1, &frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  ck_assert_double_eq_tol(tables_at(table, 0, 0), 0.1, 1e-5);
  ck_assert(tables_at(table, 0, 2) == 3.0);
  ck_assert_double_eq_tol(results_find(&report, "lindemann", "O-O", "index")->value, 0.1, 1e-12);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

static void scatter(const Kind *kind, int number, double *x)
{
  RandomStream stream = random_stream(6, (uint32_t)number, RANDOM_TEST);
  for (int m = 0; m < N; m++) {
    const double at[3] = {2.9 * (m % 2) + 0.1 * random_normal(&stream), 2.9 * (m < 2 ? 0.0 : 1.0),
                          0.1 * random_normal(&stream)};
    place_molecule(kind, &stream, at, x + 9 * m);
  }
}

/* Samples of two batches in lanes are those of 16 frames, and half of them restored go on as all. */
TEST(lanes_are_frames)
{
  Kind *kind;
  ck_assert_int_eq(water_kind(water_find("tip4p"), WATER_MASS_O, WATER_MASS_H, &kind, NULL), STATUS_OK);
  const Kind *one = kind;
  const int nmol = N;
  const ObservableOps *ops = observed_ops("isomers");
  double x[9 * N];
  ObservableBlock block;
  const ObservableFrame frame = frame_of(&block, kind, N, x);
  ObservableOptions options = {0};
  options.isomers.keep = 6;
  options.water = water_find("tip4p");
  void *plain = observed_create(ops, &options, &frame);
  options.batches = 2;
  options.replicas = 2 * WIDTH_OF_BATCH;
  Observable *lanes = observed_create(ops, &options, &frame), *later = observed_create(ops, &options, &frame);
  State *state;
  const Team alone = team_alone();
  ck_assert_int_eq(state_create(&state, WIDTH_OF_BATCH, 1, &one, &nmol, 1, 0, NULL), STATUS_OK);
  for (int i = 0; i < 6; i++) {
    const int batch = i % 2;
    for (int r = 0; r < WIDTH_OF_BATCH; r++) {
      scatter(kind, WIDTH_OF_BATCH * i + r, x);
      for (int k = 0; k < 9 * N; k += 9)
        x[k + 3] *= 1.001; /* bonds bend under penalties */
      observed_sample(plain, 1, &frame);
      state_set(&state->block[0], WIDTH_OF_BATCH, state->block[0].q, r, x);
    }
    ops->add_lanes(lanes, &(Sample){.state = state, .team = &alone},
                   &(ObservableLanes){.first = batch * WIDTH_OF_BATCH});
    if (i >= 3)
      ops->add_lanes(later, &(Sample){.state = state, .team = &alone},
                     &(ObservableLanes){.first = batch * WIDTH_OF_BATCH});
    if (i == 2) {
      ChunkList from = {0}, to = {0};
      observable_chunks(lanes, &from);
      observable_chunks(later, &to);
      chunks_restore(&from, &to);
    }
  }
  ResultTable *table[3];
  Observable *self[3] = {plain, lanes, later};
  for (int t = 0; t < 3; t++) {
    ResultSet report = {0};
    table[t] = observed_write(self[t], &report);
    results_free(&report);
  }
  ck_assert_int_gt((int)table[0]->nrow, 1);
  double last = -INFINITY, sum = 0.0;
  for (size_t i = 0; i < table[0]->nrow; i++) {
    double row[5];
    for (int c = 0; c < 5; c++)
      row[c] = tables_at(table[0], i, c);
    ck_assert_double_ge(row[1], last);
    last = row[1];
    sum += row[2];
    for (int t = 1; t < 3; t++) {
      ck_assert_uint_eq(table[t]->nrow, table[0]->nrow);
      ck_assert_double_eq_tol(tables_at(table[t], i, 1), row[1], 2e-6); /* the energy */
      ck_assert_double_eq_tol(tables_at(table[t], i, 2), row[2], 1e-6); /* the population */
      ck_assert(tables_at(table[t], i, 4) == row[4]);                   /* the count */
    }
    ck_assert(tables_at(table[1], i, 3) == tables_at(table[2], i, 3));
  }
  ck_assert_double_le(sum, 1.0 + 1e-6);
  ck_assert_double_eq_tol(tables_at(table[0], 0, 1), -27.8658, 1e-3); /* the ring */
  for (int t = 0; t < 3; t++) {
    results_free_table(table[t]);
    observable_free(self[t]);
  }
  state_free(state);
  kind_free(kind);
}

/* A cold cluster that starts at its lowest minimum stays there; threads, and a restart, leave no trace. */
TEST(runs_count_isomers)
{
  program_write("cold.yaml", "system: {model: tip4p, molecules: 4, start: file, file: minima.xyz, frame: 0}\n"
                             "geometry: {method: penalty, w: 50}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 400}\n"
                             "thermostat: {temperature: 20 K, friction: 1/ps}\n"
                             "ensemble: {replicas: 16}\n"
                             "output: {thermo_every: 100, rdf_every: 0, isomers_every: 100, lindemann_every: "
                             "1, lindemann_samples: 100,"
                             " equilibration: 0, progress: false, checkpoint_every: 200}\n");
  program_do("$P minima --model tip4p --molecules 4 --steps 60 -q > lines");
  program_runs("run cold.yaml -o one --threads 1 --quiet");
  program_runs("run cold.yaml -o two --threads 2 --quiet");
  program_same("one", "two", "isomers.csv");
  program_same("one", "two", "lindemann.csv");
  program_same("one", "two", "observables.json");
  double energy, population, count;
  const char *text = strstr(program_read("one/isomers.csv"), "\n1,");
  ck_assert_int_eq(sscanf(text, "\n1,%lf,%lf,0,%lf", &energy, &population, &count), 3);
  ck_assert_double_eq_tol(energy, -27.8658, 1e-3);
  ck_assert(population == 1.0);
  ck_assert_double_ge(count, 64);
}

int main(void)
{
  (void)files_path("");
  const int failed = program_main("isomers");
  suite_clear();
  return failed;
}
