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
#include "forcefields/pme.h"
#include "forcefields/site_map.h"
#include "forcefields/stage_kernels.h"

typedef struct MeshOptions {
  const SiteMap *map; /* [nblock] of the blocks; copied                                        */
  const Box *box;     /* borrowed; that of the stage, too                                      */
  double beta;        /* of erfc(beta r)/r, 1/A                                                 */
  int order, grid[3]; /* as in PmeOptions                                                      */
  PmePrecision precision;
  bool keep_net; /* The mesh gives a small net force. It is taken away in proportion to mass, which
                  * turns and stretches no molecule, unless this is set: then forces are the gradient
                  * of the energy to rounding.                                                       */
  int threads;   /* of the largest team                                                             */
  Isa isa;
  PmeWisdom wisdom; /* as in PmeOptions                                                             */
} MeshOptions;

typedef struct MeshSums {
  double reciprocal, self; /* energies, kcal/mol                                            */
  double virial[3][3];     /* of charged sites, symmetric, kcal/mol                         */
  double net[3];           /* the net force of the mesh before any was taken away, kcal/mol/A */
} MeshSums;

typedef struct Mesh Mesh;

/* For states like `shape`, of width 1; its box is not looked at. Errors: STATUS_INPUT (charges that do not
 * sum to zero, or there are none; a block that its map does not fit; as pme_create),
 * STATUS_MEMORY, STATUS_IO. */
Status mesh_create(Mesh **mesh, const MeshOptions *options, const State *shape, Error *error);
void mesh_free(Mesh *mesh);

/* Another box for the same mesh. By one thread, no other being inside. Errors: STATUS_INPUT. */
Status mesh_set_box(Mesh *mesh, const Box *box, Error *error);

/* Where the stage is to put the sites. */
const StageMesh *mesh_stage(const Mesh *mesh);

/* One evaluation, by all members of the team together: what stands in the stage is counted, sorted into
 * blocks of the mesh, and turned into *forces, each member's own, for stage_deliver. Before each of these
 * calls the team passes a barrier (stage_run ends with one), and mesh_solve ends with one. */
void mesh_count(Mesh *mesh, const Team *team);
void mesh_sort(Mesh *mesh, const Team *team);
void mesh_solve(Mesh *mesh, const Team *team, bool sums, StageForces *forces);

/* Of the last mesh_solve with sums, by the first of its team. */
void mesh_sums(const Mesh *mesh, MeshSums *sums);

/* Seconds that the first of the team has spent in each part. */
void mesh_times(const Mesh *mesh, double seconds[PME_PARTS]);

#endif
