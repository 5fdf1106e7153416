/* Virtual sites as lanes of their own, behind the groups of atoms. */
#include <string.h>

#include "base/text.h"
#include "topology/groups_private.h"

/* Atoms as the file has them, virtual sites where they are. */
static Status place_reference(const GroupsMolecule *of, double (*x)[3], Error *error)
{
  const Molecule *const m = of->molecule;
  for (int i = 0; i < of->natom; i++)
    memcpy(x[of->atom[i]], of->reference[i], sizeof *x);
  for (int s = 0; s < m->nvirtual; s++) {
    const VirtualSite *const site = &m->site[s];
    char words[64] = "";
    for (int k = 0, n = virtual_site_types[site->kind].nparent; k < n; k++)
      text_append(words, sizeof words, "%s%d", k == 0 ? "" : k + 1 < n ? ", " : " and ", site->parent[k] + 1);
    if (!virtual_site_at(site, (const double(*)[3])x, x[site->site]))
      return error_set(
          error, STATUS_INPUT,
          "molecule %s: atom %d, %s, is a virtual site of kind %s, whose place is not known: the "
          "atoms that place it, %s, lie in a line or on each other",
          m->name, site->site + 1, m->atom[site->site].name, virtual_site_types[site->kind].name, words);
  }
  return STATUS_OK;
}

/* Groups of the atoms, then of each site its own, of block `block`. */
static Status describe_sort(const GroupsMolecule *of, int nmol, int block, Arena *arena,
                            TopologyMolecules *sort, Error *error)
{
  const Molecule *const m = of->molecule;
  const size_t ngroup = (size_t)of->ngroup + (size_t)m->nvirtual, natom = (size_t)m->natom;
  int *blocks = arena_take(arena, ngroup, sizeof *blocks), *atom = arena_take(arena, natom, sizeof *atom);
  double(*x)[3] = arena_take(arena, natom, sizeof *x);
  TRY(arena_check(arena, "virtual sites", error));
  memcpy(blocks, of->block, (size_t)of->ngroup * sizeof *blocks);
  for (int i = 0; i < of->natom; i++)
    atom[i] = of->atom[of->site[i]];
  for (int s = 0; s < m->nvirtual; s++) {
    blocks[of->ngroup + s] = block;
    atom[of->natom + s] = m->site[s].site;
  }
  *sort = (TopologyMolecules){m->name, nmol, (int)ngroup, blocks, x[0], atom, of->rank};
  return place_reference(of, x, error);
}

Status groups_see_sites(Groups *g, int without, Error *error)
{
  static const double mass = 0.0, origin[3] = {0.0, 0.0, 0.0};
  static const char *const name = "V";
  static const Kind point = {
      .name = "virtual site", .nsite = 1, .dim = 3, .mass = &mass, .site = &name, .reference = origin};
  SCOPED(arena_free) Arena arena = {0};
  const Molecules *const m = g->molecules;
  double sites = 0.0;
  for (int c = 0; c < m->ncount; c++)
    if (m->count[c].molecule != without)
      sites += (double)m->count[c].n * m->molecule[m->count[c].molecule].nvirtual;
  if (sites == 0.0 || g->whole != NULL)
    return STATUS_OK;
  TRY(state_may_hold(sites, error));
  const Kind **kind = arena_take(&arena, (size_t)g->nkind + 1, sizeof *kind);
  int *lanes = arena_take(&arena, (size_t)g->nkind + 1, sizeof *lanes);
  TopologyMolecules *sort = arena_take(&arena, (size_t)m->ncount, sizeof *sort);
  g->sites = arena_take(&g->arena, (size_t)m->ncount, sizeof *g->sites);
  TRY(arena_check(&arena, "virtual sites", error));
  TRY(arena_check(&g->arena, "virtual sites", error));
  memcpy(kind, g->kind, (size_t)g->nkind * sizeof *kind);
  memcpy(lanes, g->lanes, (size_t)g->nkind * sizeof *lanes);
  kind[g->nkind] = &point;
  lanes[g->nkind] = (int)sites;
  for (int c = 0; c < m->ncount; c++) {
    const GroupsMolecule *const of = &g->molecule[m->count[c].molecule];
    if (m->count[c].molecule == without) {
      sort[c] = (TopologyMolecules){of->molecule->name, m->count[c].n, of->ngroup, of->block,
                                    of->reference[0],   of->site,      of->rank};
      continue;
    }
    g->sites[c] = (VirtualSites){of->molecule->nvirtual, of->molecule->site};
    TRY(describe_sort(of, m->count[c].n, g->nkind, &arena, &sort[c], error));
  }
  return topology_create(&g->whole, g->nkind + 1, kind, lanes, m->ncount, sort, error);
}
