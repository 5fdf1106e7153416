/* What the parts of the periodic force share. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H

#include "forcefields/list.h"
#include "forcefields/mesh.h"
#include "forcefields/particles.h"
#include "forcefields/periodic.h"
#include "forcefields/sites.h"
#include "forcefields/virtual_lanes.h"

typedef struct Periodic {
  ForceOps ops;
  PeriodicOptions options; /* with all that was chosen, without `atoms` */
  PmeChoice choice;        /* zeros without a mesh */
  VirtualLanes *virtual;   /* sites of these, or NULL: all below but the calls of the force work on views */
  Atoms *atoms;            /* that come one by one, or NULL */
  Particles particles;
  Box box;
  int32_t (*o)[4];   /* [nmol] block after block */
  double (*atom)[4]; /* [nmol] likewise, see StageOut; NULL: all see each other */
  List *list;        /* of all molecules, for sites                                             */
  Sites *sites;      /* pairs of molecules; NULL: none                                          */
  Stage stage;       /* of positions and forces between the state and all of these              */
  Mesh *mesh;        /* NULL: nothing is charged, or another treatment of charges               */
  PmeSums mesh_sums; /* zeros without a mesh */
  Ewald *plain;      /* the plain Ewald sum in place of all these; NULL: no                     */
  double *plain_f;   /* of all atoms, block after block                                         */
  double tail[2]; /* of Lennard-Jones beyond the cutoff, times the volume: energy, and each diagonal element
                   * of the virial */
  double real_tail[2]; /* of the real part likewise, of molecules cut whole */
  double background;   /* ewald_background of the net charge; 0 without a mesh */
  double energy[EWALD_TERMS], virial[3][3];
  double seconds[PERIODIC_COSTS];
  double last;
} Periodic;

/* Makes the parts that the options ask for, in p, which periodic_build_free frees. `parts`: what the blocks
 * of the particles are. Errors: STATUS_INPUT, STATUS_MEMORY, STATUS_IO. */
Status periodic_build(Periodic *p, const State *shape, Error *error);
void periodic_build_free(Periodic *p);

/* As ForceOps has it: lists, tables, tails and what is chosen for the box follow; plans of transforms stay.
 */
Status periodic_build_set_box(Periodic *p, const State *shape, Error *error);

/* Fills in what options leave open, and the choice of the mesh. Errors: STATUS_INPUT. */
Status periodic_choose(PeriodicOptions *options, const Particles *particles, const State *shape,
                       PmeChoice *choice, Error *error);

/* The row of ForceOps. */
Status periodic_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                         Error *error);

#endif
