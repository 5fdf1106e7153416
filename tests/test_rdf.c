/* Radial distributions: pairs counted once each by every route, blocks that merge without loss, errors that
 * hold, and the analytic distribution of uniform points in a sphere. */
#include <unistd.h>

#include "engine/random.h"
#include "observables/block_rows.h"
#include "observables/observable.h"
#include "observables/rdf.h"
#include "observables/rdf_kernels.h"
#include "tests/suite.h"
#include "tests/tables.h"

static const double mass[2] = {1.0, 2.0};
static const char *const site[2] = {"A", "B"};
static const double reference[6] = {-1.0, 0.0, 0.0, 0.5, 0.0, 0.0};
static const Constraint bond = {&constraint_distance, 2, {0, 1}, {1.5}, NULL};
static const Kind dimer = {"dimer", 2, 3, 1, mass, site, &bond, reference};

static void in_sphere(RandomStream *s, double radius, double (*x)[3], int n)
{
  for (int i = 0; i < n; i++) {
    double r2;
    do {
      r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        x[i][d] = radius * (2.0 * random_uniform(s) - 1.0);
        r2 += x[i][d] * x[i][d];
      }
    } while (r2 > radius * radius);
  }
}

static Observable *make(int nreplica, int nmol, double rmax, int nbin)
{
  const ObservableOptions options = {.replicas = nreplica, .rdf.max = rmax, .rdf.bins = nbin};
  Observable *rdf;
  Error error;
  ck_assert_msg(rdf_create_open(&rdf, &options, nmol, 3, &error) == STATUS_OK, "%s", error.text);
  return rdf;
}

static void add(Observable *rdf, int replica, const double (*x)[3])
{
  Error error;
  ck_assert_msg(rdf_add_positions(rdf, replica, x, &error) == STATUS_OK, "%s", error.text);
}

/* A result with its curves by name. */
typedef struct Seen {
  ObservableResult result;
  int nbin, nrow, plateau;
  const double *g, *g_err, *p, *p_err, *count;
  double dr, samples, beyond, correlation, block_length;
} Seen;

static Seen seen(const Observable *rdf)
{
  Seen s = {.nbin = rdf->shape.whole - 1};
  Error error;
  ck_assert_msg(observable_result(rdf, rdf->rows, &s.result, &error) == STATUS_OK, "%s", error.text);
  const ObservableResult *r = &s.result;
  double pairs = r->sum[s.nbin];
  for (int b = 0; b < s.nbin; b++)
    pairs += r->sum[b];
  s.nrow = r->errors.nblock;
  s.plateau = r->errors.plateau;
  s.g = r->value;
  s.g_err = r->error;
  s.p = r->value + s.nbin;
  s.p_err = r->error + s.nbin;
  s.count = r->sum;
  s.dr = rdf_rmax(rdf) / s.nbin;
  s.samples = (double)r->errors.samples;
  s.beyond = r->sum[s.nbin] / pairs;
  s.correlation = 0.5 * r->errors.inefficiency;
  s.block_length = r->errors.length;
  return s;
}

static void same_result(const Observable *a, const Observable *b)
{
  Seen ra = seen(a), rb = seen(b);
  ck_assert_double_eq(ra.samples, rb.samples);
  ck_assert_double_eq(ra.beyond, rb.beyond);
  ck_assert_double_eq(ra.block_length, rb.block_length);
  for (int k = 0; k < ra.nbin; k++) {
    ck_assert_double_eq(ra.count[k], rb.count[k]);
    ck_assert(ra.p_err[k] == rb.p_err[k] || (isnan(ra.p_err[k]) && isnan(rb.p_err[k])));
    ck_assert(ra.g_err[k] == rb.g_err[k] || (isnan(ra.g_err[k]) && isnan(rb.g_err[k])));
  }
  observable_result_free(&ra.result);
  observable_result_free(&rb.result);
}

TEST(a_known_configuration)
{
  /* Distances 1.2 (twice: 0-1, 2-3), 1.8 (1-2), 3.0 (0-2 and 1-3), 4.2 (0-3, beyond). */
  const double x[4][3] = {{0, 0, 0}, {1.2, 0, 0}, {3.0, 0, 0}, {4.2, 0, 0}};
  Observable *rdf = make(1, 4, 4.0, 8);
  add(rdf, 0, x);
  Seen r = seen(rdf);
  static const double count[8] = {0, 0, 2, 1, 0, 0, 2, 0};
  const double pi = acos(-1.0), rho = 3.0 / (4.0 / 3.0 * pi * 64.0);
  for (int k = 0; k < 8; k++) {
    const double shell = 4.0 / 3.0 * pi * (pow(0.5 * (k + 1), 3) - pow(0.5 * k, 3));
    ck_assert_double_eq(r.count[k], count[k]);
    ck_assert_double_eq_tol(r.p[k], count[k] / 5.0 / 0.5, 1e-15);
    ck_assert_double_eq_tol(r.g[k], 2.0 * count[k] / 4.0 / (rho * shell), 1e-12);
    ck_assert(isnan(r.p_err[k])); /* one sample */
  }
  ck_assert_double_eq_tol(r.beyond, 1.0 / 6.0, 1e-15);
  observable_result_free(&r.result);
  observable_free(rdf);
}

/* Each configuration goes in as a state of the given width, as positions, and is counted by hand. */
TEST(all_routes_count_the_same, .rows = 5)
{
  enum { NBIN = 40 };
  static const struct {
    int width, nmol, nreplica;
  } row[5] = {{1, 7, 1}, {1, 19, 9}, {1, 150, 2}, {8, 7, 16}, {16, 7, 32}};
  const int width = row[_i].width, nmol = row[_i].nmol, nreplica = row[_i].nreplica;
  const double rmax = 3.0;
  const Kind *kind = &dimer;
  RandomStream s = random_stream(1, (uint32_t)_i, RANDOM_TEST);
  const Team team = {.size = 1};
  Observable *by_state = make(nreplica, nmol, rmax, NBIN), *by_position = make(nreplica, nmol, rmax, NBIN);
  double expected[NBIN] = {0}, beyond = 0.0;
  double(*q)[2][3] = calloc((size_t)nmol, sizeof *q), (*x)[3] = calloc((size_t)nmol, sizeof *x);
  for (int first = 0; first < nreplica; first += width) {
    State *state;
    ck_assert_int_eq(state_create(&state, width, 1, &kind, &nmol, 1, (uint32_t)first, NULL), STATUS_OK);
    for (int lane = 0; lane < width; lane++) {
      in_sphere(&s, 2.0, x, nmol);
      for (int m = 0; m < nmol; m++)
        for (int d = 0; d < 3; d++) {
          q[m][0][d] = x[m][d];
          q[m][1][d] = 7.0 * x[m][d];
        }
      state_set(&state->block[0], width, state->block[0].q, lane, &q[0][0][0]);
      add(by_position, first + lane, x);
      for (int i = 0; i < nmol; i++)
        for (int j = i + 1; j < nmol; j++) {
          const double r =
              sqrt(pow(x[i][0] - x[j][0], 2) + pow(x[i][1] - x[j][1], 2) + pow(x[i][2] - x[j][2], 2));
          if (r < rmax)
            expected[(int)(r * NBIN / rmax)]++;
          else
            beyond++;
        }
    }
    Topology *topology;
    ck_assert_int_eq(topology_of_state(&topology, state, NULL), STATUS_OK);
    if (width > 1)
      observable_rdf.add_lanes(by_state, &(Sample){.state = state, .team = &team},
                               &(ObservableLanes){topology, .first = first});
    topology_free(topology);
    state_free(state);
  }
  if (width > 1)
    same_result(by_state, by_position);
  Seen r = seen(by_position);
  for (int k = 0; k < NBIN; k++)
    ck_assert_double_eq(r.count[k], expected[k]);
  ck_assert_double_eq_tol(r.beyond, beyond / (nreplica * 0.5 * nmol * (nmol - 1)), 1e-15);
  observable_result_free(&r.result);
  observable_free(by_state);
  observable_free(by_position);
  free(q);
  free(x);
}

TEST(all_instruction_sets_count_the_same)
{
  enum { NMOL = 9, NBIN = 50 };
  static const RdfKernels *const tables[ISA_COUNT] = ISA_TABLES(rdf_kernels_table);
  const RdfRule rule = {.longest = 4.0, .scale = NBIN / 4.0, .nbin = NBIN};
  Vec8 x[NMOL][3];
  RandomStream s = random_stream(2, 0, RANDOM_TEST);
  for (int m = 0; m < NMOL; m++)
    for (int d = 0; d < 3; d++)
      for (int l = 0; l < LANES; l++)
        x[m][d][l] = random_normal(&s);
  x[3][1][2] = NAN; /* beyond, and nowhere else */
  for (int d = 0; d < 3; d++)
    x[4][d][5] = x[6][d][5]; /* distance 0: the first bin */
  for (Isa isa = 0; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    int64_t count[LANES][NBIN + 1] = {{0}}, *at[LANES];
    uint32_t now[NBIN + LANES] = {0}, one[NBIN + 1] = {0};
    for (int l = 0; l < LANES; l++)
      at[l] = count[l];
    const double *point[NMOL];
    for (int m = 0; m < NMOL; m++)
      point[m] = (const double *)x[m];
    RdfPointRun run[NMOL];
    for (int i = 0; i < NMOL; i++)
      run[i] = (RdfPointRun){i, i + 1, NMOL};
    tables[isa]->batch(&rule, 3, NMOL, run, point, at);
    for (int l = 0; l < LANES; l++) {
      int64_t expected[NBIN + 1] = {0};
      for (int i = 0; i < NMOL; i++)
        for (int j = i + 1; j < NMOL; j++) {
          double r2 = 0.0;
          for (int d = 0; d < 3; d++)
            r2 += pow(x[i][d][l] - x[j][d][l], 2);
          const double place = sqrt(r2) * NBIN / 4.0;
          expected[place < NBIN ? (int)place : NBIN]++;
        }
      for (int b = 0; b <= NBIN; b++)
        ck_assert_int_eq(count[l][b], expected[b]);
    }
    const double origin[3] = {0.1, 0.2, 0.3};
    Vec8 sites[2][4]; /* 11 sites in molecules 0, 0, 1, 1, ... and what fills the pack; that of molecule 2 */
    for (int j = 0; j < 2 * LANES; j++)
      for (int d = 0; d < 4; d++)
        sites[j / LANES][d][j % LANES] = j >= 11 ? NAN : d == 3 ? j / 2 : x[j / LANES][d][j % LANES];
    tables[isa]->open(&rule, origin, 2.0, &(RdfRun){(const Vec8(*)[4])sites, 11}, now);
    for (int j = 0; j < 11; j++) {
      double r2 = 0.0;
      for (int d = 0; d < 3; d++)
        r2 += pow(x[j / LANES][d][j % LANES] - origin[d], 2);
      const double where = sqrt(r2) * NBIN / 4.0;
      one[where < NBIN && j / 2 != 2 ? (int)where : NBIN]++;
    }
    for (int b = 0; b < NBIN; b++)
      ck_assert_uint_eq(now[b], one[b]);
  }
}

TEST(neighbours_are_counted, .rows = 2)
{
  /* Integrated, g gives the neighbours within rmax, P gives 1. */
  enum { NMOL = 12 };
  const int nreplica = _i == 0 ? 1 : 10;
  double x[NMOL][3];
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  Observable *rdf = make(nreplica, NMOL, 2.5, 30);
  for (int k = 0; k < 500; k++) {
    in_sphere(&s, 1.7, x, NMOL);
    add(rdf, k % nreplica, (const double(*)[3])x);
  }
  Seen r = seen(rdf);
  double density = 0.0, neighbours = 0.0;
  for (int b = 0; b < r.nbin; b++) {
    density += r.p[b] * r.dr;
    neighbours += r.g[b] * (NMOL - 1) * (pow((b + 1) * r.dr, 3) - pow(b * r.dr, 3)) / pow(2.5, 3);
  }
  ck_assert_double_eq(r.samples, 500);
  ck_assert_double_gt(r.beyond, 0.0);
  ck_assert_double_eq_tol(density, 1.0, 1e-12);
  ck_assert_double_eq_tol(neighbours, (NMOL - 1) * (1.0 - r.beyond), 1e-10);
  observable_result_free(&r.result);
  observable_free(rdf);
}

/* chi2 per bin against P(r) = 3 r^2/R^3 (1 - 3r/4R + r^3/16R^3), 0 < r < 2R, averaged over each bin. */
static double sphere_chi2(const Seen *r, double radius)
{
  double chi2 = 0.0;
  int n = 0;
  for (int b = 0; b < r->nbin; b++) {
    double expected = 0.0;
    for (int k = 0; k < 100; k++) {
      const double u = (b + (k + 0.5) / 100.0) * r->dr / radius;
      expected += u > 2.0 ? 0.0 : 0.03 * u * u * (1.0 - 0.75 * u + u * u * u / 16.0) / radius;
    }
    if (r->count[b] < 100)
      continue;
    chi2 += pow((r->p[b] - expected) / r->p_err[b], 2);
    n++;
  }
  ck_assert_int_gt(n, r->nbin / 2);
  return chi2 / n;
}

TEST(uniform_points_in_a_sphere)
{
  enum { NMOL = 7, NREPLICA = 64 };
  const double radius = 4.0;
  double x[NMOL][3];
  RandomStream s = random_stream(4, 0, RANDOM_TEST);
  Observable *rdf = make(NREPLICA, NMOL, 8.0, 40);
  for (int replica = 0; replica < NREPLICA; replica++)
    for (int k = 0; k < 300; k++) {
      in_sphere(&s, radius, x, NMOL);
      add(rdf, replica, (const double(*)[3])x);
    }
  Seen r = seen(rdf);
  ck_assert_int_eq(r.nrow, NREPLICA);
  const double chi2 = sphere_chi2(&r, radius);
  ck_assert_msg(chi2 > 0.4 && chi2 < 1.8, "chi2 per bin %g", chi2);
  /* Pairs of points of a sample are independent two by two: the errors are close to those of counting. */
  double ratio = 0.0;
  for (int b = 10; b < 30; b++)
    ratio += r.p_err[b] * (r.samples * 21 * r.dr) / sqrt(r.count[b]) / 20;
  ck_assert_double_eq_tol(ratio, 1.0, 0.15);
  observable_result_free(&r.result);
  observable_free(rdf);
}

TEST(a_correlated_run_knows_its_errors)
{
  /* Every configuration stays for 20 samples: rho falls linearly over 20, correlation time 10. */
  enum { NMOL = 7, STAY = 20, CONFIGURATIONS = 3000 };
  double x[NMOL][3];
  RandomStream s = random_stream(5, 0, RANDOM_TEST);
  Observable *rdf = make(1, NMOL, 8.0, 40);
  for (int k = 0; k < CONFIGURATIONS; k++) {
    in_sphere(&s, 4.0, x, NMOL);
    for (int repeat = 0; repeat < STAY; repeat++)
      add(rdf, 0, (const double(*)[3])x);
  }
  Seen r = seen(rdf);
  ck_assert_int_eq(r.plateau, 1);
  ck_assert_double_eq(r.samples, STAY * CONFIGURATIONS);
  ck_assert_int_gt(r.nrow, BLOCK_ROWS / 2 - 1);
  ck_assert_double_ge(r.correlation / (0.5 * STAY), 0.85); /* the largest of nine monitors, so rather high */
  ck_assert_double_le(r.correlation / (0.5 * STAY), 2.0);
  const double chi2 = sphere_chi2(&r, 4.0);
  ck_assert_msg(chi2 > 0.4 && chi2 < 1.8, "chi2 per bin %g", chi2);
  observable_result_free(&r.result);
  observable_free(rdf);
}

TEST(a_short_run_says_so)
{
  enum { NMOL = 7 };
  double x[NMOL][3];
  RandomStream s = random_stream(6, 0, RANDOM_TEST);
  Observable *rdf = make(1, NMOL, 8.0, 40);
  for (int k = 0; k < 3; k++) {
    in_sphere(&s, 4.0, x, NMOL);
    for (int repeat = 0; repeat < 100; repeat++)
      add(rdf, 0, (const double(*)[3])x);
  }
  Seen r = seen(rdf);
  ck_assert_int_eq(r.plateau, 0);
  observable_result_free(&r.result);
  observable_free(rdf);
}

/* Points that are drawn anew for every sample, in a cube that breathes slowly: single bins see little but the
 * noise of counting, all of them move together. x' = phi x + noise, of inefficiency (1 + phi)/(1 - phi). */
static Observable *breathing_run(RandomStream *s, double phi, int samples)
{
  enum { NMOL = 7 };
  Observable *rdf = make(1, NMOL, 8.0, 40);
  double breath = random_normal(s), x[NMOL][3];
  for (int k = 0; k < samples; k++) {
    const double side = 3.0 * (1.0 + 0.1 * breath);
    for (int i = 0; i < 3 * NMOL; i++)
      x[i / 3][i % 3] = side * random_uniform(s);
    add(rdf, 0, (const double(*)[3])x);
    breath = phi * breath + sqrt(1.0 - phi * phi) * random_normal(s);
  }
  return rdf;
}

/* Errors cover what pairs of equal runs differ by, and tests call as many of them different as they say. */
TEST(a_slow_mode_under_noise_is_seen)
{
  enum { PAIRS = 24, SAMPLES = 10000 };
  const double phi = 0.97; /* inefficiency 66 */
  RandomStream s = random_stream(9, 0, RANDOM_TEST);
  double chi2 = 0.0, naive = 0.0;
  int bins = 0, tested = 0, different = 0;
  for (int pair = 0; pair < PAIRS; pair++) {
    Observable *rdf[2];
    Seen r[2];
    RdfFractions f[2];
    for (int k = 0; k < 2; k++) {
      rdf[k] = breathing_run(&s, phi, SAMPLES);
      r[k] = seen(rdf[k]);
      ck_assert_int_eq(rdf_files_fractions(rdf[k], &f[k], NULL), STATUS_OK);
    }
    for (int b = 5; b < 20; b++, bins++) {
      chi2 += pow(r[1].p[b] - r[0].p[b], 2) / (pow(r[0].p_err[b], 2) + pow(r[1].p_err[b], 2));
      naive += (r[0].p_err[b] * r[0].samples * 21 * r[0].dr) / sqrt(r[0].count[b]);
    }
    if (f[0].plateau && f[1].plateau) {
      StatisticsDistance d;
      ck_assert_int_eq(statistics_distance(41, f[0].nrow, f[0].x, f[1].nrow, f[1].x, 199, 1, &d, NULL),
                       STATUS_OK);
      different += d.p < 0.05;
      tested++;
      ck_assert_double_gt(r[0].correlation, 5.0); /* 33 for the breath itself, 1/2 for the noise */
    }
    for (int k = 0; k < 2; k++) {
      observable_free(rdf[k]);
      observable_result_free(&r[k].result);
      free(f[k].x);
    }
  }
  chi2 /= bins;
  ck_assert_msg(chi2 > 0.4 && chi2 < 1.6, "chi2 per bin %g", chi2);
  ck_assert_double_gt(naive / bins, 1.3); /* the noise of counting alone would make smaller ones */
  ck_assert_int_ge(tested, PAIRS / 2);
  ck_assert_msg(different <= 5, "%d of %d pairs differ", different, tested); /* 5 %, and 4 standard errors */
  Observable *brief = breathing_run(&s, phi, 300);
  Seen r = seen(brief);
  ck_assert_int_eq(r.plateau, 0);
  observable_result_free(&r.result);
  observable_free(brief);
}

/* What other series of the run say of its correlation makes blocks longer, and ends the plateau. */
TEST(what_energies_know_counts)
{
  RandomStream s = random_stream(10, 0, RANDOM_TEST);
  Observable *rdf = breathing_run(&s, 0.0, 20000);
  StatisticsCorrelation slow, slower;
  const StatisticsCorrelation alone = block_rows_correlation(rdf->rows);
  block_rows_learn(rdf->rows, 100.0);
  slow = block_rows_correlation(rdf->rows);
  block_rows_learn(rdf->rows, 1000.0);
  slower = block_rows_correlation(rdf->rows);
  ck_assert(alone.plateau && slow.plateau && !slower.plateau);
  ck_assert_double_lt(alone.inefficiency, 2.0);
  ck_assert_double_eq(slow.inefficiency, 100.0);
  ck_assert_double_ge(pow(slow.length, 3), 2.0 * 20000 * 1e4);
  observable_free(rdf);
}

TEST(replicas_may_come_in_any_order)
{
  enum { NMOL = 6, NREPLICA = 20 };
  double x[NREPLICA][NMOL][3];
  RandomStream s = random_stream(7, 0, RANDOM_TEST);
  Observable *forward = make(NREPLICA, NMOL, 5.0, 25), *backward = make(NREPLICA, NMOL, 5.0, 25);
  for (int i = 0; i < NREPLICA; i++)
    in_sphere(&s, 2.0, x[i], NMOL);
  for (int i = 0; i < NREPLICA; i++) {
    add(forward, i, (const double(*)[3])x[i]);
    add(backward, NREPLICA - 1 - i, (const double(*)[3])x[NREPLICA - 1 - i]);
  }
  same_result(forward, backward);
  observable_free(forward);
  observable_free(backward);
}

TEST(files_keep_everything, .rows = 3)
{
  enum { NMOL = 6 };
  static const int samples[3] = {3, 100, 1000};
  const int nreplica = _i == 0 ? 12 : 1;
  char dir[] = "/tmp/test_rdf_XXXXXX", path[64];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir);
  double x[NMOL][3];
  RandomStream s = random_stream(8, 0, RANDOM_TEST);
  Observable *rdf = make(nreplica, NMOL, 3.3, 25), *back;
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < samples[_i]; k++) {
      in_sphere(&s, 2.0, x, NMOL);
      for (int i = 0; i < nreplica; i++)
        add(rdf, i, (const double(*)[3])x);
      if (half == 1)
        for (int i = 0; i < nreplica; i++)
          add(back, i, (const double(*)[3])x);
    }
    if (half == 1)
      break;
    Error error;
    ck_assert_int_eq(rdf_files_write(rdf, dir, &error), STATUS_OK);
    ck_assert_msg(rdf_files_read(&back, path, &error) == STATUS_OK, "%s", error.text);
    same_result(rdf, back);
  }
  same_result(rdf, back); /* also when both go on */
  Error error;
  ck_assert_int_eq(unlink(path), 0);
  Seen r = seen(rdf);
  ResultTable *table;
  ResultSet set = {0};
  ck_assert_int_eq(observable_write(rdf, dir, &set, &error), STATUS_OK);
  results_free(&set);
  snprintf(path, sizeof path, "%s/rdf.csv", dir);
  ck_assert_msg(results_csv_load(&table, path, &error) == STATUS_OK, "%s", error.text);
  ck_assert_uint_eq(table->nrow, (size_t)r.nbin);
  for (int b = 0; b < r.nbin; b++) { /* r, P, P_err, g, g_err, count */
    ck_assert_double_eq_tol(tables_at(table, (size_t)b, 1), r.p[b], 1e-8 * (r.p[b] + 1e-9));
    ck_assert_double_eq_tol(tables_at(table, (size_t)b, 4), r.g_err[b], 1e-3 * (r.g_err[b] + 1e-9));
    ck_assert_double_eq(tables_at(table, (size_t)b, 5), r.count[b]);
  }
  results_free_table(table);
  observable_result_free(&r.result);
  observable_free(rdf);
  observable_free(back);
  char remove[80]; /* with its picture */
  snprintf(remove, sizeof remove, "rm -r %s", dir);
  ck_assert_int_eq(system(remove), 0);
}

#define KEYS     "# replicas: 1\n# nmol: 3\n# inefficiency: 1\n"
#define MONITORS ",m0,s0,m1,s1,m2,s2,m3,s3,m4,s4,m5,s5,m6,s6,m7,s7,m8,s8"
#define ZEROS    ",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"

TEST(bad_files_and_shapes_are_refused, .rows = 7)
{
  static const char *const text[7] = {
      "",
      KEYS "# rmax: 2\n# nbin: 2\nreplica,block,samples" MONITORS ",n0\n0,0,1" ZEROS ",0\n",
      KEYS "# rmax: 2\n# nbin: 1\nreplica,block,samples" MONITORS ",n0,beyond\n0,0,1,x" ZEROS ",0\n",
      KEYS "# rmax: 2\n# nbin: 1\nreplica,block,samples" MONITORS ",n0,beyond\n7,0,1" ZEROS ",0,0\n",
      KEYS "# nbin: 1\nreplica,block,samples" MONITORS ",n0,beyond\n0,0,1" ZEROS ",0,0\n",
      KEYS "# rmax: 2\n# nbin: 1\nreplica,block,samples,squares,n0,beyond\n0,0,1,0,0,0\n",
      "# replicas: 2\n# nmol: 3\n# inefficiency: 1\n# rmax: 2\n# nbin: 1\nreplica,block,samples" MONITORS
      ",n0,beyond\n0,0,1" ZEROS ",0,3\n"};
  static const char *const says[7] = {"column names", "columns",         ":7:",          "row 1",
                                      "rmax",         "earlier version", "replica 1 has"};
  char path[] = "/tmp/test_rdf_XXXXXX";
  const int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  FILE *file = fdopen(fd, "w");
  fputs(text[_i], file);
  fclose(file);
  Observable *rdf;
  Error error;
  ck_assert_int_eq(rdf_files_read(&rdf, path, &error), STATUS_INPUT);
  ck_assert_ptr_null(rdf);
  ck_assert_msg(strstr(error.text, says[_i]) != NULL, "%s", error.text);
  unlink(path);
  ck_assert_int_eq(rdf_files_read(&rdf, path, &error), STATUS_INPUT);
  const ObservableOptions good = {.rdf.max = 1.0}, endless = {.rdf.max = INFINITY};
  ck_assert_int_eq(rdf_create_open(&rdf, &good, 1, 3, &error), STATUS_INPUT);
  ck_assert_int_eq(rdf_create_open(&rdf, &endless, 2, 3, &error), STATUS_INPUT);
}

/* Distances are counted with the instructions that the user asks for. */
TEST(the_users_instructions_are_taken)
{
  Observable *rdf;
  Error error;
  const ObservableOptions options = {0};
  const char *const own = getenv("HOLONOM_ISA");
  char *const kept = own != NULL ? strdup(own) : NULL;
  setenv("HOLONOM_ISA", "none such", 1);
  ck_assert_int_eq(rdf_create_open(&rdf, &options, 2, 3, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "none such"));
  setenv("HOLONOM_ISA", "plain", 1);
  ck_assert_int_eq(rdf_create_open(&rdf, &options, 2, 3, &error), STATUS_OK);
  observable_free(rdf);
  unsetenv("HOLONOM_ISA");
  if (kept != NULL)
    setenv("HOLONOM_ISA", kept, 1);
  free(kept);
}
