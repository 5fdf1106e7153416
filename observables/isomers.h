/* Isomers of a cluster: minima distinguished by energy and by sorted distances between sites in different
 * rigid parts. For each pair of molecule types the distances of first sites are compared, then those of all
 * sites. Numbering of molecules of one type and of equal atoms, position, orientation and mirror images do
 * not matter. */
#ifndef HOLONOM_OBSERVABLES_ISOMERS_H
#define HOLONOM_OBSERVABLES_ISOMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"
#include "engine/force.h"
#include "topology/topology.h"

/* Tolerances within which minima are equal: kcal/mol, and A in each of the sorted distances. */
#define ISOMERS_ENERGY   1e-3
#define ISOMERS_DISTANCE 0.05

typedef struct Isomer {
  double energy;        /* kcal/mol                    */
  const int64_t *count; /* [owners] times that each owner has found it */
  int64_t all;          /* their sum                   */
  const double *x;      /* [natom][3] in the order of molecules */
} Isomer;

/* A system in open space whose minima are searched: its topology, and a function that creates its forces in
 * double precision, for minimisation. */
typedef struct Landscape {
  const Topology *topology;
  Status (*field)(const void *system, const State *state, ForceField *field, Error *error);
  const void *system; /* for `field` */
} Landscape;

typedef struct Isomers Isomers;

/* Creates a list of the `keep` lowest minima of a cluster, counted for each owner (replica, walker). A
 * minimum in the list at the end has been counted from the start, since one that is removed is never among
 * the lowest again. STATUS_MEMORY. */
Status isomers_create(Isomers **isomers, const Topology *topology, int keep, int owners, Error *error);
void isomers_free(Isomers *isomers);

int isomers_number(const Isomers *isomers);
Isomer isomers_at(const Isomers *isomers, int i); /* lowest first */

/* Whether a minimum of this energy would enter the list: it is not full, or the highest energy is higher. */
bool isomers_wants(const Isomers *isomers, double energy);

/* The number of the isomer with configuration x, or -1. */
int isomers_find(Isomers *isomers, double energy, const double *x);

/* The storage place of isomer i, which does not change while it is in the list. */
int isomers_place(const Isomers *isomers, int i);

/* Counts x if it is in the list, otherwise adds it if it is low enough, in place of the highest. Returns its
 * number, or -1. */
int isomers_add(Isomers *isomers, double energy, int owner, int64_t count, const double *x);

/* Adds all isomers of another list, whose owners get the numbers from `first` on. */
void isomers_merge(Isomers *into, const Isomers *from, int first);

/* Lists all data that change. */
void isomers_chunks(Isomers *isomers, ChunkList *list);

#endif
