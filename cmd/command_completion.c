/* Completion for bash: commands, options, and the values of arguments. */
#include <string.h>

#include "cmd/command_help.h"

static void print_choices(CommandChoice *choice, const char *end, FILE *file)
{
  for (int i = 0; choice(i) != NULL; i++)
    fprintf(file, "%s%s\n", choice(i), end);
}

/* One alternative of the outer 'case': COMMAND:OPTION) ... */
static void print_argument(const Command *command, const CommandOption *o, FILE *file)
{
  const char *argument = o->argument;
  if (argument == NULL)
    return;
  if (o->letter != 0)
    fprintf(file, "  %s:-%c | ", command->name, o->letter);
  else
    fputs("  ", file);
  fprintf(file, "%s:--%s)", command->name, o->name);
  if (command_choice(o) != NULL) {
    fputs("\n    COMPREPLY=($(compgen -W '", file);
    print_choices(command_choice(o), o->type == COMMAND_SET ? "=" : "", file);
    fputs("' -- \"$current\"))\n    case ${COMPREPLY[0]:-} in *=) compopt -o nospace 2>/dev/null ;; esac",
          file);
  } else if (strcmp(argument, "DIR") == 0) {
    fputs(" COMPREPLY=($(compgen -d -- \"$current\"))", file);
  } else if (strstr(argument, "FILE") == NULL && strchr(argument, '.') == NULL) {
    fputs(" compopt +o default 2>/dev/null", file); /* a number: no completion */
  }
  fputs("\n    return ;;\n", file);
}

static void print_options(const Command *command, FILE *file)
{
  fprintf(file, "  %s:-*) COMPREPLY=($(compgen -W '", command->name);
  for (const CommandOption *o = command->option; o->name != NULL; o++)
    fprintf(file, "--%s ", o->name);
  fputs("--help' -- \"$current\")) ;;\n", file);
}

static void print_operands(const Command *command, FILE *file)
{
  if (command->choice == NULL)
    return;
  fprintf(file, "  %s:*)\n    [ \"$COMP_CWORD\" -gt 2 ] || COMPREPLY=($(compgen -W '", command->name);
  print_choices(command->choice, "", file);
  fputs("' -- \"$current\")) ;;\n", file);
}

void command_completion_print(FILE *file)
{
  fprintf(file, "# Completion for bash, made by 'holonom help --completion' of Holonom %s.\n",
          HOLONOM_VERSION);
  fputs("# shellcheck shell=bash disable=SC2207\n"
        "_holonom() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} "
        "command=${COMP_WORDS[1]}\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '",
        file);
  for (int i = 0; command_table[i] != NULL; i++)
    fprintf(file, "%s ", command_table[i]->name);
  fputs("--help --version' -- \"$current\"))\n    return\n  fi\n  case $command:$before in\n", file);
  for (int i = 0; command_table[i] != NULL; i++)
    for (const CommandOption *o = command_table[i]->option; o->name != NULL; o++)
      print_argument(command_table[i], o, file);
  fputs("  esac\n  case $command:$current in\n", file);
  for (int i = 0; command_table[i] != NULL; i++) {
    print_options(command_table[i], file);
    print_operands(command_table[i], file);
  }
  fputs("  esac\n}\ncomplete -o default -F _holonom holonom\n", file);
}
