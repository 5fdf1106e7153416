/* Single atoms of the program's own species, beside a water or alone, described one by one for tests. */
#ifndef HOLONOM_TESTS_MODEL_INPUT_H
#define HOLONOM_TESTS_MODEL_INPUT_H

#include "forcefields/atom_model.h"
#include "tests/suite.h"

enum { SPECIES_INPUT_BLOCKS = 3 };

typedef struct SpeciesInput {
  Topology *topology;
  Arena arena;
  AtomsInput input;
} SpeciesInput;

/* Of a state whose first block is the water, unless `model` is NULL, and whose further blocks are the
 * species. */
static inline void species_input_make(SpeciesInput *s, const State *state, const WaterModel *model,
                                      const AtomModel *const *species)
{
  const bool water = model != NULL;
  SiteMap map[SPECIES_INPUT_BLOCKS];
  *s = (SpeciesInput){0};
  ck_assert_int_le(state->nblock, SPECIES_INPUT_BLOCKS);
  for (int b = 0; b < state->nblock; b++)
    map[b] = water && b == 0 ? water_site_map(model) : atom_model_site_map(species[b - water]);
  ck_assert_int_eq(topology_of_state(&s->topology, state, NULL), STATUS_OK);
  ck_assert_int_eq(atom_model_input(&s->input, s->topology, map, water, &s->arena, NULL), STATUS_OK);
}

static inline void species_input_free(SpeciesInput *s)
{
  topology_free(s->topology);
  arena_free(&s->arena);
}

#endif
