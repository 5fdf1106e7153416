/* The threads of a run. Between pieces of work they wait awake for a moment, then sleep, so that other
 * programs can use their cores. (OpenMP's threads stay awake for 10 ms and more after each parallel region.)
 *
 * Threads start with the first work that needs them. They block all signals. If OMP_PROC_BIND binds threads,
 * each is bound to the place that OpenMP has for its number. */
#ifndef HOLONOM_ENGINE_CREW_H
#define HOLONOM_ENGINE_CREW_H

#include "base/status.h"

typedef struct Crew Crew;

/* The work of each member; rank 0 is the caller. */
typedef void CrewWork(void *self, int rank, int size);

/* Creates a crew of up to `most` threads, the caller included. Errors: STATUS_MEMORY. */
Status crew_create(Crew **out, int most, Error *error);
void crew_free(Crew *crew);

/* Runs work on `size` members, or fewer if the system has no more threads; returns when all have finished.
 * crew NULL: on the caller alone. Work of a crew may not call this for the same crew, unless size is 1. */
void crew_run(Crew *crew, int size, CrewWork *work, void *self);

/* Runs work(self, i) for i = 0..n-1; each member takes the next i when it is free. */
void crew_each(Crew *crew, int size, int n, void (*work)(void *self, int i), void *self);

#endif
