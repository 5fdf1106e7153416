/* Holonom as a library: molecular dynamics of stiff and constrained molecules (docs/api.md).
 *
 * Units: A, kcal/mol, u, e; times in AKMA units of HOL_AKMA_FS femtoseconds, so that momenta are in u A per
 * AKMA unit of time; systems in reduced units (units: reduced) have none. Coordinates are
 * double[sites][dimensions] of one replica, kind after kind, molecule after molecule. Replicas, sites,
 * molecules and columns are numbered from 0.
 *
 * Where a function takes a replica, HOL_ALL means all of them in one call: its array then has the same for
 * each replica, one after the other, double[replicas][sites][dimensions] and so on.
 *
 * Functions that can fail return a hol_status and say in *error, which may be NULL, what was wrong, where,
 * and what to do about it. Any other pointer that is NULL is HOL_INPUT, unless its function says that it may
 * be; functions without a status answer 0, NULL or NaN to a simulation that is NULL. After HOL_INPUT for
 * an argument nothing has changed. Nothing here prints, exits, or touches locales and signals of the program.
 *
 * After HOL_RUN from hol_step or hol_run the run has gone wrong within a step, unless the status is that of
 * an observer, which ends the call between two steps. The steps that were done before it are counted
 * (hol_steps_done); positions, momenta, velocities, boxes and temperatures can still be read, to see what
 * happened, and are of no other use. Whatever would go on from there (hol_step, hol_set, hol_look, hol_save
 * and so on) is HOL_RUN as well, with the same message, until hol_load or hol_load_memory brings back a state
 * that was saved. Other functions say what holds after their own HOL_RUN.
 *
 * Each simulation may be used by one thread at a time, several of them by several threads; hol_stop may be
 * called from anywhere. A process that was forked may use its copies in a thread of its own.
 *
 * Structs that may grow begin with their size: fields are only ever added behind. Before version 1.0 names
 * may still change with the second number of the version. */
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

/* Of this header; hol_version says that of the library. */
#define HOL_VERSION_MAJOR  0
#define HOL_VERSION_MINOR  1
#define HOL_VERSION_PATCH  0
#define HOL_VERSION_NUMBER (HOL_VERSION_MAJOR * 10000 + HOL_VERSION_MINOR * 100 + HOL_VERSION_PATCH)

#define HOL_AKMA_FS 48.88821

typedef struct hol_simulation hol_simulation;

typedef enum hol_status {
  HOL_OK = 0,
  HOL_INPUT = 2,  /* the input is wrong, or an argument                  */
  HOL_RUN = 3,    /* a run went wrong: step and molecule are in the message */
  HOL_MEMORY = 4, /* an allocation failed                                */
  HOL_IO = 5 /* the system refused to open, read or write a file; of one that an input names: HOL_INPUT */
} hol_status;

/* Stays as it is. */
typedef struct hol_error {
  hol_status status;
  char message[2048]; /* one or more lines, no newline at the end */
} hol_error;

/* "0.1.0" */
HOL_API const char *hol_version(void);

/* Opens a simulation of any sort (cluster, box, sites with formulas, Hamiltonian) from an input file, or from
 * a text. `name` then stands for the file in messages; files that the text names are looked for in its
 * folder. set[nset] are changes, "integrator.timestep=1 fs"; NULL and 0: none. *simulation is NULL after an
 * error. */
HOL_API hol_status hol_open(hol_simulation **simulation, const char *file, const char *const *set, int nset,
                            hol_error *error);
HOL_API hol_status hol_open_text(hol_simulation **simulation, const char *name, const char *text,
                                 const char *const *set, int nset, hol_error *error);

/* Frees all of it; NULL is fine. From a function that the simulation calls it does nothing. */
HOL_API void hol_close(hol_simulation *simulation);

/* Builds or reads the start, draws momenta, computes forces. Whatever needs a start does this by itself.
 * After HOL_RUN there is no start, and the next call begins anew. */
HOL_API hol_status hol_start(hol_simulation *simulation, hol_error *error);

/* All replicas go on n steps, 0 or more. Where a run is cut into calls changes no bit. */
HOL_API hol_status hol_step(hol_simulation *simulation, int64_t n, hol_error *error);

/* Ends hol_start, hol_step or hol_run soon, the one at work or else the next one; from any thread, a callback
 * or a signal handler. Between two steps the call ends with HOL_OK, and hol_steps_done says how far it came;
 * while a start is built it ends with HOL_RUN, and there is no start. A call that ends early or with an error
 * uses the stop up; a stop that comes too late to cut a call short is for the next one. */
HOL_API void hol_stop(hol_simulation *simulation);

/* Makes the whole run that the input describes, in a folder with all its files, as `holonom run` does. The
 * simulation must not have started; hol_step goes on from the run's end. After HOL_RUN everything up to the
 * fault is in the folder. flags: any of hol_flag, or 0. */
typedef enum hol_flag {
  HOL_FORCE = 1,      /* write over results of an earlier run                */
  HOL_RESUME = 2,     /* go on with the run of that folder                   */
  HOL_OTHER_BUILD = 4 /* also if another build began it, with other last bits */
} hol_flag;
HOL_API hol_status hol_run(hol_simulation *simulation, const char *folder, unsigned flags, hol_error *error);

/* Has f called with each line that `holonom run` would print while a start is built, while steps are taken
 * (how far they are, every ten seconds) and at the end of a run, without the newline; by the thread that is
 * in the call. f may call hol_stop, and nothing else of the simulation. NULL: nobody is told, as at first. */
typedef void (*hol_listener)(void *user, const char *line);
HOL_API hol_status hol_listen(hol_simulation *simulation, hol_listener f, void *user, hol_error *error);

/* What there is. The sort is "cluster", "box", "sites" or "hamiltonian". Replicas are those that run: of
 * clusters those asked for, rounded up. Degrees of freedom, constraints, sites and molecules are those of one
 * replica. Time is that of the steps done, AKMA. */
HOL_API const char *hol_sort(const hol_simulation *simulation);
HOL_API int hol_replicas(const hol_simulation *simulation);
HOL_API int hol_dimensions(const hol_simulation *simulation);
HOL_API int hol_sites(const hol_simulation *simulation);
HOL_API int hol_molecules(const hol_simulation *simulation);
HOL_API int hol_freedom(const hol_simulation *simulation);
HOL_API int hol_constraints(const hol_simulation *simulation);
HOL_API int64_t hol_steps_done(const hol_simulation *simulation);
HOL_API double hol_time(const hol_simulation *simulation);

/* Sites, molecules and kinds of one replica. `size` is sizeof(hol_topology), set by the caller, who gets as
 * much as there is room for; it is what the library has that is set there. Arrays are the simulation's and
 * live as long. Names, residues and types of molecules of a file are those of the file; elsewhere a residue
 * is a molecule, and element and type are the site's name. Residues are numbered as in files of a run:
 * molecules of one residue through the system, from 1, others as their file has it. Charges of virtual sites
 * (the M of TIP4P) stand on the sites with mass, so that net charge and dipole of a molecule are right;
 * hol_get_virtual_sites has them where the force field does. Bonds
 * are O-H of water, bonds and constraints of a file of molecules, and, of molecules of formulas, pairs of
 * sites that a distance constraint or a spring joins. Constraint c of hol_multipliers is of molecule m if
 * first_constraint[m] <= c < first_constraint[m + 1]. */
typedef struct hol_topology {
  size_t size;
  int sites, molecules, kinds, bonds;
  const char *const *site_name;    /* [sites] "O", "CA" and so on                 */
  const double *mass;              /* [sites] u                                   */
  const double *charge;            /* [sites] e                                   */
  const int *molecule;             /* [sites] that the site is in                 */
  const int *kind;                 /* [molecules]                                 */
  const char *const *kind_name;    /* [kinds] "tip3p"                             */
  const int *first_site;           /* [molecules + 1]; the last is `sites`        */
  const int *first_constraint;     /* [molecules + 1]; the last is hol_constraints */
  const int (*bond)[2];            /* [bonds] sites                               */
  const char *const *element;      /* [sites] its symbol, "C"                     */
  const char *const *type_name;    /* [sites] of the force field, "CT"            */
  const char *const *residue_name; /* [sites] "ALA"                               */
  const int *residue;              /* [sites] its number                          */
  const char *const *chain;        /* [sites] "A"; "": not known                  */
} hol_topology;
HOL_API hol_status hol_get_topology(hol_simulation *simulation, hol_topology *topology, hol_error *error);

/* Virtual sites: sites without mass that a molecule's atoms place (the M of TIP4P), of a replica, molecule
 * after molecule, in the order of the model or of the file. They carry charges in the force field, while
 * hol_topology has charges on sites with mass alone. `size` and arrays are as there. */
typedef struct hol_virtual_sites {
  size_t size;
  int sites;
  const char *const *name;   /* [sites] "M"                                          */
  const double *charge;      /* [sites] e                                            */
  const int *molecule;       /* [sites] that the site is in                          */
  const double *site_charge; /* [hol_sites] e, of the sites with mass beside these   */
} hol_virtual_sites;
HOL_API hol_status hol_get_virtual_sites(hol_simulation *simulation, hol_virtual_sites *sites,
                                         hol_error *error);

/* Where the virtual sites of a replica are, v[sites][3], whose sites with mass are at x[hol_sites][3]; and
 * what forces fv[sites][3] on them are worth: f[hol_sites][3] += these, spread over the sites with mass, so
 * that minus the gradient of an energy stays minus the gradient. After hol_get_virtual_sites they may be
 * called from any thread and from a force, which so acts on virtual sites. Errors: HOL_INPUT:
 * hol_get_virtual_sites was not called; HOL_RUN: the sites with mass leave open where a virtual site is. */
HOL_API hol_status hol_place_sites(const hol_simulation *simulation, const double *x, double *v,
                                   hol_error *error);
HOL_API hol_status hol_spread_sites(const hol_simulation *simulation, const double *x, const double *fv,
                                    double *f, hol_error *error);

/* In the place of a replica: every one. */
enum { HOL_ALL = -1 };

/* Coordinates x[sites][dimensions] of a replica, or x[replicas][sites][dimensions]. Velocities are in A per
 * AKMA unit of time, forces in kcal/mol/A. Forces can be read only: hol_get computes them for the positions
 * as they are now, from the energies between molecules, of formulas and from outside,
 * without the forces of constraints and penalties. HOL_RUN: a force from outside failed; the state is as
 * before.
 *
 * hol_set takes any finite numbers as they are. Whatever uses new positions next computes their forces first,
 * and is HOL_INPUT, with the replica and the molecule, where they break constraints that the input keeps
 * exactly: by more than 1e-3 in |g|/scale, which for a distance is twice the relative error. Others can be
 * looked at meanwhile. hol_project mends that.
 *
 * Who moves molecules sees to their momenta. Momenta stay as they are while positions are set; where a rigid
 * molecule was turned they are then no longer tangent to its constraints, and the part across is lost in the
 * next step: averages come out too cold. So turn the momenta with the molecule, or draw new ones by hol_draw
 * (examples/api/rotate.c turns them). hol_project is no remedy, since it takes that part away, too. */
typedef enum hol_field { HOL_POSITIONS, HOL_MOMENTA, HOL_VELOCITIES, HOL_FORCES } hol_field;
HOL_API hol_status hol_get(hol_simulation *simulation, hol_field field, int replica, double *x,
                           hol_error *error);
HOL_API hol_status hol_set(hol_simulation *simulation, hol_field field, int replica, const double *x,
                           hol_error *error);

/* Puts positions onto the constraints that the input keeps exactly, along the constraints' gradients over the
 * masses, and momenta onto the space that the steps move in: tangent to these constraints, without the
 * motions that thermostat.remove takes out. Penalties and free sites stay where they are. Kinetic energy can
 * only be lost. For positions of few digits, of another geometry, or in a box that was scaled. Errors:
 * HOL_INPUT: a molecule is too far from its constraints; replicas before it have been put there. */
HOL_API hol_status hol_project(hol_simulation *simulation, int replica, hol_error *error);

/* Draws the momenta of all sites of a replica anew, from the Maxwell distribution on that space at the
 * replica's temperature, as the start does. Each call draws others; the same calls in another run draw the
 * same. Positions must meet the constraints. Errors: HOL_INPUT: there is no temperature; a Hamiltonian. */
HOL_API hol_status hol_draw(hol_simulation *simulation, int replica, hol_error *error);

/* Edges a, b and c of the box as the rows of box[9] (or box[replicas][9]), A; zero where there is none. They
 * are (a_x, 0, 0), (b_x, b_y, 0) and (c_x, c_y, c_z); an oblique box comes back with the edges of the same
 * lattice that lean least. Positions stay when a box is set: who sets it moves them. Errors: HOL_INPUT: there
 * is no box to change, it is too small for the cutoff, or its edges are no such ones; no box of any replica
 * has changed then. */
HOL_API hol_status hol_get_box(hol_simulation *simulation, int replica, double *box, hol_error *error);
HOL_API hol_status hol_set_box(hol_simulation *simulation, int replica, const double *box, hol_error *error);

/* The temperature of a replica's thermostat, and of hol_draw, K (kT in reduced units): *kelvin, or
 * kelvin[replicas]; NaN: there is none. In a ladder replicas exchange it, once it has started. Set, it holds
 * from the next step on and is saved with the state; momenta stay as they are: where they are to follow at
 * once, draw them. hol_run's pages and summaries speak of the input's. Errors: HOL_INPUT: not positive; there
 * is none to change, or a ladder's. */
HOL_API hol_status hol_get_temperature(hol_simulation *simulation, int replica, double *kelvin,
                                       hol_error *error);
HOL_API hol_status hol_set_temperature(hol_simulation *simulation, int replica, const double *kelvin,
                                       hol_error *error);

/* Where a replica is in a ladder of temperatures (exchange.temperatures), place[2], or place[replicas][2]:
 * the number of its ladder, and that of the temperature that it has now, 0 the lowest. -1 and -1: it belongs
 * to no ladder, since replicas of clusters go in groups of 8 or 16; such spare replicas stay at the lowest
 * temperature and exchange nothing. HOL_INPUT: there is no ladder. */
HOL_API hol_status hol_get_ladder(hol_simulation *simulation, int replica, int *place, hol_error *error);

/* Parameters of the Hamiltonian, which have a value for each replica: k and centre of restraints with a name
 * ("pull.k", "pull.centre") and those of the key `parameters`, numbered from 0. hol_parameter gives the
 * number of a name, -1: there is none; name and unit are NULL where there is no such number. Values, *value
 * or value[replicas], are in that unit. Set, they hold from the next step on and are saved with the state.
 * Errors: HOL_INPUT: there is no such parameter; a value is not finite, or negative where that has no
 * meaning; a ladder exchanges them (exchange.parameters). */
HOL_API int hol_parameters(const hol_simulation *simulation);
HOL_API int hol_parameter_find(const hol_simulation *simulation, const char *name);
HOL_API const char *hol_parameter_name(const hol_simulation *simulation, int parameter);
HOL_API const char *hol_parameter_unit(const hol_simulation *simulation, int parameter);
HOL_API hol_status hol_parameter_get(hol_simulation *simulation, int parameter, int replica, double *value,
                                     hol_error *error);
HOL_API hol_status hol_parameter_set(hol_simulation *simulation, int parameter, int replica,
                                     const double *value, hol_error *error);

/* How the energy of a replica, or of each replica, depends on the parameters at its positions, in one call:
 * energy[sets] (or [replicas][sets]) is that of hol_evaluate, kcal/mol, with the values set[sets][parameters]
 * in place of its own; slope[parameters] (or [replicas][parameters]) is dU/dparameter at its own values. The
 * state stays as it is. A force of the caller's is called once for each set, and gives slopes where it knows
 * them. HOL_INPUT: as above. */
HOL_API hol_status hol_parameter_energies(hol_simulation *simulation, int replica, int sets,
                                          const double *set, double *energy, double *slope, hol_error *error);

/* The time step, AKMA, and the friction of Langevin's thermostat: a rate, 1/AKMA, or, with
 * thermostat.convention: uniform, a coefficient, u/AKMA; NaN where the thermostat has none. Set between two
 * steps, they hold from the next step on, which has the bits of a run with these settings; hol_time goes on
 * from where it was. They are saved with the state, and hol_load brings back those that were saved. Strides
 * and equilibration of the input stay numbers of steps. The conserved energy does not jump: what the
 * thermostat puts in is counted step by step. A ladder goes on with its exchanges. hol_run makes the run of
 * the input and is HOL_INPUT where these differ from it. Errors: HOL_INPUT: no such number; a step that the
 * input's own checks would refuse; a friction where thermostat.type is not langevin, or 0 in a ladder that
 * scales momenta; nothing has changed then. */
HOL_API double hol_timestep(const hol_simulation *simulation);
HOL_API double hol_friction(const hol_simulation *simulation);
HOL_API hol_status hol_set_timestep(hol_simulation *simulation, double h, hol_error *error);
HOL_API hol_status hol_set_friction(hol_simulation *simulation, double gamma, hol_error *error);

/* Energies, kcal/mol, forces, kcal/mol/A, and virials, kcal/mol, of positions x[sites][dimensions] of a
 * replica, or of x[replicas][sites][dimensions], in the boxes that the replicas have: *energy,
 * f[sites][dimensions] and virial[9], or each [replicas] times; any of the three may be NULL. The states stay
 * as they are, and the cost is about that of one evaluation of forces: for Monte Carlo moves, minimisers and
 * scans. The energy is the column potential and Fixman's potential; f is minus its gradient, whatever x makes
 * of constraints. Penalties are left out: with geometry.method: penalty a Monte Carlo move is accepted by the
 * column configurational. virial is the sum over sites of x_a f_b: minus it is the derivative of the energy
 * by a strain of positions and box; a force of the caller's that leaves its virial zero is left out of it.
 * HOL_INPUT: a Hamiltonian has no forces; a coordinate is not finite. */
HOL_API hol_status hol_evaluate(hol_simulation *simulation, int replica, const double *x, double *energy,
                                double *f, double *virial, hol_error *error);

/* Numbers of a replica as it is now, value[hol_columns] (or value[replicas][hol_columns]): the columns of
 * thermo.csv or energy.csv, energies by term, temperature, pressures and so on. Energies are, in kcal/mol:
 *
 *   potential        interactions, terms of molecules or potentials of sites, restraints ("restraint"), walls
 *                    ("wall_energy") and forces of hol_add_force ("external")
 *   penalty, fixman  stiff bonds (geometry.method: penalty); Fixman's potential (geometry.fixman)
 *   configurational  potential + penalty + fixman: all energy that depends on positions, which a Monte Carlo
 *                    move is accepted by, with probability min(1, exp(-difference/kT))
 *   total            kinetic + configurational; general Hamiltonians have this one alone
 *
 * hol_column finds a column by its name; -1: there is none. Names and units of columns that there are not are
 * NULL; they live until forces, step or friction change. HOL_RUN: a force from outside failed; the state is
 * as before. */
HOL_API int hol_columns(hol_simulation *simulation);
HOL_API int hol_column(hol_simulation *simulation, const char *name);
HOL_API const char *hol_column_name(hol_simulation *simulation, int column);
HOL_API const char *hol_column_unit(hol_simulation *simulation, int column);
HOL_API hol_status hol_look(hol_simulation *simulation, int replica, double *value, hol_error *error);

/* The unit of a column of a run's TABLE.csv: "kcal/mol" of ("thermo", "total_err"); "": a pure number; NULL:
 * not known. Systems in reduced units have none. The columns of replicas.csv of mechanical systems are those
 * of "ensemble". */
HOL_API const char *hol_table_unit(const char *table, const char *column);

/* Multipliers of all constraints of a replica after the last step, molecule after molecule (hol_topology):
 * lambda[hol_constraints], or lambda[replicas][hol_constraints]. Molecules of water have them where
 * output.multipliers_every is not 0. */
HOL_API hol_status hol_multipliers(hol_simulation *simulation, int replica, double *lambda, hol_error *error);

/* Has f(user, ...) called after every `every` steps, in the thread that steps, until it is removed; user may
 * be NULL. A status other than HOL_OK, HOL_RUN too, ends hol_step with that status and with the message in
 * *error (never NULL here), between two steps: the simulation can go on. f may read the simulation, save and
 * stop it; anything else is HOL_INPUT. hol_remove_observer removes the one with this function and user that
 * was added last; HOL_INPUT: there is none. hol_observe is the older name of hol_add_observer. */
typedef hol_status (*hol_observer)(void *user, hol_simulation *simulation, hol_error *error);
HOL_API hol_status hol_add_observer(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                                    hol_error *error);
HOL_API hol_status hol_remove_observer(hol_simulation *simulation, hol_observer f, const void *user,
                                       hol_error *error);
HOL_API hol_status hol_observe(hol_simulation *simulation, int64_t every, hol_observer f, void *user,
                               hol_error *error);

/* Adds a force of the caller's to every replica, or removes the one with this function and user that was
 * added last, between any two steps: the steps that follow have the bits of a run with these forces. user may
 * be NULL. Columns change with the forces (hol_columns). The potential energy changes by that of the force,
 * and so does the conserved energy. HOL_INPUT: the steps of the input are no word of A and B
 * (integrator.method); there is no such force to remove. At every evaluation of forces f gets the positions
 * of all replicas in one call, by the thread that is in the library's function, and gives forces and
 * energies. Where only some replicas are wanted (one was set, or is looked at) it gets these, in a call for
 * each that are side by side; never two calls at once. With HOL_THREADS the replicas need not wait for each
 * other: several threads may be in f, each with a few others of them, which is faster where a call costs
 * little.
 *
 * Of the simulation f may call hol_stop alone. A status other than HOL_OK ends the step with that status and
 * the message in *error; so do forces, energies and virials that are not finite, with the replica and the
 * step (HOL_RUN). A step that such an end cuts short is as after HOL_RUN. The run is the same for any number
 * of threads and after a restart if what f gives a replica depends on its part of the call alone.
 *
 * `size` is that of the struct in the library: what a later version adds is behind it. virial is the sum over
 * sites of x_a f_b, for pressures of boxes; left zero, these leave out what f does between molecules. */
typedef struct hol_force_call {
  size_t size;
  int64_t step;          /* steps done                                                */
  int replica, replicas; /* the first of those in this call, and how many             */
  int sites, dimensions;
  const double *x;         /* [replicas][sites][dimensions] positions, A; molecules are whole */
  const double *box;       /* [replicas][9] as of hol_get_box                               */
  double *f;               /* [replicas][sites][dimensions] kcal/mol/A: zero, to be set      */
  double *energy;          /* [replicas] kcal/mol: zero, to be set                          */
  double *virial;          /* [replicas][9] kcal/mol: zero, to be set or left               */
  int parameters;          /* of the Hamiltonian: hol_parameters                            */
  const double *parameter; /* [replicas][parameters] their values                     */
  double *slope; /* [replicas][parameters] dU/dparameter of this force: zero, to be set where it is wanted */
} hol_force_call;
typedef hol_status (*hol_force)(void *user, hol_force_call *call, hol_error *error);
enum { HOL_THREADS = 1 };
HOL_API hol_status hol_add_force(hol_simulation *simulation, hol_force f, void *user, unsigned flags,
                                 hol_error *error);
HOL_API hol_status hol_remove_force(hol_simulation *simulation, hol_force f, const void *user,
                                    hol_error *error);

/* Saves all that changes in a run in one file, and loads it into a simulation of the same input, which need
 * not have started: no start is built then, and the run goes on to the bit. Forces from outside are not in
 * the file: a state that was saved with more of them than the simulation has is HOL_INPUT; where it has more,
 * they act from there on. A file that is there is written over if it was saved so or is empty; anything else
 * there is HOL_INPUT. */
HOL_API hol_status hol_save(hol_simulation *simulation, const char *file, hol_error *error);
HOL_API hol_status hol_load(hol_simulation *simulation, const char *file, hol_error *error);

/* The same in memory of the caller's. *size is what is needed; where `room` is less, nothing is written:
 * HOL_OK with room 0 (memory may be NULL), which is how to ask, else HOL_INPUT. It is the same for all states
 * of a simulation. */
HOL_API hol_status hol_save_memory(hol_simulation *simulation, void *memory, size_t room, size_t *size,
                                   hol_error *error);
HOL_API hol_status hol_load_memory(hol_simulation *simulation, const void *memory, size_t size,
                                   hol_error *error);

/* All keys of input files as JSON: a list of {"key", "type", "wanted", "units", "above" or "from", "below" or
 * "to", "choices", "default", "systems", "help" and so on}, each where it says something. hol_free frees it;
 * NULL is fine there. */
HOL_API hol_status hol_keys(char **json, hol_error *error);
/* All water models as JSON: a list of {"name", "d_oh" and "angle" (A, degrees), "q_h" (e; the negative charge
 * is -2 q_h), "a" and "c" (Lennard-Jones of oxygens, A/r^12 - C/r^6, kcal A^n/mol), "d_om", "d_ol" (A; 0:
 * there is no such site)}. */
HOL_API hol_status hol_waters(char **json, hol_error *error);
HOL_API void hol_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
