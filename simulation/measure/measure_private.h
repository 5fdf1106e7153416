/* What measurements consist of. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEASURE_PRIVATE_H
#define HOLONOM_SIMULATION_MEASURE_MEASURE_PRIVATE_H

#include "observables/exact_sum.h"
#include "observables/statistics.h"
#include "simulation/ladder/mixing.h"
#include "simulation/measure/measure.h"

/* Samples, frames and multipliers that fit between two flushes. */
enum { ROWS = 32, FRAMES = 16, MULTIPLIERS = 4096, LEAST = 2 };
/* Numbers that what is buffered of a large system may have. */
enum { BUFFER_NUMBERS = 1 << 23 };

/* One batch's rows since the last flush; written by one thread. */
typedef struct Rows {
  int n;
  int64_t step[ROWS];
  int nframe; /* of those of its replicas whose frames are wanted */
  int64_t frame_step[FRAMES];
  double *value; /* [rows_most][width][ncol]             */
  double *now;   /* [width][ncol] at the present step    */
  Snapshot snapshot;
} Rows;

struct Recorder {
  RecorderOptions options;
  const Measurement *measurement;
  int ncol; /* of rows: all, or those that are shown  */
  int width, replicas;
  int base, nbatch;                             /* the first batch in memory, how many are             */
  size_t frame_size;                            /* coordinates of a replica                           */
  size_t frame_room, frame_box;                 /* numbers in a frame, and where a box begins in it   */
  bool boxed;                                   /* there is one                                       */
  int frame_first, frame_replicas;              /* the replicas in memory that they are of            */
  int rows_most, frames_most, multipliers_most; /* that the buffers have room for        */
  Rows *rows;                                   /* [nbatch]: measure_rows_of                        */
  int nrow;                                     /* that have been gathered                         */
  int64_t row_step[ROWS];
  int temperatures;       /* that rows are by */
  ExactSum *sum;          /* [rows_most][temperatures][ncol] of these; NULL: of one replica */
  Means means;            /* after equilibration; with a ladder of slots */
  EvaporationEvent *left; /* [replicas in memory] */
  Mixing *mixing;         /* after equilibration; NULL: not wanted */
  int nframe, nmultiplier;
  int frame_have[FRAMES]; /* of how many replicas */
  int64_t frame_step[FRAMES], *multiplier_step;
  double *frame, *multiplier; /* frame: [frames_most][replicas][positions; velocities, columns if wanted] */
  Error fault;                /* of a look by a team, for all of it */
  Status status;
};

/* Of Samples, in measure_records.c. */
void measure_records_pack(void *self, Bytes *records);
bool measure_records_unpack(void *self, const SampleRecord *record, const void *data);
bool measure_records_full(void *self);

static inline Rows *measure_rows_of(const Recorder *m, int batch) { return &m->rows[batch - m->base]; }

/* The place of a replica among those in memory. */
static inline size_t measure_place(const Recorder *m, int replica)
{
  return (size_t)(replica - m->base * m->width);
}

static inline double *measure_frame_at(const Recorder *m, int i, int replica)
{
  return m->frame +
         ((size_t)i * (size_t)m->frame_replicas + (size_t)(replica - m->frame_first)) * m->frame_room;
}

/* Replicas at work whose frames are wanted: from *first up to before *end; false: none. */
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
