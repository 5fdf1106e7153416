/* The program's commands: each is one file and one row in the table of main.c. Its rows of options serve the
 * reading of a call, help, the man page and completion. */
#ifndef HOLONOM_CMD_COMMAND_H
#define HOLONOM_CMD_COMMAND_H

#include <getopt.h> /* optarg, optind */
#include <stdbool.h>
#include <stdio.h>

#include "engine/status.h"
#include "forcefields/water.h"

typedef struct CommandOption {
  const char *name;            /* as in --name                                          */
  int value;                   /* what command_option returns                           */
  const char *argument;        /* what it takes, such as DIR; NULL: nothing             */
  const char *help;            /* one sentence or two, wrapped where it is printed      */
  bool brief;                  /* the value is a letter that may be written alone: -o   */
  void (*choices)(FILE *file); /* prints the words that its argument can be, one a line; NULL: not a list */
} CommandOption;

typedef struct Command {
  const char *name;
  const char *summary;               /* one line                                              */
  const char *operands;              /* what it takes besides options, such as FILE; may be empty */
  const char *doc;                   /* what it does; lines that begin with a blank stay as they are */
  const CommandOption *option;       /* ended by a row without a name                         */
  void (*choices)(FILE *file);       /* as of an option, for the first operand                */
  int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} Command;

extern const Command command_run, command_build, command_check, command_rdf, command_observe, command_energy,
    command_compare, command_list, command_bench, command_help;

/* The table, ended by NULL. */
extern const Command *const command_table[];

/* The row of that name; NULL, after a message with the nearest name, if there is none. */
const Command *command_find(const char *name);

/* Prints "holonom NAME: message" to stderr; returns the exit code of the status. */
int command_fail(const Command *command, Status status, const Error *error);

/* The exit code of a command that has done its work, or failed at it with a message: 128 and a signal's
 * number where one ended it early (cmd/stop.h). */
int command_end(const Command *command, Status status, const Error *error);

/* As command_fail for a wrong call: message, then the usage; returns 2. */
int command_misused(const Command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
#ifdef __clang_analyzer__ /* as in engine/status.h */
#define command_misused(...) ((void)command_misused(__VA_ARGS__), 2)
#endif

/* As command_misused for a word that is not one of the choices: "there is no WHAT 'word'", with the nearest
 * one, or all. */
int command_unknown(const Command *command, const char *what, const char *word, void (*choices)(FILE *file));

/* The next option of a call, as getopt_long finds it: its value, with optarg; -1 at the end, when the
 * operands are those from argv[optind] on; or '?' after having reported a wrong call. */
int command_option(const Command *command, int argc, char **argv);

/* "run FILE [-o DIR] ...", wrapped. */
void command_usage(const Command *command, FILE *file);

/* Words to file, wrapped behind `indent` blanks, the first line from column `at` on. */
void command_wrap(const char *text, int at, int indent, FILE *file);

/* The value of --model, in capitals or not: 0, or the exit code of a wrong call, with the models that there
 * are; and the models, for completion. */
int command_model(const Command *command, const char *text, const WaterModel **model);
void command_models(FILE *file);

/* "geometry.w=" and all other keys of input files, for completion. */
void command_keys(FILE *file);

/* A positive number from text; three of them, "20,20,25". False if they are not that, or not finite. */
bool command_positive(const char *text, double *value);
bool command_lengths(const char *text, double length[3]);

/* A whole number from text, between least and most. */
int command_number(const char *text, long least, long most, long *value);

#endif
