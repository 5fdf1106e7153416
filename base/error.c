#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "base/status.h"

/* The parentheses avoid the analyser's macros of status.h. */
Status(error_set)(Error *error, Status status, const char *format, ...)
{
  if (error == NULL)
    return status;
  char text[sizeof error->text]; /* the arguments may include the previous message */
  error->status = status;
  error->option = NULL;
  va_list args;
  va_start(args, format);
  printable_format(text, sizeof text, format, args);
  va_end(args);
  memcpy(error->text, text, sizeof text);
  return status;
}

Status error_prefix(Error *error, const char *format, ...)
{
  if (error == NULL)
    return STATUS_RUN;
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  printable_format(text, sizeof text, format, args);
  va_end(args);
  const char *const parts[3] = {text, ": ", error->text};
  char joined[sizeof error->text];
  size_t used = 0;
  for (int i = 0; i < 3; i++)
    for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof joined; c++)
      joined[used++] = *c;
  joined[used] = '\0';
  memcpy(error->text, joined, sizeof joined);
  return error->status;
}

Status(error_memory)(Error *error, const char *what)
{
  return error_set(error, STATUS_MEMORY, "out of memory for %s", what);
}

Status(error_pass)(Error *error, Status status, const Error *why)
{
  return status == STATUS_OK ? STATUS_OK
                             : error_option(error, why->option, error_set(error, status, "%s", why->text));
}

Status error_in_run(Error *error, Status status)
{
  if (status != STATUS_INPUT)
    return status;
  if (error != NULL)
    error->status = STATUS_RUN;
  return STATUS_RUN;
}
