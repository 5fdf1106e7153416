#include "simulation/molecules/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/scoped.h"

static const int rows[] = {
#define FORMAT(name) KEY_output_##name##_molecules,
#include "io/trajectory_formats.def"
};

void selection_free(Selection *selection)
{
  free(selection->atom);
  *selection = (Selection){0};
}

/* "7" or "1..100", from 1. */
static bool read_range(const char *word, int64_t *first, int64_t *last)
{
  char *end;
  errno = 0;
  *first = *last = strtoll(word, &end, 10);
  if (end != word && strncmp(end, "..", 2) == 0) {
    const char *next = end + 2;
    *last = strtoll(next, &end, 10);
    if (end == next)
      return false;
  }
  return end != word && *end == '\0' && errno == 0;
}

/* Of a sort of molecules the name that listings have, or one that input files may give it. */
static bool names(const Simulation *s, int sort, const char *word)
{
  const Water *own = system_water(s);
  if (strcmp(word, s->topology->sort[sort].kind->name) == 0)
    return true;
  if (own->groups != NULL)
    return false;
  if (own->species[sort] == NULL)
    return strcmp(word, "water") == 0;
  return species_find(word, own->model != NULL ? own->model->name : NULL) == own->species[sort];
}

/* Marks the molecules that a word stands for; false: none. */
static bool mark(const Simulation *s, const char *word, bool *marked)
{
  const Topology *t = s->topology;
  int64_t first, last;
  bool any = false;
  if (read_range(word, &first, &last)) {
    any = first >= 1 && first <= last && last <= t->nmol;
    for (int64_t m = first; any && m <= last; m++)
      marked[m - 1] = true;
    return any;
  }
  for (int k = 0; k < t->nsort; k++)
    for (int m = 0; names(s, k, word) && m < t->sort[k].nmol; m++)
      any = marked[t->sort[k].first + m] = true;
  return any;
}

static Status mark_all(const Simulation *s, int format, bool *marked, Error *error)
{
  const InputStrings *words = &s->config->output.frames[format].molecules;
  for (int i = 0; i < words->n; i++)
    if (!mark(s, words->value[i], marked)) {
      char known[256] = "";
      for (int k = 0; k < s->topology->nsort; k++)
        text_append(known, sizeof known, "%s, ", s->topology->sort[k].kind->name);
      return input_error(s->config->input, (InputKey){.row = rows[format]}, error,
                         "'%s' is no molecule here; wanted: %snumbers from 1 to %d, or ranges such as 1..%d",
                         words->value[i], known, s->topology->nmol, s->topology->nmol);
    }
  return STATUS_OK;
}

Status selection_make(const Simulation *s, int format, Selection *selection, Error *error)
{
  const Topology *t = s->topology;
  *selection = (Selection){0};
  if (s->config->output.frames[format].molecules.n == 0)
    return STATUS_OK;
  SCOPED(scoped_free) bool *marked = calloc((size_t)t->nmol, sizeof *marked);
  TRY_MEMORY(marked != NULL, "molecules of a trajectory", error);
  TRY(mark_all(s, format, marked, error));
  selection->atom = malloc((size_t)t->natom * sizeof *selection->atom);
  TRY_MEMORY(selection->atom != NULL, "molecules of a trajectory", error);
  int atom = 0;
  for (int k = 0; k < t->nsort; k++)
    for (int i = 0; i < t->sort[k].nmol * t->sort[k].kind->nsite; i++, atom++)
      if (marked[t->sort[k].first + i / t->sort[k].kind->nsite])
        selection->atom[selection->n++] = atom;
  return STATUS_OK;
}

Status selection_check(const Simulation *s, Error *error)
{
  for (int i = 0; i < TRAJECTORY_FORMATS; i++) {
    SCOPED(selection_free) Selection selection = {0};
    if ((s->config->output.trajectory & 1u << i) != 0)
      TRY(selection_make(s, i, &selection, error));
  }
  return STATUS_OK;
}
