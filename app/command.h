/* The program's commands: each is one file and one row in the table of main.c. */
#ifndef HOLONOM_APP_COMMAND_H
#define HOLONOM_APP_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

#include "engine/status.h"
#include "forcefields/water.h"

typedef struct Command {
  const char *name;
  const char *usage;                 /* after "holonom "                          */
  const char *doc;                   /* what it does, options one a line          */
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} Command;

extern const Command command_run, command_build, command_check, command_rdf, command_observe, command_energy,
    command_compare, command_list, command_bench;

/* The table, ended by NULL. */
extern const Command *const command_table[];

/* Prints "holonom NAME: message" to stderr; returns the exit code of the status. */
int command_fail(const Command *command, Status status, const Error *error);

/* The exit code of a command that has done its work, or failed at it with a message: 3 also where its output
 * did not reach stdout. */
int command_end(const Command *command, Status status, const Error *error);

/* As command_fail for a wrong call: message, then the usage; returns 2. */
int command_misused(const Command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
#ifdef __clang_analyzer__ /* as in engine/status.h */
#define command_misused(...) ((void)command_misused(__VA_ARGS__), 2)
#endif

/* One step of getopt_long with messages of our own: the option's value, -1 at the end, or '?' after having
 * reported a wrong call. */
int command_option(const Command *command, int argc, char **argv, const char *letters,
                   const struct option *options);

/* The value of --model, in capitals or not: 0, or the exit code of a wrong call, with the models that there
 * are. */
int command_model(const Command *command, const char *text, const WaterModel **model);

/* A positive number from text; three of them, "20,20,25". False if they are not that, or not finite. */
bool command_positive(const char *text, double *value);
bool command_lengths(const char *text, double length[3]);

/* A whole number from text, between least and most. */
int command_number(const char *text, long least, long most, long *value);

#endif
