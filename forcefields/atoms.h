/* Individual atoms of a periodic or open system: blocks whose groups have a charge and a Lennard-Jones
 * type for each atom, and pairs without interaction (exclusions).
 *
 * All blocks except that of the model water contain individual atoms; an ion is a group of one atom.
 * Lists, pairs and the mesh work on rows. A water is one row; in other blocks each atom is a row. Virtual
 * sites of a molecules file are atoms without mass in lanes of their own (virtual_lanes.h). Rows are
 * numbered by block, then lane, then atom. `root` is the charge times the square root of Coulomb's
 * constant: a product of two needs no third factor and is equal for (i, j) and (j, i). */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_H
#define HOLONOM_FORCEFIELDS_ATOMS_H

#include <stdbool.h>

#include "topology/topology.h"

/* The caller's description. Charges, types and exclusions come from the molecule types of the topology; those
 * of the model water are ignored. */
typedef struct AtomsInput {
  const Topology *topology; /* of the states; borrowed while the atoms live */
  int water;                /* the block of the model water; -1: no water */
  int water_type;           /* type of the water's first site */
  int ntype;
  const double (*lj)[2]; /* [ntype][ntype] A and C of A/r^12 - C/r^6, kcal A^n/mol, symmetric in i and j */
  const double *c4;      /* [ntype][ntype] C of -C/r^4, kcal A^4/mol, for the force "induction"; NULL: none */
  int solute;            /* 1 + the molecule type whose pairs the force "alchemy" computes; 0: none */
} AtomsInput;

typedef struct Atoms {
  const Topology *topology;
  int water, water_type, ntype, nrow;
  int *first;            /* [blocks + 1] first row of each block */
  int *each;             /* [blocks] rows of one lane */
  double (*lj)[2];       /* [ntype][ntype] */
  double *number;        /* [ntype] rows of each type, without the solute's */
  int *type;             /* [nrow] of a water: its first site's */
  double *charge, *root; /* [nrow] e; charge times sqrt(Coulomb's constant); waters: 0 */
  double *mass;          /* [nrow] g/mol; waters and virtual sites: 0 */
  int *begin, *partner;  /* [nrow + 1]; rows excluded from row i, ascending, from partner[begin[i]] on; of the
                          * solute all its own */
  int nexcluded;         /* excluded pairs */
  bool *solute;          /* [nrow] rows that interact in the mesh alone; NULL: none */
  int pairing;           /* other rows of individual atoms */
} Atoms;

/* For states like `shape`, including the block of virtual sites (virtual_lanes_view). Errors: STATUS_INPUT
 * (another topology than the state's, an unknown type, a charge that is not finite, an exclusion of an
 * unknown site or one given twice), naming molecule and site; STATUS_MEMORY. */
Status atoms_create(Atoms **atoms, const AtomsInput *input, const State *shape, Error *error);
void atoms_free(Atoms *atoms); /* NULL is allowed */

/* Whether a block contains individual atoms; atoms may be NULL. */
static inline bool atoms_are(const Atoms *atoms, int block) { return atoms != NULL && block != atoms->water; }

/* A and C between the first sites of two rows. */
static inline const double *atoms_lj(const Atoms *atoms, int i, int j)
{
  return atoms->lj[atoms->type[i] * atoms->ntype + atoms->type[j]];
}

/* Whether the pair of rows i and j is excluded. */
bool atoms_excluded(const Atoms *atoms, int i, int j);

static inline bool atoms_solute(const Atoms *atoms, int row)
{
  return atoms != NULL && atoms->solute != NULL && atoms->solute[row];
}

/* The number of an individual atom among the sites of its molecule type. */
int atoms_site(const Atoms *atoms, int row);

/* Sets `root` of the solute's rows to its charges times `strength`. */
void atoms_set_strength(Atoms *atoms, double strength);

enum { ATOMS_WORDS = 128 };

/* Writes "atom 5 (CA) of molecule 3 (ALA)", or for a water "molecule 9 (tip3p)", to words[ATOMS_WORDS] and
 * returns it. */
const char *atoms_words(const Atoms *atoms, int row, char words[ATOMS_WORDS]);

#endif
