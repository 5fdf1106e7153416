#include "forcefields/internal.h"

#include "forcefields/field.h"
#include "forcefields/pack_force.h"

static void add(const void *own, const Pack *pack, Vec8 *energy)
{
  (void)own;
  kind_potential(pack->kind, pack->q, energy, pack->f);
}

static void describe(const void *own, ForceDescription *to)
{
  (void)own;
  to->form = FORM_INSIDE;
}

static const PackForce internal = {.name = "internal",
                                   .doc = "the potentials inside a molecule and the fields on it",
                                   .term = "potential",
                                   .add = add,
                                   .describe = describe,
                                   .inside = 1};

Status internal_create(Force *force, const State *shape, Error *error)
{
  return pack_force_create(force, &internal, NULL, 0, shape, error);
}

Status internal_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  (void)input;
  return internal_create(force, shape, error);
}
