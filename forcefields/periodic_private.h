/* Types and functions shared by the files of the periodic force. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H

#include "forcefields/alchemy.h"
#include "forcefields/list.h"
#include "forcefields/mesh.h"
#include "forcefields/particles.h"
#include "forcefields/periodic.h"
#include "forcefields/sites.h"
#include "forcefields/virtual_lanes.h"

typedef struct Periodic {
  ForceOps ops;
  PeriodicOptions options; /* with the chosen values, without `atoms` */
  PmeChoice choice;        /* zeros without a mesh */
  VirtualLanes
      *virtual; /* their sites, or NULL: everything below works on views of the state with these sites */
  Atoms *atoms; /* individual atoms, or NULL */
  Particles particles;
  Box box;
  int32_t (*o)[4];   /* [nmol] by block */
  double (*atom)[4]; /* [nmol] by block, see StageOut; NULL: no exclusions */
  List *list;        /* of all molecules, for sites */
  Sites *sites;      /* pairs of molecules; NULL: the plain Ewald sum */
  Stage stage;       /* transfers positions and forces between the state and the parts */
  Mesh *mesh;        /* NULL: no charges, or another treatment of charges */
  PmeSums mesh_sums; /* zeros without a mesh */
  Ewald *plain;      /* the plain Ewald sum in place of the parts above, or NULL */
  double *plain_f;   /* of all atoms, by block */
  double tail[2]; /* of Lennard-Jones beyond the cutoff, times the volume: energy, and each diagonal element
                     of the virial */
  double real_tail[2]; /* likewise of the real part, for molecules cut as a whole */
  double background;   /* ewald_background of the net charge; 0 without a mesh */
  Alchemy *alchemy;    /* the solute's pairs; NULL: no solute, and the rest of these is unused */
  AlchemyInput solute;
  double strength;    /* of its charges at the last evaluation */
  double solute_self; /* its energy in its own reaction field at full strength */
  Mesh *query;        /* for energies at other strengths; NULL: they do not depend on the mesh */
  double energy[EWALD_TERMS], virial[3][3];
  double seconds[PERIODIC_COSTS];
  double last;
} Periodic;

/* Creates the parts that the options require in p; periodic_build_free frees them. Errors: STATUS_INPUT,
 * STATUS_MEMORY, STATUS_IO. */
Status periodic_build(Periodic *p, const State *shape, Error *error);
void periodic_build_free(Periodic *p);

/* See ForceOps: updates lists, tables, tails and the choices for the box, except the plans of transforms. */
Status periodic_build_set_box(Periodic *p, const State *shape, Error *error);

/* Chooses open options and the mesh. Errors: STATUS_INPUT. */
Status periodic_choose(PeriodicOptions *options, const Particles *particles, const State *shape,
                       PmeChoice *choice, Error *error);

/* Whether any site has a charge. */
bool periodic_build_charged(const Periodic *p);

/* The solute (periodic_alchemy.c): makes its parts, with the options of the mesh; sets the mesh's charges to
 * the strength of the state's replica, by all of a team; adds its energies and virial; and ForceOps.respond.
 */
Status periodic_alchemy_make(Periodic *p, const MeshOptions *mesh, const State *shape, Error *error);
void periodic_alchemy_set(Periodic *p, const Team *team, const State *state);
void periodic_alchemy_sums(Periodic *p);
Status periodic_alchemy_respond(void *self, const State *state, const ParameterQuery *query, Error *error);

/* See ForceOps. */
Status periodic_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                         Error *error);

#endif
