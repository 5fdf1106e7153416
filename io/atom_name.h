/* What atoms are by their names, in files of any program; names for files that want more than elements. */
#ifndef HOLONOM_IO_ATOM_NAME_H
#define HOLONOM_IO_ATOM_NAME_H

#include <stdbool.h>

#include "io/frame.h"
#include "topology/molecules.h"

typedef enum AtomRole { ATOM_OXYGEN, ATOM_HYDROGEN, ATOM_MASSLESS, ATOM_NUMBER, ATOM_OTHER } AtomRole;

/* By the name without digits at its ends: OW1, OH2 (CHARMM), 1HW, H2, MW. */
AtomRole atom_name_role(const char *name);

/* Whether two names stand for one element: with or without charge, in capitals or not, CHARMM's SOD, CLA and
 * so on. */
bool atom_name_same_element(const char *a, const char *b);

/* Residues that say nothing about what their atoms are: none, ION, UNK, MOL and so on. */
bool atom_name_any_residue(const char *residue);

/* An atom as GRO and PDB files name it: hydrogens and massless sites belong to the residue of the atom
 * before, every other atom begins one. Zero-initialised before the first atom. */
typedef struct AtomResidue {
  int residue;                   /* number, from 1                                           */
  int hydrogens;                 /* of this residue so far                                   */
  char residue_name[FRAME_NAME]; /* the file's own where it has one, else `water` or the element */
  char name[FRAME_NAME + 4];     /* the frame's symbol, or for O, H, X of waters that of `names` */
} AtomResidue;

/* The next atom, i = 0, 1, ..., by the names that the frame has, or else by symbols; water: name of the
 * residue; names: of oxygen, hydrogens (without number) and massless sites. */
void atom_name_next(AtomResidue *at, const Frame *frame, int i, const char *water,
                    const char *const names[3]);

/* The symbol of the element of this atomic number, NULL if there is none. */
const char *atom_name_element(long number);

/* Whether a file may call an atom so: by its name, cut to the columns that GRO and PDB files have, or by its
 * element, as XYZ files do. */
bool atom_name_fits(const MoleculesAtom *atom, const char *called);

#endif
