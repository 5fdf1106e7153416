/* Rigid water among the molecules of a file, as a water model with the numbers of the file: what the kernels
 * that are made for water take. */
#ifndef HOLONOM_FORCEFIELDS_WATER_MOLECULE_H
#define HOLONOM_FORCEFIELDS_WATER_MOLECULE_H

#include "forcefields/atom_model.h"
#include "forcefields/water.h"
#include "topology/groups.h"

typedef struct WaterMolecule {
  int molecule;     /* of the groups' molecules; -1: there is none            */
  int block;        /* the kind of its lanes                                   */
  int type;         /* of its oxygen                                           */
  WaterModel model; /* borrows the name of the molecule                        */
} WaterMolecule;

/* Finds the molecule of which there are most, with oxygen, two hydrogens and their three distances kept,
 * charges on these atoms or, in place of the oxygen, on a virtual site on the bisector or on two at the lone
 * pairs (`most` virtual sites, 1 or 2), Lennard-Jones on the oxygen alone, and no pair inside that sees each
 * other. `why`[size]: what keeps a molecule of that form from being one, named; else "". */
void water_molecule_find(const Groups *groups, int most, WaterMolecule *water, char *why, size_t size);

/* A water model as a file of molecules with one, rigid, of the model's name, in text[size]; its water is
 * found as above. own: NULL: names as files have them, to 15 digits; else, with these masses of O and H
 * (g/mol), names that system.model gives and the bits of the model. Such text has less than
 * WATER_MOLECULE_TEXT bytes. */
enum { WATER_MOLECULE_TEXT = 2048 };
void water_molecule_text(const WaterModel *model, const double own[2], char *text, size_t size);

/* The same of an ion or an atom. */
void water_molecule_atom_text(const AtomModel *species, char *text, size_t size);

#endif
