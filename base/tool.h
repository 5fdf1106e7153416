/* Other programs, as tools: gnuplot. */
#ifndef HOLONOM_BASE_TOOL_H
#define HOLONOM_BASE_TOOL_H

/* What a tool has left once the program has been asked to stop (base/stop.h), before it was started or
 * while it runs. */
enum { TOOL_SECONDS_STOPPED = 5 };

typedef enum ToolEnd {
  TOOL_ENDED,   /* by itself, with a code               */
  TOOL_MISSING, /* it cannot be started                 */
  TOOL_SLOW,    /* it was killed when its time was over */
  TOOL_STOPPED  /* killed since the program is to stop  */
} ToolEnd;

/* Runs argv (argv[0] is found by tool_find) in the folder dir, without input, and with all that it says in
 * the file `out` there, for so many seconds at most. *code: its exit status, 128 if a signal ended it. It has
 * a process group of its own, which is killed with all that it has started where it does not end in time;
 * what it started and left behind is not waited for. */
ToolEnd tool_run(const char *dir, const char *const *argv, const char *out, double seconds, int *code);

#endif
