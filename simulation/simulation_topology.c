/* Sites, molecules and kinds of a simulation, in the arrays of holonom.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/holonom.h"
#include "simulation/simulation_private.h"

int simulation_topology_constraints(const TopologySort *sort)
{
  int n = 0;
  for (int g = 0; g < sort->ngroup; g++)
    n += simulation_kind_constraints(sort->group[g].kind);
  return n;
}

void simulation_topology_multipliers(const TopologySort *sort, int m, const State *state, const Walk *walk,
                                     int r, double *lambda)
{
  for (int g = 0; g < sort->ngroup; g++) {
    const TopologyGroup *group = &sort->group[g];
    walk_multipliers(walk, r, state->block[group->block].first + group->first + m * group->step, lambda);
    lambda += simulation_kind_constraints(group->kind);
  }
}

/* Whether a pair of sites is one that is drawn: two hydrogens of a water are held apart, but not bonded. */
static bool is_bond(const Kind *kind, const Constraint *c)
{
  const bool pair = c->nsite == 2 && (c->type->radial != NULL || c->type->profile != NULL);
  return pair && !(strcmp(kind->site[c->site[0]], "H") == 0 && strcmp(kind->site[c->site[1]], "H") == 0);
}

/* Bonds of a group whose molecule's first atom is `at`, each once; returns how many. bond: NULL: they
 * are counted. */
static int add_bonds(const TopologyGroup *group, int at, int (*bond)[2])
{
  const Kind *kind = group->kind;
  int n = 0;
  for (int i = 0; i < kind->ncon + kind->npot; i++) {
    const Constraint *c = i < kind->ncon ? &kind->con[i] : &kind->pot[i - kind->ncon];
    if (!is_bond(kind, c))
      continue;
    if (bond != NULL) {
      bond[n][0] = at + group->atom[c->site[0]];
      bond[n][1] = at + group->atom[c->site[1]];
    }
    n++;
  }
  return n;
}

/* The same of all molecules. */
static int count_bonds(const Topology *topology, int (*bond)[2])
{
  int n = 0, at = 0;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int m = 0; m < sort->nmol; m++, at += sort->kind->nsite) {
      for (int i = 0; i < sort->nbond; i++, n++)
        for (int s = 0; s < 2 && bond != NULL; s++)
          bond[n][s] = at + sort->bond[i][s];
      for (int g = 0; g < sort->ngroup && sort->bond == NULL; g++)
        n += add_bonds(&sort->group[g], at, bond != NULL ? bond + n : NULL);
    }
  }
  return n;
}

/* What the pointers of a topology point to, to be written. */
typedef struct Arrays {
  const char **site_name, **kind_name;
  double *mass, *charge;
  int *molecule, *kind, *first_site, *first_constraint, (*bond)[2];
} Arrays;

/* One allocation holds them behind the struct: pointers, doubles, integers. Returns its size; memory: NULL
 * yet. */
static size_t place(const hol_topology *t, char *memory, Arrays *a)
{
  const size_t sites = (size_t)t->sites, molecules = (size_t)t->molecules, kinds = (size_t)t->kinds;
  size_t at = sizeof *t;
#define PLACE(field, n) a->field = memory != NULL ? (void *)(memory + at) : NULL, at += (n) * sizeof *a->field
  PLACE(site_name, sites);
  PLACE(kind_name, kinds);
  PLACE(mass, sites);
  PLACE(charge, sites);
  PLACE(molecule, sites);
  PLACE(kind, molecules);
  PLACE(first_site, molecules + 1);
  PLACE(first_constraint, molecules + 1);
  PLACE(bond, (size_t)t->bonds);
#undef PLACE
  return at;
}

static void fill_molecule(const TopologySort *sort, int k, int m, const Arrays *a)
{
  const Kind *kind = sort->kind;
  const int at = a->first_site[m];
  a->kind[m] = k;
  a->first_site[m + 1] = at + kind->nsite;
  a->first_constraint[m + 1] = a->first_constraint[m] + simulation_topology_constraints(sort);
  for (int i = 0; i < kind->nsite; i++) {
    a->site_name[at + i] = kind->site[i];
    a->mass[at + i] = kind->mass[i];
    a->charge[at + i] = isnan(sort->charge[i]) ? 0.0 : sort->charge[i];
    a->molecule[at + i] = m;
  }
}

static void fill(const Topology *topology, const Arrays *a)
{
  a->first_site[0] = a->first_constraint[0] = 0;
  for (int k = 0, m = 0; k < topology->nsort; k++) {
    a->kind_name[k] = topology->sort[k].kind->name;
    for (int i = 0; i < topology->sort[k].nmol; i++)
      fill_molecule(&topology->sort[k], k, m++, a);
  }
  (void)count_bonds(topology, a->bond);
}

Status simulation_topology(Simulation *s, const hol_topology **topology, Error *error)
{
  *topology = s->described;
  if (s->described != NULL)
    return STATUS_OK;
  hol_topology made = {.size = sizeof made,
                       .sites = s->topology->natom,
                       .molecules = s->topology->nmol,
                       .kinds = s->topology->nsort,
                       .bonds = count_bonds(s->topology, NULL)};
  Arrays a;
  char *memory = malloc(place(&made, NULL, &a));
  TRY_MEMORY(memory != NULL, "a topology", error);
  (void)place(&made, memory, &a);
  made.site_name = a.site_name;
  made.kind_name = a.kind_name;
  made.mass = a.mass;
  made.charge = a.charge;
  made.molecule = a.molecule;
  made.kind = a.kind;
  made.first_site = a.first_site;
  made.first_constraint = a.first_constraint;
  made.bond = (const int(*)[2])a.bond;
  fill(s->topology, &a);
  *topology = s->described = memcpy(memory, &made, sizeof made);
  return STATUS_OK;
}

void simulation_topology_free(Simulation *s) { free(s->described); }
