/* The complete force between molecules of a periodic system: neighbour lists, water kernels, general
 * pairs, the mesh with its correction inside molecules, and the tails of Lennard-Jones and of the real
 * part. One force with the terms of ewald.h; short-range parts are FORCE_FAST, the mesh and its
 * corrections FORCE_SLOW.
 *
 * With individual atoms (atoms.h) all pairs except water with water are cut by atom, and excluded pairs
 * are never computed. The force then borrows the topology.
 *
 * Results have the same bits for any number of threads and do not depend on earlier steps. */
#ifndef HOLONOM_FORCEFIELDS_PERIODIC_H
#define HOLONOM_FORCEFIELDS_PERIODIC_H

#include <stdbool.h>

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/alchemy.h"
#include "forcefields/ewald.h"
#include "forcefields/nonbonded.h"
#include "forcefields/particles.h"
#include "forcefields/pme.h"
#include "forcefields/pme_choose.h"
#include "forcefields/water.h"

/* Zeros: chosen. */
typedef struct PeriodicOptions {
  const WaterModel *model; /* NULL: no water */
  const AtomsInput *atoms; /* for all blocks except the water's, which is atoms->water; NULL: the only block
                              is water. Borrowed during creation. */
  /* Zeros: cutoff 9 A, switch_width 1 A, accuracy 0.0145 kcal/mol/A (0.35 kJ/mol/nm a component), a
   * conductor, and the cheapest buffer for the temperature and step. At this accuracy the mean error of the
   * pressure is at most 2 bar; at others in proportion. */
  Nonbonded nonbonded;
  double
      atoms_buffer; /* of pairs with individual atoms, A; 0: chosen, or the buffer of `nonbonded` if given */
  const AlchemyInput *alchemy;  /* with atoms->solute; borrowed during creation */
  const Parameters *parameters; /* of the Hamiltonian, for alchemy; borrowed; NULL: none */
  double kT, h;                 /* kcal/mol and AKMA; used to choose the buffer */
  bool keep_net; /* leave the small net force of the mesh: forces are then the gradient of the energy to
                    rounding, and do not sum to zero */
  int threads;   /* of the largest team */
  Isa isa;
} PeriodicOptions;

/* Seconds spent by the team's first member in each part so far, including waiting. */
typedef enum PeriodicCost {
  PERIODIC_LIST,
  PERIODIC_PAIRS,
  PERIODIC_SPREAD, /* with sorting */
  PERIODIC_FFT,
  PERIODIC_GATHER,
  PERIODIC_OTHER,
  PERIODIC_COSTS
} PeriodicCost;

/* The force "periodic" for states like `shape` (width 1) in the shape's box. With PME and EWALD a uniform
 * background neutralises a net charge. Errors: STATUS_INPUT (the box is open or shorter than twice the
 * cutoff, invalid or incompatible options, those of atoms_create), STATUS_MEMORY. In a run STATUS_RUN
 * (overlapping molecules with their distance, coordinates that are not finite, broken bonds). */
Status periodic_create(Force *force, const PeriodicOptions *options, const State *shape, Error *error);

/* The options with the chosen values (without `atoms`), the expected errors of the mesh (zeros without one),
 * and the particles of the blocks. */
const PeriodicOptions *periodic_options(const Force *force);
const PmeChoice *periodic_choice(const Force *force);
const Particles *periodic_particles(const Force *force);

void periodic_times(const Force *force, double seconds[PERIODIC_COSTS]);

/* The imbalance of pairs among this many threads, see list_imbalance; 1 without lists. */
double periodic_imbalance(const Force *force, int threads);

#endif
