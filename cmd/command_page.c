/* The manual's page of commands, in Markdown. */
#include <string.h>

#include "cmd/command_help.h"

/* Prints up to n characters of text, escaped for Markdown except in `code`. */
static void print_text(const char *text, size_t n, FILE *file)
{
  bool code = false;
  for (size_t i = 0; i < n && text[i] != '\0'; i++) {
    code ^= text[i] == '`';
    if (!code && strchr("\\*_<>[]#$|~", text[i]) != NULL)
      fputc('\\', file);
    fputc(text[i], file);
  }
}

/* Prints paragraphs, which end at a newline; lines that begin with a blank become code blocks. */
static void print_doc(const char *doc, FILE *file)
{
  bool code = false;
  for (const char *line = doc; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    if ((*line == ' ') != code)
      fputs(code ? "```\n\n" : "```text\n", file);
    code = *line == ' ';
    if (code)
      fprintf(file, "%.*s\n", (int)n, line);
    else {
      print_text(line, n, file);
      fputs("\n\n", file);
    }
    line += n + (line[n] == '\n');
  }
  if (code)
    fputs("```\n\n", file);
}

static void print_option(const CommandOption *o, FILE *file)
{
  fputs("- ", file);
  if (o->letter != 0)
    fprintf(file, "`-%c`, ", o->letter);
  fprintf(file, "`--%s%s%s`: ", o->name, o->argument != NULL ? " " : "",
          o->argument != NULL ? o->argument : "");
  print_text(o->help, strlen(o->help), file);
  fputc('\n', file);
}

static void print_command(const Command *command, FILE *file)
{
  fprintf(file, "## holonom %s\n\n```text\n", command->name);
  command_usage(command, file);
  fputs("```\n\n", file);
  print_doc(command->doc, file);
  for (const CommandOption *o = command->option; o->name != NULL; o++)
    print_option(o, file);
  if (command->option->name != NULL)
    fputc('\n', file);
}

void command_page_print(FILE *file)
{
  fputs(
      "# Commands\n\n"
      "<!-- Made by 'holonom help --page': the commands are those of cmd/commands.def. -->\n\n"
      "All commands of the program `holonom`, with their options. `holonom help COMMAND` prints the same.\n\n"
      "| Command | |\n|---|---|\n",
      file);
  for (int i = 0; command_table[i] != NULL; i++)
    fprintf(file, "| [%s](#holonom-%s) | %s |\n", command_table[i]->name, command_table[i]->name,
            command_table[i]->summary);
  fputs("\n"
        "| Exit code | Meaning |\n"
        "|---|---|\n"
        "| 0 | The command succeeded. |\n"
        "| 2 | The input is wrong. Nothing was written. |\n"
        "| 3 | A run failed, or a file could not be written. Existing files are readable. |\n"
        "| 124 | The limit of time (--max-hours) stopped a run or a study cleanly. |\n"
        "| 128 + N | Signal N stopped the command, cleanly for run and build. 130 is Ctrl-C. |\n"
        "\n",
        file);
  for (int i = 0; command_table[i] != NULL; i++)
    print_command(command_table[i], file);
}
