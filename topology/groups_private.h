/* What the files of groups share. */
#ifndef HOLONOM_TOPOLOGY_GROUPS_PRIVATE_H
#define HOLONOM_TOPOLOGY_GROUPS_PRIVATE_H

#include "topology/groups.h"

/* Whose distance it is, in the order in which they are kept. */
typedef enum GroupsGiver { GROUPS_BY_CONSTRAINT, GROUPS_BY_BOND, GROUPS_BY_ANGLE } GroupsGiver;

/* A distance that is to be kept, between atoms of a molecule or sites of a group. */
typedef struct GroupsWanted {
  Distance distance;
  GroupsGiver by;
  double w; /* as GroupsHeld has it */
} GroupsWanted;

/* Those of a molecule. */
typedef struct GroupsList {
  int n;
  GroupsWanted *item;
} GroupsList;

/* Those of molecule m, in the room; held: NULL, all are kept. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status groups_wanted_list(const Molecules *all, int m, GroupsKeep keep, GroupsHeld *held, Arena *arena,
                          GroupsList *wanted, Error *error);

/* Bonds and constraints with their lengths, sorted by atoms; the one between two atoms, or NULL. */
const GroupsWanted *groups_wanted_find(const GroupsList *lengths, int i, int j);

/* The distance of an angle's ends, of atoms at[3], by the law of cosines; STATUS_INPUT. */
Status groups_wanted_ends(const Molecule *molecule, const GroupsList *lengths, const int *at, double angle,
                          double *length, Error *error);

/* The length of a bond that is to be kept; STATUS_INPUT. */
Status groups_wanted_length(const Molecule *molecule, const GroupsList *lengths, int i, int j,
                            const GroupsWanted **found, Error *error);

/* Changes what is wanted of molecule m. STATUS_INPUT, STATUS_MEMORY. */
Status groups_held_apply(const Molecules *all, int m, const GroupsList *lengths, GroupsHeld *held,
                         Arena *arena, GroupsList *wanted, Error *error);

/* The terms of a molecule, term[molecule->nterm], but bonds and angles whose distances are all in pair[n],
 * which is sorted by it; by the numbers of sites, site[molecule->natom]; those that name virtual sites come
 * last. Returns how many there are. */
int groups_wanted_terms(const Molecule *molecule, int n, MoleculesPair *pair, const int *site, Term *term);

/* A group before it is of a kind. */
typedef struct GroupsPart {
  const Molecule *molecule;
  int nsite, n;
  int atom[GROUPS_ATOMS]; /* of the molecule */
  double mass[GROUPS_ATOMS], x[GROUPS_ATOMS][3];
  GroupsWanted *wanted; /* [n] between its sites: what is kept exactly first, then by giver, then by sites */
} GroupsPart;

/* A kind, and all that was asked for of it. */
typedef struct GroupsShape {
  int kind, nsite, n, ncon;
  double *mass;
  GroupsWanted *wanted;
  DistanceFate *fate;
  Distance *kept; /* [ncon] the constraints: of lines, then of what was asked for, in that order */
  double *w;      /* [ncon] how they are held              */
} GroupsShape;

/* The rows that keep sites of a part in lines, row[nrow] in the room, each held as the distances that make
 * the line, and length[part->n]: of what is wanted between sites of one line what it has there, 0 of all
 * else. STATUS_MEMORY. */
Status groups_straight_find(const GroupsPart *part, Arena *arena, GroupsWanted **row, int *nrow,
                            double *length, Error *error);

/* The shape of a part; moves its sites onto the distances that are kept. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
Status groups_shape_find(GroupsPart *part, Arena *arena, GroupsShape *shape, Error *error);

/* Whether a part is of that shape, and then its sites onto those distances. */
bool groups_shape_same(const GroupsPart *part, const GroupsShape *shape);
Status groups_shape_move(GroupsPart *part, const GroupsShape *shape, Error *error);

#endif
