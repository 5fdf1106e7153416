/* What measurements consist of. */
#ifndef HOLONOM_SIMULATION_MEASURE_PRIVATE_H
#define HOLONOM_SIMULATION_MEASURE_PRIVATE_H

#include "observables/exact_sum.h"
#include "observables/statistics.h"
#include "simulation/measure.h"

/* Samples, frames and multipliers that fit between two flushes. */
enum { ROWS = 32, FRAMES = 16, FRAMES_LEAST = 2, MULTIPLIERS = 4096 };
/* Numbers that the buffered frames of a large system may have. */
enum { FRAME_NUMBERS = 1 << 23 };
/* One gang's rows since the last flush; written by one thread. */
typedef struct Rows {
  int n;
  int64_t step[ROWS];
  int nframe; /* of those of its replicas whose frames are wanted */
  int64_t frame_step[FRAMES];
  double *value;         /* [ROWS][width][ncol]                                   */
  double *scratch;       /* what energies points to */
  WalkEnergies energies; /* of the last sample      */
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Octet (*packs)[9];     /* scratch of pressure_inside; NULL: not wanted */
  double inside[3][3];
} Rows;

struct Measure {
  MeasureOptions options;
  Columns columns;
  int nterm, width, ngang, replicas, freedom;
  size_t frame_size;               /* coordinates of a replica                           */
  size_t frame_room;               /* numbers in a frame                                 */
  int frames_most;                 /* that the buffer has room for                       */
  int frame_first, frame_replicas; /* the replicas that they are of      */
  int ncon;
  Rows *rows; /* [ngang]                                         */
  int nrow;   /* that have been gathered                         */
  int64_t row_step[ROWS];
  int temperatures;         /* that rows are by */
  ExactSum *sum;            /* [ROWS][temperatures][ncol] of these; NULL: of one replica */
  double *replica_sum;      /* [replicas][ncol]                                */
  int64_t samples;          /* of each replica, after equilibration            */
  StatisticsBlocks *blocks; /* [ncol] of the one replica's series; NULL if there are more */
  EvaporationEvent *left;   /* [replicas] */
  int nframe, nmultiplier;
  int64_t frame_step[FRAMES], *multiplier_step;
  double *frame, *multiplier; /* frame: [FRAMES][replicas][positions, velocities if wanted] */
};

#endif
