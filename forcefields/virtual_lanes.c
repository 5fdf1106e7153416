#include "forcefields/virtual_lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "forcefields/virtual_lanes_kernels.h"

enum { SHARES = 64 };

/* A virtual site of a molecule type. */
typedef struct Placed {
  const VirtualSite *site;
  double ready[3];
  int nby; /* number of atoms that place it */
} Placed;

/* The sites of a molecule type, and the groups of eight molecules or replicas. */
typedef struct Sorted {
  const TopologySort *sort;
  int nsite, neight;
  Placed *placed;
} Sorted;

struct VirtualLanes {
  const VirtualKernels *kernel;
  const Topology *topology;
  State *own;        /* contains the block of the sites */
  State view;        /* of the most recent state */
  Block *block;      /* [topology->nblock + 1] of the view */
  int neight, most;  /* of all types; the most sites of a molecule */
  Sorted *sorted;    /* [topology->nsort] */
  Vec8 (*virial)[9]; /* [SHARES] */
  Arena arena;
};

/* --- locations ------------------------------------------------------------------------------------------ */

/* Eight lanes of a state: an atom of molecules m to m + n - 1 of a type, or of replicas from `r` on of
 * molecule m. */
typedef struct Eight {
  const Sorted *sorted;
  int m, r, n;
  unsigned used;
} Eight;

static Eight eight_of(const VirtualLanes *v, int i)
{
  const Sorted *s = v->sorted;
  for (; i >= s->neight; s++)
    i -= s->neight;
  if (v->view.width == 1) {
    const int left = s->sort->nmol - i * LANES, n = left < LANES ? left : LANES;
    return (Eight){s, i * LANES, 0, n, (1U << n) - 1};
  }
  const int slots = v->view.width / LANES, r = i % slots * LANES, left = v->view.used - r;
  return (Eight){s, i / slots, r, LANES, left >= LANES ? 0xff : left > 0 ? (1U << left) - 1 : 0};
}

/* The group of a site of the molecules of an eight. */
static const TopologyGroup *group_of(const Eight *at, int site)
{
  const TopologySort *const sort = at->sorted->sort;
  return &sort->group[sort->atom[site].group];
}

/* Index of the x of a site in a field of its block, in lane l of an Eight; y and z follow 8 apart. */
static size_t element_of(const VirtualLanes *v, const Eight *at, int site, int l)
{
  const TopologyGroup *const group = group_of(at, site);
  const bool wide = v->view.width > 1;
  const int lane = group->first + (at->m + (wide ? 0 : l)) * group->step;
  return state_index(&v->block[group->block], v->view.width, lane, wide ? at->r + l : 0,
                     at->sorted->sort->atom[site].site, 0);
}

static double *field_of(const VirtualLanes *v, const Eight *at, int site, StateField field)
{
  const Block *const block = &v->block[group_of(at, site)->block];
  return (double *)(field == STATE_POSITIONS ? block->q : block->f);
}

/* Whether the lanes of an Eight are one octet in memory. */
static bool together(const VirtualLanes *v, const Eight *at, int site)
{
  const TopologyGroup *const group = group_of(at, site);
  return v->view.width > 1 || (at->n == LANES && group->step == 1 && (group->first + at->m) % LANES == 0);
}

static void gather(const VirtualLanes *v, const Eight *at, int site, StateField field, Vec8 x[3])
{
  const double *const from = field_of(v, at, site, field);
  if (together(v, at, site)) {
    memcpy(x, from + element_of(v, at, site, 0), 3 * sizeof *x);
    return;
  }
  for (int l = 0; l < LANES; l++) {
    const size_t i = element_of(v, at, site, l < at->n ? l : at->n - 1);
    for (size_t d = 0; d < 3; d++)
      x[d][l] = from[i + d * LANES];
  }
}

/* Field = x, or += x. */
static void scatter(const VirtualLanes *v, const Eight *at, int site, StateField field, bool add,
                    const Vec8 x[3])
{
  double *const to = field_of(v, at, site, field);
  if (together(v, at, site)) {
    Vec8 *const whole = (Vec8 *)(to + element_of(v, at, site, 0));
    for (int d = 0; d < 3; d++)
      whole[d] = add ? whole[d] + x[d] : x[d];
    return;
  }
  for (int l = 0; l < at->n; l++) {
    const size_t i = element_of(v, at, site, l);
    for (size_t d = 0; d < 3; d++)
      to[i + d * LANES] = add ? to[i + d * LANES] + x[d][l] : x[d][l];
  }
}

/* Reads a site of an Eight with its atoms. */
static void take(const VirtualLanes *v, const Eight *at, const Placed *p, VirtualEight *to)
{
  to->kind = p->site->kind;
  memcpy(to->ready, p->ready, sizeof to->ready);
  to->used = at->used;
  gather(v, at, p->site->site, STATE_POSITIONS, to->at);
  for (int k = 0; k < (p->nby > 3 ? p->nby : 3); k++) /* repeats the first for kinds with fewer */
    gather(v, at, p->site->parent[k < p->nby ? k : 0], STATE_POSITIONS, to->x + (ptrdiff_t)3 * k);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check_shape(const Topology *t, const State *shape, Error *error)
{
  bool same = t->nblock == shape->nblock && t->dim == 3;
  for (int b = 0; b < shape->nblock && same; b++)
    same = t->block[b] == shape->block[b].kind && t->lanes[b] == shape->block[b].nlane;
  return same ? STATUS_OK
              : error_set(error, STATUS_INPUT, "the virtual sites have a different topology from the state");
}

static Status sort_sites(VirtualLanes *v, int width, Error *error)
{
  const Topology *const t = v->topology;
  v->sorted = arena_take(&v->arena, (size_t)t->nsort, sizeof *v->sorted);
  v->block = arena_take(&v->arena, (size_t)t->nblock + 1, sizeof *v->block);
  v->virial = arena_take(&v->arena, SHARES, sizeof *v->virial);
  TRY(arena_check(&v->arena, "virtual sites", error));
  for (int i = 0; i < t->nsort; i++) {
    const int k = t->order[i];
    Sorted *const s = &v->sorted[i];
    const int nmol = t->sort[k].nmol, n = topology_groups(&t->sort[k]) - t->sort[k].ngroup;
    const int eights = width == 1 ? (nmol + LANES - 1) / LANES : nmol * (width / LANES);
    *s = (Sorted){&t->sort[k], n, n > 0 ? eights : 0, arena_take(&v->arena, (size_t)n + 1, sizeof(Placed))};
    TRY(arena_check(&v->arena, "virtual sites", error));
    for (int j = 0; j < n; j++) {
      const VirtualSite *const site = &s->sort->virtual[j];
      s->placed[j] = (Placed){.site = site, .nby = virtual_site_types[site->kind].nparent};
      virtual_site_ready(site, s->placed[j].ready);
    }
    v->neight += s->neight;
    v->most = n > v->most ? n : v->most;
  }
  return STATUS_OK;
}

static Status fill(VirtualLanes *v, const Topology *topology, const State *shape, Isa isa, Error *error)
{
  TRY(check_shape(topology, shape, error));
  TRY(isa_check(isa, error));
  v->kernel = ISA_PICK(virtual_lanes_table, isa);
  v->topology = topology;
  TRY(sort_sites(v, shape->width, error));
  const int last = topology->nblock;
  return state_create(&v->own, shape->width, 1, &topology->block[last], &topology->lanes[last], 0, 0, error);
}

Status virtual_lanes_create(VirtualLanes **virtual, const Topology *topology, const State *shape, Isa isa,
                            Error *error)
{
  *virtual = NULL;
  if (topology->lanes[topology->nblock] == 0)
    return STATUS_OK;
  VirtualLanes *v = calloc(1, sizeof *v);
  TRY_MEMORY(v != NULL, "virtual sites", error);
  TRY_ELSE(fill(v, topology, shape, isa, error), virtual_lanes_free(v));
  *virtual = v;
  return STATUS_OK;
}

void virtual_lanes_free(VirtualLanes *v)
{
  if (v == NULL)
    return;
  state_free(v->own);
  arena_free(&v->arena);
  free(v);
}

/* --- views ---------------------------------------------------------------------------------------------- */

static void describe_site(const Placed *p, const TopologySort *sort, int m, SiteDescription *site)
{
  const TopologyGroup *own = &sort->group[sort->atom[p->site->site].group];
  SiteDescription *to = &site[own->first + m * own->step];
  to->natom = 3;
  for (int k = 0; k < 3; k++) {
    const TopologyAtom *atom = &sort->atom[p->site->parent[k < p->nby ? k : 0]];
    const TopologyGroup *group = &sort->group[atom->group];
    to->atom[k] = (AtomIndex){group->block, group->first + m * group->step, atom->site};
  }
  to->weight[0] = p->ready[0];
  to->weight[1] = p->site->kind == VIRTUAL_SITE_2 ? 0.0 : p->ready[1];
  to->weight[2] = p->site->kind == VIRTUAL_SITE_3OUT ? p->ready[2] : 0.0;
}

Status virtual_lanes_describe(const VirtualLanes *v, SiteDescription *site, Error *error)
{
  for (int k = 0; k < v->topology->nsort; k++)
    for (int i = 0; i < v->sorted[k].nsite; i++) {
      const Placed *p = &v->sorted[k].placed[i];
      const VirtualSiteKind kind = p->site->kind;
      bool atoms = true;
      for (int b = 0; b < p->nby; b++)
        atoms = atoms && p->site->parent[b] < v->sorted[k].sort->kind->nsite;
      if (!atoms || (kind != VIRTUAL_SITE_2 && kind != VIRTUAL_SITE_3 && kind != VIRTUAL_SITE_3OUT))
        return error_set(error, STATUS_INPUT, "virtual sites of kind %s%s have no description",
                         virtual_site_types[kind].name, atoms ? "" : " placed by other virtual sites");
      for (int m = 0; m < v->sorted[k].sort->nmol; m++)
        describe_site(p, v->sorted[k].sort, m, site);
    }
  return STATUS_OK;
}

const State *virtual_lanes_view(VirtualLanes *v, const State *state)
{
  if (v == NULL)
    return state;
  if (v->own->used != state->used)
    state_use(v->own, state->used);
  memcpy(v->block, state->block, (size_t)state->nblock * sizeof *v->block);
  Block *const own = &v->block[state->nblock];
  *own = v->own->block[0];
  own->first = 0;
  for (int b = 0; b < state->nblock; b++)
    own->first += state->block[b].nlane;
  v->view = *state;
  v->view.nblock++;
  v->view.block = v->block;
  v->view.molecule = v->topology->molecule;
  v->view.number = NULL; /* forces need no noise */
  v->view.memory = v->view.slow = NULL;
  return &v->view;
}

/* --- placing -------------------------------------------------------------------------------------------- */

/* `lost` counts eights, their sites and lanes. */
static Status say(const VirtualLanes *v, int64_t lost, Error *error)
{
  const int l = (int)(lost % LANES), which = (int)(lost / LANES % v->most);
  const Eight at = eight_of(v, (int)(lost / LANES / v->most));
  const TopologySort *const sort = at.sorted->sort;
  const VirtualSite *const site = at.sorted->placed[which].site;
  const bool wide = v->view.width > 1;
  char replica[32] = "", by[64] = "";
  if (wide)
    snprintf(replica, sizeof replica, " of replica %u", v->view.replica + (uint32_t)(at.r + l));
  for (int k = 0, n = at.sorted->placed[which].nby; k < n; k++)
    text_append(by, sizeof by, "%s%d", k == 0 ? "" : k + 1 < n ? ", " : " and ", site->parent[k] + 1);
  return error_set(error, STATUS_RUN,
                   "virtual site %d of molecule %d (%s)%s has no position: the atoms that place it, %s, are "
                   "collinear, coincide or are not finite: the run has blown up",
                   topology_file(sort, site->site) + 1, sort->first + at.m + (wide ? 0 : l) + 1,
                   sort->kind->name, replica, by);
}

static int64_t place_eight(const VirtualLanes *v, int i)
{
  const Eight at = eight_of(v, i);
  int64_t lost = INT64_MAX;
  for (int s = 0; s < at.sorted->nsite; s++) {
    VirtualEight eight;
    take(v, &at, &at.sorted->placed[s], &eight);
    const unsigned bits = v->kernel->place(&eight);
    if (bits != 0 && lost == INT64_MAX)
      lost = ((int64_t)i * v->most + s) * LANES + __builtin_ctz(bits);
    scatter(v, &at, at.sorted->placed[s].site->site, STATE_POSITIONS, false, eight.at);
  }
  return lost;
}

Status virtual_lanes_place(VirtualLanes *v, const Team *team, State *state, State **view, Error *error)
{
  *view = state;
  if (v == NULL)
    return STATUS_OK;
  if (team->rank == 0)
    (void)virtual_lanes_view(v, state);
  team_barrier(team);
  *view = &v->view;
  const Block *const own = &v->own->block[0];
  int64_t lost = INT64_MAX;
  int begin, end;
  team_range(team, own->npack, &begin, &end);
  memset(own->f + (ptrdiff_t)3 * begin, 0, (size_t)(end - begin) * 3 * sizeof *own->f);
  team_range(team, v->neight, &begin, &end);
  for (int i = begin; i < end; i++) {
    const int64_t found = place_eight(v, i);
    lost = found < lost ? found : lost;
  }
  lost = team_least(team, lost);
  return lost == INT64_MAX ? STATUS_OK : say(v, lost, error);
}

Status virtual_lanes_look(VirtualLanes *v, const State *state, const State **view, Error *error)
{
  *view = virtual_lanes_view(v, state);
  for (int i = 0; v != NULL && i < v->neight; i++) {
    const int64_t lost = place_eight(v, i);
    if (lost != INT64_MAX)
      return say(v, lost, error);
  }
  return STATUS_OK;
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* In reverse order: a site that places others receives their forces first. */
static void spread_eight(const VirtualLanes *v, int i, Vec8 *virial)
{
  const Eight at = eight_of(v, i);
  for (int s = at.sorted->nsite - 1; s >= 0; s--) {
    const Placed *const p = &at.sorted->placed[s];
    VirtualEight eight;
    take(v, &at, p, &eight);
    gather(v, &at, p->site->site, STATE_FORCES, eight.f);
    v->kernel->spread(&eight, virial);
    for (int k = 0; k < p->nby; k++)
      scatter(v, &at, p->site->parent[k], STATE_FORCES, true, eight.g + (ptrdiff_t)3 * k);
  }
}

/* The virial is symmetric, since rotation does not change the energy; the rounding error is shared. */
static void add_virial(const VirtualLanes *v, double (*virial)[3])
{
  double sum[9] = {0.0};
  for (int s = 0; s < SHARES; s++)
    for (int k = 0; k < 9; k++)
      sum[k] += vec8_sum(v->virial[s][k]);
  for (int k = 0; k < 9; k++)
    virial[k / 3][k % 3] += 0.5 * (sum[k] + sum[k % 3 * 3 + k / 3]);
}

void virtual_lanes_spread(VirtualLanes *v, const Team *team, const ForceSums *sums)
{
  if (v == NULL)
    return;
  const bool virial = sums != NULL && sums->virial != NULL && v->view.width == 1;
  int first, last, begin, end;
  team_range(team, SHARES, &first, &last);
  for (int share = first; share < last; share++) {
    memset(v->virial[share], 0, sizeof v->virial[share]);
    team_share(v->neight, share, SHARES, &begin, &end);
    for (int i = begin; i < end; i++)
      spread_eight(v, i, virial ? v->virial[share] : NULL);
  }
  team_barrier(team);
  if (virial && team->rank == 0)
    add_virial(v, sums->virial);
}
