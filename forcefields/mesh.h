/* The part of an Ewald sum that a mesh gives, for states: adds the reciprocal force, and takes back what it
 * holds of pairs inside molecules, straight to the forces of blocks.
 *
 * Block 0 may be water: three sites O, H, H of which the hydrogens and either O or a massless site M carry
 * charges. The other blocks are of single atoms. Block by block, charges of one size; blocks without charge
 * are passed over. Molecules are taken as they are, whole, in the box or not; bonds may be stretched.
 *
 * The virial is that by atom, W_ab = sum of r_a f_b = -dE/d(strain_ab). M is a fixed linear combination of
 * its atoms, x_M = sum w x, and hands its force back as w f_M: when the atoms are scaled with the box, so is
 * M, and r_M f_M is the sum of its atoms' r w f_M already.
 *
 * The same bits for any number of threads; nothing is carried from one call to the next. */
#ifndef HOLONOM_FORCEFIELDS_MESH_H
#define HOLONOM_FORCEFIELDS_MESH_H

#include "engine/state.h"
#include "engine/team.h"
#include "forcefields/pme.h"
#include "forcefields/water.h"

typedef struct MeshOptions {
  const WaterModel *water; /* of block 0; NULL: that is of single atoms too                         */
  const double *charge;    /* [nblock] e, of the atoms of a block; that of a water is not looked at. NULL: no
                            * charges besides the water's                                            */
  double length[3];        /* the box, A                                                            */
  double beta;             /* of erfc(beta r)/r, 1/A                                                 */
  int order, grid[3];      /* as in PmeOptions                                                      */
  PmePrecision precision;
  bool keep_net; /* The mesh gives a small net force. It is taken away in proportion to mass, which
                  * turns and stretches no molecule, unless this is set: then forces are the gradient
                  * of the energy to rounding.                                                       */
  int threads;   /* of the largest team that will call                                              */
  Isa isa;
  PmeWisdom wisdom; /* as in PmeOptions                                                             */
} MeshOptions;

typedef struct MeshSums {
  double reciprocal, self, intramolecular; /* energies, kcal/mol                                     */
  double virial[3][3];                     /* by atom, of all three, symmetric, kcal/mol             */
  double net[3];                           /* the net force of the mesh before any was taken away    */
} MeshSums;

typedef struct Mesh Mesh;

/* For states like `shape`, of width 1; its box is not looked at. Errors: STATUS_INPUT (charges that do not
 * sum to zero, or there are none; a block that is neither water nor single atoms; as pme_create),
 * STATUS_MEMORY, STATUS_IO. */
Status mesh_create(Mesh **mesh, const MeshOptions *options, const State *shape, Error *error);
void mesh_free(Mesh *mesh);

/* Another box for the same mesh. By one thread, no other being inside. Errors: STATUS_INPUT. */
Status mesh_set_box(Mesh *mesh, const double length[3], Error *error);

/* block->f += forces, by all members of the team together, with an error each (or NULL); all get the same
 * status, and f is complete for each. *sums, unless NULL, is one object shared by the team, overwritten.
 * Errors: STATUS_RUN (a coordinate is not finite or absurdly large; f is then as it was). */
Status mesh_add(Mesh *mesh, const Team *team, State *state, MeshSums *sums, Error *error);

/* Seconds that the first of the team has spent in each part: conversions count as sorting and gathering. */
void mesh_times(const Mesh *mesh, double seconds[PME_PARTS]);

#endif
