/* Minimises the energy of a start, for 'holonom minimise'. Molecules are minimised as at the beginning of a
 * run (simulation/molecules/downhill.h), all replicas of a mechanical system by the same method.
 * Constraints stay satisfied; penalised ones are treated as constraints. */
#ifndef HOLONOM_CMD_MINIMISE_H
#define HOLONOM_CMD_MINIMISE_H

#include "base/arena.h"
#include "simulation/simulation.h"

/* Defaults for mechanical systems: largest force and number of steps. Molecules use keys such as
 * system.minimise_tolerance. */
#define MINIMISE_TOLERANCE 1e-6
enum { MINIMISE_STEPS = 60000 };

/* A minimised configuration. */
typedef struct MinimiseFrame {
  double energy, force; /* kcal/mol; largest component of the force along the constraints, kcal/mol/A */
  double *term;         /* [Minimised.nterm] energies */
} MinimiseFrame;

typedef struct Minimised {
  int n;
  MinimiseFrame *frame; /* [n] */
  const double *x;      /* [n][coordinates], in the order of molecules */
  int nterm;
  const char **term; /* [nterm] names, as in thermo.csv */
  double tolerance;
  int steps, softened; /* largest over configurations; steps with the soft repulsion before, 0: not used */
  bool converged;      /* all configurations */
  Arena arena;         /* owns the arrays */
} Minimised;

/* Minimises the start of a new simulation; for molecules the input must set system.minimise. tolerance and
 * steps apply to mechanical systems. Errors of the start; STATUS_RUN (interrupted, not finite),
 * STATUS_INPUT (a Hamiltonian, which has no forces), STATUS_MEMORY. */
Status minimise_start(Simulation *simulation, const SimulationStart *how, double tolerance, int steps,
                      Minimised *minimised, Error *error);
void minimise_free(Minimised *minimised);

/* Writes starts for runs of the same system: dir/minimised.xyz with all digits and, for molecules of a file
 * and for boxes, minimised.gro; for mechanical systems minimised.csv. Lists them in the manifest
 * (base/manifest.h). STATUS_IO, STATUS_MEMORY. */
Status minimise_write(const Simulation *simulation, const Minimised *minimised, const char *dir,
                      Error *error);

/* The names of these files, ended by NULL. */
extern const char *const minimise_names[];

#endif
