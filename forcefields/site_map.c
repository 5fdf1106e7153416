#include "forcefields/site_map.h"

#include <string.h>

static void relative(int n, const double *x, double r[3 * SITE_MAP_SITES])
{
  for (int k = 0; k < 3 * n; k++)
    r[k] = x[k] - x[k % 3];
}

void site_map_sites(const SiteMap *map, const double *atom, double *x)
{
  double r[3 * SITE_MAP_SITES] = {0.0};
  relative(map->natom, atom, r);
  site_map_place_double(map, map->nsite, map->planar, r);
  memcpy(x, atom, 3 * (size_t)map->natom * sizeof *x);
  for (int k = 3 * map->natom; k < 3 * map->nsite; k++)
    x[k] = atom[k % 3] + r[k];
}

/* Forces on the atoms, in the first natom of g[nsite][3]. */
static void gather(const SiteMap *map, const double *x, const double *force, double g[3 * SITE_MAP_SITES])
{
  double r[3 * SITE_MAP_SITES] = {0.0};
  relative(map->natom, x, r);
  memcpy(g, force, 3 * (size_t)map->nsite * sizeof *g);
  site_map_spread_double(map, map->nsite, map->planar, r, g);
}

void site_map_forces(const SiteMap *map, const double *x, const double *force, double *f)
{
  double g[3 * SITE_MAP_SITES];
  gather(map, x, force, g);
  for (int k = 0; k < 3 * map->natom; k++)
    f[k] += g[k];
}

void site_map_virial(const SiteMap *map, const double *x, const double *force, double virial[3][3])
{
  if (map->planar)
    return;
  double g[3 * SITE_MAP_SITES];
  gather(map, x, force, g);
  for (int s = 1; s < map->nsite; s++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++) {
        const double r = x[3 * s + d] - x[d];
        virial[d][e] += (s < map->natom ? r * g[3 * s + e] : 0.0) - r * force[3 * s + e];
      }
}

void site_map_atom_charges(const SiteMap *map, double charge[SITE_MAP_ATOMS])
{
  for (int s = 0; s < map->natom; s++)
    charge[s] = map->charge[s];
  for (int v = map->natom; v < map->nsite; v++) {
    const double *a = map->place[v];
    charge[0] += map->charge[v] * (1.0 - a[0] - a[1]);
    charge[1] += map->charge[v] * a[0];
    charge[2] += map->charge[v] * a[1];
  }
}

bool site_map_charged(const SiteMap *map)
{
  for (int s = 0; s < map->nsite; s++)
    if (map->charge[s] != 0.0)
      return true;
  return false;
}

SiteDescription site_map_describe(const SiteMap *map, int block, int lane, int s)
{
  SiteDescription site = {.natom = s < map->natom ? 1 : SITE_MAP_ATOMS, .charge = map->charge[s]};
  for (int k = 0; k < site.natom; k++) {
    site.atom[k] = (AtomIndex){block, lane, s < map->natom ? s : k};
    site.weight[k] = s < map->natom ? 0.0 : map->place[s][k];
  }
  return site;
}
