/* Molecules as groups of atoms, which lanes hold (topology.h): atoms tied to each other by distances that are
 * kept or penalised, connected parts of their graph. Groups of the same masses and distances, to the bit, are
 * one kind.
 *
 * Sites of a molecule are numbered as in the topology: atoms first, in the order of the file, then virtual
 * sites. These move with the atoms that place them, and states do not hold them. */
#ifndef HOLONOM_TOPOLOGY_GROUPS_H
#define HOLONOM_TOPOLOGY_GROUPS_H

#include "topology/distances.h"
#include "topology/molecules.h"
#include "topology/topology.h"

enum { GROUPS_ATOMS = 64 }; /* of a group, at most */

/* What is kept beside the constraints of the file: no more; bonds of hydrogens; all bonds; these, and angles
 * with a hydrogen, as distances of their ends; these, and all angles. */
typedef enum GroupsKeep {
  GROUPS_NONE,
  GROUPS_H_BONDS,
  GROUPS_ALL_BONDS,
  GROUPS_H_ANGLES,
  GROUPS_ALL_ANGLES
} GroupsKeep;
extern const char *const groups_keep_names[]; /* by GroupsKeep, ended by NULL */

/* How what is kept is held: by a penalty of strength w, or exactly, w = INFINITY; 0: not at all. */
typedef struct GroupsChange {
  int natom;            /* 2: bonds and constraints; 3: angles, as distances of their ends */
  const char *atoms[3]; /* each a name or a type, which may have *, ?, [abc] and [!abc], an index, or a
                           selection (select.h) in the molecule */
  double w;
  int seen[3], met; /* found: atoms of each, and the distances of all molecules that it is about */
  bool sites[3];    /* whether each is virtual sites where it is no atom */
} GroupsChange;

typedef struct GroupsHeld {
  double w; /* of what is asked for */
  int n;    /* changes, in order, of it and of any other bonds and angles */
  GroupsChange *change;
  int wrong; /* found: the change that an error is of, else -1 */
} GroupsHeld;

/* A distance that was asked for and is none of the constraints; or an atom that is kept on the line of two
 * others. */
typedef struct GroupsLeft {
  int atom[3]; /* of the molecule, in the file; between: the last on the line of the first two */
  DistanceFate fate;
  double wanted, found; /* what was asked for, and what it is where the others are kept */
  bool between;
} GroupsLeft;

typedef struct GroupsMolecule {
  const Molecule *molecule;
  int nmol; /* of the whole system */
  int rank; /* of its lanes and numbers: the most numerous molecule first, those of one number by name */
  int ngroup, natom, ncon, nleft; /* atoms with mass; constraints of all groups */
  int *block;                     /* [ngroup] the kind of each, rising */
  int *file;  /* [molecule->natom] the number in the file of each site: atoms rising, then virtual sites */
  int *site;  /* [molecule->natom] and back: the site of each atom of the file; from natom on virtual sites */
  int *group; /* [molecule->natom] the group of each atom of the file; of a virtual site that of the atoms
                 that place it, -1: these are of several */
  int *order; /* [natom] sites of the groups, one group after the other */
  double (*reference)[3]; /* [natom] the given coordinates, moved onto the constraints */
  VirtualSite *virtual;   /* [molecule->nvirtual] by the numbers of sites */
  TermList terms;         /* but bonds and angles that what is kept fixes; by the numbers of sites */
  GroupsLeft *left;       /* [nleft]                                                                      */
} GroupsMolecule;

typedef struct Groups {
  const Molecules *molecules; /* borrowed */
  int nkind;
  Kind **kind;
  int *lanes;               /* of each kind in the whole system */
  GroupsMolecule *molecule; /* [molecules->nmolecule]; no groups where the system has none of them */
  Arena arena;
} Groups;

/* keep[nmolecule]: what is kept of each; x[nmolecule]: coordinates [natom][3] of one of each, whole, in the
 * order of the file, virtual sites anywhere; NULL where the system has none of them. The molecules must
 * outlive the groups. Errors: STATUS_INPUT: a system that says nothing of what it holds, a group of more than
 * GROUPS_ATOMS, bonds of no or of several lengths, distances that contradict each other or hold sites in a
 * plane; STATUS_MEMORY. *groups is NULL then. */
Status groups_create(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                     const double (*const *x)[3], Error *error);

/* The same, with what is kept held in ways of its own, which the kinds then say (kind.h). Errors as well:
 * STATUS_INPUT: no selection, a constraint that nothing holds any more. */
Status groups_create_held(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                          GroupsHeld *held, const double (*const *x)[3], Error *error);
void groups_free(Groups *groups);

/* The system that the molecules are: a type for each row of molecules->count. A kernel of its own places the
 * virtual sites of molecule `inlined` (-1: of none); all others have lanes. The groups must outlive it.
 * Errors: STATUS_INPUT (the coordinates leave a virtual site without a place), STATUS_MEMORY. */
Status groups_topology(const Groups *groups, int inlined, Topology **topology, Error *error);

/* Atoms of all molecules, virtual sites among them. */
size_t groups_file_atoms(const Groups *groups);

/* From all atoms of the file, file[groups_file_atoms][3], to those with mass, x[natom][3], and back. With
 * `place`, positions, virtual sites are put where they are, else (forces, velocities) they get 0. */
void groups_from_file(const Groups *groups, const double (*file)[3], double (*x)[3]);
void groups_to_file(const Groups *groups, bool place, const double (*x)[3], double (*file)[3]);

/* Of the packs of a state of one replica, the share of coordinates that hold nobody. */
double groups_empty(const Groups *groups);

/* What is left out of molecule m's constraints, in words, for the log: line i, or false after the last. */
bool groups_words(const Groups *groups, int m, int i, char *text, size_t size);

/* The symbol of its element, found by its mass; its own name where there is none. */
const char *groups_symbol(const MoleculesAtom *atom);

/* Whether an atom is a hydrogen, of whatever isotope, or one with mass of its neighbour. */
bool groups_hydrogen(const MoleculesAtom *atom);

#endif
