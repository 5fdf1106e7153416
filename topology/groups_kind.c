/* The kind of a group, from its atoms and its shape. */
#include <stdio.h>
#include <string.h>

#include "topology/groups_private.h"

/* Joins symbols to a name such as "CH3". */
static void name_kind(int nsite, const char *const *symbol, char *name, size_t size)
{
  size_t n = 0;
  for (int s = 0, same; s < nsite && n < size; s += same) {
    for (same = 1; s + same < nsite && strcmp(symbol[s], symbol[s + same]) == 0;)
      same++;
    const int wrote = same > 1 ? snprintf(name + n, size - n, "%s%d", symbol[s], same)
                               : snprintf(name + n, size - n, "%s", symbol[s]);
    n += wrote > 0 ? (size_t)wrote : 0;
  }
}

Status groups_kind_make(const GroupsPart *part, const GroupsShape *shape, bool held, bool builtin,
                        Kind **kind, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const size_t nsite = (size_t)part->nsite;
  const char **symbol = arena_take(&arena, nsite, sizeof *symbol);
  Constraint *con = arena_take(&arena, (size_t)shape->ncon + 1, sizeof *con);
  double *reference = arena_take(&arena, 3 * nsite, sizeof *reference);
  double centre[3] = {0.0, 0.0, 0.0}, whole = 0.0;
  char name[64] = "";
  TRY(arena_check(&arena, "a kind of group", error));
  for (int s = 0; s < part->nsite; s++) {
    symbol[s] = groups_symbol(&part->molecule->atom[part->atom[s]]);
    whole += part->mass[s];
    for (int d = 0; d < 3; d++)
      centre[d] += part->mass[s] * part->x[s][d];
  }
  for (int i = 0; i < 3 * part->nsite; i++)
    reference[i] = part->x[i / 3][i % 3] - (builtin ? 0.0 : centre[i % 3] / whole);
  for (int c = 0; c < shape->ncon; c++)
    con[c] = distance_constraint(&shape->kept[c]);
  name_kind(part->nsite, symbol, name, sizeof name);
  const Kind made = {.name = builtin ? part->molecule->name : name,
                     .nsite = part->nsite,
                     .dim = 3,
                     .ncon = shape->ncon,
                     .mass = part->mass,
                     .site = symbol,
                     .con = con,
                     .w = held && shape->ncon > 0 ? shape->w : NULL,
                     .reference = reference,
                     .frozen = part->frozen,
                     .sparse = part->nsite > DISTANCES_DENSE};
  return kind_copy(kind, &made, error);
}
