#include "forcefields/pair.h"

#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/field.h"
#include "forcefields/pair_kernels.h"

/* One replica is cut into chunks, whose number depends only on its size, each with a buffer of forces;
 * buffers are summed in order. The bits thus do not depend on the threads. */
enum { CHUNKS_MAX = 32, CHUNK_PAIRS = 4 /* the least pairs of packs in a chunk */ };

/* A set of kernels with its memory. */
typedef struct Route {
  const PairKernels *kernel;
  int npack;     /* packs of the kernel */
  int64_t npair; /* one replica: pairs of packs, including each with itself */
  int nbuf;      /* buffers of forces: chunks of one replica, or 1 */
  int size;      /* vectors of one buffer: npack*nsite*3 */
  int staged;    /* positions are copied to x, and forces from buffer; otherwise x is unused, and the buffer
                    serves only replicas in lanes whose forces are added to f */
  void *x;       /* [npack][nsite][3] */
  void *buffer;  /* [nbuf][npack][nsite][3] */
  Vec8 *energy;  /* [nbuf][2] */
  int first[CHUNKS_MAX]; /* the first pack that buffer k has */
} Route;

typedef struct Pair {
  SiteMap map;
  const PairExtras *extras;
  Route exact, mixed; /* mixed.kernel NULL: all in double */
} Pair;

/* --- creation ------------------------------------------------------------------------------------------- */

static void route_free(Route *route)
{
  free(route->x);
  free(route->buffer);
  free(route->energy);
}

static Status route_create(Route *route, const PairKernels *kernel, const SiteMap *map, const State *shape,
                           Error *error)
{
  const int npack = shape->block[0].npack, per = kernel->lanes / LANES;
  *route = (Route){.kernel = kernel, .npack = (npack + per - 1) / per, .nbuf = 1};
  route->npair = pair_packs(route->npack);
  if (shape->width == 1)
    while (2 * route->nbuf <= CHUNKS_MAX && 2 * route->nbuf * CHUNK_PAIRS <= route->npair)
      route->nbuf *= 2;
  for (int k = 0, column; k < route->nbuf; k++)
    pair_locate(route->npack, route->npair * k / route->nbuf, &route->first[k], &column);
  if (shape->width > 1)
    route->first[0] = 0;
  route->size = route->npack * map->nsite * 3;
  route->staged = map->nsite > 3 || per > 1;
  const size_t bytes = (size_t)route->size * sizeof(Vec8); /* a vector of floats is as large */
  route->x = route->staged ? aligned_alloc(sizeof(Vec8), bytes) : NULL;
  route->buffer = aligned_alloc(sizeof(Vec8), bytes * (size_t)route->nbuf);
  route->energy = aligned_alloc(sizeof(Vec8), 2 * (size_t)route->nbuf * sizeof(Vec8));
  TRY_MEMORY((!route->staged || route->x != NULL) && route->buffer != NULL && route->energy != NULL,
             "the pair force", error);
  return STATUS_OK;
}

static void pair_free(void *self)
{
  Pair *pair = self;
  route_free(&pair->exact);
  route_free(&pair->mixed);
  free(pair);
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* Replicas in lanes: one kernel call, or two if there are twice as many replicas as lanes. */
static void run_batch(const Pair *pair, const Route *route, const State *state, const Vec8 *x, Vec8 *f,
                      double *energy)
{
  const int nmol = state->block[0].nlane, lanes = route->kernel->lanes, per = state->width / lanes;
  const size_t step = 3 * (size_t)pair->map.nsite;
  for (int h = 0; h < per; h++) {
    Vec8 sum[2];
    route->kernel->batch(&pair->map, nmol, per, x + (size_t)h * step, f + (size_t)h * step,
                         energy != NULL ? sum : NULL);
    if (energy != NULL)
      for (int t = 0; t < PAIR_TERMS; t++)
        memcpy(energy + t * state->width + h * LANES, &sum[t], sizeof sum[t]);
  }
}

static void run_chunks(const Pair *pair, const Route *route, const Team *team, const State *state,
                       const void *x, bool energy)
{
  int begin, end;
  team_range(team, route->nbuf, &begin, &end);
  for (int k = begin; k < end; k++) {
    const int64_t n = route->npair;
    route->kernel->chunk(&pair->map, state->block[0].nlane, n * k / route->nbuf, n * (k + 1) / route->nbuf, x,
                         (char *)route->buffer + (size_t)k * (size_t)route->size * sizeof(Vec8),
                         energy ? route->energy + 2 * k : NULL);
  }
}

static void sum_energy(const Route *route, double *energy)
{
  for (int t = 0; t < PAIR_TERMS; t++) {
    Vec8 sum = route->energy[t];
    for (int k = 1; k < route->nbuf; k++)
      sum += route->energy[2 * k + t];
    energy[t] = vec8_sum(sum);
  }
}

/* Copies this thread's share of positions to the kernel's input, which it returns. */
static const void *stage(const Pair *pair, const Route *route, const Team *team, const State *state)
{
  const Block *block = &state->block[0];
  if (!route->staged)
    return block->q;
  Vec8 origin[6];
  const bool floats = route->kernel->lanes > LANES;
  if (floats)
    pair->extras->origin(state->width, block->nlane, block->q, block->active, origin);
  int begin, end;
  team_range(team, route->npack, &begin, &end);
  route->kernel->stage(&pair->map, begin, end, block->npack, block->nlane * state->width, block->q,
                       floats ? origin : NULL, route->x);
  return route->x;
}

/* Adds this thread's share of the buffers to the forces. */
static void collect(const Pair *pair, const Route *route, const Team *team, const Block *block, bool fill)
{
  int begin, end;
  team_range(team, route->npack, &begin, &end);
  const PairBuffers buffers = {route->nbuf, route->size, block->npack, fill, route->first, route->buffer};
  route->kernel->collect(&pair->map, begin, end, &buffers, block->q, block->f);
}

/* Use of the forces of a route. */
typedef enum Use { DROP, ADD, FILL } Use;

/* One replica, by the whole team. */
static void add_single(const Pair *pair, const Route *route, const Team *team, const State *state, Use use,
                       double *energy)
{
  const void *x = stage(pair, route, team, state);
  if (route->staged)
    team_barrier(team);
  run_chunks(pair, route, team, state, x, energy != NULL);
  team_barrier(team);
  if (use != DROP)
    collect(pair, route, team, &state->block[0], use == FILL);
  if (energy != NULL && team->rank == 0)
    sum_energy(route, energy);
}

/* Replicas in lanes: one thread computes each, the team's first member all of these. */
static void add_batch(const Pair *pair, const Route *route, const State *state, Use use, double *energy)
{
  const Team alone = team_alone();
  const Block *block = &state->block[0];
  const Vec8 *x = stage(pair, route, &alone, state);
  const bool straight = use == FILL && !route->staged;
  run_batch(pair, route, state, x, straight ? block->f : route->buffer, energy);
  if (use != DROP && !straight)
    collect(pair, route, &alone, block, use == FILL);
}

static void add_route(const Pair *pair, const Route *route, const Team *team, const State *state, Use use,
                      double *energy)
{
  if (state->width == 1)
    add_single(pair, route, team, state, use, energy);
  else if (team->rank == 0)
    add_batch(pair, route, state, use, energy);
}

static Status pair_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                       Error *error)
{
  (void)error;
  const Pair *pair = self;
  const Use use = (groups & FORCE_FILL) != 0 ? FILL : ADD;
  double *const energy = sums != NULL ? sums->energy : NULL;
  if (pair->mixed.kernel != NULL) {
    add_route(pair, &pair->mixed, team, state, use, NULL);
    if (energy != NULL)
      add_route(pair, &pair->exact, team, state, DROP, energy);
  } else
    add_route(pair, &pair->exact, team, state, use, energy);
  team_barrier(team);
  return STATUS_OK;
}

static void pair_hess_block(void *self, const Team *team, const State *state, Vec8 *hess)
{
  const Pair *pair = self;
  const Block *block = &state->block[0];
  const Vec8 *x = stage(pair, &pair->exact, team, state);
  team_barrier(team);
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  pair->extras->hess(&pair->map, state->width, block->nlane, begin, end, x, hess);
  team_barrier(team);
}

static Status pair_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                            Error *error)
{
  const SiteMap *map = &((const Pair *)self)->map;
  const int nmol = shape->block[0].nlane, n = map->nsite;
  const size_t sites = (size_t)nmol * (size_t)n;
  SiteDescription *site = arena_take(arena, sites, sizeof *site);
  double(*lj)[2] = arena_take(arena, 4, sizeof *lj);
  int(*excluded)[2] = arena_take(arena, sites * ((size_t)n - 1) / 2, sizeof *excluded), pairs = 0;
  TRY(arena_check(arena, "the pair force's description", error));
  memcpy(lj[0], map->lj, sizeof lj[0]);
  for (int i = 0; i < nmol * n; i++) {
    site[i] = site_map_describe(map, 0, i / n, i % n);
    site[i].type = i % n > 0; /* Lennard-Jones acts between first sites: type 0 has it, type 1 has none */
    for (int j = i / n * n; j < i; j++, pairs++) {
      excluded[pairs][0] = j;
      excluded[pairs][1] = i;
    }
  }
  to->form = FORM_PAIRS;
  to->pairs = (PairsDescription){.nsite = nmol * n,
                                 .site = site,
                                 .coulomb = UNITS_COULOMB,
                                 .ntype = 2,
                                 .lj = (const double(*)[2])lj,
                                 .nexcluded = pairs,
                                 .excluded = (const int(*)[2])excluded};
  return STATUS_OK;
}

static const ForceOps pair_ops = {.name = "pair",
                                  .doc = "Coulomb and Lennard-Jones between all molecules, no cutoff",
                                  .nterm = PAIR_TERMS,
                                  .term = (const char *const[]){"coulomb", "lj"},
                                  .add = pair_add,
                                  .hess_block = pair_hess_block,
                                  .describe = pair_describe,
                                  .fills = 1,
                                  .telling = 1,
                                  .free = pair_free};

/* Requirements of the kernels: hydrogens have equal charges, and so have the oxygen of three sites or the
 * virtual sites of more, whose oxygen is not charged; only five sites may be out of plane. */
static bool has_kernels(const SiteMap *map)
{
  const double *q = map->charge;
  return map->natom == 3 && q[1] == q[2] && (map->nsite == 3 || q[0] == 0.0) &&
         (map->nsite < 5 || q[3] == q[4]) && (map->planar || map->nsite == 5);
}

Status pair_create(Force *force, const WaterModel *model, PairPrecision precision, const State *shape,
                   Isa isa, Error *error)
{
  *force = (Force){0};
  const Block *block = &shape->block[0];
  if (shape->nblock != 1 || block->kind->nsite != 3 || block->kind->dim != 3)
    return error_set(error, STATUS_INPUT,
                     "the pair force of water needs one molecule type of three atoms (O, H, H)");
  const SiteMap map = water_site_map(model);
  if (!has_kernels(&map))
    return error_set(error, STATUS_INPUT, "the pair force of clusters has no kernel for the sites of %s",
                     model->name);
  TRY(isa_check(isa, error));
  static const PairKernels *const exact[ISA_COUNT] = ISA_TABLES(pair_double_table);
  static const PairKernels *const mixed[ISA_COUNT] = ISA_TABLES(pair_mixed_table);
  static const PairExtras *const extras[ISA_COUNT] = ISA_TABLES(pair_extras_table);
  Pair *pair = calloc(1, sizeof *pair);
  TRY_MEMORY(pair != NULL, "the pair force", error);
  pair->map = map;
  pair->extras = extras[isa];
  TRY_ELSE(route_create(&pair->exact, exact[isa], &pair->map, shape, error), pair_free(pair));
  if (precision == PAIR_MIXED && shape->width != LANES)
    TRY_ELSE(route_create(&pair->mixed, mixed[isa], &pair->map, shape, error), pair_free(pair));
  *force = (Force){&pair_ops, pair};
  return STATUS_OK;
}

Status pair_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return pair_create(force, input->water, input->nonbonded.mixed ? PAIR_MIXED : PAIR_DOUBLE, shape,
                     input->isa, error);
}
