/* What comparisons say of settings in which runs differ. */
#include "cmd/compare_private.h"
#include "tests/compared.h"
#include "tests/suite.h"

/* Of runs at constant pressure the density is a mean, whose digits always differ, and the pressure is what
 * they were given; a run without a barostat has none. */
TEST(pressures_of_barostats_are_told_apart)
{
  static const char *const name[3] = {"a", "b", "d"},
                           *says[3] = {"note: a has barostat_pressure 300 bar, b has 600 bar",
                                       "note: a has barostat_pressure 300 bar, d has none",
                                       "note: a has density"};
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  ComparedRun made[3];
  for (int i = 0; i < 3; i++)
    made[i] = (ComparedRun){.name = name[i], .title = name[i], .energy = -55.0, .radius = 4.0, .replicas = 1};
  compared_runs(made, 3, dir, list);
  for (int i = 0; i < 3; i++) {
    ResultSet set;
    ck_assert_int_eq(results_json_read(&set, dir[i], NULL), STATUS_OK);
    set.sorts = QUANTITY_BOXES;
    if (i < 2) {
      results_real(&set, "", "barostat_pressure", 300.0 * (i + 1));
      results_mean(&set, "", "density", 1.3 + 0.1 * i, 0.02, 3.0, 100.0);
    } else {
      results_real(&set, "", "density", 1.2);
    }
    compared_write(&set, dir[i]);
  }
  char *words;
  size_t size;
  Error error;
  FILE *out = open_memstream(&words, &size);
  ck_assert_msg(compare_runs(list, 3, &(CompareOptions){0}, compared_root, out, &error) == STATUS_OK, "%s",
                error.text);
  fclose(out);
  for (int k = 0; k < 3; k++)
    ck_assert_msg((strstr(words, says[k]) != NULL) == (k < 2), "%s: %s", says[k], words);
  free(words);
}

/* Settings that differ, with what a run says of them: a step in fs, too. */
TEST(other_settings_are_remarked_on)
{
  const ComparedRun made[2] = {
      {.name = "a", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 8},
      {.name = "b", .title = "", .energy = -55.0, .radius = 4.0, .replicas = 8, .h = 0.1}};
  char dir[COMPARED_MOST][128], *text = NULL;
  const char *list[COMPARED_MOST];
  compared_runs(made, 2, dir, list);
  Compare *c;
  ck_assert_int_eq(compare_create(&c, list, NULL, 2, 0, NULL), STATUS_OK);
  size_t size;
  FILE *out = open_memstream(&text, &size);
  compare_report_remarks(c, out);
  fclose(out);
  ck_assert_msg(strstr(text, "note: a has timestep 0.05 AKMA (2.44441 fs), b has 0.1 AKMA (4.88882 fs)\n") !=
                    NULL,
                "%s", text);
  free(text);
  compare_free(c);
}

/* A run without the momentum of the box lacks kT/V of pressure, and k/2 for each such degree of freedom in
 * its heat capacity; where another run has that, it is no difference. Where no run has it, numbers stay. */
TEST(momenta_of_the_box_are_no_difference)
{
  const double share = 60.0, heat[2] = {0.2, 0.2 - 1.5 * UNITS_BOLTZMANN};
  for (int both = 0; both < 2; both++) {
    const char *const name[2] = {both ? "c" : "a", both ? "d" : "b"};
    ComparedRun made[2];
    for (int i = 0; i < 2; i++)
      made[i] = (ComparedRun){.name = name[i],
                              .title = name[i],
                              .energy = -55.0,
                              .radius = 4.0,
                              .replicas = 16,
                              .pressure = i || both ? 900.0 - share : 900.0,
                              .removed = i || both ? share : 0.0};
    char dir[COMPARED_MOST][128], *text = NULL;
    const char *list[COMPARED_MOST];
    compared_runs(made, 2, dir, list);
    for (int i = 0; i < 2; i++) {
      ResultSet set;
      ck_assert_int_eq(results_json_read(&set, dir[i], NULL), STATUS_OK);
      ResultTable *table = results_add_table(&set, "heat_capacity", 1);
      results_add_column(table, "temperature", &(double){300.0}, NULL);
      results_add_column(table, "heat", &heat[i || both], &(double){0.0003});
      compared_write(&set, dir[i]);
    }
    Compare *c;
    Error error;
    ck_assert_msg(compare_create(&c, list, NULL, 2, 0, &error) == STATUS_OK, "%s", error.text);
    ck_assert_int_eq(c->pair[0].ntest, 3);
    ck_assert_int_eq(c->pair[0].verdict, COMPARE_ALIKE);
    ck_assert_double_eq_tol(c->run[1].mean[1].value, both ? 840.0 : 900.0, 1e-9);
    ck_assert_double_eq_tol(c->run[1].curve[0].y->value[0], heat[both], 1e-12);
    size_t size;
    FILE *out = open_memstream(&text, &size);
    compare_report_remarks(c, out);
    fclose(out);
    ck_assert_msg((strstr(text, "note: the pressure of b includes kT/V = 60 bar") != NULL) == !both, "%s",
                  text);
    ck_assert_msg((strstr(text, "note: the heat capacity of b") != NULL) == !both, "%s", text);
    free(text);
    compare_free(c);
  }
}

/* Of constrained runs of unlike steps compare says how much of a difference is the step's, or how to find
 * out. */
TEST(steps_explain_what_they_do, .rows = 3)
{
  ComparedRun made[2] = {
      {.name = "a", .title = "a", .h = 0.05, .energy = -55.0, .zero = -54.4, .radius = 4.0, .replicas = 32},
      {.name = "b",
       .title = "b",
       .h = 0.025,
       .energy = -54.5,
       .zero = -54.35,
       .radius = 4.0,
       .replicas = 32}};
  static const char hint[] = "set output.zero_step_every in both inputs";
  char *words;
  if (_i == 1)
    made[1].zero = 0.0;
  if (_i == 2)
    made[1].h = made[0].h;
  compare_free(compared_of(made, 2, 0, &words));
  const char *said = strstr(words, "; of the difference in energy, ");
  ck_assert_msg((said != NULL) == (_i == 0), "%s", words);
  ck_assert_msg((strstr(words, hint) != NULL) == (_i == 1), "%s", words);
  double all, fs[2], explained, left, error;
  if (said != NULL) {
    ck_assert_int_eq(sscanf(said,
                            "; of the difference in energy, %lf kcal/mol, the time steps of %lf and %lf fs "
                            "explain %lf; extrapolated to zero step it is %lf ± %lf",
                            &all, &fs[0], &fs[1], &explained, &left, &error),
                     6);
    ck_assert_double_eq_tol(all, 0.5, 0.05);
    ck_assert_double_eq_tol(fs[0], 2.0 * fs[1], 0.011);
    ck_assert_double_eq_tol(explained, 0.45, 1e-9); /* 0.6 and 0.15 too low */
    ck_assert_double_eq_tol(left, 0.05, 1e-9);
    ck_assert_double_eq_tol(error, 0.02 * sqrt(2.0), 1e-3);
  }
  free(words);
}

int main(void)
{
  suite_fixture(true, compared_setup, compared_teardown);
  return suite_main("compare_settings");
}
