/* From a configuration to what runs: model, kind of molecule, plan, forces, start. */
#ifndef HOLONOM_SIMULATION_SYSTEM_H
#define HOLONOM_SIMULATION_SYSTEM_H

#include <signal.h>
#include <stdio.h>

#include "config/config.h"
#include "forcefields/pair.h"
#include "forcefields/species.h"
#include "integrators/oscillator.h"
#include "simulation/ensemble.h"
#include "simulation/start.h"
#include "simulation/start_file.h"

typedef struct System {
  const Config *config;
  const WaterModel *model; /* NULL: there is no water                           */
  int nkind;               /* the water, if any, and species of one atom each   */
  const Kind *kind[KINDS_MAX];
  const Species *species[KINDS_MAX]; /* [0] NULL for water */
  int nmol[KINDS_MAX];
  int molecules;      /* of all kinds                                           */
  size_t coordinates; /* of all kinds' sites                                    */
  Box box;            /* all zero: a cluster                                    */
  Plan *plan;
  PairPrecision precision;
  Isa isa;
  int replicas; /* rounded up to whole groups                             */
  int width, threads;
  bool constrained;
  double kT; /* kcal/mol                                               */
  double h;  /* AKMA                                                   */
  int64_t steps, equilibration;
  StartFile from; /* with start: file */
} System;

/* threads: 0 takes the configuration's, which may say all. Errors: STATUS_INPUT with file, line and key for
 * what does not go together, STATUS_MEMORY. */
Status system_create(System **system, const Config *config, int threads, Error *error);
void system_free(System *system);

/* Time at a step, ps. */
double system_picoseconds(const System *system, int64_t step);

/* Forces for a shape of state: pairs, and the wall if there is one; or those of a periodic box. */
FieldMaker system_maker(const System *system);

/* How the replicas begin. */
typedef struct SystemStart {
  int frames;        /* 1: all alike; else replica r with number r % frames                             */
  double *x;         /* [frames][coordinates], kind after kind as [nmol][nsite][3]                      */
  double *p;         /* momenta likewise, from the start file; NULL: to be drawn, or zero               */
  bool built;        /* a cluster's, not from a file                                                    */
  char remark[1024]; /* where they came from and what was done to them, in words                 */
} SystemStart;

typedef struct SystemStartOptions {
  const char *
      folder; /* of a run: a start that was built there is taken if it fits (simulation/kept_start.h); NULL */
  const char *given; /* the same of another run's folder, which must fit; NULL: none                     */
  FILE *out;         /* progress; NULL: silent                                                           */
  const volatile sig_atomic_t *stop; /* set by a signal: STATUS_RUN, soon; NULL: never                    */
} SystemStartOptions;

/* Builds the start or reads it from the file. The bits are the same whether it was kept or is built. Errors:
 * STATUS_INPUT with file, line and key, those of forces, STATUS_MEMORY; there is nothing to free then. */
Status system_start(const System *system, const SystemStartOptions *how, SystemStart *start, Error *error);

/* Keeps a start that was built for a cluster in the run's folder; of others there is nothing to keep. */
Status system_start_keep(const System *system, const SystemStart *start, const char *dir, Error *error);
void system_start_free(SystemStart *start);

/* Frequencies against the time step, and what the word makes of them. */
typedef struct SystemRates {
  double penalty[3]; /* of a molecule's penalised modes, 1/AKMA; zero with constraints */
  double libration;  /* the fastest motion of the rigid molecules, 1/AKMA              */
  double limit;      /* the largest h W that the word bears: oscillator_limit          */
  OscillatorResult stiff[3], fastest;
  /* What momenta at the end of a step will read at the temperature set, over it, by the discretisation alone:
   * the mean over the penalised modes and over the motions of rigid molecules at these positions. NAN: no
   * thermostat, or some mode is unstable. */
  double reading;
} SystemRates;

Status system_rates(const System *system, const double *x, SystemRates *rates, Error *error);

/* STATUS_INPUT, naming timestep's line, if h cannot be stable: h W beyond the word's limit, for the
 * librations or, under plain Verlet, for the penalised modes. The forces of both are the fast ones, so that
 * where a word takes these several times in h (RESPA) the limit is as many times 2. */
Status system_check_step(const System *system, const SystemRates *rates, Error *error);

/* Numbers and names of the kinds, "216 tip3p, 2 Na+": a start file may bring them without the input's saying
 * so. */
void system_contents(const System *system, char *words, size_t size);

#endif
