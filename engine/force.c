#include "engine/force.h"

#include <string.h>

/* This thread's share of a block's packs, set to zero. */
static void clear_share(const Team *team, int npack, size_t stride, vd *x)
{
  int begin, end;
  team_range(team, npack, &begin, &end);
  memset(x + (size_t)begin * stride, 0, (size_t)(end - begin) * stride * sizeof *x);
}

void force_field_compute(const ForceField *field, const Team *team, State *state, double *energy)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    clear_share(team, block->npack, (size_t)block->kind->nsite * (size_t)block->kind->dim, block->f);
  }
  team_barrier(team);
  for (int i = 0; i < field->n; i++) {
    const Force *force = &field->force[i];
    force->ops->add(force->self, team, state, energy);
    if (energy != NULL)
      energy += force->ops->nterm * state->width;
  }
}

int force_field_terms(const ForceField *field)
{
  int n = 0;
  for (int i = 0; i < field->n; i++)
    n += field->force[i].ops->nterm;
  return n;
}

const char *force_field_term(const ForceField *field, int term)
{
  for (int i = 0; i < field->n; i++) {
    if (term < field->force[i].ops->nterm)
      return field->force[i].ops->term[term];
    term -= field->force[i].ops->nterm;
  }
  return "";
}

void force_field_hess_block(const ForceField *field, const Team *team, const State *state, vd *hess)
{
  const Block *block = &state->block[0];
  const size_t n = (size_t)block->kind->nsite * (size_t)block->kind->dim;
  clear_share(team, block->npack, n * n, hess);
  team_barrier(team);
  for (int i = 0; i < field->n; i++)
    if (field->force[i].ops->hess_block != NULL)
      field->force[i].ops->hess_block(field->force[i].self, team, state, hess);
}

void force_field_free(ForceField *field)
{
  for (int i = 0; i < field->n; i++)
    if (field->force[i].ops != NULL && field->force[i].ops->free != NULL)
      field->force[i].ops->free(field->force[i].self);
  field->n = 0;
}
