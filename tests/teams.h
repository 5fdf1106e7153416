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
} TeamMember;

static void *team_member_run(void *argument)
{
  const TeamMember *m = argument;
  for (int k = 0; k < 3; k++) /* again and again: nothing may be left over from the call before */
    force_field_compute(m->field, &m->team, m->state, m->energy);
  return NULL;
}

/* Three times over by `size` threads, at most 3. */
static void team_forces(const ForceField *field, State *state, int size, double *energy)
{
  TeamBarrier barrier = {0};
  pthread_t thread[3];
  TeamMember member[3];
  for (int i = 0; i < size; i++) {
    member[i] = (TeamMember){field, state, {i, size, &barrier}, energy};
    ck_assert_int_eq(pthread_create(&thread[i], NULL, team_member_run, &member[i]), 0);
  }
  for (int i = 0; i < size; i++)
    ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}

#endif
