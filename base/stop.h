/* Whether a signal has asked the program to stop; long computations test it. (cmd/listen.h installs the
 * handlers; a host program that does not has no requests to stop.) */
#ifndef HOLONOM_BASE_STOP_H
#define HOLONOM_BASE_STOP_H

#include <stdbool.h>

#include "base/flag.h"

/* Whether a signal has arrived. Test it in loops that may take longer than a second. */
bool stop_asked(void);

/* Records signal `number`; safe in signal handlers. */
void stop_ask(int number);

/* Seconds since the signal, 0 without one. */
double stop_since(void);

/* The request as a flag, raised to the number of the signal, for functions that take a flag. */
const Flag *stop_flag(void);

/* The exit code after a clean end because of a signal, as in a shell: 128 plus its number. 0 without a
 * signal. */
int stop_exit_code(void);

#endif
