/* The C library of Holonom: molecular dynamics of stiff and constrained molecules (docs/api.md).
 *
 * Units: A, kcal/mol, u, e. Time is in AKMA units of HOL_AKMA_FS femtoseconds, momentum in u A per AKMA unit
 * of time. Systems in reduced units (units: reduced) have no units. Coordinates are double[sites][dimensions]
 * of one replica, ordered by molecule. Replicas, sites, molecules and columns are numbered from 0.
 *
 * A function with a replica argument also accepts HOL_ALL: its array then contains the values of all replicas
 * in order, for example double[replicas][sites][dimensions].
 *
 * Functions that can fail return a hol_status; *error (may be NULL) receives the fault, its place and the
 * remedy. Any other NULL pointer is HOL_INPUT unless the function allows it. Functions without a status
 * return 0, NULL or NaN for a NULL simulation. A call that returns HOL_INPUT for an argument has changed
 * nothing. The library never prints, exits, or changes the program's locale or signal handlers.
 *
 * HOL_RUN from hol_step or hol_run means that a step failed, unless an observer returned that status between
 * two steps. hol_steps_done counts the completed steps. Positions, momenta, velocities, boxes and
 * temperatures remain readable, for diagnosis only. Calls that would continue (hol_step, hol_set, hol_look,
 * hol_save and others) return HOL_RUN with the same message until hol_load or hol_load_memory restores a
 * saved state. Other functions document their own HOL_RUN.
 *
 * Only one thread at a time may use a simulation; different threads may use different simulations. hol_stop
 * may be called from any thread. A forked process may use its copies of simulations, in one thread.
 *
 * Structs that may grow begin with their size; new fields are appended. Before version 1.0, names may change
 * with the minor version. */
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

/* Version of this header; hol_version returns that of the library. */
#define HOL_VERSION_MAJOR  0
#define HOL_VERSION_MINOR  2
#define HOL_VERSION_PATCH  0
#define HOL_VERSION_NUMBER (HOL_VERSION_MAJOR * 10000 + HOL_VERSION_MINOR * 100 + HOL_VERSION_PATCH)

#define HOL_AKMA_FS 48.88821

typedef struct hol_simulation hol_simulation;

typedef enum hol_status {
  HOL_OK = 0,
  HOL_INPUT = 2,  /* invalid input file or argument */
  HOL_RUN = 3,    /* a run failed: the message contains step and molecule */
  HOL_MEMORY = 4, /* an allocation failed */
  HOL_IO = 5      /* a file cannot be opened, read or written; a file named in an input: HOL_INPUT */
} hol_status;

/* This struct will not change. */
typedef struct hol_error {
  hol_status status;
  char message[2048]; /* one or more lines, no newline at the end */
} hol_error;

/* The version of the library, such as "0.1.0". */
HOL_API const char *hol_version(void);

/* Opens a simulation of any sort (cluster, box, sites with formulas, Hamiltonian) from an input file or a
 * text. Messages call the text `name`; paths in the text are relative to the folder of `name`. set[nset] are
 * changes of keys, such as "integrator.timestep=1 fs"; NULL and 0: no changes. After an error *simulation is
 * NULL. */
HOL_API hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                            hol_error *error);
HOL_API hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                                 const char *const *set, int nset, hol_error *error);

/* Frees the simulation (may be NULL). Does nothing if called from a callback of the simulation. */
HOL_API void hol_close(hol_simulation *simulation);

/* Builds or reads the start, draws momenta and computes forces. Functions that need a start call this
 * themselves. HOL_RUN: there is no start; the next call begins again. */
HOL_API hol_status hol_start(hol_simulation *simulation, hol_error *error);

/* Advances all replicas by n >= 0 steps. Splitting a run into several calls changes no bit. */
HOL_API hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error);

/* Ends the current hol_start, hol_step or hol_run soon, or the next one if none is active. May be called from
 * any thread, callback or signal handler. hol_step and hol_run end between two steps with HOL_OK;
 * hol_steps_done counts the completed steps. While a start is built the call ends with HOL_RUN and there is
 * no start. A call that ends early or with an error clears the request; a request that arrives too late
 * applies to the next call. */
HOL_API void hol_stop(hol_simulation *simulation);

/* Runs the whole input and writes all files into a folder, as `holonom run` does. The simulation must not
 * have started; hol_step continues from the end of the run. After HOL_RUN the folder contains the results up
 * to the fault. flags: hol_flag values combined by |, or 0. */
typedef enum hol_flag {
  HOL_FORCE = 1,      /* overwrite the results of an earlier run */
  HOL_RESUME = 2,     /* continue the run in that folder */
  HOL_OTHER_BUILD = 4 /* also if another build began it: results differ in the last bits */
} hol_flag;
HOL_API hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error);

/* Calls f for each line, without the newline, that `holonom run` would print while a start is built, every
 * ten seconds of stepping, and at the end of a run. The function is called in the thread of the call and may
 * use only hol_stop on this simulation. NULL (the default): no calls. */
typedef void (*hol_listener)(void *user, const char *line);
HOL_API hol_status hol_listen(hol_simulation *simulation, hol_listener f, void *user, hol_error *error);

/* Properties of the simulation. The sort is "cluster", "box", "sites" or "hamiltonian". hol_replicas is the
 * number of replicas that run; clusters round the requested number up to whole batches. Degrees of freedom,
 * constraints, sites and molecules are counts of one replica. hol_time is the time of the completed steps,
 * AKMA. */
HOL_API const char *hol_sort(const hol_simulation *simulation);
HOL_API int hol_replicas(const hol_simulation *simulation);
HOL_API int hol_dimensions(const hol_simulation *simulation);
HOL_API int hol_sites(const hol_simulation *simulation);
HOL_API int hol_molecules(const hol_simulation *simulation);
HOL_API int hol_freedom(const hol_simulation *simulation);
HOL_API int hol_constraints(const hol_simulation *simulation);
HOL_API int64_t hol_steps_done(const hol_simulation *simulation);
HOL_API double hol_time(const hol_simulation *simulation);

/* Sites, molecules and molecule types (kinds) of one replica. The caller sets `size` to sizeof(hol_topology);
 * the library fills the fields that fit and sets `size` to its own. The arrays belong to the simulation and
 * live as long.
 *
 * Molecules from a file have the names, residues and types of that file. Elsewhere each molecule is a
 * residue, and element and type are the site's name. Residue numbers are those of the output files: molecules
 * of one residue are numbered through the system from 1; others have the numbers of their file.
 *
 * Charges of virtual sites (the M of TIP4P) are assigned to the sites with mass, so that net charge and
 * dipole of a molecule are right; hol_get_virtual_sites returns them as in the force field. Bonds are O-H of
 * water, bonds and constraints of a file of molecules, and distance constraints and springs of formulas.
 * Constraint c of hol_multipliers belongs to molecule m if first_constraint[m] <= c < first_constraint[m +
 * 1]. */
typedef struct hol_topology {
  size_t size;
  int sites, molecules, kinds, bonds;
  const char *const *site_name;    /* [sites] "O", "CA" and so on */
  const double *mass;              /* [sites] u */
  const double *charge;            /* [sites] e */
  const int *molecule;             /* [sites] molecule of the site */
  const int *kind;                 /* [molecules] index of the molecule type */
  const char *const *kind_name;    /* [kinds] "tip3p" */
  const int *first_site;           /* [molecules + 1]; the last is `sites` */
  const int *first_constraint;     /* [molecules + 1]; the last is hol_constraints */
  const int (*bond)[2];            /* [bonds] indices of two sites */
  const char *const *element;      /* [sites] symbol, "C" */
  const char *const *type_name;    /* [sites] type in the force field, "CT" */
  const char *const *residue_name; /* [sites] "ALA" */
  const int *residue;              /* [sites] residue number */
  const char *const *chain;        /* [sites] "A"; "": unknown */
} hol_topology;
HOL_API hol_status hol_get_topology(hol_simulation *simulation, hol_topology *topology, hol_error *error);

/* Virtual sites (such as the M of TIP4P) are massless and placed by atoms. They are listed for one replica by
 * molecule, in the order of the model or file, with their charges in the force field; hol_topology assigns
 * these charges to sites with mass. `size` and arrays: as in hol_topology. */
typedef struct hol_virtual_sites {
  size_t size;
  int sites;
  const char *const *name;   /* [sites] "M" */
  const double *charge;      /* [sites] e */
  const int *molecule;       /* [sites] molecule of the site */
  const double *site_charge; /* [hol_sites] e, of the sites with mass, without the charges of virtual sites */
} hol_virtual_sites;
HOL_API hol_status hol_get_virtual_sites(hol_simulation *simulation, hol_virtual_sites *sites,
                                         hol_error *error);

/* Placing: computes the positions v[sites][3] of the virtual sites of a replica with atoms at
 * x[hol_sites][3]. Spreading: adds the forces fv[sites][3] on virtual sites to f[hol_sites][3], such that
 * minus the gradient of an energy stays minus the gradient. After hol_get_virtual_sites both may be called
 * from any thread and from a force. HOL_INPUT: hol_get_virtual_sites was not called. HOL_RUN: the atoms do
 * not define the position of a virtual site. */
HOL_API hol_status hol_place_sites(const hol_simulation *simulation, const double *x, double *v,
                                   hol_error *error);
HOL_API hol_status hol_spread_sites(const hol_simulation *simulation, const double *x, const double *fv,
                                    double *f, hol_error *error);

/* Selects all replicas. */
enum { HOL_ALL = -1 };

/* Reads or sets the coordinates x[sites][dimensions] of a replica, or x[replicas][sites][dimensions].
 * Velocities are in A per AKMA unit of time, forces in kcal/mol/A. Forces are read-only: hol_get computes
 * them at the current positions from all interactions, formulas and external forces, without forces of
 * constraints and penalties. HOL_RUN: an external force failed; the state is unchanged.
 *
 * hol_set stores any finite numbers, except momenta of frozen atoms (key freeze), which stay 0. The next
 * function that uses new positions computes their forces. It returns HOL_INPUT, with replica and molecule, if
 * the positions violate exact constraints by more than 1e-3 in |g|/scale (for a distance, twice the relative
 * error). Other replicas can still be read. hol_project corrects such positions.
 *
 * Setting positions leaves momenta unchanged. After rotating a rigid molecule its momenta are no longer
 * tangent to its constraints: the next step removes the normal part, and averages become too cold. Rotate the
 * momenta too (examples/api/rotate.c) or draw new momenta with hol_draw. hol_project does not help, since it
 * removes the same part. */
typedef enum hol_field { HOL_POSITIONS, HOL_MOMENTA, HOL_VELOCITIES, HOL_FORCES } hol_field;
HOL_API hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x,
                           hol_error *error);
HOL_API hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                           hol_error *error);

/* Projects positions onto the exact constraints, along the constraints' gradients over the masses. Projects
 * momenta onto the space of the steps: tangent to these constraints, without the motions that
 * thermostat.remove removes. Kinetic energy can only decrease; penalties and free sites are unaffected. Use
 * it for positions of few digits, from another geometry, or in a scaled box. HOL_INPUT: a molecule is too far
 * from its constraints; earlier replicas have been projected. */
HOL_API hol_status hol_project(hol_simulation *simulation, int replica, hol_error *error);

/* Draws new momenta for all sites of a replica from the Maxwell distribution on that space at the replica's
 * temperature, as the start does. Successive calls draw different momenta; the same calls in another run draw
 * the same. Positions must meet the constraints. HOL_INPUT: there is no temperature; the system is a
 * Hamiltonian. */
HOL_API hol_status hol_draw(hol_simulation *simulation, int replica, hol_error *error);

/* Reads or sets the box edges a, b and c, A, as rows of box[9] (or box[replicas][9]); zeros without a box.
 * The rows are (a_x, 0, 0), (b_x, b_y, 0) and (c_x, c_y, c_z); an oblique box is returned with the least
 * oblique edges of the same lattice. Setting a box does not move positions. In a ladder at constant volume
 * all replicas need the same box. HOL_INPUT: there is no box to change, the box is too small for the cutoff,
 * or the edges have another form; no replica's box has changed. */
HOL_API hol_status hol_get_box(hol_simulation *simulation, int replica, double *box, hol_error *error);
HOL_API hol_status hol_set_box(hol_simulation *simulation, int replica, const double *box, hol_error *error);

/* Reads or sets the temperature of a replica's thermostat and of hol_draw, K (kT in reduced units): *kelvin,
 * or kelvin[replicas]; NaN: there is no temperature. In a started ladder replicas exchange temperatures. A
 * new temperature applies from the next step and is saved with the state; momenta do not change (hol_draw
 * draws new ones). Pages and summaries of hol_run show the input's temperature. HOL_INPUT: a temperature is
 * not positive; there is no temperature to change, or a ladder exchanges it. */
HOL_API hol_status hol_get_temperature(hol_simulation *simulation, int replica, double *kelvin,
                                       hol_error *error);
HOL_API hol_status hol_set_temperature(hol_simulation *simulation, int replica, const double *kelvin,
                                       hol_error *error);

/* Returns the place of a replica in a ladder of temperatures (exchange.temperatures), place[2] or
 * place[replicas][2]: the indices of its ladder and of its current temperature, 0 the lowest. Both are -1 for
 * a spare replica of a batch of 8 or 16: spares stay at the lowest temperature and exchange nothing.
 * HOL_INPUT: there is no ladder. */
HOL_API hol_status hol_get_ladder(hol_simulation *simulation, int replica, int *place, hol_error *error);

/* Parameters of the Hamiltonian have a value for each replica. They are k and centre of named restraints
 * ("pull.k", "pull.centre") and the parameters of the key `parameters`, numbered from 0. hol_parameter_find
 * returns the index of a name, or -1; name and unit are NULL for an invalid index. Values, *value or
 * value[replicas], are in that unit. A new value applies from the next step and is saved with the state.
 * HOL_INPUT: there is no such parameter; a value is not finite, or negative where it must not be; a ladder
 * exchanges the parameter (exchange.parameters). */
HOL_API int hol_parameters(const hol_simulation *simulation);
HOL_API int hol_parameter_find(const hol_simulation *simulation, const char *name);
HOL_API const char *hol_parameter_name(const hol_simulation *simulation, int parameter);
HOL_API const char *hol_parameter_unit(const hol_simulation *simulation, int parameter);
HOL_API hol_status hol_parameter_get(hol_simulation *simulation, int parameter, int replica, double *value,
                                     hol_error *error);
HOL_API hol_status hol_parameter_set(hol_simulation *simulation, int parameter, int replica,
                                     const double *value, hol_error *error);

/* Computes how the energy of a replica (or of all) depends on the parameters at its positions. energy[sets]
 * (or [replicas][sets]) is the energy of hol_evaluate, kcal/mol, with the parameters set[sets][parameters].
 * slope[parameters] (or [replicas][parameters]) is dU/dparameter at the replica's own values. The state does
 * not change. The caller's forces are called once for each set; dU/dparameter includes the slopes that they
 * return. HOL_INPUT: as above. */
HOL_API hol_status hol_parameter_energies(hol_simulation *simulation, int replica, int sets,
                                          const double *set, double *energy, double *slope, hol_error *error);

/* Read or set the time step, AKMA, and the friction of the Langevin thermostat: a rate, 1/AKMA, or with
 * thermostat.convention: uniform a coefficient, u/AKMA; NaN: the thermostat has no friction. New values apply
 * from the next step, with the bits of a run that has these settings, and hol_time continues from its value.
 * They are saved with the state, and hol_load restores them. Strides and equilibration of the input remain
 * numbers of steps. The conserved energy does not jump, since the thermostat's energy is summed step by step.
 * Atoms that thermostat.frictions selects keep their friction. A ladder continues to exchange. hol_run is
 * HOL_INPUT after a change, since it runs the settings of the input.
 *
 * HOL_INPUT: the value is invalid; the input's own checks refuse the step; thermostat.type is not langevin;
 * the friction is 0 in a ladder that scales momenta. Nothing has changed then. */
HOL_API double hol_timestep(const hol_simulation *simulation);
HOL_API double hol_friction(const hol_simulation *simulation);
HOL_API hol_status hol_set_timestep(hol_simulation *simulation, double h, hol_error *error);
HOL_API hol_status hol_set_friction(hol_simulation *simulation, double gamma, hol_error *error);

/* Computes energies, kcal/mol, forces, kcal/mol/A, and virials, kcal/mol, of a replica at
 * x[sites][dimensions], or of all at x[replicas][sites][dimensions], in their current boxes: *energy,
 * f[sites][dimensions] and virial[9], or each [replicas] times; each may be NULL. The states do not change.
 * The cost is about one evaluation of forces: use it for Monte Carlo moves, minimisers and scans.
 *
 * The energy is that of the columns potential and bias plus Fixman's potential; f is minus its gradient, even
 * where x violates constraints. Penalties are excluded: with geometry.method: penalty accept a Monte Carlo
 * move by the column configurational. The virial is the sum over sites of x_a f_b, minus the derivative of
 * the energy by a strain of positions and box; a caller's force that leaves its virial zero does not
 * contribute. HOL_INPUT: a Hamiltonian has no forces; a coordinate is not finite. */
HOL_API hol_status hol_evaluate(hol_simulation *simulation, int replica, const double *x, double *energy,
                                double *f, double *virial, hol_error *error);

/* Evaluates the columns of thermo.csv or energy.csv for the current state of a replica: value[hol_columns]
 * (or value[replicas][hol_columns]). The energies are, in kcal/mol:
 *
 *   potential        interactions, terms of molecules or potentials of sites, restraints ("restraint"), walls
 *                    ("wall_energy") and forces of hol_add_force ("external")
 *   penalty, fixman  stiff bonds (geometry.method: penalty); Fixman's potential (geometry.fixman)
 *   bias             biases of coordinates
 *   configurational  potential + bias + penalty + fixman: all energy of the positions. Monte Carlo moves
 *                    are accepted with probability min(1, exp(-difference/kT)) of it
 *   total            kinetic + configurational; the only one of a general Hamiltonian
 *
 * hol_column returns the index of a name, or -1. Name and unit are NULL for an invalid index; the strings
 * live until forces, time step or friction change. HOL_RUN: an external force failed; the state is
 * unchanged. */
HOL_API int hol_columns(hol_simulation *simulation);
HOL_API int hol_column(hol_simulation *simulation, const char *name);
HOL_API const char *hol_column_name(hol_simulation *simulation, int column);
HOL_API const char *hol_column_unit(hol_simulation *simulation, int column);
HOL_API hol_status hol_look(hol_simulation *simulation, int replica, double *value, hol_error *error);

/* Returns the unit of a column of TABLE.csv: "kcal/mol" for ("thermo", "total_err"); "": dimensionless; NULL:
 * unknown. Systems in reduced units have no units. replicas.csv of mechanical systems is table "ensemble". */
HOL_API const char *hol_table_unit(const char *table, const char *column);

/* Reads the multipliers of all constraints of a replica after the last step, ordered by molecule
 * (hol_topology): lambda[hol_constraints], or lambda[replicas][hol_constraints]. For water,
 * output.multipliers_every must not be 0. */
HOL_API hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error);

/* Adds an observer: f(user, ...) is called after every `every` steps, in the thread that steps, until it is
 * removed; user may be NULL. A status other than HOL_OK (HOL_RUN included) ends hol_step between two steps
 * with that status and the message in *error (never NULL here). The simulation can continue. The observer may
 * read, save and stop the simulation; other calls are HOL_INPUT. hol_remove_observer removes the observer
 * with this function and user that was added last; HOL_INPUT: there is no such observer. hol_observe is the
 * old name of hol_add_observer. */
typedef hol_status (*hol_observer)(void *user, hol_simulation *simulation, hol_error *error);
HOL_API hol_status hol_add_observer(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                                    hol_error *error);
HOL_API hol_status hol_remove_observer(hol_simulation *simulation, hol_observer f, const void *user,
                                       hol_error *error);
HOL_API hol_status hol_observe(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                               hol_error *error);

/* Adds a caller's force to every replica, or removes the one with this function and user that was added last,
 * between any two steps. Later steps have the bits of a run with these forces. user may be NULL. The columns
 * change with the forces (hol_columns); potential and conserved energy change by the energy of the force.
 * HOL_INPUT: integrator.method has no word of A and B; there is no such force to remove.
 *
 * At every evaluation f receives the positions of all replicas in one call, in the thread of the library
 * call, and returns forces and energies. If only some replicas are needed (one was set or read), each
 * contiguous range is one call; calls never overlap. With HOL_THREADS several threads may call f at once,
 * each for a few replicas, which is faster where a call is cheap.
 *
 * f may call only hol_stop on the simulation. A status other than HOL_OK ends the step with that status and
 * the message in *error. Forces, energies or virials that are not finite end it with HOL_RUN, replica and
 * step. Both have the consequences of HOL_RUN. Runs are the same for any number of threads and after a
 * restart if the result for a replica depends only on its own part of the call.
 *
 * `size` is the size of the struct in the library; later versions append fields. virial is the sum over sites
 * of x_a f_b, for the pressure of boxes; if left zero, pressures omit this force between molecules. */
typedef struct hol_force_call {
  size_t size;
  int64_t step;          /* completed steps */
  int replica, replicas; /* index of the first replica in this call, and their number */
  int sites, dimensions;
  const double *x;         /* [replicas][sites][dimensions] positions, A; molecules are whole */
  const double *box;       /* [replicas][9] as from hol_get_box */
  double *f;               /* [replicas][sites][dimensions] kcal/mol/A: zero, to be set */
  double *energy;          /* [replicas] kcal/mol: zero, to be set */
  double *virial;          /* [replicas][9] kcal/mol: zero, may be set */
  int parameters;          /* number of parameters: hol_parameters */
  const double *parameter; /* [replicas][parameters] values */
  double *slope;           /* [replicas][parameters] dU/dparameter of this force: zero, may be set */
} hol_force_call;
typedef hol_status (*hol_force)(void *user, hol_force_call *call, hol_error *error);
enum { HOL_THREADS = 1 };
HOL_API hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, unsigned flags,
                                 hol_error *error);
HOL_API hol_status hol_remove_force(hol_simulation *simulation, hol_force f, const void *user,
                                    hol_error *error);

/* Saves the whole state of a run in a file, or loads it into a simulation of the same input. hol_load needs
 * no start and builds none; the run continues to the bit. External forces are not in the file: HOL_INPUT if
 * the state was saved with more of them than the simulation has; additional ones act from there on. hol_save
 * overwrites only an empty file or one written by hol_save; any other file is HOL_INPUT. */
HOL_API hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error);
HOL_API hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error);

/* Save to and load from the caller's memory. *size receives the bytes needed, equal for all states of a
 * simulation. With room 0 (memory may be NULL) hol_save_memory writes nothing and returns HOL_OK; with
 * another room below *size it returns HOL_INPUT. */
HOL_API hol_status hol_save_memory(hol_simulation *simulation, void *memory, size_t room, size_t *size,
                                   hol_error *error);
HOL_API hol_status hol_load_memory(hol_simulation *simulation, const void *memory, size_t size,
                                   hol_error *error);

/* Returns all keys of input files as JSON: a list of {"key", "type", "wanted", "units", "above" or "from",
 * "below" or "to", "choices", "default", "systems", "help" and others}, without empty entries. hol_free frees
 * it (may be NULL). */
HOL_API hol_status hol_keys(char **json, hol_error *error);
/* Returns all water models as JSON: a list of {"name", "d_oh" and "angle" (A, degrees), "q_h" (e; the
 * negative charge is -2 q_h), "a" and "c" (Lennard-Jones of oxygens, A/r^12 - C/r^6, kcal A^n/mol), "d_om",
 * "d_ol" (A; 0: there is no such site)}. */
HOL_API hol_status hol_waters(char **json, hol_error *error);
HOL_API void hol_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
