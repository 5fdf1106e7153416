/* What the benchmarks have in common. Each prints a line a figure: name, value, unit. Errors: STATUS_MEMORY,
 * those of forces and steps. */
#ifndef HOLONOM_BENCH_BENCH_H
#define HOLONOM_BENCH_BENCH_H

#include "simulation/ensemble/ensemble.h"

/* A plan at work on one kind of molecules; what is zero is fine to be freed. */
typedef struct BenchJob {
  Topology *topology;
  Plan *plan;
  Ensemble *ensemble;
} BenchJob;

/* of: what it is but for plan, molecules and seed. */
Status bench_job_create(BenchJob *job, const Kind *kind, int nmol, const PlanOptions *plan,
                        EnsembleOptions of, Error *error);
void bench_job_free(BenchJob *job);

/* lattice_fill of a state whose lanes are molecules. */
Status bench_lattice(State *state, Error *error);

/* The kind's own potentials as its forces. */
Status bench_internal_field(const void *self, const State *shape, ForceField *field, Error *error);

/* Replica-steps per second of an ensemble that is ready to run: the best of several runs of some length. */
Status bench_rate(Ensemble *ensemble, double *rate, Error *error);

/* The planar double pendulum of Tao & Owhadi (2015), sec. 4.1: one trajectory on one core by each method at h
 * = 0.1, and an ensemble of 10,000 initial conditions by Zhang-Skeel on all threads. */
Status bench_pendulum_print(Isa isa, int threads, Error *error);

/* Hanging chains of links in the plane, kept by each constraint solver: the time per link against their
 * number, on one core. */
Status bench_chain_print(Isa isa, int threads, Error *error);

/* The mesh, from states and back, for waters as dense as the liquid: sorting, spreading, transforms,
 * gathering, conversions as parts of the first and the last. */
Status bench_mesh_print(Isa isa, int threads, Error *error);

/* Neighbour lists and the force of water on water in a periodic box, on one core. */
Status bench_pairs_print(Isa isa, int threads, Error *error);

/* A ladder of 32 temperatures of eight TIP4P waters, exchanges every 100 steps, beside 32 replicas at one
 * temperature. */
Status bench_ladder_print(Isa isa, int threads, Error *error);

/* Boxes of 884, 4,055 and 32,773 TIP3P waters: Langevin dynamics at 298.15 K in steps of 2 fs, rigid
 * molecules, pairs to 9 A and a mesh, mixed precision, the force error wished for that of GROMACS as it is
 * usually run; what the steps consist of, and what constant pressure by each barostat costs beside them. */
Status bench_bulk_print(Isa isa, int threads, Error *error);

/* The same of 33,333 and of 333,333 waters: time and memory for each atom. */
Status bench_bulk_million(Isa isa, int threads, Error *error);

#endif
