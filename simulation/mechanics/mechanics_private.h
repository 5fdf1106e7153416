/* What the files of mechanical systems share. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H

#include "engine/expression.h"
#include "methods/hamiltonian.h"
#include "simulation/mechanics/mechanics.h"
#include "simulation/mechanics/mechanics_tangent.h"
#include "simulation/simulation_private.h"

typedef struct Mechanics Mechanics;

/* What a mechanical sort alone does. */
typedef struct MechanicsSort {
  /* The kind (reference at zero yet) from the configuration. */
  Status (*build)(Mechanics *m, Error *error);
  /* q[replicas][size], p[replicas][size], which are zeros, as the input says. */
  Status (*start)(const Mechanics *m, double *q, double *p, Error *error);
  InputKey energy; /* what to mend where the energy has no value */
} MechanicsSort;

/* What a simulation of a mechanical sort has beside what all sorts have. */
struct Mechanics {
  Simulation *s;
  const MechanicsSort *sort;
  Hamiltonian *ham;
  int nformula;
  Formula **formula;
  int nconst;
  const char *const *constant;
  double *value; /* [nconst] */
  int *first;    /* [records of system.constraints]: constraints before each's own */
  int size;      /* coordinates */
  double *q, *p; /* [replicas][size] the start */
  Tangent *tangent;
  double *z; /* [2*size] scratch */
  MechanicsColumns columns;
  const char *unit[MECHANICS_ENERGIES];
};

static inline Mechanics *mechanics_of(const Simulation *simulation) { return simulation->own; }

/* mechanics_value.c: a text of the input as a number. `key` is for messages. */
typedef struct Names {
  int n;
  const char *const *var;
} Names;

/* pairs: q1, p1 and so on are variables. */
Status mechanics_value_constants(Mechanics *m, bool pairs, Error *error);
/* Parses with the system's constants; `names` are the variables. */
Status mechanics_value_parse(const Mechanics *m, InputKey key, const char *text, Names names,
                             Expression **expression, Error *error);
/* At x[names.n]; not finite is an error. */
Status mechanics_value_at(const Mechanics *m, InputKey key, const char *text, Names names, const double *x,
                          double *value, Error *error);
/* A whole number from 1 to most. */
Status mechanics_value_whole(const Mechanics *m, InputKey key, const char *text, int most, int *value,
                             Error *error);

/* mechanics_build.c: MechanicsSort.build. */
Status mechanics_build_sites(Mechanics *m, Error *error);
Status mechanics_build_hamiltonian(Mechanics *m, Error *error);
/* A kind of `with`: of with->nsite coordinates q, sites in one dimension of mass `each`. */
Status mechanics_build_line(Mechanics *m, const Kind *with, double each, Error *error);
/* Sites of record i of system.sites. */
Status mechanics_build_count(const Mechanics *m, int i, int *count, Error *error);

/* The key of the record that constraint c comes from, for messages. */
InputKey mechanics_build_origin(const Mechanics *m, int c);

/* mechanics_file.c: those columns of q and p that system.file has, if there is one. */
Status mechanics_file_fill(const Mechanics *m, double *q, double *p, Error *error);

/* mechanics_start.c: q[replicas][size], p[replicas][size] as the input says, checked and, where asked for,
 * projected. */
Status mechanics_start(Mechanics *m, double *q, double *p, Error *error);
/* MechanicsSort.start. */
Status mechanics_start_sites(const Mechanics *m, double *q, double *p, Error *error);
Status mechanics_start_hamiltonian(const Mechanics *m, double *q, double *p, Error *error);

/* A formula in i, n, r, xi and u: one component of `count` sites, in all replicas: x[replica][at + i*step],
 * i = 0..count-1. `place` is where its random numbers are. */
typedef struct MechanicsFill {
  InputKey key;
  const char *text;
  int count, at, step, place;
  bool velocity; /* times the mass */
} MechanicsFill;
Status mechanics_start_fill(const Mechanics *m, const MechanicsFill *fill, double *x, Error *error);

#endif
