#include "app/command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/text.h"

int command_fail(const Command *command, Status status, const Error *error)
{
  fprintf(stderr, "holonom %s: %s\n", command->name, error->text);
  return status_exit_code(status);
}

int command_end(const Command *command, Status status, const Error *error)
{
  if (status != STATUS_OK)
    return command_fail(command, status, error);
  return fflush(stdout) == 0 ? 0 : 3;
}

int(command_misused)(const Command *command, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "holonom %s: ", command->name);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\nusage: holonom %s\n", command->usage);
  return 2;
}

int command_option(const Command *command, int argc, char **argv, const char *letters,
                   const struct option *options)
{
  opterr = 0;
  const int c = getopt_long(argc, argv, letters, options, NULL);
  if (c == ':') {
    command_misused(command, "the option '%s' needs a value", argv[optind - 1]);
    return '?';
  }
  if (c == '?') {
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    command_misused(command, "unknown option '%s'", word);
  }
  return c;
}

int command_model(const Command *command, const char *text, const WaterModel **model)
{
  char known[256] = "";
  for (const WaterModel *m = water_models; m->name != NULL; m++) {
    if (strcasecmp(m->name, text) == 0) {
      *model = m;
      return 0;
    }
    text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", m->name);
  }
  return command_misused(command, "--model %s: there is no such water model; known: %s", text, known);
}

bool command_positive(const char *text, double *value)
{
  char rest;
  return sscanf(text, "%lf%c", value, &rest) == 1 && *value > 0.0 && isfinite(*value);
}

bool command_lengths(const char *text, double length[3])
{
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
