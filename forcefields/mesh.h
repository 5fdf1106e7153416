/* The part of an Ewald sum that a mesh gives, for states: takes the charged sites that stage_run finds, and
 * gives the reciprocal forces on them to stage_deliver, which takes back what the mesh holds of pairs inside
 * molecules. Molecules have the sites of their maps; blocks without charge are passed over. Molecules are
 * taken as they are, whole, in the box or not; bonds may be stretched.
 *
 * The same bits for any number of threads; nothing is carried from one call to the next. */
#ifndef HOLONOM_FORCEFIELDS_MESH_H
#define HOLONOM_FORCEFIELDS_MESH_H

#include "engine/state.h"
#include "engine/team.h"
#include "forcefields/particles.h"
#include "forcefields/pme.h"
#include "forcefields/stage_kernels.h"

typedef struct MeshOptions {
  const Particles *particles;
  bool keep_net;  /* The mesh gives a small net force. It is taken away in proportion to mass, which
                   * turns and stretches no molecule, unless this is set: then forces are the gradient
                   * of the energy to rounding.                                                       */
  PmeOptions pme; /* but for its sites, which are those of the particles; its box is that of the stage, too */
} MeshOptions;

/* One evaluation, by all members of the team together: stage_run puts the sites where `stage` says, then come
 * pme_count, pme_sort and mesh_solve. */
typedef struct Mesh {
  Pme *pme;
  StageMesh stage; /* where the stage is to put the sites                 */
  double self;     /* the energy of all charges with themselves, kcal/mol */
  double charge;   /* the sum of all charges, e                           */
} Mesh;

/* For states like `shape`, of width 1; its box is not looked at. A net charge is left to the caller
 * (ewald_background). Errors: STATUS_INPUT (there are no charges; a block that its map does not fit; as
 * pme_create), STATUS_MEMORY, STATUS_IO. */
Status mesh_create(Mesh **mesh, const MeshOptions *options, const State *shape, Error *error);
void mesh_free(Mesh *mesh);

/* pme_solve, and its forces for stage_deliver in *forces, each member's own. */
void mesh_solve(const Mesh *mesh, const Team *team, PmeSums *sums, StageForces *forces);

#endif
