/* A barostat whose cell moves in all six freedoms: exact distributions of volume, leans and ratios of edges,
 * crystals that find their shape, and the same bits however a run is cut, over edges that are taken from each
 * other too. */
#include "engine/units.h"
#include "io/trajectory.h"
#include "simulation/simulation_private.h"
#include "tests/deviation.h"
#include "tests/files.h"
#include "tests/h5_same.h"
#include "tests/parsed.h"
#include "tests/shorter.h"
#include "tests/tables.h"

static const char *const type[] = {"type: monte-carlo, shape: cell",
                                   "type: rescale, compressibility: 1/MPa, time: 400 fs, shape: cell"};
enum { TYPES = 2, BLOCKS = 24 };

/* --- atoms that never meet ------------------------------------------------------------------------------ */

static const double stiffness = 4.0; /* kT */

/* Logarithms of ratios of edges. */
static void ratios(const double *h, double ratio[2])
{
  const double x = log(h[0]), y = log(h[4]), z = log(h[8]);
  ratio[0] = x - z;
  ratio[1] = y - 0.5 * (x + z);
}

/* An energy of the cell, of which no virial says anything. */
static Status shaped(void *user, ExternalCall *call, Error *why)
{
  (void)user;
  (void)why;
  for (int r = 0; r < call->replicas; r++) {
    double ratio[2];
    ratios(call->box + 9 * r, ratio);
    call->energy[r] = 0.5 * stiffness * 300.0 * UNITS_BOLTZMANN * (ratio[0] * ratio[0] + ratio[1] * ratio[1]);
  }
  return STATUS_OK;
}

enum { N = 12 };

/* Of a barostat, with what else is said of the output; held: by that energy of the cell. */
static Simulation *gas_of(const char *barostat, int threads, int steps, const char *output, bool held)
{
  char text[1024];
  snprintf(
      text, sizeof text,
      "system: {atoms: {argon: %d}, box: [40, 36, 44], minimise: false}\n"
      "forces: {cutoff: 0.05, coulomb: cutoff, tail: false}\nprecision: double\nensemble: {threads: %d}\n"
      "integrator: {word: BAOAB, timestep: 10 fs, steps: %d}\n"
      "thermostat: {temperature: 300 K, friction: 20/ps}\n"
      "barostat: {%s, pressure: 1 MPa, every: 1}\noutput: {%s, report: false, progress: false}\n",
      N, threads, steps, barostat, output);
  Simulation *s = parsed(text);
  if (held)
    fine(simulation_add_force(s, &(ExternalRow){.function = shaped}, &error));
  return s;
}

static Simulation *gas(int which, int threads)
{
  return gas_of(type[which], threads, 1000000, "equilibration: 20 ps", true);
}

/* What is sampled of a box, its mean, and what the mean is to be of. */
enum { VOLUME, VOLUME2, STRETCH, STRETCH2, WIDTH, WIDTH2, LEANS, LEANS2 = LEANS + 3, NUMBERS = LEANS2 + 3 };

static void sample(const Box *box, double *to)
{
  const double unit = 300.0 * UNITS_BOLTZMANN / (10.0 / UNITS_BAR), mean = 2.0 / stiffness;
  const double lean[3] = {box->h[1][0] / box->h[0][0], box->h[2][0] / box->h[0][0],
                          box->h[2][1] / box->h[1][1]};
  double ratio[2];
  ratios(box->h[0], ratio);
  to[VOLUME] = box_volume(box) / unit - (N + 1);
  to[VOLUME2] = to[VOLUME] * to[VOLUME] - (N + 1);
  to[STRETCH] = ratio[0] - mean;
  to[STRETCH2] = (ratio[0] - mean) * (ratio[0] - mean) - 1.0 / stiffness;
  to[WIDTH] = ratio[1];
  to[WIDTH2] = ratio[1] * ratio[1] - 1.0 / stiffness;
  for (int i = 0; i < 3; i++) {
    ck_assert_double_le(fabs(lean[i]), 0.501);
    to[LEANS + i] = lean[i];
    to[LEANS2 + i] = lean[i] * lean[i] - 1.0 / 12.0;
  }
}

/* The volume's gamma distribution, normal ratios of edges of which the measure of lower-triangular cells
 * moves one, and leans that are even between -1/2 and 1/2. */
TEST(cells_of_an_ideal_gas, .rows = TYPES)
{
  enum { SAMPLES = 7200 / SHORTER, STRIDE = 6 };
  Simulation *s = gas(_i, 1);
  double(*x)[SAMPLES] = calloc(NUMBERS, sizeof *x), number[NUMBERS];
  fine(simulation_step(s, 2000, NULL, &error));
  for (int i = 0; i < SAMPLES; i++) {
    fine(simulation_step(s, STRIDE, NULL, &error));
    const Box box = simulation_box(s, 0);
    sample(&box, number);
    for (int k = 0; k < NUMBERS; k++)
      x[k][i] = number[k];
  }
  for (int k = 0; k < NUMBERS; k++)
    ck_assert_msg(fabs(deviation(x[k], SAMPLES, BLOCKS, 0.0)) < (SHORT ? 40.0 : 4.0),
                  "number %d is off by %g errors", k, deviation(x[k], SAMPLES, BLOCKS, 0.0));
  free(x);
  simulation_free(s);
}

/* From a checkpoint and by several threads, while edges are taken from each other. */
TEST(pieces_over_other_edges, .rows = TYPES, .threads = true)
{
  if (SHORT && _i == 0) /* which has its frames looked at */
    return;
  Simulation *a = gas(_i, 1), *b = gas(_i, 3), *c = gas(_i, 2);
  const CheckpointStore store = {.path = files_path("cell.hol")};
  const size_t n = (size_t)simulation_coordinates(a);
  double *x[2] = {calloc(n, sizeof **x), calloc(n, sizeof **x)}, before = 0.0;
  int turned = 0;
  fine(simulation_step(b, 1500, NULL, &error));
  fine(simulation_save(b, &store, &error));
  fine(simulation_restore(c, &store, &error));
  fine(simulation_step(c, 1500, NULL, &error));
  for (int i = 0; i < 3000; i++) {
    fine(simulation_step(a, 1, NULL, &error));
    const Box box = simulation_box(a, 0);
    const double lean = box.h[1][0] / box.h[0][0];
    turned += i > 1500 && fabs(lean - before) > 0.7;
    before = lean;
  }
  ck_assert_int_gt(turned, 3);
  const Box end[2] = {simulation_box(a, 0), simulation_box(c, 0)};
  ck_assert(box_same(&end[0], &end[1]));
  fine(simulation_get(a, SIMULATION_POSITIONS, 0, x[0], &error));
  fine(simulation_get(c, SIMULATION_POSITIONS, 0, x[1], &error));
  ck_assert_mem_eq(x[0], x[1], n * sizeof **x);
  free(x[0]);
  free(x[1]);
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
}

/* --- the mean box --------------------------------------------------------------------------------------- */

/* What moves, of which box, and how many numbers that box and its columns of edges and angles are then. */
static const struct {
  const char *shape, *box;
  int numbers, columns;
} mean_of[] = {{"isotropic", "box: [13, 14, 15]", 3, 0},
               {"axes", "box: [13, 14, 15]", 3, 3},
               {"axes", "shape: dodecahedron, density: 1.4 g/cm3", 9, 6},
               {"cell", "box: [13, 14, 15]", 9, 6}};
enum { MEANS = (int)(sizeof mean_of / sizeof *mean_of) };

static double mean_column(const ResultTable *table, size_t rows, const char *column)
{
  double sum = 0.0;
  for (size_t k = table->nrow - rows; k < table->nrow; k++)
    sum += tables_cell(table, k, column);
  return sum / (double)rows;
}

/* The box that a run leaves is that of the means of its rows after equilibration; the start's is called so.
 */
TEST(mean_boxes, .rows = suite_rows(2, MEANS))
{
  static const char *const column[] = {"box_a", "box_b", "box_c", "box_alpha", "box_beta", "box_gamma"};
  const int numbers = mean_of[_i].numbers, columns = mean_of[_i].columns;
  char text[1024], dir[512], path[600];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: 60}, %s, minimise: false}\nforces: {cutoff: 4.5 A}\n"
           "ensemble: {threads: 1, replicas: %d}\n"
           "integrator: {word: BAOAB, timestep: 5 fs, steps: 500}\n"
           "thermostat: {temperature: 80 K, friction: 5/ps}\n"
           "barostat: {type: monte-carlo, pressure: 1 kbar, every: 2, shape: %s}\n"
           "output: {equilibration: 500 fs, thermo_every: 5, report: false, progress: false}\n",
           mean_of[_i].box, _i % 2 + 1, mean_of[_i].shape);
  Simulation *s = parsed(text);
  const Box start = simulation_box(s, 0);
  snprintf(dir, sizeof dir, "%s%d", files_path("mean"), _i);
  snprintf(path, sizeof path, "%s/thermo.csv", dir);
  ResultSet found;
  fine(simulation_run(s, &(SimulationRun){.dir = dir, .found = &found}, &error));
  ResultTable *thermo = tables_read(path);
  const size_t rows = (size_t)results_value(&found, "", "samples");
  const ResultNumber *mean = results_find(&found, "", "", "box_mean"),
                     *first = results_find(&found, "", "", "box_start"),
                     *volume = results_find(&found, "", "", "volume");
  ck_assert(mean != NULL && first != NULL && volume != NULL && results_find(&found, "", "", "box") == NULL);
  ck_assert_int_eq(mean->n, numbers);
  ck_assert_int_eq(tables_find(thermo, "box_a") >= 0, columns > 0);
  ck_assert_int_eq(tables_find(thermo, "box_alpha") >= 0, columns > 3);
  Frame frame = {0};
  double length[3], cosine[3];
  for (int k = 0; k < numbers; k++)
    frame.cell[numbers == 3 ? k : k / 3][k % 3] = mean->values[k];
  for (int k = 0; k < first->n; k++)
    ck_assert_double_eq(first->values[k], start.h[first->n == 3 ? k : k / 3][k % 3]);
  frame_get_cell(&frame, length, cosine);
  for (int k = 0; k < columns; k++)
    ck_assert_double_eq_tol(k < 3 ? length[k] : acos(cosine[k - 3]) * 180.0 / M_PI,
                            mean_column(thermo, rows, column[k]), 1e-6);
  for (int d = 0; d < 3 && columns == 0; d++) {
    ck_assert_double_eq_tol(mean->values[d] / mean->values[0], start.h[d][d] / start.h[0][0], 1e-12);
    ck_assert_double_eq_tol(3.0 * mean->errors[d] / mean->values[d], volume->error / volume->value, 1e-12);
  }
  if (columns == 0)
    ck_assert_double_eq_tol(length[0] * length[1] * length[2], mean_column(thermo, rows, "volume"), 1e-4);
  results_free_table(thermo);
  results_free(&found);
  simulation_free(s);
}

/* --- frames -----------------------------------------------------------------------------------------------
 */

static void run_frames(const char *dir, int which, int steps, int threads)
{
  char output[160];
  snprintf(output, sizeof output,
           "equilibration: 10 ps, thermo_every: 40, trajectory: [gro%s], trajectory_every: 40",
           trajectory_find("h5md") != NULL ? ", h5md" : "");
  Simulation *s = gas_of(type[which], threads, steps, output, true);
  fine(simulation_run(s, &(SimulationRun){.dir = dir, .resume = threads > 1}, &error));
  simulation_free(s);
}

/* Every frame has the nine numbers of its own moment, H5MD as GRO (in nm, to five places), and they are a
 * cell of the lattice whose edges and angles its row of thermo.csv has; while edges are taken from each
 * other, and in a run that is cut and goes on with more threads. */
TEST(frames_have_their_cells, .rows = TYPES, .threads = true)
{
  enum { FRAMES = 61, EVERY = 40 };
  if (SHORT && _i == 1) /* which has its pieces looked at */
    return;
  static const char *const column[] = {"box_a", "box_b", "box_c", "box_alpha", "box_beta", "box_gamma"},
                           *const name[] = {"trajectory.gro", "trajectory.h5md"};
  const int formats = trajectory_find("h5md") != NULL ? 2 : 1;
  const double edge[3][3] = {{40.0}, {0.0, 36.0}, {0.0, 0.0, 44.0}};
  char dir[2][256], path[2][300];
  for (int k = 0; k < 2; k++)
    snprintf(dir[k], sizeof dir[k], "%s%d", files_path(k == 0 ? "frames" : "cut"), _i);
  run_frames(dir[0], _i, EVERY * (FRAMES - 1), 1);
  run_frames(dir[1], _i, EVERY * (FRAMES / 2) + 7, 1);
  run_frames(dir[1], _i, EVERY * (FRAMES - 1), 3);
  snprintf(path[0], sizeof path[0], "%s/thermo.csv", dir[0]);
  ResultTable *thermo = tables_read(path[0]);
  ck_assert_uint_eq(thermo->nrow, FRAMES);
  Box start = {0}, box;
  double seen[FRAMES][9], turned = 0.0;
  fine(box_set(&start, edge, &error));
  for (int f = 0; f < formats; f++) {
    TrajectoryReader *reader;
    Frame frame = {0}, near = {.has_cell = true};
    bool end = false;
    snprintf(path[0], sizeof path[0], "%s/%s", dir[0], name[f]);
    fine(trajectory_open(&reader, path[0], &error));
    for (size_t k = 0; k < FRAMES; k++) {
      fine(trajectory_read(reader, &frame, &end, &error));
      ck_assert(!end && frame.has_cell && frame.step == EVERY * (int64_t)k);
      for (int i = 0; i < 9 && f > 0; i++)
        ck_assert_double_eq_tol(frame.cell[i / 3][i % 3], seen[k][i], 6e-5);
      memcpy(seen[k], frame.cell, sizeof seen[k]);
      fine(box_set(&box, (const double(*)[3])frame.cell, &error));
      box_follow(&start, &box, near.cell);
      turned = fmax(turned, fabs(near.cell[1][0] - box.h[1][0]));
      double length[3], cosine[3];
      frame_get_cell(&near, length, cosine);
      for (int i = 0; i < 6; i++)
        ck_assert_double_eq_tol((i < 3 ? length[i] : acos(cosine[i - 3]) * 180.0 / M_PI),
                                tables_cell(thermo, k, column[i]), (f == 0 ? 5e-4 : 1e-7));
    }
    fine(trajectory_read(reader, &frame, &end, &error));
    ck_assert(end);
    trajectory_close(reader);
    frame_free(&frame);
    snprintf(path[1], sizeof path[1], "%s/%s", dir[1], name[f]);
    if (f > 0) {
      h5_same(path[0], path[1]);
      continue;
    }
    size_t size[2];
    unsigned char *bytes[2] = {files_read(path[0], &size[0]), files_read(path[1], &size[1])};
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
  }
  ck_assert_double_gt(turned, 1.0);
  results_free_table(thermo);
}

/* --- what is said of a shape -----------------------------------------------------------------------------
 */

/* By how much a box of lower-triangular edges has been strained, beside its volume. */
static double strained(const Box *from, const Box *to)
{
  const double *a = from->h[0], *b = to->h[0], stretch = cbrt(box_volume(to) / box_volume(from));
  const double lean[3] = {b[3] / a[4], b[7] / a[8], b[6] / a[8]}; /* of a brick */
  double most = 0.0;
  for (int d = 0; d < 3; d++)
    most = fmax(most, fmax(fabs(lean[d] / stretch), fabs(b[4 * d] / a[4 * d] / stretch - 1.0)));
  return most;
}

/* A run of a gas, whose cell nothing holds, into the test's folder, as far as that; what it said goes into
 * words. The strain from its start, with which it ended. */
static Status say_shape(const char *shape, int steps, bool resume, char *words, size_t size, double *strain)
{
  char barostat[64];
  snprintf(barostat, sizeof barostat, "type: monte-carlo, shape: %s", shape);
  Simulation *s = gas_of(barostat, 1, steps, "equilibration: 0", false);
  const Box start = simulation_box(s, 0);
  FILE *out = fmemopen(words, size, "w");
  ck_assert_ptr_nonnull(out);
  const SimulationRun run = {.dir = files_path("shape"), .resume = resume, .out = out};
  const Status status = simulation_run(s, &run, &error);
  ck_assert_int_eq(fclose(out), 0);
  const Box end = simulation_box(s, 0);
  *strain = strained(&start, &end);
  simulation_free(s);
  return status;
}

/* The last words name a shape that is far from that of the start of the whole run, resumed or not, and no
 * other; a run does not go on with a barostat of another shape. */
TEST(another_shape_is_said)
{
  char words[4096], wanted[64];
  double strain;
  fine(say_shape("cell", 3, false, words, sizeof words, &strain));
  ck_assert_double_lt(strain, 0.25);
  ck_assert_ptr_null(strstr(words, "a strain of"));
  fine(say_shape("cell", 400, true, words, sizeof words, &strain));
  ck_assert_double_gt(strain, 0.25);
  snprintf(wanted, sizeof wanted, "a strain of %.2g from its initial shape", strain);
  ck_assert_msg(strstr(words, wanted) != NULL, "%s is not in: %s", wanted, words);
  ck_assert_int_eq(say_shape("axes", 800, true, words, sizeof words, &strain), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "barostat.shape: cell") != NULL &&
                    strstr(error.text, "barostat.shape: axes") != NULL,
                "%s", error.text);
}

/* --- crystals ------------------------------------------------------------------------------------------- */

/* Face-centred crystals that start sheared, stretched, or by edges that lean by a half, where the reduced
 * ones are now these and now those: edges and angles as the lattice has them, and atoms that stay in their
 * places. */
static const struct {
  int atoms;
  const char *box;
  double angle[3];
} crystal[] = {
    {108, "[16.4, 0, 0, 1.2, 15.5, 0, -0.8, 1.0, 16.2]", {90.0, 90.0, 90.0}},
    {64, "[15.2, 0, 0, 0, 15.2, 0, 7.6, 7.6, 10.7]", {60.0, 60.0, 90.0}},
};
enum { CRYSTALS = (int)(sizeof crystal / sizeof *crystal) };

static bool at(const ResultSet *found, const char *name, double wanted, double least)
{
  const ResultNumber *n = results_find(found, "", "", name);
  ck_assert_ptr_nonnull(n);
  ck_assert_msg(fabs(n->value - wanted) < 4.0 * n->error + least, "%s is %g +- %g, not %g", name, n->value,
                n->error, wanted);
  return n->error < 0.02 * n->value;
}

TEST(crystals_find_their_shape, .rows = suite_rows(TYPES, CRYSTALS *TYPES))
{
  static const char *const barostat[] = {"type: monte-carlo",
                                         "type: rescale, compressibility: 1/GPa, time: 0.2 ps"};
  const int which = _i % CRYSTALS;
  char text[1024], dir[512];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: %d}, box: %s, minimise: false}\n"
           "forces: {cutoff: 6 A, truncation: switch}\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 10 fs, steps: %d}\n"
           "thermostat: {temperature: 30 K, friction: 4/ps}\n"
           "barostat: {%s, pressure: 1 kbar, every: 2, shape: cell}\n"
           "output: {equilibration: 20 ps, thermo_every: 4, rdf_every: 0, msd_every: 20, msd_max: 2 ps, "
           "report: false, progress: false}\n",
           crystal[which].atoms, crystal[which].box, SHORT ? 2600 : 6000, barostat[_i / CRYSTALS]);
  Simulation *s = parsed(text);
  snprintf(dir, sizeof dir, "%s%d", files_path("crystal"), _i);
  ResultSet found;
  fine(simulation_run(s, &(SimulationRun){.dir = dir, .found = &found}, &error));
  static const char *const angle[] = {"box_alpha", "box_beta", "box_gamma"}, *const edge[] = {
                                                                                 "box_a", "box_b", "box_c"};
  const double a = results_value(&found, "", edge[0]);
  const ResultTable *msd;
  const ResultColumn *column;
  for (int d = 0; d < 3; d++) {
    ck_assert(at(&found, angle[d], crystal[which].angle[d], SHORT ? 2.0 : 0.1));
    ck_assert(at(&found, edge[d], a, SHORT ? 0.3 : 0.02));
  }
  fine(results_table(&found, "msd", &msd, &error));
  fine(results_want(msd, "msd_argon", &column, &error));
  for (size_t i = 0; i < msd->nrow; i++)
    ck_assert_double_lt(column->value[i], 0.2);
  results_free(&found);
  simulation_free(s);
}
