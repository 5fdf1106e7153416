/* Runs other programs as tools, such as gnuplot. */
#ifndef HOLONOM_BASE_TOOL_H
#define HOLONOM_BASE_TOOL_H

/* The time that a tool has after a request to stop the program (base/stop.h), s. */
enum { TOOL_SECONDS_STOPPED = 5 };

typedef enum ToolEnd {
  TOOL_ENDED,   /* by itself, with an exit code */
  TOOL_MISSING, /* it cannot be started */
  TOOL_SLOW,    /* it was killed after its time */
  TOOL_STOPPED  /* it was killed because the program is to stop */
} ToolEnd;

/* Runs argv (argv[0] is found by tool_find) in the folder dir, without input, for at most `seconds`; its
 * output goes to the file `out` there. *code: its exit status, 128 if a signal ended it. It has a process
 * group of its own, which is killed as a whole after that time; processes that it leaves behind are not
 * waited for. */
ToolEnd tool_run(const char *dir, const char *const *argv, const char *out, double seconds, int *code);

#endif
