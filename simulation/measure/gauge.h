/* What is measured of a replica: its columns, and how they come about, a gang at a time, by the threads that
 * step. A gauge is made of parts, of which each sort has a list (sort.h); rows, frames and looks are made of
 * it (measure.h), which know nothing of what is in them. */
#ifndef HOLONOM_SIMULATION_MEASURE_GAUGE_H
#define HOLONOM_SIMULATION_MEASURE_GAUGE_H

#include "simulation/ensemble/ensemble.h"
#include "simulation/measure/means.h"

struct Simulation;

/* What is seen of a gang, each field by the part that is named. */
typedef struct GaugeLook {
  /* gauge_energies, gauge_terms; the energies' lists are in `memory` */
  WalkEnergies energies;
  double *memory;
  double strain[WIDTH_MAX]; /* of penalties */
  /* molecules/water_columns.c */
  double heat[WIDTH_MAX], linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Vec8 (*packs)[9];      /* scratch of pressure_inside */
  double inside[3][3];
  double *atoms; /* molecules/variables_columns.c: scratch of a molecule */
  /* mechanics/mechanics_columns.c */
  WalkMotion motion;
  double *z; /* scratch: a point of one lane */
} GaugeLook;

typedef struct Gauge Gauge;

/* Lane r of a gang that was looked at. */
typedef struct GaugeLane {
  const Gauge *gauge;
  const GaugeLook *look;
  const Sample *sample;
  int r;
  const double *value; /* all columns; those of earlier parts are there */
} GaugeLane;

enum { GAUGE_NAMES = 6 };

/* Some columns: those of these names, or, where they depend on the simulation, as `add` says. Functions may
 * be NULL but for fill. */
typedef struct GaugeColumns {
  const char *name[GAUGE_NAMES];
  unsigned traits;                            /* of all: MEANS_... */
  bool behind;                                /* for rows alone: behind those that are shown, the last part */
  int (*most)(const struct Simulation *from); /* columns; NULL: few */
  Status (*add)(Gauge *gauge, Error *error);
  /* Makes what a look takes, all zero at first; gauge_close frees it. */
  Status (*open)(const Gauge *gauge, const State *shape, GaugeLook *look, Error *error);
  /* Looks at a gang, by all of a team; then what the first of it sees alone. */
  Status (*together)(const Gauge *gauge, GaugeLook *look, const Sample *sample, Error *error);
  void (*alone)(const Gauge *gauge, GaugeLook *look, const Sample *sample);
  void (*fill)(const GaugeLane *lane, double *to);
  Status (*check)(const GaugeLane *lane, const double *filled, Error *error); /* what may not be */
} GaugeColumns;

/* The energies that engine/force.h defines, and columns for the terms: of molecules for all, of mechanical
 * systems for those beside the potentials of the kind (Fixman's potential and a caller's forces). */
extern const GaugeColumns gauge_energies, gauge_terms;

enum { GAUGE_SETS = 8, GAUGE_SHOWN = 64 + FORCE_TERMS * FORCES_MAX /* columns that are shown, at most */ };

/* What a gauge is made from. */
typedef struct GaugeOptions {
  const GaugeColumns *const *part; /* ended by NULL */
  const struct Simulation *system; /* for the parts */
  const Ensemble *ensemble;
  unsigned quantities; /* rows of the table of quantities that units come from: QUANTITY_CLUSTERS ... */
  bool reduced;        /* units: none */
  bool filters;        /* penalties are measured at the filtered positions, too */
} GaugeOptions;

/* Columns of one sample of one replica. The first `shown` are what it is: those of frames and of looks; the
 * others are for rows alone. */
struct Gauge {
  GaugeOptions options;
  const struct Simulation *s; /* the system */
  int at[GAUGE_SETS];         /* the first column of each part */
  int n, shown;
  MeansColumn *column;       /* [n], and the same as two lists: */
  const char **name, **unit; /* [n] */
  int potential, total;      /* whose series say how correlated a run is; potential: -1: none */
  bool named;                /* by the input: in the summary they are in a group of their own */
  int nterm, first_listed;   /* terms of the forces; the first with a column */
  bool unbiased;             /* there is temperature_unbiased */
  int nformula;
  struct Expression **formula; /* [nformula] the last columns */
};

/* Errors: those of the parts, STATUS_MEMORY. */
Status gauge_create(Gauge **gauge, const GaugeOptions *options, Error *error);
void gauge_free(Gauge *gauge); /* NULL is fine */

/* The number of a new column, whose name is copied. unit: NULL: that of the table of quantities. */
int gauge_add(Gauge *gauge, const char *name, const char *unit, unsigned traits);

/* The number of a column that is shown; -1: there is none. */
int gauge_find(const Gauge *gauge, const char *name);

/* What looks at gangs of a shape take, all zero before and freed by gauge_close, whatever came of it. */
Status gauge_open(const Gauge *gauge, const State *shape, GaugeLook *look, Error *error);
void gauge_close(GaugeLook *look);

/* Looks at a gang, by all of a team; then the first of it fills in the columns of lane r: those that are
 * shown, or all. */
Status gauge_look(const Gauge *gauge, GaugeLook *look, const Sample *sample, Error *error);
Status gauge_fill(const Gauge *gauge, const GaugeLook *look, const Sample *sample, int r, bool all,
                  double *value, Error *error);

#endif
