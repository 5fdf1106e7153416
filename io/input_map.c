/* Maps: lines "name: value" whose names are the user's own. */
#include <limits.h>
#include <string.h>

#include "engine/nearest.h"
#include "io/input_private.h"

/* The slot that holds a name, or the free one where it would go. There are twice as many as names at least.
 */
static int slot_of(const Entry *entry, const char *name)
{
  const unsigned n = 2 * (unsigned)entry->room;
  unsigned hash = 2166136261u; /* FNV-1a */
  for (const char *c = name; *c != '\0'; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  unsigned at = hash % n;
  while (entry->slot[at] != 0 && strcmp(entry->name[entry->slot[at] - 1].name, name) != 0)
    at = (at + 1) % n;
  return (int)at;
}

static MapName *find(const Entry *entry, const char *name)
{
  const int at = entry->room > 0 ? entry->slot[slot_of(entry, name)] : 0;
  return at > 0 ? &entry->name[at - 1] : NULL;
}

/* Room for twice as many names: what all the former arrays took is less than the last one. */
static bool widen(Input *input, Entry *entry)
{
  const int room = entry->room > 0 ? 2 * entry->room : 8;
  MapName *const all = input_keep(input, (size_t)room * sizeof *all);
  int *const slot = input_keep(input, 2 * (size_t)room * sizeof *slot);
  if (all == NULL || slot == NULL)
    return false;
  if (entry->name != NULL)
    memcpy(all, entry->name, (size_t)entry->nname * sizeof *all);
  entry->name = all;
  entry->slot = slot;
  entry->room = room;
  for (int i = 0; i < entry->nname; i++)
    slot[slot_of(entry, all[i].name)] = i + 1;
  return true;
}

static MapName *append(Input *input, Entry *entry, const char *name)
{
  const char *const own = input_keep_text(input, "%s", name);
  if (own == NULL || (entry->nname == entry->room && !widen(input, entry)) || entry->name == NULL ||
      entry->slot == NULL)
    return NULL;
  entry->slot[slot_of(entry, own)] = entry->nname + 1;
  entry->name[entry->nname].name = own;
  return &entry->name[entry->nname++];
}

void input_map_add(Input *input, Entry *entry, const char *name, const char *value, int line,
                   const char *where)
{
  MapName *item = find(entry, name);
  if (item != NULL && item->in_file) {
    input_complain_at(input, line, where, entry->parameter->key, "%s is given twice, the first time at %s",
                      input_shown(name).text, item->where);
    return;
  }
  if (item == NULL)
    item = append(input, entry, name);
  if (item == NULL)
    return;
  item->in_file = true;
  if (item->overridden)
    return;
  item->value = input_keep_text(input, "%s", value);
  item->line = line;
  item->where = where;
}

void input_map_override(Input *input, Entry *entry, const char *name, const char *value, const char *where)
{
  MapName *item = find(entry, name);
  if (item == NULL)
    item = append(input, entry, name);
  if (item == NULL)
    return;
  item->overridden = true;
  item->value = *value != '\0' ? input_keep_text(input, "%s", value) : NULL;
  item->line = INT_MAX;
  item->where = where;
}

const MapName *input_map_find(const Input *input, const char *key)
{
  const char *const dot = strrchr(key, '.');
  char path[KEY_MAX];
  if (dot == NULL || (size_t)(dot - key) >= sizeof path)
    return NULL;
  snprintf(path, sizeof path, "%.*s", (int)(dot - key), key);
  const Entry *const entry = strchr(path, '[') == NULL ? input_entry(input, path) : NULL;
  return entry != NULL ? find(entry, dot + 1) : NULL;
}

/* The command line can change a name, not bring one that nothing in the file refers to. */
static void complain_unknown(Input *input, const Entry *entry, const MapName *item)
{
  Nearest nearest = nearest_start(item->name);
  for (int i = 0; i < entry->nname; i++)
    if (entry->name[i].in_file)
      nearest_try(&nearest, entry->name[i].name, 0.0);
  input_complain_at(input, item->line, item->where, entry->parameter->key, "the file has no '%s' there%s%s%s",
                    input_shown(item->name).text, nearest.name != NULL ? "; did you mean '" : "",
                    nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "'?" : "");
}

/* "{a: 1, b: 2}" of texts that are quoted where they have to be; NULL: no memory. */
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
  for (int i = 0; i < entry->nname; i++) {
    const MapName *const item = &entry->name[i];
    if (!item->in_file)
      complain_unknown(input, entry, item);
    if (!item->in_file || item->value == NULL)
      continue;
    const char *const left = input_value_quoted(input, item->name);
    const char *const right = input_value_quoted(input, item->value);
    if (left == NULL || right == NULL) {
      input_complain_at(input, item->line, item->where, entry->parameter->key, "is not UTF-8 text");
      continue;
    }
    quoted[n] = left;
    quoted[room + (size_t)n] = right;
    name[n] = item->name;
    value[n++] = item->value;
  }
  memcpy((char *)entry->base + entry->parameter->offset, &(InputMap){n, name, value}, sizeof(InputMap));
  entry->text = n > 0 ? whole_text(input, n, quoted, quoted + room) : NULL;
}
