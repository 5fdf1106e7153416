/* The start of any system, minimised: what `holonom minimise` does. Molecules are minimised as at the
 * beginning of a run (simulation/molecules/downhill.h), of a mechanical system all replicas by the same
 * method; constraints are kept, penalised ones too. */
#ifndef HOLONOM_CMD_MINIMISE_H
#define HOLONOM_CMD_MINIMISE_H

#include "base/arena.h"
#include "simulation/simulation.h"

/* The largest force and most steps for mechanical systems; molecules have keys (system.minimise_tolerance).
 */
#define MINIMISE_TOLERANCE 1e-6
enum { MINIMISE_STEPS = 60000 };

/* One configuration at its end. */
typedef struct MinimiseFrame {
  double energy,
      force;    /* kcal/mol, and the largest component of the force along the constraints, kcal/mol/A */
  double *term; /* [Minimised.nterm] energies */
} MinimiseFrame;

typedef struct Minimised {
  int n;
  MinimiseFrame *frame; /* [n] */
  const double *x;      /* [n][coordinates], in the order of molecules */
  int nterm;
  const char **term; /* [nterm] names, as in thermo.csv */
  double tolerance;
  int steps, softened; /* the most of any; of the soft repulsion before, 0: there was none */
  bool converged;      /* all                                                       */
  Arena arena;         /* of these */
} Minimised;

/* Of a simulation without a start, whose input says system.minimise if it is of molecules. tolerance and
 * steps are those of a mechanical system. Errors: those of the start, STATUS_RUN (interrupted, no number),
 * STATUS_INPUT (a Hamiltonian, which has no forces), STATUS_MEMORY. */
Status minimise_start(Simulation *simulation, const SimulationStart *how, double tolerance, int steps,
                      Minimised *minimised, Error *error);
void minimise_free(Minimised *minimised);

/* Writes configurations as dir/minimised.xyz with all digits and, of molecules of a file and of boxes,
 * minimised.gro, or of a mechanical system minimised.csv: each a start of a run of the same system. In
 * folders with a list (base/manifest.h). STATUS_IO, STATUS_MEMORY. */
Status minimise_write(const Simulation *simulation, const Minimised *minimised, const char *dir,
                      Error *error);

/* The names that are written, ended by NULL. */
extern const char *const minimise_names[];

#endif
