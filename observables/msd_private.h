/* The memory of mean-square displacements: msd.c takes samples, msd_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_MSD_PRIVATE_H
#define HOLONOM_OBSERVABLES_MSD_PRIVATE_H

#include "observables/observable.h"

enum { MSD_SLOTS = 16, MSD_RATIO = 8, MSD_LEVELS = 12 };

/* Plain numbers that go into checkpoints. */
typedef struct MsdClock {
  int64_t n; /* samples so far */
  double time;
  double drift[3]; /* displacement of the centre of all molecules */
  Box box;         /* then */
} MsdClock;

/* What one part of the points of one series adds up to in a sample. */
typedef struct MsdSlice {
  double moved[3]; /* sum of m dx                                       */
  int lost;        /* 1 + the point that moved too far, 0: none          */
  double farthest; /* its step over the length of the box, or the least distance of images          */
  double sum[MSD_LEVELS * MSD_SLOTS]; /* of squared displacements, by lag */
} MsdSlice;

/* Points that are averaged over: the centres of the molecules of a kind; or of one molecule in open space, or
 * a system of sites, its centre and then its sites of each name. */
typedef struct MsdSeries {
  char name[40];
  const char *site; /* borrowed from the kind; NULL: centres */
  int n;
  size_t start; /* of the first in arrays of all */
  double mass;  /* of a point                    */
} MsdSeries;

/* What of each series beside its curve: D, slope/6 of three dimensions, in A^2/ps, the intercept in A^2; and
 * by how much D is larger in the later half of the window (of its logarithm) than in the earlier one. */
enum { MSD_D, MSD_INTERCEPT, MSD_CHANGE, MSD_FITS };

typedef struct Msd {
  Observable is; /* rows: [nseries][nlag] sums, [nlag] origins, 3 box lengths */
  double ps;     /* of a unit of time; in reduced units, which are written as they are, 1 */
  int dim, nseries, total;
  MsdSeries *series;     /* [nseries] */
  double all_mass, drag; /* drag: diffusion_drag */
  int drift;             /* 1: left in */
  int nlevel, nlag;
  int64_t stride[MSD_LEVELS]; /* MSD_RATIO^level                               */
  int first_slot[MSD_LEVELS], last_slot[MSD_LEVELS],
      first_lag[MSD_LEVELS];           /* lags first_slot..last_slot of a level from index first_lag on */
  int64_t lag[MSD_LEVELS * MSD_SLOTS]; /* in samples */
  int replicas, nbatch;                /* side by side in lanes, each followed on its own; or 1 and 1 */
  MsdClock *clock;                     /* [replicas] */
  double *place;          /* [replicas][2][total][3] as given, and displacements since the first sample */
  double *ring;           /* [replicas][nlevel][MSD_SLOTS][total][3] of these less drift               */
  double *scratch;        /* [nbatch][2][total][3] the sample's places, and their steps                 */
  double *sample;         /* [nbatch] of lanes: one replica's sample, `room` numbers                    */
  ObservableBlock *block; /* [nbatch][nblock] likewise */
  size_t room;
  MsdSlice *slice; /* [nbatch][nseries][OBSERVABLE_SLICES] */
} Msd;

/* Of the row. */
double msd_result_shortest(const void *self);
void msd_result_evaluate(const void *self, const double *sum, double n, double *out);
Status msd_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status msd_result_draw(const void *self, const ObservableResult *result, const char *dir,
                       const ResultSet *set, Error *why);

#endif
