/* Decides which keys have a meaning for the system type and the other keys of an input. */
#include <string.h>

#include "base/text.h"
#include "io/input_private.h"

bool input_meaning_late(const Parameter *parameter)
{
  return parameter->sorts != 0 || parameter->needs != NULL || parameter->late[0].where != NULL;
}

static bool has_place(const Input *input, const Parameter *parameter)
{
  return parameter->sorts == 0 || (parameter->sorts & 1u << input->sort) != 0;
}

void input_meaning_sorts(const InputSort *sort, unsigned sorts, bool name, char *text, size_t size)
{
  text[0] = '\0';
  for (int i = 0; sort[i].name != NULL; i++)
    if (sorts & 1u << i)
      text_append(text, size, "%s%s",
                  text[0] == '\0' ? ""
                  : name          ? ", "
                                  : " or ",
                  name ? sort[i].name : sort[i].words);
}

static void drop(Entry *entry)
{
  if (entry->given)
    return;
  entry->text = NULL;
  entry->dropped = true;
}

static void misplaced(Input *input, Entry *entry)
{
  const InputSort *const sort = input->table[input->nentry].sort;
  const bool advised = entry->parameter->measures && sort[input->sort].measured != NULL;
  const char *const elsewhere = entry->parameter->elsewhere;
  char fits[256];
  input_meaning_sorts(sort, entry->parameter->sorts, false, fits, sizeof fits);
  if (entry->given)
    input_complain_of(input, entry->parameter->key, "is not allowed for %s; it applies to %s%s%s%s%s",
                      sort[input->sort].words, fits, advised ? "; here, use " : "",
                      advised ? sort[input->sort].measured : "", elsewhere != NULL ? "; elsewhere " : "",
                      elsewhere != NULL ? elsewhere : "");
  drop(entry);
}

static void set_default(Input *input, Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  const Entry *const rival = input_rival(input, entry);
  if (parameter->late[0].where == NULL || entry->given || (rival != NULL && rival->given))
    return;
  const char *text = parameter->fallback;
  for (int i = 1; i >= 0; i--)
    if (parameter->late[i].where != NULL && parameter->late[i].where->holds(input->target))
      text = parameter->late[i].text;
  if (text != NULL)
    input_value_set_text(input, entry, text);
}

void input_meaning_sort(Input *input, int sort)
{
  input->sort = sort;
  for (int i = 0; i < input->nentry; i++)
    if (!has_place(input, input->entry[i].parameter))
      misplaced(input, &input->entry[i]);
  /* Twice, because a default may depend on a key with a late default. */
  for (int i = 0; i < 2 * input->nentry; i++)
    if (has_place(input, input->entry[i % input->nentry].parameter))
      set_default(input, &input->entry[i % input->nentry]);
}

/* A key without a value that is required in this system. */
static bool is_missing(const Input *input, const Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  return input_meaning_late(parameter) && !parameter->optional && parameter->rival == NULL &&
         entry->text == NULL && !entry->given && has_place(input, parameter) && !entry->dropped;
}

/* Reports a key whose condition is false. */
static void meaningless(Input *input, Entry *entry, bool brief)
{
  const Parameter *const parameter = entry->parameter;
  if (entry->given && parameter->refused)
    input_complain_of(input, parameter->key, "has no meaning %s", parameter->needs->without);
  else if (entry->given)
    input_note(input, (InputKey){.row = (int)(entry - input->entry)}, "has no effect %s",
               parameter->needs->without);
  if (brief || parameter->needs->hidden)
    drop(entry);
}

/* Whether another key of the same section is missing, on which the key's condition may depend: w on the
 * method. */
static bool missing_beside(const Input *input, const Entry *entry)
{
  const char *const path = entry->parameter->key, *const dot = strrchr(path, '.');
  const size_t section = dot != NULL ? (size_t)(dot - path) + 1 : 0;
  for (const Entry *other = input->entry; other < input->entry + input->nentry; other++)
    if (other != entry && other->parameter->needs == NULL && is_missing(input, other) &&
        strncmp(other->parameter->key, path, section) == 0)
      return true;
  return false;
}

void input_meaning_check(Input *input)
{
  const bool brief = input->table[input->nentry].sort[input->sort].brief;
  for (int i = 0; i < input->nentry; i++) {
    Entry *const entry = &input->entry[i];
    const Parameter *const parameter = entry->parameter;
    if (!has_place(input, parameter) || entry->dropped)
      continue;
    if (parameter->needs != NULL && !parameter->needs->holds(input->target))
      meaningless(input, entry, brief);
    else if (is_missing(input, entry) && !(parameter->needs != NULL && missing_beside(input, entry)))
      input_complain_missing(input, entry);
    if (brief && parameter->rival != NULL && entry->text == NULL)
      drop(entry);
  }
}
