/* A periodic box of water and single atoms made from numbers, as the start of runs: the simulation that an
 * input with these numbers describes, and a short equilibration by Langevin dynamics.
 *
 * A minimisation in double, then with `holonom build` constrained Langevin steps of 2 fs, at the end of which
 * momenta are drawn anew: those of BAOAB at the end of a step are too cold by 0.6 %. The noise is not that of
 * a later run with the same seed. */
#ifndef HOLONOM_SIMULATION_START_BUILD_H
#define HOLONOM_SIMULATION_START_BUILD_H

#include "engine/flag.h"
#include "engine/state.h"
#include "forcefields/species.h"
#include "forcefields/water.h"
#include "simulation/simulation.h"

enum { BUILD_SPECIES = 15 }; /* at most */

/* Two of three say the third: numbers of molecules, size, density. */
typedef struct BuildOptions {
  const WaterModel *model; /* NULL: no water                                              */
  int molecules;           /* of water; 0: as many as fit                                 */
  int nspecies;
  const Species *const *species; /* [nspecies]                                            */
  const int *atoms;              /* [nspecies] of each, more than 0                       */
  double size[3];                /* A; zeros: a cube                                      */
  double density;                /* g/cm^3 of everything; 0: water at the model's density, an atom in the
                                  * place of half a water                                 */
  double kelvin;
  double picoseconds; /* of equilibration; 0: minimised only, at rest                     */
  double cutoff;      /* of the forces, A                                                 */
  uint64_t seed;
  int threads;
  FILE *out;        /* progress; NULL: silent                                             */
  const Flag *stop; /* raised: end with STATUS_RUN, soon; NULL: never */
} BuildOptions;

typedef struct BuildReport {
  int molecules;  /* of all kinds                                                                 */
  double density; /* g/cm^3                                                                       */
  double minimum; /* energy after minimisation, kcal/mol per molecule                             */
  double force;   /* the largest then, kcal/mol/A                                                 */
  int minimise_steps;
  int64_t steps;   /* of equilibration                                                             */
  double timestep; /* of it, fs                                                                    */
  /* Means over the second half of the equilibration; NAN without one. */
  double energy; /* potential energy, kcal/mol per molecule */
  double kelvin;
  double pressure; /* bar, by molecule */
} BuildReport;

/* The simulation of the box, not started. STATUS_INPUT: numbers, size and density that do not go together, a
 * box smaller than twice the cutoff, charges that do not sum to zero; STATUS_MEMORY. */
Status build_create(Simulation **simulation, const BuildOptions *options, Error *error);

/* Minimises and equilibrates; with picoseconds 0 the molecules are at rest. The bits depend on the seed and
 * not on the threads. *state is the simulation's. Errors: those of forces and steps; STATUS_INPUT: a box too
 * small for its lattice. */
Status build_run(Simulation *simulation, const BuildOptions *options, BuildReport *report,
                 const State **state, Error *error);

#endif
