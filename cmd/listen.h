/* Signals that ask the program to stop: from them to the flag of base/stop.h. */
#ifndef HOLONOM_CMD_LISTEN_H
#define HOLONOM_CMD_LISTEN_H

/* From here on the first SIGINT, SIGTERM or SIGHUP only asks. What comes within a second of it is the same
 * request: timeout(1) and launchers signal a process, and then its group. The next one is answered on stderr,
 * and the one after that (a second later, again) ends the program at once. A signal that the program was
 * started with ignored (by nohup, or in the background of a script) stays ignored. SIGPIPE is ignored, so
 * that a reader of the progress that goes away does not take the run with it. May be called again. */
void listen_for_stops(void);

/* Ignores SIGXFSZ: beyond a limit of file size a write fails and is reported as any other. For the whole
 * program, first thing. */
void listen_ignore_limits(void);

#endif
