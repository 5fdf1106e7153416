/* What a state's molecules are made of, where all of them interact: block by block a model of water or a
 * species, with the sites of its map. Lennard-Jones mixes by Lorentz and Berthelot's rule. */
#ifndef HOLONOM_FORCEFIELDS_MIXTURE_H
#define HOLONOM_FORCEFIELDS_MIXTURE_H

#include "engine/state.h"
#include "forcefields/ewald.h"
#include "forcefields/species.h"

enum { MIXTURE_BLOCKS = 16 };

/* One of the two, the other NULL. */
typedef struct MixturePart {
  const WaterModel *water;
  const Species *species;
} MixturePart;

typedef struct MixtureKind {
  MixturePart part;
  SiteMap map;
  int nmol;
  double mass[SITE_MAP_SITES]; /* g/mol; 0: a virtual site                     */
  double arm[SITE_MAP_SITES];  /* of the centre of mass from the first site, in a site's direction, A */
} MixtureKind;

typedef struct Mixture {
  int nblock, nmol; /* molecules of all blocks                                */
  MixtureKind kind[MIXTURE_BLOCKS];
  int first[MIXTURE_BLOCKS + 1];                /* number of each block's first molecule, and nmol */
  double lj[MIXTURE_BLOCKS][MIXTURE_BLOCKS][2]; /* A and C between first sites                     */
} Mixture;

/* For states like `shape`, of width 1: part[nblock], one for each of its blocks, which it must fit. Errors:
 * STATUS_INPUT. */
Status mixture_make(Mixture *mixture, const MixturePart *part, const State *shape, Error *error);

/* The block of a molecule, molecules counted through all blocks. */
static inline int mixture_block(const Mixture *mixture, int molecule)
{
  int b = 0;
  while (molecule >= mixture->first[b + 1])
    b++;
  return b;
}

/* tail[2] = energy and each diagonal element of the virial of Lennard-Jones beyond the cutoff, in a box where
 * all is uniform there; options as of an Ewald sum. */
void mixture_tail(const Mixture *mixture, const Box *box, const EwaldOptions *options, double tail[2]);

/* The same of the real part of molecules with bonds at rest, with options->alpha, where whole molecules are
 * cut as options have it for Lennard-Jones by molecule: ewald_tail_real. */
void mixture_real_tail(const Mixture *mixture, const Box *box, const EwaldOptions *options, double tail[2]);

/* The plain Ewald sum of states in a box: what all faster routes are compared with. */
typedef struct MixtureEwald MixtureEwald;

/* Copies the mixture. Errors as of ewald_create. */
Status mixture_ewald_create(MixtureEwald **ewald, const Mixture *mixture, const Box *box,
                            const EwaldOptions *options, Error *error);
void mixture_ewald_free(MixtureEwald *w);

/* f, unless NULL, are the forces on all atoms, block by block as by state_get, those on massless sites handed
 * to the atoms; f and *result are one for the team, all of which call it together. Errors, the same for all,
 * as of ewald_compute. With real_by_molecule energy and virials hold real_tail. */
Status mixture_ewald_compute(MixtureEwald *w, const Team *team, const State *state, double *f,
                             EwaldResult *result, Error *error);

/* The same for one state, by one thread. */
Status mixture_ewald(const Mixture *mixture, const State *state, const EwaldOptions *options, double *f,
                     EwaldResult *result, Error *error);

#endif
