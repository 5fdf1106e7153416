/* The sorts of systems. What differs between them is in these rows; nothing else asks which sort it is.
 *
 * What the configuration must know of a sort is a row of config/config_sorts.def: the key that an input of it
 * has, its traits, its own check; keys say by traits where they have a place. Properties that follow from
 * what there is (a box that is periodic, a last batch that is not full) are no sorts. */
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

/* Something that `holonom check` says of a simulation that is ready to run. */
typedef Status (*CheckLine)(Simulation *simulation, FILE *out, Error *error);

typedef struct Sort {
  const char *name;
  bool alone;       /* replicas are never side by side in one state */
  const void *form; /* what the functions below have to know of it: SystemForm, MechanicsSort */
  /* Kinds, numbers, plan: what simulation_private.h leaves to the sort. simulation_free frees what there is
   * after an error, too. */
  Status (*create)(Simulation *simulation, Error *error);
  void (*free)(Simulation *simulation); /* own, which may be NULL */
  /* Whether the molecules that the input speaks of are there; NULL: it speaks of none. */
  Status (*speaks)(Simulation *simulation, Error *error);
  /* Fills in what forces are made from beside the settings and the kinds' own potentials; NULL: nothing. */
  void (*field)(const Simulation *simulation, FieldInput *input);
  /* The start: found; judged, where the time step may not suit it (or NULL); and all replicas of the ensemble
   * put there with their forces. */
  Status (*start)(Simulation *simulation, const SimulationStart *how, Error *error);
  Status (*judge)(const Simulation *simulation, Error *error);
  Status (*place)(Simulation *simulation, Error *error);
  /* May be NULL: a replica's coordinates and momenta onto the constraints, where these are of both; why there
   * are no forces to be had, and no momenta to be drawn. */
  Status (*project)(const Simulation *simulation, double *q, double *p, Error *error);
  const char *no_forces, *no_draw;
  const CheckLine *check; /* what simulation_check says of it, line by line; ends with NULL */
  const MeasurementColumns *const
      *measurement; /* what is measured, for rows, frames and simulation_look; ends with NULL */
  const struct RecordForm *record; /* what runs measure and write as they go: record.h */
  bool (*progress)(const Run *run, char *words, size_t size); /* how things are; false: nothing new */
  /* May be NULL: the start in the log; kept in the folder; the last structure, or the last good one after a
   * fault, whose status and message come back. */
  void (*log_start)(const Run *run);
  Status (*keep_start)(const Run *run, Error *error);
  Status (*leave)(Run *run, Status status, Error *error);
  /* Of reports (report.h), what this sort alone has: among the numbers of run->results what the system is,
   * and what came of it; the first of the closing words, with remarks on the terminal. */
  unsigned quantities; /* that it has: QUANTITY_CLUSTERS ... */
  void (*system)(Run *run);
  Status (*summary)(Run *run, Error *error);
  void (*words)(const Run *run, char *words, size_t size);
} Sort;

/* sort_cluster, sort_sites and so on. */
#define SORT(name, row, ...) extern const Sort sort_##row;
#include "config/config_sorts.def"
#undef SORT

/* The row of a configuration. */
const Sort *sort_of(const Config *config);

#endif
