/* The question that everything long asks: has a signal asked the program to stop? (cmd/listen.h hears them;
 * in a program of others, which does not listen, none ever has.) */
#ifndef HOLONOM_BASE_STOP_H
#define HOLONOM_BASE_STOP_H

#include <stdbool.h>

#include "base/flag.h"

/* Whether a signal has asked; loops that may take longer than a second ask this. */
bool stop_asked(void);

/* Signal number `number` asks. May be called by a signal handler. */
void stop_ask(int number);

/* Seconds since a signal asked, 0 if none has. */
double stop_since(void);

/* The same as a flag, raised to the number of the signal, for what is handed a flag. */
const Flag *stop_flag(void);

/* The exit code of work that ended cleanly because a signal asked: 128 and the signal's number, as of a
 * program that dies of it in a shell. 0 if none has. */
int stop_exit_code(void);

#endif
