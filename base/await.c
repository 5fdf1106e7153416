#include "base/await.h"

#include <limits.h>
#include <sched.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

#include "base/ticks.h"

enum { RELAXES = 64 /* iterations between readings of the clock */ };

static inline void relax(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory"); /* yield has no effect on most cores; isb waits about 10 ns */
#endif
}

static bool differs(Await *a, unsigned old)
{
  return atomic_load_explicit(&a->value, memory_order_acquire) != old;
}

void await_set(Await *a, unsigned value)
{
#if defined(__linux__)
  if (atomic_load_explicit(&a->asleep, memory_order_relaxed) > 0)
    atomic_store_explicit(&a->released, ticks_seconds(), memory_order_relaxed);
  atomic_store(&a->value, value);
  if (atomic_load(&a->asleep) > 0)
    (void)syscall(SYS_futex, &a->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
  atomic_store(&a->value, value);
#endif
}

bool await_awake(Await *a, unsigned old, double seconds)
{
  double began = 0.0;
  for (int k = 1; !differs(a, old); k++) {
    if (seconds <= 0.0)
      return false;
    relax();
    if (k % RELAXES != 0)
      continue;
    const double now = ticks_seconds();
    if (began == 0.0)
      began = now;
    if (now - began > seconds)
      return differs(a, old);
  }
  return true;
}

double await_asleep(Await *a, unsigned old)
{
  const double began = ticks_seconds();
  while (!differs(a, old)) {
#if defined(__linux__)
    atomic_fetch_add(&a->asleep, 1);
    (void)syscall(SYS_futex, &a->value, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
    atomic_fetch_sub(&a->asleep, 1);
#else
    sched_yield();
#endif
  }
  const double released = atomic_load_explicit(&a->released, memory_order_relaxed);
  return released > began ? released - began : 0.0;
}
