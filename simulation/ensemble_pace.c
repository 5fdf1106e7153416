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
 * one; and up to the second, over which such waits are little, by one or all, whichever was faster of late.
 * Bits do not depend on it. */
static const double worth_waking = 100e-6, worth_sharing = 50e-3;
enum { TRY_OTHER = 64 /* jobs until the slower way is tried again */, MEMORY = 8 /* jobs in a mean */ };

/* Whether all were slower than one of late. */
static bool alone_is_faster(Ensemble *e)
{
  if (e->wall[0] == 0.0 || e->wall[1] == 0.0)
    return e->wall[0] == 0.0;
  const bool other = ++e->jobs % TRY_OTHER == 0;
  return (e->wall[0] < e->wall[1]) != other;
}

int ensemble_pace_workers(Ensemble *e, int gangs, int64_t steps)
{
  const double seconds = e->pace * (double)gangs * (double)(steps > 0 ? steps : 1);
  if (e->team || e->eager || e->nworker == 1 || e->pace == 0.0 || seconds > worth_sharing)
    return e->nworker;
  return seconds < worth_waking || alone_is_faster(e) ? 1 : e->nworker;
}

void ensemble_pace_learn(Ensemble *e, int workers, double seconds)
{
  double busy = 0.0;
  int64_t steps = 0;
  for (int t = 0; t < e->nworker; t++) {
    busy += e->worker[t].seconds;
    steps += e->worker[t].steps;
    e->worker[t].seconds = 0.0;
    e->worker[t].steps = 0;
  }
  if (steps == 0)
    return;
  const double pace = busy / (double)steps, wall = seconds / (double)steps;
  e->pace = e->pace > 0.0 && pace > 2.0 * e->pace ? 2.0 * e->pace : pace; /* one job does not say much */
  const bool shorter = e->pace * (double)steps < worth_waking; /* which says nothing of longer ones */
  double *mean = &e->wall[workers > 1];
  if (!shorter)
    *mean += (wall - *mean) / (*mean > 0.0 ? MEMORY : 1);
}
