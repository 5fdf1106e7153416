/* A number on which threads wait: first in a loop, then asleep until the kernel wakes them (a futex; on
 * systems other than Linux they yield). */
#ifndef HOLONOM_BASE_AWAIT_H
#define HOLONOM_BASE_AWAIT_H

#include <stdatomic.h>
#include <stdbool.h>

/* All zero at first. */
typedef struct Await {
  atomic_uint value;
  atomic_int asleep;        /* number of threads that the kernel has to wake */
  _Atomic(double) released; /* when `value` was last set while threads slept, s */
} Await;

/* Sets the number and wakes sleeping threads. They see all earlier writes of this thread. */
void await_set(Await *await, unsigned value);

/* Waits in a loop for up to `seconds`. Returns whether the number differs from `old`. */
bool await_awake(Await *await, unsigned old, double seconds);

/* Sleeps until the number differs from `old`. Returns the seconds until the number was set; for the rest of
 * the time the thread waited for a core. */
double await_asleep(Await *await, unsigned old);

#endif
