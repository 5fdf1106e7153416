/* Describes distances that are not constraints. */
#include <stdio.h>

#include "base/locale.h"
#include "topology/groups.h"

static const char *const why[] = {
    [DISTANCE_KEPT] = "",
    [DISTANCE_REDUNDANT] = "the constraints determine it",
    [DISTANCE_STRAIGHT] = "its atoms are constrained to a line",
    [DISTANCE_DEGENERATE] =
        "it is the largest or smallest value that the constraints allow, with the atoms in a plane, where a "
        "constraint has no effect; force-field terms control motion out of the plane",
    [DISTANCE_EXTREME] = "it is the largest or smallest value that the constraints allow, where a constraint "
                         "has no effect; force-field terms act instead",
    [DISTANCE_REFUSED] = "the constraints do not allow it; force-field terms act instead"};

bool groups_words(const Groups *g, int m, int i, char *text, size_t size)
{
  LOCALE_PLAIN;
  const GroupsMolecule *of = &g->molecule[m];
  if (i >= of->nleft)
    return false;
  const GroupsLeft *left = &of->left[i];
  const MoleculesAtom *atom = of->molecule->atom;
  if (left->between) {
    (void)snprintf(text, size,
                   "molecule %s: atom %d, %s, is constrained to the line of atoms %d and %d, %s and %s, %.5g "
                   "A apart, which distances cannot do",
                   of->molecule->name, left->atom[2] + 1, atom[left->atom[2]].name, left->atom[0] + 1,
                   left->atom[1] + 1, atom[left->atom[0]].name, atom[left->atom[1]].name, left->found);
    return true;
  }
  (void)snprintf(text, size,
                 "molecule %s: the distance of atoms %d and %d, %s and %s, is not a constraint: %s; "
                 "requested %.5g A, found %.5g A",
                 of->molecule->name, left->atom[0] + 1, left->atom[1] + 1, atom[left->atom[0]].name,
                 atom[left->atom[1]].name, why[left->fate], left->wanted, left->found);
  return true;
}
