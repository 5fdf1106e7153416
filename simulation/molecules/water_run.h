/* What a run of a cluster or a box measures and writes as it goes. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_RUN_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_RUN_H

#include "simulation/molecules/selection.h"
#include "simulation/run/record.h"

/* A trajectory: frames of `count` replicas in turn, from the first of those whose frames are taken on. */
typedef struct Track {
  const Run *run;
  int first, count;
  int64_t every; /* steps */
  const Selection *of;
  char name[64];
  bool warned; /* that a frame was left out */
} Track;

/* Run.own */
typedef struct WaterRun {
  Frame frame, part; /* of trajectories: of all molecules, and of those that are selected */
  Track *track;      /* those */
  Selection selection[TRAJECTORY_FORMATS];
} WaterRun;

static inline WaterRun *water_run(const Run *run) { return run->own; }

/* For the rows of sorts: sort.h. finals: the files of the last structure. */
extern const RecordForm water_run_cluster, water_run_box;
bool water_run_progress(const Run *run, char *words, size_t size);
void water_run_log_start(const Run *run);
Status water_run_keep_start(const Run *run, Error *error);
Status water_run_leave(Run *run, Status status, Error *error);

#endif
