/* How many threads a job is worth. */
#include "simulation/ensemble_private.h"

/* Below this many lanes a thread waits longer at the barriers of a step than it works. */
enum { LANES_PER_THREAD = 32 };

int ensemble_pace_useful(const Ensemble *e)
{
  const Topology *topology = e->options.topology;
  int lanes = 0;
  for (int b = 0; b < topology->nblock; b++)
    lanes += topology->lanes[b];
  return e->team ? 1 + lanes / LANES_PER_THREAD : e->held;
}

/* Threads may have gone to sleep since the last job, which takes some 50 us to wake them. Where another
 * program has their cores, all wait for the one that has none, for milliseconds: a short job is then done
 * sooner by one thread. So what takes less than the first of these, seconds of one thread, is always done by
 * one; and up to the second, over which such waits are little, by one or all, whichever was faster of late; a
 * job whose threads wait for each other at every step, since the caller is asked for forces there, by one or
 * all however long it is. Bits do not depend on it. */
static const double worth_waking = 100e-6, worth_sharing = 50e-3;
/* The slower way is tried again after jobs of so many times its time. Jobs in a mean; of the slower way,
 * whose last trial is long ago. */
enum { TRY_OTHER = 64, MEMORY = 8, SHORT_MEMORY = 2 };

/* Whether all were slower than one of late. */
static bool alone_is_faster(Ensemble *e)
{
  if (e->wall[0] == 0.0 || e->wall[1] == 0.0)
    return e->wall[0] == 0.0;
  const bool alone = e->wall[0] < e->wall[1];
  const bool other = ++e->jobs > TRY_OTHER * e->wall[alone] / e->wall[!alone];
  if (other)
    e->jobs = 0;
  return alone != other;
}

int ensemble_pace_workers(Ensemble *e, int gangs, int64_t steps)
{
  e->begun = ensemble_worked(e, &e->begun_steps);
  const double seconds = e->pace * (double)gangs * (double)(steps > 0 ? steps : 1);
  if (e->team || e->eager || e->nworker == 1 || e->pace == 0.0 || (seconds > worth_sharing && !e->together))
    return e->nworker;
  return seconds < worth_waking || alone_is_faster(e) ? 1 : e->nworker;
}

void ensemble_pace_learn(Ensemble *e, int workers, double seconds)
{
  int64_t steps;
  const double busy = ensemble_worked(e, &steps) - e->begun;
  steps -= e->begun_steps;
  if (steps == 0)
    return;
  const double pace = busy / (double)steps, wall = seconds / (double)steps;
  e->pace = e->pace > 0.0 && pace > 2.0 * e->pace ? 2.0 * e->pace : pace; /* one job does not say much */
  const bool shorter = e->pace * (double)steps < worth_waking; /* which says nothing of longer ones */
  double *mean = &e->wall[workers > 1];
  const bool slower = *mean > e->wall[workers == 1];
  if (!shorter)
    *mean += (wall - *mean) / (*mean == 0.0 ? 1 : slower ? SHORT_MEMORY : MEMORY);
}
