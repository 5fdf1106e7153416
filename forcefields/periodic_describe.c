/* Describes the periodic force as data. */
#include <string.h>

#include "engine/units.h"
#include "forcefields/periodic_private.h"

/* Sites of all particles, by particle; the last type has no Lennard-Jones. */
typedef struct Lists {
  int *first; /* [nmol + 1] sites of each particle */
  SiteDescription *site;
  int ntype, nexcluded;
  double (*lj)[2];
  int (*excluded)[2];
} Lists;

static Status count(const Particles *m, Arena *arena, Lists *to, Error *error)
{
  size_t inside = 0;
  to->ntype = (m->atoms != NULL ? m->atoms->ntype : 1) + 1;
  to->first = arena_take(arena, (size_t)m->nmol + 1, sizeof *to->first);
  TRY(arena_check(arena, "a description", error));
  for (int i = 0; i < m->nmol; i++) {
    const int n = m->kind[particles_block(m, i)].map.nsite;
    to->first[i + 1] = to->first[i] + n;
    inside += (size_t)(n * (n - 1) / 2);
  }
  inside += m->atoms != NULL ? (size_t)m->atoms->nexcluded : 0;
  to->site = arena_take(arena, (size_t)to->first[m->nmol], sizeof *to->site);
  to->lj = arena_take(arena, (size_t)to->ntype * (size_t)to->ntype, sizeof *to->lj);
  to->excluded = arena_take(arena, inside + 1, sizeof *to->excluded);
  return arena_check(arena, "a description", error);
}

static void fill_types(const Particles *m, const Lists *to)
{
  const int n = to->ntype;
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1; j++)
      memcpy(to->lj[i * n + j], m->atoms != NULL ? m->atoms->lj[i * (n - 1) + j] : m->kind[0].map.lj,
             sizeof *to->lj);
}

static void exclude(Lists *to, int i, int j)
{
  to->excluded[to->nexcluded][0] = i;
  to->excluded[to->nexcluded++][1] = j;
}

static void fill_water(const Particles *m, int b, int i, bool whole, Lists *to)
{
  const SiteMap *map = &m->kind[b].map;
  const int first = to->first[i];
  for (int s = 0; s < map->nsite; s++) {
    SiteDescription *site = &to->site[first + s];
    *site = site_map_describe(map, b, i - m->first[b], s);
    site->type = s > 0 ? to->ntype - 1 : m->atoms != NULL ? m->atoms->water_type : 0;
    site->whole = whole ? 1 + first : 0;
    for (int k = 0; k < s; k++)
      exclude(to, first + k, first + s);
  }
}

static void fill_atom(const Particles *m, int b, int i, int each, Lists *to)
{
  const Atoms *a = m->atoms;
  const int k = i - m->first[b];
  to->site[to->first[i]] = (SiteDescription){
      .natom = 1, .atom = {{b, k / each, k % each}}, .charge = a->charge[i], .type = a->type[i], .whole = -1};
  for (int e = a->begin[i]; e < a->begin[i + 1]; e++)
    if (a->partner[e] > i)
      exclude(to, to->first[i], to->first[a->partner[e]]);
}

static Status describe_cutoff(const Nonbonded *n, Arena *arena, const CutoffDescription **to, Error *error)
{
  CutoffDescription *cutoff = arena_take(arena, 1, sizeof *cutoff);
  TRY(arena_check(arena, "a description", error));
  *cutoff = (CutoffDescription){.cutoff = n->cutoff,
                                .truncation = nonbonded_truncations[n->truncation],
                                .from = n->cutoff - n->switch_width,
                                .coulomb = nonbonded_coulombs[n->coulomb],
                                .permittivity = n->permittivity,
                                .splitting = n->beta,
                                .accuracy = n->accuracy,
                                .order = n->order,
                                .grid = {n->grid[0], n->grid[1], n->grid[2]}};
  *to = cutoff;
  return STATUS_OK;
}

Status periodic_describe(const void *self, const State *shape, Arena *arena, ForceDescription *to,
                         Error *error)
{
  if (((const Periodic *)self)->alchemy != NULL)
    return error_set(error, STATUS_INPUT, "a description has no soft core (alchemy)");
  const Periodic *p = self;
  const Particles *m = &p->particles;
  const Nonbonded *n = &p->options.nonbonded;
  Lists lists = {0};
  if (p->virtual != NULL)
    return error_set(error, STATUS_INPUT,
                     "virtual sites of a file of molecules in a box have no description");
  TRY(count(m, arena, &lists, error));
  fill_types(m, &lists);
  for (int i = 0; i < m->nmol; i++) {
    const int b = particles_block(m, i);
    if (atoms_are(m->atoms, b))
      fill_atom(m, b, i, shape->block[b].kind->nsite, &lists);
    else
      fill_water(m, b, i, !n->by_atom, &lists);
  }
  to->form = FORM_PAIRS;
  to->pairs = (PairsDescription){.nsite = lists.first[m->nmol],
                                 .site = lists.site,
                                 .coulomb = UNITS_COULOMB,
                                 .ntype = lists.ntype,
                                 .lj = (const double(*)[2])lists.lj,
                                 .nexcluded = lists.nexcluded,
                                 .excluded = (const int(*)[2])lists.excluded};
  return describe_cutoff(n, arena, &to->pairs.cutoff, error);
}
