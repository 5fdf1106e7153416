/* Finds the pairs of torsions whose joint distribution is measured (output.torsions_pairs). */
#include <string.h>

#include "base/nearest.h"
#include "simulation/molecules/variables.h"

static Status find_torsion(const CollectiveList *list, const Simulation *s, int pair, const char *name,
                           int *number, Error *error)
{
  Nearest nearest = nearest_start(name);
  for (*number = 0; *number < list->n; ++*number) {
    if (strcmp(list->variable[*number].name, name) == 0)
      return STATUS_OK;
    nearest_try(&nearest, list->variable[*number].name, 0.0);
  }
  return input_error(s->config->input, input_record(KEY(output_torsions_pairs), pair, "between"), error,
                     "there is no torsion '%.60s' in output.torsions%s", name,
                     nearest_hint(&nearest, "").text);
}

static bool same_molecules(const Collective *a, const Collective *b)
{
  const CoordinatePlace *one = a->sites.place, *other = b->sites.place;
  if (a->span == NULL && b->span == NULL)
    return one->sort == other->sort && one->molecule == other->molecule;
  return a->span != NULL && b->span != NULL && a->nspan == b->nspan &&
         memcmp(a->span, b->span, (size_t)a->nspan * sizeof *a->span) == 0;
}

Status variables_pairs_find(Variables *v, const Simulation *s, Error *error)
{
  const InputRecords *records = &s->config->output.torsion_pairs;
  const ConfigPair *record = records->item;
  CollectiveList *list = &v->list[COORDINATE_DIHEDRAL];
  int(*pair)[2] = arena_take(&v->arena, (size_t)records->n, sizeof *pair);
  TRY(arena_check(&v->arena, "pairs of torsions", error));
  list->pair = (const int(*)[2])pair;
  for (int i = 0; i < records->n; i++) {
    const InputKey key = input_record(KEY(output_torsions_pairs), i, "between");
    if (record[i].between.n != 2)
      return input_error(s->config->input, key, error,
                         "%d are listed; wanted: the names of two torsions, [phi, psi]", record[i].between.n);
    for (int k = 0; k < 2; k++)
      TRY(find_torsion(list, s, i, record[i].between.value[k], &pair[i][k], error));
    if (pair[i][0] == pair[i][1])
      return input_error(s->config->input, key, error, "both torsions are the same; wanted: two torsions");
    if (!same_molecules(&list->variable[pair[i][0]], &list->variable[pair[i][1]]))
      return input_error(s->config->input, key, error, "'%s' and '%s' are torsions of different molecules",
                         record[i].between.value[0], record[i].between.value[1]);
    for (int k = 0; k < i; k++)
      if (memcmp(pair[k], pair[i], sizeof *pair) == 0)
        return input_error(s->config->input, key, error, "this pair is listed twice");
    list->npair++;
  }
  return STATUS_OK;
}
