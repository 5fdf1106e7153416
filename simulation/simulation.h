/* Simulations in memory: a system of any sort with its replicas, forces and observers, made from its input.
 * Commands and bindings use this interface; differences between sorts are in simulation/sort.h.
 *
 * One thread at a time may use a simulation; different threads may use different simulations.
 *
 * simulation_step_to is the one function that steps: forces first where something was set, then the ensemble
 * up to a step with a run's samples, then the multipliers of the last step. Between two steps the calling
 * thread may read, set and continue; splitting a run into calls changes no bit. Changes are recorded by batch
 * and checked before use (simulation_project.c). Forces that a caller reads are evaluated anew on a copy of
 * one replica, since the acceleration map changes those in a state. */
#ifndef HOLONOM_SIMULATION_SIMULATION_H
#define HOLONOM_SIMULATION_SIMULATION_H

#include <stdio.h>

#include "base/flag.h"
#include "config/config.h"
#include "engine/kind.h"
#include "forcefields/external.h"
#include "simulation/parts/checkpoint.h"

typedef struct Simulation Simulation;

/* As many threads as cores_default returns (engine/cores.h), in place of the configuration's number. */
enum { SIMULATION_ALL_THREADS = -1 };

/* Makes a simulation, its group types and its plan from a configuration, which must outlive it. threads: 0
 * selects the configuration's number. Forces and replicas come with the start. Errors: STATUS_INPUT with
 * file, line and key for settings that do not fit together; STATUS_MEMORY. */
Status simulation_create(Simulation **simulation, const Config *config, int threads, Error *error);

/* Makes a simulation from a file, or from a text that messages call `name`, with overrides "key=value". The
 * simulation owns its configuration. */
Status simulation_load(Simulation **simulation, const char *path, const char *const *set, int nset,
                       Error *error);
Status simulation_parse(Simulation **simulation, const char *name, const char *text, const char *const *set,
                        int nset, Error *error);
void simulation_free(Simulation *simulation); /* may be NULL */

/* Adds a caller's force to every replica, or removes the one with this function and user that was added last,
 * between any two steps. The columns change with it. After an error nothing has changed. Errors:
 * STATUS_INPUT: the method (integrator.method, a Hamiltonian) allows no external forces, or there is no such
 * force; STATUS_MEMORY. */
Status simulation_add_force(Simulation *simulation, const ExternalRow *force, Error *error);
Status simulation_remove_force(Simulation *simulation, const ExternalRow *force, Error *error);

/* The time step, AKMA, and the friction of the Langevin thermostat, 1/AKMA, or u/AKMA with the convention
 * uniform (NAN: another thermostat). New values apply from the next step and are saved with the state. After
 * an error nothing has changed. Atoms of thermostat.frictions keep theirs. Errors: STATUS_INPUT: the value is
 * invalid, the input's checks refuse the step, or there is no friction to change; STATUS_MEMORY. */
double simulation_timestep(const Simulation *simulation);
double simulation_friction(const Simulation *simulation);
Status simulation_set_timestep(Simulation *simulation, double h, Error *error);
Status simulation_set_friction(Simulation *simulation, double gamma, Error *error);

/* STATUS_INPUT: a whole run cannot begin, since the simulation has started or its settings are not the
 * input's. */
Status simulation_fresh(const Simulation *simulation, Error *error);

/* How a start is found. All zero: built or read, without output. */
typedef struct SimulationStart {
  const char *folder; /* folder of the run: a start that was built there is used if it fits
                         (simulation/start/cluster.h); NULL: none */
  const char *given;  /* folder of another run, whose built start must fit; NULL: none */
  FILE *out;          /* progress; NULL: no output */
  const Flag *stop;   /* once raised, the start ends soon with STATUS_RUN; NULL: never */
} SimulationStart;

/* Builds or reads the start, makes the ensemble, places all replicas there, draws momenta, computes forces.
 * how: NULL is all zero. Errors: STATUS_INPUT with file, line and key; errors of forces; STATUS_MEMORY. */
Status simulation_start(Simulation *simulation, const SimulationStart *how, Error *error);

/* Advances all replicas by n steps; makes the start first if necessary. how: NULL is all zero; a raised
 * stop flag ends the call between two steps. STATUS_RUN with step and molecule: the state is invalid until a
 * restart (simulation_sound). */
Status simulation_step(Simulation *simulation, int64_t n, const SimulationStart *how, Error *error);

/* The error of a failed step, until a restart; otherwise STATUS_OK. */
Status simulation_sound(const Simulation *simulation, Error *error);

/* Properties. Sites, molecules and so on are counts of one replica, over all kinds. */
const Config *simulation_config(const Simulation *simulation);
const char *simulation_sort(const Simulation *simulation); /* "cluster", "box", "sites", "hamiltonian" */
int simulation_replicas(const Simulation *simulation);     /* clusters: rounded up to whole batches */
double simulation_worked(const Simulation *simulation);    /* s: ensemble_worked; 0 before the start */
int simulation_dimensions(const Simulation *simulation);
int simulation_sites(const Simulation *simulation);
int simulation_molecules(const Simulation *simulation);
int simulation_freedom(const Simulation *simulation); /* degrees of freedom of the kinetic energy */
int simulation_freedom_removed(
    const Simulation *simulation); /* global degrees of freedom that thermostat.remove removes */
int simulation_constraints(const Simulation *simulation); /* of all molecules, exact or penalised */
int64_t simulation_done(const Simulation *simulation);    /* steps */
bool simulation_started(const Simulation *simulation);
double simulation_time(const Simulation *simulation); /* AKMA, or the input's own units */

/* The temperature of a replica's thermostat, K, or kT in reduced units; in a started ladder, the current one.
 * NAN: no such replica, or no temperature. */
double simulation_temperature(const Simulation *simulation, int replica);

/* Parameters of the Hamiltonian, numbered from 0. The index of an unknown name is -1; name and unit of an
 * invalid index are NULL. A new value applies from the next step; setting it needs a started simulation and a
 * value that simulation_parameter_check accepts. Errors: STATUS_INPUT: there is no such parameter or replica.
 * The value is not finite, or negative where it must not be. A ladder exchanges the parameter. */
int simulation_parameters(const Simulation *simulation);
int simulation_parameter_find(const Simulation *simulation, const char *name);
const char *simulation_parameter_name(const Simulation *simulation, int parameter);
const char *simulation_parameter_unit(const Simulation *simulation, int parameter);
Status simulation_parameter_get(const Simulation *simulation, int parameter, int replica, double *value,
                                Error *error);
Status simulation_parameter_check(const Simulation *simulation, int parameter, double value, Error *error);
void simulation_parameter_set(Simulation *simulation, int parameter, int replica, double value);

/* Computes the energy of a replica at its positions (without penalties, kcal/mol) with the parameters
 * set[nset][parameters] into energy[nset], and dU/dparameter at its own values into slope[parameters].
 * Errors: STATUS_INPUT as above; errors of forces. */
Status simulation_parameter_energies(Simulation *simulation, int replica, int nset, const double *set,
                                     double *energy, double *slope, Error *error);

/* The index of a replica's ladder, and that of its current temperature, 0 the lowest; -1: the replica is a
 * spare of a batch. Needs a start. STATUS_INPUT: no such replica, or no ladder. */
Status simulation_ladder(const Simulation *simulation, int replica, int *ladder, int *temperature,
                         Error *error);

/* The topology of a replica; lives as long as the simulation. Errors: STATUS_MEMORY. */
struct hol_topology;
Status simulation_topology(Simulation *simulation, const struct hol_topology **topology, Error *error);

/* Sets the temperature of an existing replica for later steps and draws. simulation_check_temperature:
 * STATUS_INPUT: the value is not positive, or there is no temperature to change. */
Status simulation_check_temperature(const Simulation *simulation, double kelvin, Error *error);
void simulation_set_temperature(Simulation *simulation, int replica, double kelvin);

/* Coordinates [site][dim] of one replica, ordered by molecule (topology.h), in A and AKMA units (or the
 * input's own). Forces are -grad of all interactions, formulas and external forces, without those of
 * constraints and penalties; they are evaluated anew. */
typedef enum SimulationField {
  SIMULATION_POSITIONS,
  SIMULATION_MOMENTA,
  SIMULATION_VELOCITIES,
  SIMULATION_FORCES
} SimulationField;

/* Needs a start. Errors: STATUS_INPUT: no such replica, no start, no forces (a Hamiltonian); errors of
 * forces. */
Status simulation_get(Simulation *simulation, SimulationField field, int replica, double *x, Error *error);

/* Evaluates the caller's forces for all replicas in one call, for a caller that next reads energies or forces
 * of each replica. */
void simulation_scratch_ask(Simulation *simulation);

/* Results of an evaluation; each may be NULL. */
typedef struct SimulationEvaluation {
  double *energy; /* [replicas] all terms whose forces are in f */
  double *f;      /* [replicas][coordinates] as SIMULATION_FORCES */
  double *virial; /* [replicas][9] sum over atoms of r_a f_b, over forces that have a virial */
} SimulationEvaluation;

/* Computes energies and forces of replicas first to end - 1 at x[end - first][coordinates] in their current
 * boxes; the states do not change. Needs a start. Errors: STATUS_INPUT: no forces (a Hamiltonian); errors of
 * forces. */
Status simulation_scratch_evaluate(Simulation *simulation, int first, int end, const double *x,
                                   const SimulationEvaluation *to, Error *error);

/* Positions and momenta together, [coordinates] each, of an existing replica. */
int simulation_coordinates(const Simulation *simulation);
void simulation_get_point(const Simulation *simulation, int replica, double *x, double *p);
Status simulation_set_point(Simulation *simulation, int replica, const double *x, const double *p,
                            Error *error);

/* Sets positions, momenta or velocities. The next use computes forces first, and refuses positions that
 * violate exact constraints (STATUS_INPUT, with the molecule): see simulation_project. Setting positions
 * leaves momenta unchanged, so they may no longer be tangent to the constraints. Errors: as above. */
Status simulation_set(Simulation *simulation, SimulationField field, int replica, const double *x,
                      Error *error);

/* Projects positions onto the exact constraints, along their gradients over the masses, and momenta onto the
 * plan's space (tangent to the constraints, without removed motions). Kinetic energy can only decrease.
 * Errors: STATUS_INPUT: too far from the constraints; nothing has changed; STATUS_MEMORY. */
Status simulation_project(Simulation *simulation, int replica, Error *error);

/* Draws momenta from the Maxwell distribution on that space at the replica's current temperature: different
 * ones at each call, the same in each run. Positions must meet the constraints. Errors: STATUS_INPUT: no
 * temperature, or a Hamiltonian; STATUS_MEMORY. */
Status simulation_draw(Simulation *simulation, int replica, Error *error);

/* The periodic box; all zero without one. A new box must be periodic and large enough for the cutoff;
 * positions do not change. Errors: STATUS_INPUT, STATUS_MEMORY. */
Box simulation_box(const Simulation *simulation, int replica);
Status simulation_set_box(Simulation *simulation, int replica, const Box *box, Error *error);

/* The columns of thermo.csv and energy.csv for one replica: energies by term, temperature, pressures,
 * momenta, the largest constraint. Names and units live until forces or settings change. */
typedef struct SimulationColumns {
  int n;
  const char *const *name, *const *unit; /* [n] */
} SimulationColumns;

/* Errors: those of making forces, if there was no start. */
Status simulation_columns(Simulation *simulation, SimulationColumns *columns, Error *error);
Status simulation_look(Simulation *simulation, int replica, double *value, Error *error);

/* Reads lambda[simulation_constraints] of a replica after the last step, ordered by molecule: see
 * walk_multipliers. Errors: STATUS_INPUT: there are no constraints, or output.multipliers_every is 0. */
Status simulation_multipliers(const Simulation *simulation, int replica, double *lambda, Error *error);

/* A function that is called in the calling thread after every step that is a multiple of `every`. A status
 * other than STATUS_OK ends the steps. */
typedef Status (*SimulationObserver)(void *user, Simulation *simulation, Error *error);
Status simulation_observe(Simulation *simulation, int64_t every, SimulationObserver observer, void *user,
                          Error *error);

/* Removes the observer with this function and user that was added last. STATUS_INPUT: there is no such
 * observer. */
Status simulation_unobserve(Simulation *simulation, SimulationObserver observer, const void *user,
                            Error *error);

/* Saves the state to a file or to memory, or restores it, in the format of checkpoint.hol (those of runs
 * included). Errors: STATUS_INPUT: another input or build, or a damaged file; STATUS_IO, STATUS_MEMORY. */
Status simulation_save_size(Simulation *simulation, size_t *size, Error *error); /* bytes in memory */
Status simulation_save(Simulation *simulation, const CheckpointStore *place, Error *error);
Status simulation_restore(Simulation *simulation, const CheckpointStore *place, Error *error);

/* Prints the first part of `holonom check`: the meaning of the input, the suitability of the time step,
 * notes, and warnings, which it counts. Errors: those of the start; STATUS_INPUT: the time step is too
 * long. */
Status simulation_check(Simulation *simulation, const SimulationStart *how, FILE *out, int *warnings,
                        Error *error);

/* A whole run into a folder. */
typedef struct SimulationRun {
  const char *dir;  /* created if absent */
  bool force;       /* overwrite the results of an earlier run */
  bool resume;      /* continue that run from its checkpoint */
  bool again;       /* restart a run that ended before its first checkpoint */
  bool other_build; /* also if another build began it: results differ in the last bits */
  bool part;        /* only replicas `first` to `last`, to be merged later */
  int first, last;
  const char *from;          /* of a part: begin with the whole run in this folder; NULL: at the start */
  int nparts;                /* number of parts: the run is merged from these without steps */
  const char *const *parts;  /* their folders */
  const struct Ranks *ranks; /* processes that share the run; NULL: only this one */
  const char *start;         /* folder of a run whose built start is used, or NULL */
  FILE *out;                 /* progress and closing words; NULL: no output */
  const Flag *stop;          /* once raised, the run ends soon and cleanly */
  struct ResultSet *found;   /* receives the results, which the caller frees; NULL: not needed */
} SimulationRun;

/* Runs a fresh simulation and writes all files; for a part of the replicas, a checkpoint and the samples. A
 * run and its resumption leave the same files as one run of their total length, except for times taken. An
 * interrupted run is STATUS_OK; its files contain the last step. A failed run is STATUS_RUN; everything up to
 * the fault is written. */
Status simulation_run(Simulation *simulation, const SimulationRun *options, Error *error);

#endif
