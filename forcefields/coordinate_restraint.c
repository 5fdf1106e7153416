#include "forcefields/coordinate_restraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/coordinate_vec.h"
#include "forcefields/restraint.h"

enum { SITES = COORDINATE_RESTRAINT_SITES, VECTORS = SITES - 1 };
static const double degree = 3.14159265358979323846 / 180.0;

/* An atom of a site: where it is in the first pack of its replicas, the vectors from there to the next pack,
 * and its share of the site's mass. */
typedef struct Part {
  RestraintSpot spot;
  size_t step;
  double share;
} Part;

typedef struct Spring {
  CoordinateRestraint like; /* without its lists of atoms */
  const Part *part;         /* site after site            */
} Spring;

typedef struct Springs {
  ForceOps ops;
  int n;
  Spring *spring;
  const Parameters *parameters;
  Arena arena;
} Springs;

/* A coordinate in eight replicas side by side; of a state of width 1 the first lane counts. */
typedef struct Reading {
  Vec8 v[3 * VECTORS]; /* vectors between sites, as coordinate.h orders them */
  double value[LANES]; /* A, or radians                                      */
  Vec8 slope[3 * VECTORS];
} Reading;

static const char *const term[] = {"coordinate_restraint"};

/* --- values and gradients ------------------------------------------------------------------------------- */

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

/* The value and its slope for a value and a derivative of the form: theta of its cosine, phi of its pair. */
static double value_of(CoordinateForm form, double at, double other, double *factor)
{
  *factor = form == COORDINATE_COSINE ? -1.0 / fmax(other, COORDINATE_LINE) : 1.0;
  return form == COORDINATE_DISTANCE ? at : atan2(other, at);
}

static void read_coordinate(const State *state, const Spring *s, int slot, Reading *to)
{
  const CoordinateForm form = s->like.form;
  Vec8 x[3 * SITES], at[2];
  const Part *part = s->part;
  for (int i = 0; i <= (int)form; part += s->like.natom[i++])
    read_site(state, part, s->like.natom[i], slot, x + (ptrdiff_t)3 * i);
  for (int k = 0; k < (int)form; k++) {
    for (int d = 0; d < 3; d++)
      to->v[3 * k + d] = x[3 * coordinate_to[form][k] + d] - x[3 * coordinate_from[form][k] + d];
    near(state, to->v + (ptrdiff_t)3 * k);
  }
  for (int p = 0; p < REGISTERS; p++) {
    vd v[3 * COORDINATE_VECTORS], pair[2 * COORDINATE_VALUES],
        grad[3 * COORDINATE_VECTORS * COORDINATE_VALUES];
    for (int k = 0; k < 3 * (int)form; k++)
      v[k] = ((const vd *)&to->v[k])[p];
    coordinate_eval(form, v, pair, grad);
    for (int k = 0; k < 3 * (int)form; k++)
      ((vd *)&to->slope[k])[p] = grad[k];
    for (int k = 0; k < 2; k++)
      ((vd *)&at[k])[p] = pair[k];
  }
  Vec8 factor;
  for (int l = 0; l < LANES; l++) {
    double by;
    to->value[l] = value_of(form, at[0][l], at[1][l], &by);
    factor[l] = by;
  }
  for (int k = 0; k < 3 * (int)form; k++)
    to->slope[k] *= factor;
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
  return (Constants){k, s->like.form == COORDINATE_DISTANCE ? centre : centre * degree};
}

static Constants constants_of(const Springs *t, const Spring *s, uint32_t replica)
{
  return constants_at(s, t->parameters != NULL ? parameters_of(t->parameters, replica) : NULL);
}

static double beyond(const Spring *s, Constants c, double value)
{
  const double x = value - c.centre;
  return s->like.form == COORDINATE_DIHEDRAL ? remainder(x, 360.0 * degree) : x;
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

static void scatter(const State *state, const Spring *s, int slot, const Reading *at, Vec8 pull)
{
  const CoordinateForm form = s->like.form;
  const Part *part = s->part;
  for (int i = 0; i <= (int)form; i++)
    for (int a = 0; a < s->like.natom[i]; a++, part++)
      for (int d = 0; d < 3; d++) {
        Vec8 f = vec8_set(0.0);
        for (int k = 0; k < (int)form; k++)
          f += (double)((coordinate_to[form][k] == i) - (coordinate_from[form][k] == i)) *
               at->slope[3 * k + d];
        f *= part->share * pull;
        Vec8 *to = state->block[part->spot.block].f + part->spot.at + (size_t)slot * part->step + d;
        if (state->width == 1)
          (*to)[part->spot.lane] += f[0];
        else
          *to += f;
      }
}

static void add_spring(const Springs *t, const State *state, const Spring *s, int slot, const ForceSums *sums)
{
  Reading at;
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
  for (int k = 0; sums != NULL && sums->virial != NULL && state->width == 1 && k < 3 * (int)s->like.form; k++)
    for (int d = 0; d < 3; d++)
      sums->virial[k % 3][d] += at.v[k][0] * pull[0] * at.slope[k - k % 3 + d][0];
}

/* The first of a team does it all: springs are few, and their atoms in packs of any thread. */
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

static void respond_spring(const Springs *t, const State *state, const Spring *s, int slot,
                           const ParameterQuery *query)
{
  const size_t width = (size_t)state->width, n = (size_t)query->parameters->n;
  Reading at;
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
    query->slope[p * width + r] -= c.k * x * (s->like.form == COORDINATE_DISTANCE ? 1.0 : degree);
  }
}

static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  (void)error;
  const Springs *t = self;
  for (int i = 0; i < t->n; i++)
    for (int slot = 0; t->spring[i].like.parameter > 0 && slot < slots_of(state); slot++)
      respond_spring(t, state, &t->spring[i], slot, query);
  return STATUS_OK;
}

static void release(void *self)
{
  Springs *t = self;
  arena_free(&t->arena);
  free(t);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const CoordinateRestraint *r, const Topology *topology, Error *error)
{
  if (topology->dim != 3)
    return error_set(error, STATUS_INPUT, "restraints of coordinates need three dimensions, not %d",
                     topology->dim);
  if (!(r->k >= 0.0) || !isfinite(r->k) || !isfinite(r->centre))
    return error_set(
        error, STATUS_INPUT,
        "the restraint of a coordinate needs a constant of 0 or more and a centre, not %g and %g", r->k,
        r->centre);
  for (int i = 0; i <= (int)r->form; i++) {
    if (r->natom[i] < 1)
      return error_set(error, STATUS_INPUT, "site %d of a restrained coordinate has no atoms", i + 1);
    for (int a = 0; a < r->natom[i]; a++)
      if (r->atom[i][a] < 0 || r->atom[i][a] >= topology->natom)
        return error_set(error, STATUS_INPUT, "there is no atom %d to be restrained; there are %d",
                         r->atom[i][a], topology->natom);
  }
  return STATUS_OK;
}

static Status place(Springs *t, Spring *s, const CoordinateRestraint *r, const Topology *topology,
                    const State *shape, Error *error)
{
  TRY(check(r, topology, error));
  size_t all = 0;
  for (int i = 0; i <= (int)r->form; i++)
    all += (size_t)r->natom[i];
  Part *part = arena_take(&t->arena, all, sizeof *part);
  TRY(arena_check(&t->arena, "restraints", error));
  *s = (Spring){.like = *r, .part = part};
  for (int i = 0; i <= (int)r->form; i++) {
    double mass = 0.0;
    for (int a = 0; a < r->natom[i]; a++) {
      const RestraintSpot spot = restraint_spot(topology, shape->width, r->atom[i][a], 0);
      part[a] = (Part){spot, 3 * (size_t)shape->block[spot.block].kind->nsite, 0.0};
      mass += spot.mass;
    }
    for (int a = 0; a < r->natom[i]; a++, part++)
      part->share = part->spot.mass / mass;
  }
  return STATUS_OK;
}

static Status place_all(Springs *t, int n, const CoordinateRestraint *list, const Topology *topology,
                        const State *shape, Error *error)
{
  t->spring = arena_take(&t->arena, (size_t)n + 1, sizeof *t->spring);
  TRY(arena_check(&t->arena, "restraints", error));
  for (; t->n < n; t->n++)
    TRY(place(t, &t->spring[t->n], &list[t->n], topology, shape, error));
  return STATUS_OK;
}

Status coordinate_restraint_create(Force *force, const Topology *topology, int n,
                                   const CoordinateRestraint *list, const Parameters *parameters,
                                   const State *shape, Error *error)
{
  Springs *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "restraints", error);
  *t = (Springs){.ops = {.name = "coordinate_restraints",
                         .doc = "springs on distances, angles and dihedral angles",
                         .nterm = 1,
                         .term = term,
                         .add = add,
                         .telling = 1,
                         .respond = respond,
                         .free = release},
                 .parameters = parameters};
  TRY_ELSE(place_all(t, n, list, topology, shape, error), release(t));
  *force = (Force){&t->ops, t};
  return STATUS_OK;
}
