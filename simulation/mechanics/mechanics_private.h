/* What the files of mechanical systems share. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H

#include "formula/expression.h"
#include "methods/hamiltonian.h"
#include "methods/tangent.h"
#include "simulation/simulation_private.h"

typedef struct Mechanics Mechanics;

/* "x1", "py2"; with a Hamiltonian "q1", "p2". */
typedef struct MechanicsName {
  char text[24];
} MechanicsName;

/* How a mechanical system is told of: one of masses and potentials, or one with a Hamiltonian.
 */
typedef struct MechanicsForm {
  MechanicsName (*name)(const Mechanics *m, int i, bool momentum); /* of coordinate i */
  bool velocities;   /* may be given in a file of starts, in the place of momenta */
  const char *units; /* of its tables, a comment */
  /* Momenta of a start, onto what constraints make of them (mechanics_start.c). */
  void (*momenta)(const Mechanics *m, int r, double *q, double *p);
} MechanicsForm;
extern const MechanicsForm mechanics_columns_form_natural, mechanics_columns_form_general;

/* What is measured (measurement.h): behind energies how far constraints are from being met, and momenta; of a
 * Hamiltonian its value and its constraints; and coordinates, momenta, the formulas of output.observables, if
 * there are averages. Errors: STATUS_INPUT with the key of a formula that is wrong. */
extern const MeasurementColumns *const mechanics_columns_natural[], *const mechanics_columns_general[];

/* What a mechanical sort alone does. */
typedef struct MechanicsSort {
  const MechanicsForm *form;
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
  Expression **formula;
  int nconst;
  const char *const *constant;
  double *value; /* [nconst] */
  int *first;    /* [records of system.constraints]: constraints before each's own */
  int size;      /* coordinates */
  double *q, *p; /* [replicas][size] the start */
  Tangent *tangent;
};

static inline Mechanics *mechanics_of(const Simulation *simulation) { return simulation->own; }

static inline MechanicsName mechanics_name(const Mechanics *m, int i, bool momentum)
{
  return m->sort->form->name(m, i, momentum);
}

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

/* MechanicsForm.momenta. */
void mechanics_start_tangent(const Mechanics *m, int r, double *q, double *p);
void mechanics_start_fibres(const Mechanics *m, int r, double *q, double *p);
/* Of a Hamiltonian, for its sort: onto its constraints, and along their fibres onto what follows from them.
 */
Status mechanics_start_project(const Simulation *simulation, double *q, double *p, Error *error);

/* A formula in i, n, r, xi and u: one component of `count` sites, in all replicas: x[replica][at + i*step],
 * i = 0..count-1. `place` is where its random numbers are. */
typedef struct MechanicsFill {
  InputKey key;
  const char *text;
  int count, at, step, place;
  bool velocity; /* times the mass */
} MechanicsFill;
Status mechanics_start_fill(const Mechanics *m, const MechanicsFill *fill, double *x, Error *error);

/* For the rows of sorts, as sort.h says. */
Status mechanics_create(Simulation *simulation, Error *error);
void mechanics_release(Simulation *simulation);
Status mechanics_begin(Simulation *simulation, const SimulationStart *how, Error *error);
Status mechanics_place(Simulation *simulation, Error *error);

#endif
