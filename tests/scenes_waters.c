#include "tests/scenes_waters.h"

#include <check.h>

#include "forcefields/pair.h"

enum { MOST = 256 };

typedef struct Waters {
  const WaterModel *model;
  int nmol;
  Isa isa;
  Topology *topology;
} Waters;

static Status make_field(const void *system, const State *state, ForceField *field, Error *error)
{
  const Waters *w = system;
  field->n = 1;
  return pair_create(&field->force[0], w->model, PAIR_DOUBLE, state, w->isa, error);
}

static const Waters *find(const WaterModel *model, int nmol, Isa isa)
{
  static Waters all[MOST];
  int i = 0;
  while (i < MOST && all[i].model != NULL &&
         (all[i].model != model || all[i].nmol != nmol || all[i].isa != isa))
    i++;
  ck_assert_int_lt(i, MOST);
  if (all[i].model != NULL)
    return &all[i];
  Kind *kind;
  ck_assert_int_eq(water_kind(model, WATER_MASS_O, WATER_MASS_H, &kind, NULL), STATUS_OK);
  all[i] = (Waters){model, nmol, isa, NULL};
  ck_assert_int_eq(topology_of_kinds(&all[i].topology, 1, &(const Kind *){kind}, &nmol, NULL), STATUS_OK);
  return &all[i];
}

MinimaOf scenes_waters(const WaterModel *model, int nmol, uint64_t seed, int threads, Isa isa)
{
  const Waters *w = find(model, nmol, isa);
  return (MinimaOf){.on = {w->topology, make_field, w}, .seed = seed, .threads = threads, .isa = isa};
}

const WaterModel *scenes_waters_model(const MinimaOf *of) { return ((const Waters *)of->on.system)->model; }
