/* Isomers of a cluster: minima told apart by energy and by their distances between sites that do not move as
 * one. For each pair of molecule types the distances of first sites are sorted, then those of all sites.
 * Numbering of molecules of one type and of like atoms, place, orientation and mirror images do not matter.
 */
#ifndef HOLONOM_OBSERVABLES_ISOMERS_H
#define HOLONOM_OBSERVABLES_ISOMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"
#include "engine/force.h"
#include "topology/topology.h"

/* Minima are the same within these: kcal/mol, and A in each of the sorted distances. */
#define ISOMERS_ENERGY   1e-3
#define ISOMERS_DISTANCE 0.05

typedef struct Isomer {
  double energy;        /* kcal/mol                    */
  const int64_t *count; /* how often each owner has seen it, [owners] */
  int64_t all;          /* their sum                   */
  const double *x;      /* [natom][3] in the order of molecules */
} Isomer;

/* A system in open space whose minima are looked for: its molecules, and a function that makes the forces by
 * which they go downhill, in double precision, for states of the topology. */
typedef struct Landscape {
  const Topology *topology;
  Status (*field)(const void *system, const State *state, ForceField *field, Error *error);
  const void *system; /* for `field` */
} Landscape;

typedef struct Isomers Isomers;

/* The `keep` lowest that are added, of clusters of these molecules, counted for each of some owners
 * (replicas, walkers). One that is kept at the end has been counted from the first time on, since what goes
 * to make room is never among the lowest again. STATUS_MEMORY. */
Status isomers_create(Isomers **isomers, const Topology *topology, int keep, int owners, Error *error);
void isomers_free(Isomers *isomers);

int isomers_number(const Isomers *isomers);
Isomer isomers_at(const Isomers *isomers, int i); /* lowest first */

/* Whether one of this energy would be kept: there is room, or it is lower than the highest. */
bool isomers_wants(const Isomers *isomers, double energy);

/* The number of the isomer that x is, or -1. */
int isomers_find(Isomers *isomers, double energy, const double *x);

/* Where number i is kept: its place stays the same as long as it is known. */
int isomers_place(const Isomers *isomers, int i);

/* Counts x as one that is known, or keeps it as another one, if it is low enough: the highest then makes
 * room. Returns its number, or -1. */
int isomers_add(Isomers *isomers, double energy, int owner, int64_t count, const double *x);

/* Adds all of another's, whose owners are number `first` and following here. */
void isomers_merge(Isomers *into, const Isomers *from, int first);

/* Lists all that changes. */
void isomers_chunks(Isomers *isomers, ChunkList *list);

#endif
