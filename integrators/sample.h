/* What observables, measurements and moves get of replicas side by side that have come to a step: read only,
 * by the functions below. Behind them are today's states and walks, which only this header and what makes
 * samples (the ensemble) know. Each member of a team has a sample of its own. */
#ifndef HOLONOM_INTEGRATORS_SAMPLE_H
#define HOLONOM_INTEGRATORS_SAMPLE_H

#include "integrators/motion.h"
#include "integrators/plan.h"
#include "topology/topology.h"

typedef struct Sample {
  const State *state; /* read by the functions below alone                                     */
  Walk *walk;         /* likewise; NULL: of a sample that has positions, momenta and forces alone */
  const Team *team;   /* whose members call together what says so                              */
} Sample;

static inline int64_t sample_step(const Sample *s) { return s->state->step; }

static inline const Box *sample_box(const Sample *s) { return &s->state->box; }

/* Lanes of replicas; those of them that hold one are the first. */
static inline int sample_width(const Sample *s) { return s->state->width; }
static inline int sample_used(const Sample *s) { return s->state->used; }

/* The number of the replica in lane r, in the whole ensemble. */
static inline int sample_replica(const Sample *s, int r) { return (int)s->state->replica + r; }

/* A field of replica lane r: of all molecules in their order (topology_get); of molecules begin to end - 1 of
 * a sort (topology_gather); block after block, without a topology (state_get_all). */
static inline void sample_get(const Sample *s, const Topology *topology, StateField field, int r, double *x)
{
  topology_get(topology, s->state, field, r, x);
}
static inline void sample_gather(const Sample *s, const TopologySort *sort, StateField field, int r,
                                 int begin, int end, double *x)
{
  topology_gather(sort, s->state, field, r, begin, end, x);
}
static inline void sample_coordinates(const Sample *s, StateField field, int r, double *x)
{
  state_get_all(s->state, field, r, x);
}

/* Of a site the numbers of the 8 replicas of group k of the lanes (topology_vec8s). */
static inline const Vec8 *sample_vec8s(const Sample *s, const TopologySort *sort, StateField field, int m,
                                       int site, int k)
{
  return topology_vec8s(sort, s->state, field, m, site, k);
}

/* Energies (walk_energies): by all of the team together. */
static inline Status sample_energies(const Sample *s, const WalkEnergies *to, Error *error)
{
  return walk_energies(s->walk, s->team, to, error);
}

/* Whether this is the sample of the first of the team. */
static inline bool sample_leads(const Sample *s) { return s->team->rank == 0; }

/* By the first of the team: how energies depend on parameters of the Hamiltonian (force_field_respond). */
static inline Status sample_respond(const Sample *s, const ForceField *field, const ParameterQuery *query,
                                    Error *error)
{
  return force_field_respond(field, s->state, query, error);
}

/* By the first of the team: energy of the penalties at the filtered positions; momenta and residuals of
 * constraints; the energy that the thermostat has put in; linear and angular momenta. Of each replica. */
static inline void sample_strain(const Sample *s, double *strain) { walk_penalty_strain(s->walk, strain); }
static inline void sample_motion(const Sample *s, WalkMotion *to) { walk_motion(s->walk, to); }
static inline void sample_heat(const Sample *s, double *heat) { state_heat(s->state, heat); }
static inline void sample_momenta(const Sample *s, double linear[][3], double angular[][3])
{
  motion_momenta(s->state, linear, angular);
}

/* Multipliers of lane `lane` of block `block` in replica lane r (walk_multipliers). */
static inline void sample_multipliers(const Sample *s, int block, int lane, int r, double *lambda)
{
  walk_multipliers(s->walk, r, s->state->block[block].first + lane, lambda);
}

#endif
