/* Comparisons of runs on made-up run folders: equal runs agree, others differ, nothing is said of those that
 * are too short, the laws in 1/w^2 and h^2 are found where the runs can tell them. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/compare.h"
#include "engine/random.h"
#include "observables/rdf.h"
#include "tests/suite.h"

static char root[64];

static void setup(void)
{
  strcpy(root, "/tmp/test_compare_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", root);
  ck_assert_int_eq(system(command), 0);
}

typedef struct Made {
  const char *name, *title;
  double w; /* 0: constrained            */
  double energy, radius;
  int replicas;
  double h;           /* 0: 0.05 */
  const char *errors; /* of a single run; NULL: "sound" */
  const char *more;   /* lines of the summary */
} Made;

static FILE *create(const char *dir, const char *name)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  return file;
}

/* A run folder as holonom leaves it: replicas around an energy, oxygens uniform in a sphere. */
static const char *make_run(const Made *made, uint32_t stream, char dir[128])
{
  RandomStream s = random_stream(11, stream, RANDOM_TEST);
  snprintf(dir, 128, "%s/%s", root, made->name);
  ck_assert_int_eq(mkdir(dir, 0777), 0);
  FILE *file = create(dir, "summary.yaml");
  fprintf(file,
          "ended: complete\n# a comment: 1\ntitle: \"%s\"\nmolecules: 7\nmodel: tip3p\ntarget_temperature: "
          "10.06 # K\n",
          made->title);
  if (made->w > 0.0)
    fprintf(file, "method: penalty\nw: %g # sqrt(kcal/mol)/A^2\nhessian: gauss-newton\nnoise: tangent\n",
            made->w);
  else
    fprintf(file, "method: settle\n");
  fprintf(file, "timestep: %g # AKMA\n", made->h > 0.0 ? made->h : 0.05);
  if (made->replicas == 1)
    fprintf(file, "independent_samples: 100\nerror_blocks: 20\nerrors: %s # for some reason\n",
            made->errors != NULL ? made->errors : "sound");
  fprintf(file, "share: # nested\n  w: 17\nnonbonded: %g\nnonbonded_err: 0.05\n%s", made->energy,
          made->more != NULL ? made->more : "");
  fclose(file);
  file = create(dir, "replicas.csv");
  fprintf(file, "# means\nreplica,kinetic,nonbonded,temperature\n");
  Rdf *rdf;
  ck_assert_int_eq(rdf_create(&rdf, made->replicas, 7, 8.0, 40, NULL), STATUS_OK);
  for (int r = 0; r < made->replicas; r++) {
    fprintf(file, "%d,0.5,%.17g,%.17g\n", r, made->energy + 0.05 * random_normal(&s),
            10.0 + 0.1 * random_normal(&s));
    for (int k = 0; k < (made->replicas == 1 ? 2000 : 100); k++) {
      double x[7][3];
      for (int i = 0; i < 7; i++) {
        double r2 = 0.0;
        for (int d = 0; d < 3; d++) {
          x[i][d] = random_normal(&s);
          r2 += x[i][d] * x[i][d];
        }
        const double radius = made->radius * cbrt(random_uniform(&s)) / sqrt(r2);
        for (int d = 0; d < 3; d++)
          x[i][d] *= radius;
      }
      rdf_add_positions(rdf, r, (const double(*)[3])x, 7);
    }
  }
  fclose(file);
  ck_assert_int_eq(rdf_write_replicas(rdf, dir, NULL), STATUS_OK);
  rdf_free(rdf);
  return dir;
}

enum { MOST = 6 };

static void make_runs(const Made *made, int n, char dir[MOST][128], const char *list[MOST])
{
  for (int i = 0; i < n; i++)
    list[i] = make_run(&made[i], (uint32_t)i, dir[i]);
}

static int exists(const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  return access(path, F_OK) == 0;
}

static const Made family[5] = {
    {"c", "SETTLE", 0.0, -55.67, 4.0, 64, 0, NULL, NULL},
    {"c2", "SETTLE again", 0.0, -55.67, 4.0, 48, 0, NULL, NULL},
    {"p20", "w = 20", 20.0, -55.67 - 2360.0 / 400.0, 3.7, 64, 0, NULL, NULL},
    {"p100", "w = 100", 100.0, -55.67 - 0.236, 4.0, 64, 0, NULL, NULL},
    {"p500", "w = 500", 500.0, -55.67 - 2360.0 / 250000.0, 4.0, 64, 0, NULL, NULL}};

START_TEST(verdicts)
{
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(family, 5, dir, list);
  Compare *c;
  Error error;
  ck_assert_msg(compare_create(&c, list, 5, 1, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(c->npair, 10);
  for (int k = 0; k < c->npair; k++) {
    const ComparePair *pair = &c->pair[k];
    const double da = family[pair->a].energy, db = family[pair->b].energy;
    const int same = fabs(da - db) < 0.01;
    ck_assert_msg(pair->verdict == (same ? COMPARE_ALIKE : COMPARE_DIFFER), "pair %d %d", pair->a, pair->b);
    ck_assert_int_eq(pair->ntest, 2);
    const CompareTest *energy = &pair->test[0], *tv = &pair->test[1];
    ck_assert(energy->kind == COMPARE_MEAN && tv->kind == COMPARE_DISTRIBUTION);
    ck_assert_double_lt(fabs(energy->mean.difference - (db - da)), 5.0 * energy->mean.error);
    ck_assert_double_eq_tol(energy->mean.error, 0.05 * sqrt(2.0 / 60.0), 0.004);
    ck_assert_double_ge(energy->adjusted, energy->p);
    const int both20 = (pair->a == 2) + (pair->b == 2) == 1;
    ck_assert_int_eq(tv->adjusted < 0.05, both20);
    if (!both20)
      ck_assert_double_lt(fabs(tv->distance.tv - tv->distance.null_mean), 5.0 * tv->distance.null_sd);
  }
  ck_assert_int_eq(c->nfit, 1);
  ck_assert_int_eq(c->fit[0].n, 3);
  ck_assert_int_eq(c->fit[0].reference, 0);
  ck_assert_int_eq(c->fit[0].left_out, 0);
  ck_assert_str_eq(c->fit[0].group, "gauss-newton Hessian, tangent noise");
  ck_assert_double_lt(fabs(c->fit[0].line.value[1] + 2360.0), 4.0 * c->fit[0].line.error[1]);
  ck_assert_double_lt(fabs(c->fit[0].at_infinity.z), 4.0);
  ck_assert_str_eq(summary_value(c->run[2].summary, "w"), "20");
  ck_assert(isnan(c->run[0].w));
  ck_assert_str_eq(summary_value(c->run[0].summary, "target_temperature"), "10.06");
  compare_free(c);
}
END_TEST

START_TEST(more_than_first_order_is_left_out)
{
  Made made[4] = {family[0], family[2], family[3], family[4]};
  made[1].energy -= 1.0; /* not on the line of 1/w^2 */
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(made, 4, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, 4, 0, NULL), STATUS_OK);
  ck_assert_int_eq(c->fit[0].left_out, 1);
  ck_assert_double_lt(fabs(c->fit[0].line.value[1] + 2360.0), 4.0 * c->fit[0].line.error[1]);
  compare_free(c);
}
END_TEST

START_TEST(words_and_pictures)
{
  char dir[MOST][128], *text;
  const char *list[MOST];
  make_runs(family, 5, dir, list);
  size_t size;
  FILE *out = open_memstream(&text, &size);
  Error error;
  ck_assert_msg(compare_runs(list, 5, 1, NULL, root, out, &error) == STATUS_OK, "%s", error.text);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "SETTLE and SETTLE again: agree: energy "));
  ck_assert_ptr_nonnull(strstr(text, "SETTLE and w = 20: differ by "));
  ck_assert_ptr_nonnull(strstr(text, "two equal runs would give"));
  ck_assert_ptr_nonnull(strstr(text, "Holm-Bonferroni"));
  ck_assert_ptr_nonnull(strstr(text, "20 tests"));
  ck_assert_ptr_nonnull(strstr(text, "at infinite w this differs from SETTLE by"));
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(text);
  ck_assert(exists("compare.gp") && exists("compare.dat") && exists("compare_w.gp"));
  if (strstr(text, "no picture") == NULL)
    ck_assert(exists("compare.png") && exists("compare.svg") && exists("compare_w.png") &&
              !exists("compare.gp.log"));
  if (getenv("HOLONOM_SHOW") != NULL) {
    char command[256];
    snprintf(command, sizeof command, "cp %s/*.png %s/*.svg %s/*.gp %s", root, root, root,
             getenv("HOLONOM_SHOW"));
    ck_assert_int_eq(system(command), 0);
  }
  free(text);
}
END_TEST

START_TEST(single_runs_use_their_summary)
{
  const Made made[2] = {{.name = "a", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1},
                        {.name = "b", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1}};
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(made, 2, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, 2, 0, NULL), STATUS_OK);
  ck_assert_str_eq(c->run[0].label, "a");
  ck_assert_double_eq(c->run[0].mean[0].error, 0.05);
  ck_assert_int_eq(c->run[0].mean[0].draws, 20);
  ck_assert_int_ge(c->run[0].fraction.nrow, STATISTICS_BLOCKS); /* time blocks */
  ck_assert_int_eq(c->pair[0].ntest, 2);
  ck_assert_double_eq_tol(c->pair[0].test[0].mean.dof, 38.0, 8.0);
  ck_assert_double_gt(c->pair[0].test[1].p, 0.0);
  ck_assert_int_ne(c->pair[0].verdict, COMPARE_TOO_FEW); /* something is said */
  ck_assert_int_eq(c->nfit, 0);
  compare_free(c);
}
END_TEST

static Compare *compare_of(const Made *made, int n, int all_pairs, char **words)
{
  char dir[MOST][128];
  const char *list[MOST];
  Compare *c;
  Error error;
  make_runs(made, n, dir, list);
  ck_assert_msg(compare_create(&c, list, n, all_pairs, &error) == STATUS_OK, "%s", error.text);
  size_t size;
  FILE *out = open_memstream(words, &size);
  ck_assert_int_eq(compare_runs(list, n, all_pairs, NULL, root, out, NULL), STATUS_OK);
  fclose(out);
  ck_assert_msg(strstr(*words, "nan") == NULL && strstr(*words, "- inf") == NULL &&
                    strstr(*words, "inf)") == NULL,
                "%s", *words);
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(*words);
  return c;
}

/* Neither agreement nor difference of runs that are too short, of an earlier version, or of few replicas. */
START_TEST(too_few_samples_have_no_verdict)
{
  Made made[3] = {{.name = "a", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1},
                  {.name = "b", .title = "", .energy = -50.0, .radius = 4.0, .replicas = 1},
                  {.name = "d", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1}};
  if (_i == 0)
    made[1].errors = made[2].errors = "lower bounds";
  else if (_i == 1)
    made[0].errors = "\"\"";
  else
    made[0].replicas = COMPARE_DRAWS - 1;
  char *words;
  Compare *c = compare_of(made, 3, 0, &words);
  ck_assert_int_eq(c->npair, 2); /* with the reference alone */
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(c->pair[k].verdict, COMPARE_TOO_FEW);
    ck_assert(isnan(c->pair[k].test[0].p) && isnan(c->pair[k].test[1].p));
  }
  ck_assert_int_eq(c->ntest, 0);
  ck_assert_ptr_nonnull(strstr(words, "too few independent samples to say"));
  ck_assert_ptr_null(strstr(words, ": agree"));
  ck_assert_ptr_null(strstr(words, ": differ"));
  free(words);
  compare_free(c);
}
END_TEST

/* What the runs can tell of energy = e0 + b/w^2 + c h^2 is fitted, and nothing else. */
START_TEST(fits_of_what_varies)
{
  static const struct {
    int n;
    double w[4], h[4]; /* w 0: constrained */
    int fits, with_w, with_h, dependent;
  } row[7] = {{3, {0, 100, 100}, {0.05, 0.05, 0.025}, 1, 0, 1, 0}, /* two steps at one w */
              {3, {0, 100, 100}, {0.05, 0.05, 0.05}, 0, 0, 0, 0},  /* two seeds */
              {3, {0, 100, 50}, {0.05, 0.05, 0.05}, 1, 1, 0, 0},
              {4, {0, 100, 50, 100}, {0.05, 0.05, 0.05, 0.025}, 1, 1, 1, 0},
              {3, {0, 100, 50}, {0.05, 0.05, 0.025}, 1, 1, 1, 0}, /* both at once: two points */
              {4, {0, 100, 50, 50}, {0.05, 0.05, 0.025, 0.025}, 1, 1, 1, 1},
              {4, {0, 0, 100, 100}, {0.05, 0.025, 0.05, 0.025}, 1, 0, 1, 0}};
  static const char *const name[4] = {"a", "b", "d", "e"};
  Made made[4];
  for (int i = 0; i < row[_i].n; i++) {
    const double w = row[_i].w[i], h = row[_i].h[i];
    made[i] = (Made){.name = name[i], .title = "", .w = w, .h = h, .radius = 4.0, .replicas = 16};
    made[i].energy = -55.0 + (w > 0.0 ? 2000.0 / (w * w) : 0.0) - 400.0 * h * h;
  }
  char *words;
  Compare *c = compare_of(made, row[_i].n, 0, &words);
  ck_assert_int_eq(c->nfit, row[_i].fits);
  for (int k = 0; k < c->nfit; k++) {
    const CompareFit *fit = &c->fit[k];
    ck_assert_int_eq(fit->with_w, row[_i].with_w);
    ck_assert_int_eq(fit->with_h, row[_i].with_h);
    const int good = fit->line.dof >= 0 && !fit->line.dependent;
    ck_assert_int_eq(good, _i != 4 && _i != 5);
    ck_assert_int_eq(strstr(words, "change together") != NULL, !good);
    if (!good)
      continue;
    const double truth[3] = {-55.0, fit->with_w ? 2000.0 : -400.0, -400.0};
    const double constant = (fit->with_w ? 0.0 : 0.2) - (fit->with_h ? 0.0 : 1.0);
    for (int t = 0; t < fit->line.terms; t++)
      ck_assert_double_lt(fabs(fit->line.value[t] - truth[t] - (t == 0 ? constant : 0.0)),
                          5.0 * fit->line.error[t]);
    ck_assert_int_eq(strstr(words, "of the order of beta h^2") != NULL, !fit->with_h);
  }
  free(words);
  compare_free(c);
}
END_TEST

/* Boxes: every mean with an error, and g(r) of each pair, each with its verdict. */
static void make_gofr(const char *name, double shift, int blocks, uint32_t stream)
{
  char path[256];
  RandomStream s = random_stream(12, stream, RANDOM_TEST);
  snprintf(path, sizeof path, "%s/%s", root, name);
  FILE *file = create(path, "gofr.csv");
  fprintf(file, "r,r_hi,g_O-O,g_O-O_err,n_O-O,n_O-O_err,g_O-H,g_O-H_err\n# blocks: %d\n# plateau: 1\n",
          blocks);
  for (int b = 0; b < 200; b++) {
    const double r = 0.05 * (b + 0.5), g = r < 2.4 ? 0.0 : 1.0 + 2.0 * exp(-8.0 * pow(r - 2.8 - shift, 2));
    fprintf(file, "%g,%g,%.9g,%g,0,0,%.9g,%g\n", r, r + 0.025, g + 0.01 * (g > 0) * random_normal(&s),
            0.01 * (g > 0), 1.0 + 0.01 * random_normal(&s), 0.01);
  }
  fclose(file);
  file = create(path, "msd.csv");
  fprintf(file, "time_ps,msd_water\n# blocks: %d\n# plateau: 1\n0,0\n", blocks);
  fclose(file);
}

START_TEST(boxes_are_compared_in_all_they_have)
{
  static const char *const more[3] = {
      ("pressure: 10\npressure_err: 5\ndensity: 0.997\n"
       "diffusion_water: 2.4 # 1e-9 m2/s\ndiffusion_water_err: 0.05\n"),
      "pressure: 12\npressure_err: 5\ndensity: 0.997\ndiffusion_water: 2.45\ndiffusion_water_err: 0.05\n",
      "pressure: 110\npressure_err: 5\ndensity: 0.997\ndiffusion_water: 2.9\ndiffusion_water_err: 0.05\n"};
  static const char *const name[3] = {"a", "b", "d"};
  char dir[MOST][128];
  const char *list[MOST];
  Made made[3];
  for (int i = 0; i < 3; i++)
    made[i] = (Made){
        .name = name[i], .title = name[i], .energy = -55.0, .radius = 4.0, .replicas = 1, .more = more[i]};
  make_runs(made, 3, dir, list);
  for (int i = 0; i < 3; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir[i]);
    ck_assert_int_eq(unlink(path), 0);
    FILE *file = create(dir[i], "replicas.csv"); /* energies of single runs that agree */
    fprintf(file, "replica,nonbonded,temperature\n0,%g,10\n", -55.0 + 0.02 * i);
    fclose(file);
    make_gofr(name[i], i == 2 ? 0.05 : 0.0, 20, (uint32_t)i);
  }
  Compare *c;
  Error error;
  ck_assert_msg(compare_create(&c, list, 3, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(c->npair, 2);
  const int differs[5] = {0, 1, 1, 1, 0}; /* energy, pressure, diffusion, O-O, O-H */
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(c->pair[k].ntest, 5);
    ck_assert_int_eq(c->pair[k].verdict, k == 0 ? COMPARE_ALIKE : COMPARE_DIFFER);
    for (int t = 0; t < 5; t++)
      ck_assert_msg((c->pair[k].test[t].adjusted < 0.05) == (k == 1 && differs[t]), "pair %d, %s", k,
                    c->pair[k].test[t].name);
  }
  ck_assert_double_eq_tol(c->pair[1].test[3].r, 2.8, 0.5); /* on the peak's flanks */
  compare_free(c);
  char *words;
  size_t size;
  FILE *out = open_memstream(&words, &size);
  ck_assert_int_eq(compare_runs(list, 3, 0, NULL, root, out, &error), STATUS_OK);
  fclose(out);
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(words);
  ck_assert_ptr_nonnull(strstr(words, "a and b: agree"));
  ck_assert_ptr_nonnull(
      strstr(words, "a and d: differ in the pressure by molecule, the diffusion_water, the g(r) of O-O"));
  ck_assert_ptr_nonnull(strstr(words, "diffusion_water, 1e-9 m2/s: a 2.400 +- 0.050; b"));
  ck_assert(exists("compare.gp"));
  free(words);
}
END_TEST

START_TEST(one_name_twice)
{
  const Made made[2] = {{.name = "a", .title = "same", .energy = -55.0, .radius = 4.0, .replicas = 8},
                        {.name = "b", .title = "same", .energy = -55.0, .radius = 4.0, .replicas = 8}};
  char dir[MOST][128], path[256];
  const char *list[MOST];
  make_runs(made, 2, dir, list);
  snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir[1]);
  ck_assert_int_eq(unlink(path), 0); /* a run may keep no distribution */
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, 2, 0, NULL), STATUS_OK);
  ck_assert_str_eq(c->run[0].label, dir[0]);
  ck_assert_str_eq(c->run[1].label, dir[1]);
  ck_assert_int_eq(c->pair[0].ntest, 1);
  ck_assert_int_eq(c->pair[0].verdict, COMPARE_ALIKE);
  compare_free(c);
}
END_TEST

START_TEST(observables_are_found)
{
  FILE *file = create(root, "summary.yaml");
  fputs("observables:\n"
        "  - {observable: gofr, subject: \"O-O\", quantity: peak_r, value: 2.75, unit: \"A\"}\n"
        "  - {observable: gofr, subject: \"O-H\", quantity: peak_r, value: null, note: \"a: b\"}\n"
        "  - {observable: msd, subject: \"tip3p\", quantity: D, value: 5.5}\n",
        file);
  fclose(file);
  Summary *s;
  ck_assert_int_eq(summary_read(&s, root, NULL), STATUS_OK);
  ck_assert_double_eq(summary_observable(s, "gofr", "O-O", "peak_r"), 2.75);
  ck_assert_double_eq(summary_observable(s, "msd", "tip3p", "D"), 5.5);
  ck_assert(isnan(summary_observable(s, "gofr", "O-H", "peak_r")));
  ck_assert(isnan(summary_observable(s, "gofr", "H-H", "peak_r")));
  ck_assert_str_eq(summary_key(s, 0), "observables");
  ck_assert_ptr_null(summary_key(s, 1));
  ck_assert_ptr_null(summary_value(s, "observables"));
  summary_free(s);
}
END_TEST

START_TEST(what_is_no_run_is_refused)
{
  char dir[MOST][128], path[256];
  const char *list[MOST];
  make_runs(family, 2, dir, list);
  Compare *c;
  Error error;
  ck_assert_int_eq(compare_create(&c, list, 1, 0, &error), STATUS_INPUT);
  snprintf(path, sizeof path, "%s/replicas.csv", dir[1]);
  FILE *file = fopen(path, "w");
  fputs("replica,kinetic\n0,1\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "nonbonded") != NULL && strstr(error.text, "kinetic") != NULL, "%s",
                error.text);
  file = fopen(path, "w");
  fputs("replica,nonbonded,temperature\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, 2, 0, &error), STATUS_INPUT);
  static const char *const impossible[3] = {"1e100", "-inf", "nan"};
  for (int k = 0; k < 3; k++) {
    file = fopen(path, "w");
    fprintf(file, "replica,nonbonded,temperature\n0,-55,10\n1,%s,10\n", impossible[k]);
    fclose(file);
    ck_assert_int_eq(compare_create(&c, list, 2, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "nonbonded of row 2") != NULL, "%s", error.text);
  }
  file = create(dir[1], "summary.yaml");
  fputs("title: a\nbox: [1, 2\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "is no YAML from line 3 on") != NULL, "%s", error.text);
  list[1] = root;
  ck_assert_int_eq(compare_create(&c, list, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "not the folder of a finished run") != NULL, "%s", error.text);
}
END_TEST

static const ComparePair *pair_of(const Compare *c, int a, int b)
{
  for (int k = 0; k < c->npair; k++)
    if (c->pair[k].a == a && c->pair[k].b == b)
      return &c->pair[k];
  ck_abort_msg("no pair %d %d", a, b);
}

/* Equal within a wide margin, undecided within one narrower than errors, different where it is beyond any; a
 * difference that is seen but small is equal, too. */
START_TEST(margins)
{
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(family, 5, dir, list);
  Compare *c;
  Error error;
  CompareMargin margin;
  ck_assert_int_eq(compare_create(&c, list, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "5 %", &error), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert_int_eq(pair_of(c, 0, 1)->verdict, COMPARE_EQUAL);
  ck_assert_int_eq(pair_of(c, 0, 2)->verdict, COMPARE_DIFFER);
  const ComparePair *seen = pair_of(c, 0, 3); /* 0.24 of 55.67: 25 standard errors, 0.4 % */
  ck_assert(seen->test[0].adjusted < 0.05);
  ck_assert_int_eq(seen->verdict, COMPARE_EQUAL);
  ck_assert_double_eq_tol(seen->test[0].margin, 0.05 * 55.67, 0.01);
  compare_free(c);
  ck_assert_int_eq(compare_create(&c, list, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "0.002", &error), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert_int_eq(pair_of(c, 0, 1)->verdict, COMPARE_UNDECIDED);
  ck_assert_int_eq(pair_of(c, 0, 3)->verdict, COMPARE_DIFFER);
  ck_assert(isnan(pair_of(c, 0, 1)->test[1].margin)); /* of a distribution there is none in kcal/mol */
  compare_free(c);
  static const char *const bad[] = {"", "%", "-1%", "100%", "1 K", "1%%", "nan", "0"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    ck_assert_int_eq(compare_margin_read(&margin, bad[k], &error), STATUS_INPUT);
}
END_TEST

/* The powers of 1/w and of h that energies follow, of runs at several of each. */
START_TEST(orders_are_found)
{
  enum { RUNS = 6 };
  static const double w[RUNS] = {20, 40, 80, 40, 40, 40}, h[RUNS] = {0.05, 0.05, 0.05, 0.1, 0.2, 0.3};
  const double power = _i == 0 ? 2.0 : 1.0;
  char dir[MOST][128], name[RUNS][16];
  const char *list[MOST];
  Made made[RUNS];
  for (int i = 0; i < RUNS; i++) {
    snprintf(name[i], sizeof name[i], "r%d", i);
    made[i] =
        (Made){name[i], name[i], w[i], -55.0 - 10.0 * pow(20.0 / w[i], power) + 80.0 * pow(h[i], 2), 4.0, 64,
               h[i],    NULL,    NULL};
  }
  make_runs(made, RUNS, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, RUNS, 0, NULL), STATUS_OK);
  ck_assert_int_eq(c->nfit, 1);
  const CompareFit *fit = &c->fit[0];
  if (_i == 0) {
    ck_assert_double_lt(fit->order_error[0], 0.1);
    ck_assert_double_lt(fit->order_error[1], 0.1);
    ck_assert_double_le(fabs(fit->order[0] - 2.0), 3.0 * fit->order_error[0]);
    ck_assert_double_le(fabs(fit->order[1] - 2.0), 3.0 * fit->order_error[1]);
  } else /* not of second order: the weakest are left out, or the order says so */
    ck_assert(fit->left_out > 0 || fabs(fit->order[0] - 1.0) <= 3.0 * fit->order_error[0]);
  compare_free(c);
}
END_TEST

/* Numbers for programs: every row as many fields as names, in CSV and in JSON. */
START_TEST(files_for_programs)
{
  char dir[MOST][128], line[4096];
  const char *list[MOST];
  Made odd[2] = {family[0], family[1]};
  odd[0].title = "it's one, or two";
  make_runs(odd, 2, dir, list);
  FILE *out = create(root, "out");
  CompareMargin margin;
  ck_assert_int_eq(compare_margin_read(&margin, "5%", NULL), STATUS_OK);
  ck_assert_int_eq(compare_runs(list, 2, 0, &margin, root, out, NULL), STATUS_OK);
  fclose(out);
  snprintf(line, sizeof line,
           "python3 -c \"import json,csv; r=json.load(open('%s/compare.json')); "
           "q=list(csv.DictReader(open('%s/compare.csv'))); assert len(r)==len(q)==2; "
           "assert [a['run_a'] for a in r]==[b['run_a'] for b in q]; "
           "assert all(abs(a['p_differ']-float(b['p_differ']))<1e-7 and a['margin']>0 and "
           "a['verdict']==b['verdict']=='equal within margin' for a,b in zip(r,q)); "
           "assert q[1]['dof']=='' and r[1]['dof'] is None\"",
           root, root);
  ck_assert_int_eq(system(line), 0);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("compare");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, verdicts);
  tcase_add_test(tc, more_than_first_order_is_left_out);
  tcase_add_test(tc, words_and_pictures);
  tcase_add_test(tc, single_runs_use_their_summary);
  tcase_add_loop_test(tc, too_few_samples_have_no_verdict, 0, 3);
  tcase_add_loop_test(tc, fits_of_what_varies, 0, 7);
  tcase_add_test(tc, boxes_are_compared_in_all_they_have);
  tcase_add_test(tc, one_name_twice);
  tcase_add_test(tc, observables_are_found);
  tcase_add_test(tc, what_is_no_run_is_refused);
  tcase_add_test(tc, margins);
  tcase_add_loop_test(tc, orders_are_found, 0, 2);
  tcase_add_test(tc, files_for_programs);
  return suite_main("compare", tc);
}
