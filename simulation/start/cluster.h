/* Start configurations built for a cluster: the lowest minimum that a search finds, large clusters cooled
 * from a warm drop, waters on a bare lattice with random orientations and other molecules beside each other;
 * and kept in a run's folder, so that other runs
 * of the same system need not build them again.
 *
 * Up to 20 molecules by basin hopping (minima.h), which at equal cost ends lower than annealing and up to 12
 * molecules finds the lowest minimum: a search is a walker's way from molecules at random until it has found
 * nothing lower for long; all end where 16 have ended, as many are under way, and six or more have come to
 * the lowest. Which minimum it is, energy and distances decide, not bits, so that seed, instruction set, team
 * and compiler change where the molecules lie and not the basin. Larger clusters of rigid waters and atoms
 * are annealed by our own engine (BAOAB, SETTLE, the lowest of several quenches); of other molecules up to
 * CLUSTER_THOROUGH are searched, as long as the run allows. */
#ifndef HOLONOM_SIMULATION_START_CLUSTER_H
#define HOLONOM_SIMULATION_START_CLUSTER_H

#include "simulation/start/minima.h"

typedef struct ClusterOptions {
  MinimaOf of;
  const char *name; /* of the water model or the file of molecules, for what is kept */
  uint64_t digest;  /* of the molecules; 0: the name and the masses say all */
  double spacing;   /* of the lattice of waters, A               */
  bool anneal; /* look for a low start: by basin hopping up to CLUSTER_HOPPED molecules, else by annealing */
  bool thorough; /* hop on until the lowest minimum is found, however short the run */
  bool minimise;
  double work; /* pairs of molecules that the run will compute: beyond CLUSTER_SURE molecules a start takes
                * some ten times that at most, and a second or two at least; 0: as much as ever is of use */
} ClusterOptions;

/* Up to so many molecules the start is the lowest minimum, whatever seed, machine and run; it is looked for
 * by basin hopping. At equal cost hopping ends lower than annealing up to CLUSTER_HOPPED (docs/minima.md). */
enum { CLUSTER_SURE = 12, CLUSTER_HOPPED = 20, CLUSTER_THOROUGH = 30 /* with `thorough` */ };

typedef struct ClusterReport {
  double energy;    /* of the configuration returned, kcal/mol                     */
  double force;     /* its largest force along the manifold, kcal/mol/A            */
  int replicas;     /* annealed; or searches by hopping                            */
  int same;         /* of those, how many came to the lowest                       */
  int steps;        /* of annealing, each                                          */
  int64_t quenches; /* of hopping */
  int converged;    /* the minimisation met its tolerance                          */
} ClusterReport;

typedef enum ClusterWay { CLUSTER_LATTICE, CLUSTER_HOPPING, CLUSTER_ANNEALING } ClusterWay;

/* What is done for a built start. */
typedef struct ClusterEffort {
  ClusterWay way;
  int replicas, steps; /* annealed; in each stage of STAGES */
  int64_t evaluations; /* of forces while hopping, at most; 0: until the lowest minimum is found */
} ClusterEffort;
ClusterEffort cluster_effort(const ClusterOptions *options);

/* Whether large clusters of these molecules are annealed: those of rigid waters and single atoms. */
bool cluster_anneals(const Topology *topology);

/* Where annealing and minimising begin, in words: on a lattice, or at random. */
const char *cluster_begins(const ClusterOptions *options);

/* Builds x[natom][3] in the order of molecules, centre of mass at the origin. The same options give the same
 * bits, for any number of threads. Errors: STATUS_MEMORY, STATUS_RUN (forces that are not numbers). */
Status cluster_build(const ClusterOptions *options, double *x, ClusterReport *report, Error *error);

/* Such a start in the folder of a run. */
#define CLUSTER_KEPT "built-start.xyz"

/* Writes it there. */
Status cluster_keep(const ClusterOptions *options, const double *x, const char *dir, Error *error);

/* Reads it from there, or from such a file, to the bit, if it was built from the same system section with the
 * same effort, program and instruction set. STATUS_INPUT with the reason if there is none, or one that does
 * not fit. */
Status cluster_read(const ClusterOptions *options, const char *from, double *x, Error *error);

#endif
