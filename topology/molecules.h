/* Molecules and system as a file of molecules describes them (docs/molecules-file.md; reader:
 * io/molecules_file.h): atoms with charge, mass and type, bonds, terms, constraints, virtual sites, excluded
 * pairs, and the numbers of molecules.
 *
 * Atoms of a molecule are numbered from 0 in the order of the file. Lengths are in angstrom, energies in
 * kcal/mol, angles in radians. */
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
  const char *name, *residue, *chain; /* chain: "" if unknown */
  int number;                         /* of the residue */
  int type;                           /* index of Molecules.type */
  double charge, mass;                /* e, g/mol; mass 0: a virtual site    */
  const char *element;                /* symbol; NULL: found by mass and name */
  int friction; /* rule of its friction, from 1; 0: none. A group has one rule, and groups of different rules
                   are of different kinds */
} MoleculesAtom;

/* Two atoms, the lower number first. */
typedef struct MoleculesPair {
  int atom[2];
} MoleculesPair;

/* A distance that is constrained whatever constraints the user requests. */
typedef struct MoleculesConstraint {
  int atom[2];
  double length;
} MoleculesConstraint;

typedef struct Molecule {
  const char *name;
  int natom, nbond, nterm, nconstraint, nvirtual, nexclusion;
  double charge; /* of the molecule, e */
  MoleculesAtom *atom;
  MoleculesPair *bond; /* bonded atoms: rising, each pair once */
  Term *term;
  MoleculesConstraint *constraint;
  VirtualSite *site;        /* [nvirtual] a site comes after the sites that place it */
  MoleculesPair *exclusion; /* pairs that do not interact: rising, each pair once */
  const bool *frozen;       /* [natom] atoms that do not move (molecules_freeze); NULL: all atoms move */
} Molecule;

/* n consecutive molecules in the coordinates. */
typedef struct MoleculesCount {
  int molecule, n;
} MoleculesCount;

typedef struct Molecules {
  int ntype, ngrid, nmolecule, ncount, nnote;
  const char **type;               /* [ntype] names                                      */
  MoleculesDispersion *dispersion; /* [ntype][ntype] by the mixing rule and the file's pairs */
  double *c4;     /* [ntype][ntype] C of -C/r^4, kcal A^4/mol; NULL: no pair of types has it */
  TermGrid *grid; /* [ngrid] grids, then tables; terms refer to them by number */
  Molecule *molecule;
  MoleculesCount *count; /* the molecules of the system, in order; NULL: not in the file */
  const char **note;     /* [nnote] remarks for the log */
  bool builtin; /* a molecule type of the program: numbered as listed, and groups have the molecule's name */
  Arena arena;  /* of all arrays above */
} Molecules;

void molecules_free(Molecules *molecules);

/* C of -C/r^4 between two types, kcal A^4/mol. */
static inline double molecules_c4(const Molecules *all, int one, int other)
{
  return all->c4 != NULL ? all->c4[one * all->ntype + other] : 0.0;
}

/* An iterator over all molecules of a system, in the order of its counts. Set `all`, and the other fields to
 * zero. */
typedef struct MoleculesWalk {
  const Molecules *all;
  int row, copy; /* row of all->count, and molecules of that row so far */
} MoleculesWalk;

/* The next molecule; NULL after the last. */
const Molecule *molecules_next(MoleculesWalk *walk);

/* Counts all atoms of a system, and the virtual sites among them. */
void molecules_count_atoms(const Molecules *all, int64_t *atoms, int64_t *massless);

/* Sorts pairs, the lower number first in each, and removes duplicates. Returns the number of pairs left. */
int molecules_sort_pairs(int n, MoleculesPair *pair);

/* Lists the excluded pairs of a molecule with atoms and bonds: those up to `exclude` bonds apart, each
 * virtual site with the atoms that place it, and more[nmore]; in the arena. Errors: STATUS_INPUT (more than
 * 16 million pairs), STATUS_MEMORY. */
Status molecules_exclude(Molecule *molecule, int exclude, int nmore, const MoleculesPair *more, Arena *arena,
                         Error *error);

/* Makes a molecule x[natom][3] whole: moves bonded atoms to nearest images, from the first atom of each
 * connected part. placed[natom] is scratch memory. */
void molecules_make_whole(int natom, int nbond, const MoleculesPair *bond, const Box *box, double (*x)[3],
                          bool *placed);

/* Whether a term implies a bond between its two atoms; virtual sites have no bonds. */
bool molecules_bonds(const Term *term);

/* Whether a term has a virtual site among its atoms. */
bool molecules_sees_site(const Molecule *molecule, const Term *term);

/* Sets used[] for each grid and table of the file that the molecule's terms use; does not clear others. */
void molecules_mark_grids(const Molecule *molecule, bool *used);

/* Freezes atoms: frozen[all atoms of the system], in the order of the counts. Molecules that differ in frozen
 * atoms become molecule types of their own, added at the end, and rows of `count` are divided; the order of
 * atoms stays. (*like)[nmolecule], in the arena: the type that each type was made from. Errors:
 * STATUS_MEMORY. */
Status molecules_freeze(Molecules *all, const bool *frozen, const int **like, Error *error);

/* Whether no atom of a molecule moves; virtual sites move with the atoms that place them. */
bool molecules_freeze_whole(const Molecule *molecule);

/* A hash of everything that forces or motion depend on. */
uint64_t molecules_digest(const Molecules *molecules);

#endif
