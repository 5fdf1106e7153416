#include "forcefields/coordinate_restraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "forcefields/field.h"
#include "forcefields/restraint.h"

static const double degree = 3.14159265358979323846 / 180.0;

/* An atom of a site: its location in the first pack of its replicas, the vectors to the next pack, and its
 * share of the site's mass. */
typedef struct Part {
  RestraintSpot spot;
  size_t step;
  double share;
} Part;

typedef struct Spring {
  CoordinateRestraint like; /* without its lists of atoms */
  const CoordinateType *type;
  int nsite;
  const int *natom;     /* [nsite] parts of each site */
  const Part *part;     /* by site */
  const double *weight; /* [nsite] shares of the sites */
} Spring;

/* A coordinate in eight replicas side by side; for width 1 the first lane counts. */
typedef struct Reading {
  Vec8 *x;     /* [nsite][3] scratch */
  Vec8 *v;     /* [nsite - 1][3] vectors between sites, in the order of coordinate.h */
  Vec8 *slope; /* [nsite - 1][3] */
  Vec8 value;  /* A, or radians */
} Reading;

typedef struct Springs {
  ForceOps ops;
  int n, most; /* the most sites of a spring */
  Spring *spring;
  Reading reading; /* for `add` */
  const Parameters *parameters;
  Arena arena;
} Springs;

static const char *const term[] = {"coordinate_restraint"};

/* --- values and gradients ------------------------------------------------------------------------------- */

static Status take_reading(Reading *to, int nsite, Arena *arena, Error *error)
{
  to->x = arena_take(arena, 9 * (size_t)nsite, sizeof *to->x);
  TRY(arena_check(arena, "restraints", error));
  to->v = to->x + (ptrdiff_t)3 * nsite;
  to->slope = to->v + (ptrdiff_t)3 * nsite;
  return STATUS_OK;
}

static Vec8 load(const State *state, const Part *part, int slot, int d)
{
  const Vec8 *q = state->block[part->spot.block].q + part->spot.at + (size_t)slot * part->step + d;
  return state->width == 1 ? vec8_set((*q)[part->spot.lane]) : *q;
}

/* Moves the difference x - reference to its nearest image. */
static void near(const State *state, Vec8 x[3])
{
  for (int l = 0; l < LANES && box_periodic(&state->box); l++) {
    double r[3] = {x[0][l], x[1][l], x[2][l]};
    box_nearest(&state->box, r);
    for (int d = 0; d < 3; d++)
      x[d][l] = r[d];
  }
}

static void read_site(const State *state, const Part *part, int n, int slot, Vec8 x[3])
{
  Vec8 first[3], sum[3] = {{0.0}};
  for (int d = 0; d < 3; d++)
    first[d] = load(state, part, slot, d);
  for (int i = 1; i < n; i++) {
    Vec8 r[3];
    for (int d = 0; d < 3; d++)
      r[d] = load(state, &part[i], slot, d) - first[d];
    near(state, r);
    for (int d = 0; d < 3; d++)
      sum[d] += part[i].share * r[d];
  }
  for (int d = 0; d < 3; d++)
    x[d] = first[d] + sum[d];
}

static void read_coordinate(const State *state, const Spring *s, int slot, Reading *to)
{
  const Part *part = s->part;
  for (int i = 0; i < s->nsite; part += s->natom[i++])
    read_site(state, part, s->natom[i], slot, to->x + (ptrdiff_t)3 * i);
  coordinate_between(s->like.form, s->nsite, to->x, to->v);
  for (int k = 0; k < s->nsite - 1; k++)
    near(state, to->v + (ptrdiff_t)3 * k);
  coordinate_read(s->like.form, s->nsite, s->weight, to->v, &to->value, to->slope);
}

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

static double beyond(const Spring *s, Constants c, double value)
{
  const double x = value - c.centre;
  return s->type->periodic ? remainder(x, 360.0 * degree) : x;
}

static double energy_at(const Spring *s, Constants c, double value)
{
  const double x = beyond(s, c, value);
  return 0.5 * c.k * x * x;
}

static int slots_of(const State *state) { return state->width > LANES ? state->width / LANES : 1; }
static int lanes_of(const State *state, int slot)
{
  const int left = state->used - slot * LANES;
  return left < LANES ? left : LANES;
}

/* Adds the gradient times `pull` to the atoms' forces; x is scratch. */
static void scatter(const State *state, const Spring *s, int slot, const Reading *at, Vec8 pull)
{
  const Part *part = s->part;
  Vec8 *const by = at->x;
  memset(by, 0, 3 * (size_t)s->nsite * sizeof *by);
  for (int k = 0; k < s->nsite - 1; k++) {
    int from, to;
    coordinate_ends(s->like.form, k, &from, &to);
    for (int d = 0; d < 3; d++) {
      by[3 * to + d] += at->slope[3 * k + d];
      by[3 * from + d] -= at->slope[3 * k + d];
    }
  }
  for (int i = 0; i < s->nsite; i++)
    for (int a = 0; a < s->natom[i]; a++, part++) {
      Vec8 *to = state->block[part->spot.block].f + part->spot.at + (size_t)slot * part->step;
      for (int d = 0; d < 3; d++)
        if (state->width == 1)
          to[d][part->spot.lane] += (by[3 * i + d] * (part->share * pull))[0];
        else
          to[d] += by[3 * i + d] * (part->share * pull);
    }
}

static void add_spring(const Springs *t, const State *state, const Spring *s, int slot, const ForceSums *sums)
{
  Reading at = t->reading;
  Vec8 pull = vec8_set(0.0);
  read_coordinate(state, s, slot, &at);
  for (int l = 0; l < lanes_of(state, slot); l++) {
    const int r = slot * LANES + l;
    const Constants c = constants_of(t, s, state->replica + (uint32_t)r);
    pull[l] = -c.k * beyond(s, c, at.value[l]);
    if (sums != NULL)
      sums->energy[r] += energy_at(s, c, at.value[l]);
  }
  scatter(state, s, slot, &at, pull);
  for (int k = 0; sums != NULL && sums->virial != NULL && state->width == 1 && k < 3 * (s->nsite - 1); k++)
    for (int d = 0; d < 3; d++)
      sums->virial[k % 3][d] += at.v[k][0] * pull[0] * at.slope[k - k % 3 + d][0];
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
      for (int slot = 0; slot < slots_of(state); slot++)
        add_spring(t, state, &t->spring[i], slot, sums);
  }
  team_barrier(team);
  return STATUS_OK;
}

/* --- parameters ----------------------------------------------------------------------------------------- */

static void respond_spring(const Springs *t, const State *state, const Spring *s, int slot, Reading at,
                           const ParameterQuery *query)
{
  const size_t width = (size_t)state->width, n = (size_t)query->parameters->n;
  read_coordinate(state, s, slot, &at);
  for (int l = 0; l < lanes_of(state, slot); l++) {
    const size_t r = (size_t)slot * LANES + (size_t)l, p = (size_t)s->like.parameter;
    const Constants c = constants_of(t, s, state->replica + (uint32_t)r);
    for (size_t i = 0; i < (size_t)query->nset; i++)
      query->energy[i * width + r] += energy_at(s, constants_at(s, query->set + i * n), at.value[l]);
    query->own[r] += energy_at(s, c, at.value[l]);
    if (query->slope == NULL)
      continue;
    const double x = beyond(s, c, at.value[l]);
    query->slope[(p - 1) * width + r] += 0.5 * x * x;
    query->slope[p * width + r] -= c.k * x * (s->type->angle ? degree : 1.0);
  }
}

/* May run while another thread adds forces. */
static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  Reading reading;
  const Springs *t = self;
  TRY(take_reading(&reading, t->most, &own, error));
  for (int i = 0; i < t->n; i++)
    for (int slot = 0; t->spring[i].like.parameter > 0 && slot < slots_of(state); slot++)
      respond_spring(t, state, &t->spring[i], slot, reading, query);
  return STATUS_OK;
}

static Status describe_spring(const Spring *s, const State *shape, Arena *arena, SpringDescription *to,
                              Error *error)
{
  const bool known = s->like.form == COORDINATE_DISTANCE || s->like.form == COORDINATE_COSINE ||
                     s->like.form == COORDINATE_DIHEDRAL;
  const Constants own = constants_at(s, NULL);
  const Part *part = s->part;
  if (!known)
    return error_set(error, STATUS_INPUT, "a restraint of a %s has no description", s->type->one);
  *to = (SpringDescription){
      .nsite = s->nsite, .k = own.k, .centre = own.centre, .parameter = s->like.parameter};
  for (int i = 0; i < s->nsite; i++) {
    const size_t n = (size_t)s->natom[i];
    AtomIndex *atom = arena_take(arena, n, sizeof *atom);
    double *weight = arena_take(arena, n, sizeof *weight);
    TRY(arena_check(arena, "the description of restraints", error));
    for (size_t a = 0; a < n; a++, part++) {
      atom[a] = restraint_index(shape, &part->spot);
      weight[a] = part->share;
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

/* Number of atom lists of a restraint. */
static int lists_of(const CoordinateRestraint *r)
{
  const int sites = coordinate_types[r->form].nsite;
  return sites > 0 ? sites : 1;
}

static Status check(const CoordinateRestraint *r, const Topology *topology, Error *error)
{
  if (topology->dim != 3)
    return error_set(error, STATUS_INPUT, "restraints of coordinates need three dimensions, not %d",
                     topology->dim);
  if (!(r->k >= 0.0) || !isfinite(r->k) || !isfinite(r->centre))
    return error_set(
        error, STATUS_INPUT,
        "a coordinate restraint needs a finite stiffness of 0 or more and a finite centre, not %g and %g",
        r->k, r->centre);
  if (coordinate_types[r->form].nsite == 0 && r->natom[0] == 1)
    return error_set(error, STATUS_INPUT, "one atom has no %s; two or more are required",
                     coordinate_types[r->form].one);
  for (int i = 0; i < lists_of(r); i++) {
    if (r->natom[i] < 1)
      return error_set(error, STATUS_INPUT, "site %d of a restrained coordinate has no atoms", i + 1);
    for (int a = 0; a < r->natom[i]; a++)
      if (r->atom[i][a] < 0 || r->atom[i][a] >= topology->natom)
        return error_set(error, STATUS_INPUT, "atom %d cannot be restrained; the system has %d atoms",
                         r->atom[i][a], topology->natom);
  }
  return STATUS_OK;
}

/* The atoms of the lists, with their share of the mass of the list. */
static void fill_parts(Part *part, const CoordinateRestraint *r, const Topology *topology, const State *shape)
{
  for (int i = 0; i < lists_of(r); i++) {
    double mass = 0.0;
    for (int a = 0; a < r->natom[i]; a++) {
      const RestraintSpot spot = restraint_spot(topology, shape->width, r->atom[i][a], 0);
      part[a] = (Part){spot, 3 * (size_t)shape->block[spot.block].kind->nsite, 0.0};
      mass += spot.mass;
    }
    for (int a = 0; a < r->natom[i]; a++, part++)
      part->share = part->spot.mass / mass;
  }
}

static Status create_spring(Springs *t, Spring *s, const CoordinateRestraint *r, const Topology *topology,
                            const State *shape, Error *error)
{
  TRY(check(r, topology, error));
  const CoordinateType *type = &coordinate_types[r->form];
  size_t all = 0;
  for (int i = 0; i < lists_of(r); i++)
    all += (size_t)r->natom[i];
  Part *part = arena_take(&t->arena, all, sizeof *part);
  int *natom = arena_take(&t->arena, all, sizeof *natom);
  double *weight = arena_take(&t->arena, all, sizeof *weight);
  TRY(arena_check(&t->arena, "restraints", error));
  fill_parts(part, r, topology, shape);
  *s = (Spring){*r, type, type->nsite > 0 ? type->nsite : (int)all, natom, part, weight};
  for (int i = 0; i < s->nsite; i++) {
    natom[i] = type->nsite > 0 ? r->natom[i] : 1;
    weight[i] = part[i].share;
    part[i].share = type->nsite > 0 ? part[i].share : 1.0;
  }
  t->most = s->nsite > t->most ? s->nsite : t->most;
  return STATUS_OK;
}

static Status create_all(Springs *t, int n, const CoordinateRestraint *list, const Topology *topology,
                         const State *shape, Error *error)
{
  t->spring = arena_take(&t->arena, (size_t)n + 1, sizeof *t->spring);
  TRY(arena_check(&t->arena, "restraints", error));
  for (; t->n < n; t->n++)
    TRY(create_spring(t, &t->spring[t->n], &list[t->n], topology, shape, error));
  return take_reading(&t->reading, t->most, &t->arena, error);
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
