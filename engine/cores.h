/* How many threads a program takes by default. */
#ifndef HOLONOM_ENGINE_CORES_H
#define HOLONOM_ENGINE_CORES_H

/* OMP_NUM_THREADS where it is set; else the least of the cores that the process may run on, those that Slurm
 * gives a task (SLURM_CPUS_PER_TASK) and those that the quota of its control groups is worth. At most
 * OMP_THREAD_LIMIT, at least 1. */
int cores_default(void);

/* The cores that quotas are worth, versions 1 and 2: the least over the groups that `groups` (the text of
 * /proc/self/cgroup) names and all that they lie in, of folders below `mount` (/sys/fs/cgroup). 0: no quota.
 */
double cores_quota(const char *groups, const char *mount);

#endif
