/* The molecules of one frame as a state with what they are made of: what energies are computed of. */
#ifndef HOLONOM_CMD_MOLECULES_H
#define HOLONOM_CMD_MOLECULES_H

#include "forcefields/mixture.h"
#include "io/structure.h"

/* A structure file that names the atoms of files which do not (DCD, XTC). Errors: STATUS_INPUT, STATUS_IO. */
Status molecules_read_names(const char *path, Frame *names, Error *error);

/* Names for a frame of such a file, none for one that has them: those of `names`, or (NULL) of waters O H H.
 * STATUS_INPUT: there are as many as in the frame in neither. */
Status molecules_names(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                       Error *error);

/* What the groups of a structure are, those without molecules left out. */
typedef struct MoleculesKinds {
  int n;
  Kind *kind[KINDS_MAX];
  MixtureComponent part[KINDS_MAX];
  int group[KINDS_MAX]; /* of the structure */
} MoleculesKinds;

/* Of a structure of species_names(). Waters of the model, which may be NULL where there are none, and single
 * atoms of species with their parameters for that model. Errors: STATUS_INPUT: water without a model, an atom
 * that has no parameters for the model; STATUS_MEMORY. What there is then is to be freed, too. */
Status molecules_kinds_find(MoleculesKinds *kinds, const Structure *structure, const char *path,
                            const WaterModel *model, Error *error);
void molecules_kinds_free(MoleculesKinds *kinds);

typedef struct Molecules {
  MoleculesKinds kinds;
  State *state; /* of width 1; its blocks are the waters, then the species */
  Mixture mixture;
  int natom;
  double *x; /* [natom][3] angstrom, block by block as by state_get             */
  int *rank; /* [natom] the atom's place among those that are kept of the frame */
} Molecules;

/* The molecules whole. Massless sites are left out. The box, all zero for a cluster, is the state's. After an
 * error there is nothing to free. Errors: those of structure_cluster and of molecules_kinds_find. */
Status molecules_make(Molecules *molecules, const Frame *frame, const char *path, const WaterModel *model,
                      const Box *box, Error *error);
void molecules_free(Molecules *molecules);

/* Their positions and forces f[natom][3] (of x) in the order of the frame that they are from. STATUS_MEMORY.
 */
Status molecules_frame(const Molecules *molecules, const double *f, Frame *frame, Error *error);

#endif
