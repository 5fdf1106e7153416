/* Divides molecules into groups: the sets of atoms that constraints or penalties connect, each one lane
 * (topology.h). Groups whose masses and distances are equal to the last bit are of one kind.
 *
 * Sites of a molecule are numbered as in the topology: atoms first, in the order of the file, then virtual
 * sites, which states do not store. */
#ifndef HOLONOM_TOPOLOGY_GROUPS_H
#define HOLONOM_TOPOLOGY_GROUPS_H

#include "topology/distances.h"
#include "topology/molecules.h"
#include "topology/topology.h"

/* The constraints in addition to those of the file: none; bonds of hydrogens; all bonds; all bonds, and
 * angles with a hydrogen as distances of their ends; all bonds and all angles. */
typedef enum GroupsKeep {
  GROUPS_NONE,
  GROUPS_H_BONDS,
  GROUPS_ALL_BONDS,
  GROUPS_H_ANGLES,
  GROUPS_ALL_ANGLES
} GroupsKeep;
extern const char *const groups_keep_names[]; /* by GroupsKeep, ended by NULL */

/* A rule for the distances of some atoms: a penalty of strength w; w = INFINITY: a constraint; 0: neither. */
typedef struct GroupsChange {
  int natom;            /* 2: bonds and constraints; 3: angles, as distances of their ends */
  const char *atoms[3]; /* each a name or type with the wildcards *, ?, [abc] and [!abc], an index, or a
                           selection (select.h) */
  double w;
  int seen[3],
      met;       /* result: the number of atoms that match each entry, and of distances that match the rule */
  bool sites[3]; /* result: whether an entry without atoms matches virtual sites */
} GroupsChange;

typedef struct GroupsHeld {
  double w; /* of distances that GroupsKeep selects */
  int n;    /* number of changes, applied in order to these and to other bonds and angles */
  GroupsChange *change;
  int wrong; /* result: the change that caused an error, or -1 */
} GroupsHeld;

/* A requested distance that is not a constraint, or an atom constrained to the line of two others. */
typedef struct GroupsLeft {
  int atom[3]; /* numbers in the molecule's file; between: the third is on the line of the first two */
  DistanceFate fate;
  double wanted, found; /* the requested distance, and its value with the constraints satisfied */
  bool between;
} GroupsLeft;

typedef struct GroupsMolecule {
  const Molecule *molecule;
  int nmol; /* in the whole system */
  int rank; /* order of its lanes and numbers: falling number of molecules, then names */
  int ngroup, natom, ncon, nleft; /* natom: atoms with mass; ncon: constraints of all groups */
  int *block;                     /* [ngroup] the kind of each group, not falling */
  int *file;  /* [molecule->natom] the number in the file of each site: rising numbers of atoms, then virtual
                 sites */
  int *site;  /* [molecule->natom] the inverse: the site of each atom of the file; virtual sites from natom on
               */
  int *group; /* [molecule->natom] the group of each atom of the file, or of the atoms that place a virtual
                 site (-1: several) */
  int *order; /* [natom] sites of the groups, group by group */
  double (*reference)[3]; /* [natom] the given coordinates, moved onto the constraints */
  VirtualSite *virtual;   /* [molecule->nvirtual] by the numbers of sites */
  TermList
      terms; /* all but bonds and angles that the constraints or penalties replace; by the numbers of sites */
  GroupsLeft *left; /* [nleft] */
} GroupsMolecule;

typedef struct Groups {
  const Molecules *molecules; /* borrowed */
  int nkind;
  Kind **kind;
  int *lanes; /* [nkind] number of lanes in the whole system */
  GroupsMolecule
      *molecule; /* [molecules->nmolecule]; molecules that the system does not contain have no groups */
  Arena arena;
} Groups;

/* Creates the groups. keep[nmolecule]: the constraints to add to each molecule. x[nmolecule]: coordinates
 * [natom][3] of one copy of each, whole, in the order of the file (virtual sites are ignored); NULL if the
 * system does not contain the molecule. The molecules must outlive the groups. Errors: STATUS_INPUT (the file
 * does not list the system's molecules; a bond to be constrained has no length or several; distances
 * contradict each other or put their sites in a plane), STATUS_MEMORY; *groups is NULL then. */
Status groups_create(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                     const double (*const *x)[3], Error *error);

/* Likewise, with penalties and changes (kind.h). Further errors: STATUS_INPUT (an entry is not a selection; a
 * change removes a constraint of the file that has no term). */
Status groups_create_held(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                          GroupsHeld *held, const double (*const *x)[3], Error *error);
void groups_free(Groups *groups);

/* Creates the topology, one molecule type for each row of molecules->count. A kernel of its own places the
 * virtual sites of molecule `inlined` (-1: none); all other virtual sites have lanes. The groups must outlive
 * it. Errors: STATUS_INPUT (the coordinates leave a virtual site undefined), STATUS_MEMORY. */
Status groups_topology(const Groups *groups, int inlined, Topology **topology, Error *error);

/* Moves the sites x[nsite][3] of a group of many atoms (kind->sparse) onto the exact constraints of its kind,
 * or as close as possible; the sites of other kinds do not move. Errors: STATUS_MEMORY. */
Status groups_shape_project(const Kind *kind, double (*x)[3], Error *error);

/* The number of atoms of all molecules, including virtual sites. */
size_t groups_file_atoms(const Groups *groups);

/* Copy from all atoms of the file, file[groups_file_atoms][3], to atoms with mass, x[natom][3], and back.
 * `place` (for positions): virtual sites are computed; otherwise (forces, velocities) they are 0. */
void groups_from_file(const Groups *groups, const double (*file)[3], double (*x)[3]);
void groups_to_file(const Groups *groups, bool place, const double (*x)[3], double (*file)[3]);

/* The fraction of coordinates in the packs of a state of one replica that no atom uses. */
double groups_empty(const Groups *groups);

/* Line i of the log's list of requested distances of molecule m that are not constraints; false after the
 * last line. */
bool groups_words(const Groups *groups, int m, int i, char *text, size_t size);

/* The symbol of the element, found by mass; the atom's name if no element matches. */
const char *groups_symbol(const MoleculesAtom *atom);

/* Whether an atom is a hydrogen: of any isotope, or with mass moved to it from its neighbour. */
bool groups_hydrogen(const MoleculesAtom *atom);

#endif
