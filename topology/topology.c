#include "topology/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"

static const double no_mass = 0.0, origin[3] = {0.0, 0.0, 0.0};
static const char *const point_name = "V";
static const Kind point = {
    .name = "virtual site", .nsite = 1, .dim = 3, .mass = &no_mass, .site = &point_name, .reference = origin};

/* --- creation ------------------------------------------------------------------------------------------- */

/* Assigns the groups of a molecule type to blocks, lanes counted from the type's first; returns its number of
 * atoms, or -1: no such blocks. */
static int lay_groups(const TopologyMolecules *of, int nblock, const Kind *const *kind, TopologyGroup *group,
                      int *number)
{
  int each = 0, natom = 0; /* blocks rise, so groups of one block are adjacent */
  for (int g = 0; g < of->ngroup; g++) {
    const int b = of->block[g];
    if (b < 0 || b >= nblock || (g > 0 && b < of->block[g - 1]))
      return -1;
    each = g > 0 && b == of->block[g - 1] ? each + 1 : 0;
    group[g] = (TopologyGroup){kind[b], b, each, 0, number + natom};
    natom += kind[b]->nsite;
  }
  for (int g = of->ngroup - 1; g >= 0; g--)
    group[g].step =
        g + 1 < of->ngroup && group[g].block == group[g + 1].block ? group[g + 1].step : group[g].first + 1;
  for (int v = 0; v < of->nvirtual; v++)
    group[of->ngroup + v] = (TopologyGroup){&point, nblock, v, of->nvirtual, number + natom + v};
  return natom;
}

/* Computes the number in the molecule of each site of a lane, and the place of each number. False: the sites
 * of groups are not the molecule's atoms, each once. */
static bool number_atoms(const TopologyMolecules *of, int natom, const TopologyGroup *group, int *number,
                         TopologyAtom *atom)
{
  for (int i = 0; i < natom; i++) {
    number[i] = of->atom != NULL ? of->atom[i] : i;
    atom[i].group = -1;
  }
  for (int g = 0; g < of->ngroup; g++)
    for (int s = 0; s < group[g].kind->nsite; s++) {
      const int i = group[g].atom[s];
      if (i < 0 || i >= natom || atom[i].group >= 0)
        return false;
      atom[i] = (TopologyAtom){g, s};
    }
  for (int v = 0; v < of->nvirtual; v++) {
    number[natom + v] = natom + v;
    atom[natom + v] = (TopologyAtom){of->inlined ? -1 : of->ngroup + v, 0};
  }
  return true;
}

/* Joins the atoms of several groups to a kind. */
static Status join_kinds(const TopologyMolecules *of, const TopologyGroup *group, int natom, Kind **made,
                         Error *error)
{
  const int dim = group[0].kind->dim;
  double *number = malloc((size_t)(natom * (1 + dim)) * sizeof *number);
  const char **site = malloc((size_t)natom * sizeof *site);
  if (number == NULL || site == NULL) {
    free(number);
    free(site);
    return error_memory(error, "a topology");
  }
  bool frozen = true;
  for (int g = 0; g < of->ngroup; g++) {
    const Kind *kind = group[g].kind;
    frozen = frozen && kind->frozen;
    for (int i = 0; i < kind->nsite; i++) {
      const int at = group[g].atom[i];
      number[at] = kind->mass[i];
      site[at] = kind->site[i];
      memcpy(number + natom + (ptrdiff_t)at * dim, kind->reference + (ptrdiff_t)i * dim,
             (size_t)dim * sizeof *number);
    }
  }
  const Kind whole = {.name = of->name != NULL ? of->name : group[0].kind->name,
                      .nsite = natom,
                      .dim = dim,
                      .mass = number,
                      .site = site,
                      .reference = of->reference != NULL ? of->reference : number + natom,
                      .frozen = frozen};
  const Status status = kind_copy(made, &whole, error);
  free(number);
  free(site);
  return status;
}

static Status add_sort(Topology *t, const TopologyMolecules *of, int nblock, const Kind *const *kind,
                       TopologyGroup *group, int *number, TopologyAtom *atom, Error *error)
{
  TopologySort *s = &t->sort[t->nsort];
  const int natom = of->nmol > 0 && of->ngroup > 0 ? lay_groups(of, nblock, kind, group, number) : -1;
  if (natom < 1)
    return error_set(error, STATUS_INPUT,
                     "sort %d of a topology: %d molecules of %d groups; each group needs a block of its "
                     "kind, in the order of blocks",
                     t->nsort + 1, of->nmol, of->ngroup);
  if (!number_atoms(of, natom, group, number, atom))
    return error_set(error, STATUS_INPUT,
                     "sort %d of a topology: the sites of its groups are not its %d atoms, each once",
                     t->nsort + 1, natom);
  *s = (TopologySort){.kind = group[0].kind,
                      .nmol = of->nmol,
                      .first = t->nmol,
                      .nsite = natom + of->nvirtual,
                      .nvirtual = of->nvirtual,
                      .virtual = of->virtual,
                      .ngroup = of->ngroup,
                      .group = group,
                      .atom = atom};
  bool own = of->ngroup == 1 && /* the kind has the molecule's name, and its order of atoms */
             (of->name == NULL || strcmp(of->name, group[0].kind->name) == 0);
  for (int i = 0; i < natom; i++)
    own = own && number[i] == i;
  if (!own) {
    TRY(join_kinds(of, group, natom, &t->made[t->nsort], error));
    s->kind = t->made[t->nsort];
  }
  s->charge = arena_take(&t->arena, (size_t)s->nsite, sizeof *s->charge);
  s->shared = arena_take(&t->arena, (size_t)natom, sizeof *s->shared);
  s->type = arena_take(&t->arena, (size_t)s->nsite, sizeof *s->type);
  s->virtual_name = arena_take(&t->arena, (size_t)s->nvirtual, sizeof *s->virtual_name);
  t->nsort++;
  TRY(arena_check(&t->arena, "a topology", error));
  for (int g = 0; g < of->ngroup; g++)
    s->anchored = s->anchored || group[g].kind->frozen;
  for (int i = 0; i < s->nsite; i++)
    s->charge[i] = (double)NAN;
  for (int i = 0; i < natom; i++)
    s->shared[i] = (double)NAN;
  for (int v = 0; v < s->nvirtual; v++)
    s->virtual_name[v] = point_name;
  t->nmol += of->nmol;
  t->natom += of->nmol * natom;
  t->dim = group[0].kind->dim;
  return STATUS_OK;
}

/* Sorts types by rank, keeping the order of equal ranks. */
static void order_sorts(int nsort, const TopologyMolecules *sort, int *order)
{
  for (int k = 0; k < nsort; k++) {
    int at = k;
    for (; at > 0 && sort[order[at - 1]].rank > sort[k].rank; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
}

/* Moves the groups of a type behind the occupied lanes, and occupies theirs. */
static void take_lanes(const TopologySort *sort, TopologyGroup *group, int *taken)
{
  for (int g = 0; g < topology_groups(sort); g++)
    group[g].first += taken[group[g].block];
  for (int g = 0; g < topology_groups(sort); g++)
    taken[group[g].block] += sort->nmol;
}

/* Sets the molecule, group and first coordinate of each lane. */
static void own_lanes(Topology *t)
{
  size_t before = 0;
  for (int k = 0; k < t->nsort; k++)
    for (int m = 0; m < t->sort[k].nmol; m++) {
      for (int g = 0; g < topology_groups(&t->sort[k]); g++) {
        const TopologyGroup *group = &t->sort[k].group[g];
        const size_t lane = t->first[group->block] + (size_t)(group->first + m * group->step);
        t->molecule[lane] = t->sort[k].first + m;
        t->place[lane] = before;
        t->group[lane] = group;
      }
      before += (size_t)(t->sort[k].kind->nsite * t->dim);
    }
}

/* Numbers the groups of a type from `first` on. place[ngroup] is scratch memory for the rank of each group in
 * its molecule, by first atoms. */
static void number_sort(const Topology *t, const TopologySort *sort, uint32_t first, uint32_t *place)
{
  uint32_t n = 0;
  for (int g = 0; g < sort->ngroup; g++)
    place[g] = UINT32_MAX;
  for (int i = 0; i < sort->kind->nsite; i++)
    if (place[sort->atom[i].group] == UINT32_MAX)
      place[sort->atom[i].group] = n++;
  for (int m = 0; m < sort->nmol; m++)
    for (int g = 0; g < sort->ngroup; g++)
      t->number[t->first[sort->group[g].block] + (size_t)(sort->group[g].first + m * sort->group[g].step)] =
          first + (uint32_t)m * n + place[g];
}

/* Numbers the groups for noise; NULL if the numbers are those of lanes. */
static Status number_groups(Topology *t, size_t nlane, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  size_t most = 0, same = 0;
  for (int k = 0; k < t->nsort; k++)
    most = (size_t)t->sort[k].ngroup > most ? (size_t)t->sort[k].ngroup : most;
  uint32_t *place = arena_take(&arena, most, sizeof *place), first = 0;
  TRY(arena_check(&arena, "a topology", error));
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *sort = &t->sort[t->order[k]];
    number_sort(t, sort, first, place);
    first += (uint32_t)(sort->nmol * sort->ngroup);
  }
  while (same < nlane && t->number[same] == same)
    same++;
  if (same == nlane)
    t->number = NULL;
  return STATUS_OK;
}

static Status fill(Topology *t, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                   const TopologyMolecules *sort, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  int *taken = arena_take(&arena, (size_t)nblock + 1, sizeof *taken), *number = t->numbers;
  TopologyGroup *group = t->groups;
  TopologyAtom *atom = t->atoms;
  TRY(arena_check(&arena, "a topology", error));
  t->nblock = nblock;
  memcpy(t->block, kind, (size_t)nblock * sizeof(const Kind *));
  memcpy(t->lanes, lanes, (size_t)nblock * sizeof *lanes);
  t->block[nblock] = &point;
  for (int k = 0; k < nsort; k++) {
    TRY(add_sort(t, &sort[k], nblock, kind, group, number, atom, error));
    group += sort[k].ngroup + sort[k].nvirtual;
    number += t->sort[k].nsite;
    atom += t->sort[k].nsite;
  }
  order_sorts(nsort, sort, t->order);
  for (int k = 0; k < nsort; k++)
    take_lanes(&t->sort[t->order[k]], t->groups + (t->sort[t->order[k]].group - t->groups), taken);
  size_t nlane = 0;
  for (int b = 0; b < nblock; nlane += (size_t)lanes[b++]) {
    t->first[b] = nlane;
    if (taken[b] != lanes[b])
      return error_set(error, STATUS_INPUT,
                       "the molecules of a topology have %d groups of %s, but there are %d lanes", taken[b],
                       kind[b]->name, lanes[b]);
  }
  t->first[nblock] = nlane;
  t->lanes[nblock] = taken[nblock];
  own_lanes(t);
  return number_groups(t, nlane, error);
}

/* Counts groups, sites (an upper limit) and lanes of virtual sites. */
static void count_groups(int nblock, const Kind *const *kind, int nsort, const TopologyMolecules *sort,
                         size_t *ngroup, size_t *nsite, size_t *nlane)
{
  *ngroup = *nsite = *nlane = 0;
  for (int k = 0; k < nsort; k++) {
    for (int g = 0; g < sort[k].ngroup; g++, ++*ngroup)
      if (sort[k].block[g] >= 0 && sort[k].block[g] < nblock)
        *nsite += (size_t)kind[sort[k].block[g]]->nsite;
    *ngroup += (size_t)sort[k].nvirtual;
    *nsite += (size_t)sort[k].nvirtual;
    *nlane += sort[k].inlined || sort[k].nmol < 0 ? 0 : (size_t)sort[k].nvirtual * (size_t)sort[k].nmol;
  }
}

Status topology_create(Topology **topology, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                       const TopologyMolecules *sort, Error *error)
{
  *topology = NULL;
  if (nblock < 1 || nsort < 1)
    return error_set(error, STATUS_INPUT, "a topology needs at least one kind and one sort, not %d and %d",
                     nblock, nsort);
  size_t ngroup, nsite, nlane;
  count_groups(nblock, kind, nsort, sort, &ngroup, &nsite, &nlane);
  for (int b = 0; b < nblock; b++)
    nlane += (size_t)lanes[b];
  Topology *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "a topology", error);
  t->block = arena_take(&t->arena, (size_t)nblock + 1, sizeof *t->block);
  t->lanes = arena_take(&t->arena, (size_t)nblock + 1, sizeof *t->lanes);
  t->first = arena_take(&t->arena, (size_t)nblock + 1, sizeof *t->first);
  t->sort = arena_take(&t->arena, (size_t)nsort, sizeof *t->sort);
  t->order = arena_take(&t->arena, (size_t)nsort, sizeof *t->order);
  t->made = arena_take(&t->arena, (size_t)nsort, sizeof *t->made);
  t->groups = arena_take(&t->arena, ngroup + 1, sizeof *t->groups);
  t->atoms = arena_take(&t->arena, nsite + 1, sizeof *t->atoms);
  t->numbers = arena_take(&t->arena, nsite + 1, sizeof *t->numbers);
  t->molecule = arena_take(&t->arena, nlane + 1, sizeof *t->molecule);
  t->number = arena_take(&t->arena, nlane + 1, sizeof *t->number);
  t->place = arena_take(&t->arena, nlane + 1, sizeof *t->place);
  t->group = arena_take(&t->arena, nlane + 1, sizeof *t->group);
  TRY_ELSE(arena_check(&t->arena, "a topology", error), topology_free(t));
  TRY_ELSE(fill(t, nblock, kind, lanes, nsort, sort, error), topology_free(t));
  *topology = t;
  return STATUS_OK;
}

Status topology_of_kinds(Topology **topology, int nkind, const Kind *const *kind, const int *nmol,
                         Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  int *block = arena_take(&arena, (size_t)nkind, sizeof *block);
  TopologyMolecules *sort = arena_take(&arena, (size_t)nkind, sizeof *sort);
  *topology = NULL;
  TRY(arena_check(&arena, "a topology", error));
  for (int k = 0; k < nkind; k++) {
    block[k] = k;
    sort[k] = (TopologyMolecules){.nmol = nmol[k], .ngroup = 1, .block = &block[k]};
  }
  return topology_create(topology, nkind, kind, nmol, nkind, sort, error);
}

Status topology_of_state(Topology **topology, const State *state, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const Kind **kind = arena_take(&arena, (size_t)state->nblock, sizeof *kind);
  int *nmol = arena_take(&arena, (size_t)state->nblock, sizeof *nmol);
  *topology = NULL;
  TRY(arena_check(&arena, "a topology", error));
  for (int b = 0; b < state->nblock; b++) {
    kind[b] = state->block[b].kind;
    nmol[b] = state->block[b].nlane;
  }
  return topology_of_kinds(topology, state->nblock, kind, nmol, error);
}

void topology_free(Topology *t)
{
  if (t == NULL)
    return;
  for (int k = 0; k < t->nsort; k++)
    kind_free(t->made[k]);
  arena_free(&t->arena);
  free(t);
}

Status topology_state(const Topology *t, int width, uint64_t seed, uint32_t replica, State **state,
                      Error *error)
{
  TRY(state_create(state, width, t->nblock, t->block, t->lanes, seed, replica, error));
  (*state)->molecule = t->molecule;
  (*state)->number = t->number;
  return STATUS_OK;
}

/* --- fields --------------------------------------------------------------------------------------------- */

size_t topology_coordinates(const Topology *t) { return (size_t)t->natom * (size_t)t->dim; }

static Vec8 *field_of(const Block *block, StateField field)
{
  return field == STATE_POSITIONS ? block->q : field == STATE_FORCES ? block->f : block->p;
}

/* The index of molecule m's first coordinate in the arrays of its type. */
static size_t place_of(const TopologySort *sort, int m)
{
  return (size_t)m * (size_t)(sort->kind->nsite * sort->kind->dim);
}

/* A lane's first coordinate in a field; the others follow at intervals of 8. */
static double *lane_of(const State *state, const TopologyGroup *group, StateField field, int m, int r)
{
  const Block *block = &state->block[group->block];
  return state_element(block, field_of(block, field), state->width, group->first + m * group->step, r, 0, 0);
}

void topology_gather(const TopologySort *sort, const State *state, StateField field, int r, int begin,
                     int end, double *x)
{
  for (int g = 0; g < sort->ngroup; g++) {
    const TopologyGroup *group = &sort->group[g];
    const int dim = group->kind->dim;
    for (int m = begin; m < end; m++) {
      const double *from = lane_of(state, group, field, m, r);
      for (int s = 0; s < group->kind->nsite; s++) {
        double *to = x + place_of(sort, m) + (ptrdiff_t)group->atom[s] * dim;
        for (int d = 0; d < dim; d++)
          to[d] = from[(s * dim + d) * LANES];
        for (int d = 0; d < dim && field == STATE_VELOCITIES; d++)
          to[d] /= group->kind->mass[s];
      }
    }
  }
}

const Vec8 *topology_vec8s(const TopologySort *sort, const State *state, StateField field, int m, int s,
                           int k)
{
  const TopologyAtom *atom = &sort->atom[s];
  const TopologyGroup *group = &sort->group[atom->group];
  const Block *block = &state->block[group->block];
  const size_t pack = (size_t)(group->first + m * group->step) * (size_t)(state->width / LANES) + (size_t)k,
               site = pack * (size_t)group->kind->nsite + (size_t)atom->site;
  return field_of(block, field) + site * (size_t)group->kind->dim;
}

void topology_get(const Topology *t, const State *state, StateField field, int r, double *x)
{
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *sort = &t->sort[k];
    topology_gather(sort, state, field, r, 0, sort->nmol, x);
    x += (size_t)sort->nmol * (size_t)(sort->kind->nsite * sort->kind->dim);
  }
}

static void scatter(const TopologySort *sort, const State *state, StateField field, int r, const double *x)
{
  for (int g = 0; g < sort->ngroup; g++) {
    const TopologyGroup *group = &sort->group[g];
    const int dim = group->kind->dim;
    for (int m = 0; m < sort->nmol; m++) {
      double *to = lane_of(state, group, field, m, r);
      for (int s = 0; s < group->kind->nsite; s++) {
        const double *from = x + place_of(sort, m) + (ptrdiff_t)group->atom[s] * dim;
        for (int d = 0; d < dim; d++)
          to[(s * dim + d) * LANES] = from[d] * (field == STATE_VELOCITIES ? group->kind->mass[s] : 1.0);
      }
    }
  }
}

void topology_set(const Topology *t, const State *state, StateField field, int r, const double *x)
{
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *sort = &t->sort[k];
    scatter(sort, state, field, r, x);
    x += (size_t)sort->nmol * (size_t)(sort->kind->nsite * sort->kind->dim);
  }
}

void topology_wrap(const Topology *t, const Box *box, double *x)
{
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *sort = &t->sort[k];
    box_wrap(box, sort->nmol, sort->kind->nsite, x);
    x += 3 * (size_t)sort->nmol * (size_t)sort->kind->nsite;
  }
}

/* --- the virial ----------------------------------------------------------------------------------------- */

/* Sums over the atoms of all groups that are not frozen of (r - R)_a f_b, R the group's centre of mass. */
static void within_groups(const State *state, double sum[9])
{
  Vec8 in[9] = {{0}};
  for (int b = 0; b < state->nblock; b++) {
    const Kind *kind = state->block[b].kind;
    const double whole = kind_mass(kind);
    for (int i = 0; i < state->block[b].npack && !kind->frozen; i++) {
      const Pack pack = state_pack(state, &state->block[b], i);
      Vec8 centre[3] = {{0}};
      for (int s = 0; s < kind->nsite; s++)
        for (int d = 0; d < 3; d++)
          centre[d] += kind->mass[s] / whole * pack.q[3 * s + d];
      for (int s = 0; s < kind->nsite; s++)
        for (int k = 0; k < 9; k++)
          in[k] += (pack.q[3 * s + k / 3] - centre[k / 3]) * pack.f[3 * s + k % 3] * *pack.active;
    }
  }
  for (int k = 0; k < 9; k++)
    sum[k] = vec8_sum(in[k]);
}

/* The centre of mass of a group, and the force on it. */
static void group_at(const State *state, const TopologyGroup *group, int m, double centre[3], double force[3])
{
  const Block *block = &state->block[group->block];
  const Kind *kind = group->kind;
  const double whole = kind_mass(kind);
  for (int d = 0; d < 3; d++) {
    centre[d] = force[d] = 0.0;
    for (int s = 0; s < kind->nsite; s++) {
      const size_t at = state_index(block, 1, group->first + m * group->step, 0, s, d);
      centre[d] += kind->mass[s] / whole * ((const double *)block->q)[at];
      force[d] += ((const double *)block->f)[at];
    }
  }
}

/* The centre of mass of molecule m. */
static void centre_of(const TopologySort *sort, const State *state, int m, double centre[3])
{
  const double whole = kind_mass(sort->kind);
  double at[3], force[3];
  centre[0] = centre[1] = centre[2] = 0.0;
  for (int g = 0; g < sort->ngroup; g++) {
    group_at(state, &sort->group[g], m, at, force);
    for (int d = 0; d < 3; d++)
      centre[d] += kind_mass(sort->group[g].kind) / whole * at[d];
  }
}

/* Sums over the groups of all molecules of a type of (R - R')_a F_b, R' the molecule's centre of mass, F the
 * force on the group. */
static void between_groups(const TopologySort *sort, const State *state, double sum[9])
{
  for (int m = 0; m < sort->nmol; m++) {
    double centre[3], at[3], force[3];
    centre_of(sort, state, m, centre);
    for (int g = 0; g < sort->ngroup; g++) {
      group_at(state, &sort->group[g], m, at, force);
      for (int k = 0; k < 9; k++)
        sum[k] += (at[k / 3] - centre[k / 3]) * force[k % 3];
    }
  }
}

void topology_virial(const Topology *t, const State *state, const double atom[3][3], double molecule[3][3])
{
  double sum[9];
  within_groups(state, sum);
  for (int k = 0; k < t->nsort; k++)
    if (t->sort[t->order[k]].ngroup > 1 && !t->sort[t->order[k]].anchored) /* otherwise the sum is 0 */
      between_groups(&t->sort[t->order[k]], state, sum);
  for (int k = 0; k < 9; k++)
    molecule[k / 3][k % 3] = atom[k / 3][k % 3] - sum[k];
}

/* --- strain --------------------------------------------------------------------------------------------- */

/* Shifts a group of molecule m. */
static void group_shift(const State *state, const TopologyGroup *group, int m, const double shift[3])
{
  const Block *block = &state->block[group->block];
  for (int s = 0; s < group->kind->nsite; s++)
    for (int d = 0; d < 3; d++)
      *state_element(block, block->q, 1, group->first + m * group->step, 0, s, d) += shift[d];
}

void topology_map(const Topology *t, const State *state, const double map[3][3])
{
  for (int k = 0; k < t->nsort; k++)
    for (int m = 0; m < t->sort[k].nmol; m++) {
      double centre[3], shift[3] = {0.0};
      centre_of(&t->sort[k], state, m, centre);
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++)
          shift[d] += centre[e] * (map[e][d] - (d == e));
      for (int g = 0; g < t->sort[k].ngroup; g++)
        group_shift(state, &t->sort[k].group[g], m, shift);
    }
}

bool topology_is_water(const TopologySort *sort)
{
  const Kind *k = sort->group[0].kind;
  const int *atom = sort->group[0].atom;
  return sort->ngroup == 1 && kind_is_triangle(k) && k->mass[0] > k->mass[1] && k->mass[1] == k->mass[2] &&
         atom[0] == 0 && atom[1] == 1;
}

void topology_centre(const Topology *t, const double *x, double at[3])
{
  double sum[3] = {0.0}, mass = 0.0;
  for (int k = 0; k < t->nsort; k++) {
    const Kind *kind = t->sort[k].kind;
    for (int i = 0; i < kind->nsite * t->sort[k].nmol; i++, x += 3) {
      mass += kind->mass[i % kind->nsite];
      for (int d = 0; d < 3; d++)
        sum[d] += kind->mass[i % kind->nsite] * x[d];
    }
  }
  for (int d = 0; d < 3; d++)
    at[d] = sum[d] / mass;
}

void topology_to_origin(const Topology *t, double *x)
{
  double at[3];
  topology_centre(t, x, at);
  for (int i = 0; i < 3 * t->natom; i++)
    x[i] -= at[i % 3];
}
