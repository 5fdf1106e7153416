#include "engine/cores.h"

#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file; false if it cannot be read. */
static bool first_line(const char *folder, const char *name, char line[64])
{
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  FILE *file = fopen(path, "re");
  const bool read = file != NULL && fgets(line, 64, file) != NULL;
  if (file != NULL)
    fclose(file); /* only read */
  return read;
}

/* The quota of one group: cpu.max of version 2 ("150000 100000" or "max 100000"), two files of version 1. */
static double quota_of(const char *folder)
{
  char line[64], period[64];
  if (first_line(folder, "cpu.max", line)) {
    char *end;
    const double most = strtod(line, &end), each = strtod(end, NULL);
    return most > 0.0 && each > 0.0 ? most / each : 0.0;
  }
  if (!first_line(folder, "cpu.cfs_quota_us", line) || !first_line(folder, "cpu.cfs_period_us", period))
    return 0.0;
  const double most = strtod(line, NULL), each = strtod(period, NULL);
  return most > 0.0 && each > 0.0 ? most / each : 0.0;
}

/* The least quota of mount/controller and the folders below it down to `path`, which is truncated. In a
 * container the group itself may be at the top, under another path. */
static double quota_below(const char *mount, const char *controller, char *path, double least)
{
  char folder[PATH_MAX];
  for (;;) {
    if (snprintf(folder, sizeof folder, "%s%s%s", mount, controller, path) < (int)sizeof folder) {
      const double quota = quota_of(folder);
      least = quota > 0.0 && (least == 0.0 || quota < least) ? quota : least;
    }
    char *slash = strrchr(path, '/');
    if (slash == NULL)
      return least;
    *slash = '\0';
  }
}

/* Whether a list such as "cpu,cpuacct" contains this name. */
static bool names(const char *list, const char *name)
{
  const size_t n = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
      return true;
  }
  return false;
}

double cores_quota(const char *groups, const char *mount)
{
  double least = 0.0;
  char *copy = strdup(groups), *rest = copy;
  for (char *line; rest != NULL && (line = strsep(&rest, "\n")) != NULL;) { /* number:controllers:/path */
    (void)strsep(&line, ":");
    const char *controllers = line != NULL ? strsep(&line, ":") : NULL;
    if (line == NULL || strstr(line, "..") != NULL)
      continue;
    char folder[128];
    if (*controllers == '\0')
      least = quota_below(mount, "", line, least);
    else if (names(controllers, "cpu") &&
             snprintf(folder, sizeof folder, "/%s", controllers) < (int)sizeof folder) {
      char again[PATH_MAX];
      snprintf(again, sizeof again, "%s", line);
      least = quota_below(mount, folder, line, least);
      least = quota_below(mount, "/cpu", again, least);
    }
  }
  free(copy);
  return least;
}

/* The quota of this process. */
static double own_quota(void)
{
  char text[8192];
  FILE *file = fopen("/proc/self/cgroup", "re");
  const size_t n = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL)
    fclose(file); /* only read */
  text[n] = '\0';
  return cores_quota(text, "/sys/fs/cgroup");
}

/* A positive integer from the environment; 0 if there is no such number. */
static int of_environment(const char *name)
{
  const char *text = getenv(name);
  char *end;
  const long n = text != NULL ? strtol(text, &end, 10) : 0;
  return n > 0 && n <= INT_MAX && *end == '\0' ? (int)n : 0;
}

static int least_of(int a, int b) { return a < b ? a : b; }

int cores_default(void)
{
  int n = omp_get_max_threads();
  if (getenv("OMP_NUM_THREADS") == NULL) {
    const double quota = own_quota();
    const int task = of_environment("SLURM_CPUS_PER_TASK");
    n = least_of(n, task > 0 ? task : n);
    n = quota > 0.0 ? least_of(n, quota < 1.5 ? 1 : (int)(quota + 0.5)) : n;
  }
  return least_of(n, omp_get_thread_limit());
}
