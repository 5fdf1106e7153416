/* The man page in the macros of man(7). */
#include <stdlib.h>
#include <string.h>

#include "cmd/command_help.h"
#include "config/config.h"

/* Prints up to n characters of text, escaped for troff. */
static void print_text(const char *text, size_t n, FILE *file)
{
  if (n > 0 && (*text == '.' || *text == '\''))
    fputs("\\&", file);
  for (size_t i = 0; i < n && text[i] != '\0'; i++) {
    if (text[i] == '\\')
      fputs("\\e", file);
    else if (text[i] == '-')
      fputs("\\-", file);
    else if (text[i] == '\'')
      fputs("\\(aq", file);
    else
      fputc(text[i], file);
  }
}

/* Prints text, escaped, between two pieces of troff. */
static void put(FILE *file, const char *before, const char *text, const char *after)
{
  fputs(before, file);
  print_text(text, strlen(text), file);
  fputs(after, file);
}

/* As print_doc in command_help.c. */
static void print_doc(const char *doc, FILE *file)
{
  bool kept = false;
  for (const char *line = doc; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    if ((*line == ' ') != kept)
      fputs(kept ? ".fi\n.RE\n.PP\n" : ".RS 2\n.nf\n", file);
    else if (!kept && line != doc)
      fputs(".PP\n", file);
    kept = *line == ' ';
    print_text(line, n, file);
    fputc('\n', file);
    line += n + (line[n] == '\n');
  }
  if (kept)
    fputs(".fi\n.RE\n", file);
}

static void print_option(const CommandOption *o, FILE *file)
{
  fputs(".TP\n", file);
  if (o->letter != 0)
    fprintf(file, "\\fB\\-%c\\fR, ", o->letter);
  put(file, "\\fB\\-\\-", o->name, "\\fR");
  if (o->argument != NULL)
    put(file, " \\fI", o->argument, "\\fR");
  put(file, "\n", o->help, "\n");
}

static void print_command(const Command *command, FILE *file)
{
  put(file, ".SS holonom ", command->name, *command->operands != '\0' ? " " : "");
  put(file, "", command->operands, " [options]\n");
  print_doc(command->doc, file);
  for (const CommandOption *o = command->option; o->name != NULL; o++)
    print_option(o, file);
}

/* Prints the keys; input_describe puts keys in the first column and indents descriptions. */
static Status print_keys(FILE *file, Error *error)
{
  SCOPED(scoped_free) char *text = NULL;
  size_t size = 0;
  FILE *keys = open_memstream(&text, &size);
  const Status status = keys != NULL ? input_describe(config_table, keys, error) : STATUS_OK;
  if (keys == NULL || (fclose(keys) != 0 && status == STATUS_OK))
    return error_memory(error, "the keys");
  for (const char *line = text; status == STATUS_OK && *line != '\0';) {
    const size_t n = strcspn(line, "\n"), blanks = strspn(line, " ");
    if (blanks == 0)
      fputs(".TP\n.B ", file);
    if (n > blanks) {
      print_text(line + blanks, n - blanks, file);
      fputs(blanks > 0 && line[n] != '\0' && line[n + 1] == ' ' ? "\n.br\n" : "\n", file);
    }
    line += n + (line[n] == '\n');
  }
  return status;
}

Status command_manual_print(FILE *file, Error *error)
{
  fprintf(file, ".TH HOLONOM 1 %s \"Holonom %s\"\n", HOLONOM_DATE, HOLONOM_VERSION);
  fputs(
      ".SH NAME\n"
      "holonom \\- molecular dynamics of stiff and constrained molecules\n"
      ".SH SYNOPSIS\n"
      ".B holonom\n"
      ".I command\n"
      "[\\fIoptions\\fR] ...\n"
      ".br\n"
      ".B holonom help\n"
      "[\\fIcommand\\fR]\n"
      ".br\n"
      ".B holonom \\-\\-version\n"
      ".SH DESCRIPTION\n"
      "Langevin dynamics of molecules with stiff bonds or constraints. Systems are clusters of water, "
      "periodic boxes of water, ions and noble gases, molecules of topologies of GROMACS, AMBER and CHARMM, "
      "and mechanical systems that an input file describes by formulas. Every result has an error bar.\n"
      ".SH COMMANDS\n",
      file);
  for (int i = 0; command_table[i] != NULL; i++)
    print_command(command_table[i], file);
  fputs(".SH INPUT FILE\n"
        "YAML. Its keys as SECTION.KEY:\n",
        file);
  const Status status = print_keys(file, error);
  fputs(".SH EXIT STATUS\n"
        ".TP\n"
        "0\n"
        "Success.\n"
        ".TP\n"
        "2\n"
        "Wrong input; nothing was written.\n"
        ".TP\n"
        "3\n"
        "A run failed or a file could not be written; existing files are readable.\n"
        ".TP\n",
        file);
  fputs("124\n"
        "The limit of time (\\-\\-max\\-hours) ended a run or a study cleanly.\n"
        ".TP\n"
        "128 + \\fIN\\fR\n"
        "Stopped by signal \\fIN\\fR (130: Ctrl\\-C), cleanly by run and build.\n"
        ".SH ENVIRONMENT\n"
        ".TP\n"
        ".B HOLONOM_ISA\n"
        "The instruction set to use instead of the best one: plain, avx2 or avx512.\n"
        ".SH SEE ALSO\n"
        ".BR gnuplot (1)\n",
        file);
  return status;
}
