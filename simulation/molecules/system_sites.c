#include "simulation/molecules/system_sites.h"

#include "simulation/molecules/system.h"

Status system_sites(const Simulation *s, int k, Arena *arena, SortSites *to, Error *error)
{
  const MolecularSystem *w = system_molecules(s);
  const GroupsMolecule *of = &w->groups->molecule[w->molecules->count[k].molecule];
  const Molecule *m = of->molecule;
  const size_t n = (size_t)m->natom;
  *to = (SortSites){.n = m->natom,
                    .place = arena_take(arena, n, sizeof *to->place),
                    .name = arena_take(arena, n, sizeof *to->name),
                    .charge = arena_take(arena, n, sizeof *to->charge),
                    .sites = {m->nvirtual, m->site}};
  TRY(arena_check(arena, "virtual sites", error));
  for (int i = 0; i < m->natom; i++) {
    to->place[i] = of->place[i];
    to->name[i] = m->atom[i].name;
    to->charge[i] = m->atom[i].charge;
  }
  return STATUS_OK;
}
