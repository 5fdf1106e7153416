/* The lowest minima of a cluster of any molecules: basin hopping of many walkers side by side.
 *
 * Isomers (observables/isomers.h) are the lowest minima of a table that makes room: what drops out is never
 * among the lowest again, so that counts of those that stay are whole. */
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

/* Trial moves of each walker that are enough in most cases up to 20 molecules. */
static inline int64_t minima_steps(int64_t nmol) { return 100 + 25 * nmol * nmol; }

/* Of which cluster a low configuration is looked for, how, and who watches. */
typedef struct MinimaOf {
  Landscape on;
  uint64_t seed;
  int threads;
  Isa isa;
  ProgressShow *show; /* NULL: silent */
  void *watcher;
  const Flag *stop; /* raised: end with STATUS_RUN, soon; NULL: never */
} MinimaOf;

typedef struct MinimaOptions {
  MinimaOf of;
  int64_t steps;       /* trial moves of each walker, at most                   */
  int walkers;         /* a multiple of LANES                                   */
  double cold, hot;    /* temperatures of the walkers, in a geometric series, K */
  int keep;            /* minima wanted                                         */
  bool until_sure;     /* end as soon as independent searches agree on the lowest    */
  int64_t evaluations; /* of forces, some: enough then; 0: as many as it takes       */
} MinimaOptions;

typedef struct MinimaReport {
  int64_t quenches, evaluations; /* of forces of one replica */
  double force;                  /* the largest of all that are kept, kcal/mol/A */
  int searches, agree;           /* begun from molecules at random; of those, how many came to the lowest */
} MinimaReport;

/* *isomers: the lowest distinct minima that were found, centres of mass at the origin; counts are how often
 * walkers came there. A function of the options but for threads. Each walker starts from molecules at random,
 * quenches every trial move, and takes the new minimum by Metropolis' rule; one that has long found nothing
 * lower starts anew: a search of its own. Errors: STATUS_MEMORY, STATUS_RUN. Source: Wales & Doye, J. Phys.
 * Chem. A 101, 5111 (1997). */
Status minima_search(const MinimaOptions *options, Isomers **isomers, MinimaReport *report, Error *error);

#endif
