/* The description of a command: one file and one row of commands.def each. Its table of options drives
 * parsing, help, the man page and shell completion. */
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

/* The values of a repeatable option, such as --set KEY=VALUE. */
enum { COMMAND_SETS = 64 };
typedef struct CommandSets {
  int n;
  const char *text[COMMAND_SETS];
} CommandSets;

/* The type of an option's value. */
typedef enum CommandType {
  COMMAND_BOOL, /* no value: sets the field to true */
  COMMAND_TEXT,
  COMMAND_INT, /* a whole number from `least` to `most` */
  COMMAND_INT64,
  COMMAND_REAL,  /* as many numbers as the field has, separated by commas */
  COMMAND_BOX,   /* 1 length, 3 lengths, 6 with angles, or 9 edge components, separated by commas */
  COMMAND_MODEL, /* the name of a water model, in any case */
  COMMAND_SET    /* KEY=VALUE, repeatable */
} CommandType;

/* The type, offset and size of a field of the command's struct Call. */
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

/* Returns choice i; NULL after the last. */
typedef const char *CommandChoice(int i);

typedef struct CommandOption {
  const char *name;     /* as in --name */
  char letter;          /* as in -o; 0: no letter */
  const char *argument; /* placeholder, such as DIR; NULL: no value. A[,B,C]: one number sets all */
  const char *help;     /* one or two sentences, wrapped when printed */
  CommandType type;     /* type, at and size: COMMAND_TO(field) */
  size_t at, size;
  double least, most; /* whole numbers: range; other numbers: minimum if not 0 */
  bool zero;          /* 0 is allowed for a number */
  const char *unit;   /* unit allowed after a number */
  CommandChoice *choice;
} CommandOption;

typedef struct Command {
  const char *name;
  const char *summary;         /* one line */
  const char *operands;        /* operands, such as FILE; may be empty */
  const char *subject;         /* what an operand is: "input file" */
  int least, most;             /* number of operands; most -1: no limit */
  CommandChoice *choice;       /* values of the first operand; with most 1, other values are errors */
  const char *doc;             /* description; lines that begin with a blank are printed verbatim */
  const CommandOption *option; /* ended by a row without a name */
  size_t size;                 /* of the command's struct Call */
  const void *call;            /* initial value of the struct Call; NULL: all zero */
  bool shared;                 /* the processes of mpirun share the work */
  Status (*run)(void *call, int n, char *const *operand, Error *error);
} Command;

#define COMMAND(name) extern const Command command_##name;
#include "cmd/commands.def"

/* The table, ended by NULL. */
extern const Command *const command_table[];

/* Returns the command of that name; otherwise NULL, after a message with the nearest name. */
const Command *command_find(const char *name);

/* Parses a call (argv[0]: the command's name) and runs it. Returns the exit code: 128 plus the signal's
 * number after a clean stop by a signal (base/stop.h). */
int command_call(const Command *command, int argc, char **argv);

/* Prints "holonom NAME: message" to stderr and clears the message; an empty message prints nothing. */
void command_print_error(const Command *command, Error *error);

/* Converts the value of --threads (default COMMAND_NOT_GIVEN) for simulation_create: 0 on the command line
 * means all threads, as ensemble.threads: 0 does. */
enum { COMMAND_NOT_GIVEN = -1 };
static inline int command_threads(int option)
{
  return option == COMMAND_NOT_GIVEN ? 0 : option == 0 ? SIMULATION_ALL_THREADS : option;
}

/* Runs a simulation until it ends or a signal stops it, and writes its page. STATUS_IO: the page could not
 * be written; all other files are complete. */
Status command_simulate(Simulation *simulation, const SimulationRun *options, Error *error);

/* What ended the work early, for a closing line: "interrupted", or "the limit of time (--max-hours) is
 * reached". */
const char *command_stop_reason(void);

/* Prints a message about a wrong call and the usage, and returns STATUS_INPUT. */
Status command_misused(const Command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
#ifdef __clang_analyzer__ /* as in base/status.h */
#define command_misused(...) ((void)command_misused(__VA_ARGS__), STATUS_INPUT)
#endif

/* command_misused for a word that is not a valid choice: suggests the nearest choice, or lists all. */
Status command_unknown(const Command *command, const char *what, const char *word, CommandChoice *choice);

/* STATUS_INPUT if a result file exists in dir and may not be overwritten. With `replace`, only files that
 * Holonom did not write are protected. */
Status command_folder(const char *dir, const ManifestNames *names, bool replace, Error *error);

/* STATUS_INPUT if `path` exists. With `replace`, a regular file may be overwritten, but not a link. */
Status command_file(const char *path, bool replace, Error *error);

/* Opens a structure file with all digits (GRO, XYZ, H5MD or PDB by its suffix) before the work starts, so
 * that a bad path fails early (STATUS_INPUT). The file appears under its name when command_structures_end
 * completes it. */
Status command_structures(TrajectoryWriter **writer, const char *path, bool replace, const char *title,
                          Error *error);

/* Completes the file if status is STATUS_OK, else discards it; returns the first error of both. */
Status command_structures_end(TrajectoryWriter *writer, Status status, Error *error);

/* Prints "run FILE [-o DIR] ...", wrapped. */
void command_usage(const Command *command, FILE *file);

/* Prints words wrapped with an indent of `indent` blanks; the first line starts in column `at`. */
void command_wrap(const char *text, int at, int indent, FILE *file);

/* The name of command i; NULL after the last. */
const char *command_name(int i);

/* The choices for an option's value; NULL: any value. */
CommandChoice *command_choice(const CommandOption *option);

/* Parses a whole number; false if it is malformed or not in [least, most]. */
bool command_number(const char *text, double least, double most, int64_t *value);

#endif
