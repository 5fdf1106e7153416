/* Virtual sites of a simulation: what they are, where they are, and what forces on them are worth. */
#include "simulation/simulation_virtual.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "simulation/holonom.h"
#include "simulation/simulation_private.h"

struct SimulationVirtual {
  hol_virtual_sites described;
  int most;        /* atoms and sites of the largest molecule */
  SortSites *sort; /* [sorts of the topology]                 */
  Arena arena;
};

static Status find_sites(const Simulation *s, SimulationVirtual *v, Error *error)
{
  v->sort = arena_take(&v->arena, (size_t)s->topology->nsort, sizeof *v->sort);
  TRY(arena_check(&v->arena, "virtual sites", error));
  for (int k = 0; k < s->topology->nsort && s->sort->sites != NULL; k++) {
    TRY(s->sort->sites(s, k, &v->arena, &v->sort[k], error));
    v->described.sites += s->topology->sort[k].nmol * v->sort[k].sites.n;
    v->most = v->sort[k].n > v->most ? v->sort[k].n : v->most;
  }
  return STATUS_OK;
}

static void describe(const SortSites *of, int molecule, const char **name, double *charge, int *in)
{
  for (int i = 0; i < of->sites.n; i++) {
    name[i] = of->name[of->sites.site[i].site];
    charge[i] = of->charge[of->sites.site[i].site];
    in[i] = molecule;
  }
}

/* Charges of the sites with mass, as the force field has them. */
static void describe_atoms(const SortSites *of, const TopologySort *sort, double *charge)
{
  for (int i = 0; i < sort->kind->nsite; i++)
    charge[i] = sort->charge[i];
  for (int i = 0; i < of->n; i++)
    if (of->place[i] >= 0)
      charge[of->place[i]] = of->charge[i];
}

static Status fill(const Simulation *s, SimulationVirtual *v, Error *error)
{
  TRY(find_sites(s, v, error));
  const size_t n = (size_t)v->described.sites;
  const char **name = arena_take(&v->arena, n, sizeof *name);
  double *charge = arena_take(&v->arena, n, sizeof *charge);
  int *molecule = arena_take(&v->arena, n, sizeof *molecule);
  double *atoms = arena_take(&v->arena, (size_t)s->topology->natom, sizeof *atoms);
  TRY(arena_check(&v->arena, "virtual sites", error));
  v->described.size = sizeof v->described;
  v->described.name = name;
  v->described.charge = charge;
  v->described.molecule = molecule;
  v->described.site_charge = atoms;
  for (int k = 0, m = 0; k < s->topology->nsort; k++)
    for (int i = 0; i < s->topology->sort[k].nmol; i++, m++) {
      const SortSites *of = &v->sort[k];
      describe(of, m, name, charge, molecule);
      describe_atoms(of, &s->topology->sort[k], atoms);
      name += of->sites.n;
      charge += of->sites.n;
      molecule += of->sites.n;
      atoms += s->topology->sort[k].kind->nsite;
    }
  return STATUS_OK;
}

Status simulation_virtual(Simulation *s, const hol_virtual_sites **sites, Error *error)
{
  *sites = NULL;
  if (s->virtual == NULL) {
    SimulationVirtual *made = calloc(1, sizeof *made);
    TRY_MEMORY(made != NULL, "virtual sites", error);
    TRY_ELSE(fill(s, made, error), simulation_virtual_free(made));
    s->virtual = made;
  }
  *sites = &s->virtual->described;
  return STATUS_OK;
}

void simulation_virtual_free(SimulationVirtual *v)
{
  if (v == NULL)
    return;
  arena_free(&v->arena);
  free(v);
}

/* --- places and forces ------- */

/* The molecule that is at x, its atoms and sites in r[n][3]. */
static Status place(const SortSites *of, int molecule, const double *x, double (*r)[3], Error *error)
{
  for (int i = 0; i < of->n; i++)
    if (of->place[i] >= 0)
      memcpy(r[i], x + (ptrdiff_t)3 * of->place[i], sizeof *r);
  for (int i = 0; i < of->sites.n; i++) {
    const VirtualSite *site = &of->sites.site[i];
    if (!virtual_site_at(site, (const double(*)[3])r, r[site->site]))
      return error_set(error, STATUS_RUN,
                       "molecule %d: the atoms that place the virtual site '%s' leave open where it is",
                       molecule + 1, of->name[site->site]);
  }
  return STATUS_OK;
}

/* What the forces g[n][3] on sites are worth on the atoms, those on sites that place others last. */
static void spread(const SortSites *of, const double (*r)[3], double (*g)[3])
{
  for (int i = of->sites.n - 1; i >= 0; i--)
    virtual_site_hand_on(&of->sites.site[i], r, g);
}

static void copy_sites(const SortSites *of, bool in, double *v, double (*r)[3])
{
  for (int i = 0; i < of->sites.n; i++)
    memcpy(in ? r[of->sites.site[i].site] : v + (ptrdiff_t)3 * i,
           in ? v + (ptrdiff_t)3 * i : r[of->sites.site[i].site], sizeof *r);
}

static void add_atoms(const SortSites *of, const double (*g)[3], double *f)
{
  for (int i = 0; i < of->n; i++)
    for (int d = 0; d < 3 && of->place[i] >= 0; d++)
      f[3 * of->place[i] + d] += g[i][d];
}

/* Of all molecules: places into v, or, with f, forces at v onto the atoms. */
static Status pass(const Simulation *s, const double *x, double *v, double *f, Error *error)
{
  const SimulationVirtual *all = s->virtual;
  if (all == NULL)
    return error_set(error, STATUS_INPUT, "ask for the virtual sites first: hol_get_virtual_sites");
  SCOPED(scoped_free) double(*r)[3] = calloc(2 * (size_t)all->most + 1, sizeof *r);
  TRY_MEMORY(r != NULL, "virtual sites", error);
  double(*const g)[3] = r + all->most;
  for (int k = 0, m = 0; k < s->topology->nsort; k++) {
    const SortSites *of = &all->sort[k];
    const ptrdiff_t atoms = (ptrdiff_t)3 * s->topology->sort[k].kind->nsite;
    for (int i = 0; i < s->topology->sort[k].nmol; i++, m++) {
      if (of->sites.n > 0)
        TRY(place(of, m, x, r, error));
      if (of->sites.n > 0 && f != NULL) {
        memset(g, 0, (size_t)all->most * sizeof *g);
        copy_sites(of, true, v, g);
        spread(of, (const double(*)[3])r, g);
        add_atoms(of, (const double(*)[3])g, f);
      } else
        copy_sites(of, false, v, r);
      x += atoms;
      f += f != NULL ? atoms : 0;
      v += (ptrdiff_t)3 * of->sites.n;
    }
  }
  return STATUS_OK;
}

Status simulation_virtual_place(const Simulation *s, const double *x, double *v, Error *error)
{
  return pass(s, x, v, NULL, error);
}

Status simulation_virtual_spread(const Simulation *s, const double *x, const double *fv, double *f,
                                 Error *error)
{
  return pass(s, x, (double *)(uintptr_t)fv, f, error); /* which is only read */
}
