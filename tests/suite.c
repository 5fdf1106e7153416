#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

/* What the leak sanitizer leaves aside: HDF5 loses memory of its own where a file is damaged. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }

int suite_run(const char *name, TCase *tc[])
{
  Suite *suite = suite_create(name);
  for (int i = 0; tc[i] != NULL; i++)
    suite_add_tcase(suite, tc[i]);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV); /* CK_NORMAL, unless CK_VERBOSITY is set */
  const int failed = srunner_ntests_failed(runner) != 0 || srunner_ntests_run(runner) == 0;
  srunner_free(runner);
  return failed;
}

int suite_lacks(const char *program)
{
  char line[128];
  snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", program);
  if (system(line) == 0)
    return 0;
  printf("skipped: %s is not installed\n", program);
  return 1;
}
