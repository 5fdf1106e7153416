/* Which distances of a molecule are to be kept: of its file, of bonds, of angles between bonds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

#define LENGTH_LEAST 1e-3 /* A: what is kept is longer */

static int compare(const void *one, const void *other)
{
  const int *a = ((const GroupsWanted *)one)->distance.site,
            *b = ((const GroupsWanted *)other)->distance.site;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static void add(GroupsWanted *wanted, int *n, int i, int j, double length, GroupsGiver by)
{
  wanted[(*n)++] = (GroupsWanted){{{i < j ? i : j, i < j ? j : i}, length}, by};
}

/* Bonds and constraints with their lengths, by atoms, for angles to look in. */
typedef struct Lengths {
  int n;
  GroupsWanted *item;
} Lengths;

static const GroupsWanted *find(const Lengths *lengths, int i, int j)
{
  const GroupsWanted key = {.distance = {.site = {i < j ? i : j, i < j ? j : i}}};
  return lengths->n > 0 ? bsearch(&key, lengths->item, (size_t)lengths->n, sizeof key, compare) : NULL;
}

/* Of a pair once: a constraint's length before that of a bond. */
static Status list_lengths(const Molecule *m, Lengths *lengths, Error *error)
{
  int n = 0;
  for (int c = 0; c < m->nconstraint; c++)
    add(lengths->item, &n, m->constraint[c].atom[0], m->constraint[c].atom[1], m->constraint[c].length,
        GROUPS_BY_CONSTRAINT);
  qsort(lengths->item, (size_t)n, sizeof *lengths->item, compare);
  lengths->n = n;
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    if (molecules_bonds(term) && !molecules_sees_site(m, term) &&
        find(lengths, term->atom[0], term->atom[1]) == NULL)
      add(lengths->item, &n, term->atom[0], term->atom[1], term->param[0], GROUPS_BY_BOND);
  }
  qsort(lengths->item, (size_t)n, sizeof *lengths->item, compare);
  lengths->n = 0;
  for (int k = 0; k < n; k++) {
    const GroupsWanted *here = &lengths->item[k], *last = k > 0 ? &lengths->item[lengths->n - 1] : here;
    if (k == 0 || compare(last, here) != 0)
      lengths->item[lengths->n++] = *here;
    else if (last->distance.length != here->distance.length)
      return error_set(
          error, STATUS_INPUT,
          "molecule %s: bonds of two lengths, %g and %g A, between atoms %d and %d; one to be kept "
          "wants one",
          m->name, last->distance.length, here->distance.length, here->distance.site[0] + 1,
          here->distance.site[1] + 1);
  }
  return STATUS_OK;
}

static Status no_length(const Molecule *m, int i, int j, Error *error)
{
  return error_set(
      error, STATUS_INPUT,
      "molecule %s: the bond between atoms %d and %d, %s and %s, is to be kept and has no length; "
      "wanted: a term of it, or a constraint",
      m->name, i + 1, j + 1, m->atom[i].name, m->atom[j].name);
}

static Status add_bonds(const Molecule *m, bool all, const Lengths *lengths, GroupsWanted *wanted, int *n,
                        Error *error)
{
  for (int b = 0; b < m->nbond; b++) {
    const int i = m->bond[b].atom[0], j = m->bond[b].atom[1];
    const GroupsWanted *of = find(lengths, i, j);
    if (!all && !groups_hydrogen(&m->atom[i]) && !groups_hydrogen(&m->atom[j]))
      continue;
    if (of == NULL)
      return no_length(m, i, j, error);
    if (!(of->distance.length > LENGTH_LEAST))
      return error_set(error, STATUS_INPUT,
                       "molecule %s: the bond between atoms %d and %d is to be kept at a length of 0",
                       m->name, i + 1, j + 1);
    if (of->by == GROUPS_BY_BOND)
      wanted[(*n)++] = *of;
  }
  return STATUS_OK;
}

/* The ends of angles, by the law of cosines. */
static Status add_angles(const Molecule *m, bool all, const Lengths *lengths, GroupsWanted *wanted, int *n,
                         Error *error)
{
  for (int t = 0; t < m->nterm; t++) {
    const Term *term = &m->term[t];
    const int *at = term->atom;
    if (term->type->form != COORDINATE_COSINE || molecules_sees_site(m, term) ||
        (!all && !groups_hydrogen(&m->atom[at[0]]) && !groups_hydrogen(&m->atom[at[1]]) &&
         !groups_hydrogen(&m->atom[at[2]])))
      continue;
    const GroupsWanted *one = find(lengths, at[0], at[1]), *other = find(lengths, at[1], at[2]);
    if (one == NULL || other == NULL)
      return no_length(m, at[one == NULL ? 0 : 1], at[one == NULL ? 1 : 2], error);
    const double a = one->distance.length, b = other->distance.length;
    const double length = sqrt(fmax(a * a + b * b - 2.0 * a * b * cos(term->param[0]), 0.0));
    if (!(length > LENGTH_LEAST))
      return error_set(error, STATUS_INPUT,
                       "molecule %s: the ends of the angle of atoms %d, %d and %d coincide", m->name,
                       at[0] + 1, at[1] + 1, at[2] + 1);
    add(wanted, n, at[0], at[2], length, GROUPS_BY_ANGLE);
  }
  return STATUS_OK;
}

Status groups_wanted_list(const Molecule *m, GroupsKeep keep, Room *room, GroupsWanted **wanted, int *n,
                          Error *error)
{
  const size_t most = (size_t)m->nconstraint + (size_t)m->nterm + 1;
  Lengths lengths = {0, room_take(room, most, sizeof *lengths.item)};
  GroupsWanted *list = room_take(room, most, sizeof *list);
  *n = 0;
  *wanted = list;
  TRY(room_check(room, "what is kept of a molecule", error));
  for (int c = 0; c < m->nconstraint; c++)
    add(list, n, m->constraint[c].atom[0], m->constraint[c].atom[1], m->constraint[c].length,
        GROUPS_BY_CONSTRAINT);
  if (keep == GROUPS_NONE)
    return STATUS_OK;
  TRY(list_lengths(m, &lengths, error));
  TRY(add_bonds(m, keep != GROUPS_H_BONDS, &lengths, list, n, error));
  if (keep == GROUPS_H_ANGLES || keep == GROUPS_ALL_ANGLES)
    TRY(add_angles(m, keep == GROUPS_ALL_ANGLES, &lengths, list, n, error));
  return STATUS_OK;
}

static bool has_pair(int n, const MoleculesPair *pair, int i, int j)
{
  int least = 0, most = n; /* it is in [least, most) */
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

int groups_wanted_terms(const Molecule *m, int n, MoleculesPair *pair, const int *place, Term *term)
{
  int left = 0;
  n = molecules_sort_pairs(n, pair);
  for (int t = 0; t < m->nterm; t++) {
    const int *at = m->term[t].atom;
    const bool three = m->term[t].type->form == COORDINATE_COSINE;
    if ((three || molecules_bonds(&m->term[t])) && has_pair(n, pair, at[0], at[1]) &&
        (!three || (has_pair(n, pair, at[1], at[2]) && has_pair(n, pair, at[0], at[2]))))
      continue;
    if (molecules_sees_site(m, &m->term[t]))
      continue;
    term[left] = m->term[t];
    for (int k = 0; k < term[left].type->natom; k++)
      term[left].atom[k] = place[at[k]];
    left++;
  }
  return left;
}
