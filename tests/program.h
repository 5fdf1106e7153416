/* Tests that run the built program, in a scratch folder of their own. HOLONOM_PROGRAM comes from ctest. */
#ifndef HOLONOM_TESTS_PROGRAM_H
#define HOLONOM_TESTS_PROGRAM_H

#include <sys/types.h>

#include "results/results.h"
#include "tests/suite.h"

extern const char *program_scratch; /* the folder */
extern char program_output[];       /* of the last call, stdout and stderr together */
extern const char program_small[];  /* an input: four rigid waters, 16 replicas, 2000 steps */

/* One more format of output.trajectory, where it was built. */
#ifdef HOLONOM_HDF5
#define PROGRAM_H5MD ",h5md"
#else
#define PROGRAM_H5MD ""
#endif

/* Runs the program with these arguments in the scratch folder; returns its exit code, -1 after a signal. */
int program_call(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A call that works: exit code 0, or what it printed is in the message. */
void program_runs(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of the shell in the scratch folder, where $P is the program; its exit code, -1 after a signal.
 * program_do is for one that works, and leaves program_output as it is. */
int program_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void program_do(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One whose output says what was wrong if it does not work. */
void program_does(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Begins such a run and returns at once. */
pid_t program_start(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What the last call printed contains this. */
void program_says(const char *what);

/* A call that is refused: exit code 2, and these words. */
void program_refuses(const char *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The number on the line of it that begins with this name. */
double program_number(const char *name);

/* Files of the scratch folder. */
void program_write(const char *name, const char *text);
FILE *program_create(const char *name);
const char *program_read(const char *name); /* the whole text, in a static buffer */
int program_exists(const char *name);
ResultTable *program_table(const char *name); /* the caller frees it */

/* A file is there in both folders, not empty, and has the same text. */
void program_same(const char *one, const char *other, const char *name);

/* The number of a top-level key in dir/summary.yaml. */
double program_summary(const char *dir, const char *key);

/* From here on (in the process of this test) pictures are gnuplot's; else a script writes files in their
 * place. */
void program_gnuplot(void);

/* Whether 'holonom import' has no Python with its packages, or one that cannot load the library, of another
 * machine; says so. */
int program_lacks_import(void);

/* Makes the folder, runs the tests as suite_main does, removes the folder; returns main's value. Skipped
 * without a program. */
int program_main(const char *name);

#endif
