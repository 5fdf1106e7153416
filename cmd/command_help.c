/* holonom help: commands, options, the man page, and completion for bash. */
#include "cmd/command_help.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"

enum { INDENT = 2, NAMES = 10 };

void command_help_overview(FILE *file)
{
  fprintf(file,
          "Holonom %s: molecular dynamics of stiff and constrained molecules with a Langevin thermostat.\n"
          "\n"
          "usage: holonom COMMAND ...\n"
          "\n",
          HOLONOM_VERSION);
  for (int i = 0; command_table[i] != NULL; i++)
    fprintf(file, "  %-*s%s\n", NAMES, command_table[i]->name, command_table[i]->summary);
  fputs("\n"
        "'holonom help COMMAND' explains a command and its options; 'holonom --version' prints the version.\n"
        "Exit codes: 0 success; 2 wrong input, nothing written; 3 a run failed, its files are readable;\n"
        "128 plus the number of a signal (130 for Ctrl-C): stopped by the signal; run and build stop "
        "cleanly.\n",
        file);
}

/* Prints paragraphs, which end at a newline; lines that begin with a blank are verbatim. */
static void print_doc(const char *doc, FILE *file)
{
  for (const char *line = doc; *line != '\0';) {
    char text[2048];
    const size_t n = strcspn(line, "\n");
    snprintf(text, sizeof text, "%.*s", (int)n, line);
    if (*line == ' ')
      fprintf(file, "%s\n", text);
    else
      command_wrap(text, 0, 0, file);
    line += n + (line[n] == '\n');
  }
}

/* "  -o, --out DIR" */
static int option_head(const CommandOption *o, char *text, size_t size)
{
  char brief[8] = "";
  if (o->letter != 0)
    snprintf(brief, sizeof brief, "-%c, ", o->letter);
  return snprintf(text, size, "%*s%s--%s%s%s", INDENT, "", brief, o->name, o->argument != NULL ? " " : "",
                  o->argument != NULL ? o->argument : "");
}

void command_help_print(const Command *command, FILE *file)
{
  char head[80];
  int widest = 0;
  fputs("usage: ", file);
  command_usage(command, file);
  fputc('\n', file);
  print_doc(command->doc, file);
  for (const CommandOption *o = command->option; o->name != NULL; o++) {
    const int n = option_head(o, head, sizeof head);
    widest = n > widest ? n : widest;
  }
  if (widest > 0)
    fputc('\n', file);
  for (const CommandOption *o = command->option; o->name != NULL; o++) {
    option_head(o, head, sizeof head);
    fprintf(file, "%-*s", widest + INDENT, head);
    command_wrap(o->help, widest + INDENT, widest + INDENT, file);
  }
}

typedef struct Call {
  bool manual, completion, page;
  const char *keys;
} Call;

static Status list_keys(FILE *file, Error *error) { return input_describe(config_table, file, error); }

static Status json_keys(FILE *file, Error *error) { return input_describe_json(config_table, file, error); }

static Status cluster_keys(FILE *file, Error *error)
{
  return config_keys_example(SORT_CLUSTER, file, error);
}

static Status box_keys(FILE *file, Error *error) { return config_keys_example(SORT_BOX, file, error); }

static const struct {
  const char *name;
  Status (*print)(FILE *file, Error *error);
} formats[] = {{"text", list_keys}, {"markdown", config_keys_page},
               {"json", json_keys}, {"cluster", cluster_keys},
               {"box", box_keys},   {NULL, NULL}};

static const char *format_name(int i) { return formats[i].name; }

static Status print_keys(const char *format, Error *error)
{
  for (int i = 0; formats[i].name != NULL; i++)
    if (strcmp(format, formats[i].name) == 0)
      return formats[i].print(stdout, error);
  return command_unknown(&command_help, "format", format, format_name);
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  if (n + call->manual + call->completion + call->page + (call->keys != NULL) > 1)
    return command_misused(&command_help, "use only one of COMMAND, --man, --page, --completion and --keys");
  if (call->keys != NULL)
    return print_keys(call->keys, error);
  if (call->manual)
    return command_manual_print(stdout, error);
  if (call->completion)
    command_completion_print(stdout);
  else if (call->page)
    command_page_print(stdout);
  else if (n > 0)
    command_help_print(command_find(operand[0]), stdout);
  else
    command_help_overview(stdout);
  return STATUS_OK;
}

static const CommandOption options[] = {
    {"man", 0, NULL, "Prints the man page: man -l <(holonom help --man).", COMMAND_TO(manual)},
    {"completion", 0, NULL, "Prints completion for bash: source <(holonom help --completion).",
     COMMAND_TO(completion)},
    {"page", 0, NULL, "Prints the manual's page of all commands, in Markdown.", COMMAND_TO(page)},
    {"keys", 0, "FORMAT",
     "Prints all keys of input files: as text, as the manual's page (markdown), for programs (json), or as a "
     "file with all keys of a cluster or of a box.",
     COMMAND_TO(keys), .choice = format_name},
    {.name = NULL}};

const Command command_help = {
    .name = "help",
    .summary = "explains a command",
    .operands = "[COMMAND]",
    .subject = "command",
    .most = 1,
    .choice = command_name,
    .doc = "Lists the commands, or explains one with its options.",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
