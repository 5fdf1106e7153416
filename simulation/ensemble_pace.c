/* How many threads a job is worth. */
#include "simulation/ensemble_private.h"

/* Below this many molecules a thread waits longer at the barriers of a step than it works. */
enum { MOLECULES_PER_THREAD = 32 };

int ensemble_pace_useful(const Ensemble *e)
{
  int nmol = 0;
  for (int k = 0; k < e->options.nkind; k++)
    nmol += e->options.nmol[k];
  return e->team ? 1 + nmol / MOLECULES_PER_THREAD : e->held;
}

/* Threads that have gone to sleep since the last job take some 50 us to wake, and longer where another
 * program has their cores: what one thread does in twice that it does alone. Bits do not depend on it. */
static const double worth_waking = 100e-6;

int ensemble_pace_workers(const Ensemble *e, int gangs, int64_t steps)
{
  const double seconds = e->pace * (double)gangs * (double)(steps > 0 ? steps : 1);
  const bool alone = !e->team && !e->eager && e->pace > 0.0 && seconds < worth_waking;
  return alone ? 1 : e->nworker;
}

/* From what the workers took. Another program may have had a core meanwhile, so one job does not say much. */
void ensemble_pace_learn(Ensemble *e)
{
  double seconds = 0.0;
  int64_t steps = 0;
  for (int t = 0; t < e->nworker; t++) {
    seconds += e->worker[t].seconds;
    steps += e->worker[t].steps;
    e->worker[t].seconds = 0.0;
    e->worker[t].steps = 0;
  }
  const double pace = steps > 0 ? seconds / (double)steps : e->pace;
  e->pace = e->pace > 0.0 && pace > 2.0 * e->pace ? 2.0 * e->pace : pace;
}
