#include "engine/team.h"

#include <sched.h>
#include <stdint.h>

void team_share(int n, int part, int parts, int *begin, int *end)
{
  *begin = (int)((int64_t)n * part / parts);
  *end = (int)((int64_t)n * (part + 1) / parts);
}

void team_range(const Team *team, int n, int *begin, int *end)
{
  team_share(n, team->rank, team->size, begin, end);
}

/* Steps take microseconds, so threads spin; they yield after a while in case a core is shared. */
void team_barrier(const Team *team)
{
  if (team->size == 1)
    return;
  TeamBarrier *b = team->barrier;
  const int phase = atomic_load_explicit(&b->phase, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&b->arrived, 1, memory_order_acq_rel) == team->size - 1) {
    atomic_store_explicit(&b->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&b->phase, phase + 1, memory_order_release);
    return;
  }
  for (int spin = 0; atomic_load_explicit(&b->phase, memory_order_acquire) == phase; spin++)
    if (spin > 4000)
      sched_yield();
}
