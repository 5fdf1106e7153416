/* What the atoms of a system are called: one table for molecules of a file and for waters, ions and noble
 * gases, by which atoms are selected (select.h). Atoms are those of the topology, in its order, which is also
 * that of frames; virtual sites are none of them. */
#ifndef HOLONOM_TOPOLOGY_LABELS_H
#define HOLONOM_TOPOLOGY_LABELS_H

#include "topology/groups.h"

typedef struct LabelsAtom {
  const char *name, *residue, *type, *element; /* built-in molecules: type and element are the name */
  const char *chain;                           /* "": not known                                     */
  int number;                                  /* of the residue, as the file has it */
} LabelsAtom;

/* Molecules that are alike. */
typedef struct LabelsSort {
  const char *name;
  int nmol, natom, nbond;
  LabelsAtom *atom;    /* [natom] of one molecule               */
  int nvirtual;        /* its virtual sites, which are none of the atoms: */
  LabelsAtom *virtual; /* [nvirtual]                            */
  MoleculesPair *bond; /* [nbond] of its atoms, where these are known */
  int first;           /* the index of its first atom, and ... */
  int residue;         /* molecules of one residue: the number of that of the first molecule, counted on from
                          molecule to molecule; 0: several residues, with the numbers of the file */
} LabelsSort;

typedef struct Labels {
  int nsort, natom;
  LabelsSort *sort;
  Arena arena;
} Labels;

/* Names are borrowed, of the topology, and of the groups that it was made of, or NULL. STATUS_MEMORY. */
Status labels_create(Labels *labels, const Topology *topology, const Groups *groups, Error *error);
void labels_free(Labels *labels);

/* Whether bond b is one that is drawn: two hydrogens of a rigid water are held apart, but not bonded. */
bool labels_drawn(const LabelsSort *sort, int b);

/* Those of one molecule of a file, in the room: its atoms with mass, atom[natom] as the file numbers them.
 * STATUS_MEMORY. */
Status labels_molecule(const Molecules *all, const Molecule *molecule, LabelsSort *sort, int *atom,
                       Arena *arena, Error *error);

/* The number of an atom's residue in molecule m of its sort. Molecules of one residue are numbered through
 * the system, from 1, as GROMACS does in the files that it writes; others keep the numbers that they have. */
int labels_residue(const LabelsSort *sort, int m, int atom);

#endif
