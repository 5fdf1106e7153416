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
#include "forcefields/mixture.h"
#include "forcefields/pme.h"
#include "forcefields/pme_choose.h"
#include "forcefields/species.h"
#include "forcefields/water.h"

typedef enum PeriodicCoulomb {
  PERIODIC_PME,
  PERIODIC_EWALD,          /* the plain sum in double: a reference, slow  */
  PERIODIC_REACTION_FIELD, /* a medium of `permittivity` beyond the cutoff */
  PERIODIC_CUTOFF          /* nothing beyond it                            */
} PeriodicCoulomb;

/* Zeros mean: chosen. Lengths in A. */
typedef struct PeriodicOptions {
  const WaterModel *model;       /* of the first block; NULL: there is no water                        */
  const Species *const *species; /* of each further block                                              */
  const AtomsInput *atoms; /* NULL: none; else of all blocks but that of the water, which is atoms->water and
                            * not the first, with `model` unless there is none; no species           */
  double cutoff;           /* of the short range; 0: 9 A                                         */
  bool by_atom;            /* it is between sites; else between the first sites of molecules     */
  EwaldTruncation truncation; /* of Lennard-Jones                                                   */
  double switch_width;        /* of a switch, inwards from the cutoff; 0: 1 A                   */
  bool switch_pairs;          /* with EWALD_SWITCH: all of a pair of waters is switched off, the real part of
                               * the charges too, so that energy is conserved strictly; waters alone    */
  bool tail;                  /* with the correction of energy and pressure for what is cut off     */
  PeriodicCoulomb coulomb;
  double accuracy; /* RMS error of forces wished for, kcal/mol/A, the length of the vector; 0: 0.0145, which
                    * is 0.35 kJ/mol/nm a component. The pressure's mean error is to stay within 2 bar then,
                    * or in proportion */
  double beta;     /* 1/A                                                                              */
  int order;       /* of the mesh, 4 to 6                                                              */
  int grid[3];
  double permittivity; /* of the reaction field; INFINITY: a conductor                                */
  double buffer;       /* of the lists, A; 0: that of the least cost, for the temperature and step     */
  double
      atoms_buffer; /* likewise of pairs with atoms one by one; 0: chosen, or `buffer` where that is given */
  double kT, h;     /* kcal/mol and AKMA: for the choice of the buffer                              */
  bool mixed;       /* pairs and mesh in float, else all in double                                  */
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

/* The options with all that was chosen (without species), the errors that a mesh is expected to
 * have (zeros without one), and what the blocks are. */
const PeriodicOptions *periodic_options(const Force *force);
const PmeChoice *periodic_choice(const Force *force);
const Mixture *periodic_mixture(const Force *force);

void periodic_times(const Force *force, double seconds[PERIODIC_COSTS]);

/* Of the pairs among so many threads: see list_imbalance. 1 without lists. */
double periodic_imbalance(const Force *force, int threads);

#endif
