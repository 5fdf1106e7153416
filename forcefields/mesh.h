/* The mesh part of an Ewald sum for states. stage_run provides the charged sites; stage_deliver receives
 * the reciprocal forces and removes the mesh's interaction of pairs inside molecules. Molecules have the
 * sites of their maps; blocks without charge are skipped. Molecules must be whole, in the box or not;
 * bonds may be stretched.
 *
 * Results have the same bits for any number of threads and do not depend on earlier calls. */
#ifndef HOLONOM_FORCEFIELDS_MESH_H
#define HOLONOM_FORCEFIELDS_MESH_H

#include "engine/state.h"
#include "engine/team.h"
#include "forcefields/particles.h"
#include "forcefields/pme.h"
#include "forcefields/stage_kernels.h"

typedef struct MeshOptions {
  const Particles *particles;
  bool keep_net;  /* The mesh produces a small net force, which is removed in proportion to mass: this neither
                     turns nor stretches a molecule. If set it stays, and forces are the gradient of the energy
                     to rounding. */
  PmeOptions pme; /* except its sites, which come from the particles; its box is also the stage's */
} MeshOptions;

/* For one evaluation all members of the team call stage_run with `stage`, pme_count, pme_sort and
 * mesh_solve. */
typedef struct MeshSolute {
  int site;      /* of the mesh */
  double charge; /* e, at full strength */
} MeshSolute;

typedef struct Mesh {
  Pme *pme;
  StageMesh stage; /* where stage_run writes the sites */
  double self;     /* self energy of all charges, kcal/mol */
  double charge;   /* sum of all charges, e */
  int nsolute;     /* atoms of a solute (atoms.h) */
  MeshSolute *solute;
  double self_full, self_solute; /* `self` and the solute's part of it, at full strength */
  double strength;               /* of its charges: 1 at first */
} Mesh;

/* For states like `shape`, of width 1; the shape's box is ignored. The caller adds the energy of a net charge
 * (ewald_background). Errors: STATUS_INPUT (no charges; a block that its map does not fit; those of
 * pme_create), STATUS_MEMORY, STATUS_IO. */
Status mesh_create(Mesh **mesh, const MeshOptions *options, const State *shape, Error *error);
void mesh_free(Mesh *mesh);

/* Sets the solute's charges to `strength` times its own, before the sites are sorted. By one thread. */
void mesh_set_strength(Mesh *mesh, double strength);

/* Calls pme_solve and passes its forces to stage_deliver in *forces, separate for each member. */
void mesh_solve(const Mesh *mesh, const Team *team, PmeSums *sums, StageForces *forces);

#endif
