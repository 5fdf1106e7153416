/* The structs of a recorder, and functions that its source files share. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEASURE_PRIVATE_H
#define HOLONOM_SIMULATION_MEASURE_MEASURE_PRIVATE_H

#include "observables/exact_sum.h"
#include "observables/statistics.h"
#include "simulation/ladder/mixing.h"
#include "simulation/measure/measure.h"

/* Capacity for samples, frames and multipliers between two flushes. */
enum { ROWS = 32, FRAMES = 16, MULTIPLIERS = 4096, LEAST = 2 };
/* Limit of buffered numbers for a large system. */
enum { BUFFER_NUMBERS = 1 << 23 };

/* The rows of one batch since the last flush, written by one thread. */
typedef struct Rows {
  int n;
  int64_t step[ROWS];
  int nframe; /* frames of its requested replicas */
  int64_t frame_step[FRAMES];
  double *value; /* [rows_most][width][ncol] */
  double *now;   /* [width][ncol] at the present step */
  Snapshot snapshot;
} Rows;

struct Recorder {
  RecorderOptions options;
  const Measurement *measurement;
  int ncol; /* of rows: all, or the shown ones */
  int width, replicas;
  int base, nbatch;                             /* first batch in memory, and number */
  size_t frame_size;                            /* number of coordinates of a replica */
  size_t frame_room, frame_box;                 /* numbers in a frame, and index of its box */
  bool boxed;                                   /* frames have a box */
  int frame_first, frame_replicas;              /* replicas of frames that are in memory */
  int rows_most, frames_most, multipliers_most; /* capacities */
  Rows *rows;                                   /* [nbatch]: measure_rows_of */
  int nrow;                                     /* gathered rows */
  int64_t row_step[ROWS];
  int temperatures;       /* in each row */
  ExactSum *sum;          /* [rows_most][temperatures][ncol] of gathered rows; NULL: one replica */
  Means means;            /* after equilibration; by slot with a ladder */
  EvaporationEvent *left; /* [replicas in memory] */
  Mixing *mixing;         /* after equilibration; NULL: not requested */
  int nframe, nmultiplier;
  int frame_have[FRAMES]; /* number of replicas */
  int64_t frame_step[FRAMES], *multiplier_step;
  double *frame, *multiplier; /* frame: [frames_most][replicas][positions; velocities, columns if any] */
  Error fault;                /* of a team's snapshot, for all members */
  Status status;
};

/* Functions of Samples, in measure_records.c. */
void measure_records_pack(void *self, Bytes *records);
bool measure_records_unpack(void *self, const SampleRecord *record, const void *data);
bool measure_records_full(void *self);

static inline Rows *measure_rows_of(const Recorder *m, int batch) { return &m->rows[batch - m->base]; }

/* The index of a replica among those in memory. */
static inline size_t measure_place(const Recorder *m, int replica)
{
  return (size_t)(replica - m->base * m->width);
}

static inline double *measure_frame_at(const Recorder *m, int i, int replica)
{
  return m->frame +
         ((size_t)i * (size_t)m->frame_replicas + (size_t)(replica - m->frame_first)) * m->frame_room;
}

/* The active replicas with frames, *first to *end - 1; false: there are no such replicas. */
static inline bool measure_own_frames(const Recorder *m, int *first, int *end)
{
  const Ensemble *e = m->options.ensemble;
  const int from = ensemble_first(e) * m->width, to = ensemble_end(e) * m->width;
  const int wanted = m->frame_first + m->frame_replicas;
  *first = from > m->frame_first ? from : m->frame_first;
  *end = to < wanted ? to : wanted;
  return *first < *end;
}

#endif
