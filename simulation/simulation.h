/* What is simulated: a system of any sort (a cluster or a box of molecules, sites with formulas, a
 * Hamiltonian) from its input, in memory: its replicas, its forces, its observers. Commands, exhibits and
 * bindings drive one of these; what differs between the sorts is in their rows (simulation/sort.h) and
 * nowhere else.
 *
 * One thread at a time may be in a simulation, several simulations may be in several threads.
 *
 * Stepping is one function, simulation_step_to: forces first where something was set, then the ensemble to a
 * step, with the samples that a run takes, and the multipliers of the last step. Between two steps, and never
 * within, the caller's thread may look, set and go on; where calls are cut changes no bit. What is set is
 * noted by batch, and looked at before it is used (simulation_project.c). Forces that are asked for are
 * computed anew on one replica by itself, since those in a state are what the acceleration map made of
 * them. */
#ifndef HOLONOM_SIMULATION_SIMULATION_H
#define HOLONOM_SIMULATION_SIMULATION_H

#include <stdio.h>

#include "base/flag.h"
#include "config/config.h"
#include "engine/kind.h"
#include "forcefields/external.h"
#include "simulation/parts/checkpoint.h"

typedef struct Simulation Simulation;

/* Threads in place of the configuration's: as many as cores_default says (engine/cores.h). */
enum { SIMULATION_ALL_THREADS = -1 };

/* From a configuration, which must outlive it. threads: 0 takes the configuration's. Kinds
 * and plan are made and checked; forces and replicas come with the start. Errors: STATUS_INPUT with file,
 * line and key for what does not go together, STATUS_MEMORY. */
Status simulation_create(Simulation **simulation, const Config *config, int threads, Error *error);

/* The same straight from a file, or from a text whose name stands for the file, with overrides "key=value";
 * then it owns the configuration. */
Status simulation_load(Simulation **simulation, const char *path, const char *const *set, int nset,
                       Error *error);
Status simulation_parse(Simulation **simulation, const char *name, const char *text, const char *const *set,
                        int nset, Error *error);
void simulation_free(Simulation *simulation); /* NULL is fine */

/* Adds a force of the caller's to every replica, or removes the one of this function and user that was added
 * last: between any two steps. Columns are then others. After an error nothing has changed. Errors:
 * STATUS_INPUT: a method (integrator.method, a Hamiltonian) takes no forces from outside; there is no such
 * force; STATUS_MEMORY. */
Status simulation_add_force(Simulation *simulation, const ExternalRow *force, Error *error);
Status simulation_remove_force(Simulation *simulation, const ExternalRow *force, Error *error);

/* The time step, AKMA, and the friction of Langevin's thermostat, 1/AKMA or, with the convention uniform,
 * u/AKMA (NAN: another thermostat). Set, they hold for the steps to come and are saved with the state. After
 * an error nothing has changed. Errors: STATUS_INPUT: not such a number, a step that the input's checks would
 * refuse, no friction to change; STATUS_MEMORY. */
double simulation_timestep(const Simulation *simulation);
double simulation_friction(const Simulation *simulation);
Status simulation_set_timestep(Simulation *simulation, double h, Error *error);
Status simulation_set_friction(Simulation *simulation, double gamma, Error *error);

/* STATUS_INPUT: a whole run cannot begin here, since there was a start or settings are not the input's. */
Status simulation_fresh(const Simulation *simulation, Error *error);

/* How a start is found. All zero: built or read silently. */
typedef struct SimulationStart {
  const char *folder; /* of a run: a start that was built there is taken if it fits
                       * (simulation/start/cluster.h); NULL */
  const char *given;  /* the same of another run's folder, which must fit; NULL: none */
  FILE *out;          /* progress; NULL: silent */
  const Flag *stop;   /* STATUS_RUN, soon, once it is raised; NULL: never */
} SimulationStart;

/* Builds or reads the start, makes the ensemble, puts all replicas there, draws momenta, computes forces.
 * how: NULL is all zero. Errors: STATUS_INPUT with file, line and key, those of forces, STATUS_MEMORY. */
Status simulation_start(Simulation *simulation, const SimulationStart *how, Error *error);

/* All replicas go on n steps, after the start if there was none. how: NULL is all zero; a flag that is raised
 * ends it early and cleanly between two steps. STATUS_RUN with step and molecule: the state is of no use
 * then, but for a restart (simulation_sound). Where calls are cut changes no bit. */
Status simulation_step(Simulation *simulation, int64_t n, const SimulationStart *how, Error *error);

/* What cut a step short, and has not been mended by a restart. */
Status simulation_sound(const Simulation *simulation, Error *error);

/* What there is. Sites and so on are those of one replica, all kinds. */
const Config *simulation_config(const Simulation *simulation);
const char *simulation_sort(const Simulation *simulation); /* "cluster", "box", "sites", "hamiltonian" */
int simulation_replicas(const Simulation *simulation);  /* as run: of clusters rounded up to whole groups */
double simulation_worked(const Simulation *simulation); /* s: ensemble_worked; 0 before the start */
int simulation_dimensions(const Simulation *simulation);
int simulation_sites(const Simulation *simulation);
int simulation_molecules(const Simulation *simulation);
int simulation_freedom(const Simulation *simulation); /* degrees of freedom that share kinetic energy */
int simulation_freedom_removed(
    const Simulation *simulation);                        /* of the whole, which thermostat.remove takes */
int simulation_constraints(const Simulation *simulation); /* of all molecules, exact or penalised */
int64_t simulation_done(const Simulation *simulation);    /* steps */
bool simulation_started(const Simulation *simulation);
double simulation_time(const Simulation *simulation); /* AKMA, or the input's own units */

/* Of the thermostat of a replica, K, or kT of reduced units: of a ladder, once started, that which it has
 * now. NAN: no such replica, or no temperature. */
double simulation_temperature(const Simulation *simulation, int replica);

/* Parameters of the Hamiltonian, numbered from 0: how many there are, the number of a name (-1: no such), the
 * name and the unit of each (NULL: no such), the value of a replica, and another one, which holds from the
 * next step on. Errors: STATUS_INPUT (no such parameter or replica; a value that is not finite, or negative
 * where that has no meaning; values of a ladder's states). simulation_parameter_set takes what
 * simulation_parameter_check has taken, after the start. */
int simulation_parameters(const Simulation *simulation);
int simulation_parameter_find(const Simulation *simulation, const char *name);
const char *simulation_parameter_name(const Simulation *simulation, int parameter);
const char *simulation_parameter_unit(const Simulation *simulation, int parameter);
Status simulation_parameter_get(const Simulation *simulation, int parameter, int replica, double *value,
                                Error *error);
Status simulation_parameter_check(const Simulation *simulation, int parameter, double value, Error *error);
void simulation_parameter_set(Simulation *simulation, int parameter, int replica, double value);

/* The energy of a replica at its positions (all but penalties, kcal/mol) with other values of the parameters,
 * set[nset][parameters], into energy[nset]; and dU/dparameter at its own values into slope[parameters].
 * Errors: STATUS_INPUT as above, those of forces. */
Status simulation_parameter_energies(Simulation *simulation, int replica, int nset, const double *set,
                                     double *energy, double *slope, Error *error);

/* The number of a replica's ladder, and of the temperature that it has now, from the lowest; -1: it belongs
 * to none, since replicas go in whole batches. After the start. STATUS_INPUT: no such replica, no ladder. */
Status simulation_ladder(const Simulation *simulation, int replica, int *ladder, int *temperature,
                         Error *error);

/* Of a replica; it lives as long as the simulation. Errors: STATUS_MEMORY. */
struct hol_topology;
Status simulation_topology(Simulation *simulation, const struct hol_topology **topology, Error *error);

/* Of a replica that there is, for the steps and draws to come. Errors, STATUS_INPUT: it is not positive, or
 * there is none to change. */
Status simulation_check_temperature(const Simulation *simulation, double kelvin, Error *error);
void simulation_set_temperature(Simulation *simulation, int replica, double kelvin);

/* Coordinates [site][dim] of one replica in the order of molecules (topology.h), in angstrom and AKMA
 * units (or the input's own). Forces are -grad of the energies between molecules, of formulas and from
 * outside, without those of constraints and penalties, computed anew. */
typedef enum SimulationField {
  SIMULATION_POSITIONS,
  SIMULATION_MOMENTA,
  SIMULATION_VELOCITIES,
  SIMULATION_FORCES
} SimulationField;

/* After the start. Errors: STATUS_INPUT: no such replica, not started, no forces to be had (a Hamiltonian);
 * those of forces. */
Status simulation_get(Simulation *simulation, SimulationField field, int replica, double *x, Error *error);

/* The caller's forces of all replicas at once, for who is about to ask for energies or forces of one after
 * the other: these then call nobody. */
void simulation_scratch_ask(Simulation *simulation);

/* Where energies, forces and virials go; each may be NULL. */
typedef struct SimulationEvaluation {
  double *energy; /* [replicas] all terms whose forces are in f                       */
  double *f;      /* [replicas][coordinates] as SIMULATION_FORCES                      */
  double *virial; /* [replicas][9] sum over atoms of r_a f_b, of forces that know theirs */
} SimulationEvaluation;

/* Energies and forces of replicas from first up to before end at x[end - first][coordinates], in the boxes
 * that they have; the states stay untouched. After the start. Errors: STATUS_INPUT: there are no forces to be
 * had (a Hamiltonian); those of forces. */
Status simulation_scratch_evaluate(Simulation *simulation, int first, int end, const double *x,
                                   const SimulationEvaluation *to, Error *error);

/* Positions and momenta together, [coordinates] each; replica is one that there is. */
int simulation_coordinates(const Simulation *simulation);
void simulation_get_point(const Simulation *simulation, int replica, double *x, double *p);
Status simulation_set_point(Simulation *simulation, int replica, const double *x, const double *p,
                            Error *error);

/* Positions, momenta or velocities, as they are. Forces follow before the next use, which is refused where
 * positions break constraints that are kept (STATUS_INPUT, with the molecule): simulation_project. Momenta
 * stay as they are when positions are set, and are then tangent to the constraints no more. Errors: as above.
 */
Status simulation_set(Simulation *simulation, SimulationField field, int replica, const double *x,
                      Error *error);

/* Positions onto the constraints that are kept exactly, along their gradients over the masses, and momenta
 * onto the space that the plan moves in (tangent to them; without the motions that are taken out). Momenta
 * only lose by it. Errors: STATUS_INPUT: too far from them, after which nothing has changed; STATUS_MEMORY.
 */
Status simulation_project(Simulation *simulation, int replica, Error *error);

/* Momenta anew, from the Maxwellian on that space at the temperature that the replica has now: others at each
 * call, the same in each run. Positions must meet the constraints. Errors: STATUS_INPUT: no temperature, a
 * Hamiltonian; STATUS_MEMORY. */
Status simulation_draw(Simulation *simulation, int replica, Error *error);

/* The periodic box, all zero where there is none. Set, it must stay periodic and wide enough for the cutoff;
 * positions stay as they are. Errors: STATUS_INPUT, STATUS_MEMORY. */
Box simulation_box(const Simulation *simulation, int replica);
Status simulation_set_box(Simulation *simulation, int replica, const Box *box, Error *error);

/* Numbers of one replica as it is now: energies by term, temperature, pressures, momenta, the largest
 * constraint; the columns of thermo.csv and energy.csv. Names and units live until forces or settings
 * change. */
typedef struct SimulationColumns {
  int n;
  const char *const *name, *const *unit; /* [n] */
} SimulationColumns;

/* Errors: those of making forces, as far as there was no start. */
Status simulation_columns(Simulation *simulation, SimulationColumns *columns, Error *error);
Status simulation_look(Simulation *simulation, int replica, double *value, Error *error);

/* lambda[simulation_constraints] of a replica after the last step, molecule after molecule: see
 * walk_multipliers. Errors: STATUS_INPUT: there are no constraints, or none were kept
 * (output.multipliers_every: 0). */
Status simulation_multipliers(const Simulation *simulation, int replica, double *lambda, Error *error);

/* A function that is called in the caller's thread after every step that is a multiple of `every`. What it
 * returns but STATUS_OK ends the steps. */
typedef Status (*SimulationObserver)(void *user, Simulation *simulation, Error *error);
Status simulation_observe(Simulation *simulation, int64_t every, SimulationObserver observer, void *user,
                          Error *error);

/* The one of this function and user that was added last is called no more. STATUS_INPUT: there is none. */
Status simulation_unobserve(Simulation *simulation, SimulationObserver observer, const void *user,
                            Error *error);

/* All that changes, in a file or in memory, and back (the form of checkpoint.hol; a run's own can be read,
 * too). Errors: STATUS_INPUT: another input or build, a damaged file; STATUS_IO, STATUS_MEMORY. */
Status simulation_save_size(Simulation *simulation, size_t *size, Error *error); /* bytes, in memory */
Status simulation_save(Simulation *simulation, const CheckpointStore *place, Error *error);
Status simulation_restore(Simulation *simulation, const CheckpointStore *place, Error *error);

/* Prints what `holonom check` says first: what the input means, whether the time step suits it, notes, and
 * warnings, which it counts. Errors: those of the start, and STATUS_INPUT where the step is too long. */
Status simulation_check(Simulation *simulation, const SimulationStart *how, FILE *out, int *warnings,
                        Error *error);

/* A whole run into a folder. */
typedef struct SimulationRun {
  const char *dir;  /* made if absent                                       */
  bool force;       /* write over the results of an earlier run             */
  bool resume;      /* go on with that run, from its checkpoint             */
  bool again;       /* a run that ended before its first checkpoint begins anew */
  bool other_build; /* also if another build began it, with other last bits */
  bool part;        /* only replicas `first` to `last`, to be merged          */
  int first, last;
  const char *from;          /* of a part: begins with the run of all in this folder, as it stands;
                              * NULL: at the start                                    */
  int nparts;                /* no steps are taken: the run is put together from parts */
  const char *const *parts;  /* in these folders                                     */
  const struct Ranks *ranks; /* processes that share it out; NULL: this one alone    */
  const char *start;         /* folder of a run whose built start is taken, or NULL  */
  FILE *out;                 /* progress and closing words; NULL: silent             */
  const Flag *stop;          /* raised: end cleanly, soon                            */
  struct ResultSet *found;   /* gets what the run has found, which the caller frees; NULL: not wanted */
} SimulationRun;

/* Runs and writes everything, of a part of the replicas a checkpoint and what was sampled; a simulation that
 * is fresh. Resumed, it goes on to the bit: what two runs leave, the second a resumption of the first, is
 * what one run as long as both leaves, but for the times that they took. An interrupted run is STATUS_OK, its
 * files say how far it came; one that goes wrong is STATUS_RUN, with everything up to there written. */
Status simulation_run(Simulation *simulation, const SimulationRun *options, Error *error);

#endif
