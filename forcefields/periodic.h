/* The force between the molecules of a periodic system, all parts together: neighbour lists, the water force,
 * the general pairs, the mesh with what it counts too much, the long-range corrections of Lennard-Jones and
 * of the real part. One force with the terms of ewald.h; short-range parts are FORCE_FAST, the mesh with its
 * corrections is FORCE_SLOW.
 *
 * Where there are atoms one by one (atoms.h: groups of any atoms), all pairs but water with water are cut by
 * atom, and pairs that do not see each other are never computed. The force then borrows the topology.
 *
 * The same bits for any number of threads, and nothing that matters outlives a step. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_H
#define HOLONOM_FORCEFIELDS_PERIODIC_H

#include <stdbool.h>

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/ewald.h"
#include "forcefields/nonbonded.h"
#include "forcefields/particles.h"
#include "forcefields/pme.h"
#include "forcefields/pme_choose.h"
#include "forcefields/water.h"

/* Zeros mean: chosen. */
typedef struct PeriodicOptions {
  const WaterModel *model; /* NULL: there is no water                                          */
  const AtomsInput *atoms; /* of all blocks but the water's, which is atoms->water; NULL: the state's only
                            * block is the water. Borrowed for the creation.                            */
  /* Zeros: cutoff 9 A, switch_width 1 A, accuracy 0.0145 kcal/mol/A, which is 0.35 kJ/mol/nm a component (the
   * pressure's mean error is to stay within 2 bar then, or in proportion), a conductor, the buffer of the
   * least cost for the temperature and step. */
  Nonbonded nonbonded;
  double atoms_buffer; /* of pairs with atoms one by one, A; 0: chosen, or that of `nonbonded` if given */
  double kT, h;        /* kcal/mol and AKMA: for the choice of the buffer                              */
  bool keep_net; /* the small net force of the mesh stays: forces are the gradient of the energy to rounding,
                  * and do not sum to zero                                                      */
  int threads;   /* of the largest team                                                         */
  Isa isa;
} PeriodicOptions;

/* Seconds of the first of the team in each part so far, waiting included. */
typedef enum PeriodicCost {
  PERIODIC_LIST,
  PERIODIC_PAIRS,
  PERIODIC_SPREAD, /* with sorting */
  PERIODIC_FFT,
  PERIODIC_GATHER,
  PERIODIC_OTHER,
  PERIODIC_COSTS
} PeriodicCost;

/* The force "periodic" for states like `shape` (width 1) in shape's box. With PME and EWALD a uniform
 * background neutralises a net charge. Errors: STATUS_INPUT: the box is open or shorter than twice the
 * cutoff, options out of range or that do not go together, what atoms_create says; STATUS_MEMORY. Of its
 * computations: STATUS_RUN (overlapping molecules with their distance, coordinates that are not finite,
 * broken bonds). */
Status periodic_create(Force *force, const PeriodicOptions *options, const State *shape, Error *error);

/* The options with all that was chosen (without atoms), the errors that a mesh is expected to
 * have (zeros without one), and what the blocks are. */
const PeriodicOptions *periodic_options(const Force *force);
const PmeChoice *periodic_choice(const Force *force);
const Particles *periodic_particles(const Force *force);

void periodic_times(const Force *force, double seconds[PERIODIC_COSTS]);

/* Of the pairs among so many threads: see list_imbalance. 1 without lists. */
double periodic_imbalance(const Force *force, int threads);

#endif
