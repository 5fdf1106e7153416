/* A made-up force for tests: every site is tied to the origin by an uneven spring (fast) and by a quartic
 * well (slow). It counts how often each group is computed. */
#ifndef HOLONOM_TESTS_TRAP_H
#define HOLONOM_TESTS_TRAP_H

#include "engine/force.h"
#include "tests/suite.h"

typedef struct Trap {
  double fast, slow; /* strengths; 0: nothing of this group */
  int count[2];      /* of fast and slow forces, by the first thread */
} Trap;

static const double trap_axis[3] = {1.0, 1.7, 0.6};

static double trap_site(const Trap *trap, unsigned groups, int dim, const double *q, double *f)
{
  double r2 = 0.0, energy = 0.0;
  for (int d = 0; d < dim; d++)
    r2 += q[d] * q[d];
  for (int d = 0; d < dim; d++) {
    f[d] = groups & FORCE_FAST ? -trap->fast * trap_axis[d] * q[d] : 0.0;
    f[d] -= groups & FORCE_SLOW ? trap->slow * r2 * q[d] : 0.0;
    energy += groups & FORCE_FAST ? 0.5 * trap->fast * trap_axis[d] * q[d] * q[d] : 0.0;
  }
  return energy + (groups & FORCE_SLOW ? 0.25 * trap->slow * r2 * r2 : 0.0);
}

static void trap_pack(const Trap *trap, unsigned groups, const State *state, const Pack *pack, double *energy)
{
  const Kind *kind = pack->kind;
  for (int s = 0; s < kind->nsite; s++)
    for (int l = 0; l < LANES; l++) {
      double q[3], f[3];
      if ((*pack->active)[l] == 0.0)
        continue;
      for (int d = 0; d < kind->dim; d++)
        q[d] = pack->q[s * kind->dim + d][l];
      const double e = trap_site(trap, groups, kind->dim, q, f);
      if (energy != NULL)
        energy[(pack->index * LANES + l) % state->width] += e;
      else
        for (int d = 0; d < kind->dim; d++)
          pack->f[s * kind->dim + d][l] += f[d];
    }
}

static Status trap_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                       Error *error)
{
  Trap *trap = self;
  (void)error;
  for (int r = 0; sums != NULL && team->rank == 0 && r < state->width; r++)
    sums->energy[r] = 0.0;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    int begin, end;
    team_range(team, block->npack, &begin, &end);
    for (int i = begin; i < end; i++) {
      const Pack pack = state_pack(state, block, i);
      trap_pack(trap, groups, state, &pack, NULL);
    }
    for (int i = 0; sums != NULL && team->rank == 0 && i < block->npack; i++) {
      const Pack pack = state_pack(state, block, i);
      trap_pack(trap, groups, state, &pack, sums->energy);
    }
  }
  team_barrier(team);
  if (team->rank == 0 && sums == NULL) {
    trap->count[0] += (groups & FORCE_FAST) != 0;
    trap->count[1] += (groups & FORCE_SLOW) != 0;
  }
  team_barrier(team);
  return STATUS_OK;
}

static const char *const trap_terms[1] = {"trap"};
static const ForceOps trap_fast = {.name = "trap", .nterm = 1, .term = trap_terms, .add = trap_add};
static const ForceOps trap_both = {.name = "trap",
                                   .nterm = 1,
                                   .term = trap_terms,
                                   .groups = FORCE_FAST | FORCE_SLOW,
                                   .add = trap_add,
                                   .free = free};

/* For one state; released with its field. */
static inline Status trap_make(const void *self, const State *shape, ForceField *field, Error *error)
{
  (void)shape;
  Trap *trap = malloc(sizeof *trap);
  if (trap == NULL)
    return error_memory(error, "a trap");
  *trap = *(const Trap *)self;
  field->n = 1;
  field->force[0] = (Force){&trap_both, trap};
  return STATUS_OK;
}

/* Of fast forces alone; borrowed. */
static inline ForceField trap_field(Trap *trap) { return (ForceField){1, {{&trap_fast, trap}}}; }

#endif
