/* Arrays parallel to a list: types. */
#include <stdlib.h>

#include "forcefields/sites_private.h"

void sites_part_places(Sites *s, const Team *team, const ListView *list)
{
  int begin, end;
  team_range(team, s->particles.nmol, &begin, &end);
  for (int p = begin; p < end && s->type != NULL; p++)
    s->type[p] = s->particles.atoms->type[list->order[p]];
}

static bool make_room(SitesBeside *beside, size_t wanted)
{
  if (wanted <= beside->room)
    return true;
  free(beside->with);
  beside->room = wanted + wanted / 4;
  beside->with = malloc(beside->room * sizeof *beside->with);
  if (beside->with == NULL)
    beside->room = 0;
  return beside->with != NULL;
}

void sites_part_chunk(Sites *s, const ListView *list, int c)
{
  const ListChunk *const chunk = &list->chunk[c];
  SitesBeside *const beside = &s->beside[c];
  beside->failed = false;
  if (s->atoms_float == NULL)
    return;
  const int atoms = s->atoms_float->atoms;
  beside->failed = !make_room(beside, (size_t)chunk->n);
  for (int p = chunk->first[atoms]; p < chunk->last[atoms] && !beside->failed; p += list->share[p])
    for (int b = 0; b <= atoms; b++) {
      const size_t at = (size_t)b * (size_t)list->n + (size_t)p;
      const int end = (list->end[at] + LIST_PAD - 1) / LIST_PAD * LIST_PAD;
      for (int k = list->begin[at]; k < end; k++)
        beside->with[k] = s->type[chunk->j[k] & LIST_PLACE] << ATOMS_FLOAT_SHIFT;
    }
}
