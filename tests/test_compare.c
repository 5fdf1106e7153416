/* Comparisons of runs on made-up run folders: equal runs agree, others differ, nothing is said of those that
 * are too short, the laws in 1/w^2 and h^2 are found where the runs can tell them. */
#include <unistd.h>

#include "cmd/compare.h"
#include "cmd/compare_private.h"
#include "engine/random.h"
#include "observables/rdf.h"
#include "tests/compared.h"
#include "tests/suite.h"

TEST(verdicts)
{
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 5, dir, list);
  Compare *c;
  Error error;
  ck_assert_msg(compare_create(&c, list, NULL, 5, 1, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(c->npair, 10);
  for (int k = 0; k < c->npair; k++) {
    const ComparePair *pair = &c->pair[k];
    const double da = compared_family[pair->a].energy, db = compared_family[pair->b].energy;
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
  ck_assert_double_eq(results_value(&c->run[2].set, "", "w"), 20.0);
  ck_assert(isnan(c->run[0].w));
  ck_assert_double_eq(results_value(&c->run[0].set, "", "target_temperature"), 10.06);
  compare_free(c);
}

/* A run beside itself is no second sample. */
TEST(a_run_beside_itself)
{
  char dir[COMPARED_MOST][128], *text = NULL;
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 2, dir, list);
  const char *const twice[] = {list[0], list[0], list[1]};
  Compare *c;
  ck_assert_int_eq(compare_create(&c, twice, NULL, 3, 0, NULL), STATUS_OK);
  size_t size;
  FILE *out = open_memstream(&text, &size);
  compare_report_remarks(c, out);
  fclose(out);
  const char *const said = strstr(text, "identical energies");
  ck_assert_msg(said != NULL && strstr(said + 1, "identical") == NULL, "%s", text);
  free(text);
  compare_free(c);
}

TEST(words_and_pictures)
{
  char dir[COMPARED_MOST][128], *text;
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 5, dir, list);
  size_t size;
  FILE *out = open_memstream(&text, &size);
  Error error;
  ck_assert_msg(compare_runs(list, 5, &(CompareOptions){.all_pairs = 1}, compared_root, out, &error) ==
                    STATUS_OK,
                "%s", error.text);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "SETTLE and SETTLE again: agree: energy "));
  ck_assert_ptr_nonnull(strstr(text, "SETTLE and w = 20: differ by "));
  ck_assert_ptr_nonnull(strstr(text, "(equal runs: "));
  ck_assert_ptr_nonnull(strstr(text, "Holm-Bonferroni"));
  ck_assert_ptr_nonnull(strstr(text, "21 tests"));
  ck_assert_ptr_nonnull(strstr(text, "at infinite w the fit differs from SETTLE by"));
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(text);
  ck_assert(compared_has("compare.gp") && compared_has("compare.dat") && compared_has("compare_w.gp"));
  if (strstr(text, "no picture") == NULL)
    ck_assert(compared_has("compare.png") && compared_has("compare.svg") && compared_has("compare_w.png") &&
              !compared_has("compare.gp.log"));
  if (getenv("HOLONOM_SHOW") != NULL) {
    char command[256];
    snprintf(command, sizeof command, "cp %s/*.png %s/*.svg %s/*.gp %s", compared_root, compared_root,
             compared_root, getenv("HOLONOM_SHOW"));
    ck_assert_int_eq(system(command), 0);
  }
  free(text);
}

TEST(single_runs_use_their_summary)
{
  const ComparedRun made[2] = {{.name = "a", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1},
                               {.name = "b", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1}};
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(made, 2, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, NULL), STATUS_OK);
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

/* Neither agreement nor difference of runs that are too short, of an earlier version, or of few replicas. */
TEST(too_few_samples_have_no_verdict, .rows = 3)
{
  ComparedRun made[3] = {{.name = "a", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1},
                         {.name = "b", .title = "", .energy = -50.0, .radius = 4.0, .replicas = 1},
                         {.name = "d", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 1}};
  if (_i == 0)
    made[1].errors = made[2].errors = "lower bounds";
  else if (_i == 1)
    made[0].errors = "";
  else
    made[0].replicas = VERDICT_DRAWS - 1;
  char *words;
  Compare *c = compared_of(made, 3, 0, &words);
  ck_assert_int_eq(c->npair, 2); /* with the reference alone */
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(c->pair[k].verdict, COMPARE_TOO_FEW);
    ck_assert(isnan(c->pair[k].test[0].p) && isnan(c->pair[k].test[1].p));
  }
  ck_assert_int_eq(c->ntest, 0);
  ck_assert_ptr_nonnull(strstr(words, "too few independent samples for a verdict"));
  ck_assert_ptr_null(strstr(words, ": agree"));
  ck_assert_ptr_null(strstr(words, ": differ"));
  free(words);
  compare_free(c);
}

/* Boxes: every mean with an error, and g(r) of each pair, each with its verdict. */
static void make_gofr(const char *name, double shift, int blocks, uint32_t stream)
{
  enum { ROWS = 200 };
  char dir[256];
  double r[ROWS], g[2][ROWS], error[2][ROWS];
  RandomStream s = random_stream(12, stream, RANDOM_TEST);
  ResultSet set;
  snprintf(dir, sizeof dir, "%s/%s", compared_root, name);
  ck_assert_int_eq(results_json_read(&set, dir, NULL), STATUS_OK);
  set.sorts = QUANTITY_BOXES;
  for (int b = 0; b < ROWS; b++) {
    r[b] = 0.05 * (b + 0.5);
    const double peak = r[b] < 2.4 ? 0.0 : 1.0 + 2.0 * exp(-8.0 * pow(r[b] - 2.8 - shift, 2));
    error[0][b] = 0.01 * (peak > 0);
    error[1][b] = 0.01;
    g[0][b] = peak + error[0][b] * random_normal(&s);
    g[1][b] = 1.0 + error[1][b] * random_normal(&s);
  }
  ResultTable *gofr = results_add_table(&set, "gofr", ROWS), *msd = results_add_table(&set, "msd", 1);
  gofr->blocks = msd->blocks = blocks;
  results_add_column(gofr, "r", r, NULL);
  results_add_column(gofr, "r_hi", r, NULL);
  results_add_column(gofr, "g_O-O", g[0], error[0]);
  results_add_column(gofr, "n_O-O", g[0], error[0]); /* by which nothing is compared */
  results_add_column(gofr, "g_O-H", g[1], error[1]);
  results_add_column(msd, "time_ps", &(double){0.0}, NULL);
  compared_write(&set, dir);
}

TEST(boxes_are_compared_in_all_they_have)
{
  static const char *const name[3] = {"a", "b", "d"};
  static const double pressure[3] = {10, 12, 110}, diffusion[3] = {2.4, 2.45, 2.9};
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  ComparedRun made[3];
  for (int i = 0; i < 3; i++)
    made[i] = (ComparedRun){.name = name[i],
                            .title = name[i],
                            .energy = -55.0 + 0.02 * i,
                            .radius = 4.0,
                            .replicas = 1,
                            .pressure = pressure[i],
                            .diffusion = diffusion[i]};
  compared_runs(made, 3, dir, list);
  for (int i = 0; i < 3; i++)
    make_gofr(name[i], i == 2 ? 0.05 : 0.0, 20, (uint32_t)i);
  Compare *c;
  Error error;
  ck_assert_msg(compare_create(&c, list, NULL, 3, 0, &error) == STATUS_OK, "%s", error.text);
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
  ck_assert_int_eq(compare_runs(list, 3, &(CompareOptions){0}, compared_root, out, &error), STATUS_OK);
  fclose(out);
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(words);
  ck_assert_ptr_nonnull(strstr(words, "a and b: agree"));
  ck_assert_ptr_nonnull(
      strstr(words, "a and d: differ in the pressure by molecule, the diffusion of water, the g(r) of O-O"));
  ck_assert_ptr_nonnull(strstr(words, "diffusion of water, 1e-9 m2/s: a 2.400 +- 0.050; b"));
  ck_assert(compared_has("compare.gp"));
  free(words);
}

TEST(one_name_twice)
{
  const ComparedRun made[2] = {{.name = "a", .title = "same", .energy = -55.0, .radius = 4.0, .replicas = 8},
                               {.name = "b", .title = "same", .energy = -55.0, .radius = 4.0, .replicas = 8}};
  char dir[COMPARED_MOST][128], path[256];
  const char *list[COMPARED_MOST];
  compared_runs(made, 2, dir, list);
  snprintf(path, sizeof path, "%s/rdf_replicas.csv", dir[1]);
  ck_assert_int_eq(unlink(path), 0); /* a run may keep no distribution */
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, NULL), STATUS_OK);
  ck_assert_str_eq(c->run[0].label, dir[0]);
  ck_assert_str_eq(c->run[1].label, dir[1]);
  ck_assert_int_eq(c->pair[0].ntest, 1);
  ck_assert_int_eq(c->pair[0].verdict, COMPARE_ALIKE);
  compare_free(c);
}

/* The second run's table of replicas becomes this one. */
static void replace_replicas(const char *dir, const char *column, size_t rows, const double *value)
{
  static const double temperature[] = {10.0, 10.0};
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  ResultTable *table = results_add_table(&set, "replicas", rows);
  results_words(&set, "", "title", "b");
  results_add_column(table, column, value, NULL);
  results_add_column(table, "temperature", temperature, NULL);
  compared_write(&set, dir);
}

TEST(what_is_no_run_is_refused)
{
  char dir[COMPARED_MOST][128], path[256];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 2, dir, list);
  Compare *c;
  Error error;
  ck_assert_int_eq(compare_create(&c, list, NULL, 1, 0, &error), STATUS_INPUT);
  double value[2] = {-55.0, -55.0};
  replace_replicas(dir[1], "kinetic", 2, value);
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "potential") != NULL && strstr(error.text, "kinetic") != NULL, "%s",
                error.text);
  replace_replicas(dir[1], "potential", 0, value);
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "contains no replica") != NULL, "%s", error.text);
  const double impossible[3] = {1e100, -INFINITY, NAN};
  for (int k = 0; k < 3; k++) {
    value[1] = impossible[k];
    replace_replicas(dir[1], "potential", 2, value);
    ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "potential of row 2") != NULL, "%s", error.text);
  }
  FILE *file = compared_file(dir[1], "results.json");
  fputs("{\"format\": \"holonom results\",\n\"numbers\": [,\n", file);
  fclose(file);
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "results.json:2: is not JSON") != NULL, "%s", error.text);
  snprintf(path, sizeof path, "%s/results.json", dir[1]);
  ck_assert_int_eq(unlink(path), 0);
  fclose(compared_file(dir[1], "summary.yaml"));
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "an earlier version of holonom wrote it. Run its input.yaml") != NULL,
                "%s", error.text);
  list[1] = compared_root;
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "not the folder of a finished run") != NULL, "%s", error.text);
}

/* Sets that say other things than runs do: words in place of numbers, other sorts of system. */
TEST(odd_sets_are_refused)
{
  static const char *const words[] = {"hot", "cold"};
  static const double value[] = {-55.0, -55.0};
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  Compare *c;
  Error error;
  compared_runs(compared_family, 2, dir, list);
  for (int k = 0; k < 3; k++) {
    ResultSet set = results_make(k == 2 ? QUANTITY_MECHANICAL : QUANTITY_CLUSTERS, false);
    results_words(&set, "", "title", "odd");
    results_words(&set, "", "w", "strong");
    ResultTable *table = results_add_table(&set, "replicas", 2);
    results_add_words(table, "target", words);
    if (k == 0)
      results_add_words(table, "potential", words);
    else
      results_add_column(table, "potential", value, NULL);
    results_add_column(table, "temperature", value, NULL);
    compared_write(&set, dir[1]);
    const Status status = compare_create(&c, list, NULL, 2, 0, &error);
    ck_assert_int_eq(status, k == 1 ? STATUS_OK : STATUS_INPUT);
    if (status == STATUS_OK)
      compare_free(c);
    else
      ck_assert_msg(strstr(error.text, dir[1]) != NULL &&
                        strstr(error.text, k == 0 ? "out of range for a mean" : "of mechanical systems") !=
                            NULL,
                    "%s", error.text);
  }
}

/* What a run left in memory and what is read from its folder are the same set. */
TEST(sets_in_memory_are_taken)
{
  char dir[COMPARED_MOST][128], path[256];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 2, dir, list);
  Compare *c[2];
  ResultSet known[2] = {{0}};
  ck_assert_int_eq(compare_create(&c[0], list, NULL, 2, 0, NULL), STATUS_OK);
  ck_assert_int_eq(results_json_read(&known[1], dir[1], NULL), STATUS_OK);
  snprintf(path, sizeof path, "%s/results.json", dir[1]);
  ck_assert_int_eq(unlink(path), 0);
  Error error;
  ck_assert_msg(compare_create(&c[1], list, known, 2, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(known[1].n, 0);
  for (int t = 0; t < 2; t++)
    ck_assert_double_eq(c[0]->pair[0].test[t].p, c[1]->pair[0].test[t].p);
  compare_free(c[0]);
  compare_free(c[1]);
}

static const ComparePair *pair_of(const Compare *c, int a, int b)
{
  for (int k = 0; k < c->npair; k++)
    if (c->pair[k].a == a && c->pair[k].b == b)
      return &c->pair[k];
  ck_abort_msg("no pair %d %d", a, b);
}

/* Equal within a wide margin, undecided within one narrower than errors, different where it is beyond any; a
 * difference that is seen but small is equal, too. */
TEST(margins)
{
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 5, dir, list);
  Compare *c;
  Error error;
  CompareMargin margin;
  ck_assert_int_eq(compare_create(&c, list, NULL, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "5 %", &error), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert_int_eq(pair_of(c, 0, 1)->verdict, COMPARE_EQUAL);
  ck_assert_int_eq(pair_of(c, 0, 2)->verdict, COMPARE_DIFFER);
  const ComparePair *seen = pair_of(c, 0, 3); /* 0.24 of 55.67: 25 standard errors, 0.4 % */
  ck_assert(seen->test[0].adjusted < 0.05);
  ck_assert_int_eq(seen->test[0].verdict, COMPARE_NEAR);
  ck_assert_double_eq_tol(seen->test[0].margin, 0.05 * 55.67, 0.01);
  compare_free(c);
  ck_assert_int_eq(compare_create(&c, list, NULL, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "0.002", &error), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert_int_eq(pair_of(c, 0, 1)->verdict, COMPARE_UNDECIDED);
  ck_assert_int_eq(pair_of(c, 0, 3)->verdict, COMPARE_DIFFER);
  ck_assert(isnan(pair_of(c, 0, 1)->test[1].margin)); /* of a distribution there is none in kcal/mol */
  compare_free(c);
  ck_assert_int_eq(compare_create(&c, list, NULL, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "distribution 90%, energy 0.002 kcal/mol", &error),
                   STATUS_OK);
  ck_assert_str_eq(margin.words, "distribution 90 %, energy 0.002 kcal/mol");
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert_int_eq(pair_of(c, 0, 1)->test[0].verdict, COMPARE_UNDECIDED);
  ck_assert_int_eq(pair_of(c, 0, 1)->test[1].verdict, COMPARE_EQUAL);
  compare_free(c);
  ck_assert_int_eq(compare_create(&c, list, NULL, 5, 1, &error), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, "distribution 90%", &error), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, &error), STATUS_OK);
  ck_assert(isnan(pair_of(c, 0, 1)->test[0].margin)); /* nothing was said of energies */
  compare_free(c);
  ck_assert_int_eq(
      compare_margin_read(&margin, "density 0.0003 g/cm3,dielectric constant 3, g(r) of O-O 1%,5 %", &error),
      STATUS_OK);
  ck_assert_str_eq(margin.words, "density 0.0003 g/cm^3, dielectric constant 3, g(r) of O-O 1 %, 5 %");
  static const char *const bad[] = {"",
                                    "%",
                                    "-1%",
                                    "100%",
                                    "1 K",
                                    "1%%",
                                    "nan",
                                    "0",
                                    "1%,",
                                    "1%, 2%",
                                    "densty 1%",
                                    "density",
                                    "density 1 bar",
                                    "density 1%, density 2%",
                                    "distribution 0.1",
                                    "energy 1 2"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    ck_assert_int_eq(compare_margin_read(&margin, bad[k], &error), STATUS_INPUT);
}

/* What is said of a pair, in words. */
static char *verdict_of(const Compare *c, int a, int b)
{
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  compare_report_verdict(c, pair_of(c, a, b), out);
  fclose(out);
  return text;
}

static void says(const Compare *c, int a, int b, const char *words)
{
  char *text = verdict_of(c, a, b);
  ck_assert_str_eq(text, words);
  free(text);
}

static Compare *within(const char *const *list, int n, const char *margin_text)
{
  Compare *c;
  CompareMargin margin;
  ck_assert_int_eq(compare_create(&c, list, NULL, n, 1, NULL), STATUS_OK);
  ck_assert_int_eq(compare_margin_read(&margin, margin_text, NULL), STATUS_OK);
  ck_assert_int_eq(compare_margin(c, &margin, NULL), STATUS_OK);
  return c;
}

/* A headline says what all tests say: of no quantity that had no margin that it is not equal within it, of
 * none that differs that it is the same, and "undecided" hides no difference. */
TEST(headlines_say_what_tests_say)
{
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 5, dir, list);
  Compare *c = within(list, 5, "0.002"); /* of energies alone */
  says(c, 0, 2, "differ, not equal within 0.002 kcal/mol, in energy; differ in distribution (no margin)");
  says(
      c, 0, 1,
      "undecided, more samples are needed to decide within 0.002 kcal/mol, for energy; no difference seen in "
      "distribution (no margin)");
  compare_free(c);
  c = within(list, 5, "1 kcal/mol");
  says(c, 0, 3,
       "equal within 1 kcal/mol, though significantly different, in energy; no difference seen in "
       "distribution (no margin)");
  compare_free(c);
  c = within(list, 5, "1%"); /* the distributions are too short for it */
  ck_assert_int_eq(pair_of(c, 0, 3)->verdict, COMPARE_UNDECIDED);
  ck_assert_double_gt(fabs(pair_of(c, 0, 3)->test[0].mean.z), 20.0);
  says(c, 0, 3,
       "undecided, more samples are needed to decide within 1 %, for distribution; equal within 1 %, "
       "though significantly different, in energy");
  compare_free(c);
  c = within(list, 5, "90%");
  says(c, 0, 1, "equal within 90 %");
  says(c, 0, 2, "equal within 90 %, though significantly different");
  compare_free(c);
  ck_assert_int_eq(compare_create(&c, list, NULL, 5, 1, NULL), STATUS_OK);
  says(c, 0, 1, "agree");
  char *text = verdict_of(c, 0, 2);
  ck_assert_ptr_nonnull(strstr(text, "standard errors in energy, and in the distribution"));
  free(text);
  compare_free(c);
}

/* Means, distributions and curves alike; what is known to differ within the interval, and where it says so.
 */
TEST(intervals_hold_what_was_found)
{
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(compared_family, 5, dir, list);
  for (int i = 0; i < 5; i++)
    make_gofr(compared_family[i].name, 0.01 * i, 20, (uint32_t)i);
  for (int replicas = 0; replicas < 2; replicas++) {
    Compare *c = within(list, 5, replicas == 0 ? "3%" : "20%");
    int curves = 0;
    for (int k = 0; k < c->npair; k++)
      for (int t = 0; t < c->pair[k].ntest; t++) {
        const CompareTest *test = &c->pair[k].test[t];
        const double found = test->kind == COMPARE_MEAN           ? test->mean.difference
                             : test->kind == COMPARE_DISTRIBUTION ? test->distance.tv
                                                                  : test->least.difference;
        ck_assert_msg(test->within.low <= found && found <= test->within.high, "%s: %g not in %g to %g",
                      test->name, found, test->within.low, test->within.high);
        curves += test->kind == COMPARE_CURVE && test->least_r > 0.0;
      }
    ck_assert_int_eq(curves, 2 * c->npair);
    compare_free(c);
  }
}

/* Numbers for programs: a row a test and a row a run, in CSV and in JSON. */
TEST(files_for_programs)
{
  char dir[COMPARED_MOST][128], line[4096];
  const char *list[COMPARED_MOST];
  ComparedRun odd[2] = {compared_family[0], compared_family[1]};
  odd[0].title = "it's one, or two";
  compared_runs(odd, 2, dir, list);
  FILE *out = compared_file(compared_root, "out");
  CompareMargin margin;
  ck_assert_int_eq(compare_margin_read(&margin, "5%", NULL), STATUS_OK);
  const CompareOptions options = {.margin = &margin, .title = "five % & <two>"};
  ck_assert_int_eq(compare_runs(list, 2, &options, compared_root, out, NULL), STATUS_OK);
  fclose(out);
  snprintf(line, sizeof line, "grep -q '<h1>five %% &#38; &#60;two' %s/compare.html", compared_root);
  ck_assert_int_eq(system(line), 0);
  snprintf(line, sizeof line,
           "python3 -c \"import json,csv,math; d='%s'; r=json.load(open(d+'/compare.json')); "
           "t,u=({c['name']:c for c in t['columns']} for t in r['tables']); "
           "q,w=(list(csv.DictReader(open(d+'/'+n+'.csv'))) for n in ('compare','compare_runs')); "
           "assert len(t['run_a']['values'])==len(q)==2==len(u['energy']['errors'])==len(w); "
           "assert [a['run_a'] for a in q]==t['run_a']['values']; "
           "assert all(abs(a-float(b['p_differ']))<1e-7 and float(b['margin'])>0 and "
           "v==b['verdict']=='equal within margin' for a,v,b in zip(t['p_differ']['values'],"
           "t['verdict']['values'],q)); "
           "assert u['energy']['unit']=='kcal/mol' and "
           "abs(u['energy']['errors'][1]-float(w[1]['energy_err']))<1e-7; "
           "assert math.isnan(float(q[1]['dof'])) and t['dof']['values'][1] is None\"",
           compared_root);
  ck_assert_int_eq(system(line), 0);
}

int main(void)
{
  suite_fixture(true, compared_setup, compared_teardown);
  return suite_main("compare");
}
