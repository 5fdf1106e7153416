#include "topology/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- creation ------------------------------------------------------------------------------------------- */

/* Groups of a sort, the next lanes of their blocks; returns the sort's atoms, or -1: no such blocks. */
static int lay_groups(const TopologyMolecules *of, int nblock, const Kind *const *kind, int *taken,
                      TopologyGroup *group)
{
  int each[KINDS_MAX] = {0}, natom = 0;
  for (int g = 0; g < of->ngroup; g++) {
    const int b = of->block[g];
    if (b < 0 || b >= nblock || (g > 0 && b < of->block[g - 1]))
      return -1;
    group[g] = (TopologyGroup){kind[b], b, taken[b] + each[b]++, 0, natom};
    natom += kind[b]->nsite;
  }
  for (int g = 0; g < of->ngroup; g++)
    group[g].step = each[group[g].block];
  for (int b = 0; b < nblock; b++)
    taken[b] += each[b] * of->nmol;
  return natom;
}

/* A kind of the atoms of several groups. */
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
  for (int g = 0; g < of->ngroup; g++) {
    const Kind *kind = group[g].kind;
    const size_t nsite = (size_t)kind->nsite, at = (size_t)group[g].atom;
    memcpy(number + at, kind->mass, nsite * sizeof *number);
    memcpy(number + (size_t)natom + at * (size_t)dim, kind->reference, nsite * (size_t)dim * sizeof *number);
    memcpy(site + at, kind->site, nsite * sizeof *site);
  }
  const Kind whole = {.name = of->name != NULL ? of->name : group[0].kind->name,
                      .nsite = natom,
                      .dim = dim,
                      .mass = number,
                      .site = site,
                      .reference = of->reference != NULL ? of->reference : number + natom};
  const Status status = kind_copy(made, &whole, error);
  free(number);
  free(site);
  return status;
}

static Status add_sort(Topology *t, const TopologyMolecules *of, int nblock, const Kind *const *kind,
                       int *taken, TopologyGroup *group, Error *error)
{
  TopologySort *s = &t->sort[t->nsort];
  const int natom = of->nmol > 0 && of->ngroup > 0 ? lay_groups(of, nblock, kind, taken, group) : -1;
  if (natom < 1)
    return error_set(
        error, STATUS_INPUT,
        "sort %d of a topology: %d molecules of %d groups; each group wants a block of its kind, "
        "in the order of blocks",
        t->nsort + 1, of->nmol, of->ngroup);
  *s = (TopologySort){group[0].kind, NULL, of->nmol, t->nmol, of->ngroup, group};
  if (of->ngroup > 1)
    TRY(join_kinds(of, group, natom, &t->made[t->nsort], error));
  if (of->ngroup > 1)
    s->kind = t->made[t->nsort];
  s->charge = malloc((size_t)natom * sizeof *s->charge);
  t->nsort++;
  TRY_MEMORY(s->charge != NULL, "a topology", error);
  for (int i = 0; i < natom; i++)
    s->charge[i] = (double)NAN;
  t->nmol += of->nmol;
  t->natom += of->nmol * natom;
  t->dim = group[0].kind->dim;
  return STATUS_OK;
}

/* Whose each lane is, and where its coordinates go. */
static Status number_lanes(Topology *t, Error *error)
{
  size_t first[KINDS_MAX], lanes = 0, before = 0;
  for (int b = 0; b < t->nblock; lanes += (size_t)t->lanes[b++])
    first[b] = lanes;
  t->molecule = malloc(lanes * sizeof *t->molecule);
  t->place = malloc(lanes * sizeof *t->place);
  TRY_MEMORY(t->molecule != NULL && t->place != NULL, "a topology", error);
  for (int k = 0; k < t->nsort; k++)
    for (int m = 0; m < t->sort[k].nmol; m++) {
      for (int g = 0; g < t->sort[k].ngroup; g++) {
        const TopologyGroup *group = &t->sort[k].group[g];
        const size_t lane = first[group->block] + (size_t)(group->first + m * group->step);
        t->molecule[lane] = t->sort[k].first + m;
        t->place[lane] = before + (size_t)(group->atom * t->dim);
      }
      before += (size_t)(t->sort[k].kind->nsite * t->dim);
    }
  return STATUS_OK;
}

static Status fill(Topology *t, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                   const TopologyMolecules *sort, Error *error)
{
  int taken[KINDS_MAX] = {0};
  TopologyGroup *group = t->memory;
  t->nblock = nblock;
  memcpy(t->block, kind, (size_t)nblock * sizeof(const Kind *));
  memcpy(t->lanes, lanes, (size_t)nblock * sizeof *lanes);
  for (int k = 0; k < nsort; k++) {
    TRY(add_sort(t, &sort[k], nblock, kind, taken, group, error));
    group += sort[k].ngroup;
  }
  for (int b = 0; b < nblock; b++)
    if (taken[b] != lanes[b])
      return error_set(error, STATUS_INPUT,
                       "the molecules of a topology have %d groups of %s, of which there "
                       "are %d",
                       taken[b], kind[b]->name, lanes[b]);
  return number_lanes(t, error);
}

Status topology_create(Topology **topology, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                       const TopologyMolecules *sort, Error *error)
{
  *topology = NULL;
  if (nblock < 1 || nblock > KINDS_MAX || nsort < 1 || nsort > KINDS_MAX)
    return error_set(error, STATUS_INPUT, "a topology holds 1 to %d kinds and sorts, not %d and %d",
                     KINDS_MAX, nblock, nsort);
  size_t ngroup = 0;
  for (int k = 0; k < nsort; k++)
    ngroup += sort[k].ngroup > 0 ? (size_t)sort[k].ngroup : 0;
  Topology *t = calloc(1, sizeof *t);
  if (t != NULL)
    t->memory = calloc(ngroup + 1, sizeof(TopologyGroup));
  if (t == NULL || t->memory == NULL) {
    free(t);
    return error_memory(error, "a topology");
  }
  TRY_ELSE(fill(t, nblock, kind, lanes, nsort, sort, error), topology_free(t));
  *topology = t;
  return STATUS_OK;
}

Status topology_of_kinds(Topology **topology, int nkind, const Kind *const *kind, const int *nmol,
                         Error *error)
{
  int block[KINDS_MAX];
  TopologyMolecules sort[KINDS_MAX];
  for (int k = 0; k < nkind && k < KINDS_MAX; k++) {
    block[k] = k;
    sort[k] = (TopologyMolecules){NULL, nmol[k], 1, &block[k], NULL};
  }
  return topology_create(topology, nkind, kind, nmol, nkind, sort, error);
}

Status topology_of_state(Topology **topology, const State *state, Error *error)
{
  const Kind *kind[KINDS_MAX];
  int nmol[KINDS_MAX];
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
  for (int k = 0; k < KINDS_MAX; k++) {
    kind_free(t->made[k]);
    free(t->sort[k].charge);
  }
  free(t->molecule);
  free(t->place);
  free(t->memory);
  free(t);
}

Status topology_state(const Topology *t, int width, uint64_t seed, uint32_t replica, State **state,
                      Error *error)
{
  TRY(state_create(state, width, t->nblock, t->block, t->lanes, seed, replica, error));
  (*state)->molecule = t->molecule;
  return STATUS_OK;
}

/* --- fields --------------------------------------------------------------------------------------------- */

size_t topology_coordinates(const Topology *t) { return (size_t)t->natom * (size_t)t->dim; }

static Octet *field_of(const Block *block, StateField field)
{
  return field == STATE_POSITIONS ? block->q : field == STATE_FORCES ? block->f : block->p;
}

/* Where the atoms of a group of molecule m stand in the arrays of its sort. */
static size_t place_of(const TopologySort *sort, const TopologyGroup *group, int m)
{
  return ((size_t)m * (size_t)sort->kind->nsite + (size_t)group->atom) * (size_t)sort->kind->dim;
}

/* That of its first coordinate in a field; the others follow 8 further on each. */
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
    const int dim = group->kind->dim, n = group->kind->nsite * dim;
    for (int m = begin; m < end; m++) {
      double *to = x + place_of(sort, group, m);
      const double *from = lane_of(state, group, field, m, r);
      for (int i = 0; i < n; i++)
        to[i] = from[i * LANES];
      for (int i = 0; i < n && field == STATE_VELOCITIES; i++)
        to[i] /= group->kind->mass[i / dim];
    }
  }
}

const Octet *topology_octets(const TopologySort *sort, const State *state, StateField field, int m, int s,
                             int k)
{
  const TopologyGroup *group = sort->group;
  for (int g = 1; g < sort->ngroup && sort->group[g].atom <= s; g++)
    group = &sort->group[g];
  const Block *block = &state->block[group->block];
  const size_t pack = (size_t)(group->first + m * group->step) * (size_t)(state->width / LANES) + (size_t)k,
               site = pack * (size_t)group->kind->nsite + (size_t)(s - group->atom);
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
    const int dim = group->kind->dim, n = group->kind->nsite * dim;
    for (int m = 0; m < sort->nmol; m++) {
      const double *from = x + place_of(sort, group, m);
      double *to = lane_of(state, group, field, m, r);
      for (int i = 0; i < n; i++)
        to[i * LANES] = from[i] * (field == STATE_VELOCITIES ? group->kind->mass[i / dim] : 1.0);
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

/* Sums over the atoms of all groups of (r - R)_a f_b, R the group's centre. */
static void within_groups(const State *state, double sum[9])
{
  Octet in[9] = {{0}};
  for (int b = 0; b < state->nblock; b++) {
    const Kind *kind = state->block[b].kind;
    const double whole = kind_mass(kind);
    for (int i = 0; i < state->block[b].npack; i++) {
      const Pack pack = state_pack(state, &state->block[b], i);
      Octet centre[3] = {{0}};
      for (int s = 0; s < kind->nsite; s++)
        for (int d = 0; d < 3; d++)
          centre[d] += kind->mass[s] / whole * pack.q[3 * s + d];
      for (int s = 0; s < kind->nsite; s++)
        for (int k = 0; k < 9; k++)
          in[k] += (pack.q[3 * s + k / 3] - centre[k / 3]) * pack.f[3 * s + k % 3] * *pack.active;
    }
  }
  for (int k = 0; k < 9; k++)
    sum[k] = octet_sum(in[k]);
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

/* Sums over the groups of a sort's molecules of (R - R')_a F_b, R' the molecule's centre, F the force on the
 * group. */
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
    if (t->sort[k].ngroup > 1) /* else 0 */
      between_groups(&t->sort[k], state, sum);
  for (int k = 0; k < 9; k++)
    molecule[k / 3][k % 3] = atom[k / 3][k % 3] - sum[k];
}

/* --- strain --------------------------------------------------------------------------------------------- */

/* Adds to the positions of a group of molecule m. */
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
