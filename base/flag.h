/* A flag that any thread or signal handler may raise: a lock-free atomic number (C17 7.14.1.1, 7.17). */
#ifndef HOLONOM_BASE_FLAG_H
#define HOLONOM_BASE_FLAG_H

#include <stdatomic.h>
#include <stddef.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "signal handlers need a lock-free type");

/* All zero: not raised. */
typedef struct Flag {
  atomic_int value;
} Flag;

/* Raises the flag to a value other than 0; a raised flag keeps its value. */
static inline void flag_raise(Flag *flag, int value)
{
  int down = 0;
  (void)atomic_compare_exchange_strong(&flag->value, &down, value);
}

static inline void flag_lower(Flag *flag) { atomic_store(&flag->value, 0); }

/* 0: not raised, or the flag is NULL. */
static inline int flag_value(const Flag *flag) { return flag != NULL ? atomic_load(&flag->value) : 0; }

#endif
