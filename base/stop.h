/* Whether a signal or the limit of time has asked the program to stop; long computations test it.
 * (cmd/listen.h installs the handlers; a host program that does not has no requests to stop.) */
#ifndef HOLONOM_BASE_STOP_H
#define HOLONOM_BASE_STOP_H

#include <stdbool.h>

#include "base/flag.h"

/* In place of a signal's number: the limit of time has been reached (listen_for_limit). */
enum { STOP_LIMIT = 1 << 16 };

/* Whether a stop has been requested. Test it in loops that may take longer than a second. */
bool stop_asked(void);

/* Whether the first request came from the limit of time. */
bool stop_limited(void);

/* Records signal `number` or STOP_LIMIT; safe in signal handlers. */
void stop_ask(int number);

/* Withdraws the request of the limit of time, but not that of a signal. */
void stop_withdraw_limit(void);

/* Seconds since the request, 0 without one. */
double stop_since(void);

/* The request as a flag, raised to the number of the signal or STOP_LIMIT, for functions that take a flag. */
const Flag *stop_flag(void);

/* The exit code after a clean end. For a signal, as in a shell: 128 plus its number; for the limit of time,
 * as of timeout(1): 124; 0 without a request. */
int stop_exit_code(void);

#endif
