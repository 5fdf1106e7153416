/* The system types (sorts): one row of data and functions for each. All differences between them are in these
 * rows.
 *
 * config/config_sorts.def has the part that the configuration needs: the key of the sort, its traits and its
 * own checks; keys are allowed by traits. Properties of a system (a periodic box, a partly filled last batch)
 * are not sorts. */
#ifndef HOLONOM_SIMULATION_SORT_H
#define HOLONOM_SIMULATION_SORT_H

#include "base/arena.h"
#include "base/text.h"
#include "config/config.h"
#include "forcefields/field.h"
#include "simulation/measure/measurement.h"

typedef struct Run Run;
typedef struct Simulation Simulation;
typedef struct SimulationStart SimulationStart;

/* One part of the report of `holonom check` about a simulation that is ready to run. */
typedef Status (*CheckLine)(Simulation *simulation, FILE *out, Error *error);

typedef struct Sort {
  const char *name;
  bool alone;       /* batches have one replica */
  const void *form; /* data of the functions below: SystemForm, MechanicsSort */
  /* Makes the group types, their numbers and the plan. simulation_free also frees the result of a failed
   * call. */
  Status (*create)(Simulation *simulation, Error *error);
  void (*free)(Simulation *simulation); /* frees `own`, which may be NULL */
  /* STATUS_INPUT unless the molecules that the input refers to exist; NULL: the input refers to none. */
  Status (*speaks)(Simulation *simulation, Error *error);
  /* Adds to the input of the forces, in addition to settings and the kinds' own potentials; NULL: nothing. */
  void (*field)(const Simulation *simulation, FieldInput *input);
  /* The start: finds it; judges whether the time step suits it (may be NULL); places all replicas of the
   * ensemble there, with their forces. */
  Status (*start)(Simulation *simulation, const SimulationStart *how, Error *error);
  Status (*judge)(const Simulation *simulation, Error *error);
  Status (*place)(Simulation *simulation, Error *error);
  /* May be NULL: projects a replica's coordinates and momenta onto constraints that involve both; messages
   * why forces do not exist and momenta cannot be drawn. */
  Status (*project)(const Simulation *simulation, double *q, double *p, Error *error);
  const char *no_forces, *no_draw;
  const CheckLine *check; /* the report of simulation_check, in order; ends with NULL */
  const MeasurementColumns *const
      *measurement; /* the measured columns of rows, frames and simulation_look; ends with NULL */
  const struct RecordForm *record;                            /* the files of a run: record.h */
  bool (*progress)(const Run *run, char *words, size_t size); /* words of progress; false: nothing new */
  /* May be NULL: log_start writes the start to the log; keep_start writes it to the folder; leave writes the
   * last structure, or the last good one after a fault, and returns status and message of the run. */
  void (*log_start)(const Run *run);
  Status (*keep_start)(const Run *run, Error *error);
  Status (*leave)(Run *run, Status status, Error *error);
  /* The sort's part of reports (report.h): the system and the results among the numbers of run->results; the
   * first closing words, with remarks on the terminal. */
  unsigned quantities; /* QUANTITY_CLUSTERS and so on */
  void (*system)(Run *run);
  Status (*summary)(Run *run, Error *error);
  void (*words)(const Run *run, char *words, size_t size);
} Sort;

#define SORT(name, row, ...) extern const Sort sort_##row;
#include "config/config_sorts.def"
#undef SORT

/* The row of a configuration. */
const Sort *sort_of(const Config *config);

#endif
