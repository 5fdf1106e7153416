/* The particles of a state in a box. Each block contains waters of a model, or individual atoms with a table
 * of types (atoms.h). In lists and pairs, and below, each particle is called a molecule. */
#ifndef HOLONOM_FORCEFIELDS_PARTICLES_H
#define HOLONOM_FORCEFIELDS_PARTICLES_H

#include "base/arena.h"
#include "engine/state.h"
#include "forcefields/atoms.h"
#include "forcefields/water.h"

typedef struct ParticlesBlock {
  SiteMap map; /* for atoms: a site without charge or Lennard-Jones */
  int nmol;
  double mass[SITE_MAP_SITES]; /* g/mol; virtual sites: 0; for atoms: the lightest */
  double arm[SITE_MAP_SITES];  /* centre of mass from the first site, along a site's direction, A */
} ParticlesBlock;

typedef struct Particles {
  int nblock, nmol;     /* molecules of all blocks */
  const Atoms *atoms;   /* borrowed; NULL: no individual atoms */
  ParticlesBlock *kind; /* [nblock] */
  int *first;           /* [nblock + 1] number of each block's first molecule, then nmol */
  Arena arena;          /* owns the arrays above; copies of the particles borrow them */
} Particles;

/* For states like `shape`, of width 1. water: the model of all blocks without individual atoms; NULL: no such
 * blocks. Errors, after which nothing needs freeing: STATUS_INPUT, STATUS_MEMORY. */
Status particles_make(Particles *particles, const WaterModel *water, const Atoms *atoms, const State *shape,
                      Error *error);
void particles_free(Particles *particles); /* all zero is allowed */

/* The block of a molecule; molecules are counted through all blocks. */
static inline int particles_block(const Particles *particles, int molecule)
{
  int b = 0;
  while (molecule >= particles->first[b + 1])
    b++;
  return b;
}

/* Sites x[nsite][3] of a molecule, counted from the first of its block, in a state of width 1. */
void particles_sites(const Particles *particles, const State *state, int block, int molecule, double *x);

/* A and C between the first sites of molecules i and j of blocks a and b. */
static inline const double *particles_lj(const Particles *particles, int a, int i, int b, int j)
{
  const Atoms *const atoms = particles->atoms;
  const bool apart = atoms != NULL && (atoms_are(atoms, a) || atoms_are(atoms, b));
  return apart ? atoms_lj(atoms, i, j) : particles->kind[a].map.lj;
}

#endif
