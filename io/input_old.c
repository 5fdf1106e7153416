/* Reads keys of earlier versions. */
#include <string.h>

#include "base/text.h"
#include "io/input_private.h"

const char *input_old(Input *input, Location location, const char *key)
{
  const InputOld *old = input->table[input->nentry].old;
  while (old != NULL && old->key != NULL && strcmp(old->key, key) != 0)
    old++;
  if (old == NULL || old->key == NULL)
    return key;
  const char *const now = old->row >= 0 ? input->table[old->row].key : NULL;
  if (now != NULL)
    input_note_at(input, location, key, "is the old name of %s, and is read as such", now);
  else
    input_note_at(input, location, key, "was removed and has no effect: %s", old->words);
  return now;
}

void input_old_names(const InputOld *old, int row, char *text, size_t size)
{
  text[0] = '\0';
  for (; old != NULL && old->key != NULL; old++)
    if (old->row == row)
      text_append(text, size, "%s%s", text[0] != '\0' ? ", " : "", old->key);
}
