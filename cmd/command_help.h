/* Prints help, the man page and shell completion from the tables of commands, options and keys. */
#ifndef HOLONOM_CMD_COMMAND_HELP_H
#define HOLONOM_CMD_COMMAND_HELP_H

#include "cmd/command.h"

/* Prints all commands, one per line. */
void command_help_overview(FILE *file);

/* Prints one command, for 'holonom help NAME' and 'holonom NAME --help'. */
void command_help_print(const Command *command, FILE *file);

/* Prints the man page in man(7) macros; STATUS_MEMORY. */
Status command_manual_print(FILE *file, Error *error);

/* Prints the manual's page of commands, in Markdown (docs/reference/commands.md). */
void command_page_print(FILE *file);

/* Prints completion for bash. */
void command_completion_print(FILE *file);

#endif
