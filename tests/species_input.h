/* Single atoms of the program's own species, beside a water or alone, described one by one for tests. */
#ifndef HOLONOM_TESTS_SPECIES_INPUT_H
#define HOLONOM_TESTS_SPECIES_INPUT_H

#include <check.h>
#include <stdlib.h>

#include "forcefields/atoms.h"
#include "forcefields/species.h"

enum { SPECIES_INPUT_TYPES = 3 };

typedef struct SpeciesInput {
  Topology *topology;
  double lj[SPECIES_INPUT_TYPES * SPECIES_INPUT_TYPES][2], *charge;
  int *type;
  AtomsInput input; /* points to the others: the whole stays where it is made */
} SpeciesInput;

/* Of a state whose first block is the water, unless `model` is NULL, and whose further blocks are the
 * species. */
static inline void species_input_make(SpeciesInput *s, const State *state, const WaterModel *model,
                                      const Species *const *species)
{
  const int n = state->nblock, water = model != NULL ? 0 : -1;
  SiteMap map[SPECIES_INPUT_TYPES];
  *s = (SpeciesInput){0};
  ck_assert_int_le(n, SPECIES_INPUT_TYPES);
  ck_assert_int_eq(topology_of_state(&s->topology, state, NULL), STATUS_OK);
  s->charge = calloc((size_t)s->topology->natom, sizeof *s->charge);
  s->type = calloc((size_t)s->topology->natom, sizeof *s->type);
  ck_assert(s->charge != NULL && s->type != NULL);
  for (int b = 0, atom = 0; b < n; b++) {
    map[b] = b == water ? water_site_map(model) : species_site_map(species[b - water - 1]);
    for (int k = 0; k < state->block[b].nlane * state->block[b].kind->nsite; k++, atom++) {
      s->type[atom] = b;
      s->charge[atom] = b == water ? 0.0 : map[b].charge[0];
    }
  }
  for (int i = 0; i < n * n; i++)
    species_mix(&map[i / n], &map[i % n], s->lj[i]);
  s->input = (AtomsInput){.topology = s->topology,
                          .water = water,
                          .ntype = n,
                          .lj = (const double(*)[2])s->lj,
                          .type = s->type,
                          .charge = s->charge};
}

static inline void species_input_free(SpeciesInput *s)
{
  topology_free(s->topology);
  free(s->charge);
  free(s->type);
}

#endif
