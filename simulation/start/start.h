/* Start configurations of a cluster: the lowest minimum that a search finds, large clusters cooled from a
 * warm drop, a bare lattice with random orientations, or molecules read from a file.
 *
 * Up to 20 molecules by basin hopping (minima.h), which at equal cost ends lower than annealing and up to 12
 * molecules finds the lowest minimum: a search is a walker's way from molecules at random until it has found
 * nothing lower for long; all end where 16 have ended, as many are under way, and six or more have come to
 * the lowest. Which minimum it is, energy and distances decide, not bits, so that seed, instruction set, team
 * and compiler change where the molecules lie and not the basin. Larger clusters are annealed by our own
 * engine (BAOAB, SETTLE, the lowest of several quenches). */
#ifndef HOLONOM_SIMULATION_START_START_H
#define HOLONOM_SIMULATION_START_START_H

#include <stdbool.h>

#include "engine/flag.h"
#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/water.h"

/* How far a start is: what is done, steps done and in all, and words on how things are. */
typedef void StartShow(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

typedef struct StartOptions {
  const WaterModel *model;
  const Kind *kind;
  int nmol;
  double spacing; /* of the lattice, A                         */
  bool anneal;    /* look for a low start: by basin hopping up to START_HOPPED molecules, else by annealing */
  bool thorough;  /* hop on until the lowest minimum is found, however short the run */
  bool minimise;
  uint64_t seed;
  double work; /* pairs of molecules that the run will compute: beyond START_SURE molecules a start takes some
                * ten times that at most, and a second or two at least; 0: as much as ever is of use */
  int threads;
  Isa isa;
  StartShow *show; /* NULL: silent */
  void *watcher;
  const Flag *stop; /* raised: end with STATUS_RUN, soon; NULL: never */
} StartOptions;

/* Up to so many molecules the start is the lowest minimum, whatever seed, machine and run; it is looked for
 * by basin hopping. At equal cost hopping ends lower than annealing up to START_HOPPED (docs/minima.md). */
enum { START_SURE = 12, START_HOPPED = 20, START_THOROUGH = 30 /* with `thorough` */ };

typedef struct StartReport {
  double energy;    /* of the configuration returned, kcal/mol                     */
  double force;     /* its largest force along the manifold, kcal/mol/A            */
  int replicas;     /* annealed; or searches by hopping                            */
  int same;         /* of those, how many came to the lowest                       */
  int steps;        /* of annealing, each                                          */
  int64_t quenches; /* of hopping */
  int converged;    /* the minimisation met its tolerance                          */
} StartReport;

typedef enum StartWay { START_LATTICE, START_HOPPING, START_ANNEALING } StartWay;

/* What is done for a built start. */
typedef struct StartEffort {
  StartWay way;
  int replicas, steps; /* annealed; in each stage of STAGES */
  int64_t evaluations; /* of forces while hopping, at most; 0: until the lowest minimum is found */
} StartEffort;
StartEffort start_effort(const StartOptions *options);

/* Builds x[nmol][3][3] (O, H, H), centre of mass at the origin. The same options give the same bits, for any
 * number of threads.
 * Errors: STATUS_MEMORY, STATUS_RUN (forces that are not numbers). */
Status start_build(const StartOptions *options, double *x, StartReport *report, Error *error);

/* The centre of mass of x[nmol][nsite][3]; and all moved, so that it is the origin. */
void start_centre(const Kind *kind, int nmol, const double *x, double at[3]);
void start_to_centre(const Kind *kind, int nmol, double *x);

#endif
