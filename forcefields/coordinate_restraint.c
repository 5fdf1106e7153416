#include "forcefields/coordinate_restraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "forcefields/coordinate_lanes.h"
#include "forcefields/field.h"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct Spring {
  CoordinateRestraint like; /* without its lists of atoms */
  const CoordinateType *type;
  CoordinateLanes on;
} Spring;

typedef struct Springs {
  ForceOps ops;
  int n;
  size_t memory; /* the most that the reading of a spring needs */
  Spring *spring;
  Vec8 *reading; /* [memory] for `add` */
  const Parameters *parameters;
  Arena arena;
} Springs;

static const char *const term[] = {"coordinate_restraint"};

/* --- springs -------------------------------------------------------------------------------------------- */

typedef struct Constants {
  double k, centre; /* A or radians */
} Constants;

static Constants constants_at(const Spring *s, const double *values)
{
  const int p = s->like.parameter;
  const double *const own = p > 0 && values != NULL ? values + p - 1 : NULL;
  const double k = own != NULL ? own[0] : s->like.k, centre = own != NULL ? own[1] : s->like.centre;
  return (Constants){k, s->type->angle ? centre * degree : centre};
}

static Constants constants_of(const Springs *t, const Spring *s, uint32_t replica)
{
  return constants_at(s, t->parameters != NULL ? parameters_of(t->parameters, replica) : NULL);
}

/* The value minus the centre, at most half a period in size. */
static double beyond(const Spring *s, Constants c, double period, double value)
{
  const double x = value - c.centre;
  return s->type->periodic ? remainder(x, 360.0 * degree) : period > 0.0 ? remainder(x, period) : x;
}

static double energy_of(Constants c, double x) { return 0.5 * c.k * x * x; }

static double energy_at(const Spring *s, Constants c, double period, double value)
{
  return energy_of(c, beyond(s, c, period, value));
}

static void add_spring(const Springs *t, const State *state, const Spring *s, int slot, const ForceSums *sums)
{
  CoordinateReading at = coordinate_sites_reading(&s->on.sites, t->reading);
  Vec8 pull = vec8_set(0.0);
  const double period = coordinate_sites_period(&s->on.sites, &state->box);
  const bool shifts = period > 0.0 && !s->type->periodic;
  coordinate_lanes_read(&s->on, state, slot, &at, true);
  for (int l = 0; l < at.lanes; l++) {
    const int r = slot * LANES + l;
    const Constants c = constants_of(t, s, state->replica + (uint32_t)r);
    const double x = beyond(s, c, period, at.value[l]);
    pull[l] = -c.k * x;
    if (sums != NULL)
      sums->energy[r] += energy_of(c, x);
    if (shifts) /* to the image that the spring acts on */
      at.v[s->on.sites.axis][l] += x - (at.value[l] - c.centre);
  }
  coordinate_lanes_pull(&s->on, state, slot, &at, pull, sums != NULL ? sums->virial : NULL);
}

/* The team's first member does all: springs are few, and their atoms are in packs of any thread. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  (void)error;
  const Springs *t = self;
  team_barrier(team);
  if (team->rank == 0) {
    if (sums != NULL)
      memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
    for (int i = 0; i < t->n; i++)
      for (int slot = 0; slot < coordinate_lanes_slots(state); slot++)
        add_spring(t, state, &t->spring[i], slot, sums);
  }
  team_barrier(team);
  return STATUS_OK;
}

/* --- parameters ----------------------------------------------------------------------------------------- */

static void respond_spring(const Springs *t, const State *state, const Spring *s, int slot, Vec8 *memory,
                           const ParameterQuery *query)
{
  const size_t width = (size_t)state->width, n = (size_t)query->parameters->n;
  CoordinateReading at = coordinate_sites_reading(&s->on.sites, memory);
  const double period = coordinate_sites_period(&s->on.sites, &state->box);
  coordinate_lanes_read(&s->on, state, slot, &at, false);
  for (int l = 0; l < at.lanes; l++) {
    const size_t r = (size_t)slot * LANES + (size_t)l, p = (size_t)s->like.parameter;
    const Constants c = constants_of(t, s, state->replica + (uint32_t)r);
    for (size_t i = 0; i < (size_t)query->nset; i++)
      query->energy[i * width + r] += energy_at(s, constants_at(s, query->set + i * n), period, at.value[l]);
    query->own[r] += energy_at(s, c, period, at.value[l]);
    if (query->slope == NULL)
      continue;
    const double x = beyond(s, c, period, at.value[l]);
    query->slope[(p - 1) * width + r] += 0.5 * x * x;
    query->slope[p * width + r] -= c.k * x * (s->type->angle ? degree : 1.0);
  }
}

/* May run while another thread adds forces. */
static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  const Springs *t = self;
  Vec8 *const memory = arena_take(&own, t->memory, sizeof *memory);
  TRY(arena_check(&own, "restraints", error));
  for (int i = 0; i < t->n; i++)
    for (int slot = 0; t->spring[i].like.parameter > 0 && slot < coordinate_lanes_slots(state); slot++)
      respond_spring(t, state, &t->spring[i], slot, memory, query);
  return STATUS_OK;
}

static Status describe_spring(const Spring *s, const State *shape, Arena *arena, SpringDescription *to,
                              Error *error)
{
  const CoordinateForm form = s->like.on.form;
  const bool known = form == COORDINATE_DISTANCE || form == COORDINATE_COSINE || form == COORDINATE_DIHEDRAL;
  const Constants own = constants_at(s, NULL);
  const CoordinateSites *c = &s->on.sites;
  if (!known)
    return error_set(error, STATUS_INPUT, "a restraint of a %s has no description", s->type->one);
  *to = (SpringDescription){
      .nsite = c->nsite, .k = own.k, .centre = own.centre, .parameter = s->like.parameter};
  for (int i = 0, at = 0; i < c->nsite; i++) {
    const size_t n = (size_t)c->natoms[i];
    AtomIndex *atom = arena_take(arena, n, sizeof *atom);
    double *weight = arena_take(arena, n, sizeof *weight);
    TRY(arena_check(arena, "the description of restraints", error));
    for (size_t a = 0; a < n; a++, at++) {
      atom[a] = restraint_index(shape, &s->on.spot[at].spot);
      weight[a] = c->share[at];
    }
    to->natom[i] = (int)n;
    to->atom[i] = atom;
    to->weight[i] = weight;
  }
  return STATUS_OK;
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  const Springs *t = self;
  SpringDescription *spring = arena_take(arena, (size_t)t->n + 1, sizeof *spring);
  TRY(arena_check(arena, "the description of restraints", error));
  for (int i = 0; i < t->n; i++)
    TRY(describe_spring(&t->spring[i], shape, arena, &spring[i], error));
  to->form = FORM_SPRINGS;
  to->springs = (SpringsDescription){t->n, spring};
  return STATUS_OK;
}

static void release(void *self)
{
  Springs *t = self;
  arena_free(&t->arena);
  free(t);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status create_spring(Springs *t, Spring *s, const CoordinateRestraint *r, const Topology *topology,
                            const State *shape, Error *error)
{
  const CoordinateType *type = &coordinate_types[r->on.form];
  if (!(r->k >= 0.0) || !isfinite(r->k) || !isfinite(r->centre))
    return error_set(
        error, STATUS_INPUT,
        "a coordinate restraint needs a finite stiffness of 0 or more and a finite centre, not %g and %g",
        r->k, r->centre);
  if (type->nsite == 0 && !type->pairs && r->on.natom[0] == 1)
    return error_set(error, STATUS_INPUT, "one atom has no %s; two or more are required", type->one);
  *s = (Spring){.like = *r, .type = type};
  TRY(coordinate_lanes_create(&s->on, &r->on, topology, shape, &t->arena, error));
  const size_t memory = coordinate_sites_memory(&s->on.sites);
  t->memory = memory > t->memory ? memory : t->memory;
  return STATUS_OK;
}

static Status create_all(Springs *t, int n, const CoordinateRestraint *list, const Topology *topology,
                         const State *shape, Error *error)
{
  t->spring = arena_take(&t->arena, (size_t)n + 1, sizeof *t->spring);
  TRY(arena_check(&t->arena, "restraints", error));
  for (; t->n < n; t->n++)
    TRY(create_spring(t, &t->spring[t->n], &list[t->n], topology, shape, error));
  t->reading = arena_take(&t->arena, t->memory, sizeof *t->reading);
  return arena_check(&t->arena, "restraints", error);
}

Status coordinate_restraint_create(Force *force, const Topology *topology, int n,
                                   const CoordinateRestraint *list, const Parameters *parameters,
                                   const State *shape, Error *error)
{
  Springs *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "restraints", error);
  *t = (Springs){.ops = {.name = "coordinate_restraints",
                         .doc = "springs on coordinates of sites",
                         .nterm = 1,
                         .term = term,
                         .add = add,
                         .describe = describe,
                         .telling = 1,
                         .respond = respond,
                         .free = release},
                 .parameters = parameters};
  TRY_ELSE(create_all(t, n, list, topology, shape, error), release(t));
  *force = (Force){&t->ops, t};
  return STATUS_OK;
}

Status coordinate_restraint_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return coordinate_restraint_create(force, input->topology, input->nheld, input->held, input->parameters,
                                     shape, error);
}
