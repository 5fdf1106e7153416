/* The structs of mechanical systems, and functions that their source files share. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_PRIVATE_H

#include "formula/expression.h"
#include "methods/hamiltonian.h"
#include "methods/tangent.h"
#include "simulation/simulation_private.h"

typedef struct Mechanics Mechanics;

/* "x1", "py2"; of a Hamiltonian "q1", "p2". */
typedef struct MechanicsName {
  char text[24];
} MechanicsName;

/* Names and units of a mechanical system: with masses and potentials, or a Hamiltonian. */
typedef struct MechanicsForm {
  MechanicsName (*name)(const Mechanics *m, int i, bool momentum); /* name of coordinate i */
  bool velocities;   /* a file of starts may contain velocities instead of momenta */
  const char *units; /* of its tables, a comment */
  /* Projects the momenta of a start as the constraints require (mechanics_start.c). */
  void (*momenta)(const Mechanics *m, int r, double *q, double *p);
} MechanicsForm;
extern const MechanicsForm mechanics_columns_form_natural, mechanics_columns_form_general;

/* The measured columns (measurement.h): after energies, constraint residuals and momenta; of a Hamiltonian,
 * its value and constraint residuals; and, if there are averages, coordinates, momenta and the formulas of
 * output.observables. Errors: STATUS_INPUT with the key of an invalid formula. */
extern const MeasurementColumns *const mechanics_columns_natural[], *const mechanics_columns_general[];

/* Data and functions of one mechanical sort. */
typedef struct MechanicsSort {
  const MechanicsForm *form;
  /* Makes the kind from the configuration, with a zero reference. */
  Status (*build)(Mechanics *m, Error *error);
  /* Sets q[replicas][size], p[replicas][size], initially zero, from the input. */
  Status (*start)(const Mechanics *m, double *q, double *p, Error *error);
  InputKey energy; /* the key to correct if the energy has no value */
} MechanicsSort;

/* Simulation.own of mechanical sorts. */
struct Mechanics {
  Simulation *s;
  const MechanicsSort *sort;
  Hamiltonian *ham;
  int nformula;
  Expression **formula;
  int nconst;
  const char *const *constant;
  double *value; /* [nconst] */
  int *first;    /* [records of system.constraints] number of earlier constraints */
  int size;      /* number of coordinates */
  double *q, *p; /* [replicas][size] start */
  Tangent *tangent;
};

static inline Mechanics *mechanics_of(const Simulation *simulation) { return simulation->own; }

static inline MechanicsName mechanics_name(const Mechanics *m, int i, bool momentum)
{
  return m->sort->form->name(m, i, momentum);
}

/* mechanics_value.c: evaluates a text of the input; `key` is for messages. */
typedef struct Names {
  int n;
  const char *const *var;
} Names;

/* pairs: q1, p1 and so on are variables. */
Status mechanics_value_constants(Mechanics *m, bool pairs, Error *error);
/* Parses with the system's constants; `names` are the variables. */
Status mechanics_value_parse(const Mechanics *m, InputKey key, const char *text, Names names,
                             Expression **expression, Error *error);
/* Evaluates at x[names.n]; STATUS_INPUT if the value is not finite. */
Status mechanics_value_at(const Mechanics *m, InputKey key, const char *text, Names names, const double *x,
                          double *value, Error *error);
/* Evaluates a whole number from 1 to most. */
Status mechanics_value_whole(const Mechanics *m, InputKey key, const char *text, int most, int *value,
                             Error *error);

/* mechanics_build.c: MechanicsSort.build. */
Status mechanics_build_sites(Mechanics *m, Error *error);
Status mechanics_build_hamiltonian(Mechanics *m, Error *error);
/* Makes a kind of with->nsite coordinates q, as sites in one dimension with mass `each`. */
Status mechanics_build_line(Mechanics *m, const Kind *with, double each, Error *error);
/* The number of sites of record i of system.sites. */
Status mechanics_build_count(const Mechanics *m, int i, int *count, Error *error);

/* The key of the record of constraint c, for messages. */
InputKey mechanics_build_origin(const Mechanics *m, int c);

/* mechanics_file.c: fills in the columns of q and p that system.file contains, if there is one. */
Status mechanics_file_fill(const Mechanics *m, double *q, double *p, Error *error);

/* mechanics_start.c: sets q[replicas][size], p[replicas][size] from the input, checked and, if requested,
 * projected. */
Status mechanics_start(Mechanics *m, double *q, double *p, Error *error);
/* MechanicsSort.start. */
Status mechanics_start_sites(const Mechanics *m, double *q, double *p, Error *error);
Status mechanics_start_hamiltonian(const Mechanics *m, double *q, double *p, Error *error);

/* MechanicsForm.momenta. */
void mechanics_start_tangent(const Mechanics *m, int r, double *q, double *p);
void mechanics_start_fibres(const Mechanics *m, int r, double *q, double *p);
/* Sort.project of a Hamiltonian: onto its constraints, and along their fibres onto the hidden constraints. */
Status mechanics_start_project(const Simulation *simulation, double *q, double *p, Error *error);

/* A formula in i, n, r, xi and u for one component of `count` sites in all replicas: x[replica][at + i*step],
 * i = 0..count-1. `place` addresses its random numbers. */
typedef struct MechanicsFill {
  InputKey key;
  const char *text;
  int count, at, step, place;
  bool velocity; /* multiply by the mass */
} MechanicsFill;
Status mechanics_start_fill(const Mechanics *m, const MechanicsFill *fill, double *x, Error *error);

/* Functions of the rows of sorts (sort.h). */
Status mechanics_create(Simulation *simulation, Error *error);
void mechanics_release(Simulation *simulation);
Status mechanics_begin(Simulation *simulation, const SimulationStart *how, Error *error);
Status mechanics_place(Simulation *simulation, Error *error);

#endif
