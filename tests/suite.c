#include "tests/suite.h"

int suite_run(const char *name, TCase *tc[])
{
  Suite *suite = suite_create(name);
  for (int i = 0; tc[i] != NULL; i++)
    suite_add_tcase(suite, tc[i]);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV); /* CK_NORMAL, unless CK_VERBOSITY is set */
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
