#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

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

bool suite_nightly(void) { return getenv("HOLONOM_NIGHTLY") != NULL; }

int suite_rows(int few, int all) { return suite_nightly() || few > all ? all : few; }

/* In memory where there is room for files and programs: on a disk what calls fsync often, as runs do at
 * checkpoints, waits for it most of its time. */
static char *make_folder(void)
{
  static char on_disk[] = "/tmp/holonom-test-XXXXXX", in_memory[] = "/dev/shm/holonom-test-XXXXXX";
  static const double room = 1 << 30; /* bytes: in containers there are often 64 MiB */
  struct statvfs fs;
  const bool fits = statvfs("/dev/shm", &fs) == 0 && (fs.f_flag & (ST_NOEXEC | ST_RDONLY)) == 0 &&
                    (double)fs.f_bavail * (double)fs.f_frsize > room;
  char *path = fits ? mkdtemp(in_memory) : NULL;
  return path != NULL ? path : mkdtemp(on_disk);
}

static const char *folder;

const char *suite_folder(void)
{
  if (folder == NULL)
    folder = make_folder();
  if (folder == NULL) {
    perror("a test's folder");
    exit(1);
  }
  return folder;
}

void suite_clear(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder != NULL ? folder : "");
  if (folder != NULL && system(command) != 0)
    fprintf(stderr, "%s is left behind\n", folder);
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
