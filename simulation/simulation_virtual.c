/* Lists and places virtual sites, and spreads forces on them. */
#include "simulation/simulation_virtual.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "simulation/holonom.h"
#include "simulation/simulation_private.h"

struct SimulationVirtual {
  hol_virtual_sites described;
  Arena arena;
};

static Status fill(const Simulation *s, SimulationVirtual *v, Error *error)
{
  const Topology *t = s->topology;
  size_t n = 0;
  for (int k = 0; k < t->nsort; k++)
    n += (size_t)t->sort[k].nmol * (size_t)t->sort[k].nvirtual;
  const char **name = arena_take(&v->arena, n, sizeof *name);
  double *charge = arena_take(&v->arena, n, sizeof *charge);
  int *molecule = arena_take(&v->arena, n, sizeof *molecule);
  double *atoms = arena_take(&v->arena, (size_t)t->natom, sizeof *atoms);
  TRY(arena_check(&v->arena, "virtual sites", error));
  v->described = (hol_virtual_sites){.size = sizeof v->described,
                                     .sites = (int)n,
                                     .name = name,
                                     .charge = charge,
                                     .molecule = molecule,
                                     .site_charge = atoms};
  for (int k = 0, m = 0; k < t->nsort; k++)
    for (int i = 0; i < t->sort[k].nmol; i++, m++) {
      const TopologySort *of = &t->sort[k];
      for (int site = 0; site < of->kind->nsite; site++)
        *atoms++ = of->charge[site];
      for (int j = 0; j < of->nvirtual; j++) {
        *name++ = of->virtual_name[j];
        *charge++ = of->charge[of->virtual[j].site];
        *molecule++ = m;
      }
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

/* --- positions and forces ------- */

/* Places the virtual sites of a molecule at r[nsite][3]. */
static Status place(const TopologySort *of, int molecule, double (*r)[3], Error *error)
{
  for (int i = 0; i < of->nvirtual; i++)
    if (!virtual_site_at(&of->virtual[i], (const double(*)[3])r, r[of->virtual[i].site]))
      return error_set(error, STATUS_RUN,
                       "molecule %d: its atoms do not define the position of virtual site '%s'", molecule + 1,
                       of->virtual_name[i]);
  return STATUS_OK;
}

/* Adds the forces fv on virtual sites to those on atoms, f. Sites that place others come last; g[nsite][3] is
 * scratch. */
static void spread(const TopologySort *of, const double (*r)[3], const double *fv, double (*g)[3], double *f)
{
  const int natom = of->kind->nsite;
  memset(g, 0, (size_t)natom * sizeof *g);
  memcpy(g[natom], fv, (size_t)of->nvirtual * sizeof *g);
  for (int i = of->nvirtual - 1; i >= 0; i--)
    virtual_site_hand_on(&of->virtual[i], r, g);
  for (int k = 0; k < 3 * natom; k++)
    f[k] += g[k / 3][k % 3];
}

/* Over all molecules: places virtual sites at v, or, with f, spreads the forces v to the atoms. */
static Status pass(const Simulation *s, const double *x, double *v, double *f, Error *error)
{
  const Topology *t = s->topology;
  size_t most = 0;
  if (s->virtual == NULL)
    return error_set(error, STATUS_INPUT, "call hol_get_virtual_sites first");
  for (int k = 0; k < t->nsort; k++)
    most = (size_t)t->sort[k].nsite > most ? (size_t)t->sort[k].nsite : most;
  SCOPED(scoped_free) double(*r)[3] = calloc(2 * most + 1, sizeof *r);
  TRY_MEMORY(r != NULL, "virtual sites", error);
  for (int k = 0, m = 0; k < t->nsort; k++) {
    const TopologySort *of = &t->sort[k];
    const size_t natom = (size_t)of->kind->nsite, nvirtual = (size_t)of->nvirtual;
    for (int i = 0; i < of->nmol; i++, m++) {
      if (nvirtual > 0) {
        memcpy(r, x, natom * sizeof *r);
        TRY(place(of, m, r, error));
        if (f == NULL)
          memcpy(v, r[natom], nvirtual * sizeof *r);
        else
          spread(of, (const double(*)[3])r, v, r + most, f);
      }
      x += 3 * natom;
      f += f != NULL ? 3 * natom : 0;
      v += 3 * nvirtual;
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
  return pass(s, x, (double *)(uintptr_t)fv, f, error); /* only read */
}
