/* Maps: lines "name: value" whose names are the user's own. */
#include <limits.h>
#include <string.h>

#include "engine/nearest.h"
#include "io/input_private.h"

static MapName *find(const Entry *entry, const char *name)
{
  for (int i = 0; i < entry->nname; i++)
    if (strcmp(entry->name[i].name, name) == 0)
      return &entry->name[i];
  return NULL;
}

static MapName *append(Input *input, Entry *entry, const char *name)
{
  MapName *const all = input_keep(input, ((size_t)entry->nname + 1) * sizeof *all);
  const char *const own = input_keep_text(input, "%s", name);
  if (all == NULL || own == NULL)
    return NULL;
  if (entry->nname > 0)
    memcpy(all, entry->name, (size_t)entry->nname * sizeof *all);
  entry->name = all;
  all[entry->nname].name = own;
  return &all[entry->nname++];
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

void input_map_complete(Input *input, Entry *entry)
{
  const size_t room = (size_t)entry->nname + 1;
  const char **const name = input_keep(input, room * sizeof *name);
  const char **const value = input_keep(input, room * sizeof *value);
  if (name == NULL || value == NULL)
    return;
  int n = 0;
  const char *text = "";
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
    name[n] = item->name;
    value[n++] = item->value;
    text = input_keep_text(input, "%s%s%s: %s", text == NULL ? "" : text, n > 1 ? ", " : "", left, right);
  }
  memcpy((char *)entry->base + entry->parameter->offset, &(InputMap){n, name, value}, sizeof(InputMap));
  entry->text = n > 0 ? input_keep_text(input, "{%s}", text == NULL ? "" : text) : NULL;
}
