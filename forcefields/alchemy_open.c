/* The force of a decoupled solute in open space (alchemy.h); in a box the periodic force has it. */
#include <stdlib.h>

#include "forcefields/alchemy.h"
#include "forcefields/field.h"
#include "forcefields/virtual_lanes.h"

typedef struct OpenAlchemy {
  ForceOps ops;
  const Topology *topology;
  Isa isa;
  VirtualLanes *virtual; /* NULL: no virtual sites */
  Atoms *atoms;
  Alchemy *alchemy;
} OpenAlchemy;

/* The pairs of the solute with other molecules, and with itself. */
static const char *const term[] = {"solute_coulomb", "solute_lj", "solute_inside"};

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  OpenAlchemy *f = self;
  State *view;
  (void)groups;
  TRY(virtual_lanes_place(f->virtual, team, state, &view, error));
  TRY(alchemy_add(f->alchemy, team, view, sums != NULL, error));
  if (sums != NULL && team->rank == 0) {
    const int width = state->width;
    for (int r = 0; r < width; r++) {
      const AlchemySums own = alchemy_sums(f->alchemy, r, width == 1 ? sums->virial : NULL);
      sums->energy[r] = own.coulomb;
      sums->energy[width + r] = own.lj;
      sums->energy[2 * width + r] = own.inside;
    }
  }
  team_barrier(team);
  virtual_lanes_spread(f->virtual, team, sums);
  return STATUS_OK;
}

SCOPED_POINTER(VirtualLanes, virtual_lanes_free)

/* May run while other threads add forces or respond, so the virtual sites of this state are placed in memory
 * of its own. */
static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  const OpenAlchemy *f = self;
  SCOPED(virtual_lanes_free_at) VirtualLanes *own = NULL;
  const State *view;
  if (f->virtual != NULL)
    TRY(virtual_lanes_create(&own, f->topology, state, f->isa, error));
  TRY(virtual_lanes_look(own, state, &view, error));
  return alchemy_respond(f->alchemy, view, query, error);
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  (void)self, (void)shape, (void)arena, (void)to;
  return error_set(error, STATUS_INPUT, "a description has no soft core (alchemy)");
}

static void release(void *self)
{
  OpenAlchemy *f = self;
  alchemy_free(f->alchemy);
  atoms_free(f->atoms);
  virtual_lanes_free(f->virtual);
  free(f);
}

static Status fill(OpenAlchemy *f, const FieldInput *input, const State *shape, Error *error)
{
  f->topology = input->topology;
  f->isa = input->isa;
  TRY(virtual_lanes_create(&f->virtual, input->topology, shape, input->isa, error));
  const State *const view = virtual_lanes_view(f->virtual, shape);
  TRY(atoms_create(&f->atoms, input->atoms, view, error));
  const AlchemyOptions options = {
      .input = &input->alchemy, .parameters = input->parameters, .atoms = f->atoms, .isa = input->isa};
  return alchemy_create(&f->alchemy, &options, view, error);
}

Status alchemy_open_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  *force = (Force){0};
  OpenAlchemy *f = calloc(1, sizeof *f);
  TRY_MEMORY(f != NULL, "a solute", error);
  f->ops = (ForceOps){.name = "alchemy",
                      .doc = "a solute whose interactions with other molecules are scaled",
                      .nterm = sizeof term / sizeof *term,
                      .term = term,
                      .telling = 1,
                      .add = add,
                      .respond = respond,
                      .describe = describe,
                      .free = release};
  TRY_ELSE(fill(f, input, shape, error), release(f));
  *force = (Force){&f->ops, f};
  return STATUS_OK;
}
