/* Holonom as a library: molecular dynamics of stiff and constrained molecules (docs/api.md).
 *
 * Units: A, kcal/mol, u; times in AKMA units of HOL_AKMA_FS femtoseconds, so that momenta are in u A per AKMA
 * unit of time; systems without units (system.units: reduced) have none. Coordinates of one replica are
 * double[hol_sites][hol_dimensions], kind after kind, molecule after molecule.
 *
 * Functions that can fail return a hol_status and say in *error, which may be NULL, what was wrong, where,
 * and what to do about it. Nothing here prints, exits, or touches locales and signals of the program. Each
 * simulation may be used by one thread at a time, several of them by several threads; hol_stop may be called
 * from anywhere. */
#ifndef HOLONOM_H
#define HOLONOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#define HOL_API __attribute__((visibility("default")))
#else
#define HOL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HOL_AKMA_FS 48.88821

typedef struct hol_simulation hol_simulation;

typedef enum hol_status {
  HOL_OK = 0,
  HOL_INPUT = 2,  /* the input is wrong, or an argument                  */
  HOL_RUN = 3,    /* a run went wrong: step and molecule are in the message */
  HOL_MEMORY = 4, /* an allocation failed                                */
  HOL_IO = 5      /* the system refused to open, read or write a file    */
} hol_status;

typedef struct hol_error {
  hol_status status;
  char message[2048]; /* one or more lines, no newline at the end */
} hol_error;

/* "0.1.0" */
HOL_API const char *hol_version(void);

/* A simulation of any sort (cluster, box, sites with formulas, Hamiltonian) from an input file, or from its
 * text, for which `name` stands in messages and from whose folder files that the text names are looked for.
 * set[nset] are changes, "integrator.timestep=1 fs"; NULL and 0: none. *simulation is NULL after an error. */
HOL_API hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                            hol_error *error);
HOL_API hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                                 const char *const *set, int nset, hol_error *error);

/* NULL is fine. */
HOL_API void hol_close(hol_simulation *simulation);

/* Builds or reads the start, draws momenta, computes forces. Whatever needs a start does this by itself. */
HOL_API hol_status hol_start(hol_simulation *simulation, hol_error *error);

/* n steps of all replicas. Where a run is cut into calls changes no bit of it. */
HOL_API hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error);

/* From any thread, a callback or a signal handler: hol_start, hol_step or hol_run, the one at work or else
 * the next one, ends soon. Between two steps that is HOL_OK, and hol_steps_done says how far it came; while a
 * start is built it is HOL_RUN, and there is none. A call that ends early or with an error uses the stop up;
 * where it came too late to cut a call short, it is for the next. */
HOL_API void hol_stop(hol_simulation *simulation);

/* The whole run that the input describes, into a folder with all its files, as `holonom run` does it. Of a
 * simulation that has not started; hol_step goes on from its end. flags: any of hol_flag. */
typedef enum hol_flag {
  HOL_FORCE = 1,      /* write over results of an earlier run                */
  HOL_RESUME = 2,     /* go on with the run of that folder                   */
  HOL_OTHER_BUILD = 4 /* also if another build began it, with other last bits */
} hol_flag;
HOL_API hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error);

/* What there is: the sort is "cluster", "box", "sites" or "hamiltonian"; replicas are those that run, after
 * rounding up; freedom (degrees of), constraints, sites and molecules are of one replica; time is that of the
 * steps done, AKMA; the temperature is that of the thermostat of a replica, K (kT of reduced units), which is
 * exchanged where there is a ladder of temperatures; mass[sites] is in u; the name of a site that there is
 * not is NULL. */
HOL_API const char *hol_sort(const hol_simulation *simulation);
HOL_API int hol_replicas(const hol_simulation *simulation);
HOL_API int hol_dimensions(const hol_simulation *simulation);
HOL_API int hol_sites(const hol_simulation *simulation);
HOL_API int hol_molecules(const hol_simulation *simulation);
HOL_API int hol_freedom(const hol_simulation *simulation);
HOL_API int hol_constraints(const hol_simulation *simulation);
HOL_API int64_t hol_steps_done(const hol_simulation *simulation);
HOL_API double hol_time(const hol_simulation *simulation);
HOL_API double hol_temperature(const hol_simulation *simulation, int replica);
HOL_API void hol_masses(const hol_simulation *simulation, double *mass);
HOL_API const char *hol_site_name(const hol_simulation *simulation, int site);

/* Coordinates x[sites][dimensions] of one replica. Velocities are in A per AKMA unit of time, forces in
 * kcal/mol/A and those of the last step. Forces can be read only; they follow new positions before they are
 * next used. */
typedef enum hol_field { HOL_POSITIONS, HOL_MOMENTA, HOL_VELOCITIES, HOL_FORCES } hol_field;
HOL_API hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x,
                           hol_error *error);
HOL_API hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                           hol_error *error);

/* Edges of the box, A; zero where there is none. Who sets a box sees to the positions. */
HOL_API hol_status hol_get_box(hol_simulation *simulation, int replica, double length[3], hol_error *error);
HOL_API hol_status hol_set_box(hol_simulation *simulation, int replica, const double length[3],
                               hol_error *error);

/* Numbers of one replica as it is now, the columns of thermo.csv or energy.csv: energies by term,
 * temperature, pressures and so on. value[hol_columns]. hol_column finds one by its name; -1: there is none.
 * Names and units are NULL beyond. */
HOL_API int hol_columns(hol_simulation *simulation);
HOL_API int hol_column(hol_simulation *simulation, const char *name);
HOL_API const char *hol_column_name(hol_simulation *simulation, int column);
HOL_API const char *hol_column_unit(hol_simulation *simulation, int column);
HOL_API hol_status hol_look(hol_simulation *simulation, int replica, double *value, hol_error *error);

/* The unit of a column of TABLE.csv that a run leaves ("thermo", "total_err": "kcal/mol"), of systems in AKMA
 * units; "": a pure number. replicas.csv of mechanical systems has the columns of ensemble.csv. NULL: not
 * known. */
HOL_API const char *hol_table_unit(const char *table, const char *column);

/* Multipliers of the constraints of the first molecule of a replica after the last step, at most
 * hol_constraints; of water where output.multipliers_every is not 0. */
HOL_API hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error);

/* Calls f(user, ...) after every `every` steps, in the thread that steps. Another status than HOL_OK ends
 * hol_step with it and with the message in *error (never NULL here). f may read the simulation, save and stop
 * it; it may neither step, set nor close it. */
typedef hol_status (*hol_observer)(void *user, hol_simulation *simulation, hol_error *error);
HOL_API hol_status hol_observe(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                               hol_error *error);

/* Adds a force of the caller's to every replica, before the start: all positions of one replica in, forces
 * and energy out, at every evaluation of forces. Several threads may be in it at once, each with another
 * replica. It has no virial: pressures leave it out. An error ends the step, as that of an observer. The run
 * is the same for any number of threads and after a restart if the result hangs on the call alone. */
typedef struct hol_force_call {
  uint32_t replica; /* from 0                                         */
  int64_t step;     /* steps done                                     */
  size_t n;         /* coordinates: sites times dimensions            */
  const double *x;  /* [sites][dimensions] positions, A               */
  double *f;        /* the same of forces, kcal/mol/A: zero, to be set */
  double energy;    /* kcal/mol: zero, to be set                      */
} hol_force_call;
typedef hol_status (*hol_force)(void *user, hol_force_call *call, hol_error *error);
HOL_API hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, hol_error *error);

/* All that changes in a run, in one file, and back into a simulation of the same input. What lies there is
 * written over if it was saved so, or is empty; anything else is HOL_INPUT. */
HOL_API hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error);
HOL_API hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error);

/* All keys of input files as JSON: a list of {"key", "type", "wanted", "units", "above" or "from", "below" or
 * "to", "choices", "default", "systems", "help" and so on}, each where it says something. To be freed by
 * hol_free. */
HOL_API hol_status hol_keys(char **json, hol_error *error);
HOL_API void hol_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
