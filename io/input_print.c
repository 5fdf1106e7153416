/* Prints the resolved input as YAML. */
#include <limits.h>
#include <string.h>

#include "io/input_private.h"

int input_print_sections(FILE *file, const char *before, const char *key)
{
  int level = 0;
  bool same = true;
  const char *start = key;
  for (const char *dot = strchr(key, '.'); dot != NULL; dot = strchr(dot + 1, '.'), level++) {
    same = same && strncmp(before, key, (size_t)(dot - key) + 1) == 0;
    if (!same)
      fprintf(file, "%*s%.*s:\n", 2 * level, "", (int)(dot - start), start);
    start = dot + 1;
  }
  return 2 * level;
}

/* The unit of a bare number; "" for a number without a unit. A whole number that may be a time counts
 * steps; with two possible dimensions the unit depends on another key. */
static const char *bare_unit(const Input *input, const Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  if (parameter->quantity == QUANTITY_NONE || entry->quantity != QUANTITY_NONE)
    return "";
  if (parameter->type == PARAMETER_INT64)
    return "steps";
  return !input->unitless && parameter->alternative == QUANTITY_NONE ? units_name(parameter->quantity) : "";
}

static void print_entry(const Input *input, const Entry *entry, int indent, FILE *file)
{
  const Parameter *const parameter = entry->parameter;
  const char *const dot = strrchr(parameter->key, '.');
  const char *const leaf = dot != NULL ? dot + 1 : parameter->key;
  if (entry->text == NULL) {
    fprintf(file, "%*s# %s: not given\n", indent, "", leaf);
    return;
  }
  if (parameter->type == PARAMETER_RECORDS) {
    fprintf(file, "%*s%s:", indent, "", leaf);
    input_records_print(entry, file, indent);
    return;
  }
  const char *const origin = !entry->given ? "default" : entry->location.line == INT_MAX ? "--set" : "";
  const char *const unit = bare_unit(input, entry);
  const int n = fprintf(file, "%*s%s: %s", indent, "", leaf, entry->text);
  if (*origin != '\0' || *unit != '\0')
    fprintf(file, "%*s# %s%s%s", n < 40 ? 40 - n : 1, "", unit, *unit != '\0' && *origin != '\0' ? ", " : "",
            origin);
  fprintf(file, "\n");
}

Status input_print(const Input *input, FILE *file, Error *error)
{
  const char *before = "";
  for (int i = 0; i < input->nentry; i++) {
    if (input->entry[i].dropped)
      continue;
    const int indent = input_print_sections(file, before, input->entry[i].parameter->key);
    print_entry(input, &input->entry[i], indent, file);
    before = input->entry[i].parameter->key;
  }
  /* A stream stores its errors until they are checked. */
  if (fflush(file) != 0 || ferror(file))
    return error_set(error, STATUS_IO, "writing the resolved input failed");
  return STATUS_OK;
}
