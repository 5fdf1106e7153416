/* Other programs, as tools: gnuplot, a converter of Markdown. */
#ifndef HOLONOM_ENGINE_TOOL_H
#define HOLONOM_ENGINE_TOOL_H

/* Runs argv (argv[0] is looked for in PATH) in the folder dir, without input, and with all that it says in
 * the file `out` there. Returns its exit status, 128 if a signal ended it, -1 if it cannot be started; some
 * systems find that out late and return 127. */
int tool_run(const char *dir, const char *const *argv, const char *out);

#endif
