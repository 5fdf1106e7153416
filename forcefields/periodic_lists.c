/* When the list of the periodic force is made.
 *
 * Strict ones as list_update says. Fast ones by the number of the step: from the positions of the first force
 * of a step on, for `every` steps. So that what happens between the steps changes nothing, forces whose
 * energies are asked for do with the list of the step before where a new one is due, or with one of their
 * own; and the positions that the list was made from are kept for checkpoints. Molecules that are found much
 * further from there than any could have gone, because they were put there, are another reason to make a
 * list. */
#include <math.h>
#include <string.h>

#include "forcefields/periodic_private.h"

/* Of sum of the displacements of two molecules, in the width of a displacement along one direction. */
static const double far = 14.0;

static bool same(PeriodicMade a, PeriodicMade b) { return a.step == b.step && a.mark == b.mark; }

double periodic_lists_limit(const PeriodicOptions *o, double mass, int every)
{
  return fmax(o->buffer, far * sqrt(o->kT / mass) * o->h * every);
}

/* A number that other positions have not, in all likelihood: the same for any team. */
static uint64_t mark_of(int i, const int32_t o[4])
{
  uint64_t h = (uint64_t)(uint32_t)i;
  for (int d = 0; d < 3; d++) {
    h = (h ^ (uint64_t)(uint32_t)o[d]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

/* Keeps this thread's share of the positions; returns what it adds to the mark. */
static uint64_t keep_positions(Periodic *p, const Team *team)
{
  int begin, end;
  uint64_t mark = 0;
  team_range(team, p->nmol, &begin, &end);
  for (int i = begin; i < end; i++) {
    memcpy(p->kept_at[i], p->o[i], sizeof p->kept_at[i]);
    mark += mark_of(i, p->o[i]);
  }
  return mark;
}

/* From the positions of now. */
static Status make(Periodic *p, const Team *team, int64_t step, Error *error)
{
  p->mark[team->rank] = keep_positions(p, team);
  const Status status = list_make(p->list, team, (const int32_t(*)[4])p->kept_at, error);
  if (team->rank == 0) {
    PeriodicMade made = {.step = status == STATUS_OK ? step : -1};
    for (int t = 0; t < team->size; t++)
      made.mark += p->mark[t];
    p->kept = p->present = made;
  }
  team_barrier(team);
  return status;
}

/* From the positions of now, for this once. */
static Status make_passing(Periodic *p, const Team *team, Error *error)
{
  const Status status = list_make(p->list, team, (const int32_t(*)[4])p->o, error);
  if (team->rank == 0)
    p->present = (PeriodicMade){.step = -1};
  team_barrier(team);
  return status;
}

/* From the positions kept, which a checkpoint may have brought. */
static Status restore(Periodic *p, const Team *team, Error *error)
{
  const Status status = list_make(p->list, team, (const int32_t(*)[4])p->kept_at, error);
  if (team->rank == 0)
    p->present = status == STATUS_OK ? p->kept : (PeriodicMade){.step = -1};
  team_barrier(team);
  return status;
}

Status periodic_lists_update(Periodic *p, const Team *team, int64_t step, bool between, Error *error)
{
  if (p->choice.every == 0)
    return list_update(p->list, team, (const int32_t(*)[4])p->o, error);
  const int64_t due = p->kept.step + p->choice.every;
  if (p->kept.step < 0 || step < p->kept.step || step > due || (step == due && !between))
    return make(p, team, step, error);
  Status status = STATUS_OK;
  if (!same(p->kept, p->present))
    status = restore(p, team, error);
  if (status != STATUS_OK || !(list_moved(p->list, team, (const int32_t(*)[4])p->o) > p->limit))
    return status;
  return between ? make_passing(p, team, error) : make(p, team, step, error);
}
