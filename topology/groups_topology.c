/* Creates the topology of groups, with charges and bonds of molecules. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "topology/groups_private.h"

/* Whether the charges at sites out of the plane of three atoms, such as lone pairs, cancel in their
 * components normal to it. */
static bool normals_cancel(const TopologySort *sort, const VirtualSite *site)
{
  double sum = 0.0;
  for (const VirtualSite *v = sort->virtual; v < sort->virtual + sort->nvirtual; v++)
    if (v->kind == VIRTUAL_SITE_3OUT && memcmp(v->parent, site->parent, 3 * sizeof(int)) == 0)
      sum += sort->charge[v->site] * v->param[2];
  return sum == 0.0;
}

/* Distributes a site's charge to atoms. A virtual site's charge goes to its placing atoms if the site is a
 * fixed mean of them, or if a pair of sites has the same dipole as such sites; otherwise the atoms' shares
 * are unknown. */
static void share_charge(const TopologySort *sort, int site, double whole)
{
  const int natom = sort->kind->nsite;
  if (site < natom) {
    sort->shared[site] += whole;
    return;
  }
  const VirtualSite *v = &sort->virtual[site - natom];
  const bool three = v->kind == VIRTUAL_SITE_3 || (v->kind == VIRTUAL_SITE_3OUT && normals_cancel(sort, v));
  const double a = v->kind == VIRTUAL_SITE_2 || three ? v->param[0] : (double)NAN,
               b = three ? v->param[1] : 0.0;
  share_charge(sort, v->parent[0], whole * (1.0 - a - b));
  share_charge(sort, v->parent[1], whole * a);
  if (virtual_site_types[v->kind].nparent > 2)
    share_charge(sort, v->parent[2], whole * b);
}

/* Distributes charges of virtual sites in the order of the file. */
static void share_charges(const GroupsMolecule *of, const TopologySort *sort)
{
  memcpy(sort->shared, sort->charge, (size_t)of->natom * sizeof *sort->shared);
  for (int i = 0; i < of->molecule->natom; i++)
    if (of->site[i] >= of->natom)
      share_charge(sort, of->site[i], sort->charge[of->site[i]]);
}

/* Lists the bonds between atoms of a molecule; the constraint between the hydrogens of a water is not a
 * bond. */
static void list_bonds(const GroupsMolecule *of, int (*bond)[2], TopologySort *sort)
{
  const Molecule *m = of->molecule;
  sort->bond = (const int(*)[2])bond;
  for (int k = 0; k < m->nbond; k++) {
    const int *const atom = m->bond[k].atom, a = of->site[atom[0]], b = of->site[atom[1]];
    const bool apart =
        m->natom > 2 && groups_hydrogen(&m->atom[atom[0]]) && groups_hydrogen(&m->atom[atom[1]]);
    if (a >= of->natom || b >= of->natom || apart)
      continue;
    bond[sort->nbond][0] = a < b ? a : b;
    bond[sort->nbond++][1] = a < b ? b : a;
  }
}

/* Copies charges, types, exclusions, names and bonds of a molecule to its type. */
static Status describe(const GroupsMolecule *of, TopologySort *sort, Arena *arena, Error *error)
{
  const Molecule *m = of->molecule;
  int(*bond)[2] = arena_take(arena, (size_t)m->nbond, sizeof *bond),
  (*excluded)[2] = arena_take(arena, (size_t)m->nexclusion, sizeof *excluded);
  TRY(arena_check(arena, "a topology", error));
  for (int i = 0; i < sort->nsite; i++) {
    sort->type[i] = m->atom[of->file[i]].type;
    sort->charge[i] = m->atom[of->file[i]].charge;
  }
  for (int v = 0; v < sort->nvirtual; v++)
    sort->virtual_name[v] = m->atom[of->file[of->natom + v]].name;
  for (int k = 0; k < 2 * m->nexclusion; k++)
    excluded[k / 2][k % 2] = of->site[m->exclusion[k / 2].atom[k % 2]];
  sort->file = of->file;
  sort->nexcluded = m->nexclusion;
  sort->excluded = (const int(*)[2])excluded;
  share_charges(of, sort);
  list_bonds(of, bond, sort);
  return STATUS_OK;
}

/* Whether the given coordinates define the positions of the virtual sites. */
static Status check_places(const GroupsMolecule *of, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const Molecule *const m = of->molecule;
  double(*x)[3] = arena_take(&arena, (size_t)m->natom, sizeof *x);
  TRY(arena_check(&arena, "virtual sites", error));
  memcpy(x, of->reference, (size_t)of->natom * sizeof *x);
  for (int v = 0; v < m->nvirtual; v++) {
    const VirtualSite *const site = &m->site[v];
    char words[64] = "";
    for (int k = 0, n = virtual_site_types[site->kind].nparent; k < n; k++)
      text_append(words, sizeof words, "%s%d", k == 0 ? "" : k + 1 < n ? ", " : " and ", site->parent[k] + 1);
    if (!virtual_site_at(&of->virtual[v], (const double(*)[3])x, x[of->natom + v]))
      return error_set(error, STATUS_INPUT,
                       "molecule %s: atom %d, %s, is a virtual site of kind %s without a defined position: "
                       "the atoms that place it, %s, are in a line or coincide",
                       m->name, site->site + 1, m->atom[site->site].name, virtual_site_types[site->kind].name,
                       words);
  }
  return STATUS_OK;
}

Status groups_topology(const Groups *g, int inlined, Topology **topology, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const Molecules *m = g->molecules;
  TopologyMolecules *sort = arena_take(&arena, (size_t)m->ncount, sizeof *sort);
  double lanes = 0.0; /* of virtual sites */
  *topology = NULL;
  TRY(arena_check(&arena, "a topology", error));
  for (int c = 0; c < m->ncount; c++) {
    const GroupsMolecule *of = &g->molecule[m->count[c].molecule];
    sort[c] = (TopologyMolecules){.name = of->molecule->name,
                                  .nmol = m->count[c].n,
                                  .ngroup = of->ngroup,
                                  .block = of->block,
                                  .reference = of->reference[0],
                                  .atom = of->order,
                                  .rank = of->rank,
                                  .nvirtual = of->molecule->nvirtual,
                                  .virtual = of->virtual,
                                  .inlined = m->count[c].molecule == inlined};
    if (sort[c].inlined)
      continue;
    TRY(check_places(of, error));
    lanes += (double)m->count[c].n * of->molecule->nvirtual;
  }
  TRY(state_may_hold(lanes, error));
  TRY(topology_create(topology, g->nkind, (const Kind *const *)g->kind, g->lanes, m->ncount, sort, error));
  for (int c = 0; c < m->ncount; c++)
    TRY_ELSE(describe(&g->molecule[m->count[c].molecule], &(*topology)->sort[c], &(*topology)->arena, error),
             (topology_free(*topology), *topology = NULL));
  return STATUS_OK;
}
