/* The data of a step that observables, measurements and moves may read of replicas side by side, by the
 * functions below. Only this header and the ensemble, which creates samples, depend on the states and walks
 * behind them. Each member of a team has its own sample. */
#ifndef HOLONOM_INTEGRATORS_SAMPLE_H
#define HOLONOM_INTEGRATORS_SAMPLE_H

#include "integrators/motion.h"
#include "integrators/plan.h"
#include "topology/topology.h"

typedef struct Sample {
  const State *state; /* read only by the functions below                                      */
  Walk *walk;         /* likewise; NULL: the sample has positions, momenta and forces alone */
  const Team *team;   /* whose members call some functions together, as documented             */
} Sample;

/* The sample of a state without a walk, for one thread. */
static inline Sample sample_of(const State *state) { return (Sample){.state = state}; }

static inline int64_t sample_step(const Sample *s) { return s->state->step; }

static inline const Box *sample_box(const Sample *s) { return &s->state->box; }

/* Lanes of replicas; the first ones contain a replica. */
static inline int sample_width(const Sample *s) { return s->state->width; }
static inline int sample_used(const Sample *s) { return s->state->used; }

/* The index in the ensemble of the replica in lane r. */
static inline int sample_replica(const Sample *s, int r) { return (int)s->state->replica + r; }

/* A field of replica lane r: of all molecules in order (topology_get); of molecules begin to end - 1 of a
 * molecule type (topology_gather); block after block, without a topology (state_get_all). */
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

/* Position x[3] of site i of molecule m of a molecule type. */
static inline void sample_site(const Sample *s, const TopologySort *sort, int m, int i, int r, double x[3])
{
  const TopologyGroup *group = &sort->group[sort->atom[i].group];
  const Block *block = &s->state->block[group->block];
  for (int d = 0; d < 3; d++)
    x[d] = *state_element(block, block->q, s->state->width, group->first + m * group->step, r,
                          sort->atom[i].site, d);
}

/* Packs of lanes by block, for computations on eight lanes side by side. Read only. */
static inline int sample_blocks(const Sample *s) { return s->state->nblock; }
static inline const Kind *sample_kind(const Sample *s, int block) { return s->state->block[block].kind; }
static inline int sample_packs(const Sample *s, int block) { return s->state->block[block].npack; }
static inline Pack sample_pack(const Sample *s, int block, int i)
{
  return state_pack(s->state, &s->state->block[block], i);
}

/* The index of the molecule in a lane of a block. */
static inline int sample_molecule(const Sample *s, int block, int lane)
{
  return state_molecule(s->state, s->state->block[block].first + lane);
}

/* The values of a site in the 8 replicas of group k of the lanes (topology_vec8s). */
static inline const Vec8 *sample_vec8s(const Sample *s, const TopologySort *sort, StateField field, int m,
                                       int site, int k)
{
  return topology_vec8s(sort, s->state, field, m, site, k);
}

/* Energies (walk_energies), called by all members of the team together. */
static inline Status sample_energies(const Sample *s, const WalkEnergies *to, Error *error)
{
  return walk_energies(s->walk, s->team, to, error);
}

/* Whether this sample belongs to the first member of the team. */
static inline bool sample_leads(const Sample *s) { return s->team->rank == 0; }

/* Called by the first member: how energies depend on parameters of the Hamiltonian (force_field_respond). */
static inline Status sample_respond(const Sample *s, const ForceField *field, const ParameterQuery *query,
                                    Error *error)
{
  return force_field_respond(field, s->state, query, error);
}

/* Called by the first member, for each replica: energy of the penalties at the filtered positions; momenta
 * and residuals of constraints; energy that the thermostat added; linear and angular momenta. */
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

/* The same for all lanes of a pack (walk_multiplier_pack, walk_multiplier). */
static inline Pack sample_multiplier_pack(const Sample *s, int block, int i)
{
  return walk_multiplier_pack(s->walk, block, i);
}
static inline Vec8 sample_multiplier(const Sample *s, int block, const Pack *pack, int c)
{
  return walk_multiplier(s->walk, block, pack, c);
}

/* The momenta right after the last O (walk_thermal_keep, walk_thermal_return), sample_thermal_size of Vec8.
 */
static inline size_t sample_thermal_size(const Sample *s)
{
  size_t n = 0;
  for (int b = 0; b < s->state->nblock; b++)
    n += (size_t)s->state->block[b].npack *
         (size_t)(s->state->block[b].kind->nsite * s->state->block[b].kind->dim);
  return n;
}
static inline void sample_thermal_keep(const Sample *s, Vec8 *to) { walk_thermal_keep(s->walk, s->team, to); }
static inline void sample_thermal_return(const Sample *s, const Vec8 *from)
{
  walk_thermal_return(s->walk, from);
}

#endif
