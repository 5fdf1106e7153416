/* Common functions of the benchmarks. Each benchmark prints one line per figure: name, value, unit. Errors:
 * STATUS_MEMORY, those of forces and steps. */
#ifndef HOLONOM_BENCH_BENCH_H
#define HOLONOM_BENCH_BENCH_H

#include "simulation/ensemble/ensemble.h"

/* A plan for molecules of one kind; an all-zero job may be freed. */
typedef struct BenchJob {
  Topology *topology;
  Plan *plan;
  Ensemble *ensemble;
} BenchJob;

/* of: all other options than plan, molecules and seed. */
Status bench_job_create(BenchJob *job, const Kind *kind, int nmol, const PlanOptions *plan,
                        EnsembleOptions of, Error *error);
void bench_job_free(BenchJob *job);

/* lattice_fill of a state whose lanes are molecules. */
Status bench_lattice(State *state, Error *error);

/* The kind's own potentials as its forces. */
Status bench_internal_field(const void *self, const State *shape, ForceField *field, Error *error);

/* Replica-steps per second of an ensemble that is ready to run: the best of several runs. */
Status bench_rate(Ensemble *ensemble, double *rate, Error *error);

/* The planar double pendulum of Tao & Owhadi (2015), sec. 4.1: one trajectory on one core by each method at h
 * = 0.1, and an ensemble of 10,000 initial conditions by Zhang-Skeel on all threads. */
Status bench_pendulum_print(Isa isa, int threads, Error *error);

/* Hanging chains of links in the plane under each constraint solver: time per link against their number, on
 * one core. */
Status bench_chain_print(Isa isa, int threads, Error *error);

/* The particle mesh from and to states, for waters at the density of the liquid: sorting, spreading,
 * transforms and gathering. The first and the last include conversions. */
Status bench_mesh_print(Isa isa, int threads, Error *error);

/* Neighbour lists and the force of water on water in a periodic box, on one core. */
Status bench_pairs_print(Isa isa, int threads, Error *error);

/* A ladder of 32 temperatures of eight TIP4P waters, with exchanges every 100 steps, and 32 replicas at one
 * temperature. */
Status bench_ladder_print(Isa isa, int threads, Error *error);

/* Boxes of 884, 4,055 and 32,773 TIP3P waters: Langevin dynamics of rigid molecules at 298.15 K in steps of 2
 * fs. Pairs end at 9 A, with a mesh in mixed precision and GROMACS's usual force error. Prints the parts of a
 * step, and the cost of constant pressure by each barostat. */
Status bench_bulk_print(Isa isa, int threads, Error *error);

/* The same for 33,333 and 333,333 waters: time and memory per atom. */
Status bench_bulk_million(Isa isa, int threads, Error *error);

#endif
