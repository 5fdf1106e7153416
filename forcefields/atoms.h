/* Atoms one by one: blocks of a state whose lanes are groups of any atoms (topology/topology.h), where charge
 * and type of Lennard-Jones are each atom's own, as groups of one shape differ in them, and some pairs do not
 * see each other.
 *
 * Where a system has such blocks, all but that of its water are: an ion is a group of one atom. What lists,
 * pairs and the mesh work on are rows: a water is one, of a group each atom is; a virtual site of a file of
 * molecules is an atom without mass in a lane of its own (virtual_lanes.h). Rows are numbered block by block,
 * lane by lane, atom by atom. Charges are kept times the root of Coulomb's constant too, so that a
 * product of two needs no third factor and is the same for i and j as for j and i. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_H
#define HOLONOM_FORCEFIELDS_ATOMS_H

#include <stdbool.h>

#include "topology/topology.h"

/* What a caller says of them. Charges, types and pairs that do not interact are those of the topology's types
 * of molecules; those of the model's water are not looked at. */
typedef struct AtomsInput {
  const Topology *topology; /* of the states; borrowed for as long as the atoms are there */
  int water;                /* the block of a model's water; -1: no water                 */
  int water_type;           /* of its first site                                          */
  int ntype;
  const double (*lj)[2]; /* [ntype][ntype] A and C of A/r^12 - C/r^6, kcal A^n/mol, those of (i, j) and (j, i)
                            alike */
} AtomsInput;

typedef struct Atoms {
  const Topology *topology;
  int water, water_type, ntype, nrow;
  int *first;            /* [blocks + 1] row of each block                 */
  int *each;             /* [blocks] rows of a lane                        */
  double (*lj)[2];       /* [ntype][ntype]                                 */
  double *number;        /* [ntype] rows of each                           */
  int *type;             /* [nrow] those of waters are their first site's  */
  double *charge, *root; /* [nrow] e; times the root of C; of waters 0     */
  double *mass;          /* [nrow] g/mol; of waters and virtual sites 0    */
  int *begin, *partner;  /* [nrow + 1]; rows that row i does not see, rising, from partner[begin[i]] on */
  int nexcluded;         /* pairs                                          */
} Atoms;

/* For states like `shape`, with the block of virtual sites (virtual_lanes_view). Errors: STATUS_INPUT (a
 * topology that is not the state's, an unknown type, a charge that is not finite, an exclusion of an unknown
 * site or one given twice), naming molecule and site; STATUS_MEMORY. */
Status atoms_create(Atoms **atoms, const AtomsInput *input, const State *shape, Error *error);
void atoms_free(Atoms *atoms); /* NULL is fine */

/* Whether a block is of atoms; atoms may be NULL. */
static inline bool atoms_are(const Atoms *atoms, int block) { return atoms != NULL && block != atoms->water; }

/* A and C between two rows' first sites. */
static inline const double *atoms_lj(const Atoms *atoms, int i, int j)
{
  return atoms->lj[atoms->type[i] * atoms->ntype + atoms->type[j]];
}

/* Whether they are excluded. */
bool atoms_excluded(const Atoms *atoms, int i, int j);

enum { ATOMS_WORDS = 128 };

/* "atom 5 (CA) of molecule 3 (ALA)", or of a water "molecule 9 (tip3p)", in words[ATOMS_WORDS]; returns it.
 */
const char *atoms_words(const Atoms *atoms, int row, char words[ATOMS_WORDS]);

#endif
