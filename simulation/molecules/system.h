/* Clusters and boxes of molecules: what both sorts share. From a configuration to model, kinds, plan, forces,
 * start. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_H

#include "forcefields/atom_model.h"
#include "forcefields/atoms.h"
#include "forcefields/coordinate_restraint.h"
#include "forcefields/pair.h"
#include "forcefields/restraint.h"
#include "forcefields/water_molecule.h"
#include "integrators/oscillator.h"
#include "io/structure.h"
#include "simulation/simulation_private.h"
#include "simulation/start/start.h"
#include "simulation/start/start_file.h"
#include "topology/groups.h"

/* Frequencies against the time step, and what the word makes of them. */
typedef struct SystemRates {
  /* Of a built-in water's penalised modes, 1/AKMA, zero with constraints; of described molecules the slowest
   * and the fastest of all groups at the ends, and zero between them. */
  double penalty[3];
  double libration; /* the fastest motion of the rigid molecules, 1/AKMA              */
  double limit;     /* the largest h W that the word bears: oscillator_limit          */
  OscillatorResult stiff[3], fastest;
  /* What momenta at the end of a step will read at the temperature set, over it, by the discretisation alone:
   * the mean over the penalised modes and over the motions of rigid molecules at these positions. NAN: no
   * thermostat, or some mode is unstable. And the temperature, over it, of slow motions that exchange energy
   * with the others faster than with the thermostat; NAN: not known. */
  double reading, slow;
  double counted; /* the mean of (h W)^2 with modes counted by their friction, over that of all alike; NAN:
                     not known */
  double apart; /* share of the modes that are too fast to exchange energy with the rest, by their friction */
  /* How fast the conserved energy of a replica drifts by the word's own shadow work, kcal/mol per AKMA time,
   * and how well that is known; NAN: not known (no thermostat, penalties, a method of its own). */
  double drift, drift_error;
} SystemRates;

/* How a system is named, and what is said of it, where its molecules are built-in types or described by
 * files. */
typedef struct SystemOrigin {
  bool described;
  const char *key;     /* of the results that name the molecules            */
  const char *placed;  /* what was done to molecules of a start file        */
  const char *fastest; /* the fastest motions: in a check, in the log, ...  */
  const char *fastest_logged;
  const char *motions, *advice; /* ... and in an error, with what helps */
} SystemOrigin;
extern const SystemOrigin system_origin_builtin, system_origin_described;

/* In what clusters and boxes differ: Sort.form. */
typedef struct SystemForm {
  bool boxed;        /* in a periodic box */
  const char *units; /* of the columns */
  const struct StartForm *start;
} SystemForm;

/* What a cluster or a box of molecules has beside what all sorts have. */
typedef struct MolecularSystem {
  const WaterModel *model; /* NULL: there is no water                       */
  PairPrecision precision;
  const SystemOrigin *origin;
  const char *source; /* what says which molecules there are: for messages */
  const char *name;   /* in results: of the water model or the file; "none" */
  Molecules *molecules;
  Groups *groups;
  WaterMolecule water; /* in a box: what of them water's own kernel takes */
  AtomsInput atoms;
  TermList *terms; /* [sorts] of the topology */
  int nrestraint;
  Restraint *restraint; /* [nrestraint] record by record */
  int *restrained;      /* [records] atoms of each */
  int nheld;
  CoordinateRestraint *held; /* [nheld] coordinates that are held, record by record */
  Arena arena;               /* of these */
  StartFile from;            /* with start: file                                                 */
  Start start;
  SystemRates rates;
  struct Variables *variables; /* torsions and so on that the input names; NULL yet */
} MolecularSystem;

static inline MolecularSystem *system_molecules(const Simulation *system) { return system->own; }
static inline const SystemOrigin *system_origin(const Simulation *system)
{
  return system_molecules(system)->origin;
}
static inline const SystemForm *system_form(const Simulation *system) { return system->sort->form; }

/* Fills in model, precision, replicas and start file. Errors: STATUS_INPUT with file, line and key for what
 * does not go together, STATUS_MEMORY. */
Status system_create(Simulation *system, Error *error);

/* Makes the plan, which keeps multipliers also where they are not asked for. */
Status system_plan(Simulation *system, bool multipliers, Error *error);
void system_free(Simulation *system);

/* ns of simulated time a day at this many seconds a step. */
double system_speed(const Simulation *system, double seconds);

/* Whether structures are written as GRO files, too, with the names of residues: of boxes and of molecules of
 * a file. */
bool system_writes_gro(const Simulation *system);

/* Time at a step, ps. */
double system_picoseconds(const Simulation *system, int64_t step);

/* At positions x (of one replica, in the order of molecules) in this box. */
Status system_rates(const Simulation *system, const double *x, const Box *box, SystemRates *rates,
                    Error *error);

/* STATUS_INPUT, naming timestep's line, if h cannot be stable: h W beyond the word's limit, for the
 * librations or, under plain Verlet, for the penalised modes. The forces of both are the fast ones, so that
 * where a word takes these several times in h (RESPA) the limit is as many times 2. */
Status system_check_step(const Simulation *system, Error *error);

#endif
