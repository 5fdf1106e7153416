/* The program's commands: each is one file and one row in the table of main.c. Its rows of options say where
 * each value goes, and serve the reading of a call, help, the man page and completion. */
#ifndef HOLONOM_CMD_COMMAND_H
#define HOLONOM_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/manifest.h"
#include "base/scoped.h"
#include "base/status.h"
#include "forcefields/water.h"
#include "io/trajectory.h"
#include "simulation/simulation.h"

SCOPED_POINTER(Config, config_free)
SCOPED_POINTER(Simulation, simulation_free)

/* The values of an option that may come often: --set KEY=VALUE. */
enum { COMMAND_SETS = 64 };
typedef struct CommandSets {
  int n;
  const char *text[COMMAND_SETS];
} CommandSets;

/* What an option takes. */
typedef enum CommandType {
  COMMAND_BOOL, /* nothing: it sets the field                                               */
  COMMAND_TEXT,
  COMMAND_INT, /* a whole number from `least` to `most`                                     */
  COMMAND_INT64,
  COMMAND_REAL,  /* as many numbers as the field holds, with commas between                 */
  COMMAND_BOX,   /* a length, three, six with angles, or nine edges, with commas between        */
  COMMAND_MODEL, /* the name of a water model, in capitals or not                           */
  COMMAND_SET    /* KEY=VALUE, which may come often                                         */
} CommandType;

/* The type, place and size of a field of the command's own struct Call. */
#define COMMAND_TO(field)                                                                                    \
  .type = _Generic(((Call *)0)->field,                                                                       \
                   bool: COMMAND_BOOL,                                                                       \
                   const char *: COMMAND_TEXT,                                                               \
                   int: COMMAND_INT,                                                                         \
                   int64_t: COMMAND_INT64,                                                                   \
                   double: COMMAND_REAL,                                                                     \
                   double *: COMMAND_REAL,                                                                   \
                   Box: COMMAND_BOX,                                                                         \
                   const WaterModel *: COMMAND_MODEL,                                                        \
                   CommandSets: COMMAND_SET),                                                                \
  .at = offsetof(Call, field), .size = sizeof(((Call *)0)->field)

/* Name i of those that there are, NULL after the last. */
typedef const char *CommandChoice(int i);

typedef struct CommandOption {
  const char *name;     /* as in --name                                                         */
  char letter;          /* as in -o; 0: none                                                    */
  const char *argument; /* what it takes, such as DIR; NULL: nothing. A[,B,C]: one stands for all */
  const char *help;     /* one sentence or two, wrapped where it is printed                     */
  CommandType type;     /* COMMAND_TO(field), where the value goes                              */
  size_t at, size;
  double least, most; /* whole numbers: from, to; others: at least, if it is not 0            */
  bool zero;          /* 0 is a value for a number, too                                       */
  const char *unit;   /* that may stand behind a number                                       */
  CommandChoice *choice;
} CommandOption;

typedef struct Command {
  const char *name;
  const char *summary;         /* one line                                                           */
  const char *operands;        /* what it takes besides options, such as FILE; may be empty          */
  const char *subject;         /* one of them in words: "which input file?"                          */
  int least, most;             /* how many; most -1: any number                                      */
  CommandChoice *choice;       /* what the first can be; with most 1 nothing else is taken          */
  const char *doc;             /* what it does; lines that begin with a blank stay as they are      */
  const CommandOption *option; /* ended by a row without a name                               */
  size_t size;                 /* of its struct Call, which is zero but for                   */
  const void *call;            /* what it is before the options are read; NULL: all zero      */
  bool shared;                 /* its work is shared among the processes of mpirun                    */
  Status (*run)(void *call, int n, char *const *operand, Error *error); /* does it            */
} Command;

#define COMMAND(name) extern const Command command_##name;
#include "cmd/commands.def"

/* The table, ended by NULL. */
extern const Command *const command_table[];

/* The row of that name; NULL, after a message with the nearest name, if there is none. */
const Command *command_find(const char *name);

/* Reads a call, argv[0] being the command's name, and does it; returns the exit code, which is 128 and a
 * signal's number where one ended it early (base/stop.h). */
int command_call(const Command *command, int argc, char **argv);

/* Prints "holonom NAME: message" to stderr, and takes the message away: an error without one has been told.
 */
void command_print_error(const Command *command, Error *error);

/* What simulation_create takes for an option --threads of which COMMAND_NOT_GIVEN is the default: 0 on the
 * command line is the 0 of ensemble.threads. */
enum { COMMAND_NOT_GIVEN = -1 };
static inline int command_threads(int option)
{
  return option == COMMAND_NOT_GIVEN ? 0 : option == 0 ? SIMULATION_ALL_THREADS : option;
}

/* A whole run that ends cleanly where a signal asks for it, and its page. That is no result: where it cannot
 * be written, that is said, and all. */
Status command_simulate(Simulation *simulation, const SimulationRun *options, Error *error);

/* Of a wrong call: tells of it, then the usage; STATUS_INPUT. */
Status command_misused(const Command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
#ifdef __clang_analyzer__ /* as in base/status.h */
#define command_misused(...) ((void)command_misused(__VA_ARGS__), STATUS_INPUT)
#endif

/* As command_misused for a word that is not one of the choices: "there is no WHAT 'word'", with the nearest
 * one, or all. */
Status command_unknown(const Command *command, const char *what, const char *word, CommandChoice *choice);

/* STATUS_INPUT where one of the names lies in a folder for results and may not be written over: with
 * `replace` only what is not ours. */
Status command_folder(const char *dir, const ManifestNames *names, bool replace, Error *error);

/* The same of a file that the user named, which `replace` allows if it is one and no link. */
Status command_file(const char *path, bool replace, Error *error);

/* A structure file (GRO, XYZ, H5MD, PDB by its suffix), exact, that is in its place once it is whole: opened
 * before the work, so that one that cannot be made is known of at once (STATUS_INPUT). */
Status command_structures(TrajectoryWriter **writer, const char *path, bool replace, const char *title,
                          Error *error);

/* Its end, whole where the status is STATUS_OK; returns the status of both. */
Status command_structures_end(TrajectoryWriter *writer, Status status, Error *error);

/* "run FILE [-o DIR] ...", wrapped. */
void command_usage(const Command *command, FILE *file);

/* Words to file, wrapped behind `indent` blanks, the first line from column `at` on. */
void command_wrap(const char *text, int at, int indent, FILE *file);

/* The names of the commands. */
const char *command_name(int i);

/* What an option's argument can be; NULL: not a list. */
CommandChoice *command_choice(const CommandOption *option);

/* A whole number from text, between least and most. */
bool command_number(const char *text, double least, double most, int64_t *value);

#endif
