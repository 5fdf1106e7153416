/* Snapshots for observables from trajectory files, one after the other: molecules by kind, whole, with their
 * times, and velocities where the files have them; by an input file, or by names alone. */
#ifndef HOLONOM_CMD_SNAPSHOTS_H
#define HOLONOM_CMD_SNAPSHOTS_H

#include <stdint.h>

#include "forcefields/water.h"
#include "observables/observable.h"
#include "simulation/simulation.h"

typedef struct SnapshotsOptions {
  const Simulation *system; /* an input's, which says what the atoms are; NULL: water, ions and noble gases */
  const char *select;       /* of it: which atoms the files hold (observed.h), or NULL                      */
  const WaterModel *model;  /* NULL: no water                                                      */
  int nfile;
  char *const *file;
  const char *
      names; /* a structure file with the names of the atoms, for files without (DCD, XTC), or NULL: waters */
  Box box;   /* all 0: that of the files                                                 */
  double from, to; /* ps; to 0: the end                                                        */
  double interval; /* ps between frames, in place of the files' times; 0: theirs                */
  int64_t every;   /* every nth frame of those, from the first on                              */
} SnapshotsOptions;

typedef struct Snapshots Snapshots;

/* Looks at the first two snapshots and goes back to the start. STATUS_INPUT with file and frame: what the
 * files lack; STATUS_IO, STATUS_MEMORY. */
Status snapshots_open(Snapshots **snapshots, const SnapshotsOptions *options, Error *error);
void snapshots_close(Snapshots *snapshots);

/* Whether the files hold what the observables with a stride need, as far as a system's input says what they
 * are. STATUS_INPUT. */
Status snapshots_check(const Snapshots *snapshots, const ObservableOptions *options, Error *error);

/* The first snapshot: kinds, charges, numbers and box; positions NULL. */
const ObservableFrame *snapshots_shape(const Snapshots *snapshots);

/* AKMA time from the first snapshot to the second; 0: unknown, or there is only one. */
double snapshots_interval(const Snapshots *snapshots);

/* Whether the files' box is another one in the second snapshot. */
bool snapshots_breathe(const Snapshots *snapshots);

/* 1 if the first snapshot has velocities. */
int snapshots_velocities(const Snapshots *snapshots);

/* The next one, or NULL after the last. A frame that is not later than the one before (the first of a file
 * that goes on where another ended) is left out. */
Status snapshots_next(Snapshots *snapshots, const ObservableFrame **frame, Error *error);

/* What was odd in the files; "" if nothing. */
const char *snapshots_warning(const Snapshots *snapshots);

#endif
