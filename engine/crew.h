/* A crew: threads that work side by side, and wait between one piece of work and the next: awake for a
 * moment, then asleep, so that they leave their cores to other programs. (OpenMP's threads wait awake for 10
 * ms and more after each parallel region.)
 *
 * Threads begin with the first work that asks for them. They take no signals; where OMP_PROC_BIND says that
 * threads stay where they are, each stays in the place that OpenMP has for its number. */
#ifndef HOLONOM_ENGINE_CREW_H
#define HOLONOM_ENGINE_CREW_H

#include "base/status.h"

typedef struct Crew Crew;

/* What each member does; rank 0 is the caller. */
typedef void CrewWork(void *self, int rank, int size);

/* Of up to `most` threads, the caller among them. Errors: STATUS_MEMORY. */
Status crew_create(Crew **out, int most, Error *error);
void crew_free(Crew *crew);

/* Work by `size` members, fewer where the system has no more threads; returns once all have done it. By the
 * caller alone where crew is NULL. Not from within work of the same crew, unless size is 1. */
void crew_run(Crew *crew, int size, CrewWork *work, void *self);

/* work(self, i) for i = 0..n-1, by members as they get to them. */
void crew_each(Crew *crew, int size, int n, void (*work)(void *self, int i), void *self);

#endif
