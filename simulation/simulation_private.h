/* What a simulation of any sort consists of. */
#ifndef HOLONOM_SIMULATION_SIMULATION_PRIVATE_H
#define HOLONOM_SIMULATION_SIMULATION_PRIVATE_H

#include "base/arena.h"
#include "engine/units.h"
#include "methods/hamiltonian.h"
#include "observables/isomers.h"
#include "observables/rdf.h"
#include "simulation/ensemble/barostat.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/ladder/ladder.h"
#include "simulation/measure/measurement.h"
#include "simulation/simulation.h"
#include "simulation/sort.h"
#include "topology/topology.h"

/* How many steps to take between two looks at files and flags: about a quarter of a second. */
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

/* What is kept of a replica for whoever changes it. */
typedef struct SimulationReplica {
  int64_t draws; /* of momenta: simulation_draw                                                 */
  int64_t moved; /* 1: positions were set, and nobody has looked yet whether they meet constraints */
  double kT;     /* that was set; 0: none                                                       */
} SimulationReplica;

/* What may change between steps, saved with the state: the step, the friction, the step from which this
 * step holds with the time that had passed by then, and how many forces from outside there are. */
typedef struct SimulationSettings {
  double h, gamma; /* AKMA; friction of Langevin's thermostat, else 0 */
  int64_t since;
  double time;
  int64_t forces; /* as of simulation_chunks */
} SimulationSettings;

struct Recorder;

struct Simulation {
  const Sort *sort;
  void *own; /* the sort's */
  const Config *config;
  Config *owned; /* the same, if it is this one's own */
  Isa isa;
  int threads;
  double kT, h; /* kcal/mol, AKMA: that of the settings */
  SimulationSettings settings;
  RandomPurpose purpose; /* of the noise; 0: RANDOM_THERMOSTAT */
  int64_t steps, equilibration;
  /* By the sort. */
  int nkind; /* blocks of lanes: their kinds, and how many of each; all but the sorts asks the topology */
  const Kind **kind;
  int *lanes;
  Arena arena;           /* of these: simulation_room_for_kinds */
  Parameters parameters; /* of the Hamiltonian, by replica; their values are in the arena */
  double *states;        /* [exchange.number][parameters.n] their values in the states of a ladder */
  InputKey contents;     /* the key that says which molecules there are: for messages    */
  uint64_t digest;       /* of what a file says of the molecules; 0: the input says all  */
  Box box;               /* all zero: none                                               */
  Plan *plan;            /* may come with the start                                      */
  int replicas, width;   /* the last batch need not be full                               */
  int first, end;        /* batches that this process holds in memory; 0, 0: all           */
  bool constrained;      /* exactly                                                      */
  bool terms;            /* of a force field act inside molecules */
  /* Of the motions at the start: the share that is too fast to exchange energy with the rest; the mean of
   * (h W)^2 counted by friction over that counted alike, NAN: not known. */
  double apart, counted;
  /* From these. */
  size_t coordinates;                /* of all sites                                                  */
  int ncon;                          /* constraints of the first molecule                             */
  int nlambda;                       /* of all, where their multipliers are kept; else 0             */
  struct hol_topology *described;    /* as the library says it; NULL yet                             */
  struct SimulationVirtual *virtual; /* likewise */
  Topology *topology;                /* which lanes make a molecule: the sort's, or each is one       */
  const struct Labels *labels;       /* what atoms are called; NULL: as their kinds have it       */
  const RdfSites *sites;             /* those of g(r) that the input names; NULL: none */
  Landscape landscape;               /* of molecules in open space; all zero in other systems */
  const CollectiveList *collective;  /* [COORDINATES] torsions and so on that the input names; NULL: none */
  /* At work. */
  ExternalRow *force;
  int nforce;
  External *external; /* of these, with an ensemble */
  struct SimulationWatch {
    SimulationObserver function;
    void *user;
    int64_t every;
  } * observer;
  int nobserver;
  Ensemble *ensemble;
  Ladder *ladder;       /* temperatures by replica; NULL: one for all */
  Barostat *barostat;   /* NULL: the volume is constant */
  Move move[MOVES_MAX]; /* of these */
  int nmove;
  Measurement *measurement; /* what is measured: the sort's */
  struct Recorder *look;    /* of simulation_look; NULL yet */
  bool started;
  bool torn;                  /* a step was cut short by a fault: states are of no use, ... */
  Error fault;                /* ... which was this                                         */
  bool moved;                 /* positions were set, and not all have been looked at: SimulationReplica */
  bool *stale;                /* [batches in memory] something was set there: forces first              */
  SimulationReplica *replica; /* [replicas in memory]: simulation_replica                             */
  int64_t version;            /* counts changes of states                                             */
  int64_t *changed;           /* [batches in memory] the last one of each; and that which the last look */
  int64_t *looked;            /* was at                                                               */
  Vec8 *thermal;              /* [batches][momenta] right after the last O, for looks; NULL: none are kept */
  int64_t thermal_version;    /* the change of a batch's state that they belong to    */
  double *lambda;             /* [replicas in memory][nlambda] after the last step: simulation_lambda */
  Pace pace;                  /* of simulation_step */
  const Sampler *with;        /* takes samples in the steps at hand                           */
  State *scratch;             /* one replica, and forces on it: simulation_get; NULL yet      */
  ForceField scratch_field;
  Box scratch_choice; /* that these were made for */
};

/* When a step ends, AKMA, of the present settings' time. */
static inline double simulation_time_at(const Simulation *s, int64_t step)
{
  return s->settings.time + (double)(step - s->settings.since) * s->h;
}

static inline int simulation_batches(const Simulation *s) { return (s->replicas + s->width - 1) / s->width; }

/* For the sort, before it makes them: room for so many kinds at most. STATUS_MEMORY. */
Status simulation_room_for_kinds(Simulation *simulation, size_t most, Error *error);

/* Of a replica in memory. */
static inline double *simulation_lambda(const Simulation *s, int replica)
{
  return s->lambda + (size_t)(replica - s->first * s->width) * (size_t)s->nlambda;
}

static inline SimulationReplica *simulation_replica(const Simulation *s, int replica)
{
  return &s->replica[replica - s->first * s->width];
}

/* The place of a replica's batch among those in memory. */
static inline int simulation_place_of(const Simulation *s, int replica)
{
  return replica / s->width - s->first;
}

/* A replica was set by hand. */
static inline void simulation_changed(Simulation *s, int replica)
{
  s->stale[simulation_place_of(s, replica)] = true;
  s->changed[simulation_place_of(s, replica)] = ++s->version;
}

/* A temperature, K; of reduced units kT. */
static inline double simulation_kelvin(const Simulation *s, double kT)
{
  return s->config->reduced ? kT : kT / UNITS_BOLTZMANN;
}

/* Errors, STATUS_INPUT: not started; no such replica. */
Status simulation_check_replica(const Simulation *simulation, int replica, Error *error);

/* All states are others than before. */
void simulation_all_changed(Simulation *simulation);

void simulation_topology_free(Simulation *simulation);

/* simulation_scratch.c: forces of a replica into x[coordinates], energies of all terms. A second field of one
 * thread does it, so that neither the state nor what forces keep from step to step is touched. */
Status simulation_scratch_forces(Simulation *simulation, int replica, double *x, double *energy,
                                 Error *error);
void simulation_scratch_free(Simulation *simulation);

/* simulation_field.c: what the simulation's forces are made from, callers' forces left out; the field of such
 * an input (NULL: of this one), behind the forces that it has; and the field of a run, callers' forces and
 * all. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
FieldInput simulation_field_input(const Simulation *simulation);
Status simulation_field_create(const Simulation *simulation, const FieldInput *input, const State *shape,
                               ForceField *field, Error *error);
Status simulation_field(const void *self, const State *shape, ForceField *field, Error *error);

/* Whether positions that were set meet the constraints, of all replicas, of those of a batch in memory, or of
 * one. Errors: STATUS_INPUT with replica and molecule. */
Status simulation_project_check(Simulation *simulation, Error *error);
Status simulation_project_batch(const Simulation *simulation, int place, Error *error);
Status simulation_project_met(const Simulation *simulation, int replica, Error *error);

/* Coordinates and momenta q, p[coordinates] onto the constraints of all molecules, whatever keeps them; own[2
 * coordinates] is scratch. Errors: STATUS_INPUT: too far from them; STATUS_MEMORY. */
Status simulation_project_molecules(const Simulation *simulation, double *q, double *p, double *own,
                                    Error *error);

/* Parameters of the Hamiltonian as the input has them: names and standard values before the sort makes its
 * forces; the values of all replicas once their number is known. Errors: STATUS_MEMORY. */
Status simulation_parameters_name(Simulation *simulation, Error *error);
Status simulation_parameters_create(Simulation *simulation, Error *error);

/* Answers a query for one replica at its positions (width 1), and gives its potential energy. Errors: those
 * of forces. */
Status simulation_scratch_respond(Simulation *simulation, int replica, const ParameterQuery *query,
                                  double *potential, Error *error);

/* kT of a replica now: with a ladder it is exchanged. */
double simulation_kT(const Simulation *simulation, int replica);

/* The ensemble without a start, with all forces, unless there is one; and all that this made, freed. */
Status simulation_prepare(Simulation *simulation, Error *error);
void simulation_prepare_free(Simulation *simulation);

/* The same anew, for other forces from outside, with the states as they are; the plan likewise, for other
 * settings. Before the start what there was is freed. After an error all is as before. Errors: those of
 * making plan and forces, STATUS_MEMORY. */
Status simulation_prepare_anew(Simulation *simulation, Error *error);
Status simulation_prepare_settings(Simulation *simulation, const SimulationSettings *to, Error *error);

/* The input's options of a plan, with the present settings. */
PlanOptions simulation_prepare_plan(const Simulation *simulation);

/* The parts of simulation_start: the start is found, and, with the ensemble, all replicas put there. */
Status simulation_find_start(Simulation *simulation, const SimulationStart *how, Error *error);
Status simulation_place(Simulation *simulation, Error *error);

/* All that changes in it, for checkpoints; and numbers and names of the kinds, "216 tip3p, 2 Na": a start
 * file may bring them without the input's saying so, and a file of molecules all about them. */
void simulation_chunks(Simulation *simulation, ChunkList *chunks);
void simulation_contents(const Simulation *simulation, char *words, size_t size);

/* simulation_look, of a replica in memory whose forces are there. */
Status simulation_look_now(Simulation *simulation, int replica, double *value, Error *error);

/* Forces for what was set, if anything was, which must meet the constraints; and for a look at one replica,
 * whatever others may be like. */
Status simulation_step_ready(Simulation *simulation, Error *error);
Status simulation_step_ready_for(Simulation *simulation, int replica, Error *error);

/* A sample of some batches at the present step, as ensemble_sample_some; after simulation_step with the
 * momenta right after the last O. */
Status simulation_step_sample(Simulation *simulation, const bool *which, const Sampler *with, unsigned due,
                              Error *error);

/* On to a step, with samples as `with` says (NULL: none). Observers are not called. */
Status simulation_step_to(Simulation *simulation, int64_t until, const Sampler *with, Error *error);

/* The next step after this one at which an observer is due, `until` if there is none before; calls those that
 * are due now. */
int64_t simulation_step_next_stop(const Simulation *simulation, int64_t step, int64_t until);
Status simulation_step_observers(Simulation *simulation, Error *error);

#endif
