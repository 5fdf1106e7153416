/* Reports unknown keys with the nearest key, the allowed keys, or advice. */
#include <ctype.h>
#include <string.h>

#include "base/nearest.h"
#include "io/input_private.h"

/* The start of the last part of a key. */
static size_t leaf_at(const char *key)
{
  const char *const dot = strrchr(key, '.');
  return dot != NULL ? (size_t)(dot - key) + 1 : 0;
}

/* Compares the last parts. In another section a candidate must have the same name, or differ in one
 * letter, because other names mean something else. It costs half a letter more, so that the key's own
 * section is preferred. */
static void try_key(Nearest *nearest, const char *key, const char *candidate)
{
  const size_t leaf = leaf_at(candidate);
  const bool same = leaf == leaf_at(key) && strncmp(key, candidate, leaf) == 0;
  const double before = nearest->distance;
  Nearest alone = nearest_start(nearest->word);
  nearest_try(&alone, candidate + leaf, 0.0);
  if (!same && alone.distance > 1.0)
    return;
  nearest_try(nearest, candidate + leaf, same ? 0.0 : 0.5);
  if (nearest->distance < before)
    nearest->name = candidate;
}

/* Whether a key's value is a mapping, like a section. */
static bool is_mapping(const Parameter *parameter)
{
  return input_map_may_be(parameter) || parameter->type == PARAMETER_RECORDS;
}

/* The key or section nearest to a wrong one, in its own section or elsewhere; for a section only sections. */
static const char *nearest_key(const Input *input, const char *key, bool section)
{
  Nearest nearest = nearest_start(key + leaf_at(key));
  for (int i = 0; i < input->nentry; i++)
    if (!section || is_mapping(input->entry[i].parameter))
      try_key(&nearest, key, input->entry[i].parameter->key);
  for (int i = 0; i < input->nsection; i++)
    try_key(&nearest, key, input->section[i].path);
  return nearest.name;
}

/* The names below a section ("": the top): "word, weights, timestep". */
static void names_below(const Input *input, const char *path, char *text, size_t size)
{
  const size_t npath = strlen(path);
  size_t used = 0;
  const char *last = "";
  int nlast = 0;
  text[0] = '\0';
  for (int i = 0; i < input->nentry; i++) {
    const char *const key = input->entry[i].parameter->key;
    if (npath > 0 && (strncmp(key, path, npath) != 0 || key[npath] != '.'))
      continue;
    const char *const name = key + (npath > 0 ? npath + 1 : 0);
    const int n = (int)strcspn(name, ".");
    if (n == nlast && strncmp(name, last, (size_t)n) == 0)
      continue;
    if (used + (size_t)n + 3 > size)
      return;
    used += (size_t)snprintf(text + used, size - used, "%s%.*s", used > 0 ? ", " : "", n, name);
    last = name;
    nlast = n;
  }
}

/* Whether the first `length` characters of a key are this word of another program: GROMACS writes - for _,
 * too. */
static bool same_word(const char *key, size_t length, const char *word)
{
  bool same = strlen(word) == length;
  for (size_t i = 0; same && i < length; i++)
    same = tolower((unsigned char)(key[i] == '-' ? '_' : key[i])) == tolower((unsigned char)word[i]);
  return same;
}

/* The table's advice on a word of other programs, as the first or last part of a key; or NULL. */
static const char *absent(const Input *input, const char *key)
{
  const Parameter *const end = &input->table[input->nentry];
  const size_t first = strcspn(key, ".");
  const char *const last = key + leaf_at(key);
  for (int i = 0; end->names != NULL && end->names[i] != NULL; i += 2)
    if (same_word(key, first, end->names[i]) || same_word(last, strlen(last), end->names[i]))
      return end->names[i + 1];
  return NULL;
}

/* "a.b" from "a.b.c", "" from "a", in around[KEY_MAX]. */
static void parent_of(const char *key, char *around)
{
  const size_t leaf = leaf_at(key);
  snprintf(around, KEY_MAX, "%.*s", leaf > 0 ? (int)leaf - 1 : 0, key);
}

void input_unknown(Input *input, Location location, const char *key, bool section)
{
  char names[512], wrong[KEY_MAX], around[KEY_MAX];
  const char *const said = absent(input, key);
  if (said != NULL) {
    input_complain_at(input, location, input_shown(key).text, "unknown key; %s", said);
    return;
  }
  /* If a section on the command line is unknown, the section is reported: keys of the same name elsewhere
   * have another meaning. */
  snprintf(wrong, sizeof wrong, "%s", key);
  for (parent_of(wrong, around);
       around[0] != '\0' && input_section(input, around) == NULL && input_entry(input, around) == NULL;
       parent_of(wrong, around)) {
    memcpy(wrong, around, sizeof wrong);
    section = true;
  }
  const char *const what = section ? "section" : "key", *const near = nearest_key(input, wrong, section);
  if (near != NULL && strcmp(near, wrong + leaf_at(wrong)) == 0 && around[0] != '\0') {
    input_complain_at(input, location, input_shown(wrong).text,
                      "unknown %s; %s is a key at the top of the file: move it out of %s", what, near,
                      around);
    return;
  }
  if (near != NULL) {
    input_complain_at(input, location, input_shown(wrong).text, "unknown %s; did you mean %s?", what, near);
    return;
  }
  names_below(input, around, names, sizeof names);
  input_complain_at(input, location, input_shown(wrong).text, "unknown %s; %s%s has %s", what,
                    around[0] != '\0' ? "the section " : "the top of the file", around, names);
}
