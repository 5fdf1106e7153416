/* What comparisons say of settings in which runs differ. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "tests/compared.h"
#include "tests/suite.h"

/* Of runs at constant pressure the density is a mean, whose digits always differ, and the pressure is what
 * they were given; a run without a barostat has none. */
START_TEST(pressures_of_barostats_are_told_apart)
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
  ck_assert_msg(compare_runs(list, 3, 0, NULL, compared_root, out, &error) == STATUS_OK, "%s", error.text);
  fclose(out);
  for (int k = 0; k < 3; k++)
    ck_assert_msg((strstr(words, says[k]) != NULL) == (k < 2), "%s: %s", says[k], words);
  free(words);
}
END_TEST

/* Settings that differ, with what a run says of them: a step in fs, too. */
START_TEST(other_settings_are_remarked_on)
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
END_TEST

int main(void)
{
  TCase *tc = tcase_create("settings");
  tcase_add_checked_fixture(tc, compared_setup, compared_teardown);
  tcase_add_test(tc, other_settings_are_remarked_on);
  tcase_add_test(tc, pressures_of_barostats_are_told_apart);
  return suite_main("compare_settings", tc);
}
