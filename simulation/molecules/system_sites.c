#include "simulation/molecules/system_sites.h"

#include "forcefields/site_map.h"
#include "simulation/molecules/system.h"

/* Numbers behind each other: atoms and sites of a molecule of n. */
static Status make_room(Arena *arena, int n, int sites, SortSites *to, VirtualSite **site, Error *error)
{
  to->n = n;
  to->place = arena_take(arena, (size_t)n, sizeof *to->place);
  to->name = arena_take(arena, (size_t)n, sizeof *to->name);
  to->charge = arena_take(arena, (size_t)n, sizeof *to->charge);
  *site = arena_take(arena, (size_t)sites, sizeof **site);
  to->sites = (VirtualSites){sites, *site};
  return arena_check(arena, "virtual sites", error);
}

/* Of a model its atoms come first, and the first three place all sites. */
static Status sites_of_map(const SiteMap *map, Arena *arena, SortSites *to, Error *error)
{
  VirtualSite *site;
  TRY(make_room(arena, map->nsite, map->nsite - map->natom, to, &site, error));
  for (int i = 0; i < map->nsite; i++) {
    to->place[i] = i < map->natom ? i : -1;
    to->name[i] = map->site[i];
    to->charge[i] = map->charge[i];
    if (i < map->natom)
      continue;
    VirtualSite *own = &site[i - map->natom];
    *own = (VirtualSite){
        .kind = map->planar ? VIRTUAL_SITE_3 : VIRTUAL_SITE_3OUT, .site = i, .parent = {0, 1, 2}};
    memcpy(own->param, map->place[i], sizeof own->param);
  }
  return STATUS_OK;
}

static Status sites_of_molecule(const GroupsMolecule *of, Arena *arena, SortSites *to, Error *error)
{
  const Molecule *m = of->molecule;
  VirtualSite *site;
  TRY(make_room(arena, m->natom, m->nvirtual, to, &site, error));
  for (int i = 0; i < m->natom; i++) {
    to->place[i] = of->place[i];
    to->name[i] = m->atom[i].name;
    to->charge[i] = m->atom[i].charge;
  }
  for (int i = 0; i < m->nvirtual; i++)
    site[i] = m->site[i];
  return STATUS_OK;
}

Status system_sites(const Simulation *s, int k, Arena *arena, SortSites *to, Error *error)
{
  const Water *w = system_water(s);
  if (w->groups != NULL)
    return sites_of_molecule(&w->groups->molecule[w->molecules->count[k].molecule], arena, to, error);
  const SiteMap map = water_site_map(w->model);
  return sites_of_map(&map, arena, to, error);
}
