/* Lists the distances requested in a molecule: constraints of its file, bonds, and angles between bonds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

#define LENGTH_LEAST 1e-3 /* A: constraints are longer */

static int compare(const void *one, const void *other)
{
  const int *a = ((const GroupsWanted *)one)->distance.site,
            *b = ((const GroupsWanted *)other)->distance.site;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static void add(GroupsList *list, int i, int j, double length, GroupsGiver by)
{
  list->item[list->n++] =
      (GroupsWanted){{.site = {i < j ? i : j, i < j ? j : i}, .length = length}, by, INFINITY};
}

const GroupsWanted *groups_wanted_find(const GroupsList *lengths, int i, int j)
{
  const GroupsWanted key = {.distance = {.site = {i < j ? i : j, i < j ? j : i}}};
  return lengths->n > 0 ? bsearch(&key, lengths->item, (size_t)lengths->n, sizeof key, compare) : NULL;
}

static void add_constraints(const Molecule *m, GroupsList *list)
{
  for (int c = 0; c < m->nconstraint; c++)
    add(list, m->constraint[c].atom[0], m->constraint[c].atom[1], m->constraint[c].length,
        GROUPS_BY_CONSTRAINT);
}

/* One entry per pair: a constraint's length takes precedence over a bond's. */
static Status list_lengths(const Molecule *m, GroupsList *lengths, Error *error)
{
  add_constraints(m, lengths);
  qsort(lengths->item, (size_t)lengths->n, sizeof *lengths->item, compare);
  const GroupsList constraints = *lengths;
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    if (molecules_bonds(term) && !molecules_sees_site(m, term) &&
        groups_wanted_find(&constraints, term->atom[0], term->atom[1]) == NULL)
      add(lengths, term->atom[0], term->atom[1], term->param[0], GROUPS_BY_BOND);
  }
  const int n = lengths->n;
  qsort(lengths->item, (size_t)n, sizeof *lengths->item, compare);
  lengths->n = 0;
  for (int k = 0; k < n; k++) {
    const GroupsWanted *here = &lengths->item[k], *last = k > 0 ? &lengths->item[lengths->n - 1] : here;
    if (k == 0 || compare(last, here) != 0)
      lengths->item[lengths->n++] = *here;
    else if (last->distance.length != here->distance.length)
      return error_set(error, STATUS_INPUT,
                       "molecule %s: bonds of two lengths, %g and %g A, between atoms %d and %d; a "
                       "constraint needs a single length",
                       m->name, last->distance.length, here->distance.length, here->distance.site[0] + 1,
                       here->distance.site[1] + 1);
  }
  return STATUS_OK;
}

static Status no_length(const Molecule *m, int i, int j, Error *error)
{
  return error_set(error, STATUS_INPUT,
                   "molecule %s: the bond between atoms %d and %d, %s and %s, cannot be constrained without "
                   "a length: add a constraint, or a bond term that has a length",
                   m->name, i + 1, j + 1, m->atom[i].name, m->atom[j].name);
}

Status groups_wanted_length(const Molecule *m, const GroupsList *lengths, int i, int j,
                            const GroupsWanted **found, Error *error)
{
  *found = groups_wanted_find(lengths, i, j);
  if (*found == NULL)
    return no_length(m, i, j, error);
  if (!((*found)->distance.length > LENGTH_LEAST))
    return error_set(error, STATUS_INPUT,
                     "molecule %s: the bond between atoms %d and %d cannot be constrained to a length of 0",
                     m->name, i + 1, j + 1);
  return STATUS_OK;
}

static Status add_bonds(const Molecule *m, bool all, const GroupsList *lengths, GroupsList *wanted,
                        Error *error)
{
  for (int b = 0; b < m->nbond; b++) {
    const int i = m->bond[b].atom[0], j = m->bond[b].atom[1];
    const GroupsWanted *of;
    if (!all && !groups_hydrogen(&m->atom[i]) && !groups_hydrogen(&m->atom[j]))
      continue;
    TRY(groups_wanted_length(m, lengths, i, j, &of, error));
    if (of->by == GROUPS_BY_BOND)
      wanted->item[wanted->n++] = *of;
  }
  return STATUS_OK;
}

Status groups_wanted_ends(const Molecule *m, const GroupsList *lengths, const Term *term, double *length,
                          Error *error)
{
  const int *at = term->atom;
  const GroupsWanted *one = groups_wanted_find(lengths, at[0], at[1]),
                     *other = groups_wanted_find(lengths, at[1], at[2]);
  if (one == NULL || other == NULL)
    return no_length(m, at[one == NULL ? 0 : 1], at[one == NULL ? 1 : 2], error);
  if (term_is_tabulated(term->type))
    return error_set(error, STATUS_INPUT,
                     "molecule %s: the angle of atoms %d, %d and %d is tabulated, so it has no value to be "
                     "constrained to: add a constraint between atoms %d and %d, or do not constrain angles",
                     m->name, at[0] + 1, at[1] + 1, at[2] + 1, at[0] + 1, at[2] + 1);
  const double a = one->distance.length, b = other->distance.length;
  *length = sqrt(fmax(a * a + b * b - 2.0 * a * b * cos(term->param[0]), 0.0));
  if (!(*length > LENGTH_LEAST))
    return error_set(error, STATUS_INPUT,
                     "molecule %s: the ends of the angle of atoms %d, %d and %d coincide", m->name, at[0] + 1,
                     at[1] + 1, at[2] + 1);
  return STATUS_OK;
}

static Status add_angles(const Molecule *m, bool all, const GroupsList *lengths, GroupsList *wanted,
                         Error *error)
{
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    const int *at = term->atom;
    double length;
    if (term->type->form != COORDINATE_COSINE || molecules_sees_site(m, term) ||
        (!all && !groups_hydrogen(&m->atom[at[0]]) && !groups_hydrogen(&m->atom[at[1]]) &&
         !groups_hydrogen(&m->atom[at[2]])))
      continue;
    TRY(groups_wanted_ends(m, lengths, term, &length, error));
    add(wanted, at[0], at[2], length, GROUPS_BY_ANGLE);
  }
  return STATUS_OK;
}

Status groups_wanted_list(const Molecules *all, int m, GroupsKeep keep, GroupsHeld *held, Arena *arena,
                          GroupsList *wanted, Error *error)
{
  const Molecule *of = &all->molecule[m];
  const size_t most = (size_t)of->nconstraint + (size_t)of->nterm + 1;
  GroupsList lengths = {0, arena_take(arena, most, sizeof *lengths.item)};
  *wanted = (GroupsList){0, arena_take(arena, most, sizeof *wanted->item)};
  TRY(arena_check(arena, "constraints of a molecule", error));
  add_constraints(of, wanted);
  if (keep == GROUPS_NONE && held == NULL)
    return STATUS_OK;
  TRY(list_lengths(of, &lengths, error));
  if (keep != GROUPS_NONE)
    TRY(add_bonds(of, keep != GROUPS_H_BONDS, &lengths, wanted, error));
  if (keep == GROUPS_H_ANGLES || keep == GROUPS_ALL_ANGLES)
    TRY(add_angles(of, keep == GROUPS_ALL_ANGLES, &lengths, wanted, error));
  return held != NULL ? groups_held_apply(all, m, &lengths, held, arena, wanted, error) : STATUS_OK;
}

static bool has_pair(int n, const MoleculesPair *pair, int i, int j)
{
  int least = 0, most = n; /* the interval of the binary search is [least, most) */
  while (least < most) {
    const int middle = least + (most - least) / 2, *at = pair[middle].atom;
    if (at[0] == (i < j ? i : j) && at[1] == (i < j ? j : i))
      return true;
    if (at[0] < (i < j ? i : j) || (at[0] == (i < j ? i : j) && at[1] < (i < j ? j : i)))
      least = middle + 1;
    else
      most = middle;
  }
  return false;
}

/* Whether all distances of a bond or an angle are in the list. */
static bool is_fixed(const Term *term, int n, const MoleculesPair *pair)
{
  const int *at = term->atom;
  const bool three = term->type->form == COORDINATE_COSINE;
  return (three || molecules_bonds(term)) && has_pair(n, pair, at[0], at[1]) &&
         (!three || (has_pair(n, pair, at[1], at[2]) && has_pair(n, pair, at[0], at[2])));
}

int groups_wanted_terms(const Molecule *m, int n, MoleculesPair *pair, const int *site, Term *term)
{
  int left = 0;
  n = molecules_sort_pairs(n, pair);
  for (int virtual = 0; virtual < 2; virtual ++)
    for (int t = 0; t < m->nterm; t++) {
      if (molecules_sees_site(m, &m->term[t]) != virtual || is_fixed(&m->term[t], n, pair))
        continue;
      term[left] = m->term[t];
      for (int k = 0; k < term[left].type->natom; k++)
        term[left].atom[k] = site[m->term[t].atom[k]];
      left++;
    }
  return left;
}
