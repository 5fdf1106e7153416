#include "engine/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Status error_set(Error *error, Status status, const char *format, ...)
{
  if (error == NULL)
    return status;
  error->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return status;
}

Status error_prefix(Error *error, const char *format, ...)
{
  if (error == NULL)
    return STATUS_RUN;
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0)
    n = 0;
  size_t used = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
  snprintf(text + used, sizeof text - used, ": %s", error->text);
  memcpy(error->text, text, sizeof text);
  return error->status;
}

Status error_memory(Error *error, const char *what)
{
  return error_set(error, STATUS_MEMORY, "out of memory for %s", what);
}

int status_exit_code(Status status)
{
  switch (status) {
  case STATUS_OK:
    return 0;
  case STATUS_INPUT:
    return 2;
  case STATUS_RUN:
  case STATUS_MEMORY:
  case STATUS_IO:
    return 3;
  }
  return 3;
}
