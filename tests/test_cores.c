/* The threads that a program takes by itself: what quotas of control groups are worth, by files like those of
 * the system, and what the environment says. */
#include <omp.h>
#include <sys/stat.h>

#include "engine/cores.h"
#include "tests/suite.h"

/* A file below the test's folder, with the folders that it lies in. */
static void put(const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", suite_folder(), name);
  for (char *c = path + 1; (c = strchr(c, '/')) != NULL; c++) {
    *c = '\0';
    (void)mkdir(path, 0777);
    *c = '/';
  }
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static double quota(const char *groups, const char *mount)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", suite_folder(), mount);
  return cores_quota(groups, path);
}

TEST(version_2)
{
  put("two/cpu.stat", "");
  put("two/jobs/cpu.max", "600000 100000\n");
  put("two/jobs/mine/cpu.max", "max 100000\n");
  put("two/jobs/mine/step/cpu.max", "150000 100000\n");
  ck_assert_double_eq(quota("0::/\n", "two"), 0.0);
  ck_assert_double_eq(quota("0::/jobs\n", "two"), 6.0);
  ck_assert_double_eq(quota("0::/jobs/mine\n", "two"), 6.0); /* of what it lies in */
  ck_assert_double_eq(quota("0::/jobs/mine/step\n", "two"), 1.5);
  ck_assert_double_eq(quota("0::/not/seen/here\n", "two"), 0.0);
  put("own/cpu.max", "200000 100000\n"); /* a container that sees its own group at the top */
  ck_assert_double_eq(quota("0::/not/seen/here\n", "own"), 2.0);
}

TEST(version_1)
{
  put("one/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put("one/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  put("one/cpu,cpuacct/batch/cpu.cfs_quota_us", "50000\n");
  put("one/cpu,cpuacct/batch/cpu.cfs_period_us", "25000\n");
  put("one/cpuset/batch/cpu.cfs_quota_us", "1\n"); /* of another controller */
  put("one/cpuset/batch/cpu.cfs_period_us", "1\n");
  ck_assert_double_eq(quota("4:cpuset:/batch\n3:cpu,cpuacct:/\n", "one"), 0.0);
  ck_assert_double_eq(quota("4:cpuset:/batch\n3:cpu,cpuacct:/batch\n", "one"), 2.0);
  put("plain/cpu/batch/cpu.cfs_quota_us", "300000\n");
  put("plain/cpu/batch/cpu.cfs_period_us", "100000\n");
  ck_assert_double_eq(quota("3:cpuacct,cpu:/batch\n", "plain"), 3.0); /* another order of the names */
}

TEST(senseless_files)
{
  put("odd/cpu.max", "0 0\n");
  put("odd/a/cpu.max", "words\n");
  put("odd/b/cpu.max", "");
  static const char *const groups[] = {
      "", "\n", "0", "0:", "0::", "0::/a", "0::/b\n\n", "0::/../odd", ":::::"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    ck_assert_double_eq(quota(groups[i], "odd"), 0.0);
}

/* OMP_THREAD_LIMIT is read as the program starts, and left to OpenMP. */
TEST(environment)
{
  const int limit = omp_get_thread_limit();
  unsetenv("OMP_NUM_THREADS");
  unsetenv("SLURM_CPUS_PER_TASK");
  omp_set_num_threads(64);
  const int free_choice = cores_default();
  ck_assert_int_ge(free_choice, 1);
  ck_assert_int_le(free_choice, limit < 64 ? limit : 64);
  setenv("SLURM_CPUS_PER_TASK", "1", 1);
  ck_assert_int_eq(cores_default(), 1);
  for (int k = 0; k < 3; k++) { /* words that say nothing */
    setenv("SLURM_CPUS_PER_TASK", (const char *const[]){"", "0", "2x"}[k], 1);
    ck_assert_int_eq(cores_default(), free_choice);
  }
  setenv("SLURM_CPUS_PER_TASK", "1", 1);
  setenv("OMP_NUM_THREADS", "64", 1); /* who sets it means it */
  ck_assert_int_eq(cores_default(), limit < 64 ? limit : 64);
}

int main(void)
{
  (void)suite_folder();
  const int failed = suite_main("cores");
  suite_clear();
  return failed;
}
