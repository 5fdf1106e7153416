/* What the parts of the periodic force share. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PERIODIC_PRIVATE_H

#include "forcefields/bulk.h"
#include "forcefields/list.h"
#include "forcefields/mesh.h"
#include "forcefields/periodic.h"

typedef struct Periodic {
  PeriodicOptions options; /* with all that was chosen; `species` and `wisdom` are not kept */
  PeriodicChoice choice;
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
} Periodic;

/* Fills in what options leave open, and the rest of the choice. Errors: STATUS_INPUT. */
Status periodic_choose(PeriodicOptions *options, const State *shape, PeriodicChoice *choice, Error *error);

#endif
