#include "cmd/command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/stop.h"
#include "config/config.h"
#include "engine/locale.h"
#include "engine/nearest.h"
#include "engine/text.h"

enum { COLUMNS = 100, OPTIONS_MAX = 32 };

int command_fail(const Command *command, Status status, const Error *error)
{
  fprintf(stderr, "holonom %s: %s\n", command->name, error->text);
  return status_exit_code(status);
}

int command_end(const Command *command, Status status, const Error *error)
{
  const int stopped = stop_exit_code();
  if (status == STATUS_OK)
    return stopped;
  const int code = command_fail(command, status, error);
  return status == STATUS_RUN && stopped != 0 ? stopped : code;
}

const Command *command_find(const char *name)
{
  Nearest nearest = nearest_start(name);
  for (int i = 0; command_table[i] != NULL; i++) {
    if (strcmp(command_table[i]->name, name) == 0)
      return command_table[i];
    nearest_try(&nearest, command_table[i]->name, 0.0);
  }
  const bool near = nearest.name != NULL;
  fprintf(stderr, "holonom: there is no command '%s'%s%s%s; 'holonom help' lists them\n", name,
          near ? "; did you mean '" : "", near ? nearest.name : "", near ? "'?" : "");
  return NULL;
}

int(command_misused)(const Command *command, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "holonom %s: ", command->name);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\nusage: ");
  command_usage(command, stderr);
  return 2;
}

/* --- text ------------------------------------------------------------------------------------------------
 */

void command_wrap(const char *text, int at, int indent, FILE *file)
{
  for (const char *word = text + strspn(text, " "); *word != '\0';) {
    const int length = (int)strcspn(word, " ");
    if (at > indent && at + 1 + length > COLUMNS) {
      fprintf(file, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      fputc(' ', file);
      at++;
    }
    fprintf(file, "%.*s", length, word);
    at += length;
    word += length + (int)strspn(word + length, " ");
  }
  fputc('\n', file);
}

/* Each option with its argument stays in one piece. */
void command_usage(const Command *command, FILE *file)
{
  char piece[64];
  const int indent = (int)snprintf(piece, sizeof piece, "holonom %s", command->name);
  fputs(piece, file);
  int at = (int)strlen("usage: ") + indent;
  if (*command->operands != '\0')
    at += fprintf(file, " %s", command->operands);
  for (const CommandOption *o = command->option; o->name != NULL; o++) {
    char dash[32];
    if (o->brief)
      snprintf(dash, sizeof dash, "-%c", o->value);
    else
      snprintf(dash, sizeof dash, "--%s", o->name);
    const int length = snprintf(piece, sizeof piece, "[%s%s%s]", dash, o->argument != NULL ? " " : "",
                                o->argument != NULL ? o->argument : "");
    if (at + 1 + length > COLUMNS) {
      at = (int)strlen("usage: ") + indent;
      fprintf(file, "\n%*s", at, "");
    }
    at += fprintf(file, " %s", piece);
  }
  fputc('\n', file);
}

/* --- options ---------------------------------------------------------------------------------------------
 */

static void complain(const Command *command, const char *word)
{
  char name[64];
  const char *bare = word + strspn(word, "-");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
  Nearest nearest = nearest_start(name);
  for (const CommandOption *o = command->option; o->name != NULL; o++)
    nearest_try(&nearest, o->name, 0.0);
  if (nearest.name != NULL)
    command_misused(command, "unknown option '%s'; did you mean '--%s'?", word, nearest.name);
  else
    command_misused(command, "unknown option '%s'", word);
}

int command_option(const Command *command, int argc, char **argv)
{
  struct option option[OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
  char letters[2 * OPTIONS_MAX + 2] = ":";
  for (int i = 0; command->option[i].name != NULL && i < OPTIONS_MAX; i++) {
    const CommandOption *o = &command->option[i];
    option[i] =
        (struct option){o->name, o->argument != NULL ? required_argument : no_argument, NULL, o->value};
    if (o->brief)
      text_append(letters, sizeof letters, "%c%s", o->value, o->argument != NULL ? ":" : "");
  }
  opterr = 0;
  const int c = getopt_long(argc, argv, letters, option, NULL);
  if (c == ':') {
    command_misused(command, "the option '%s' needs a value", argv[optind - 1]);
    return '?';
  }
  if (c == '?')
    complain(command, optind > 0 && optind <= argc ? argv[optind - 1] : "");
  return c;
}

void command_models(FILE *file)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    fprintf(file, "%s\n", m->name);
}

void command_keys(FILE *file)
{
  for (const Parameter *p = config_table; p->key != NULL; p++)
    fprintf(file, "%s=\n", p->key);
}

int command_unknown(const Command *command, const char *what, const char *word, void (*choices)(FILE *file))
{
  char *names = NULL, known[512] = "";
  size_t size = 0;
  FILE *file = open_memstream(&names, &size);
  if (file != NULL)
    choices(file);
  if (file == NULL || fclose(file) != 0) {
    free(names);
    return command_misused(command, "there is no %s '%s'", what, word);
  }
  Nearest nearest = nearest_start(word);
  for (char *rest = names, *name; (name = strsep(&rest, "\n")) != NULL && *name != '\0';) {
    text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", name);
    nearest_try(&nearest, name, 0.0);
  }
  const int code =
      nearest.name != NULL
          ? command_misused(command, "there is no %s '%s'; did you mean '%s'?", what, word, nearest.name)
          : command_misused(command, "there is no %s '%s'; there are %s", what, word, known);
  free(names);
  return code;
}

int command_model(const Command *command, const char *text, const WaterModel **model)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    if (strcasecmp(m->name, text) == 0) {
      *model = m;
      return 0;
    }
  return command_unknown(command, "water model", text, command_models);
}

bool command_positive(const char *text, double *value)
{
  LOCALE_PLAIN;
  char rest;
  return sscanf(text, "%lf%c", value, &rest) == 1 && *value > 0.0 && isfinite(*value);
}

bool command_lengths(const char *text, double length[3])
{
  LOCALE_PLAIN;
  char rest;
  return sscanf(text, "%lf,%lf,%lf%c", &length[0], &length[1], &length[2], &rest) == 3 && length[0] > 0.0 &&
         length[1] > 0.0 && length[2] > 0.0 && isfinite(length[0] + length[1] + length[2]);
}

int command_number(const char *text, long least, long most, long *value)
{
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}
