/* Reads lists of records: each record is a small input whose keys are named "list[2].key". */
#include <stdlib.h>
#include <string.h>

#include "io/input_private.h"

int input_records_rows(const Entry *entry)
{
  int n = 0;
  while (entry->parameter->record[n].key != NULL)
    n++;
  return n;
}

Entry *input_records_row(const Entry *entry, int i)
{
  return entry->record + (size_t)i * (size_t)(1 + input_records_rows(entry));
}

void input_records_keys(const Parameter *parameter, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (const Parameter *p = parameter->record; p->key != NULL && used < size; p++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", p->key);
}

/* A copy of a row with the key's full name. */
static const Parameter *full_row(Input *input, const Parameter *row, const char *record)
{
  Parameter *const own = input_keep(input, sizeof *own);
  if (own == NULL)
    return NULL;
  *own = *row;
  own->key = input_keep_text(input, "%s.%s", record, row->key);
  if (row->rival != NULL)
    own->rival = input_keep_text(input, "%s.%s", record, row->rival);
  return own->key != NULL && (row->rival == NULL || own->rival != NULL) ? own : NULL;
}

static bool start_record(Input *input, Entry *entry, int i, void *item)
{
  const Parameter *const list = entry->parameter;
  Entry *const record = input_records_row(entry, i);
  Parameter *const own = input_keep(input, sizeof *own);
  if (own == NULL)
    return false;
  *own = *list;
  own->key = input_keep_text(input, "%s[%d]", list->key, i + 1);
  record[0].parameter = own;
  for (int k = 0; own->key != NULL && list->record[k].key != NULL; k++) {
    Entry *const row = &record[k + 1];
    row->parameter = full_row(input, &list->record[k], own->key);
    row->base = (char *)item + (size_t)i * list->size;
    if (row->parameter == NULL)
      return false;
  }
  return own->key != NULL;
}

Entry *input_records_start(Input *input, Entry *entry, int n)
{
  const Parameter *const list = entry->parameter;
  const size_t per = 1 + (size_t)input_records_rows(entry);
  char *const item = input_keep(input, (size_t)(n + 1) * list->size);
  Entry *const record = input_keep(input, ((size_t)n + 1) * per * sizeof *record);
  if (item == NULL || record == NULL)
    return NULL;
  entry->record = record;
  for (int i = 0; i < n; i++)
    if (!start_record(input, entry, i, item))
      return NULL;
  entry->nrecord = n;
  memcpy((char *)entry->base + list->offset, &(InputRecords){n, item}, sizeof(InputRecords));
  return record;
}

Entry *input_records_find(const Input *input, const char *key)
{
  const char *const open = strchr(key, '[');
  char path[KEY_MAX];
  if (open == NULL || (size_t)(open - key) >= sizeof path)
    return NULL;
  snprintf(path, sizeof path, "%.*s", (int)(open - key), key);
  const Entry *const entry = input_entry(input, path);
  char *rest;
  const long i = strtol(open + 1, &rest, 10);
  if (entry == NULL || i < 1 || i > entry->nrecord || *rest != ']')
    return NULL;
  Entry *const record = input_records_row(entry, (int)i - 1);
  const int rows = input_records_rows(entry);
  for (int k = 0; k <= rows; k++)
    if (strcmp(record[k].parameter->key, key) == 0)
      return &record[k];
  return NULL;
}

bool input_records_complain(Input *input, Location location, const char *key)
{
  char path[KEY_MAX], keys[512];
  snprintf(path, sizeof path, "%.*s", (int)strcspn(key, "["), key);
  const Entry *const entry = input_entry(input, path);
  if (entry == NULL || entry->parameter->type != PARAMETER_RECORDS)
    return false;
  input_records_keys(entry->parameter, keys, sizeof keys);
  input_complain_at(input, location, input_shown(key).text,
                    "%s has %d record%s, counted from 1, with the keys %s", path, entry->nrecord,
                    entry->nrecord == 1 ? "" : "s", keys);
  return true;
}

/* The given keys of a record: "{mass: "1", position: ["0", "1"]}". */
static const char *record_text(Input *input, const Entry *record, int rows)
{
  const char *text = "";
  for (int k = 1; k <= rows && text != NULL; k++) {
    const char *const key = strrchr(record[k].parameter->key, '.') + 1;
    if (record[k].given && record[k].text != NULL)
      text = input_keep_text(input, "%s%s%s: %s", text, *text != '\0' ? ", " : "", key, record[k].text);
  }
  return text != NULL ? input_keep_text(input, "{%s}", text) : NULL;
}

void input_records_complete(Input *input, Entry *entry)
{
  const int rows = input_records_rows(entry);
  size_t size = 3;
  for (int i = 0; i < entry->nrecord; i++) {
    Entry *const record = input_records_row(entry, i);
    for (int k = 1; k <= rows; k++)
      input_complete(input, &record[k]);
    record[0].text = record_text(input, record, rows);
    if (record[0].text == NULL)
      return;
    size += strlen(record[0].text) + 2;
  }
  char *const text = entry->given ? input_keep(input, size) : NULL;
  if (text == NULL)
    return;
  size_t used = (size_t)snprintf(text, size, "[");
  for (int i = 0; i < entry->nrecord; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                             input_records_row(entry, i)[0].text);
  snprintf(text + used, size - used, "]");
  entry->text = text;
}

void input_records_print(const Entry *entry, FILE *file, int indent)
{
  fprintf(file, entry->nrecord == 0 ? " []\n" : "\n");
  for (int i = 0; i < entry->nrecord; i++)
    fprintf(file, "%*s- %s\n", indent + 2, "", input_records_row(entry, i)[0].text);
}
