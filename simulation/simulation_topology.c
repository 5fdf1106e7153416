/* Fills hol_topology: sites, molecules and kinds of a simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/holonom.h"
#include "simulation/simulation_private.h"
#include "topology/labels.h"

/* Whether a constraint is a bond: that of two hydrogens of water is not. */
static bool is_bond(const Kind *kind, const Constraint *c)
{
  const bool pair = c->nsite == 2 && (c->type->radial != NULL || c->type->profile != NULL);
  return pair && !(strcmp(kind->site[c->site[0]], "H") == 0 && strcmp(kind->site[c->site[1]], "H") == 0);
}

/* Appends the bonds of a group whose molecule begins at atom `at`, and returns their number. bond: NULL to
 * count only. */
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

/* The same for a bond of a file, which may be a constraint. */
static bool is_drawn(const TopologySort *sort, const int bond[2])
{
  const Kind *kind = sort->kind;
  return kind->nsite == 2 || strcmp(kind->site[bond[0]], "H") != 0 || strcmp(kind->site[bond[1]], "H") != 0;
}

/* The same for all molecules. */
static int count_bonds(const Topology *topology, int (*bond)[2])
{
  int n = 0, at = 0;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int m = 0; m < sort->nmol; m++, at += sort->kind->nsite) {
      for (int i = 0; i < sort->nbond; i++) {
        if (!is_drawn(sort, sort->bond[i]))
          continue;
        for (int s = 0; s < 2 && bond != NULL; s++)
          bond[n][s] = at + sort->bond[i][s];
        n++;
      }
      for (int g = 0; g < sort->ngroup && sort->bond == NULL; g++)
        n += add_bonds(&sort->group[g], at, bond != NULL ? bond + n : NULL);
    }
  }
  return n;
}

/* Writable versions of the pointers of hol_topology. */
typedef struct Arrays {
  const char **site_name, **kind_name, **element, **type_name, **residue_name, **chain;
  double *mass, *charge;
  int *molecule, *kind, *first_site, *first_constraint, (*bond)[2], *residue;
} Arrays;

/* Places the arrays behind the struct in one allocation: pointers, doubles, integers. Returns its size;
 * memory may be NULL. */
static size_t place(const hol_topology *t, char *memory, Arrays *a)
{
  const size_t sites = (size_t)t->sites, molecules = (size_t)t->molecules, kinds = (size_t)t->kinds;
  size_t at = sizeof *t;
#define PLACE(field, n) a->field = memory != NULL ? (void *)(memory + at) : NULL, at += (n) * sizeof *a->field
  PLACE(site_name, sites);
  PLACE(kind_name, kinds);
  PLACE(element, sites);
  PLACE(type_name, sites);
  PLACE(residue_name, sites);
  PLACE(chain, sites);
  PLACE(mass, sites);
  PLACE(charge, sites);
  PLACE(molecule, sites);
  PLACE(kind, molecules);
  PLACE(first_site, molecules + 1);
  PLACE(first_constraint, molecules + 1);
  PLACE(bond, (size_t)t->bonds);
  PLACE(residue, sites);
#undef PLACE
  return at;
}

/* Site i of molecule m, molecule number `copy` of its type. */
static void fill_names(const Labels *labels, const Kind *kind, int k, int m, int copy, int i, const Arrays *a)
{
  const int at = a->first_site[m] + i;
  const LabelsAtom *of = labels != NULL ? &labels->sort[k].atom[i] : NULL;
  a->site_name[at] = of != NULL ? of->name : kind->site[i];
  a->element[at] = of != NULL ? of->element : kind->site[i];
  a->type_name[at] = of != NULL ? of->type : kind->site[i];
  a->chain[at] = of != NULL ? of->chain : "";
  a->residue_name[at] = of != NULL ? of->residue : kind->name;
  a->residue[at] = labels != NULL ? labels_residue(&labels->sort[k], copy, i) : m + 1;
}

static void fill_molecule(const TopologySort *sort, int k, int m, const Arrays *a)
{
  const Kind *kind = sort->kind;
  const int at = a->first_site[m];
  a->kind[m] = k;
  a->first_site[m + 1] = at + kind->nsite;
  a->first_constraint[m + 1] = a->first_constraint[m] + ensemble_constraints(sort);
  for (int i = 0; i < kind->nsite; i++) {
    a->mass[at + i] = kind->mass[i];
    a->charge[at + i] = isnan(sort->shared[i]) ? 0.0 : sort->shared[i];
    a->molecule[at + i] = m;
  }
}

static void fill(const Topology *topology, const Labels *labels, const Arrays *a)
{
  a->first_site[0] = a->first_constraint[0] = 0;
  for (int k = 0, m = 0; k < topology->nsort; k++) {
    a->kind_name[k] = topology->sort[k].kind->name;
    for (int i = 0; i < topology->sort[k].nmol; i++, m++) {
      fill_molecule(&topology->sort[k], k, m, a);
      for (int site = 0; site < topology->sort[k].kind->nsite; site++)
        fill_names(labels, topology->sort[k].kind, k, m, i, site, a);
    }
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
  made.element = a.element;
  made.type_name = a.type_name;
  made.residue_name = a.residue_name;
  made.residue = a.residue;
  made.chain = a.chain;
  fill(s->topology, s->labels, &a);
  *topology = s->described = memcpy(memory, &made, sizeof made);
  return STATUS_OK;
}

void simulation_topology_free(Simulation *s) { free(s->described); }
