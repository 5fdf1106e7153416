/* Data of mean-square displacements, shared by msd.c (sampling) and msd_result.c (evaluation). */
#ifndef HOLONOM_OBSERVABLES_MSD_PRIVATE_H
#define HOLONOM_OBSERVABLES_MSD_PRIVATE_H

#include "observables/observable.h"

enum { MSD_SLOTS = 16, MSD_RATIO = 8, MSD_LEVELS = 12 };

/* Data for checkpoints. */
typedef struct MsdClock {
  int64_t n; /* samples so far */
  double time;
  double drift[3]; /* displacement of the centre of mass of all molecules */
  Box box;         /* at the last sample */
} MsdClock;

/* The sums of one part of the points of a series in a sample. */
typedef struct MsdSlice {
  double moved[3]; /* sum of m dx                                       */
  int lost;        /* 1 + the point that moved too far; 0: none */
  double farthest; /* its step over the length of the box, or over the least distance of images */
  double sum[MSD_LEVELS * MSD_SLOTS]; /* squared displacements, by lag */
} MsdSlice;

/* The points of an average: the centres of the molecules of a kind. In open space, for a single molecule or a
 * system of sites: its centre, or its sites of one name. */
typedef struct MsdSeries {
  char name[40];
  const char *site; /* borrowed from the kind; NULL: centres */
  int n;
  size_t start; /* index of the first point in arrays of all points */
  double mass;  /* of a point                    */
} MsdSeries;

/* Results of each series in addition to its curve: D (slope/6 in three dimensions) in A^2/ps, the intercept
 * in A^2, and the excess of D in the later half of the fit window (in its logarithm) over the earlier
 * half. */
enum { MSD_D, MSD_INTERCEPT, MSD_CHANGE, MSD_FITS };

typedef struct Msd {
  Observable is; /* rows: [nseries][nlag] sums, [nlag] origins, 3 box lengths */
  double ps;     /* ps per unit of time; 1 in reduced units */
  int dim, nseries, total;
  MsdSeries *series;     /* [nseries] */
  double all_mass, drag; /* drag: diffusion_drag */
  int drift;             /* 1: displacements include drift */
  int nlevel, nlag;
  int64_t stride[MSD_LEVELS]; /* MSD_RATIO^level                               */
  int first_slot[MSD_LEVELS], last_slot[MSD_LEVELS],
      first_lag[MSD_LEVELS]; /* lags first_slot..last_slot of a level have indices from first_lag on */
  int64_t lag[MSD_LEVELS * MSD_SLOTS]; /* in samples */
  int replicas, nbatch;   /* replicas: in lanes, each with displacements of its own; or 1 and 1 */
  MsdClock *clock;        /* [replicas] */
  double *place;          /* [replicas][2][total][3] positions, and displacements since the first sample */
  double *ring;           /* [replicas][nlevel][MSD_SLOTS][total][3] displacements less drift */
  double *scratch;        /* [nbatch][2][total][3] positions of the sample, and their steps */
  double *sample;         /* [nbatch] for lanes: one replica's sample, `room` numbers */
  ObservableBlock *block; /* [nbatch][nblock] for lanes */
  size_t room;
  MsdSlice *slice; /* [nbatch][nseries][OBSERVABLE_SLICES] */
} Msd;

/* Functions of the row. */
double msd_result_shortest(const void *self);
void msd_result_evaluate(const void *self, const double *sum, double n, double *out);
Status msd_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status msd_result_draw(const void *self, const ObservableResult *result, const char *dir,
                       const ResultSet *set, Error *why);

#endif
