/* Data of velocity autocorrelations, shared by vacf.c (sampling), vacf_lanes.c (sampling of replicas in
 * lanes) and vacf_result.c (evaluation). */
#ifndef HOLONOM_OBSERVABLES_VACF_PRIVATE_H
#define HOLONOM_OBSERVABLES_VACF_PRIVATE_H

#include "observables/observable.h"

enum { VACF_ORIGINS = 32 };

/* One correlation function: of the centres of mass of a kind, or of its sites of one name. */
typedef struct VacfSeries {
  int block, centre; /* centre: 1 */
  const char *site;  /* name, borrowed from the kind; NULL: centres */
  int count;         /* sites of that name in a molecule, or 1          */
  char label[48];    /* such as "water" or "water_O" */
} VacfSeries;

/* Data for checkpoints. */
typedef struct VacfClock {
  int64_t n; /* samples so far */
  double time;
  double length[3]; /* of the box, summed over samples */
  int64_t oblique;  /* number of samples with an oblique box */
} VacfClock;

/* Sums over one part of a block's molecules. */
typedef struct VacfSlice {
  double momentum[3];
} VacfSlice;

/* Sums of v.v0 of one series, by parts of its block's molecules and by origin. */
typedef double VacfSums[OBSERVABLE_SLICES][VACF_ORIGINS];

/* Replicas in packs of eight, each a series of its own. */
typedef struct VacfLanes {
  int replicas, nbatch, groups; /* groups: packs of a batch */
  int64_t *n;                   /* [nbatch] samples so far                                           */
  Vec8 *now;                    /* [nbatch][groups][size] as Vacf.now, of 8 replicas */
  Vec8 *origin;                 /* [nbatch][groups][norigin][size]                                   */
  Vec8 *sum;                    /* [nbatch][groups][nseries][nlag] of v.v0, averaged over the molecules */
} VacfLanes;

typedef struct Vacf {
  Observable is; /* rows: [nseries][nlag] sums, [nlag] origins */
  double ps;     /* ps per unit of time; 1 in reduced units */
  int dim;
  int nblock, *nsite;    /* [nblock] */
  const Kind **kind;     /* [nblock] borrowed, as are the names of sites */
  int *taken;            /* [nblock] number of sampled molecules, evenly spaced */
  double all_mass, drag; /* drag: diffusion_drag */
  int drift;             /* 1: velocities include the motion of the system's centre of mass */
  int nseries;
  VacfSeries *series; /* [nseries] */
  int nlag;           /* lags of 0 to nlag - 1 samples                                              */
  int every;          /* samples between origins                                                    */
  int norigin;        /* number of origins in memory */
  size_t size;    /* doubles in a snapshot: for each sampled molecule the velocities of its sites, then of its
                     centre */
  double *now;    /* [size]                                                                     */
  double *origin; /* [norigin][size]                                                           */
  VacfSlice *slice; /* [nblock][OBSERVABLE_SLICES]                                                */
  VacfSums *sum;    /* [nseries] of the current sample */
  double mean[3];   /* velocity of the system's centre of mass in the current sample */
  VacfClock *clock;
  VacfLanes lanes;           /* nbatch 0: frames of one system, not replicas in lanes */
  double *in, *out, *weight; /* [nlag] of the cosine transform, and its window */
  struct fftw_plan_s *plan;
} Vacf;

/* Whether velocity s of a molecule's snapshot (those of its sites, then of its centre) is part of the
 * series. */
bool vacf_series_has(const VacfSeries *series, const Kind *kind, size_t s);

/* The index of block b's first number in a snapshot. */
size_t vacf_block_start(const Vacf *v, int b);

/* Memory and functions of the row for replicas in lanes. */
void vacf_lanes_create(Vacf *v);
void vacf_lanes_add(void *self, const Sample *sample, const ObservableLanes *lanes);
Status vacf_lanes_gather(const void *self, BlockRows **rows, Error *error);

/* Memory for results in addition to sums, and functions of the row. */
Status vacf_result_create(Vacf *v, Error *error);
void vacf_result_free(void *self);
double vacf_result_shortest(const void *self);
void vacf_result_evaluate(const void *self, const double *sum, double n, double *out);
Status vacf_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status vacf_result_draw(const void *self, const ObservableResult *result, const char *dir,
                        const ResultSet *set, Error *why);

#endif
