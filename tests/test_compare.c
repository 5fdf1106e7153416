/* Comparisons of runs on made-up run folders: equal runs agree, others differ, the 1/w^2 law is found. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/random.h"
#include "observables/compare.h"
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
} Made;

static FILE *create(const char *dir, const char *name)
{
  char path[256];
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
  fprintf(file, "share: # nested\n  w: 17\nnonbonded: %g\nnonbonded_err: 0.05\n", made->energy);
  fclose(file);
  file = create(dir, "replicas.csv");
  fprintf(file, "# means\nreplica,kinetic,nonbonded,temperature\n");
  Rdf *rdf;
  ck_assert_int_eq(rdf_create(&rdf, made->replicas, 7, 8.0, 40, NULL), STATUS_OK);
  for (int r = 0; r < made->replicas; r++) {
    fprintf(file, "%d,0.5,%.17g,%.17g\n", r, made->energy + 0.05 * random_normal(&s),
            10.0 + 0.1 * random_normal(&s));
    for (int k = 0; k < 100; k++) {
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
  char path[256];
  snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir);
  ck_assert_int_eq(rdf_write_replicas(rdf, path, NULL), STATUS_OK);
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

static const Made family[5] = {{"c", "SETTLE", 0.0, -55.67, 4.0, 64},
                               {"c2", "SETTLE again", 0.0, -55.67, 4.0, 48},
                               {"p20", "w = 20", 20.0, -55.67 - 2360.0 / 400.0, 3.7, 64},
                               {"p100", "w = 100", 100.0, -55.67 - 0.236, 4.0, 64},
                               {"p500", "w = 500", 500.0, -55.67 - 2360.0 / 250000.0, 4.0, 64}};

START_TEST(verdicts)
{
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(family, 5, dir, list);
  Compare *c;
  Error error;
  ck_assert_msg(compare_create(&c, list, 5, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(c->npair, 10);
  for (int k = 0; k < c->npair; k++) {
    const ComparePair *pair = &c->pair[k];
    const double da = family[pair->a].energy, db = family[pair->b].energy;
    const int same = fabs(da - db) < 0.01;
    ck_assert_msg(pair->agree == same, "pair %d %d", pair->a, pair->b);
    ck_assert_double_lt(fabs(pair->energy.difference - (db - da)), 5.0 * pair->energy.error);
    ck_assert_double_eq_tol(pair->energy.error, 0.05 * sqrt(2.0 / 60.0), 0.004);
    ck_assert_double_ge(pair->energy_adjusted, pair->energy.p);
    const int both20 = (pair->a == 2) + (pair->b == 2) == 1;
    ck_assert_int_eq(pair->tv_adjusted < 0.05, both20);
    if (!both20)
      ck_assert_double_lt(fabs(pair->distance.tv - pair->distance.null_mean), 5.0 * pair->distance.null_sd);
  }
  ck_assert_int_eq(c->nfit, 1);
  ck_assert_int_eq(c->fit[0].n, 3);
  ck_assert_int_eq(c->fit[0].reference, 0);
  ck_assert_int_eq(c->fit[0].left_out, 0);
  ck_assert_str_eq(c->fit[0].group, "gauss-newton Hessian, tangent noise");
  ck_assert_double_lt(fabs(c->fit[0].line.slope + 2360.0), 4.0 * c->fit[0].line.slope_error);
  ck_assert_double_lt(fabs(c->fit[0].at_infinity.z), 4.0);
  ck_assert_str_eq(compare_value(&c->run[2], "w"), "20");
  ck_assert(isnan(c->run[0].w));
  ck_assert_str_eq(compare_value(&c->run[0], "target_temperature"), "10.06");
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
  ck_assert_int_eq(compare_create(&c, list, 4, NULL), STATUS_OK);
  ck_assert_int_eq(c->fit[0].left_out, 1);
  ck_assert_double_lt(fabs(c->fit[0].line.slope + 2360.0), 4.0 * c->fit[0].line.slope_error);
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
  ck_assert_msg(compare_runs(list, 5, root, out, &error) == STATUS_OK, "%s", error.text);
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
  const Made made[2] = {{"a", "", 0.0, -55.0, 4.0, 1}, {"b", "", 0.0, -55.0, 4.0, 1}};
  char dir[MOST][128];
  const char *list[MOST];
  make_runs(made, 2, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, 2, NULL), STATUS_OK);
  ck_assert_str_eq(c->run[0].label, "a");
  ck_assert_double_eq(c->run[0].energy_error, 0.05);
  ck_assert_int_eq(c->run[0].draws, 0);
  ck_assert_int_ge(c->run[0].nrow, 4); /* time blocks */
  ck_assert(!isnan(c->pair[0].distance.tv));
  ck_assert_int_eq(c->nfit, 0);
  compare_free(c);
}
END_TEST

START_TEST(one_name_twice)
{
  const Made made[2] = {{"a", "same", 0.0, -55.0, 4.0, 8}, {"b", "same", 0.0, -55.0, 4.0, 8}};
  char dir[MOST][128], path[256];
  const char *list[MOST];
  make_runs(made, 2, dir, list);
  snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir[1]);
  ck_assert_int_eq(unlink(path), 0); /* a run may keep no distribution */
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, 2, NULL), STATUS_OK);
  ck_assert_str_eq(c->run[0].label, dir[0]);
  ck_assert_str_eq(c->run[1].label, dir[1]);
  ck_assert(isnan(c->pair[0].distance.tv));
  ck_assert_int_eq(c->pair[0].agree, 1);
  compare_free(c);
}
END_TEST

START_TEST(what_is_no_run_is_refused)
{
  char dir[MOST][128], path[256];
  const char *list[MOST];
  make_runs(family, 2, dir, list);
  Compare *c;
  Error error;
  ck_assert_int_eq(compare_create(&c, list, 1, &error), STATUS_INPUT);
  snprintf(path, sizeof path, "%s/replicas.csv", dir[1]);
  FILE *file = fopen(path, "w");
  fputs("replica,kinetic\n0,1\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, 2, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "nonbonded") != NULL && strstr(error.text, "kinetic") != NULL, "%s",
                error.text);
  file = fopen(path, "w");
  fputs("replica,nonbonded,temperature\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, 2, &error), STATUS_INPUT);
  list[1] = root;
  ck_assert_int_eq(compare_create(&c, list, 2, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "not the folder of a finished run") != NULL, "%s", error.text);
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
  tcase_add_test(tc, one_name_twice);
  tcase_add_test(tc, what_is_no_run_is_refused);
  return suite_main("compare", tc);
}
