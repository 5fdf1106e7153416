/* Names of the atoms of a system, by which they are selected (select.h): one table for molecules of files and
 * for built-in molecules. Atoms are those of the topology, in its order, which is also the order of frames;
 * virtual sites have a list of their own. */
#ifndef HOLONOM_TOPOLOGY_LABELS_H
#define HOLONOM_TOPOLOGY_LABELS_H

#include "topology/groups.h"

enum { LABELS_FORMATS = 2 };

typedef struct LabelsAtom {
  const char *name, *residue, *type, *element; /* built-in molecules: type and element are the name */
  /* Other names of the atom and its residue, which formats of files show; NULL: none. */
  const char *other_name[LABELS_FORMATS], *other_residue[LABELS_FORMATS];
  const char *chain; /* "": unknown */
  int number;        /* of the residue, as in the file */
} LabelsAtom;

/* A molecule type. */
typedef struct LabelsSort {
  const char *name;
  int nmol, natom, nbond;
  LabelsAtom *atom;    /* [natom] of one molecule */
  int nvirtual;        /* virtual sites of a molecule, not among its atoms */
  LabelsAtom *virtual; /* [nvirtual]                            */
  MoleculesPair *bond; /* [nbond] between its atoms, if known */
  int first;           /* the index of its first atom */
  int residue; /* molecules of one residue: the residue's number in the first molecule, rising by 1 per
                  molecule; 0: several residues, numbered as in the file */
} LabelsSort;

typedef struct Labels {
  int nsort, natom;
  LabelsSort *sort;
  Arena arena;
} Labels;

/* Creates the table. Names are borrowed from the topology and from its groups (may be NULL).
 * STATUS_MEMORY. */
Status labels_create(Labels *labels, const Topology *topology, const Groups *groups, Error *error);
void labels_free(Labels *labels);

/* Whether pictures show bond b: the distance of the hydrogens of a rigid water is not drawn. */
bool labels_drawn(const LabelsSort *sort, int b);

/* The labels of one molecule of a file, in the arena, and the numbers in the file of its atoms with mass,
 * atom[natom]. STATUS_MEMORY. */
Status labels_molecule(const Molecules *all, const Molecule *molecule, LabelsSort *sort, int *atom,
                       Arena *arena, Error *error);

/* The residue number of an atom of molecule m. Molecules of one residue are numbered through the system from
 * 1, as in files that GROMACS writes; others have the numbers of their file. */
int labels_residue(const LabelsSort *sort, int m, int atom);

#endif
