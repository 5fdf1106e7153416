/* The number of threads that a program uses by default. */
#ifndef HOLONOM_ENGINE_CORES_H
#define HOLONOM_ENGINE_CORES_H

/* OMP_NUM_THREADS if set; else the least of: the cores that the process may run on, the cores that Slurm
 * assigns to a task (SLURM_CPUS_PER_TASK), and the quota of its control groups. At most OMP_THREAD_LIMIT, at
 * least 1. */
int cores_default(void);

/* The cores of the quotas of control groups, versions 1 and 2: the least over the groups in `groups` (the
 * text of /proc/self/cgroup) and their parents, in folders below `mount` (/sys/fs/cgroup). 0: no quota. */
double cores_quota(const char *groups, const char *mount);

#endif
