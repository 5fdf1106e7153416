/* A cheap clock for shares of time: processor ticks if available, otherwise nanoseconds. */
#ifndef HOLONOM_BASE_TICKS_H
#define HOLONOM_BASE_TICKS_H

#include <stdint.h>
#include <time.h>

static inline double ticks_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of this thread in seconds. */
static inline double ticks_of_thread(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds since *last, which is set to the present time. */
static inline double ticks_lap(double *last)
{
  const double before = *last;
  *last = ticks_seconds();
  return *last - before;
}

static inline uint64_t ticks_now(void)
{
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return (uint64_t)(1e9 * ticks_seconds());
#endif
}

#endif
