#include "tests/suite.h"

#include <errno.h>
#include <sys/statvfs.h>

/* What the leak sanitizer leaves aside: HDF5 loses memory of its own where a file is damaged. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }

enum { LIMIT = 280 }; /* seconds of a test, below the 300 that ctest gives the program */

static SuiteTest *tests;
static int ntests;
static bool each;
static SFun setup, teardown;

void suite_add(const SuiteTest *test)
{
  SuiteTest *more = realloc(tests, (size_t)(ntests + 1) * sizeof *tests);
  if (more == NULL) {
    perror("the list of tests");
    exit(1);
  }
  tests = more;
  /* By line: the order of constructors is the compiler's. */
  int at = ntests++;
  for (; at > 0 && tests[at - 1].test->line > test->test->line; at--)
    tests[at] = tests[at - 1];
  tests[at] = *test;
}

void suite_fixture(bool for_each, SFun before, SFun after)
{
  if (setup != NULL || teardown != NULL) {
    fputs("a program has one fixture\n", stderr);
    exit(1);
  }
  each = for_each;
  setup = before;
  teardown = after;
}

/* The tests of the program that are so; Check takes tags and names of cases alone. */
static void add_case(Suite *suite, bool threads, bool all_sets)
{
  TCase *tc = tcase_create(threads ? "threads" : "tests");
  tcase_set_timeout(tc, LIMIT);
  if (all_sets)
    tcase_set_tags(tc, "all_sets");
  bool any = false;
  for (int i = 0; i < ntests; i++) {
    const SuiteTest *t = &tests[i];
    if (t->skip || t->threads != threads || t->all_sets != all_sets)
      continue;
    any = true;
    tcase_add_loop_test(tc, t->test, t->first, t->first + (t->rows > 0 ? t->rows : 1));
  }
  if (any) /* fixtures run for an empty case, too */
    (each ? tcase_add_checked_fixture : tcase_add_unchecked_fixture)(tc, setup, teardown);
  suite_add_tcase(suite, tc);
}

int suite_main(const char *name)
{
  Suite *suite = suite_create(name);
  for (int i = 0; i < 4; i++)
    add_case(suite, i % 2 == 1, i >= 2);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV); /* CK_NORMAL, unless CK_VERBOSITY is set */
  const int failed = srunner_ntests_failed(runner) != 0 || srunner_ntests_run(runner) == 0;
  srunner_free(runner);
  return failed;
}

static int main_in_folder(const char *name)
{
  (void)suite_folder();
  const int failed = suite_main(name);
  suite_clear();
  return failed;
}

static int (*usual_main)(const char *name) = main_in_folder;

void suite_main_is(int (*other)(const char *name)) { usual_main = other; }

/* Of programs that have none of their own. */
__attribute__((weak)) int main(void) { return usual_main(program_invocation_short_name); }

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
