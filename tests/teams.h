/* Work by a team of threads. */
#ifndef HOLONOM_TESTS_TEAMS_H
#define HOLONOM_TESTS_TEAMS_H

#include <omp.h>

#include "engine/force.h"
#include "tests/suite.h"

enum { TEAM_MOST = 16 };

typedef Status TeamWork(void *self, const Team *team, Error *error);

/* By `size` threads, at most TEAM_MOST: what each of them does; idler: as TeamBarrier has it. All must get
 * the same status, which is returned, and the same message, which is copied where *error is not NULL. */
static inline Status team_run_idle(int size, int idler, TeamWork *work, void *self, Error *error)
{
  TeamBarrier barrier = {.idler = idler};
  Status status[TEAM_MOST];
  Error said[TEAM_MOST];
  int actual = 0;
  ck_assert_int_le(size, TEAM_MOST);
#pragma omp parallel num_threads(size)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    said[team.rank] = (Error){0};
    status[team.rank] = work(self, &team, &said[team.rank]);
    if (team.rank == 0)
      actual = team.size;
  }
  ck_assert_int_eq(actual, size);
  for (int i = 1; i < size; i++) {
    ck_assert_int_eq(status[i], status[0]);
    ck_assert_str_eq(said[i].text, said[0].text);
  }
  if (error != NULL)
    *error = said[0];
  return status[0];
}

static inline Status team_run(int size, TeamWork *work, void *self, Error *error)
{
  return team_run_idle(size, 0, work, self, error);
}

typedef struct TeamForces {
  const ForceField *field;
  State *state;
  int times;
  const ForceSums *sums;
} TeamForces;

static inline Status team_forces_member(void *self, const Team *team, Error *error)
{
  const TeamForces *f = self;
  Status status = STATUS_OK;
  for (int k = 0; k < f->times; k++)
    status = force_field_compute(f->field, team, f->state, f->sums, error);
  return status;
}

/* The forces of a field, several times over: nothing may be left over from the call before. */
static inline Status team_forces_idle(const ForceField *field, State *state, int size, int idler, int times,
                                      const ForceSums *sums, Error *error)
{
  TeamForces f = {field, state, times, sums};
  return team_run_idle(size, idler, team_forces_member, &f, error);
}

static inline Status team_forces(const ForceField *field, State *state, int size, int times,
                                 const ForceSums *sums, Error *error)
{
  return team_forces_idle(field, state, size, 0, times, sums, error);
}

#endif
