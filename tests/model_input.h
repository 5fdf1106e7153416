/* Single atoms of the program's own species, beside a water or alone, described one by one for tests. */
#ifndef HOLONOM_TESTS_MODEL_INPUT_H
#define HOLONOM_TESTS_MODEL_INPUT_H

#include <math.h>

#include "base/arena.h"
#include "forcefields/atom_model.h"
#include "forcefields/atoms.h"
#include "forcefields/water.h"
#include "tests/suite.h"

static inline void combine(double sigma, double epsilon, double lj[2])
{
  const double s3 = pow(sigma, 3.0), s6 = s3 * s3;
  lj[1] = 4.0 * epsilon * s6;
  lj[0] = lj[1] * s6;
}

/* The map of the atom's one site. */
static inline SiteMap atom_model_site_map(const AtomModel *species)
{
  SiteMap map = {.name = species->name,
                 .natom = 1,
                 .nsite = 1,
                 .planar = true,
                 .site = {species->symbol},
                 .charge = {species->charge},
                 .sigma = species->sigma,
                 .epsilon = species->epsilon};
  combine(map.sigma, map.epsilon, map.lj);
  return map;
}

/* A and C of A/r^12 - C/r^6 between the first sites of two molecules: the Lorentz-Berthelot rule. */
static inline void atom_model_mix(const SiteMap *a, const SiteMap *b, double lj[2])
{
  const bool alike = a->sigma == b->sigma && a->epsilon == b->epsilon;
  combine(0.5 * (a->sigma + b->sigma), sqrt(a->epsilon * b->epsilon), lj);
  for (int k = 0; k < 2 && alike; k++) /* exactly the digits of their row */
    lj[k] = a->lj[k];
}

/* map[nblock] has the species of each block; block 0 is the water if `water`. */
static inline Status atom_model_input(AtomsInput *input, const Topology *topology, const SiteMap *map,
                                      bool water, Arena *arena, Error *error)
{
  const int n = topology->nblock;
  double(*lj)[2] = arena_take(arena, (size_t)n * (size_t)n, sizeof *lj);
  TRY(arena_check(arena, "single atoms", error));
  for (int i = 0; i < n * n; i++)
    atom_model_mix(&map[i / n], &map[i % n], lj[i]);
  for (int b = 0; b < n; b++)
    for (int k = 0; k < topology->sort[b].nsite; k++) {
      topology->sort[b].type[k] = b;
      topology->sort[b].charge[k] = map[b].charge[0];
    }
  *input =
      (AtomsInput){.topology = topology, .water = water ? 0 : -1, .ntype = n, .lj = (const double(*)[2])lj};
  return STATUS_OK;
}

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
