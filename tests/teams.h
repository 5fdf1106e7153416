/* Forces computed by a team of threads. */
#ifndef HOLONOM_TESTS_TEAMS_H
#define HOLONOM_TESTS_TEAMS_H

#include <check.h>
#include <pthread.h>

#include "engine/force.h"

typedef struct TeamMember {
  const ForceField *field;
  State *state;
  Team team;
  double *energy;
  Status status;
  Error error;
} TeamMember;

static void *team_member_run(void *argument)
{
  TeamMember *m = argument;
  const ForceSums sums = {m->energy, NULL};
  for (int k = 0; k < 3; k++) /* again and again: nothing may be left over from the call before */
    m->status = force_field_compute(m->field, &m->team, m->state, &sums, &m->error);
  return NULL;
}

/* Three times over by `size` threads, at most 3; all of them get the same status, which is returned. */
static Status team_forces(const ForceField *field, State *state, int size, double *energy, Error *error)
{
  TeamBarrier barrier = {0};
  pthread_t thread[3];
  TeamMember member[3];
  for (int i = 0; i < size; i++) {
    member[i] = (TeamMember){field, state, {i, size, &barrier}, energy, STATUS_OK, {0}};
    ck_assert_int_eq(pthread_create(&thread[i], NULL, team_member_run, &member[i]), 0);
  }
  for (int i = 0; i < size; i++) {
    ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    ck_assert_int_eq(member[i].status, member[0].status);
  }
  if (error != NULL)
    *error = member[size - 1].error;
  return member[0].status;
}

#endif
