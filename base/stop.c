#include "base/stop.h"

#include "base/ticks.h"

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "signal handlers need a lock-free type");

enum { LIMIT_EXIT_CODE = 124 };

/* The number of the first request, and its time, ns. */
static Flag asked;
static atomic_llong when;

void stop_ask(int number)
{
  long long none = 0;
  (void)atomic_compare_exchange_strong(&when, &none, (long long)(1e9 * ticks_seconds()));
  flag_raise(&asked, number);
}

double stop_since(void) { return stop_asked() ? ticks_seconds() - 1e-9 * (double)atomic_load(&when) : 0.0; }

bool stop_limited(void) { return flag_value(&asked) == STOP_LIMIT; }

void stop_withdraw_limit(void)
{
  int limit = STOP_LIMIT;
  (void)atomic_compare_exchange_strong(&asked.value, &limit, 0);
}

bool stop_asked(void) { return flag_value(&asked) != 0; }

const Flag *stop_flag(void) { return &asked; }

int stop_exit_code(void)
{
  return stop_limited() ? LIMIT_EXIT_CODE : stop_asked() ? 128 + flag_value(&asked) : 0;
}
