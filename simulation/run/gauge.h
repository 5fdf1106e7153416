/* What is measured of a replica: its columns, and how they come about, a gang at a time, by the threads that
 * step. Each sort has one (sort.h); rows, frames and looks are made of it (measure.h), which know nothing of
 * what is in them. */
#ifndef HOLONOM_SIMULATION_RUN_GAUGE_H
#define HOLONOM_SIMULATION_RUN_GAUGE_H

#include "integrators/plan.h"
#include "simulation/run/means.h"

/* Columns of one sample of one replica. The first `shown` are what it is: those of frames and of looks; the
 * others are for rows alone. */
typedef struct Gauge {
  int n, shown;
  MeansColumn *column;       /* [n], and the same as two lists: */
  const char **name, **unit; /* [n] */
  int potential, total;      /* whose series say how correlated a run is; potential: -1: none */
  int penalty, excess;       /* of penalties, and beyond their strain (walk_penalty_strain); -1: none */
  bool named;                /* by the input: in the summary they are in a group of their own */
  void *self;                /* the sort's, freed by: */
  void (*free)(void *self);
  size_t room; /* bytes that a gang's look takes, all zero at first: `now` */
  Status (*open)(const void *self, const State *shape, const ForceField *field, void *now, Error *error);
  void (*close)(void *now);
  /* Takes a look at a gang, by all of a team; then the first of it fills in the columns of lane r: those that
   * are shown; and the others (NULL: there are none), which may fail. */
  Status (*look)(const void *self, void *now, const State *state, Walk *walk, const Team *team, Error *error);
  void (*fill)(const void *self, void *now, const State *state, int r, double *value);
  Status (*rest)(const void *self, void *now, const State *state, int r, double *value, Error *error);
} Gauge;

/* Without columns, with room for n. STATUS_MEMORY. */
Status gauge_create(Gauge **gauge, int n, Error *error);
void gauge_free(Gauge *gauge); /* NULL is fine */

/* The number of a new column, whose name is copied. */
int gauge_add(Gauge *gauge, const char *name, const char *unit, unsigned traits);

/* Energies of a gang, with their memory. */
typedef struct GaugeEnergies {
  WalkEnergies of;
  double *memory;
} GaugeEnergies;

/* STATUS_MEMORY. */
Status gauge_energies_create(GaugeEnergies *energies, const State *shape, const ForceField *field,
                             Error *error);

#endif
