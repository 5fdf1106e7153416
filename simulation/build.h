/* A periodic box of water and single atoms made from numbers: sizes, lattice (box_build.h), minimisation, a
 * short equilibration by Langevin dynamics. */
#ifndef HOLONOM_SIMULATION_BUILD_H
#define HOLONOM_SIMULATION_BUILD_H

#include <signal.h>

#include "engine/isa.h"
#include "engine/state.h"
#include "forcefields/species.h"
#include "forcefields/water.h"

enum { BUILD_SPECIES = 15 }; /* at most */

/* How far a building is: what it does, steps done and in all, and words on how things are. */
typedef void BuildShow(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

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
  Isa isa;
  BuildShow *show; /* NULL: silent                                                        */
  void *watcher;
  const volatile sig_atomic_t *stop; /* set by a signal: end with STATUS_RUN, soon; NULL: never */
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

typedef struct Build Build;

/* Checks and sizes everything; the molecules are on their lattice. STATUS_INPUT: numbers, size and density
 * that do not go together, a box smaller than twice the cutoff, charges that do not sum to zero;
 * STATUS_MEMORY.
 */
Status build_create(Build **build, const BuildOptions *options, Error *error);
void build_free(Build *build);

/* Minimises and equilibrates. The bits depend on the seed and not on the threads. Errors: those of forces
 * and steps. */
Status build_run(Build *build, BuildReport *report, Error *error);

/* The box with its molecules. */
const State *build_state(const Build *build);

#endif
