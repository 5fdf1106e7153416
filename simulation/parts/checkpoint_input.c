#include "simulation/parts/checkpoint_input.h"

#include <string.h>

#include "base/text.h"

/* The file name is fixed but not its folder, since the saved input has paths relative to its own place. */
static const char *last_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path + (*path == '"');
}

/* Writes a map whose quoted paths are reduced to file names. */
static void put_map(Bytes *text, const char *map)
{
  while (*map != '\0') {
    const size_t n = strcspn(map, "\"");
    const char *slash = memrchr(map, '/', n), *name = slash != NULL ? slash + 1 : map;
    bytes_printf(text, "%.*s%s", (int)(map + n - name), name, map[n] == '"' ? "\"" : "");
    map += n + (map[n] == '"');
  }
}

static void put_value(Bytes *text, const Parameter *p, const char *value)
{
  if (p->map > 0)
    put_map(text, value);
  else
    bytes_printf(text, "%s", p->path ? last_name(value) : value);
}

Status checkpoint_input_fixed(const CheckpointOf *of, Bytes *text, Error *error)
{
  const char *value;
  const Parameter *p;
  *text = (Bytes){0};
  for (int i = 0; (p = input_item(of->config->input, i, &value)) != NULL; i++)
    if (!p->adjustable) {
      bytes_printf(text, "%s: ", p->key);
      put_value(text, p, value != NULL ? value : "");
      bytes_printf(text, "\n");
    }
  if (of->contents != NULL)
    bytes_printf(text, "contents: %s\n", of->contents);
  do
    bytes_put(text, "", 1);
  while (!text->failed && text->size % 8 != 0);
  if (!text->failed)
    return STATUS_OK;
  bytes_free(text);
  return error_memory(error, "the input of a checkpoint");
}

/* Two compared texts: their remainders, and the last lines that differ. */
typedef struct Walk {
  const Input *input;
  const char *then, *now;
  const char *line[2];
  int length[2];
} Walk;

static int key_length(const char *line) { return (int)strcspn(line, ":\n"); }

static bool has_key(const char *text, const char *line)
{
  const size_t length = (size_t)key_length(line) + 1;
  for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
    if (strncmp(text, line, length) == 0)
      return true;
  return false;
}

/* Whether "key: value" has no value, or the default. */
static bool is_default(const Input *input, const char *line, int length)
{
  const int key = key_length(line), left = length - key - 2;
  const char *unused;
  const Parameter *p;
  for (int i = 0; (p = input_item(input, i, &unused)) != NULL; i++)
    if ((int)strlen(p->key) == key && strncmp(p->key, line, (size_t)key) == 0)
      return left <= 0 || (p->fallback != NULL && (int)strlen(p->fallback) == left &&
                           strncmp(p->fallback, line + key + 2, (size_t)left) == 0);
  return false;
}

/* A key that an earlier version did not have or use had its default. */
static bool lines_agree(const Walk *w)
{
  const int a = w->length[0], b = w->length[1], key = key_length(w->now);
  if (a == b && strncmp(w->then, w->now, (size_t)a) == 0)
    return true;
  return key_length(w->then) == key && a == key + 2 && strncmp(w->then, w->now, (size_t)a) == 0 &&
         is_default(w->input, w->now, b);
}

/* Finds the next different lines. False: the rest agrees. */
static bool walk_on(Walk *w)
{
  bool found = false;
  while (!found && (*w->then != '\0' || *w->now != '\0')) {
    const int a = w->length[0] = (int)strcspn(w->then, "\n"), b = w->length[1] = (int)strcspn(w->now, "\n");
    const bool new_key = *w->now != '\0' && !has_key(w->then, w->now) && is_default(w->input, w->now, b);
    found = !new_key && !lines_agree(w);
    w->line[0] = w->then;
    w->line[1] = w->now;
    if (!new_key)
      w->then += a + (w->then[a] == '\n');
    w->now += b + (w->now[b] == '\n');
  }
  return found;
}

/* Writes advice: ". Go on with it as it was begun: --set 'key=value'" and so on, if single keys differ. */
static void advise_sets(Walk walk, char *words, size_t size)
{
  int left = 6; /* more differences mean another input */
  snprintf(words, size, ". Continue it as it was begun:");
  while (walk_on(&walk)) {
    const char *then = walk.line[0], *now = walk.line[1];
    const int a = walk.length[0], key = key_length(then);
    const bool molecules = strncmp(then, "contents:", 9) == 0;
    if (molecules || left == 0 || key + 2 > a || strncmp(then, now, (size_t)key + 1) != 0 ||
        memchr(then, '\'', (size_t)a) != NULL) {
      snprintf(words, size, "%s",
               molecules && left == 6
                   ? "; the files of its molecules have changed, or an earlier version read them differently"
                   : "");
      return;
    }
    left--;
    text_append(words, size, " --set '%.*s=%.*s'", key, then, a - key - 2, then + key + 2);
  }
}

Status checkpoint_input_compare(const char *what, bool folder, const Input *input, const char *then,
                                const char *now, Error *error)
{
  char sets[600];
  Walk walk = {.input = input, .then = then, .now = now};
  advise_sets(walk, sets, sizeof sets);
  if (!walk_on(&walk))
    return STATUS_OK;
  const int a = walk.length[0], b = walk.length[1];
  return error_set(error, STATUS_INPUT,
                   "%s is not a run of this input: it has\n  %.*s\nwhere the input now has\n  %.*s\nA "
                   "continued run may change only its length, threads, progress and checkpoints%s%s%s%s",
                   what, a < 200 ? a : 200, walk.line[0], b < 200 ? b : 200, walk.line[1], folder ? "; " : "",
                   folder ? what : "", folder ? "/input.yaml is its original input" : "", folder ? sets : "");
}
