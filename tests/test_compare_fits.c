/* Fits to the energies of penalty runs: the laws in 1/w^2 and h^2 are found where the runs can tell them, and
 * drawn as they are. */
#include "tests/compared.h"
#include "tests/suite.h"

TEST(more_than_first_order_is_left_out)
{
  ComparedRun made[4] = {compared_family[0], compared_family[2], compared_family[3], compared_family[4]};
  made[1].energy -= 1.0; /* not on the line of 1/w^2 */
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  compared_runs(made, 4, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, NULL, 4, 0, NULL), STATUS_OK);
  ck_assert_int_eq(c->fit[0].left_out, 1);
  ck_assert_double_lt(fabs(c->fit[0].line.value[1] + 2360.0), 4.0 * c->fit[0].line.error[1]);
  compare_free(c);
}

/* What the runs can tell of energy = e0 + b/w^2 + c h^2 is fitted, and nothing else. */
TEST(fits_of_what_varies, .rows = 7)
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
  ComparedRun made[4];
  for (int i = 0; i < row[_i].n; i++) {
    const double w = row[_i].w[i], h = row[_i].h[i];
    made[i] = (ComparedRun){.name = name[i], .title = "", .w = w, .h = h, .radius = 4.0, .replicas = 16};
    made[i].energy = -55.0 + (w > 0.0 ? 2000.0 / (w * w) : 0.0) - 400.0 * h * h;
  }
  char *words;
  Compare *c = compared_of(made, row[_i].n, 0, &words);
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
    ck_assert_int_eq(strstr(words, "of order beta h^2") != NULL, !fit->with_h);
  }
  free(words);
  compare_free(c);
}

/* The powers of 1/w and of h that energies follow, of runs at several of each. */
TEST(orders_are_found, .rows = 2)
{
  enum { RUNS = 6 };
  static const double w[RUNS] = {20, 40, 80, 40, 40, 40}, h[RUNS] = {0.05, 0.05, 0.05, 0.1, 0.2, 0.3};
  const double power = _i == 0 ? 2.0 : 1.0;
  char dir[COMPARED_MOST][128], name[RUNS][16];
  const char *list[COMPARED_MOST];
  ComparedRun made[RUNS];
  for (int i = 0; i < RUNS; i++) {
    snprintf(name[i], sizeof name[i], "r%d", i);
    made[i] = (ComparedRun){
        name[i], name[i], w[i], -55.0 - 10.0 * pow(20.0 / w[i], power) + 80.0 * pow(h[i], 2), 4.0, 64, h[i],
        NULL,    0,       0};
  }
  compared_runs(made, RUNS, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, NULL, RUNS, 0, NULL), STATUS_OK);
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

/* Rows of a file of a picture, from the k-th block of that label on: x, y, error. */
static int read_block(const char *name, const char *label, int k, double row[][3], int most)
{
  char path[256], line[512], wanted[128];
  snprintf(path, sizeof path, "%s/%s", compared_root, name);
  snprintf(wanted, sizeof wanted, "# %s\n", label);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  bool inside = false;
  int n = 0;
  while (fgets(line, sizeof line, file) != NULL && n < most) {
    if (strcmp(line, wanted) == 0)
      inside = k-- == 0;
    else if (line[0] == '\n')
      inside = false;
    else if (inside && line[0] != '#')
      n += sscanf(line, "%lf %lf %lf", &row[n][0], &row[n][1], &row[n][2]) >= 2;
  }
  fclose(file);
  return n;
}

/* The line that is drawn through penalty runs is the fit: what it has at infinite w, too, and of each step
 * where they differ. */
TEST(line_of_the_limit_is_the_fit, .rows = 2)
{
  enum { ROWS = 400 };
  const double away = 1.0, of_h = _i == 0 ? 0.0 : -400.0;
  static const double w[6] = {0, 20, 50, 200, 20, 200}, h[6] = {0.05, 0.05, 0.05, 0.05, 0.1, 0.1};
  const int n = _i == 0 ? 4 : 6;
  ComparedRun made[6];
  char name[6][16], dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  for (int i = 0; i < n; i++) {
    snprintf(name[i], sizeof name[i], "r%d", i);
    made[i] =
        (ComparedRun){.name = name[i], .title = name[i], .w = w[i], .h = h[i], .radius = 4.0, .replicas = 32};
    made[i].energy = -55.0 + (w[i] > 0.0 ? away - 2000.0 / (w[i] * w[i]) + of_h * h[i] * h[i] : 0.0);
  }
  compared_runs(made, n, dir, list);
  FILE *out = compared_file(compared_root, "out");
  Error error;
  ck_assert_msg(compare_runs(list, n, &(CompareOptions){0}, compared_root, out, &error) == STATUS_OK, "%s",
                error.text);
  fclose(out);
  /* Where the line dips, in words: b/w^2 + away + of_h h^2 = 0. */
  char path[256], said[2048] = "";
  snprintf(path, sizeof path, "%s/out", compared_root);
  FILE *words = fopen(path, "r");
  for (char line[512]; fgets(line, sizeof line, words) != NULL;)
    if (strstr(line, "the fit crosses the reference at w = ") != NULL)
      strncat(said, line, sizeof said - strlen(said) - 1);
  fclose(words);
  double at = 0.0;
  if (_i == 0) {
    ck_assert_msg(
        sscanf(said, "  the fit crosses the reference at w = %lf: below it energies are lower", &at) == 1,
        "%s", said);
    ck_assert_double_eq_tol(at, sqrt(2000.0), 1.5);
  } else
    ck_assert_str_eq(said, ""); /* at infinite w alone, and nowhere */
  for (int step = 0; step <= _i; step++) {
    double row[ROWS][3];
    const int rows = read_block("compare_w.dat", "the fit", step, row, ROWS);
    ck_assert_int_gt(rows, 10);
    for (int k = 0; k < rows; k++)
      ck_assert_double_eq_tol(row[k][1], fabs(away - 2000.0 * row[k][0] + of_h * pow(h[step * 4], 2)), 0.1);
    ck_assert_double_lt(row[0][0], 1.0 / (200.0 * 200.0));
    ck_assert_double_gt(row[rows - 1][0], 1.0 / (20.0 * 20.0));
  }
}

/* The limit of penalty runs is one of the tests of a call, by Student's t of the draws behind its runs, and
 * nothing is said of it where there are few. */
TEST(limits_are_tested_as_all_else, .rows = 2)
{
  static const double w[3] = {0, 50, 200};
  static const char *const name[3] = {"a", "b", "d"};
  const int replicas = _i == 0 ? VERDICT_DRAWS : VERDICT_DRAWS - 1;
  ComparedRun made[3];
  for (int i = 0; i < 3; i++)
    made[i] = (ComparedRun){
        .name = name[i], .title = name[i], .w = w[i], .energy = -55.0, .radius = 4.0, .replicas = replicas};
  char *words;
  Compare *c = compared_of(made, 3, 0, &words);
  ck_assert_int_eq(c->nfit, 1);
  const CompareFit *fit = &c->fit[0];
  ck_assert_int_eq(c->ntest, _i == 0 ? 5 : 0); /* two energies, two distributions, the limit */
  if (_i == 0) {
    ck_assert_double_eq(fit->p, fit->at_infinity.p);
    ck_assert_double_lt(fit->at_infinity.dof, 3.0 * (VERDICT_DRAWS - 1) + 1e-9);
    ck_assert_double_ge(fit->adjusted, fit->p);
    CompareMargin margin;
    ck_assert_int_eq(compare_margin_read(&margin, "20%", NULL), STATUS_OK);
    ck_assert_int_eq(compare_margin(c, &margin, NULL), STATUS_OK);
    ck_assert_double_gt(fit->within_adjusted, 0.0);
    ck_assert_double_ge(fit->within_adjusted, fit->within.p);
  } else
    ck_assert(isnan(fit->p) && isnan(fit->adjusted));
  free(words);
  compare_free(c);
}

int main(void)
{
  suite_fixture(true, compared_setup, compared_teardown);
  return suite_main("compare_fits");
}
