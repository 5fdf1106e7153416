/* A flag that any thread or signal handler may raise: an atomic number without locks (C17 7.14.1.1, 7.17). */
#ifndef HOLONOM_BASE_FLAG_H
#define HOLONOM_BASE_FLAG_H

#include <stdatomic.h>
#include <stddef.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "signal handlers may touch nothing else");

/* All zero: down. */
typedef struct Flag {
  atomic_int value;
} Flag;

/* To a value that is not 0; of several the first stays. */
static inline void flag_raise(Flag *flag, int value)
{
  int down = 0;
  (void)atomic_compare_exchange_strong(&flag->value, &down, value);
}

static inline void flag_lower(Flag *flag) { atomic_store(&flag->value, 0); }

/* 0: down, as is a flag that is NULL. */
static inline int flag_value(const Flag *flag) { return flag != NULL ? atomic_load(&flag->value) : 0; }

#endif
