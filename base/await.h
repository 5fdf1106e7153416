/* A number that threads wait for: awake for a while, then asleep until the kernel wakes them (futex;
 * elsewhere than on Linux they yield). */
#ifndef HOLONOM_BASE_AWAIT_H
#define HOLONOM_BASE_AWAIT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Zero is the start. */
typedef struct Await {
  atomic_uint value;
  atomic_int asleep;        /* threads that the kernel has to wake              */
  _Atomic(double) released; /* when `value` was last set while threads slept, s */
} Await;

/* Sets the number and wakes the threads that sleep. They see all that was written before. */
void await_set(Await *await, unsigned value);

/* Waits for up to `seconds` without giving up the core; whether the number differs from `old`. */
bool await_awake(Await *await, unsigned old, double seconds);

/* Sleeps until the number differs from `old`. Returns the seconds up to the moment at which it was set: the
 * rest of the time the thread waited for a core. */
double await_asleep(Await *await, unsigned old);

#endif
