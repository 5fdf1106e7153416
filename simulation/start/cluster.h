/* Builds start configurations of clusters: the lowest minimum that a search finds, large clusters annealed
 * from a warm drop, or an unoptimised arrangement. A start is saved in the run's folder for reuse by other
 * runs of the same system.
 *
 * Up to 20 molecules are searched by basin hopping (minima.h), which at equal cost ends lower than annealing
 * and up to 12 molecules finds the lowest minimum. Each search starts from random molecules and ends when its
 * walker has long found no lower minimum. All end once 16 searches have ended, as many are running, and six
 * or more have reached the lowest minimum. Minima are identified by energy and distances, so seed,
 * instruction set, threads and compiler may change positions but not the basin. Larger clusters of rigid
 * waters and atoms are annealed (BAOAB, SETTLE, the lowest of several quenches). Other molecules are searched
 * up to CLUSTER_THOROUGH, as long as the run allows. */
#ifndef HOLONOM_SIMULATION_START_CLUSTER_H
#define HOLONOM_SIMULATION_START_CLUSTER_H

#include "simulation/start/minima.h"

typedef struct ClusterOptions {
  MinimaOf of;
  const char *name; /* of the water model or the molecules file, for the recipe */
  uint64_t digest;  /* of the molecules; 0: name and masses define them */
  double spacing;   /* of the lattice of waters, A */
  bool anneal;      /* optimise: basin hopping up to CLUSTER_HOPPED molecules, else annealing */
  bool thorough;    /* hop until the lowest minimum is found, even for a short run */
  bool minimise;
  double work; /* pairs of molecules that the run will compute: above CLUSTER_SURE a start costs at most ten
                  times that, but at least a second or two; 0: no limit */
} ClusterOptions;

/* Up to CLUSTER_SURE molecules the start is the lowest minimum for any seed, machine and run, found by basin
 * hopping. At equal cost hopping ends lower than annealing up to CLUSTER_HOPPED (docs/minima.md). */
enum { CLUSTER_SURE = 12, CLUSTER_HOPPED = 20, CLUSTER_THOROUGH = 30 /* with `thorough` */ };

typedef struct ClusterReport {
  double energy;    /* of the start, kcal/mol */
  double force;     /* its largest force along the manifold, kcal/mol/A */
  int replicas;     /* annealed replicas, or searches */
  int same;         /* number of these that reached the lowest minimum */
  int steps;        /* annealing steps of each */
  int64_t quenches; /* of basin hopping */
  int converged;    /* the minimisation reached its tolerance */
} ClusterReport;

typedef enum ClusterWay { CLUSTER_LATTICE, CLUSTER_HOPPING, CLUSTER_ANNEALING } ClusterWay;

/* The work on a built start. */
typedef struct ClusterEffort {
  ClusterWay way;
  int replicas, steps; /* annealed replicas; steps in each of STAGES */
  int64_t evaluations; /* limit of force evaluations while hopping; 0: until the lowest minimum is found */
} ClusterEffort;
ClusterEffort cluster_effort(const ClusterOptions *options);

/* Whether large clusters of these molecules are annealed: rigid waters and single atoms are. */
bool cluster_anneals(const Topology *topology);

/* The initial arrangement, in words: on a lattice, or at random. */
const char *cluster_begins(const ClusterOptions *options);

/* Builds x[natom][3], ordered by molecule, with the centre of mass at the origin. The same options give the
 * same bits for any number of threads. Errors: STATUS_MEMORY; STATUS_RUN: a force is not finite. */
Status cluster_build(const ClusterOptions *options, double *x, ClusterReport *report, Error *error);

/* The file of a built start in a run's folder. */
#define CLUSTER_KEPT "built-start.xyz"

/* Writes the start to dir. */
Status cluster_keep(const ClusterOptions *options, const double *x, const char *dir, Error *error);

/* Reads a start from a folder or file, to the bit, if it was built from the same system section with the same
 * effort, program and instruction set. STATUS_INPUT with the reason: there is no start, or it does not
 * fit. */
Status cluster_read(const ClusterOptions *options, const char *from, double *x, Error *error);

#endif
