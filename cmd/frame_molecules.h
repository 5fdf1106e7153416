/* The molecules of one frame as a state with what they are made of: what energies are computed of. */
#ifndef HOLONOM_CMD_FRAME_MOLECULES_H
#define HOLONOM_CMD_FRAME_MOLECULES_H

#include "forcefields/atom_model.h"
#include "forcefields/particles.h"
#include "io/structure.h"

/* A structure file that names the atoms of files which do not (DCD, XTC). Errors: STATUS_INPUT, STATUS_IO. */
Status frame_molecules_read_names(const char *path, Frame *names, Error *error);

/* Names for a frame of such a file, none for one that has them: those of `names`, or (NULL) of waters O H H.
 * STATUS_INPUT: there are as many as in the frame in neither. */
Status frame_molecules_names(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                             Error *error);

enum { FRAME_MOLECULES_KINDS = 1 + STRUCTURE_SPECIES /* water, and all species that there can be */ };

/* What the groups of a structure are, those without molecules left out. */
typedef struct FrameMoleculesKinds {
  int n;
  Kind *kind[FRAME_MOLECULES_KINDS];
  SiteMap map[FRAME_MOLECULES_KINDS];
  int group[FRAME_MOLECULES_KINDS]; /* of the structure */
} FrameMoleculesKinds;

/* Of a structure of atom_model_names(). Waters of the model, which may be NULL where there are none, and
 * single atoms of species with their parameters for that model. Errors: STATUS_INPUT: water without a model,
 * an atom that has no parameters for the model; STATUS_MEMORY. What there is then is to be freed, too. */
Status frame_molecules_kinds_find(FrameMoleculesKinds *kinds, const Structure *structure, const char *path,
                                  const WaterModel *model, Error *error);
void frame_molecules_kinds_free(FrameMoleculesKinds *kinds);

typedef struct FrameMolecules {
  FrameMoleculesKinds kinds;
  State *state; /* of width 1; its blocks are the waters, then the species */
  Topology *topology;
  Atoms *atoms; /* NULL: there is water alone */
  Particles particles;
  int natom;
  double *x; /* [natom][3] angstrom, block by block as by state_get             */
  int *rank; /* [natom] the atom's place among those that are kept of the frame */
} FrameMolecules;

/* The molecules whole. Massless sites are left out. The box, all zero for a cluster, is the state's. After an
 * error there is nothing to free. Errors: those of structure_cluster and of frame_molecules_kinds_find. */
Status frame_molecules_make(FrameMolecules *molecules, const Frame *frame, const char *path,
                            const WaterModel *model, const Box *box, Error *error);
void frame_molecules_free(FrameMolecules *molecules);

/* Their positions and forces f[natom][3] (of x) in the order of the frame that they are from. STATUS_MEMORY.
 */
Status frame_molecules_frame(const FrameMolecules *molecules, const double *f, Frame *frame, Error *error);

#endif
