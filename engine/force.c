#include "engine/force.h"

#include <string.h>

static unsigned ops_groups(const ForceOps *ops) { return ops->groups != 0 ? ops->groups : FORCE_FAST; }

/* Clears this thread's share of a block's packs. */
static void clear_share(const Team *team, int npack, size_t stride, Vec8 *x)
{
  int begin, end;
  team_range(team, npack, &begin, &end);
  memset(x + (size_t)begin * stride, 0, (size_t)(end - begin) * stride * sizeof *x);
}

/* The first force that contributes to these groups, or NULL. */
static const Force *first_of(const ForceField *field, unsigned groups)
{
  for (int i = 0; i < field->n; i++)
    if ((groups & ops_groups(field->force[i].ops)) != 0)
      return &field->force[i];
  return NULL;
}

static Status compute(const ForceField *field, const Team *team, State *state, unsigned groups,
                      const ForceSums *sums, Error *error)
{
  if (sums != NULL && sums->virial != NULL && team->rank == 0)
    memset(sums->virial, 0, 9 * sizeof(double));
  const Force *const first = first_of(field, groups);
  const bool fills = first != NULL && first->ops->fills;
  for (int b = 0; b < state->nblock && !fills; b++) {
    const Block *block = &state->block[b];
    clear_share(team, block->npack, (size_t)block->kind->nsite * (size_t)block->kind->dim, block->f);
  }
  team_barrier(team);
  ForceSums own = sums != NULL ? *sums : (ForceSums){0};
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    const unsigned part = groups & ops_groups(ops),
                   fill = fills && &field->force[i] == first ? FORCE_FILL : 0;
    TRY(part != 0
            ? ops->add(field->force[i].self, team, state, part | fill, sums != NULL ? &own : NULL, error)
            : STATUS_OK);
    if (sums != NULL)
      own.energy += ops->nterm * state->width;
  }
  return STATUS_OK;
}

Status force_field_compute(const ForceField *field, const Team *team, State *state, const ForceSums *sums,
                           Error *error)
{
  return compute(field, team, state, FORCE_ALL, sums, error);
}

Status force_field_compute_groups(const ForceField *field, const Team *team, State *state, unsigned groups,
                                  Error *error)
{
  return compute(field, team, state, groups, NULL, error);
}

Status force_field_set_box(const ForceField *field, State *state, const Box *box, Error *error)
{
  State shape = *state;
  shape.box = *box;
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    const Status status =
        ops->set_box != NULL ? ops->set_box(field->force[i].self, &shape, error) : STATUS_OK;
    if (status != STATUS_OK) {
      for (int k = 0; k < i; k++) /* back to the previous box, which cannot fail */
        if (field->force[k].ops->set_box != NULL)
          (void)field->force[k].ops->set_box(field->force[k].self, state, NULL);
      return status;
    }
  }
  state->box = *box;
  return STATUS_OK;
}

Status force_field_describe(const ForceField *field, const State *shape, Arena *arena, ForceDescription *to,
                            Error *error)
{
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    if (ops->describe == NULL)
      return error_set(error, STATUS_INPUT, "the force '%s' is code and has no description", ops->name);
    to[i] = (ForceDescription){.name = ops->name,
                               .slow = ops_groups(ops) == FORCE_SLOW,
                               .block = ops->hess_block != NULL,
                               .box = box_periodic(&shape->box) ? shape->box.h : NULL};
    TRY(ops->describe(field->force[i].self, shape, arena, &to[i], error));
  }
  return STATUS_OK;
}

unsigned force_field_groups(const ForceField *field)
{
  unsigned groups = 0;
  for (int i = 0; i < field->n; i++)
    groups |= ops_groups(field->force[i].ops);
  return groups;
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

static const ForceOps *ops_of(const ForceField *field, int term)
{
  int i = 0;
  for (; term >= field->force[i].ops->nterm; i++)
    term -= field->force[i].ops->nterm;
  return field->force[i].ops;
}

bool force_field_inside(const ForceField *field, int term) { return ops_of(field, term)->inside != 0; }

bool force_field_driven(const ForceField *field)
{
  bool any = false;
  for (int i = 0; i < field->n; i++)
    any = any || field->force[i].ops->driven != 0;
  return any;
}

bool force_field_scales_with_kT(const ForceField *field)
{
  bool any = false;
  for (int i = 0; i < field->n; i++)
    any = any || field->force[i].ops->scales_with_kT != 0;
  return any;
}

ForceEnergy force_field_energy(const ForceField *field, const double *terms, int width, int r)
{
  ForceEnergy sum = {0};
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    for (int t = 0; t < ops->nterm; t++, terms += width)
      *(ops->scales_with_kT ? &sum.fixman : ops->biases ? &sum.bias : &sum.potential) += terms[r];
  }
  return sum;
}

void force_field_hess_block(const ForceField *field, const Team *team, const State *state, Vec8 *hess)
{
  const Block *block = &state->block[0];
  const size_t n = (size_t)block->kind->nsite * (size_t)block->kind->dim;
  clear_share(team, block->npack, n * n, hess);
  team_barrier(team);
  for (int i = 0; i < field->n; i++)
    if (field->force[i].ops->hess_block != NULL)
      field->force[i].ops->hess_block(field->force[i].self, team, state, hess);
}

Status force_field_respond(const ForceField *field, const State *state, const ParameterQuery *query,
                           Error *error)
{
  for (int i = 0; i < field->n; i++)
    if (field->force[i].ops->respond != NULL)
      TRY(field->force[i].ops->respond(field->force[i].self, state, query, error));
  return STATUS_OK;
}

void force_field_free(ForceField *field)
{
  for (int i = 0; i < field->n; i++)
    if (field->force[i].ops != NULL && field->force[i].ops->free != NULL)
      field->force[i].ops->free(field->force[i].self);
  field->n = 0;
}
