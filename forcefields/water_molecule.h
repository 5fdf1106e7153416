/* Converts rigid water of a molecules file to a water model with the file's numbers, for the kernels made for
 * water. */
#ifndef HOLONOM_FORCEFIELDS_WATER_MOLECULE_H
#define HOLONOM_FORCEFIELDS_WATER_MOLECULE_H

#include "forcefields/atom_model.h"
#include "forcefields/water.h"
#include "topology/groups.h"

typedef struct WaterMolecule {
  int molecule;     /* of the groups' molecules; -1: no water */
  int block;        /* the group type of its lanes */
  int type;         /* of its oxygen */
  WaterModel model; /* borrows the name of the molecule */
} WaterMolecule;

/* Finds the most numerous molecule that is rigid water: oxygen, two hydrogens and three constrained
 * distances; Lennard-Jones on the oxygen alone; all pairs inside excluded. Its charges are on the hydrogens
 * and on the oxygen, a virtual site on the bisector, or two at the lone pairs (at most `most` virtual sites,
 * 1 or 2). `why`[size]: the reason that disqualifies a named molecule of similar form; else "". */
void water_molecule_find(const Groups *groups, int most, WaterMolecule *water, char *why, size_t size);

/* Writes a water model as a molecules file with one rigid molecule of the model's name to text[size];
 * water_molecule_find recognises it. own: NULL: names as in files and 15 digits; else, with these masses of O
 * and H (g/mol), the names of system.model and the exact bits of the model. The text is shorter than
 * WATER_MOLECULE_TEXT bytes. */
enum { WATER_MOLECULE_TEXT = 2048 };
void water_molecule_text(const WaterModel *model, const double own[2], char *text, size_t size);

/* The same for an ion or an atom. */
void water_molecule_atom_text(const AtomModel *species, char *text, size_t size);

#endif
