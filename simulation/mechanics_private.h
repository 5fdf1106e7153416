/* What the files of mechanical systems share. */
#ifndef HOLONOM_SIMULATION_MECHANICS_PRIVATE_H
#define HOLONOM_SIMULATION_MECHANICS_PRIVATE_H

#include "engine/expression.h"
#include "engine/hamiltonian.h"
#include "simulation/mechanics.h"
#include "simulation/mechanics_tangent.h"
#include "simulation/simulation_private.h"

/* What a simulation of sites or of a Hamiltonian has beside what all sorts have. */
typedef struct Mechanics {
  Simulation *s;
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
} Mechanics;

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
/* A whole number between least and most. */
Status mechanics_value_whole(const Mechanics *m, InputKey key, const char *text, int least, int most,
                             int *value, Error *error);

/* mechanics_build.c: the kind (reference at zero yet) from the configuration's sites, or its Hamiltonian. */
Status mechanics_build_sites(Mechanics *m, Error *error);
Status mechanics_build_hamiltonian(Mechanics *m, Error *error);
/* Sites of record i of system.sites. */
Status mechanics_build_count(const Mechanics *m, int i, int *count, Error *error);

/* The key of the record that constraint c comes from, for messages. */
InputKey mechanics_build_origin(const Mechanics *m, int c);

/* mechanics_file.c: those columns of q and p that system.file has, if there is one. */
Status mechanics_file_fill(const Mechanics *m, double *q, double *p, Error *error);

/* mechanics_start.c: q[replicas][size], p[replicas][size] as the input says, checked and, where asked for,
 * projected. */
Status mechanics_start(Mechanics *m, double *q, double *p, Error *error);

#endif
