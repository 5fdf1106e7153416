/* Declarations shared by the files groups*.c. */
#ifndef HOLONOM_TOPOLOGY_GROUPS_PRIVATE_H
#define HOLONOM_TOPOLOGY_GROUPS_PRIVATE_H

#include "topology/groups.h"

/* The source of a distance, in order of precedence. */
typedef enum GroupsGiver { GROUPS_BY_CONSTRAINT, GROUPS_BY_BOND, GROUPS_BY_ANGLE } GroupsGiver;

/* A requested distance, between atoms of a molecule or sites of a group. */
typedef struct GroupsWanted {
  Distance distance;
  GroupsGiver by;
  double w; /* strength of the penalty, as in GroupsHeld */
} GroupsWanted;

/* The requested distances of a molecule. */
typedef struct GroupsList {
  int n;
  GroupsWanted *item;
} GroupsList;

/* Lists the requested distances of molecule m, in the arena; held: penalties, or NULL (all are constraints).
 * Errors: STATUS_INPUT, STATUS_MEMORY. */
Status groups_wanted_list(const Molecules *all, int m, GroupsKeep keep, GroupsHeld *held, Arena *arena,
                          GroupsList *wanted, Error *error);

/* The entry for atoms i and j among bonds and constraints with their lengths, sorted by atoms; or NULL. */
const GroupsWanted *groups_wanted_find(const GroupsList *lengths, int i, int j);

/* The distance of the ends of an angle, from its term and the lengths of its bonds, by the law of cosines.
 * STATUS_INPUT: a bond has no length, the ends coincide, or the angle is tabulated. */
Status groups_wanted_ends(const Molecule *molecule, const GroupsList *lengths, const Term *term,
                          double *length, Error *error);

/* The length of a bond to be constrained. STATUS_INPUT: no length, or 0. */
Status groups_wanted_length(const Molecule *molecule, const GroupsList *lengths, int i, int j,
                            const GroupsWanted **found, Error *error);

/* Applies penalties and changes to the requested distances of molecule m. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
Status groups_held_apply(const Molecules *all, int m, const GroupsList *lengths, GroupsHeld *held,
                         Arena *arena, GroupsList *wanted, Error *error);

/* Copies the terms of a molecule to term[molecule->nterm], without bonds and angles whose distances are all
 * in pair[n] (which is sorted). Atoms are renumbered by site[molecule->natom]; terms with virtual sites come
 * last. Returns the number of terms. */
int groups_wanted_terms(const Molecule *molecule, int n, MoleculesPair *pair, const int *site, Term *term);

/* A group whose kind is not yet determined. */
typedef struct GroupsPart {
  const Molecule *molecule;
  int nsite, n;
  int friction;       /* the rule of its atoms */
  int *atom;          /* [nsite] numbers in the molecule */
  double *mass;       /* [nsite] */
  double (*x)[3];     /* [nsite] */
  double (*given)[3]; /* [nsite] scratch: positions before the motion onto the constraints */
  bool frozen;        /* its atoms do not move */
  GroupsWanted
      *wanted; /* [n] between its sites: constraints before penalties, then by giver, then by sites */
} GroupsPart;

/* A kind, and all distances that were requested of it. */
typedef struct GroupsShape {
  int kind, nsite, n, ncon, friction;
  bool frozen;
  double *mass;
  GroupsWanted *wanted;
  DistanceFate *fate;
  Distance *kept; /* [ncon] the constraints: of lines, then the independent ones of the requested distances,
                     in their order */
  double *w;      /* [ncon] strengths of penalties, or INFINITY */
} GroupsShape;

/* Finds sites of a part that are in lines. Sets row[nrow], in the arena, to the rows that keep the sites in
 * lines, with the strengths of the distances that define each line. Sets length[part->n]: the value that a
 * requested distance between two sites of one line has there; 0 for all others. STATUS_MEMORY. */
Status groups_straight_find(const GroupsPart *part, Arena *arena, GroupsWanted **row, int *nrow,
                            double *length, Error *error);

/* Determines the shape of a part, and moves its sites onto the constraints. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
Status groups_shape_find(GroupsPart *part, Arena *arena, GroupsShape *shape, Error *error);

/* Creates the kind of a part. held: it has penalties; builtin: it has the molecule's name and reference
 * positions. Errors: STATUS_MEMORY. */
Status groups_kind_make(const GroupsPart *part, const GroupsShape *shape, bool held, bool builtin,
                        Kind **kind, Error *error);

/* Whether a part has that shape; and the motion of its sites onto the constraints of the shape. */
bool groups_shape_same(const GroupsPart *part, const GroupsShape *shape);
Status groups_shape_move(GroupsPart *part, const GroupsShape *shape, Error *error);

#endif
