/* The memory of velocity autocorrelations: vacf.c takes samples, of replicas in lanes vacf_lanes.c;
 * vacf_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_VACF_PRIVATE_H
#define HOLONOM_OBSERVABLES_VACF_PRIVATE_H

#include "observables/observable.h"

enum { VACF_ORIGINS = 32 };

/* One correlation function: of a kind's centres of mass, or of its sites of one name. */
typedef struct VacfSeries {
  int block, centre; /* centre: 1 */
  const char *site;  /* name, borrowed from the kind; NULL for centres */
  int count;         /* sites of that name in a molecule, or 1          */
  char label[40];    /* "water", "water_O"                              */
} VacfSeries;

/* Plain numbers that go into checkpoints. */
typedef struct VacfClock {
  int64_t n; /* samples so far */
  double time;
  double length[3]; /* of the box, sums over samples */
  int64_t oblique;  /* samples of which the box was  */
} VacfClock;

/* Sums over one part of one block's molecules. */
typedef struct VacfSlice {
  double momentum[3];
} VacfSlice;

/* Sums of v.v0 of one series, by the parts of its block's molecules and by origin. */
typedef double VacfSums[OBSERVABLE_SLICES][VACF_ORIGINS];

/* Replicas eight by eight, each a series of its own. */
typedef struct VacfLanes {
  int replicas, nbatch, groups; /* of 8 lanes in a batch                                             */
  int64_t *n;                   /* [nbatch] samples so far                                           */
  Vec8 *now;                    /* [nbatch][groups][size] as Vacf's, of 8 replicas                   */
  Vec8 *origin;                 /* [nbatch][groups][norigin][size]                                   */
  Vec8 *sum;                    /* [nbatch][groups][nseries][nlag] of v.v0, means over the molecules */
} VacfLanes;

typedef struct Vacf {
  Observable is; /* rows: [nseries][nlag] sums, [nlag] origins */
  double ps;     /* of a unit of time; in reduced units, which are written as they are, 1 */
  int dim;
  int nblock, *nsite;    /* [nblock] */
  const Kind **kind;     /* [nblock] borrowed, as the sites' names are */
  int *taken;            /* [nblock] molecules looked at, evenly from all                        */
  double all_mass, drag; /* drag: diffusion_drag */
  int drift;             /* 1: the motion of the centre of everything is left in                       */
  int nseries;
  VacfSeries *series; /* [nseries] */
  int nlag;           /* lags of 0 to nlag - 1 samples                                              */
  int every;          /* samples between origins                                                    */
  int norigin;        /* kept at a time                                                             */
  size_t size;    /* doubles of a snapshot: of each molecule taken its sites' velocities, then its centre's */
  double *now;    /* [size]                                                                     */
  double *origin; /* [norigin][size]                                                           */
  VacfSlice *slice; /* [nblock][OBSERVABLE_SLICES]                                                */
  VacfSums *sum;    /* [nseries] of this sample */
  double mean[3];   /* velocity of everything in this sample */
  VacfClock *clock;
  VacfLanes lanes;           /* nbatch 0: frames of one system, not replicas in lanes */
  double *in, *out, *weight; /* [nlag] of the cosine transform, and of its window */
  struct fftw_plan_s *plan;
} Vacf;

/* Samples since the origin in this place was one, as sample n comes; -1 if there is none yet. */
int64_t vacf_origin_age(const Vacf *v, int64_t n, int place);

/* Whether the velocity in place s of a molecule's snapshot, its sites' and then its centre's, is the series'.
 */
bool vacf_series_has(const VacfSeries *series, const Kind *kind, size_t s);

/* Where the molecules of block b begin in a snapshot. */
size_t vacf_block_start(const Vacf *v, int b);

/* Of replicas in lanes: memory; of the row. */
void vacf_lanes_create(Vacf *v);
void vacf_lanes_add(void *self, const Sample *sample, const ObservableLanes *lanes);
Status vacf_lanes_gather(const void *self, BlockRows **rows, Error *error);

/* What results want beside sums; of the row. */
Status vacf_result_create(Vacf *v, Error *error);
void vacf_result_free(void *self);
double vacf_result_shortest(const void *self);
void vacf_result_evaluate(const void *self, const double *sum, double n, double *out);
Status vacf_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status vacf_result_draw(const void *self, const ObservableResult *result, const char *dir,
                        const ResultSet *set, Error *why);

#endif
