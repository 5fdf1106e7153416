/* What the program says of itself, from the tables of commands, options and keys. */
#ifndef HOLONOM_CMD_COMMAND_HELP_H
#define HOLONOM_CMD_COMMAND_HELP_H

#include "cmd/command.h"

/* All commands, one a line. */
void command_help_overview(FILE *file);

/* One command, as by 'holonom help NAME' and 'holonom NAME --help'. */
void command_help_print(const Command *command, FILE *file);

/* The man page, for man(1); STATUS_MEMORY. */
Status command_manual_print(FILE *file, Error *error);

/* Completion for bash. */
void command_completion_print(FILE *file);

#endif
