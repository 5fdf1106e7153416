/* The list of all keys. */
#include <string.h>

#include "io/input_private.h"

/* `list` is the key of the list of records that the table is of, or NULL. */
static void describe(const Parameter *table, const char *list, FILE *file)
{
  for (const Parameter *p = table; p->key != NULL; p++) {
    char wanted[512];
    input_value_wanted(p, false, wanted, sizeof wanted);
    if (list != NULL)
      fprintf(file, "%s[i].", list);
    fprintf(file, "%s\n    %s\n    %s; ", p->key, p->help != NULL ? p->help : "", wanted);
    if (p->fallback != NULL)
      fprintf(file, "default: %s", *p->fallback != '\0' ? p->fallback : "empty");
    else
      fprintf(file, "%s", p->optional ? "optional" : "required");
    if (p->rival != NULL)
      fprintf(file, "; excludes %s", p->rival);
    fprintf(file, "\n");
    if (p->type == PARAMETER_RECORDS)
      describe(p->record, p->key, file);
  }
}

Status input_describe(const Parameter *table, FILE *file, Error *error)
{
  describe(table, NULL, file);
  if (fflush(file) != 0 || ferror(file))
    return error_set(error, STATUS_IO, "writing the list of keys failed");
  return STATUS_OK;
}
