/* What the parts of the periodic force share. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H

#include "forcefields/bulk.h"
#include "forcefields/list.h"
#include "forcefields/list_choose.h"
#include "forcefields/mesh.h"
#include "forcefields/mixture.h"
#include "forcefields/periodic.h"

/* What a list was made from: the first force of a step, and a number by the positions. */
typedef struct PeriodicMade {
  int64_t step; /* -1: nothing */
  uint64_t mark;
} PeriodicMade;

typedef struct Periodic {
  ForceOps ops;
  PeriodicOptions options; /* with all that was chosen; `species` and `wisdom` are not kept */
  PeriodicChoice choice;
  Mixture mixture;
  Box box;
  int nmol; /* of all blocks */
  int32_t (*o)[4];
  List *list;
  Bulk *bulk;     /* NULL: there is no water */
  Mesh *mesh;     /* NULL: nothing is charged */
  double tail[2]; /* energy, and each diagonal element of the virial, of Lennard-Jones beyond the cutoff */
  BulkSums bulk_sums;
  MeshSums mesh_sums;
  double seconds[PERIODIC_PARTS];
  double last;

  /* fast lists */
  double limit;          /* molecules further from where the list was made were put there, A */
  PeriodicMade kept;     /* of the list in use: in checkpoints, with its positions           */
  PeriodicMade present;  /* of the list in memory                                            */
  int32_t (*kept_at)[4]; /* [nmol]                                                           */
  uint64_t *mark;        /* [threads]                                                        */
} Periodic;

/* Fills in what options leave open, and the rest of the choice. Errors: STATUS_INPUT. */
Status periodic_choose(PeriodicOptions *options, const Mixture *mixture, const State *shape,
                       PeriodicChoice *choice, Error *error);

/* Of pairs at the cutoff, for options with all that was chosen. */
void periodic_loss(const PeriodicOptions *options, const Mixture *mixture, const State *shape,
                   ListLoss *loss);

/* The mass of the lightest first site, g/mol. */
double periodic_choose_lightest(const Mixture *mixture);

/* How far apart from where they were, two molecules together, molecules can be by motion alone. */
double periodic_lists_limit(const PeriodicOptions *options, double mass, int every);

/* Makes the list for p->o if it is due, by all of a team; `between` where nothing may be changed by it, for
 * energies. Errors: STATUS_MEMORY. */
Status periodic_lists_update(Periodic *p, const Team *team, int64_t step, bool between, Error *error);

#endif
