/* Signals that ask the program to stop, and the question that everything long asks: has one come? */
#ifndef HOLONOM_ENGINE_STOP_H
#define HOLONOM_ENGINE_STOP_H

#include <stdbool.h>

#include "engine/flag.h"

/* From here on the first SIGINT, SIGTERM or SIGHUP only asks. What comes within a second of it is the same
 * request: timeout(1) and launchers signal a process, and then its group. The next one is answered on stderr,
 * and the one after that (a second later, again) ends the program at once. A signal that the program was
 * started with ignored (by nohup, or in the background of a script) stays ignored. SIGPIPE is ignored, so
 * that a reader of the progress that goes away does not take the run with it. May be called again. */
void stop_listen(void);

/* Ignores SIGXFSZ: beyond a limit of file size a write fails and is reported as any other. For the whole
 * program, first thing. */
void stop_ignore_limits(void);

/* Whether a signal has asked; loops that may take longer than a second ask this. */
bool stop_asked(void);

/* The same as a flag, raised to the number of the signal, for what lies in modules below. */
const Flag *stop_flag(void);

/* The exit code of work that ended cleanly because a signal asked: 128 and the signal's number, as of a
 * program that dies of it in a shell. 0 if none has. */
int stop_exit_code(void);

#endif
