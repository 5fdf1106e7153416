#include "cmd/listen.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/stop.h"

_Static_assert(ATOMIC_LONG_LOCK_FREE == 2, "signal handlers may use lock-free atomics only");

/* The state that the signal handler shares: the number of requests and the time of the last in
 * milliseconds. Handlers do not interrupt each other (sa_mask) but may run in two threads at once; then two
 * simultaneous requests count as one, as intended. */
static atomic_int requests;
static atomic_long latest;

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { NUMBERS = sizeof numbers / sizeof *numbers, SAME_REQUEST = 1000 };

/* Calls only async-signal-safe functions. */
static void ask(int number)
{
  static const char warning[] =
      "\n"
      "holonom: stopping and writing the results so far; one more signal ends the program at once\n";
  const int before = errno;
  struct timespec time = {0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const long now = (long)(time.tv_sec * 1000 + time.tv_nsec / 1000000) + 1; /* 0: no request yet */
  stop_ask(number);
  long last = atomic_load(&latest);
  const bool another = last == 0 || now - last >= SAME_REQUEST;
  if (another && atomic_compare_exchange_strong(&latest, &last, now)) {
    const int request = atomic_fetch_add(&requests, 1) + 1;
    if (request == 2)
      (void)!write(STDERR_FILENO, warning, sizeof warning - 1);
    if (request > 2) {
      struct sigaction end = {.sa_handler = SIG_DFL};
      sigemptyset(&end.sa_mask);
      (void)sigaction(number, &end, NULL);
      (void)raise(number); /* blocked until this handler returns */
    }
  }
  errno = before;
}

void listen_for_stops(void)
{
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < NUMBERS; i++)
    (void)sigaddset(&action.sa_mask, numbers[i]);
  for (int i = 0; i < NUMBERS; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      (void)sigaction(numbers[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

static void reach_limit(int number)
{
  (void)number;
  const int before = errno;
  stop_ask(STOP_LIMIT);
  errno = before;
}

static void set_timer(double seconds)
{
  const double whole = floor(seconds);
  (void)setitimer(ITIMER_REAL,
                  &(struct itimerval){.it_value = {.tv_sec = (time_t)whole,
                                                   .tv_usec = (suseconds_t)(1e6 * (seconds - whole))}},
                  NULL);
}

void listen_for_limit(double seconds)
{
  static const double least = 1e-3, most = 1e9, share = 0.01, reserve = 10.0; /* s; 1e9 s: 31 years */
  struct sigaction action = {.sa_handler = reach_limit, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  (void)sigaction(SIGALRM, &action, NULL);
  seconds -= fmin(fmax(share * seconds, reserve), 0.5 * seconds);
  set_timer(fmin(fmax(seconds, least), most));
}

void listen_end_limit(void)
{
  set_timer(0.0);
  stop_withdraw_limit();
}

void listen_ignore_limits(void) { signal(SIGXFSZ, SIG_IGN); }
