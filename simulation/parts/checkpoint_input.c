#include "simulation/parts/checkpoint_input.h"

#include <string.h>

#include "base/text.h"

/* Of a path only this is fixed, since the kept input spells the rest from where it lies. */
static const char *last_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path + (*path == '"');
}

Status checkpoint_input_fixed(const CheckpointOf *of, Bytes *text, Error *error)
{
  const char *value;
  const Parameter *p;
  *text = (Bytes){0};
  for (int i = 0; (p = input_item(of->config->input, i, &value)) != NULL; i++)
    if (!p->adjustable)
      bytes_printf(text, "%s: %s\n", p->key, value == NULL ? "" : p->path ? last_name(value) : value);
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

/* What to do: where single keys differ, ". Go on with it as it was begun: --set 'key=value'" and so on. */
static void advise_sets(const char *then, const char *now, char *words, size_t size)
{
  int left = 6; /* more are another input */
  snprintf(words, size, ". Go on with it as it was begun:");
  while (*then != '\0' || *now != '\0') {
    const int a = (int)strcspn(then, "\n"), b = (int)strcspn(now, "\n"), key = (int)strcspn(then, ":\n");
    const bool molecules = strncmp(then, "contents:", 9) == 0;
    if (a != b || strncmp(then, now, (size_t)a) != 0) {
      if (molecules || left == 0 || key + 2 > a || strncmp(then, now, (size_t)key + 1) != 0 ||
          memchr(then, '\'', (size_t)a) != NULL) {
        snprintf(words, size, "%s",
                 molecules && left == 6 ? "; the files of its molecules have changed" : "");
        return;
      }
      left--;
      text_append(words, size, " --set '%.*s=%.*s'", key, then, a - key - 2, then + key + 2);
    }
    then += a + (then[a] == '\n');
    now += b + (now[b] == '\n');
  }
}

Status checkpoint_input_compare(const char *what, bool folder, const char *then, const char *now,
                                Error *error)
{
  char sets[600];
  advise_sets(then, now, sets, sizeof sets);
  while (*then != '\0' || *now != '\0') {
    const int a = (int)strcspn(then, "\n"), b = (int)strcspn(now, "\n");
    if (a != b || strncmp(then, now, (size_t)a) != 0)
      return error_set(
          error, STATUS_INPUT,
          "%s is not a run of this input: it has\n  %.*s\nwhere the input now says\n  %.*s\n"
          "Of a run that goes on only its length, threads, progress and checkpoints may change%s%s%s%s",
          what, a < 200 ? a : 200, then, b < 200 ? b : 200, now, folder ? "; " : "", folder ? what : "",
          folder ? "/input.yaml is the input that it was made with" : "", folder ? sets : "");
    then += a + (then[a] == '\n');
    now += b + (now[b] == '\n');
  }
  return STATUS_OK;
}
