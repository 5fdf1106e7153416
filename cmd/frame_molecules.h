/* Turns one frame of a trajectory into a state and a topology for computing energies. */
#ifndef HOLONOM_CMD_FRAME_MOLECULES_H
#define HOLONOM_CMD_FRAME_MOLECULES_H

#include "forcefields/atom_model.h"
#include "forcefields/particles.h"
#include "io/structure.h"

/* Reads a structure file that names the atoms of files without names (DCD, XTC). STATUS_INPUT, STATUS_IO. */
Status frame_molecules_read_names(const char *path, Frame *names, Error *error);

/* Adds names to a frame without names: from `names`, or if NULL, waters O H H. STATUS_INPUT: the number of
 * atoms differs. */
Status frame_molecules_names(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                             Error *error);

enum { FRAME_MOLECULES_KINDS = 1 + STRUCTURE_SPECIES /* water, and all species of a structure */ };

/* The group types of a structure, without those that have no molecules. */
typedef struct FrameMoleculesKinds {
  int n;
  Kind *kind[FRAME_MOLECULES_KINDS];
  SiteMap map[FRAME_MOLECULES_KINDS];
  int group[FRAME_MOLECULES_KINDS]; /* index in the structure */
} FrameMoleculesKinds;

/* Finds the group types of a structure whose atoms are named by atom_model_names(): waters of the model,
 * which may be NULL without water, and single atoms with their parameters for that model. STATUS_INPUT:
 * water without a model, an atom without parameters for the model; STATUS_MEMORY. Call
 * frame_molecules_kinds_free also after an error. */
Status frame_molecules_kinds_find(FrameMoleculesKinds *kinds, const Structure *structure, const char *path,
                                  const WaterModel *model, Error *error);
void frame_molecules_kinds_free(FrameMoleculesKinds *kinds);

typedef struct FrameMolecules {
  FrameMoleculesKinds kinds;
  State *state; /* width 1; block 0 has the waters, if any, then one block per species */
  Topology *topology;
  Atoms *atoms; /* NULL: water only */
  Particles particles;
  int natom;
  double *x; /* [natom][3] A, block by block as in state_get */
  int *rank; /* [natom] the atom's index in the frame, without massless sites */
} FrameMolecules;

/* Makes molecules whole and omits massless sites. The box (all zero: a cluster) becomes the state's.
 * Nothing is allocated after an error. Errors of structure_cluster and frame_molecules_kinds_find. */
Status frame_molecules_make(FrameMolecules *molecules, const Frame *frame, const char *path,
                            const WaterModel *model, const Box *box, Error *error);
void frame_molecules_free(FrameMolecules *molecules);

/* Stores positions and forces f[natom][3] in the order of the original frame. STATUS_MEMORY. */
Status frame_molecules_frame(const FrameMolecules *molecules, const double *f, Frame *frame, Error *error);

#endif
