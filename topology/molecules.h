/* Molecules of any sort, as a file of them describes them (io/molecules_file.h reads it,
 * docs/molecules-file.md has its form): atoms with charge, mass and type, who is bonded to whom, the terms of
 * the force field, constraints, virtual sites and pairs that do not see each other; and what a system holds.
 * Atoms of a molecule are numbered from 0, in the order of the file. Lengths in angstrom, energies in
 * kcal/mol, angles in radians.
 */
#ifndef HOLONOM_TOPOLOGY_MOLECULES_H
#define HOLONOM_TOPOLOGY_MOLECULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "engine/box.h"
#include "topology/term.h"
#include "topology/virtual_site.h"

/* V = a/r^12 - c/r^6. */
typedef struct MoleculesDispersion {
  double a, c;
} MoleculesDispersion;

typedef struct MoleculesAtom {
  const char *name, *residue, *chain; /* chain: "" where it is not said */
  int number;                         /* of the residue                               */
  int type;                           /* of Molecules.type                            */
  double charge, mass;                /* e, g/mol; mass 0: a virtual site    */
  const char *element;                /* its symbol; NULL: found by mass and name    */
} MoleculesAtom;

/* Two atoms, the lower number first. */
typedef struct MoleculesPair {
  int atom[2];
} MoleculesPair;

/* A distance that the force field keeps in any case. */
typedef struct MoleculesConstraint {
  int atom[2];
  double length;
} MoleculesConstraint;

typedef struct Molecule {
  const char *name;
  int natom, nbond, nterm, nconstraint, nvirtual, nexclusion;
  double charge; /* of the whole, e                                         */
  MoleculesAtom *atom;
  MoleculesPair *bond; /* who is bonded to whom: rising, none twice               */
  Term *term;
  MoleculesConstraint *constraint;
  VirtualSite *site;        /* [nvirtual] those that place others before these         */
  MoleculesPair *exclusion; /* pairs that do not see each other: rising, none twice    */
} Molecule;

/* So many molecules beside each other in the coordinates. */
typedef struct MoleculesCount {
  int molecule, n;
} MoleculesCount;

typedef struct Molecules {
  int ntype, ngrid, nmolecule, ncount, nnote;
  const char **type;               /* [ntype] names                                      */
  MoleculesDispersion *dispersion; /* [ntype][ntype] after the rule and the pairs of the file */
  TermGrid *grid;                  /* [ngrid] which terms name by number                         */
  Molecule *molecule;
  MoleculesCount *count; /* what the system holds, in order; none: not said    */
  const char **note;     /* [nnote] remarks that are no errors, for the log    */
  bool builtin; /* of the program's own types: numbered as they are listed, and groups bear their names */
  Arena arena;  /* all of the above                                   */
} Molecules;

void molecules_free(Molecules *molecules);

/* Walks over all molecules of a system, in the order of its counts. Begins with all fields but `all` zero. */
typedef struct MoleculesWalk {
  const Molecules *all;
  int row, copy; /* row of all->count, and molecules of that row so far */
} MoleculesWalk;

/* The next molecule; NULL after the last. */
const Molecule *molecules_next(MoleculesWalk *walk);

/* Counts all atoms of a system, and how many of them are virtual sites. */
void molecules_count_atoms(const Molecules *all, int64_t *atoms, int64_t *massless);

/* Sorts pairs, puts the lower number first in each, and leaves out those that are there twice; returns how
 * many are left. */
int molecules_sort_pairs(int n, MoleculesPair *pair);

/* Of a molecule with atoms and bonds: pairs up to `exclude` bonds apart, those of a virtual site and the
 * atoms that place it, and `more`[nmore]; in the room. Errors: STATUS_INPUT (more than 16 million),
 * STATUS_MEMORY. */
Status molecules_exclude(Molecule *molecule, int exclude, int nmore, const MoleculesPair *more, Arena *arena,
                         Error *error);

/* The atoms of a molecule, x[natom][3], come together along bonds, from the first of each connected part on;
 * parts stay where they are. placed[natom] is room. */
void molecules_make_whole(int natom, int nbond, const MoleculesPair *bond, const Box *box, double (*x)[3],
                          bool *placed);

/* Whether a term says that its two atoms are bonded, if both have mass: a virtual site has no bonds. */
bool molecules_bonds(const Term *term);

/* Whether a term names a virtual site. */
bool molecules_sees_site(const Molecule *molecule, const Term *term);

/* Sets used[grids of the file] of those that its terms name; the others stay. */
void molecules_mark_grids(const Molecule *molecule, bool *used);

/* A number that differs where anything that forces or motion depend on does. */
uint64_t molecules_digest(const Molecules *molecules);

#endif
