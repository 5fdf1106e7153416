/* A mechanical system from an input file, in memory: sites, masses, constraints, potentials (or a Hamiltonian
 * as a formula), a start, and a method to step it. Commands run it into a folder, the gallery's exhibits
 * step it as they need. */
#ifndef HOLONOM_SIMULATION_MECHANICS_H
#define HOLONOM_SIMULATION_MECHANICS_H

#include "config/config.h"
#include "simulation/ensemble.h"

typedef struct Mechanics Mechanics;

/* From a configuration with `system.sites` or `system.hamiltonian`, which must outlive it. Builds kind,
 * start, plan and ensemble (nmol = 1). Errors: STATUS_INPUT for what does not fit, with the key's line:
 * dependent constraints (rank less than their number), a start off the manifold (and that `system.project:
 * true` would move it), dimensions that do not match, a method that refuses the system. */
Status mechanics_create(Mechanics **mechanics, const Config *config, Error *error);
/* The same straight from a file with overrides "key=value"; then it owns the configuration. */
Status mechanics_load(Mechanics **mechanics, const char *path, const char *const *set, int nset,
                      Error *error);
void mechanics_free(Mechanics *mechanics); /* NULL is fine */

const Config *mechanics_config(const Mechanics *mechanics);
const Kind *mechanics_kind(const Mechanics *mechanics);
const Plan *mechanics_plan(const Mechanics *mechanics);
int mechanics_size(const Mechanics *mechanics); /* coordinates: nsite*dim                    */
int mechanics_replicas(const Mechanics *mechanics);

/* Replica r: q[size], p[size]. After setting, all forces are computed anew. */
void mechanics_get(const Mechanics *mechanics, int r, double *q, double *p);
Status mechanics_set(Mechanics *mechanics, int r, const double *q, const double *p, Error *error);
double mechanics_time(const Mechanics *mechanics);

/* n steps of all replicas. STATUS_RUN with step, replica and reason if one fails. */
Status mechanics_run(Mechanics *mechanics, int64_t n, Error *error);

typedef struct MechanicsEnergy {
  double kinetic, potential, penalty, total; /* natural systems, Fixman's in potential; else all in total */
  double largest;                            /* max |g_c| / scale_c                           */
  double hidden;                             /* max |d/dt g_c|, grad g . M^-1 p               */
  double momentum[3], angular[3];            /* about the origin; 2-D: angular[2] alone       */
} MechanicsEnergy;

MechanicsEnergy mechanics_energy(const Mechanics *mechanics, int r);

/* lambda[ncon] of replica r after the last step: see walk_multipliers. */
void mechanics_multipliers(const Mechanics *mechanics, int r, double *lambda);

/* Runs to the end of the configured time into a folder: trajectory.csv (time, then every coordinate and
 * momentum in site order, 17 digits), energy.csv, multipliers.csv if asked for, figure and summary.yaml. */
struct SimulationOptions;
Status mechanics_simulate(Mechanics *mechanics, const struct SimulationOptions *options, Error *error);

#endif
