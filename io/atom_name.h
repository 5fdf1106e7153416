/* Recognises atoms by their names in structure files and makes the names that GRO and PDB files need. */
#ifndef HOLONOM_IO_ATOM_NAME_H
#define HOLONOM_IO_ATOM_NAME_H

#include <stdbool.h>

#include "io/frame.h"
#include "topology/molecules.h"

typedef enum AtomRole { ATOM_OXYGEN, ATOM_HYDROGEN, ATOM_MASSLESS, ATOM_NUMBER, ATOM_OTHER } AtomRole;

/* The role of a name without digits at its ends: OW1, OH2 (CHARMM), 1HW, H2, MW. */
AtomRole atom_name_role(const char *name);

/* Whether two names mean the same element, whatever their charge and case; CHARMM's SOD, CLA ... are
 * known. */
bool atom_name_same_element(const char *a, const char *b);

/* Whether a residue name fits any atom: "", ION, UNK, MOL ... */
bool atom_name_any_residue(const char *residue);

/* The names of a water's residue and of its oxygen, hydrogens (before their numbers) and massless sites. */
typedef struct AtomNames {
  const char *residue, *site[3];
} AtomNames;
extern const AtomNames atom_name_gro, atom_name_pdb;

/* Residue and name of an atom in GRO and PDB files. Hydrogens and massless sites continue the residue of
 * the atom before; every other atom begins one. Zero-initialise before the first atom. */
typedef struct AtomResidue {
  int residue;                   /* number, from 1 */
  int hydrogens;                 /* in this residue so far */
  char residue_name[FRAME_NAME]; /* from the file, else that of water or the element */
  char name[FRAME_NAME + 4];     /* the frame's symbol; of O, H, X in waters their name in the format */
} AtomResidue;

/* Names the next atom, i = 0, 1, ..., from the frame's names or else its symbols. */
void atom_name_next(AtomResidue *at, const Frame *frame, int i, const AtomNames *format);

/* The symbol of the element of this atomic number; NULL if there is no such element. */
const char *atom_name_element(long number);

/* Whether `called` can be the atom's name in a file: its name, cut to the columns of GRO and PDB files, or
 * its element, as in XYZ files. */
bool atom_name_fits(const MoleculesAtom *atom, const char *called);

#endif
