/* Finds the lowest minima of a cluster of any molecules by basin hopping of many walkers.
 *
 * Isomers (observables/isomers.h) are a bounded table of the lowest minima: a minimum that drops out is never
 * among the lowest again, so the counts of the others are complete. */
#ifndef HOLONOM_SIMULATION_START_MINIMA_H
#define HOLONOM_SIMULATION_START_MINIMA_H

#include "base/flag.h"
#include "base/progress.h"
#include "engine/force.h"
#include "engine/isa.h"
#include "observables/isomers.h"
#include "topology/topology.h"

enum { MINIMA_WALKERS = 16 };
#define MINIMA_COLD 150.0
#define MINIMA_HOT  600.0

/* Trial moves of each walker that usually suffice up to 20 molecules. */
static inline int64_t minima_steps(int64_t nmol) { return 100 + 25 * nmol * nmol; }

/* The cluster to search, with common options. */
typedef struct MinimaOf {
  Landscape on;
  uint64_t seed;
  int threads;
  Isa isa;
  ProgressShow *show; /* NULL: no output */
  void *watcher;
  const Flag *stop; /* once raised, the search ends soon with STATUS_RUN; NULL: never */
} MinimaOf;

typedef struct MinimaOptions {
  MinimaOf of;
  int64_t steps;       /* limit of trial moves of each walker */
  int walkers;         /* a multiple of LANES */
  double cold, hot;    /* temperatures of the walkers, in a geometric series, K */
  int keep;            /* number of minima to return */
  bool until_sure;     /* end once independent searches agree on the lowest minimum */
  int64_t evaluations; /* approximate limit of force evaluations; 0: no limit */
} MinimaOptions;

typedef struct MinimaReport {
  int64_t quenches, evaluations; /* evaluations: force evaluations of one replica */
  double force;                  /* the largest of the returned minima, kcal/mol/A */
  int searches, agree;           /* searches begun, and the number that reached the lowest minimum */
} MinimaReport;

/* Searches for minima. *isomers: the lowest distinct minima found, with centres of mass at the origin, and
 * the number of times that walkers reached each; the result does not depend on threads. A walker starts from
 * random molecules, quenches each trial move, and accepts the new minimum by the Metropolis rule. A walker
 * that has long found no lower minimum begins a new search. Errors: STATUS_MEMORY, STATUS_RUN. Source: Wales
 * & Doye, J. Phys. Chem. A 101, 5111 (1997). */
Status minima_search(const MinimaOptions *options, Isomers **isomers, MinimaReport *report, Error *error);

#endif
