/* What a simulation of any sort consists of. */
#ifndef HOLONOM_SIMULATION_SIMULATION_PRIVATE_H
#define HOLONOM_SIMULATION_SIMULATION_PRIVATE_H

#include "engine/hamiltonian.h"
#include "simulation/ensemble.h"
#include "simulation/ladder.h"
#include "simulation/simulation.h"
#include "simulation/sort.h"

enum { SIMULATION_FORCES_MAX = 4, SIMULATION_OBSERVERS_MAX = 16 };

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

struct Simulation {
  const Sort *sort;
  void *own; /* the sort's */
  const Config *config;
  Config *owned; /* the same, if it is this one's own */
  Isa isa;
  int threads;
  double kT, h;          /* kcal/mol, AKMA */
  RandomPurpose purpose; /* of the noise; 0: RANDOM_THERMOSTAT */
  int64_t steps, equilibration;
  /* By the sort. */
  int nkind; /* molecules of each kind side by side */
  const Kind *kind[KINDS_MAX];
  int nmol[KINDS_MAX];
  Box box;             /* all zero: none                                               */
  Plan *plan;          /* may come with the start                                      */
  int replicas, width; /* the last gang need not be full                               */
  int first, end;      /* gangs that this process holds in memory; 0, 0: all           */
  bool constrained;    /* exactly                                                      */
  /* From these. */
  int molecules;      /* of all kinds                                                  */
  size_t coordinates; /* of all kinds' sites                                           */
  int ncon;           /* constraints of the first molecule                             */
  /* At work. */
  struct {
    ExternalFunction function;
    void *user;
  } force[SIMULATION_FORCES_MAX];
  int nforce;
  struct {
    SimulationObserver function;
    void *user;
    int64_t every;
  } observer[SIMULATION_OBSERVERS_MAX];
  int nobserver;
  Ensemble *ensemble;
  Ladder *ladder;          /* temperatures by replica; NULL: one for all */
  bool started, stale;     /* stale: something was set, forces first                       */
  int64_t version;         /* grows with every change of a state                           */
  Octet *thermal;          /* [gangs][momenta] right after the last O, for looks; NULL: none are kept */
  int64_t thermal_version; /* of the state that they belong to                                   */
  double *lambda;          /* [replicas in memory][ncon] after the last step: simulation_lambda */
  Box *force_box;          /* [gangs] that the forces are made for                         */
  Pace pace;               /* of simulation_step */
  const Sampler *with;     /* takes samples in the steps at hand                           */
  State *scratch;          /* one replica, and forces on it: simulation_get; NULL yet      */
  ForceField scratch_field;
};

static inline int simulation_gangs(const Simulation *s) { return (s->replicas + s->width - 1) / s->width; }

/* Of a replica in memory. */
static inline double *simulation_lambda(const Simulation *s, int replica)
{
  return s->lambda + (size_t)(replica - s->first * s->width) * (size_t)s->ncon;
}

static inline int simulation_kind_constraints(const Kind *kind)
{
  return kind->ham != NULL ? kind->ham->ncon : kind->ncon;
}

/* kT of a replica now: with a ladder it is exchanged. */
double simulation_kT(const Simulation *simulation, int replica);

/* The ensemble without a start, with all forces, unless there is one. */
Status simulation_prepare(Simulation *simulation, Error *error);

/* The parts of simulation_start: the start is found, and, with the ensemble, all replicas put there. */
Status simulation_find_start(Simulation *simulation, const SimulationStart *how, Error *error);
Status simulation_place(Simulation *simulation, Error *error);

/* All that changes in it, for checkpoints; and numbers and names of the kinds, "216 tip3p, 2 Na": a start
 * file may bring them without the input's saying so. */
void simulation_chunks(Simulation *simulation, ChunkList *chunks);
void simulation_contents(const Simulation *simulation, char *words, size_t size);

/* After a restore: forces for the boxes of the states, where they are others than before. */
Status simulation_follow_boxes(Simulation *simulation, bool *changed, Error *error);

/* Forces for what was set, if anything was. */
Status simulation_step_ready(Simulation *simulation, Error *error);

/* A sample at the present step, as ensemble_sample; after simulation_step with the momenta right after the
 * last O. */
Status simulation_step_sample(Simulation *simulation, const Sampler *with, unsigned due, Error *error);

/* On to a step, with samples as `with` says (NULL: none). Observers are not called. */
Status simulation_step_to(Simulation *simulation, int64_t until, const Sampler *with, Error *error);

/* Energy of the caller's forces on a replica; NAN after a fault of theirs. */
double simulation_external_energy(Simulation *simulation, int replica);

/* The next step after this one at which an observer is due, `until` if there is none before; calls those that
 * are due now. */
int64_t simulation_step_next_stop(const Simulation *simulation, int64_t step, int64_t until);
Status simulation_step_observers(Simulation *simulation, Error *error);

#endif
