#include "forcefields/alchemy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/alchemy_private.h"
#include "forcefields/pme_exclusion.h"
#include "forcefields/water_float.h"

/* --- creation ------------------------------------------------------------------------------------------- */

static Status allocate(Alchemy *y, Error *error)
{
  const size_t slots = (size_t)y->slots, n = (size_t)y->model.nsolute;
  y->slot = arena_take(&y->arena, slots, sizeof *y->slot);
  y->site = arena_take(&y->arena, slots * n, sizeof *y->site);
  y->f = arena_take(&y->arena, ALCHEMY_SHARES * slots * n * 3, sizeof *y->f);
  y->result = arena_take(&y->arena, ALCHEMY_SHARES * slots, sizeof *y->result);
  y->g = arena_take(&y->arena, n, sizeof *y->g);
  y->own = arena_take(&y->arena, slots, sizeof *y->own);
  return arena_check(&y->arena, "the forces of a solute", error);
}

Status alchemy_create(Alchemy **alchemy, const AlchemyOptions *o, const State *shape, Error *error)
{
  *alchemy = NULL;
  TRY(isa_check(o->isa, error));
  Alchemy *y = calloc(1, sizeof *y);
  TRY_MEMORY(y != NULL, "a solute", error);
  *y = (Alchemy){.input = *o->input,
                 .parameters = o->parameters,
                 .atoms = o->atoms,
                 .box = o->box,
                 .kernel = ISA_PICK(alchemy_kernels_table, o->isa),
                 .width = shape->width,
                 .slots = shape->width > 1 ? shape->width / LANES : 1};
  if (o->nonbonded != NULL)
    y->nonbonded = *o->nonbonded;
  TRY_ELSE(alchemy_build(y, o, shape, error), alchemy_free(y));
  TRY_ELSE(allocate(y, error), alchemy_free(y));
  *alchemy = y;
  return STATUS_OK;
}

void alchemy_free(Alchemy *y)
{
  if (y == NULL)
    return;
  water_float_table_exact_free(&y->model.tables);
  arena_free(&y->arena);
  free(y);
}

/* --- the solute in its slots ---------------------------------------------------------------------------- */

/* Element e of site i in replica lane r. */
static size_t at(const Alchemy *y, const State *state, int i, int r, int e)
{
  const AlchemyPlace *const p = &y->place[i];
  return state_index(&state->block[p->block], y->width, p->lane, r, p->site, e);
}

static void place_site(const Alchemy *y, const State *state, int slot, int i, AlchemySolute *to)
{
  const AlchemyPlace *const p = &y->place[i];
  const double *const q = (const double *)state->block[p->block].q;
  for (int e = 0; e < 3; e++)
    for (int l = 0; l < LANES; l++)
      to->x[e][l] = q[at(y, state, i, y->width > 1 ? slot * LANES + l : 0, e)];
  to->root = y->root[i];
  to->type = y->kind[i];
}

/* The largest distance from the first site, in a box. */
static double reach_of(const Alchemy *y, const AlchemySolute *site)
{
  double most = 0.0;
  for (int i = 1; i < y->model.nsolute && y->box != NULL; i++) {
    const double one[3] = {site[i].x[0][0], site[i].x[1][0], site[i].x[2][0]},
                 first[3] = {site[0].x[0][0], site[0].x[1][0], site[0].x[2][0]};
    double r[3];
    most = fmax(most, box_distance(y->box, one, first, r));
  }
  return sqrt(most);
}

/* Fills a slot; site[nsolute] is its memory. Unused lanes have no strength, and so no forces. */
static AlchemySlot make_slot(const Alchemy *y, const State *state, int slot, AlchemySolute *site)
{
  AlchemySlot to = {.site = site};
  for (int i = 0; i < y->model.nsolute; i++)
    place_site(y, state, slot, i, &site[i]);
  for (int l = 0; l < LANES; l++) {
    const int r = y->width > 1 ? slot * LANES + l : 0;
    if (r >= state->used)
      continue;
    const uint32_t replica = state->replica + (uint32_t)r;
    to.s[l] = alchemy_strength_of(&y->input, ALCHEMY_COULOMB, y->parameters, replica);
    to.l[l] = alchemy_strength_of(&y->input, ALCHEMY_LJ, y->parameters, replica);
    to.charged = to.charged || to.s[l] != 0.0;
    to.lj = to.lj || to.l[l] != 0.0;
  }
  to.reach = reach_of(y, site);
  to.near = y->box != NULL && 2.0 * (y->model.cutoff + to.reach) < box_shortest(y->box);
  return to;
}

/* --- pairs with others ---------------------------------------------------------------------------------- */

/* Piece `item` of the work of a slot: a pack of a block. */
static AlchemyPack pack_of(const Alchemy *y, const State *state, int slot, int item)
{
  int b = 0, n;
  while (item >= (n = y->block[b].items)) {
    item -= n;
    b++;
  }
  const Block *const block = &state->block[b];
  const ptrdiff_t pack = (ptrdiff_t)item * y->slots + slot, size = 3 * (ptrdiff_t)block->kind->nsite,
                  record = item == n - 1 ? y->block[b].last : (ptrdiff_t)item * y->block[b].stride;
  AlchemyPack to = y->block[b].pack;
  to.q = block->q + pack * size;
  to.f = block->f + pack * size;
  to.site += record;
  to.pair += record * y->ntype;
  return to;
}

static void run_share(const Alchemy *y, const State *state, int slot, int share, bool sums)
{
  const size_t n = 3 * (size_t)y->model.nsolute, where = (size_t)share * (size_t)y->slots + (size_t)slot;
  AlchemyResult *const result = &y->result[where];
  Vec8 *const f = y->f + where * n;
  int from, to;
  memset(f, 0, n * sizeof *f);
  memset(result, 0, sizeof *result);
  result->close = vec8_set(INFINITY);
  team_share(y->nitem, share, ALCHEMY_SHARES, &from, &to);
  for (int item = from; item < to; item++) {
    const AlchemyPack pack = pack_of(y, state, slot, item);
    y->kernel->act(&y->model, &y->slot[slot], &pack, sums, f, result);
  }
}

/* --- the solute with itself ----------------------------------------------------------------------------- */

/* d = site i from site j, in lane l: a molecule's positions are whole. */
static double inside_vector(const AlchemySolute *site, const AlchemyInside *p, int l, double d[3])
{
  for (int e = 0; e < 3; e++)
    d[e] = site[p->i].x[e][l] - site[p->j].x[e][l];
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/* Whether no pair of the solute is nearer by way of an image, which exclusions would take. */
static bool whole(const Alchemy *y, const AlchemySolute *site)
{
  for (const AlchemyInside *p = y->inside; p < y->inside + y->ninside; p++) {
    double d[3];
    const double s = inside_vector(site, p, 0, d);
    box_nearest(y->box, d);
    if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 0.999 * s)
      return false;
  }
  return true;
}

/* Forces of the solute's pairs with itself, added to g[nsolute][3] of lane l; returns their energy. */
static double act_inside(const Alchemy *y, const AlchemySolute *site, int l, double (*g)[3],
                         double (*virial)[3])
{
  double sum = 0.0;
  for (const AlchemyInside *p = y->inside; p < y->inside + y->ninside; p++) {
    double d[3];
    if (!p->acts)
      continue;
    const double s = inside_vector(site, p, l, d), u3 = 1.0 / (s * s * s), coulomb = p->qq / sqrt(s);
    const double force = (coulomb + 6.0 * (2.0 * p->a * u3 - p->c) * u3) / s;
    sum += coulomb + (p->a * u3 - p->c) * u3;
    for (int e = 0; e < 3; e++) {
      g[p->i][e] += force * d[e];
      g[p->j][e] -= force * d[e];
      for (int k = 0; k < 3 && virial != NULL; k++)
        virial[e][k] += force * d[e] * d[k];
    }
  }
  return sum;
}

double alchemy_excess(const Alchemy *y, const State *state)
{
  const Nonbonded *const o = &y->nonbonded;
  double sum = 0.0;
  for (const AlchemyInside *p = y->inside; p < y->inside + y->ninside; p++) {
    double d[3], force, one[3], other[3];
    for (int e = 0; e < 3; e++) {
      const AlchemyPlace *const i = &y->place[p->i], *const j = &y->place[p->j];
      one[e] = ((const double *)state->block[i->block].q)[at(y, state, p->i, 0, e)];
      other[e] = ((const double *)state->block[j->block].q)[at(y, state, p->j, 0, e)];
    }
    const double s = box_distance(y->box, one, other, d);
    if (coulomb_splits(o->coulomb))
      sum += pme_exclusion_pair(o->beta, p->qq / UNITS_COULOMB, s, &force);
    else if (o->coulomb == COULOMB_REACTION_FIELD && s < y->model.cutoff2)
      sum += p->qq * (y->model.field * s - y->model.constant);
  }
  return sum;
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* Adds the forces on the solute in a replica lane, in the order of shares. */
static bool collect(Alchemy *y, const State *state, int r, bool sums)
{
  const int slot = r / LANES, l = r % LANES, n = y->model.nsolute;
  double(*const g)[3] = y->g;
  memset(g, 0, (size_t)n * sizeof *g);
  if (r == 0)
    memset(y->virial, 0, sizeof y->virial);
  const double energy = act_inside(y, y->slot[slot].site, l, g, sums && y->width == 1 ? y->virial : NULL);
  y->own[slot][l] = energy;
  bool fit = true;
  for (int i = 0; i < n; i++)
    for (int e = 0; e < 3; e++) {
      double sum = g[i][e];
      for (int share = 0; share < ALCHEMY_SHARES; share++) {
        const Vec8 f = y->f[((ptrdiff_t)(share * y->slots + slot) * n + i) * 3 + e];
        sum += y->width > 1 ? f[l] : vec8_sum(f);
      }
      fit = fit && fabs(sum) < FORCE_MOST;
      ((double *)state->block[y->place[i].block].f)[at(y, state, i, r, e)] += sum;
    }
  return fit;
}

static double least(Vec8 x)
{
  double most = x[0];
  for (int l = 1; l < LANES; l++)
    most = fmin(most, x[l]);
  return most;
}

/* Adds all forces on the solute; checks them. */
static Status finish(Alchemy *y, const State *state, bool sums, Error *error)
{
  const Atoms *const a = y->atoms;
  char words[ATOMS_WORDS];
  memset(y->own, 0, (size_t)y->slots * sizeof *y->own);
  for (int k = 0; k < ALCHEMY_SHARES * y->slots && y->box != NULL; k++)
    if (least(y->result[k].close) < y->model.tables.low)
      return error_set(
          error, STATUS_RUN,
          "%s, of the solute of alchemy, has a charge within %.2g A of another: the start overlaps, or the "
          "step is too long",
          atoms_words(a, y->place[0].row, words), sqrt(y->model.tables.low));
  if (y->box != NULL && !whole(y, y->slot[0].site))
    return error_set(
        error, STATUS_RUN,
        "the solute of alchemy (%s) is longer than half the box, or a face of the box splits it: "
        "enlarge the box, or make the molecule whole",
        atoms_words(a, y->place[0].row, words));
  for (int r = 0; r < state->used; r++)
    if (!collect(y, state, r, sums))
      return error_set(
          error, STATUS_RUN,
          "replica %u: a force on the solute of alchemy (%s) is not finite or above %g kcal/mol/A: atoms "
          "overlap",
          state->replica + (uint32_t)r, atoms_words(a, y->place[0].row, words), FORCE_MOST);
  return STATUS_OK;
}

Status alchemy_add(Alchemy *y, const Team *team, State *state, bool sums, Error *error)
{
  int begin, end;
  if (team->rank == 0)
    for (int slot = 0; slot < y->slots; slot++)
      y->slot[slot] = make_slot(y, state, slot, y->site + (ptrdiff_t)slot * y->model.nsolute);
  team_barrier(team); /* forces before these have written to packs of all threads */
  team_range(team, ALCHEMY_SHARES * y->slots, &begin, &end);
  for (int k = begin; k < end; k++)
    run_share(y, state, k % y->slots, k / y->slots, sums);
  team_barrier(team);
  if (team->rank == 0)
    y->status = finish(y, state, sums, &y->why);
  team_barrier(team);
  return error_pass(error, y->status, &y->why);
}

AlchemySums alchemy_sums(const Alchemy *y, int r, double (*virial)[3])
{
  const int slot = r / LANES, l = r % LANES;
  const double strength = y->slot[slot].s[l];
  const AlchemyTailSums tail = alchemy_tail(y, y->slot[slot].l[l]);
  double sum[ALCHEMY_SUMS] = {0.0};
  for (int share = 0; share < ALCHEMY_SHARES; share++)
    for (int k = 0; k < ALCHEMY_SUMS; k++) {
      const Vec8 x = y->result[share * y->slots + slot].sum[k];
      sum[k] += y->width > 1 ? x[l] : vec8_sum(x);
    }
  for (int k = 0; k < 9 && virial != NULL; k++)
    virial[k / 3][k % 3] +=
        sum[ALCHEMY_SUM_VIRIAL + k] + y->virial[k / 3][k % 3] + (k % 4 == 0 ? tail.virial : 0.0);
  return (AlchemySums){strength * sum[ALCHEMY_SUM_COULOMB], sum[ALCHEMY_SUM_LJ], tail.energy,
                       y->own[slot][l]};
}

/* --- other strengths ------------------------------------------------------------------------------------ */

/* Sums over all pairs of a slot: of full charges, of Lennard-Jones at strengths l[n], and its derivative at
 * the last. */
static void ask(const Alchemy *y, const State *state, int slot, const AlchemySlot *own, int n, const Vec8 *l,
                Vec8 *lj, AlchemyResult *result)
{
  memset(result, 0, sizeof *result);
  memset(lj, 0, (size_t)n * sizeof *lj);
  for (int item = 0; item < y->nitem; item++) {
    const AlchemyPack pack = pack_of(y, state, slot, item);
    y->kernel->ask(&y->model, own, &pack, n, l, lj, result);
  }
}

static double lane_of(const Alchemy *y, const Vec8 *x, int l)
{
  return y->width > 1 ? (*x)[l] : vec8_sum(*x);
}

/* The different strengths of Lennard-Jones in a query, l[n]; index[nset]: that of each set. */
static int find_strengths(const Alchemy *y, const ParameterQuery *query, Vec8 *l, int *index)
{
  int n = 0;
  for (int k = 0; k < query->nset; k++) {
    const double own =
        alchemy_strength(&y->input, ALCHEMY_LJ, query->set + (ptrdiff_t)k * query->parameters->n);
    int i = 0;
    while (i < n && l[i][0] != own)
      i++;
    l[i] = vec8_set(own);
    n += i == n;
    index[k] = i;
  }
  return n;
}

/* Adds the answers of replica lane r. */
static void answer(const Alchemy *y, const ParameterQuery *query, int width, int r, const Vec8 *l, int n,
                   const int *index, const Vec8 *lj, const AlchemyResult *result, double s)
{
  const int lane = r % LANES;
  const double coulomb = lane_of(y, &result->sum[ALCHEMY_SUM_COULOMB], lane);
  for (int k = 0; k < query->nset; k++)
    query->energy[(ptrdiff_t)k * width + r] +=
        alchemy_strength(&y->input, ALCHEMY_COULOMB, query->set + (ptrdiff_t)k * query->parameters->n) *
            coulomb +
        lane_of(y, &lj[index[k]], lane) + alchemy_tail(y, l[index[k]][0]).energy;
  const AlchemyTailSums tail = alchemy_tail(y, l[n - 1][lane]);
  query->own[r] += s * coulomb + lane_of(y, &lj[n - 1], lane) + tail.energy;
  const double slope[ALCHEMY_STRENGTHS] = {coulomb,
                                           lane_of(y, &result->sum[ALCHEMY_SUM_SLOPE], lane) + tail.slope};
  for (int i = 0; i < ALCHEMY_STRENGTHS && query->slope != NULL; i++)
    if (y->input.parameter[i] > 0)
      query->slope[(ptrdiff_t)(y->input.parameter[i] - 1) * width + r] += slope[i];
}

Status alchemy_respond(const Alchemy *y, const State *state, const ParameterQuery *query, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const size_t sets = (size_t)query->nset + 1;
  Vec8 *const l = arena_take(&arena, sets, sizeof *l), *const lj = arena_take(&arena, sets, sizeof *lj);
  int *const index = arena_take(&arena, sets, sizeof *index);
  AlchemySolute *const site = arena_take(&arena, (size_t)y->model.nsolute, sizeof *site);
  TRY(arena_check(&arena, "energies at other strengths", error));
  const int n = find_strengths(y, query, l, index) + 1;
  for (int slot = 0; slot < y->slots; slot++) {
    AlchemyResult result;
    const AlchemySlot own = make_slot(y, state, slot, site);
    l[n - 1] = own.l;
    ask(y, state, slot, &own, n, l, lj, &result);
    for (int r = slot * LANES; r < (slot + 1) * LANES && r < state->used; r++)
      answer(y, query, y->width, r, l, n, index, lj, &result, own.s[r % LANES]);
  }
  return STATUS_OK;
}
