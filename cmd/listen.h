/* Installs the signal handlers that set the stop flag of base/stop.h. */
#ifndef HOLONOM_CMD_LISTEN_H
#define HOLONOM_CMD_LISTEN_H

/* The first SIGINT, SIGTERM or SIGHUP requests a clean stop. Signals within a second of it count as the
 * same request, because timeout(1) and launchers signal a process and then its group. The second request
 * prints a message on stderr, the third ends the program at once. Signals ignored at the start (nohup, a
 * script's background job) stay ignored. Also ignores SIGPIPE, so that a closed pipe on the progress output
 * does not end the run. May be called again. */
void listen_for_stops(void);

/* Requests a clean stop shortly before `seconds` have passed: a hundredth of them earlier, at least 10 s, at
 * most half, so that the results are written in time. */
void listen_for_limit(double seconds);

/* Ends the limit, because the work is complete; a request that it has already made is withdrawn. */
void listen_end_limit(void);

/* Ignores SIGXFSZ, so that writing beyond the limit of file size returns an ordinary error. Call it first
 * in main. */
void listen_ignore_limits(void);

#endif
