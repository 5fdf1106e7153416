#include "forcefields/term_force.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/field.h"
#include "forcefields/term_force_private.h"

/* Number of shares of the work: fixed with sums, so that these are the same for any team; else one for each
 * thread. */
static int clear_shares(const Terms *t, const Team *team, bool wanted)
{
  int first, last;
  team_range(team, SHARES, &first, &last);
  if (wanted)
    memset(t->sums + first, 0, (size_t)(last - first) * sizeof *t->sums);
  return wanted ? SHARES : team->size;
}

/* --- width 1 -------------------------------------------------------------------------------------------- */

/* The i-th term of a batch: by eight molecules, then by term, then by molecule, so that a register has equal
 * terms of consecutive molecules. */
static const Placed *locate(const Terms *t, int type, int64_t i, int *molecule, const TopologySort **of)
{
  const Sorted *s = t->sorted;
  int64_t each = s->begin[type + 1] - s->begin[type];
  while (i >= each * s->sort->nmol) {
    i -= each * s->sort->nmol;
    s++;
    each = s->begin[type + 1] - s->begin[type];
  }
  const int64_t eight = i / (LANES * each), left = s->sort->nmol - eight * LANES,
                side = left < LANES ? left : LANES;
  i -= eight * LANES * each;
  *molecule = (int)(eight * LANES + i % side);
  *of = s->sort;
  return &s->placed[s->begin[type] + i / side];
}

static size_t row_of(const Terms *t, const Placed *p, int atom, int molecule)
{
  const TopologyGroup *g = p->group[atom];
  const size_t lane = (size_t)g->first + (size_t)molecule * (size_t)g->step;
  return t->block[g->block] + (lane / LANES * (size_t)g->kind->nsite + (size_t)p->site[atom]) * LANES +
         lane % LANES;
}

static void fill_rows(const Terms *t, const Team *team, const State *state)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const size_t n = (size_t)block->kind->nsite;
    int begin, end;
    team_range(team, block->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      t->kernel->rows(block->q + (size_t)i * n * 3, (int)n, t->x + t->block[b] + (size_t)i * n * LANES);
  }
}

/* Number of the first term in packs whose forces exceed the limit. */
static int64_t first_unfit(const Batch *batch, int natom, int first, int last)
{
  for (int64_t i = (int64_t)first * LANES; i < (int64_t)last * LANES && i < batch->n; i++) {
    const double *f = (const double *)(batch->force + i / LANES * natom * 3) + i % LANES;
    for (int k = 0; k < 3 * natom; k++)
      if (!(fabs(f[k * LANES]) < FORCE_MOST))
        return batch->first + i;
  }
  return INT64_MAX;
}

/* This thread's shares of all batches; returns the first unfit term. */
static int64_t run_packs(const Terms *t, const Team *team, bool wanted)
{
  int64_t unfit = INT64_MAX;
  const int shares = clear_shares(t, team, wanted);
  int first, last;
  team_range(team, shares, &first, &last);
  for (int share = first; share < last; share++) {
    for (int type = 0; type < TERM_TYPES; type++) {
      const Batch *batch = &t->batch[type];
      const int tail = batch->n - (batch->npack - 1) * LANES;
      TermPacks packs = {.npack = batch->npack,
                         .tail = (1U << tail) - 1,
                         .param = batch->param,
                         .row = batch->row,
                         .x = (const double(*)[4])t->x,
                         .node = (const TermNode *)t->grid.node,
                         .force = batch->force,
                         .sums = wanted ? t->sums[share][0] : NULL};
      team_share(batch->npack, share, shares, &packs.first, &packs.last);
      if (packs.first == packs.last || t->kernel->row[type].packs(&packs))
        continue;
      const int64_t found = first_unfit(batch, term_types[type].natom, packs.first, packs.last);
      unfit = found < unfit ? found : unfit;
    }
  }
  return unfit;
}

/* Adds forces of terms to the atoms of this thread's packs. */
static void collect(const Terms *t, const Team *team, const State *state)
{
  const double *const force = (const double *)t->force;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const size_t n = (size_t)block->kind->nsite * LANES;
    int begin, end;
    team_range(team, block->npack, &begin, &end);
    for (size_t i = (size_t)begin * n; i < (size_t)end * n; i++) {
      double *f = (double *)(block->f + i / LANES * 3) + i % LANES;
      double sum[3] = {f[0], f[LANES], f[2 * LANES]};
      const size_t row = t->block[b] + i;
      for (size_t k = t->begin[row]; k < t->begin[row + 1]; k++)
        for (size_t d = 0; d < 3; d++)
          sum[d] += force[t->from[k] + d * LANES];
      for (size_t d = 0; d < 3; d++)
        f[d * LANES] = sum[d];
    }
  }
}

/* --- packs of one term's lanes -------------------------------------------------------------------------- */

/* Finds the atoms of a term. */
VEC_INLINE void place(const Placed *p, const State *state, int molecule, int slot, TermLanes *lanes)
{
  for (int k = 0; k < p->term.type->natom; k++) {
    const Spot *spot = &p->spot[k];
    const Block *block = &state->block[p->group[k]->block];
    const size_t at = spot->first + (size_t)molecule * spot->step + (size_t)slot * spot->slot;
    lanes->q[k] = block->q + at;
    lanes->f[k] = block->f + at;
  }
}

/* The replicas of pack `slot` of molecule m of a molecule type; returns its first unfit term, times
 * WIDTH_MAX, plus the first such lane. */
static int64_t run_molecule(const Terms *t, const State *state, const Sorted *s, int m, int slot, Vec8 *sums)
{
  const unsigned used =
      vec8_bits(*(state->block[0].active + slot) != 0.0); /* the same replicas in all packs */
  TermLanes lanes = {.node = (const TermNode *)t->grid.node, .used = used, .sums = sums};
  int64_t unfit = INT64_MAX;
  for (int i = 0; i < s->begin[TERM_TYPES]; i++) {
    const Placed *p = &s->placed[i];
    lanes.param = p->ready;
    place(p, state, m, slot, &lanes);
    const unsigned bits = t->kernel->row[p->term.type - term_types].lanes(&lanes);
    if (bits != 0 && unfit == INT64_MAX)
      unfit = (int64_t)i * WIDTH_MAX + slot * LANES + __builtin_ctz(bits);
  }
  return unfit;
}

/* The molecule type of molecule m, and its number in it. */
static const Sorted *sort_of(const Terms *t, int *m)
{
  const Sorted *s = t->sorted;
  while (*m >= s->sort->nmol)
    *m -= s++->sort->nmol;
  return s;
}

static int64_t run_lanes(const Terms *t, const Team *team, const State *state, bool wanted)
{
  int64_t unfit = INT64_MAX;
  const int shares = clear_shares(t, team, wanted);
  int first, last, begin, end;
  team_range(team, shares, &first, &last);
  for (int share = first; share < last; share++) {
    team_share(t->topology->nmol, share, shares, &begin, &end);
    for (int i = begin; i < end; i++) {
      int m = i;
      const Sorted *s = sort_of(t, &m);
      for (int slot = 0; slot < state->width / LANES; slot++) {
        const int64_t found = run_molecule(t, state, s, m, slot, wanted ? t->sums[share][slot] : NULL);
        if (found != INT64_MAX && unfit == INT64_MAX)
          unfit = i * t->most * WIDTH_MAX + found;
      }
    }
  }
  return unfit;
}

/* Bits of lanes in a pack of block 0 that contain this group of a molecule type. */
static unsigned lanes_that_are(const TopologySort *sort, const TopologyGroup *group, int width, int pack)
{
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++) {
    const int from = (pack * LANES + l) / width - group->first;
    if (from >= 0 && from % group->step == 0 && from / group->step < sort->nmol)
      bits |= 1U << l;
  }
  return bits;
}

static bool within(const Placed *p, const TopologyGroup *group)
{
  for (int k = 0; k < p->term.type->natom; k++)
    if (p->group[k] != group)
      return false;
  return true;
}

/* The terms inside one group, in the lanes of a pack that contain it. */
static void hess_group(const Terms *t, const State *state, const Sorted *s, const TopologyGroup *group,
                       int pack, Vec8 *hess)
{
  const Block *block = &state->block[0];
  const unsigned used =
      lanes_that_are(s->sort, group, state->width, pack) & vec8_bits(*(block->active + pack) != 0.0);
  for (int i = 0; used != 0 && i < s->begin[TERM_TYPES]; i++) {
    const Placed *p = &s->placed[i];
    if (!within(p, group))
      continue;
    TermLanes lanes = {.param = p->ready,
                       .node = (const TermNode *)t->grid.node,
                       .used = used,
                       .hess = hess,
                       .n = 3 * group->kind->nsite};
    for (int k = 0; k < p->term.type->natom; k++) {
      lanes.q[k] = block->q + ((size_t)pack * (size_t)group->kind->nsite + (size_t)p->site[k]) * 3;
      lanes.place[k] = 3 * p->site[k];
    }
    t->kernel->row[p->term.type - term_types].hess(&lanes);
  }
}

static void hess_block(void *self, const Team *team, const State *state, Vec8 *hess)
{
  const Terms *t = self;
  const size_t n = 3 * (size_t)state->block[0].kind->nsite;
  int begin, end;
  team_range(team, state->block[0].npack, &begin, &end);
  for (int i = begin; i < end; i++)
    for (int k = 0; k < t->topology->nsort; k++) {
      const TopologySort *sort = t->sorted[k].sort;
      for (int g = 0; g < sort->ngroup && sort->group[g].block == 0; g++)
        hess_group(t, state, &t->sorted[k], &sort->group[g], i, hess + (size_t)i * n * n);
    }
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* The sum `which` of replica lane r. */
static double total(const Terms *t, int width, int r, int which)
{
  double sum = 0.0;
  for (int k = 0; k < SHARES; k++) {
    const Vec8 x = t->sums[k][r / LANES][which];
    sum += width == 1 ? vec8_sum(x) : x[r % LANES];
  }
  return sum;
}

static void add_up(const Terms *t, int width, const ForceSums *sums)
{
  for (int c = 0; c < t->ops.nterm; c++)
    for (int r = 0; r < width; r++)
      sums->energy[c * width + r] = total(t, width, r, (int)t->column[c]);
  for (int k = 0; width == 1 && sums->virial != NULL && k < 9; k++)
    sums->virial[k / 3][k % 3] += total(t, 1, 0, TERM_VIRIAL + k);
}

static Status say(const Terms *t, const State *state, int64_t unfit, Error *error)
{
  const TopologySort *sort;
  const Placed *p;
  char name[TERM_NAME], replica[32] = "";
  int m = 0, r = 0;
  if (state->width == 1) {
    int type = 0;
    while (unfit >= t->batch[type].first + t->batch[type].n)
      type++;
    p = locate(t, type, unfit - t->batch[type].first, &m, &sort);
  } else {
    const Sorted *s;
    r = (int)(unfit % WIDTH_MAX);
    m = (int)(unfit / WIDTH_MAX / t->most);
    s = sort_of(t, &m);
    sort = s->sort;
    p = &s->placed[unfit / WIDTH_MAX % t->most];
    snprintf(replica, sizeof replica, " of replica %u", state->replica + (uint32_t)r);
  }
  Term term = p->term;
  for (int k = 0; k < term.type->natom; k++)
    term.atom[k] = topology_file(sort, term.atom[k]);
  term_name(&term, name, sizeof name);
  double end[2][3], square = 0.0;
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < 3; d++) {
      const int atom = k * (p->term.type->natom - 1);
      const TopologyGroup *g = p->group[atom];
      const Block *block = &state->block[g->block];
      end[k][d] = *state_element(block, block->q, state->width, g->first + m * g->step, r, p->site[atom], d);
    }
  for (int d = 0; d < 3; d++)
    square += (end[1][d] - end[0][d]) * (end[1][d] - end[0][d]);
  const double *ready = p->ready, apart = sqrt(square), first = ready[2], last = first + ready[1] / ready[3];
  if (term_is_tabulated(p->term.type) && p->term.type->form == COORDINATE_DISTANCE &&
      (apart < first || apart > last))
    return error_set(
        error, STATUS_RUN,
        "%s of molecule %d (%s)%s: the distance is %g A, but its table goes from %g to %g A: use a "
        "longer table, or the run has blown up",
        name, sort->first + m + 1, sort->kind->name, replica, apart, first, last);
  return error_set(error, STATUS_RUN,
                   "%s of molecule %d (%s)%s: the force is beyond %g kcal/mol/A or not finite, with the "
                   "first and last atom %g A apart: atoms overlap, or the run has blown up",
                   name, sort->first + m + 1, sort->kind->name, replica, FORCE_MOST, apart);
}

/* In a wide state threads write to packs of other threads, so no other thread may work there. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  const Terms *t = self;
  State *view;
  TRY(virtual_lanes_place(t->sites, team, state, &view, error));
  if (state->width == 1)
    fill_rows(t, team, view);
  team_barrier(team);
  const int64_t unfit = team_least(team, state->width == 1 ? run_packs(t, team, sums != NULL)
                                                           : run_lanes(t, team, view, sums != NULL));
  if (unfit != INT64_MAX)
    return say(t, view, unfit, error);
  if (state->width == 1)
    collect(t, team, view);
  if (t->sites != NULL)
    team_barrier(team);
  if (sums != NULL && team->rank == 0)
    add_up(t, state->width, sums);
  virtual_lanes_spread(t->sites, team, sums);
  if (sums != NULL)
    team_barrier(team);
  return STATUS_OK;
}

static void release(void *self)
{
  Terms *t = self;
  virtual_lanes_free(t->sites);
  arena_free(&t->arena);
  free(t);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static void place_atoms(const TopologySort *sort, int width, Placed *p)
{
  for (int k = 0; k < p->term.type->natom; k++) {
    const TopologyAtom *at = &sort->atom[p->term.atom[k]];
    const TopologyGroup *group = &sort->group[at->group];
    p->group[k] = group;
    p->site[k] = at->site;
    const size_t slot = 3 * (size_t)group->kind->nsite, lane = slot * (size_t)(width / LANES);
    p->spot[k] =
        (Spot){(size_t)group->first * lane + 3 * (size_t)p->site[k], (size_t)group->step * lane, slot};
  }
}

/* Sorts the terms of a molecule type by term type, otherwise in the order of the list. */
static Status sort_terms(const TermList *list, const TermPlace *grid, int width, Sorted *s, Error *error)
{
  int count[TERM_TYPES + 1] = {0};
  const int nsite = s->sort->kind->nsite + topology_groups(s->sort) - s->sort->ngroup; /* sites with lanes */
  for (int i = 0; i < list->n; i++) {
    const Status status = term_check(&list->term[i], nsite, list, error);
    if (status != STATUS_OK)
      return error_prefix(error, "molecule %s", s->sort->kind->name);
    count[list->term[i].type - term_types + 1]++;
  }
  for (int k = 0; k < TERM_TYPES; k++)
    s->begin[k + 1] = count[k + 1] += count[k];
  for (int i = 0; i < list->n; i++) {
    Placed *p = &s->placed[count[list->term[i].type - term_types]++];
    p->term = list->term[i];
    p->nready = term_ready(&p->term, grid, p->ready);
    place_atoms(s->sort, width, p);
  }
  return STATUS_OK;
}

static Status take_terms(Terms *t, const TermList *list, int width, Error *error)
{
  const int nsort = t->topology->nsort;
  t->most = 1;
  t->sums = arena_take(&t->arena, SHARES, sizeof *t->sums);
  t->sorted = arena_take(&t->arena, (size_t)nsort, sizeof *t->sorted);
  TRY(arena_check(&t->arena, "terms", error));
  TRY(term_nodes(&t->grid, nsort, list, &t->arena, error));
  for (int i = 0; i < nsort; i++) {
    const int k = t->topology->order[i];
    t->sorted[i].sort = &t->topology->sort[k];
    t->sorted[i].placed = arena_take(&t->arena, (size_t)list[k].n + 1, sizeof(Placed));
    TRY(arena_check(&t->arena, "terms", error));
    TRY(sort_terms(&list[k], t->grid.place[k], width, &t->sorted[i], error));
    t->most = list[k].n > t->most ? list[k].n : t->most;
  }
  return STATUS_OK;
}

/* Columns that some term adds to. */
static void name_columns(Terms *t)
{
  bool used[TERM_COLUMNS] = {false};
  for (int k = 0; k < t->topology->nsort; k++)
    for (int i = 0; i < t->sorted[k].begin[TERM_TYPES]; i++) {
      used[t->sorted[k].placed[i].term.type->column] = true;
      used[t->sorted[k].placed[i].term.type->other] = true;
    }
  for (int c = 0; c < TERM_COLUMNS; c++)
    if (used[c]) {
      t->column[t->ops.nterm] = (TermColumn)c;
      t->name[t->ops.nterm++] = term_column_names[c];
    }
}

/* Counts the terms of each type and allocates batches. */
static Status take_batches(Terms *t, Error *error)
{
  int64_t terms = 0, octets = 0;
  for (int k = 0; k < TERM_TYPES; k++) {
    Batch *batch = &t->batch[k];
    int64_t n = 0;
    for (int s = 0; s < t->topology->nsort; s++)
      n += (int64_t)(t->sorted[s].begin[k + 1] - t->sorted[s].begin[k]) * t->sorted[s].sort->nmol;
    if (n > INT32_MAX / LANES)
      return error_memory(error, "this many terms");
    *batch = (Batch){.n = (int)n, .npack = (int)((n + LANES - 1) / LANES), .first = terms};
    terms += n;
    octets += (int64_t)batch->npack * term_types[k].natom * 3;
    batch->param = arena_take(&t->arena, (size_t)batch->npack * TERM_READY + 1, sizeof(Vec8));
    batch->row = arena_take(&t->arena, ((size_t)batch->npack * (size_t)term_types[k].natom + 1) * LANES,
                            sizeof(uint32_t));
  }
  if (octets > UINT32_MAX / LANES)
    return error_memory(error, "this many terms");
  t->force = arena_take(&t->arena, (size_t)octets + 1, sizeof(Vec8));
  TRY(arena_check(&t->arena, "terms", error));
  octets = 0;
  for (int k = 0; k < TERM_TYPES; k++) {
    t->batch[k].force = t->force + octets;
    octets += (int64_t)t->batch[k].npack * term_types[k].natom * 3;
  }
  return STATUS_OK;
}

/* Parameters and rows of a batch; lanes beyond its end repeat the last. */
static void fill_batch(Terms *t, int type)
{
  const Batch *batch = &t->batch[type];
  const int natom = term_types[type].natom;
  for (int i = 0; i < batch->npack * LANES; i++) {
    const TopologySort *sort;
    int m;
    const Placed *p = locate(t, type, i < batch->n ? i : batch->n - 1, &m, &sort);
    for (int k = 0; k < p->nready; k++)
      ((double *)(batch->param + i / LANES * p->nready + k))[i % LANES] = p->ready[k];
    for (int k = 0; k < natom; k++) {
      const size_t row = row_of(t, p, k, m);
      batch->row[(i / LANES * natom + k) * LANES + i % LANES] = (uint32_t)row;
      t->begin[row + 1] += i < batch->n;
    }
  }
}

/* Links each atom's places to the forces of a batch; next[] is an atom's next place. */
static void link_batch(const Terms *t, int type, size_t *next)
{
  const Batch *batch = &t->batch[type];
  for (int i = 0, natom = term_types[type].natom; i < batch->n; i++)
    for (int k = i / LANES * natom; k < (i / LANES + 1) * natom; k++)
      t->from[next[batch->row[k * LANES + i % LANES]]++] =
          (uint32_t)((batch->force + 3 * (ptrdiff_t)k - t->force) * LANES + i % LANES);
}

static Status make_batches(Terms *t, const State *shape, Error *error)
{
  size_t rows = 0, atoms = 0;
  t->block = arena_take(&t->arena, (size_t)shape->nblock, sizeof *t->block);
  TRY(arena_check(&t->arena, "terms", error));
  for (int b = 0; b < shape->nblock; b++) {
    t->block[b] = rows;
    rows += (size_t)shape->block[b].npack * (size_t)shape->block[b].kind->nsite * LANES;
  }
  TRY(take_batches(t, error));
  for (int k = 0; k < TERM_TYPES; k++)
    atoms += (size_t)t->batch[k].n * (size_t)term_types[k].natom;
  SCOPED(arena_free) Arena arena = {0};
  size_t *next = arena_take(&arena, rows, sizeof *next);
  t->x = arena_take(&t->arena, rows, sizeof *t->x);
  t->begin = arena_take(&t->arena, rows + 1, sizeof *t->begin);
  t->from = arena_take(&t->arena, atoms + 1, sizeof *t->from);
  TRY(arena_check(&arena, "terms", error));
  TRY(arena_check(&t->arena, "terms", error));
  for (int k = 0; k < TERM_TYPES; k++)
    fill_batch(t, k);
  for (size_t i = 0; i < rows; i++)
    next[i] = t->begin[i + 1] += t->begin[i];
  memmove(next + 1, next, (rows - 1) * sizeof *next);
  next[0] = 0;
  for (int k = 0; k < TERM_TYPES; k++)
    link_batch(t, k, next);
  return STATUS_OK;
}

/* Whether a term uses a virtual site. */
static bool names_site(const Topology *topology, const TermList *list)
{
  for (int k = 0; k < topology->nsort; k++)
    for (int i = 0; i < list[k].n; i++)
      for (int a = 0; a < list[k].term[i].type->natom; a++)
        if (list[k].term[i].atom[a] >= topology->sort[k].kind->nsite)
          return true;
  return false;
}

Status term_force_create(Force *force, const Topology *topology, const TermList *list, const State *shape,
                         Isa isa, Error *error)
{
  if (topology->dim != 3)
    return error_set(error, STATUS_INPUT, "bonded terms need three dimensions, not %d", topology->dim);
  Terms *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "terms", error);
  *t = (Terms){.ops = {.name = "terms",
                       .doc = "bonds, angles, torsions and pairs of a force field inside molecules",
                       .term = t->name,
                       .add = add,
                       .hess_block = hess_block,
                       .describe = term_force_describe,
                       .telling = 1,
                       .free = release},
               .kernel = ISA_PICK(term_force_kernels_table, isa),
               .topology = topology};
  if (names_site(topology, list))
    TRY_ELSE(virtual_lanes_create(&t->sites, topology, shape, isa, error), release(t));
  TRY_ELSE(take_terms(t, list, shape->width, error), release(t));
  name_columns(t);
  if (shape->width == 1)
    TRY_ELSE(make_batches(t, virtual_lanes_view(t->sites, shape), error), release(t));
  *force = (Force){&t->ops, t};
  return STATUS_OK;
}

Status term_force_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return term_force_create(force, input->topology, input->terms, shape, input->isa, error);
}
