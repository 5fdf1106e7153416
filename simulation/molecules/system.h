/* What clusters and boxes of molecules share: model, kinds, plan, forces and start from a configuration. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_H

#include "forcefields/atom_model.h"
#include "forcefields/atoms.h"
#include "forcefields/bias.h"
#include "forcefields/pair.h"
#include "forcefields/restraint.h"
#include "forcefields/water_molecule.h"
#include "integrators/oscillator.h"
#include "io/structure.h"
#include "observables/metadynamics.h"
#include "simulation/simulation_private.h"
#include "simulation/start/start.h"
#include "simulation/start/start_file.h"
#include "topology/groups.h"
#include "topology/hydrogen_mass.h"

/* Frequencies of a system relative to its time step, and the response of the word. */
typedef struct SystemRates {
  /* Penalised modes, 1/AKMA, zero with constraints: of a built-in water all three; of described molecules the
   * slowest and the fastest of all groups at the ends, zero between them. */
  double penalty[3];
  double libration; /* fastest motion of the rigid molecules, 1/AKMA */
  double limit;     /* largest stable h W of the word: oscillator_limit */
  OscillatorResult stiff[3], fastest;
  /* reading: the expected kinetic temperature at the end of a step over the set one, by the discretisation
   * alone, as a mean over penalised modes and motions of rigid molecules at these positions. NAN: no
   * thermostat, or an unstable mode. slow: the temperature, over the set one, of slow motions that exchange
   * energy with the others faster than with the thermostat; NAN: unknown. */
  double reading, slow;
  double counted; /* mean of (h W)^2 weighted by friction over its plain mean; NAN: unknown */
  double apart;   /* fraction of modes too fast to exchange energy with the others, by friction */
  /* Drift of a replica's conserved energy by the word's shadow work, kcal/mol per AKMA unit of time, with its
   * uncertainty; NAN: unknown (no thermostat, penalties, or a special method). */
  double drift, drift_error;
} SystemRates;

/* Words that depend on whether molecules are built-in types or described by files. */
typedef struct SystemOrigin {
  bool described;
  const char *key;     /* key of the results that names the molecules */
  const char *placed;  /* change of molecules of a start file */
  const char *fastest; /* the fastest motions: in a check, in the log, ... */
  const char *fastest_logged;
  const char *motions, *advice; /* ... and in an error, with advice */
} SystemOrigin;
extern const SystemOrigin system_origin_builtin, system_origin_described;

/* The differences between clusters and boxes: Sort.form. */
typedef struct SystemForm {
  bool boxed;        /* in a periodic box */
  const char *units; /* of the columns */
  const struct StartForm *start;
} SystemForm;

/* Simulation.own of clusters and boxes. */
typedef struct MolecularSystem {
  const WaterModel *model; /* NULL: no water */
  PairPrecision precision;
  const SystemOrigin *origin;
  const char *source; /* the source of the molecules, for messages */
  const char *name;   /* in results: of the water model or the file; "none" */
  Molecules *molecules;
  HydrogenCount hydrogens; /* with geometry.hydrogen_mass */
  Groups *groups;
  WaterMolecule water; /* in a box: molecules for the kernel of water */
  AtomsInput atoms;
  AlchemyInput alchemy;        /* solute 0: none */
  TermList *terms;             /* [sorts] of the topology */
  int nfrozen;                 /* atoms that do not move */
  struct FrozenVirial *frozen; /* NULL: no such atoms */
  int nrestraint;
  Restraint *restraint; /* [nrestraint] by record */
  int *restrained;      /* [records] number of atoms */
  int nheld;
  BiasInput *held; /* [nheld] restrained coordinates, by record */
  int nbias;
  BiasInput *bias;        /* [nbias] by record of `biases` */
  MetadynamicsBias hills; /* all zero: none */
  struct Plumed *plumed;  /* biases of PLUMED; NULL: none */
  Arena arena;            /* of these */
  StartFile from;         /* with start: file */
  Start start;
  SystemRates rates;
  struct Variables *variables; /* collective variables that the input names; NULL: not found yet */
} MolecularSystem;

static inline MolecularSystem *system_molecules(const Simulation *system) { return system->own; }
static inline const SystemOrigin *system_origin(const Simulation *system)
{
  return system_molecules(system)->origin;
}
static inline const SystemForm *system_form(const Simulation *system) { return system->sort->form; }

/* Fills in model, precision, replicas and start file. Errors: STATUS_INPUT with file, line and key for
 * settings that do not fit together; STATUS_MEMORY. */
Status system_create(Simulation *system, Error *error);

/* Makes the plan; multipliers: it stores them even if they are not requested. */
Status system_plan(Simulation *system, bool multipliers, Error *error);
void system_free(Simulation *system);

/* ns of simulated time per day, given seconds per step. */
double system_speed(const Simulation *system, double seconds);

/* Whether structures are also written as GRO files with residue names: those of boxes and of described
 * molecules. */
bool system_writes_gro(const Simulation *system);

/* The time at a step, ps. */
double system_picoseconds(const Simulation *system, int64_t step);

/* The number of hydrogens outside waters whose mass geometry.hydrogen_mass could raise: 0 if it is set, or
 * without files of molecules. */
int64_t system_light_hydrogens(const Simulation *system);

/* Computes the rates at positions x of one replica, ordered by molecule, in this box. */
Status system_rates(const Simulation *system, const double *x, const Box *box, SystemRates *rates,
                    Error *error);

/* STATUS_INPUT with the line of timestep if h is unstable: h W exceeds the word's limit for librations or,
 * with plain Verlet, for penalised modes. Fast forces act on both, so a word that evaluates them several
 * times in h (RESPA) has as many times the limit 2. */
Status system_check_step(const Simulation *system, Error *error);

#endif
