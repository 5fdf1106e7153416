/* The files that a run of a cluster or a box writes while it steps. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_RUN_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_RUN_H

#include "simulation/molecules/selection.h"
#include "simulation/run/record.h"

/* A trajectory: frames of `count` replicas in turn, beginning with number `first` of those with frames. */
typedef struct Track {
  const Run *run;
  int first, count;
  int64_t every; /* steps */
  const Selection *of;
  char name[64];
  bool warned; /* that a frame was omitted */
} Track;

/* Run.own. */
typedef struct WaterRun {
  Frame frame, part; /* of all molecules; of the selected atoms */
  Track *track;      /* trajectories */
  Selection selection[TRAJECTORY_FORMATS];
} WaterRun;

static inline WaterRun *water_run(const Run *run) { return run->own; }

/* Functions of the rows of sorts (sort.h). leave: writes the last structure. */
extern const RecordForm water_run_cluster, water_run_box;
bool water_run_progress(const Run *run, char *words, size_t size);
void water_run_log_start(const Run *run);
Status water_run_keep_start(const Run *run, Error *error);
Status water_run_leave(Run *run, Status status, Error *error);

#endif
