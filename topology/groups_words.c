/* What is left out of constraints, in words. */
#include <stdio.h>

#include "engine/locale.h"
#include "topology/groups.h"

bool groups_words(const Groups *g, int m, int i, char *text, size_t size)
{
  LOCALE_PLAIN;
  const GroupsMolecule *of = &g->molecule[m];
  if (i >= of->nleft)
    return false;
  const GroupsLeft *left = &of->left[i];
  const MoleculesAtom *atom = of->molecule->atom;
  if (left->between) {
    (void)snprintf(
        text, size,
        "molecule %s: atom %d, %s, is kept on the line of atoms %d and %d, %s and %s, %.5g A apart, where "
        "distances do not keep it",
        of->molecule->name, left->atom[2] + 1, atom[left->atom[2]].name, left->atom[0] + 1, left->atom[1] + 1,
        atom[left->atom[0]].name, atom[left->atom[1]].name, left->found);
    return true;
  }
  (void)snprintf(
      text, size,
      "molecule %s: the distance of atoms %d and %d, %s and %s, is no constraint: it %s; asked for %.5g A, "
      "there %.5g",
      of->molecule->name, left->atom[0] + 1, left->atom[1] + 1, atom[left->atom[0]].name,
      atom[left->atom[1]].name,
      left->fate == DISTANCE_REDUNDANT  ? "follows from the others"
      : left->fate == DISTANCE_STRAIGHT ? "lies in a line"
                                        : "holds nothing where the others put its atoms, in a plane, so "
                                          "that motion out of it is left to terms",
      left->wanted, left->found);
  return true;
}
