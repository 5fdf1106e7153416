/* Start configurations of a cluster: a lattice with random orientations, annealed and minimised as rigid
 * bodies, or molecules read from a file. */
#ifndef HOLONOM_SIMULATION_START_H
#define HOLONOM_SIMULATION_START_H

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
  double spacing; /* of the lattice, A                                          */
  bool anneal;    /* cool many replicas from a warm liquid, keep the lowest     */
  bool minimise;
  bool as_it_is; /* start_adopt: bonds are left as they are, under penalties */
  bool centre;   /* start_adopt: the centre of mass is moved to the origin */
  uint64_t seed;
  double work; /* pairs of molecules that the run will compute: annealing takes some ten times that at most,
                * and a second or two at least; 0: as much as ever is of use */
  int threads;
  Isa isa;
  StartShow *show; /* NULL: silent */
  void *watcher;
  const Flag *stop; /* raised: end with STATUS_RUN, soon; NULL: never */
} StartOptions;

typedef struct StartReport {
  double energy; /* of the configuration returned, kcal/mol                     */
  double force;  /* its largest force along the manifold, kcal/mol/A            */
  int replicas;  /* annealed                                                    */
  int same;      /* of those, how many ended within 0.01 kcal/mol of the lowest */
  int steps;     /* of annealing, each                                          */
  int converged; /* the minimisation met its tolerance                          */
} StartReport;

/* How many replicas are annealed, for how many steps each stage of STAGES; replicas 0: none. */
typedef struct StartEffort {
  int replicas, steps;
} StartEffort;
StartEffort start_effort(const StartOptions *options);

/* Energy and largest force of x. */
Status start_look(const StartOptions *options, double *x, StartReport *report, Error *error);

/* Builds x[nmol][3][3] (O, H, H), centre of mass at the origin. The same options give the same bits.
 * Errors: STATUS_MEMORY, STATUS_RUN (forces that are not numbers). */
Status start_build(const StartOptions *options, double *x, StartReport *report, Error *error);

/* Takes x as read from a file: puts each molecule on its rigid geometry (oxygen, bisector and plane kept)
 * unless it is to stay as it is, minimises and moves the centre of mass to the origin if asked. largest =
 * how far a site moved to get rigid, or would have, A. Errors: STATUS_INPUT (a molecule without a plane,
 * molecules that overlap), as start_build. */
Status start_adopt(const StartOptions *options, double *x, double *largest, StartReport *report,
                   Error *error);

/* Puts x[nmol][3][3], waters, on their rigid geometry as start_adopt does; as_it_is: only says how far off
 * they are. */
Status start_rigid(const Kind *kind, int nmol, bool as_it_is, double *x, double *largest, Error *error);

/* The centre of mass of x[nmol][3][3], waters. */
void start_centre(const Kind *kind, int nmol, const double *x, double at[3]);

#endif
