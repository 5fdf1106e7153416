/* The struct of a simulation, and functions that its source files share. */
#ifndef HOLONOM_SIMULATION_SIMULATION_PRIVATE_H
#define HOLONOM_SIMULATION_SIMULATION_PRIVATE_H

#include "base/arena.h"
#include "engine/units.h"
#include "methods/hamiltonian.h"
#include "observables/isomers.h"
#include "observables/rdf.h"
#include "simulation/ensemble/barostat.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/ensemble/hills.h"
#include "simulation/ensemble/pull.h"
#include "simulation/ensemble/schedule.h"
#include "simulation/ladder/ladder.h"
#include "simulation/measure/measurement.h"
#include "simulation/simulation.h"
#include "simulation/sort.h"
#include "topology/topology.h"

/* The number of steps between two checks of files and flags: about a quarter of a second. */
typedef struct Pace {
  int64_t steps;
} Pace;
static inline Pace simulation_pace(void) { return (Pace){16}; }

static inline void simulation_pace_took(Pace *pace, int64_t steps, double seconds)
{
  if (steps == pace->steps && seconds < 0.125 && pace->steps < INT64_MAX / 4)
    pace->steps *= 2;
  else if (seconds > 0.5 && pace->steps > 1)
    pace->steps /= 2;
}

/* Per-replica data of changes that the caller made. */
typedef struct SimulationReplica {
  int64_t draws; /* number of momentum draws: simulation_draw */
  int64_t moved; /* 1: positions were set and not yet checked against constraints */
  double kT;     /* temperature that was set; 0: none */
} SimulationReplica;

/* Settings that may change between steps, saved with the state: time step, friction, the step since which
 * this time step applies with the time passed by then, and the number of external forces. */
typedef struct SimulationSettings {
  double h, gamma; /* AKMA; friction of the Langevin thermostat, else 0 */
  int64_t since;
  double time;
  int64_t forces; /* as of simulation_chunks */
} SimulationSettings;

struct Recorder;

struct Simulation {
  const Sort *sort;
  void *own; /* data of the sort */
  const Config *config;
  Config *owned; /* the configuration, if the simulation owns it */
  Isa isa;
  int threads;
  double kT, h; /* kcal/mol, AKMA: those of the settings */
  SimulationSettings settings;
  RandomPurpose purpose; /* of the noise; 0: RANDOM_THERMOSTAT */
  int64_t steps, equilibration;
  /* Set by the sort. */
  int nkind; /* group types and the number of each; other code uses the topology */
  const Kind **kind;
  int *lanes;
  double *friction;      /* [nkind] of thermostat.frictions, AKMA, or NAN; NULL: one friction */
  Arena arena;           /* of these: simulation_room_for_kinds */
  Parameters parameters; /* values by replica, stored in the arena */
  double *states;        /* [exchange.number][parameters.n] values in the states of a ladder */
  InputKey contents;     /* the key that defines the molecules, for messages */
  uint64_t digest;       /* of a molecules file; 0: the input has all data */
  Box box;               /* all zero: no box */
  Plan *plan;            /* may be made at the start */
  int replicas, width;   /* the last batch may be partly filled */
  int first, end;        /* batches in this process's memory; 0, 0: all */
  bool constrained;      /* by exact constraints */
  bool terms;            /* molecules have force-field terms */
  /* At the start: the fraction of motions too fast to exchange energy with the others; the mean of (h W)^2
   * weighted by friction over its plain mean, NAN: unknown. */
  double apart, counted;
  /* Derived from these. */
  size_t coordinates;                            /* of all sites */
  int ncon;                                      /* constraints of the first molecule */
  int nlambda;                                   /* of all molecules if multipliers are stored; else 0 */
  struct hol_topology *described;                /* for hol_get_topology; NULL: not made yet */
  struct SimulationVirtual *virtual;             /* NULL: not made yet */
  Topology *topology;                            /* molecules as lanes: the sort's, or one lane each */
  const struct Labels *labels;                   /* names of atoms; NULL: those of their kinds */
  const RdfSites *sites;                         /* sites of g(r) that the input names; NULL: none */
  const struct HydrogenBondList *hydrogen_bonds; /* donors and acceptors; NULL: not molecules */
  Landscape landscape;                           /* of molecules in open space; all zero in other systems */
  const MetadynamicsBias *metadynamics;          /* NULL: none */
  struct Plumed *plumed;                         /* the sort's biases of PLUMED; NULL: none */
  const CollectiveList *collective; /* [COORDINATES] collective variables of the input; NULL: none */
  const struct FreeEnergyList *free_energies; /* biases and their windows; NULL: none */
  /* During a run. */
  ExternalRow *force;
  int nforce;
  External *external; /* the forces `force`, with an ensemble */
  struct SimulationWatch {
    SimulationObserver function;
    void *user;
    int64_t every;
  } * observer;
  int nobserver;
  Ensemble *ensemble;
  Ladder *ladder;       /* temperatures by replica; NULL: one temperature */
  Barostat *barostat;   /* NULL: the volume is constant */
  Hills hills;          /* of metadynamics; all zero: none */
  Pull *pull;           /* NULL: none */
  Schedule schedule;    /* all zero: constant conditions */
  Move move[MOVES_MAX]; /* those of ladder or schedule, barostat, and metadynamics or pull */
  int nmove;
  Measurement *measurement; /* columns of the sort */
  struct Recorder *look;    /* of simulation_look; NULL: not made yet */
  bool started;
  bool torn;                  /* a step failed: the states are invalid */
  Error fault;                /* its error */
  bool moved;                 /* positions were set and not all are checked: SimulationReplica */
  bool *stale;                /* [batches in memory] something was set: forces must be computed first */
  SimulationReplica *replica; /* [replicas in memory]: simulation_replica */
  int64_t version;            /* number of changes of states */
  int64_t *changed;           /* [batches in memory] version of the last change, and ... */
  int64_t *looked;            /* ... version of the last simulation_look */
  Vec8 *thermal; /* [batches][momenta] right after the last O, for simulation_look; NULL: not stored */
  int64_t thermal_version; /* version of a batch's state that `thermal` belongs to */
  double *lambda;          /* [replicas in memory][nlambda] after the last step: simulation_lambda */
  Pace pace;               /* of simulation_step */
  const Sampler *with;     /* samples of the current steps */
  State *scratch;          /* one replica with its forces, for simulation_get; NULL: not made yet */
  ForceField scratch_field;
  Box scratch_choice; /* the box that both were made for */
};

/* The time at the end of a step, AKMA, with the present settings. */
static inline double simulation_time_at(const Simulation *s, int64_t step)
{
  return s->settings.time + (double)(step - s->settings.since) * s->h;
}

static inline int simulation_batches(const Simulation *s) { return (s->replicas + s->width - 1) / s->width; }

/* The friction of all atoms together: the mean of thermostat.friction and frictions by mass, or, with the
 * convention uniform, by atoms. */
double simulation_friction_mean(const Simulation *simulation);

/* For the sort, before it makes group types: allocates room for `most` of them. STATUS_MEMORY. */
Status simulation_room_for_kinds(Simulation *simulation, size_t most, Error *error);

/* The multipliers of a replica in memory. */
static inline double *simulation_lambda(const Simulation *s, int replica)
{
  return s->lambda + (size_t)(replica - s->first * s->width) * (size_t)s->nlambda;
}

static inline SimulationReplica *simulation_replica(const Simulation *s, int replica)
{
  return &s->replica[replica - s->first * s->width];
}

/* The index of a replica's batch among those in memory. */
static inline int simulation_place_of(const Simulation *s, int replica)
{
  return replica / s->width - s->first;
}

/* Records that a replica was set. */
static inline void simulation_changed(Simulation *s, int replica)
{
  s->stale[simulation_place_of(s, replica)] = true;
  s->changed[simulation_place_of(s, replica)] = ++s->version;
}

/* A temperature, K; kT in reduced units. */
static inline double simulation_kelvin(const Simulation *s, double kT)
{
  return s->config->reduced ? kT : kT / UNITS_BOLTZMANN;
}

/* STATUS_INPUT: no start, or no such replica. */
Status simulation_check_replica(const Simulation *simulation, int replica, Error *error);

/* Records that all states have changed. */
void simulation_all_changed(Simulation *simulation);

void simulation_topology_free(Simulation *simulation);

/* simulation_scratch.c: forces of a replica into x[coordinates], and the energy of all terms. A second field
 * with one thread evaluates them, so that the state and the data that forces keep between steps do not
 * change. */
Status simulation_scratch_forces(Simulation *simulation, int replica, double *x, double *energy,
                                 Error *error);
void simulation_scratch_free(Simulation *simulation);

/* simulation_field.c: the input of the forces, without callers' forces and PLUMED; the forces of such an
 * input (NULL: of the simulation's), appended to `field`; the field of a run, with both. Errors: STATUS_INPUT
 * with file, line and key; STATUS_MEMORY. */
FieldInput simulation_field_input(const Simulation *simulation);
Status simulation_field_create(const Simulation *simulation, const FieldInput *input, const State *shape,
                               ForceField *field, Error *error);
Status simulation_field(const void *self, const State *shape, ForceField *field, Error *error);

/* Check whether positions that were set meet the constraints: of all replicas, of a batch in memory, or of
 * one replica. Errors: STATUS_INPUT with replica and molecule. */
Status simulation_project_check(Simulation *simulation, Error *error);
Status simulation_project_batch(const Simulation *simulation, int place, Error *error);
Status simulation_project_met(const Simulation *simulation, int replica, Error *error);

/* Projects coordinates and momenta q, p[coordinates] onto the constraints of all molecules, exact or
 * penalised; own[2 * coordinates] is scratch. Errors: STATUS_INPUT: too far from them; STATUS_MEMORY. */
Status simulation_project_molecules(const Simulation *simulation, double *q, double *p, double *own,
                                    Error *error);

/* Parameters of the Hamiltonian from the input: names and default values before the sort makes its forces;
 * values of all replicas once their number is known. Errors: STATUS_MEMORY. */
Status simulation_parameters_name(Simulation *simulation, Error *error);
Status simulation_parameters_create(Simulation *simulation, Error *error);

/* Checks that lists of a schedule have a value for each replica, whose number clusters round up. Errors:
 * STATUS_INPUT with file, line and key. */
Status simulation_parameters_schedule(const Simulation *simulation, Error *error);

/* simulation_biases.c: makes the pull of the input, if there is one; sets metadynamics and pull back to their
 * start. STATUS_INPUT if they need the temperature, the time step, or a parameter as it is in the input. */
Status simulation_biases_pull(Simulation *simulation, Error *error);
void simulation_biases_clear(const Simulation *simulation);
Status simulation_biases_temperature(const Simulation *simulation, Error *error);
Status simulation_biases_timestep(const Simulation *simulation, Error *error);
Status simulation_biases_parameter(const Simulation *simulation, int parameter, Error *error);

/* For a whole run: the folder for files that PLUMED writes, and their end. Errors: the folder cannot be made;
 * PLUMED is not there (STATUS_INPUT with file, line and key); those of plumed_close. */
Status simulation_biases_files(const Simulation *simulation, const char *folder, bool resume, Error *error);
Status simulation_biases_end(const Simulation *simulation, Error *error);

/* Evaluates a query for one replica at its positions (width 1), and its potential energy. Errors: those of
 * forces. */
Status simulation_scratch_respond(Simulation *simulation, int replica, const ParameterQuery *query,
                                  double *potential, Error *error);

/* kT of a replica now; a ladder exchanges it. */
double simulation_kT(const Simulation *simulation, int replica);

/* Makes the ensemble with all forces but no start, unless it exists; frees all that this made. */
Status simulation_prepare(Simulation *simulation, Error *error);
void simulation_prepare_free(Simulation *simulation);

/* Rebuilds the forces after a change of external forces, or the plan after a change of settings, with the
 * states unchanged. Before the start it frees the old ones only. After an error nothing has changed. Errors:
 * those of plan and forces; STATUS_MEMORY. */
Status simulation_prepare_anew(Simulation *simulation, Error *error);
Status simulation_prepare_settings(Simulation *simulation, const SimulationSettings *to, Error *error);

/* The plan options of the input, with the present settings. */
PlanOptions simulation_prepare_plan(const Simulation *simulation);

/* The parts of simulation_start: finds the start; places all replicas of the ensemble there. */
Status simulation_find_start(Simulation *simulation, const SimulationStart *how, Error *error);
Status simulation_place(Simulation *simulation, Error *error);

/* The state, for checkpoints; and numbers and names of the kinds, "216 tip3p, 2 Na", which may come from a
 * start file or a molecules file. */
void simulation_chunks(Simulation *simulation, ChunkList *chunks);
void simulation_contents(const Simulation *simulation, char *words, size_t size);

/* simulation_look, for a replica in memory whose forces are current. */
Status simulation_look_now(Simulation *simulation, int replica, double *value, Error *error);

/* Compute the forces of replicas that were set, whose positions must meet the constraints: of all replicas,
 * or of one. */
Status simulation_step_ready(Simulation *simulation, Error *error);
Status simulation_step_ready_for(Simulation *simulation, int replica, Error *error);

/* Samples some batches at the present step, as ensemble_sample_some; after simulation_step with the momenta
 * right after the last O. */
Status simulation_step_sample(Simulation *simulation, const bool *which, const Sampler *with, unsigned due,
                              Error *error);

/* Steps to `until`, with the samples of `with` (NULL: none), without calling observers. */
Status simulation_step_to(Simulation *simulation, int64_t until, const Sampler *with, Error *error);

/* The next step at which an observer is due, at most `until`; and calls the observers that are due now. */
int64_t simulation_step_next_stop(const Simulation *simulation, int64_t step, int64_t until);
Status simulation_step_observers(Simulation *simulation, Error *error);

#endif
