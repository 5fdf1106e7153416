/* Reads trajectory files as a sequence of snapshots for observables: whole molecules by kind, with times
 * and, if present, velocities. An input file, or the names of atoms alone, identify the molecules. */
#ifndef HOLONOM_CMD_SNAPSHOTS_H
#define HOLONOM_CMD_SNAPSHOTS_H

#include <stdint.h>

#include "forcefields/water.h"
#include "observables/observable.h"
#include "simulation/simulation.h"

typedef struct SnapshotsOptions {
  const Simulation *system; /* identifies the atoms; NULL: water, ions and noble gases by name */
  const char *select;       /* selection of atoms in the files (observed.h), or NULL */
  const WaterModel *model;  /* NULL: no water */
  int nfile;
  char *const *file;
  const char *names; /* structure file naming the atoms of files without names (DCD, XTC); NULL: waters */
  Box box;           /* all 0: the files' boxes */
  double from, to;   /* ps; to 0: no limit */
  double interval;   /* ps between frames, replaces the files' times; 0: not given */
  int64_t every;     /* stride over the frames in that range */
} SnapshotsOptions;

typedef struct Snapshots Snapshots;

/* Opens the files, reads the first two snapshots and returns to the start. STATUS_INPUT with file and
 * frame: missing data; STATUS_IO, STATUS_MEMORY. */
Status snapshots_open(Snapshots **snapshots, const SnapshotsOptions *options, Error *error);
void snapshots_close(Snapshots *snapshots);

/* Whether the files contain the atoms that the chosen observables need. STATUS_INPUT. */
Status snapshots_check(const Snapshots *snapshots, const ObservableOptions *options, Error *error);

/* The first snapshot with kinds, charges, numbers and box, but positions NULL. */
const ObservableFrame *snapshots_shape(const Snapshots *snapshots);

/* AKMA time between the first two snapshots; 0: unknown, or only one snapshot. */
double snapshots_interval(const Snapshots *snapshots);

/* Whether the second snapshot has a different box. */
bool snapshots_breathe(const Snapshots *snapshots);

/* 1 if the first snapshot has velocities. */
int snapshots_velocities(const Snapshots *snapshots);

/* Reads the next snapshot; NULL after the last. Skips a frame whose time is not later than the previous
 * one, such as the first frame of a continuation file. */
Status snapshots_next(Snapshots *snapshots, const ObservableFrame **frame, Error *error);

/* A warning about the files; "": no warning. */
const char *snapshots_warning(const Snapshots *snapshots);

#endif
