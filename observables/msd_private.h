/* The memory of mean-square displacements: msd.c takes samples, msd_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_MSD_PRIVATE_H
#define HOLONOM_OBSERVABLES_MSD_PRIVATE_H

#include "observables/block_rows.h"
#include "observables/observable.h"

enum { MSD_SLOTS = 16, MSD_RATIO = 8, MSD_LEVELS = 12 };

/* Plain numbers that go into checkpoints. */
typedef struct MsdClock {
  int64_t n; /* samples so far */
  double time;
  double drift[3]; /* displacement of the centre of all molecules */
} MsdClock;

/* What one part of one block's molecules adds up to in a sample. */
typedef struct MsdPart {
  double moved[3];                    /* sum of m dx                                       */
  int lost;                           /* 1 + the molecule that moved too far, 0: none       */
  double farthest;                    /* its step over the length of the box               */
  double sum[MSD_LEVELS * MSD_SLOTS]; /* of squared displacements, by lag */
} MsdPart;

typedef struct Msd {
  ObservableOptions options;
  int nblock, nmol[OBSERVABLE_BLOCKS], total;
  char name[OBSERVABLE_BLOCKS][24];
  double mass[OBSERVABLE_BLOCKS], all_mass; /* of a molecule, of everything */
  int drift;                                /* 1: left in */
  int nlevel, nlag;
  int64_t stride[MSD_LEVELS]; /* MSD_RATIO^level                               */
  int first_slot[MSD_LEVELS],
      first_lag[MSD_LEVELS];           /* lags first_slot..MSD_SLOTS of a level from index first_lag on */
  int64_t lag[MSD_LEVELS * MSD_SLOTS]; /* in samples */
  /* [total][3] */
  double *last; /* centres of mass as given                 */
  double *path; /* their displacements since the first sample */
  double *next, *step;
  double *ring;  /* [nlevel][MSD_SLOTS][total][3] of path less drift */
  MsdPart *part; /* [nblock][OBSERVABLE_PARTS] */
  MsdClock clock;
  BlockRows *rows; /* [nblock][nlag] sums, [nlag] origins, 3 box lengths */
  double *monitor; /* [nblock] */
} Msd;

/* The row's write. */
Status msd_result_write(void *self, const char *dir, ResultSet *report, Error *error);

#endif
