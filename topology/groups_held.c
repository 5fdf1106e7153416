/* Penalties and changes of a molecule's distances: rules that match atoms, applied in order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "topology/groups_private.h"
#include "topology/select.h"

/* A molecule and its distances. */
typedef struct Holding {
  const Molecule *molecule;
  const GroupsList *lengths;
  GroupsList *wanted;
  GroupsChange *change;
  LabelsSort *labels; /* labels of its atoms with mass */
  int *atom;          /* numbers of these atoms */
  bool *some;         /* [labels->natom] */
  bool *chosen[3];    /* [molecule->natom] the atoms of each entry */
} Holding;

/* --- atoms ------------------------------------------------------------------------------------------------
 */

/* Converts an entry to a selection: of an index, of a name or type, or unchanged. */
static void entry_words(const char *entry, char *words, size_t size)
{
  const bool number = entry[0] != '\0' && entry[strspn(entry, "0123456789")] == '\0';
  const bool word = entry[strcspn(entry, " \t\n()")] == '\0' && strcmp(entry, "all") != 0 &&
                    strcmp(entry, "protein") != 0 && strcmp(entry, "backbone") != 0;
  if (number)
    (void)snprintf(words, size, "index %s", entry);
  else if (word)
    (void)snprintf(words, size, "name %s or type %s", entry, entry);
  else
    (void)snprintf(words, size, "%s", entry);
}

static Status choose(Holding *h, int entry, Arena *arena, Error *error)
{
  GroupsChange *change = h->change;
  const size_t size = 2 * strlen(change->atoms[entry]) + 16;
  char *words = arena_take(arena, size, 1);
  TRY(arena_check(arena, "constraints", error));
  int n = 0;
  Error why;
  entry_words(change->atoms[entry], words, size);
  const Status status = select_in_molecule(h->labels, words, h->some, &n, &why);
  if (status == STATUS_INPUT)
    return error_set(error, status, "'%.100s': %s", change->atoms[entry], why.text);
  TRY(error_pass(error, status, &why));
  memset(h->chosen[entry], 0, (size_t)h->molecule->natom * sizeof(bool));
  for (int i = 0; i < h->labels->natom; i++)
    h->chosen[entry][h->atom[i]] = h->some[i];
  change->seen[entry] += n;
  change->sites[entry] |= n == 0 && select_sites(1, h->labels, words);
  return STATUS_OK;
}

/* --- distances --------------------------------------------------------------------------------------------
 */

static bool fits(const Holding *h, int i, int j)
{
  const int last = h->change->natom - 1;
  return (h->chosen[0][i] && h->chosen[last][j]) || (h->chosen[0][j] && h->chosen[last][i]);
}

static bool is_pair(const GroupsWanted *item, int i, int j)
{
  const int *at = item->distance.site;
  return at[0] == (i < j ? i : j) && at[1] == (i < j ? j : i);
}

/* Changes all requested distances between i and j; otherwise adds one. */
static void hold(Holding *h, int i, int j, double length, GroupsGiver by)
{
  bool there = false;
  GroupsList *list = h->wanted;
  for (int k = 0; k < list->n; k++)
    if (is_pair(&list->item[k], i, j)) {
      list->item[k].w = h->change->w;
      there = true;
    }
  h->change->met++;
  if (!there && h->change->w > 0.0)
    list->item[list->n++] =
        (GroupsWanted){{.site = {i < j ? i : j, i < j ? j : i}, .length = length}, by, h->change->w};
}

static Status hold_bonds(Holding *h, Error *error)
{
  const Molecule *m = h->molecule;
  for (int c = 0; c < m->nconstraint; c++)
    if (fits(h, m->constraint[c].atom[0], m->constraint[c].atom[1]))
      hold(h, m->constraint[c].atom[0], m->constraint[c].atom[1], m->constraint[c].length,
           GROUPS_BY_CONSTRAINT);
  for (int b = 0; b < m->nbond; b++) {
    const int i = m->bond[b].atom[0], j = m->bond[b].atom[1];
    const GroupsWanted *of;
    if (!fits(h, i, j))
      continue;
    TRY(groups_wanted_length(m, h->lengths, i, j, &of, error));
    if (of->by == GROUPS_BY_BOND)
      hold(h, i, j, of->distance.length, GROUPS_BY_BOND);
  }
  return STATUS_OK;
}

/* Whether two atoms have a common neighbour among the atoms of the second entry. */
static bool meet(const Holding *h, int i, int j)
{
  for (int k = 0; k < h->molecule->natom; k++)
    if (h->chosen[1][k] && groups_wanted_find(h->lengths, i, k) != NULL &&
        groups_wanted_find(h->lengths, k, j) != NULL)
      return true;
  return false;
}

/* Changes angles that have a term, or whose ends have a constraint of the file. */
static Status hold_angles(Holding *h, Error *error)
{
  const Molecule *m = h->molecule;
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    const int *at = term->atom;
    double length;
    if (term->type->form != COORDINATE_COSINE || !h->chosen[1][at[1]] || !fits(h, at[0], at[2]))
      continue;
    TRY(groups_wanted_ends(m, h->lengths, term, &length, error));
    hold(h, at[0], at[2], length, GROUPS_BY_ANGLE);
  }
  for (int c = 0; c < m->nconstraint; c++) {
    const int *at = m->constraint[c].atom;
    if (fits(h, at[0], at[1]) && meet(h, at[0], at[1]))
      hold(h, at[0], at[1], m->constraint[c].length, GROUPS_BY_CONSTRAINT);
  }
  return STATUS_OK;
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

static bool has_term(const Molecule *m, int i, int j)
{
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    const int *at = term->atom, last = term->type->natom - 1;
    const bool three = term->type->form == COORDINATE_COSINE;
    if ((three || molecules_bonds(term)) && ((at[0] == i && at[last] == j) || (at[0] == j && at[last] == i)))
      return true;
  }
  return false;
}

/* Removes distances of strength 0, which the terms of the force field replace if they exist. */
static Status drop(const Molecule *m, GroupsList *wanted, Error *error)
{
  int n = 0;
  for (int k = 0; k < wanted->n; k++) {
    const GroupsWanted *item = &wanted->item[k];
    const int i = item->distance.site[0], j = item->distance.site[1];
    if (item->w > 0.0)
      wanted->item[n++] = *item;
    else if (item->by == GROUPS_BY_CONSTRAINT && !has_term(m, i, j))
      return error_set(error, STATUS_INPUT,
                       "molecule %s: the distance of atoms %d and %d, %s and %s, is a constraint of the file "
                       "without a term: it cannot be removed",
                       m->name, i + 1, j + 1, m->atom[i].name, m->atom[j].name);
  }
  wanted->n = n;
  return STATUS_OK;
}

static Status prepare(Holding *h, const Molecules *all, Arena *arena, Error *error)
{
  const size_t natom = (size_t)h->molecule->natom;
  h->labels = arena_take(arena, 1, sizeof *h->labels);
  h->atom = arena_take(arena, natom, sizeof *h->atom);
  h->some = arena_take(arena, natom, sizeof *h->some);
  for (int e = 0; e < 3; e++)
    h->chosen[e] = arena_take(arena, natom, sizeof(bool));
  TRY(arena_check(arena, "constraints", error));
  return labels_molecule(all, h->molecule, h->labels, h->atom, arena, error);
}

Status groups_held_apply(const Molecules *all, int m, const GroupsList *lengths, GroupsHeld *held,
                         Arena *arena, GroupsList *wanted, Error *error)
{
  Holding h = {.molecule = &all->molecule[m], .lengths = lengths, .wanted = wanted};
  for (int k = 0; k < wanted->n; k++)
    wanted->item[k].w = held->w;
  TRY(prepare(&h, all, arena, error));
  for (int r = 0; r < held->n; r++) {
    held->wrong = r;
    h.change = &held->change[r];
    for (int e = 0; e < h.change->natom; e++)
      TRY(choose(&h, e, arena, error));
    TRY(h.change->natom == 2 ? hold_bonds(&h, error) : hold_angles(&h, error));
  }
  held->wrong = -1;
  return drop(h.molecule, wanted, error);
}
