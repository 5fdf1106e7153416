/* The topology of groups: their molecules with charges and bonds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

/* Whether the parts normal to the plane of their three atoms cancel among a molecule's charges at sites out
 * of that plane, as those of lone pairs do. */
static bool normals_cancel(const Molecule *m, const VirtualSite *site)
{
  double sum = 0.0;
  for (int s = 0; s < m->nvirtual; s++)
    if (m->site[s].kind == VIRTUAL_SITE_3OUT && memcmp(m->site[s].parent, site->parent, 3 * sizeof(int)) == 0)
      sum += m->atom[m->site[s].site].charge * m->site[s].param[2];
  return sum == 0.0;
}

/* A charge of an atom of the file to atoms with mass: a virtual site's goes to the atoms that place it where
 * it is a fixed mean of them, or where a pair of sites has the same dipole so; elsewhere theirs are not
 * known. */
static void share_charge(const GroupsMolecule *of, int atom, double whole, double *charge)
{
  const Molecule *m = of->molecule;
  if (of->place[atom] >= 0)
    charge[of->place[atom]] += whole;
  for (int s = 0; s < m->nvirtual && of->place[atom] < 0; s++) {
    const VirtualSite *site = &m->site[s];
    if (site->site != atom)
      continue;
    const bool three =
        site->kind == VIRTUAL_SITE_3 || (site->kind == VIRTUAL_SITE_3OUT && normals_cancel(m, site));
    const double a = site->kind == VIRTUAL_SITE_2 || three ? site->param[0] : (double)NAN,
                 b = three ? site->param[1] : 0.0;
    share_charge(of, site->parent[0], whole * (1.0 - a - b), charge);
    share_charge(of, site->parent[1], whole * a, charge);
    if (virtual_site_types[site->kind].nparent > 2)
      share_charge(of, site->parent[2], whole * b, charge);
    return;
  }
}

static void share_charges(const GroupsMolecule *of, double *charge)
{
  for (int i = 0; i < of->natom; i++)
    charge[i] = of->molecule->atom[of->atom[i]].charge;
  for (int i = 0; i < of->molecule->natom; i++)
    if (of->place[i] < 0)
      share_charge(of, i, of->molecule->atom[i].charge, charge);
}

/* Bonds of a molecule between its atoms with mass; two hydrogens of a water are held apart, but not bonded.
 */
static void list_bonds(const GroupsMolecule *of, int (*bond)[2], TopologySort *sort)
{
  const Molecule *m = of->molecule;
  sort->bond = (const int(*)[2])bond;
  for (int k = 0; k < m->nbond; k++) {
    const int *const atom = m->bond[k].atom, a = of->place[atom[0]], b = of->place[atom[1]];
    const bool apart =
        m->natom > 2 && groups_hydrogen(&m->atom[atom[0]]) && groups_hydrogen(&m->atom[atom[1]]);
    if (a < 0 || b < 0 || apart)
      continue;
    bond[sort->nbond][0] = a < b ? a : b;
    bond[sort->nbond++][1] = a < b ? b : a;
  }
}

Status groups_topology(const Groups *g, Topology **topology, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const Molecules *m = g->molecules;
  TopologyMolecules *sort = arena_take(&arena, (size_t)m->ncount, sizeof *sort);
  TRY(arena_check(&arena, "a topology", error));
  for (int c = 0; c < m->ncount; c++) {
    const GroupsMolecule *of = &g->molecule[m->count[c].molecule];
    sort[c] = (TopologyMolecules){of->molecule->name,      m->count[c].n, of->ngroup, of->block,
                                  (double *)of->reference, of->site,      of->rank};
  }
  TRY(topology_create(topology, g->nkind, (const Kind *const *)g->kind, g->lanes, m->ncount, sort, error));
  for (int c = 0; c < m->ncount; c++) {
    const GroupsMolecule *of = &g->molecule[m->count[c].molecule];
    int(*bond)[2] = arena_take(&(*topology)->arena, (size_t)of->molecule->nbond + 1, sizeof *bond);
    if (bond == NULL) {
      topology_free(*topology);
      *topology = NULL;
      return error_memory(error, "a topology");
    }
    share_charges(of, (*topology)->sort[c].charge);
    list_bonds(of, bond, &(*topology)->sort[c]);
  }
  return STATUS_OK;
}
