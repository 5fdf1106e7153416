#include "io/input.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/scoped.h"
#include "io/input_private.h"

enum { FILE_LIMIT = 256 * 1024, MESSAGES_SHOWN = 10 };

/* --- memory ---------------------------------------------------------------------------------------- */

void *input_keep(Input *input, size_t size)
{
  if (input->nkept % 64 == 0) {
    void **const kept = realloc(input->kept, (size_t)(input->nkept + 64) * sizeof *kept);
    if (kept == NULL) {
      input->memory = true;
      return NULL;
    }
    input->kept = kept;
  }
  void *const memory = calloc(1, size > 0 ? size : 1);
  if (memory == NULL)
    input->memory = true;
  else
    input->kept[input->nkept++] = memory;
  return memory;
}

static const char *keep_text(Input *input, const char *format, va_list args)
{
  LOCALE_PLAIN;
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *const text = n >= 0 ? input_keep(input, (size_t)n + 1) : NULL;
  if (text != NULL)
    vsnprintf(text, (size_t)n + 1, format, args);
  return text;
}

const char *input_keep_text(Input *input, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *const text = keep_text(input, format, args);
  va_end(args);
  return text;
}

void input_free(Input *input)
{
  if (input == NULL)
    return;
  for (int i = 0; i < input->nkept; i++)
    free(input->kept[i]);
  free(input->kept);
  free(input->complaints.item);
  free(input->notes.item);
  input_map_free(input);
  free(input->entry);
  free(input->section);
  free(input);
}

/* --- entries and sections --------------------------------------------------------------------------- */

/* The name of a key. */
typedef struct KeyPath {
  char text[KEY_MAX];
} KeyPath;

static KeyPath path_of(const Input *input, InputKey key)
{
  KeyPath path = {""};
  if (key.row < 0)
    return path;
  const char *const own = input->table[key.row].key;
  char record[16] = "";
  if (key.record > 0)
    snprintf(record, sizeof record, "[%d]", key.record);
  snprintf(path.text, sizeof path.text, "%.*s%s%s%s", key.section ? (int)strcspn(own, ".") : KEY_MAX, own,
           record, key.name != NULL ? "." : "", key.name != NULL ? key.name : "");
  return path;
}

Entry *input_entry_of(const Input *input, InputKey key)
{
  if (key.record > 0 || key.name != NULL || key.section)
    return input_entry(input, path_of(input, key).text);
  return key.row >= 0 ? &input->entry[key.row] : NULL;
}

Entry *input_entry(const Input *input, const char *path)
{
  if (strchr(path, '[') != NULL)
    return input_records_find(input, path);
  for (int i = 0; i < input->nentry; i++)
    if (strcmp(input->entry[i].parameter->key, path) == 0)
      return &input->entry[i];
  return NULL;
}

Section *input_section(const Input *input, const char *path)
{
  for (int i = 0; i < input->nsection; i++)
    if (strcmp(input->section[i].path, path) == 0)
      return &input->section[i];
  return NULL;
}

/* The innermost section of the file that contains a key. */
static const Section *section_around(const Input *input, const char *key)
{
  char path[KEY_MAX];
  snprintf(path, sizeof path, "%s", key);
  for (char *dot = strrchr(path, '.'); dot != NULL; dot = strrchr(path, '.')) {
    *dot = '\0';
    const Section *const section = input_section(input, path);
    if (section != NULL && section->location.line > 0)
      return section;
  }
  return NULL;
}

/* The location of a key, or else of what contains it. */
static Location location_of(const Input *input, const char *key)
{
  const Entry *const entry = input_entry(input, key);
  if (entry != NULL && entry->given && entry->location.where != NULL)
    return entry->location;
  const MapName *const name = input_map_find(input, key);
  if (name != NULL && name->location.where != NULL)
    return name->location;
  const char *const end = strchr(key, ']');
  if (end != NULL && end[1] != '\0') {
    char record[KEY_MAX];
    snprintf(record, sizeof record, "%.*s", (int)(end - key) + 1, key);
    return location_of(input, record);
  }
  const Section *const section = section_around(input, key);
  return section != NULL ? section->location : (Location){0, input->name};
}

const char *input_name(const Input *input) { return input->name; }

bool input_given(const Input *input, InputKey key)
{
  const Entry *const entry = input_entry_of(input, key);
  return entry != NULL && entry->given;
}

static const char *where_of(const Input *input, const char *path) { return location_of(input, path).where; }

const char *input_where(const Input *input, InputKey key)
{
  return where_of(input, path_of(input, key).text);
}

Quantity input_quantity(const Input *input, InputKey key)
{
  const Entry *const entry = input_entry_of(input, key);
  return entry != NULL ? entry->quantity : QUANTITY_NONE;
}

void input_pure(Input *input, InputKey key)
{
  Entry *const entry = input_entry_of(input, key);
  if (entry != NULL)
    entry->pure = true;
}

static void count(Input *input, int row, InputKey key, double unit)
{
  enum { AMOUNT = 64 };
  const Entry *const entry = &input->entry[row];
  const InputKey own = {.row = row};
  const double ratio = entry->amount / unit;
  const int64_t n = ratio < 9e15 ? llround(ratio) : -1;
  char asked[AMOUNT], each[AMOUNT], less[AMOUNT], more[AMOUNT];
  if (n >= 0 && fabs((double)n - ratio) <= 1e-9 * ratio) {
    memcpy((char *)entry->base + entry->parameter->offset, &n, sizeof n);
    return;
  }
  input_amount(input, own, entry->amount, asked, AMOUNT);
  input_amount(input, key, unit, each, AMOUNT);
  input_amount(input, own, floor(ratio) * unit, less, AMOUNT);
  input_amount(input, own, ceil(ratio) * unit, more, AMOUNT);
  if (n < 0)
    input_complain(input, own, "%s is more than 9e15 steps of %s", asked, each);
  else if (ratio < 1.0)
    input_complain(input, own, "%s is less than a step of %s; wanted: at least %s, one step", asked, each,
                   more);
  else
    input_complain(input, own,
                   "%s is not a whole number of steps of %s; wanted: %s or %s, which are %.0f and %.0f",
                   asked, each, less, more, floor(ratio), ceil(ratio));
}

void input_count(Input *input, InputKey key, double unit)
{
  for (int i = 0; i < input->nentry; i++)
    if (input->entry[i].parameter->type == PARAMETER_INT64 && input->entry[i].given &&
        input->entry[i].quantity != QUANTITY_NONE && unit > 0.0)
      count(input, i, key, unit);
}

void input_default(Input *input, InputKey key, const char *text)
{
  Entry *const entry = input_entry_of(input, key);
  if (entry == NULL || entry->given)
    return;
  entry->dropped = false;
  input_value_set_text(input, entry, text);
}

void input_drop(Input *input, InputKey key)
{
  Entry *const entry = input_entry_of(input, key);
  if (entry != NULL && !entry->given)
    entry->text = NULL;
  if (entry != NULL)
    entry->dropped = !entry->given;
}

/* --- messages -------------------------------------------------------------------------------------- */

Shown input_shown(const char *text)
{
  Shown shown;
  char more[sizeof shown.text];
  const size_t n = printable_copy(shown.text, sizeof shown.text - 3, text);
  if (printable_copy(more, sizeof more, text) > n)
    memcpy(shown.text + n, "...", 4);
  return shown;
}

/* Inserts a message after all messages of the same or an earlier line. */
static void add_message(Input *input, Messages *messages, int line, const char *text)
{
  if (text == NULL)
    return;
  if (messages->n % 16 == 0) {
    Message *const more = realloc(messages->item, ((size_t)messages->n + 16) * sizeof *more);
    if (more == NULL) {
      input->memory = true;
      return;
    }
    messages->item = more;
  }
  Message *at = &messages->item[messages->n++];
  for (; at > messages->item && at[-1].line > line; at--)
    *at = at[-1];
  *at = (Message){line, text};
}

static void message(Input *input, Messages *messages, Location location, const char *key, const char *format,
                    va_list args)
{
  const char *const text = keep_text(input, format, args);
  const bool named = key != NULL && key[0] != '\0';
  const char *const all =
      text == NULL
          ? NULL
          : input_keep_text(input, "%s: %s%s%s", location.where != NULL ? location.where : input->name,
                            named ? key : "", named ? ": " : "", text);
  const size_t room = all != NULL ? 4 * strlen(all) + 1 : 0;
  char *const shown = all != NULL ? input_keep(input, room) : NULL;
  if (shown != NULL)
    (void)printable_copy(shown, room, all);
  add_message(input, messages, location.line, shown);
}

void input_message(Input *input, Messages *messages, Location location, const char *key, const char *format,
                   ...)
{
  va_list args;
  va_start(args, format);
  message(input, messages, location, key, format, args);
  va_end(args);
}

void input_complain_of(Input *input, const char *path, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  message(input, &input->complaints, location_of(input, path), path, format, args);
  va_end(args);
}

/* Adds a message at a key's location. */
static void message_of(Input *input, Messages *messages, InputKey key, const char *format, va_list args)
{
  const KeyPath path = path_of(input, key);
  message(input, messages, location_of(input, path.text), path.text, format, args);
}

void input_complain(Input *input, InputKey key, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  message_of(input, &input->complaints, key, format, args);
  va_end(args);
}

void input_note(Input *input, InputKey key, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  message_of(input, &input->notes, key, format, args);
  va_end(args);
}

const char *input_notes(const Input *input, int i)
{
  return i < input->notes.n ? input->notes.item[i].text : NULL;
}

Status input_verdict(Input *input, Error *error)
{
  if (input->memory)
    return error_memory(error, "the input");
  const Messages *const all = &input->complaints;
  if (all->n == 0)
    return STATUS_OK;
  char text[sizeof error->text];
  size_t used = 0;
  int shown = 0;
  for (; shown < all->n && shown < MESSAGES_SHOWN; shown++) {
    const char *const one = all->item[shown].text;
    const size_t length = strlen(one);
    /* Leave room for the last line; the first message is always included. */
    if (shown > 0 && used + length + 48 > sizeof text)
      break;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", shown > 0 ? "\n" : "", one);
    used = used < sizeof text - 48 ? used : sizeof text - 48;
  }
  if (shown < all->n)
    snprintf(text + used, sizeof text - used, "\n(and %d more)", all->n - shown);
  return error_set(error, STATUS_INPUT, "%s", text);
}

const Parameter *input_item(const Input *input, int i, const char **value)
{
  *value = i < input->nentry ? input->entry[i].text : NULL;
  return i < input->nentry ? input->entry[i].parameter : NULL;
}

Status(input_error)(const Input *input, InputKey key, Error *error, const char *format, ...)
{
  LOCALE_PLAIN;
  char text[1024];
  va_list args;
  va_start(args, format);
  printable_format(text, sizeof text, format, args);
  va_end(args);
  const KeyPath path = path_of(input, key);
  return error_set(error, STATUS_INPUT, "%s: %s: %s", where_of(input, path.text), path.text, text);
}

Status input_pass(const Input *input, InputKey key, Status status, const Error *why, Error *error)
{
  return status == STATUS_INPUT ? input_error(input, key, error, "%s", why->text)
                                : error_pass(error, status, why);
}

/* --- overrides, defaults, missing keys --------------------------------------------------------------- */

/* The map that contains a key, and the name of the key's line, which may have dots; or NULL. */
static Entry *map_around(const Input *input, const char *key, const char **name)
{
  char path[KEY_MAX];
  for (const char *dot = strchr(key, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
    snprintf(path, sizeof path, "%.*s", (int)(dot - key), key);
    Entry *const entry = input_entry(input, path);
    *name = dot + 1;
    if (entry != NULL)
      return input_map_may_be(entry->parameter) ? entry : NULL;
  }
  return NULL;
}

/* Keys in records are overridden after the records have been read. */
static void override(Input *input, const char *set, bool inside)
{
  const Location location = {INT_MAX, input_keep_text(input, "--set %s", input_shown(set).text)};
  const char *const sign = strchr(set, '=');
  const char *const bracket = strchr(set, '[');
  if ((bracket != NULL && sign != NULL && bracket < sign) != inside)
    return;
  if (sign == NULL || sign == set) {
    input_complain_at(input, location, "", "wanted: --set key=value, such as --set integrator.timestep=0.05");
    return;
  }
  const char *const given = input_keep_text(input, "%.*s", (int)(sign - set), set);
  const char *const key = given != NULL ? input_old(input, location, given) : NULL;
  if (key == NULL)
    return;
  Entry *const entry = input_entry(input, key);
  if (entry == NULL && inside && input_records_complain(input, location, key))
    return;
  const char *name;
  Entry *const map = entry == NULL ? map_around(input, key, &name) : NULL;
  if (map != NULL) {
    input_map_override(input, map, name, sign + 1, location);
    return;
  }
  if (entry == NULL) {
    if (input_section(input, key) != NULL)
      input_complain_at(input, location, key, "is a section; set one of its keys");
    else
      input_unknown(input, location, key, false);
    return;
  }
  entry->overridden = true;
  entry->given = sign[1] != '\0';
  entry->location = location;
  entry->text = NULL;
  if (entry->given)
    input_value_set_text(input, entry, sign + 1);
}

const Entry *input_rival(const Input *input, const Entry *entry)
{
  return entry->parameter->rival != NULL ? input_entry(input, entry->parameter->rival) : NULL;
}

/* A file's value is ignored if the command line gives the key or its rival. */
bool input_superseded(const Input *input, const Entry *entry)
{
  const Entry *const rival = input_rival(input, entry);
  return entry->overridden || (rival != NULL && rival->overridden && rival->given);
}

void input_complain_missing(Input *input, const Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  char wanted[512];
  input_value_wanted(parameter, input->unitless, wanted, sizeof wanted);
  const char *const with = parameter->needs != NULL ? parameter->needs->with : NULL;
  input_complain_of(input, parameter->key, "is missing%s%s; wanted: %s%s%s", with != NULL ? " " : "",
                    with != NULL ? with : "", wanted, parameter->rival != NULL ? "; or else " : "",
                    parameter->rival != NULL ? parameter->rival : "");
}

void input_require(Input *input, InputKey key)
{
  const Entry *const entry = input_entry_of(input, key);
  if (entry != NULL && !entry->given)
    input_complain_missing(input, entry);
}

void input_complete(Input *input, Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  if (parameter->type == PARAMETER_RECORDS)
    input_records_complete(input, entry);
  else if (parameter->type == PARAMETER_MAP || entry->nname > 0)
    input_map_complete(input, entry);
  const Entry *const rival = input_rival(input, entry);
  const bool first = rival != NULL && entry < rival;
  if (rival != NULL && entry->given && rival->given) {
    const bool later = entry->location.line > rival->location.line;
    const char *const one = later ? parameter->key : parameter->rival, *const other = later ? parameter->rival
                                                                                            : parameter->key;
    if (first)
      input_complain_of(input, one, "is given together with %s (%s); only one of the two is allowed", other,
                        where_of(input, other));
    return;
  }
  if (entry->given || (rival != NULL && rival->given))
    return;
  if (parameter->fallback != NULL) {
    input_value_set_text(input, entry, parameter->fallback);
  } else if (!parameter->optional && (rival == NULL || first) && !input_meaning_late(parameter)) {
    input_complain_missing(input, entry);
  }
}

static void complain_units(Input *input, const Entry *entry, int n, const char *reason)
{
  for (int i = 0; i < n; i++) {
    if (entry[i].given && entry[i].quantity != QUANTITY_NONE)
      input_complain_of(input, entry[i].parameter->key, "has a unit, and %s", reason);
    if (entry[i].nrecord > 0)
      complain_units(input, entry[i].record, entry[i].nrecord * (1 + input_records_rows(&entry[i])), reason);
  }
}

void input_unitless(Input *input, const char *reason)
{
  input->unitless = true;
  complain_units(input, input->entry, input->nentry, reason);
}

/* --- loading --------------------------------------------------------------------------------------- */

static void add_sections(Input *input, const char *key)
{
  for (const char *dot = strchr(key, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
    char path[KEY_MAX];
    snprintf(path, sizeof path, "%.*s", (int)(dot - key), key);
    if (input_section(input, path) == NULL)
      snprintf(input->section[input->nsection++].path, sizeof path, "%s", path);
  }
}

static Input *create(const Parameter *table, const char *name, void *target)
{
  Input *const input = calloc(1, sizeof *input);
  if (input == NULL)
    return NULL;
  size_t n = 0, ndot = 0;
  for (; table[n].key != NULL; n++)
    for (const char *dot = strchr(table[n].key, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
      ndot++;
  input->table = table;
  input->target = target;
  input->name = input_keep_text(input, "%s", name);
  input->entry = calloc(n + 1, sizeof *input->entry);
  input->section = calloc(ndot + 1, sizeof *input->section);
  if (input->entry == NULL || input->section == NULL || input->memory) {
    input_free(input);
    return NULL;
  }
  input->nentry = (int)n;
  for (size_t i = 0; i < n; i++) {
    input->entry[i].parameter = &table[i];
    input->entry[i].base = target;
    add_sections(input, table[i].key);
  }
  return input;
}

Status input_parse(Input **out, const Parameter *table, const char *name, const char *text, size_t length,
                   const char *const *set, int nset, void *target, Error *error)
{
  *out = NULL;
  Input *const input = create(table, name, target);
  TRY_MEMORY(input != NULL, "the input", error);
  for (int i = 0; i < nset; i++)
    override(input, set[i], false);
  input_yaml_read(input, text, length);
  for (int i = 0; i < nset; i++)
    override(input, set[i], true);
  /* If the whole file is wrong, "key is missing" for every key would hide the error. */
  if (!input->broken)
    for (int i = 0; i < input->nentry; i++)
      input_complete(input, &input->entry[i]);
  const Status status = input_verdict(input, error);
  if (status == STATUS_OK)
    *out = input;
  else
    input_free(input);
  return status;
}

/* Reads an input file, or standard input; for a missing file, suggests the nearest name. */
static Status read_file(const char *path, char **text, size_t *length, Error *error)
{
  if (strcmp(path, "-") == 0)
    return file_read_stream(stdin, "standard input", FILE_LIMIT, text, length, error);
  const Status status = file_read(path, FILE_LIMIT, text, length, error);
  char near[512], words[sizeof error->text];
  if (status == STATUS_INPUT && access(path, F_OK) != 0 && errno == ENOENT && error != NULL &&
      *nearest_file(path, near, sizeof near) != '\0') {
    snprintf(words, sizeof words, "%s", error->text);
    error_set(error, status, "%.1024s; did you mean '%s'?", words, near);
  }
  return status;
}

Status input_load(Input **out, const Parameter *table, const char *path, const char *const *set, int nset,
                  void *target, Error *error)
{
  *out = NULL;
  SCOPED(scoped_free) char *text = NULL;
  size_t length;
  TRY(read_file(path, &text, &length, error));
  return input_parse(out, table, strcmp(path, "-") == 0 ? "standard input" : path, text, length, set, nset,
                     target, error);
}
