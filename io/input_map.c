/* Maps: "name: value" lines with names that the user chose. */
#include <search.h>
#include <string.h>

#include "base/nearest.h"
#include "io/input_private.h"

static int compare(const void *a, const void *b)
{
  const MapName *const x = a, *const y = b;
  const int maps = strcmp(x->map, y->map);
  return maps != 0 ? maps : strcmp(x->name, y->name);
}

static MapName *find(const Input *input, const Entry *entry, const char *name)
{
  const MapName like = {.map = entry->parameter->key, .name = name};
  MapName *const *const found = tfind(&like, &input->names, compare);
  return found != NULL ? *found : NULL;
}

/* The line with this name, added if needed; NULL: no memory. */
static MapName *line_of(Input *input, Entry *entry, const char *name)
{
  MapName *item = find(input, entry, name);
  if (item != NULL)
    return item;
  const char *const own = input_keep_text(input, "%s", name);
  item = input_keep(input, sizeof *item);
  if (own == NULL || item == NULL)
    return NULL;
  *item = (MapName){.map = entry->parameter->key, .name = own};
  if (tsearch(item, &input->names, compare) == NULL) {
    input->memory = true;
    return NULL;
  }
  *(entry->last != NULL ? &entry->last->next : &entry->first) = item;
  entry->last = item;
  entry->nname++;
  return item;
}

static void keep_item(void *item) { (void)item; /* input_keep owns it */ }

void input_map_free(Input *input) { tdestroy(input->names, keep_item); }

/* Moves a line that the command line gave first to its place in the file. */
static void move_last(Entry *entry, MapName *item)
{
  MapName **at = &entry->first;
  while (*at != item)
    at = &(*at)->next;
  *at = item->next;
  item->next = NULL;
  for (entry->last = NULL; *at != NULL; at = &(*at)->next)
    entry->last = *at;
  *at = entry->last = item;
}

void input_map_add(Input *input, Entry *entry, const char *name, const char *value, Location location)
{
  MapName *const item = line_of(input, entry, name);
  if (item != NULL && item->in_file)
    input_complain_at(input, location, entry->parameter->key, "%s is given twice, the first time at %s",
                      input_shown(name).text, item->location.where);
  if (item == NULL || item->in_file)
    return;
  item->in_file = true;
  if (item->overridden) {
    move_last(entry, item);
    return;
  }
  item->value = input_keep_text(input, "%s", value);
  item->location = location;
}

void input_map_override(Input *input, Entry *entry, const char *name, const char *value, Location location)
{
  MapName *const item = line_of(input, entry, name);
  if (item == NULL)
    return;
  item->overridden = true;
  item->value = *value != '\0' ? input_keep_text(input, "%s", value) : NULL;
  item->location = location;
}

const MapName *input_map_find(const Input *input, const char *key)
{
  char path[KEY_MAX];
  const Entry *entry = NULL;
  const char *dot = strchr(key, '.'); /* names may contain dots */
  for (; dot != NULL && entry == NULL && (size_t)(dot - key) < sizeof path; dot = strchr(dot + 1, '.')) {
    snprintf(path, sizeof path, "%.*s", (int)(dot - key), key);
    entry = strchr(path, '[') == NULL ? input_entry(input, path) : NULL;
    if (entry != NULL)
      return find(input, entry, dot + 1);
  }
  return NULL;
}

/* The command line can only change names that the file has. */
static void complain_unknown(Input *input, const Entry *entry, const MapName *item)
{
  Nearest nearest = nearest_start(item->name);
  for (const MapName *other = entry->first; other != NULL; other = other->next)
    if (other->in_file)
      nearest_try(&nearest, other->name, 0.0);
  input_complain_at(input, item->location, entry->parameter->key, "the file has no '%s' here%s",
                    input_shown(item->name).text, nearest_hint(&nearest, "").text);
}

/* "{a: 1, b: 2}" with quotes where needed; NULL: no memory. */
static const char *whole_text(Input *input, int n, const char *const *left, const char *const *right)
{
  size_t size = sizeof "{}";
  for (int i = 0; i < n; i++)
    size += strlen(left[i]) + strlen(right[i]) + strlen(": , ");
  char *const text = input_keep(input, size);
  if (text == NULL)
    return NULL;
  char *at = text;
  for (int i = 0; i < n; i++)
    at += sprintf(at, "%s%s: %s", i == 0 ? "{" : ", ", left[i], right[i]);
  strcpy(at, "}");
  return text;
}

void input_map_complete(Input *input, Entry *entry)
{
  const size_t room = (size_t)entry->nname + 1;
  const char **const quoted = input_keep(input, 2 * room * sizeof *quoted);
  const char **const name = input_keep(input, room * sizeof *name);
  const char **const value = input_keep(input, room * sizeof *value);
  if (name == NULL || value == NULL || quoted == NULL)
    return;
  int n = 0;
  for (const MapName *item = entry->first; item != NULL; item = item->next) {
    if (!item->in_file)
      complain_unknown(input, entry, item);
    if (!item->in_file || item->value == NULL)
      continue;
    const char *const left = input_value_quoted(input, item->name);
    const char *const right = input_value_quoted(input, item->value);
    if (left == NULL || right == NULL) {
      input_complain_at(input, item->location, entry->parameter->key, "is not UTF-8 text");
      continue;
    }
    quoted[n] = left;
    quoted[room + (size_t)n] = right;
    name[n] = item->name;
    value[n++] = item->value;
  }
  const Parameter *const parameter = entry->parameter;
  memcpy((char *)entry->base + (parameter->map > 0 ? parameter->map : parameter->offset),
         &(InputMap){n, name, value}, sizeof(InputMap));
  entry->text = n > 0 ? whole_text(input, n, quoted, quoted + room) : NULL;
}

bool input_map_names_file(const Entry *entry, const MapName *item)
{
  return entry->parameter->map > 0 && item->in_file && item->value != NULL &&
         strpbrk(item->name, "./") != NULL;
}

const char *input_map_rename(Input *input, const Entry *entry,
                             const char *(*rename)(Input *, const char *, const char *), const char *folder)
{
  const size_t room = (size_t)entry->nname + 1;
  const char **const left = input_keep(input, 2 * room * sizeof *left), **const right = left + room;
  int n = 0;
  for (const MapName *item = entry->first; item != NULL && left != NULL; item = item->next) {
    if (!item->in_file || item->value == NULL)
      continue;
    left[n] = input_map_names_file(entry, item) ? rename(input, folder, item->name)
                                                : input_value_quoted(input, item->name);
    right[n] = input_value_quoted(input, item->value);
    if (left[n] == NULL || right[n++] == NULL)
      return NULL;
  }
  return left != NULL ? whole_text(input, n, left, right) : NULL;
}
