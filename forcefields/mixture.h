/* What a state's molecules are made of, where all of them interact: block by block a model of water or a
 * species, with the sites of its map. Lennard-Jones mixes by Lorentz and Berthelot's rule. */
#ifndef HOLONOM_FORCEFIELDS_MIXTURE_H
#define HOLONOM_FORCEFIELDS_MIXTURE_H

#include "engine/state.h"
#include "forcefields/species.h"

/* One of the two, the other NULL. */
typedef struct MixtureComponent {
  const WaterModel *water;
  const Species *species;
} MixtureComponent;

typedef struct MixtureKind {
  MixtureComponent part;
  SiteMap map;
  int nmol;
  double mass[SITE_MAP_SITES]; /* g/mol; 0: a virtual site                     */
  double arm[SITE_MAP_SITES];  /* of the centre of mass from the first site, in a site's direction, A */
} MixtureKind;

typedef struct Mixture {
  int nblock, nmol; /* molecules of all blocks                                */
  MixtureKind kind[KINDS_MAX];
  int first[KINDS_MAX + 1];           /* number of each block's first molecule, and nmol */
  double lj[KINDS_MAX][KINDS_MAX][2]; /* A and C between first sites                     */
} Mixture;

/* For states like `shape`, of width 1: part[nblock], one for each of its blocks, which it must fit. Errors:
 * STATUS_INPUT. */
Status mixture_make(Mixture *mixture, const MixtureComponent *part, const State *shape, Error *error);

/* The block of a molecule, molecules counted through all blocks. */
static inline int mixture_block(const Mixture *mixture, int molecule)
{
  int b = 0;
  while (molecule >= mixture->first[b + 1])
    b++;
  return b;
}

#endif
