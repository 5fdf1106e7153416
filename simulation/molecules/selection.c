#include "simulation/molecules/selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "topology/select.h"

enum { WORDS = 256 };

static const int rows[] = {
#define FORMAT(name) KEY_output_##name##_atoms,
#include "io/trajectory_formats.def"
};

void selection_free(Selection *selection)
{
  free(selection->atom);
  free(selection->bond);
  *selection = (Selection){0};
}

/* --- earlier forms ------- */

/* "7" or "1..100", molecules from 1. */
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

/* Whether a word is the name of a molecule type in listings, or "water". */
static bool names(const Simulation *s, const Labels *labels, int sort, const char *word)
{
  const MolecularSystem *own = system_molecules(s);
  if (strcmp(word, labels->sort[sort].name) == 0)
    return true;
  return own->model != NULL && strcmp(labels->sort[sort].name, labels->sort[0].name) == 0 &&
         strcmp(word, "water") == 0;
}

/* Marks the atoms of molecules with this name; false: there are no such molecules. */
static bool mark_named(const Simulation *s, const Labels *labels, const char *word, bool *chosen)
{
  bool any = false;
  for (int k = 0; k < labels->nsort; k++) {
    const LabelsSort *sort = &labels->sort[k];
    for (int i = 0; names(s, labels, k, word) && i < sort->nmol * sort->natom; i++)
      any = chosen[sort->first + i] = true;
  }
  return any;
}

/* --- selections ------- */

static Status wrong(const Simulation *s, const Labels *labels, int format, const char *words, const char *why,
                    Error *error)
{
  const InputKey key = {.row = rows[format]};
  char known[WORDS] = "";
  int64_t first, last;
  if (read_range(words, &first, &last))
    return input_error(s->config->input, key, error,
                       "'%.60s' could mean molecules or atoms: for molecules, numbered from 0, use \"molnum "
                       "%lld:%lld\"; for atoms, numbered from 0, \"index ...\"",
                       words, (long long)first - 1, (long long)last - 1);
  for (int k = 0; k < labels->nsort; k++)
    if (k == 0 || strcmp(labels->sort[k].name, labels->sort[k - 1].name) != 0)
      text_append(known, sizeof known, "%s%s", k > 0 ? ", " : "", labels->sort[k].name);
  return input_error(s->config->input, key, error,
                     "'%.100s': %s; wanted: a selection, such as \"resname %s\", or the name of a molecule: "
                     "%s",
                     words, why, labels->sort[0].atom[0].residue, known);
}

static Status mark(const Simulation *s, const Labels *labels, int format, const char *words, bool *chosen,
                   Error *error)
{
  SCOPED(scoped_free) bool *one = calloc((size_t)labels->natom, sizeof *one);
  TRY_MEMORY(one != NULL, "a selection", error);
  char none[SELECT_WORDS];
  Error why;
  int n = 0;
  if (mark_named(s, labels, words, chosen))
    return STATUS_OK;
  const Status status = select_atoms(labels, words, one, &n, &why);
  if (status == STATUS_INPUT)
    return wrong(s, labels, format, words, why.text, error);
  TRY(error_pass(error, status, &why));
  if (n == 0)
    return wrong(s, labels, format, words, select_none(labels->nsort, labels->sort, words, none), error);
  for (int i = 0; i < labels->natom; i++)
    chosen[i] = chosen[i] || one[i];
  return STATUS_OK;
}

/* Lists bonds between chosen atoms and returns their number. bond: NULL to count only. */
static int take_bonds(const Labels *labels, const bool *chosen, int (*bond)[2])
{
  int n = 0;
  for (int k = 0; k < labels->nsort; k++) {
    const LabelsSort *sort = &labels->sort[k];
    for (int m = 0; m < sort->nmol; m++)
      for (int b = 0; b < sort->nbond; b++) {
        const int base = sort->first + m * sort->natom;
        const int i = base + sort->bond[b].atom[0], j = base + sort->bond[b].atom[1];
        if (!chosen[i] || !chosen[j] || !labels_drawn(sort, b))
          continue;
        if (bond != NULL) {
          bond[n][0] = i;
          bond[n][1] = j;
        }
        n++;
      }
  }
  return n;
}

static Status mark_all(const Simulation *s, const Labels *labels, int format, bool *chosen, Error *error)
{
  const InputStrings *entries = &s->config->output.frames[format].atoms;
  memset(chosen, entries->n == 0, (size_t)labels->natom * sizeof *chosen);
  for (int i = 0; i < entries->n; i++)
    TRY(mark(s, labels, format, entries->value[i], chosen, error));
  return STATUS_OK;
}

static Status fill(const Simulation *s, int format, Selection *selection, Error *error)
{
  const Labels *labels = s->labels;
  SCOPED(scoped_free) bool *chosen = calloc((size_t)labels->natom, sizeof *chosen);
  TRY_MEMORY(chosen != NULL, "atoms of a trajectory", error);
  TRY(mark_all(s, labels, format, chosen, error));
  selection->nbond = take_bonds(labels, chosen, NULL);
  selection->bond = calloc((size_t)selection->nbond + 1, sizeof *selection->bond);
  selection->atom = calloc((size_t)labels->natom, sizeof *selection->atom);
  TRY_MEMORY(selection->bond != NULL && selection->atom != NULL, "atoms of a trajectory", error);
  (void)take_bonds(labels, chosen, selection->bond);
  for (int i = 0; i < labels->natom; i++)
    if (chosen[i])
      selection->atom[selection->n++] = i;
  return STATUS_OK;
}

Status selection_make(const Simulation *s, int format, Selection *selection, Error *error)
{
  *selection = (Selection){0};
  TRY_ELSE(fill(s, format, selection, error), selection_free(selection));
  if (s->config->output.frames[format].atoms.n > 0)
    return STATUS_OK;
  free(selection->atom);
  selection->atom = NULL;
  selection->n = 0;
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

bool selection_words(const Selection *selection, char *words, size_t size)
{
  size_t length = (size_t)snprintf(words, size, "index");
  for (int first = 0, next; first < selection->n && length < size; first = next) {
    const int *atom = selection->atom;
    for (next = first + 1; next < selection->n && atom[next] == atom[next - 1] + 1;)
      next++;
    length += (size_t)snprintf(words + length, size - length, next - first > 1 ? " %d:%d" : " %d",
                               atom[first], atom[next - 1]);
  }
  if (length >= size)
    words[0] = '\0';
  return length < size;
}
