#include "forcefields/restraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "forcefields/field.h"

/* The restraints on one site in the lanes of a pack, with k = 0 in unrestrained lanes: of eight molecules, or
 * of eight replicas of one. */
typedef struct Eight {
  size_t at; /* octets of the block before the site's first */
  int pack;
  int parameter[LANES]; /* see Restraint */
  int axis[LANES];      /* 0: a point */
  Vec8Mask held;        /* lanes with a restraint */
  Vec8 k[3], flat, s[3], offset[3];
  Vec8 along[3];          /* 1: the direction has the parameter's k */
  bool walls;             /* in any lane: */
  Vec8 side[3], span[3];  /* by axis */
  Vec8 energy, virial[9]; /* of the last call with sums */
} Eight;

typedef struct Restraints {
  ForceOps ops;
  int nblock;
  Eight *eight;                 /* by block and pack */
  int **first;                  /* [nblock][npack + 1] index of the first eight of each pack */
  const Parameters *parameters; /* NULL: no constant is a parameter */
  Arena arena;
} Restraints;

static const char *const term[] = {"restraint"};

/* --- one Eight ------------------------------------------------------------------------------------------ */

/* Lanes with walls: x along the axis, at its nearest image, and 0 across it. */
static void displace_walls(const Eight *e, const Box *box, Vec8 x[3])
{
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3 && e->axis[l] > 0; d++) {
      const double h = box_length(box, d);
      if (d != e->axis[l] - 1)
        x[d][l] = 0.0;
      else if (fabs(x[d][l]) > 0.5 * h && h > 0.0)
        x[d][l] -= h * rint(x[d][l] / h);
    }
}

/* x = the nearest images of r - (s h + o). Differences shorter than `near`, half the shortest lattice vector,
 * are the nearest image. */
static void displace(const Eight *e, const Box *box, double near, const Vec8 *q, Vec8 x[3])
{
  Vec8 square = vec8_set(0.0);
  for (int d = 0; d < 3; d++) {
    x[d] = q[d] - (e->s[0] * box->h[0][d] + e->s[1] * box->h[1][d] + e->s[2] * box->h[2][d] + e->offset[d]);
    square += x[d] * x[d];
  }
  for (int l = 0; near > 0.0 && l < LANES; l++) {
    if (!(square[l] >= near * near) || !isfinite(square[l]) || e->held[l] == 0 || e->axis[l] > 0)
      continue;
    double r[3] = {x[0][l], x[1][l], x[2][l]};
    box_nearest(box, r);
    for (int d = 0; d < 3; d++)
      x[d][l] = r[d];
  }
  if (e->walls)
    displace_walls(e, box, x);
}

/* The square of x in directions with a spring. */
static Vec8 held_square(const Eight *e, const Vec8 x[3])
{
  Vec8 square = vec8_set(0.0);
  for (int d = 0; d < 3; d++)
    square += vec8_select(e->k[d] > vec8_set(0.0), x[d] * x[d], vec8_set(0.0));
  return square;
}

/* The fraction of x beyond the flat bottom, or beyond the walls: 1 without them. */
static Vec8 share_beyond(const Eight *e, const Box *box, const Vec8 x[3])
{
  const Vec8 square = held_square(e, x);
  Vec8 flat = e->flat, height = vec8_set(0.0);
  for (int d = 0; d < 3 && e->walls; d++) {
    flat += e->span[d] * box_length(box, d);
    height += e->side[d] * x[d];
  }
  const Vec8Mask beyond = square > flat * flat;
  const Vec8 share = 1.0 - flat / vec8_sqrt(vec8_select(beyond, square, vec8_set(1.0))),
             all = vec8_select(height < vec8_set(0.0), vec8_set(0.0), vec8_set(1.0));
  return vec8_select(flat > vec8_set(0.0), vec8_select(beyond, share, vec8_set(0.0)), all);
}

/* Adds forces and sums in the lanes in use. */
static void add_eight(Eight *e, const Box *box, double near, Vec8 used, const Vec8 *q, Vec8 *f, bool sums)
{
  Vec8 x[3], force[3], energy = vec8_set(0.0);
  displace(e, box, near, q, x);
  const Vec8 share = share_beyond(e, box, x);
  for (int d = 0; d < 3; d++) {
    force[d] = -used * e->k[d] * share * x[d];
    energy -= 0.5 * force[d] * share * x[d];
    f[d] += force[d];
  }
  if (!sums)
    return;
  e->energy = energy;
  for (int k = 0; k < 9; k++)
    e->virial[k] = (x[k / 3] + e->offset[k / 3]) * force[k % 3];
  for (int k = 0; k < 9 && e->walls; k++)
    for (int l = 0; l < LANES; l++)
      if (e->axis[l] > 0)
        e->virial[k][l] = share[l] * x[k / 3][l] * force[k % 3][l];
}

/* k [share 1 + (1 - share) x x'/|x|^2] in the directions with a spring, beyond the flat bottom. */
static void add_hess(const Eight *e, const Box *box, double near, Vec8 used, const Vec8 *q, size_t n, Vec8 *h)
{
  Vec8 x[3];
  displace(e, box, near, q, x);
  const Vec8 square = held_square(e, x), share = share_beyond(e, box, x);
  const Vec8Mask bent = (share > vec8_set(0.0)) & (share < vec8_set(1.0));
  const Vec8 rest = vec8_select(bent, (1.0 - share) / square, vec8_set(0.0));
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++) {
      const Vec8 k = vec8_sqrt(e->k[a] * e->k[b]);
      h[a * n + b] += used * k * (rest * x[a] * x[b] + (a == b ? share : vec8_set(0.0)));
    }
}

/* --- constants that are parameters ---------------------------------------------------------------------- */

/* The replica of lane l of a pack, counted in the state. */
static int replica_of(const State *state, int pack, int l)
{
  return state->width == 1 ? 0 : pack % (state->width / LANES) * LANES + l;
}

/* Reads the constants of lanes with parameters. */
static void read_constants(const Restraints *t, const State *state, Eight *e)
{
  for (int l = 0; l < LANES; l++) {
    if (e->parameter[l] == 0)
      continue;
    const uint32_t replica = state->replica + (uint32_t)replica_of(state, e->pack, l);
    const double k = parameters_of(t->parameters, replica)[e->parameter[l] - 1];
    for (int d = 0; d < 3; d++)
      e->k[d][l] = k * e->along[d][l];
  }
}

/* The energy is proportional to the constant; the slope is the energy for a constant of 1. */
static void respond_eight(const Restraints *t, const State *state, const Block *block, const Eight *e,
                          double near, const ParameterQuery *query)
{
  const size_t n = (size_t)query->parameters->n, width = (size_t)state->width;
  Eight one = {.held = e->held, .flat = e->flat, .walls = e->walls}; /* k belongs to the threads that compute
                                                                       forces */
  Vec8 force[3] = {{0.0}};
  memcpy(one.axis, e->axis, sizeof one.axis);
  for (int d = 0; d < 3; d++) {
    one.k[d] = e->along[d];
    one.s[d] = e->s[d];
    one.offset[d] = e->offset[d];
    one.side[d] = e->side[d];
    one.span[d] = e->span[d];
  }
  add_eight(&one, &state->box, near, block->active[e->pack], block->q + e->at, force, true);
  for (int l = 0; l < LANES; l++) {
    if (e->parameter[l] == 0)
      continue;
    const size_t p = (size_t)e->parameter[l] - 1, r = (size_t)replica_of(state, e->pack, l);
    const double slope = one.energy[l];
    for (size_t i = 0; i < (size_t)query->nset; i++)
      query->energy[i * width + r] += query->set[i * n + p] * slope;
    query->own[r] += parameters_of(t->parameters, state->replica + (uint32_t)r)[p] * slope;
    if (query->slope != NULL)
      query->slope[p * width + r] += slope;
  }
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* The length below which a difference is the nearest image; 0: no images. */
static double near_of(const Box *box) { return box_periodic(box) ? 0.5 * box_shortest(box) : 0.0; }

/* Range of this thread's eights, which follow its packs. */
static void range_of(const Restraints *t, const Team *team, const Block *block, int b, int *begin, int *end)
{
  int first, last;
  team_range(team, block->npack, &first, &last);
  *begin = t->first[b][first];
  *end = t->first[b][last];
}

static void add_up(const Restraints *t, const State *state, const ForceSums *sums)
{
  const int slots = state->width > LANES ? state->width / LANES : 1;
  memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
  Vec8 virial[9] = {{0.0}};
  for (int b = 0; b < t->nblock; b++)
    for (int i = 0; i < state->block[b].npack; i++)
      for (int k = t->first[b][i]; k < t->first[b][i + 1]; k++) {
        const Eight *e = &t->eight[k];
        for (int l = 0; l < LANES; l++)
          sums->energy[state->width == 1 ? 0 : i % slots * LANES + l] += e->energy[l];
        for (int c = 0; c < 9; c++)
          virial[c] += e->virial[c];
      }
  for (int c = 0; c < 9 && sums->virial != NULL && state->width == 1; c++)
    sums->virial[c / 3][c % 3] += vec8_sum(virial[c]);
}

/* Each member writes to its own packs; sums as in pack_force.c. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  (void)error;
  const Restraints *t = self;
  const double near = near_of(&state->box);
  for (int b = 0; b < t->nblock; b++) {
    const Block *block = &state->block[b];
    int begin, end;
    range_of(t, team, block, b, &begin, &end);
    for (int k = begin; k < end; k++) {
      if (t->parameters != NULL)
        read_constants(t, state, &t->eight[k]);
      add_eight(&t->eight[k], &state->box, near, block->active[t->eight[k].pack], block->q + t->eight[k].at,
                block->f + t->eight[k].at, sums != NULL);
    }
  }
  if (sums == NULL)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0)
    add_up(t, state, sums);
  team_barrier(team);
  return STATUS_OK;
}

static void hess_block(void *self, const Team *team, const State *state, Vec8 *hess)
{
  const Restraints *t = self;
  const Block *block = &state->block[0];
  const size_t n = 3 * (size_t)block->kind->nsite;
  const double near = near_of(&state->box);
  int begin, end;
  range_of(t, team, block, 0, &begin, &end);
  for (int k = begin; k < end; k++) {
    Eight *e = &t->eight[k];
    if (t->parameters != NULL)
      read_constants(t, state, e);
    add_hess(e, &state->box, near, block->active[e->pack], block->q + e->at, n,
             hess + (size_t)e->pack * n * n + e->at % n * (n + 1));
  }
}

static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  (void)error;
  const Restraints *t = self;
  const double near = near_of(&state->box);
  for (int b = 0; b < t->nblock && t->parameters != NULL; b++)
    for (int k = t->first[b][0]; k < t->first[b][state->block[b].npack]; k++)
      respond_eight(t, state, &state->block[b], &t->eight[k], near, query);
  return STATUS_OK;
}

static void release(void *self)
{
  Restraints *t = self;
  arena_free(&t->arena);
  free(t);
}

/* --- creation ------------------------------------------------------------------------------------------- */

/* Whether the restraint is a point, or walls whose every component across their axis is 0. */
static bool is_whole(const Restraint *r)
{
  bool good = r->axis >= 0 && r->axis <= 3 && r->span >= 0.0 && isfinite(r->span);
  if (r->axis == 0)
    return good && r->side == 0 && r->span == 0.0;
  for (int d = 0; d < 3; d++)
    good = good && (d == r->axis - 1 || (r->k[d] == 0.0 && r->s[d] == 0.0 && r->offset[d] == 0.0));
  return good && abs(r->side) <= 1 && (r->side == 0) == (r->flat > 0.0 || r->span > 0.0);
}

static Status check(const Restraint *r, const Topology *topology, Error *error)
{
  double stiffest = 0.0;
  bool good = r->flat >= 0.0 && isfinite(r->flat);
  for (int d = 0; d < 3; d++) {
    stiffest = fmax(stiffest, r->k[d]);
    good = good && r->k[d] >= 0.0 && isfinite(r->k[d]) && isfinite(r->s[d]) && isfinite(r->offset[d]);
  }
  for (int d = 0; d < 3 && r->flat > 0.0; d++)
    good = good && (r->k[d] == 0.0 || r->k[d] == stiffest);
  if (r->atom < 0 || r->atom >= topology->natom)
    return error_set(error, STATUS_INPUT, "atom %d cannot be restrained; the system has %d atoms", r->atom,
                     topology->natom);
  if (good && !is_whole(r))
    return error_set(error, STATUS_INPUT,
                     "the walls of atom %d need an axis, numbers along this axis alone, and a distance from "
                     "their middle or a side of 1 or -1",
                     r->atom);
  return good ? STATUS_OK
              : error_set(error, STATUS_INPUT,
                          "the restraint of atom %d needs a finite point, and stiffnesses and a flat bottom "
                          "of 0 or more (one stiffness with a flat bottom), not %g, %g, %g and %g",
                          r->atom, r->k[0], r->k[1], r->k[2], r->flat);
}

RestraintSpot restraint_spot(const Topology *topology, int width, int atom, int slot)
{
  const TopologySort *sort = topology->sort;
  int m = atom;
  for (; m >= sort->nmol * sort->kind->nsite; sort++)
    m -= sort->nmol * sort->kind->nsite;
  const TopologyAtom *in = &sort->atom[m % sort->kind->nsite];
  const TopologyGroup *group = &sort->group[in->group];
  const int lane = (group->first + m / sort->kind->nsite * group->step) * width;
  const int pack = lane / LANES + slot;
  return (RestraintSpot){group->block, pack, lane % LANES,
                         3 * ((size_t)pack * (size_t)group->kind->nsite + (size_t)in->site),
                         sort->kind->mass[m % sort->kind->nsite]};
}

AtomIndex restraint_index(const State *shape, const RestraintSpot *spot)
{
  const int nsite = shape->block[spot->block].kind->nsite;
  return (AtomIndex){spot->block, (spot->pack * LANES + spot->lane) / shape->width,
                     (int)(spot->at / 3) - spot->pack * nsite};
}

static RestraintDescription describe_lane(const State *shape, const Eight *e, int block, int lane)
{
  const RestraintSpot spot = {block, e->pack, lane, e->at, 0.0};
  RestraintDescription to = {.atom = restraint_index(shape, &spot),
                             .flat = e->flat[lane],
                             .parameter = e->parameter[lane],
                             .axis = e->axis[lane]};
  for (int d = 0; d < 3; d++) {
    to.k[d] = e->k[d][lane];
    to.s[d] = e->s[d][lane];
    to.offset[d] = e->offset[d][lane];
    if (d == to.axis - 1) {
      to.span = e->span[d][lane];
      to.side = (int)e->side[d][lane];
    }
  }
  return to;
}

/* Replicas of a wide state have the same restraints: describes the first. */
static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  const Restraints *t = self;
  const size_t eights = (size_t)t->first[t->nblock - 1][shape->block[t->nblock - 1].npack];
  RestraintDescription *list = arena_take(arena, eights * LANES + 1, sizeof *list);
  int n = 0;
  TRY(arena_check(arena, "the description of restraints", error));
  for (int b = 0; b < t->nblock; b++)
    for (int i = t->first[b][0]; i < t->first[b][shape->block[b].npack]; i++)
      for (int l = 0; l < LANES; l++)
        if (t->eight[i].held[l] != 0 && (t->eight[i].pack * LANES + l) % shape->width == 0)
          list[n++] = describe_lane(shape, &t->eight[i], b, l);
  to->form = FORM_RESTRAINTS;
  to->restraints = (RestraintsDescription){n, list};
  return STATUS_OK;
}

static void put(Eight *e, int lane, const Restraint *r)
{
  e->held[lane] = -1;
  e->parameter[lane] = r->parameter;
  e->flat[lane] = r->flat;
  for (int d = 0; d < 3; d++) {
    e->k[d][lane] = r->k[d];
    e->s[d][lane] = r->s[d];
    e->offset[d][lane] = r->offset[d];
    e->along[d][lane] = r->axis == 0 || d == r->axis - 1 ? 1.0 : 0.0;
    e->side[d][lane] = d == r->axis - 1 ? r->side : 0.0;
    e->span[d][lane] = d == r->axis - 1 ? r->span : 0.0;
  }
  e->axis[lane] = r->axis;
  e->walls = e->walls || r->axis > 0;
}

/* Replaces the number of restraints on each site of the packs by the number of its first eight, and stores
 * the first number of each pack; returns the count. */
static int number_sites(const Restraints *t, const State *shape, int **number)
{
  int eights = 0;
  for (int b = 0; b < t->nblock; b++) {
    const int nsite = shape->block[b].kind->nsite;
    for (int i = 0; i < shape->block[b].npack; i++) {
      t->first[b][i] = eights;
      for (int s = 0; s < nsite; s++) {
        const int n = number[b][(ptrdiff_t)i * nsite + s];
        number[b][(ptrdiff_t)i * nsite + s] = eights;
        eights += n;
      }
    }
    t->first[b][shape->block[b].npack] = eights;
  }
  return eights;
}

/* order[i] = how many earlier restraints list[i]'s atom has. */
static Status order_restraints(const Topology *topology, int n, const Restraint *list, Arena *own,
                               int **order, Error *error)
{
  int *count = arena_take(own, (size_t)topology->natom, sizeof *count);
  *order = arena_take(own, (size_t)n, sizeof **order);
  TRY(arena_check(own, "restraints", error));
  for (int i = 0; i < n; i++)
    (*order)[i] = count[list[i].atom]++;
  return STATUS_OK;
}

static Status take_numbers(Restraints *t, const State *shape, Arena *own, int ***number, Error *error)
{
  *number = arena_take(own, (size_t)t->nblock, sizeof **number);
  t->first = arena_take(&t->arena, (size_t)t->nblock, sizeof *t->first);
  TRY(arena_check(own, "restraints", error));
  TRY(arena_check(&t->arena, "restraints", error));
  for (int b = 0; b < t->nblock; b++) {
    const size_t npack = (size_t)shape->block[b].npack;
    t->first[b] = arena_take(&t->arena, npack + 1, sizeof **t->first);
    (*number)[b] = arena_take(own, npack * (size_t)shape->block[b].kind->nsite + 1, sizeof ***number);
  }
  TRY(arena_check(own, "restraints", error));
  return arena_check(&t->arena, "restraints", error);
}

/* Replicas of a wide state have the same restraints, in consecutive packs. */
static Status lay(Restraints *t, const Topology *topology, int n, const Restraint *list, const State *shape,
                  Error *error)
{
  const int width = shape->width, slots = width > LANES ? width / LANES : 1;
  SCOPED(arena_free) Arena own = {0};
  int **number, *order;
  TRY(take_numbers(t, shape, &own, &number, error));
  TRY(order_restraints(topology, n, list, &own, &order, error));
  for (int i = 0; i < n * slots; i++) {
    const RestraintSpot spot = restraint_spot(topology, width, list[i / slots].atom, i % slots);
    int *most = &number[spot.block][spot.at / 3];
    *most = order[i / slots] >= *most ? order[i / slots] + 1 : *most;
  }
  t->eight = arena_take(&t->arena, (size_t)number_sites(t, shape, number) + 1, sizeof *t->eight);
  TRY(arena_check(&t->arena, "restraints", error));
  for (int i = 0; i < n * slots; i++) {
    const RestraintSpot spot = restraint_spot(topology, width, list[i / slots].atom, i % slots);
    Eight *e = &t->eight[number[spot.block][spot.at / 3] + order[i / slots]];
    e->at = spot.at;
    e->pack = spot.pack;
    for (int l = 0; l < LANES; l++)
      if (width > 1 || l == spot.lane)
        put(e, l, &list[i / slots]);
  }
  return STATUS_OK;
}

static Status check_all(const Topology *topology, int n, const Restraint *list, Error *error)
{
  if (topology->dim != 3)
    return error_set(error, STATUS_INPUT, "restraints need three dimensions, not %d", topology->dim);
  SCOPED(scoped_free) bool *seen = calloc((size_t)topology->natom + 1, sizeof *seen);
  TRY_MEMORY(seen != NULL, "restraints", error);
  for (int i = 0; i < n; i++) {
    TRY(check(&list[i], topology, error));
    if (list[i].axis > 0)
      continue;
    if (seen[list[i].atom])
      return error_set(error, STATUS_INPUT, "atom %d is restrained twice", list[i].atom);
    seen[list[i].atom] = true;
  }
  return STATUS_OK;
}

Status restraint_create(Force *force, const Topology *topology, int n, const Restraint *list,
                        const Parameters *parameters, const State *shape, Error *error)
{
  TRY(check_all(topology, n, list, error));
  Restraints *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "restraints", error);
  *t = (Restraints){.ops = {.name = "restraints",
                            .doc = "springs from atoms to points that may follow the box, and walls",
                            .nterm = 1,
                            .term = term,
                            .add = add,
                            .hess_block = hess_block,
                            .describe = describe,
                            .telling = 1,
                            .respond = respond,
                            .free = release},
                    .nblock = shape->nblock,
                    .parameters = parameters};
  TRY_ELSE(lay(t, topology, n, list, shape, error), release(t));
  *force = (Force){&t->ops, t};
  return STATUS_OK;
}

Status restraint_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return restraint_create(force, input->topology, input->nrestraint, input->restraint, input->parameters,
                          shape, error);
}
