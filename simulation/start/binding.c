#include "simulation/start/binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct Binding {
  PairsDescription pairs;
  int nmol;
  int *first;      /* [nmol + 1] of the sites below */
  int *site;       /* [pairs.nsite] numbers of sites, molecule after molecule */
  size_t (*at)[3]; /* [pairs.nsite] where the coordinates of a site's atoms begin */
  double (*x)[3];  /* [pairs.nsite] */
  double *radius;  /* [natom] */
  Arena arena;
};

/* --- making ------- */

static Status find_pairs(Binding *b, const ForceField *field, const State *shape, bool *found, Error *error)
{
  *found = false;
  for (int i = 0; i < field->n && !*found; i++) {
    const Force *force = &field->force[i];
    ForceDescription description = {.name = NULL};
    Error why; /* a force without description is not an error */
    if (force->ops->describe == NULL)
      continue;
    const Status status = force->ops->describe(force->self, shape, &b->arena, &description, &why);
    if (status == STATUS_MEMORY)
      return error_pass(error, status, &why);
    *found = status == STATUS_OK && description.form == FORM_PAIRS;
    if (*found)
      b->pairs = description.pairs;
  }
  return STATUS_OK;
}

static int lane_of(const Topology *t, const SiteDescription *site)
{
  return (int)t->first[site->atom[0].block] + site->atom[0].lane;
}

/* Sorts the sites by molecule. */
static void sort_sites(Binding *b, const Topology *t)
{
  for (int i = 0; i < b->pairs.nsite; i++)
    b->first[t->molecule[lane_of(t, &b->pairs.site[i])] + 1]++;
  for (int m = 0; m < b->nmol; m++)
    b->first[m + 1] += b->first[m];
  for (int i = b->pairs.nsite - 1; i >= 0; i--)
    b->site[--b->first[t->molecule[lane_of(t, &b->pairs.site[i])] + 1]] = i;
  memmove(b->first, b->first + 1, (size_t)b->nmol * sizeof *b->first);
  b->first[b->nmol] = b->pairs.nsite;
}

static Status fill(Binding *b, const Topology *t, Error *error)
{
  const PairsDescription *p = &b->pairs;
  b->nmol = t->nmol;
  b->first = arena_take(&b->arena, (size_t)b->nmol + 1, sizeof *b->first);
  b->site = arena_take(&b->arena, (size_t)p->nsite, sizeof *b->site);
  b->at = arena_take(&b->arena, (size_t)p->nsite, sizeof *b->at);
  b->x = arena_take(&b->arena, (size_t)p->nsite, sizeof *b->x);
  b->radius = arena_take(&b->arena, (size_t)t->natom, sizeof *b->radius);
  TRY(arena_check(&b->arena, "energies of molecules", error));
  sort_sites(b, t);
  for (int i = 0; i < p->nsite; i++) {
    const SiteDescription *s = &p->site[i];
    const double *own = p->lj[(size_t)s->type * (size_t)(p->ntype + 1)];
    for (int k = 0; k < s->natom; k++)
      b->at[i][k] = topology_place(t, (int)t->first[s->atom[k].block] + s->atom[k].lane, s->atom[k].site);
    if (s->natom == 1 && own[0] > 0.0 && own[1] > 0.0)
      b->radius[b->at[i][0] / 3] = 0.5 * pow(own[0] / own[1], 1.0 / 6.0);
  }
  return STATUS_OK;
}

Status binding_create(Binding **binding, const Topology *t, const ForceField *field, const State *shape,
                      Error *error)
{
  bool found = false;
  Binding *b = *binding = calloc(1, sizeof *b);
  TRY_MEMORY(b != NULL, "energies of molecules", error);
  TRY_ELSE(find_pairs(b, field, shape, &found, error), (binding_free(b), *binding = NULL));
  if (found)
    TRY_ELSE(fill(b, t, error), (binding_free(b), *binding = NULL));
  else {
    binding_free(b);
    *binding = NULL;
  }
  return STATUS_OK;
}

void binding_free(Binding *b)
{
  if (b == NULL)
    return;
  arena_free(&b->arena);
  free(b);
}

/* --- energies ------- */

double binding_radius(const Binding *b, int atom) { return b->radius[atom]; }

static void place_site(Binding *b, int i, const double *x)
{
  const SiteDescription *s = &b->pairs.site[i];
  const double *o = x + b->at[i][0];
  double r[2][3] = {{0.0}};
  for (int k = 1; k < s->natom; k++)
    for (int d = 0; d < 3; d++)
      r[k - 1][d] = x[b->at[i][k] + (size_t)d] - o[d];
  for (int d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    double away = s->weight[0] * r[0][d] + s->weight[1] * r[1][d];
    if (s->weight[2] != 0.0)
      away += s->weight[2] * (r[0][e] * r[1][f] - r[0][f] * r[1][e]);
    b->x[i][d] = o[d] + away;
  }
}

/* Adds the Coulomb and Lennard-Jones energies of two molecules. */
static void add_pair(const Binding *b, int m, int n, double energy[2])
{
  const PairsDescription *p = &b->pairs;
  for (int i = b->first[m]; i < b->first[m + 1]; i++)
    for (int j = b->first[n]; j < b->first[n + 1]; j++) {
      const SiteDescription *one = &p->site[b->site[i]], *other = &p->site[b->site[j]];
      const double *x = b->x[b->site[i]], *y = b->x[b->site[j]];
      const double qq = one->charge * other->charge, *lj = p->lj[one->type * p->ntype + other->type];
      double r2 = 0.0;
      for (int d = 0; d < 3; d++)
        r2 += (x[d] - y[d]) * (x[d] - y[d]);
      const double r6 = 1.0 / (r2 * r2 * r2);
      if (qq != 0.0)
        energy[0] += p->coulomb * qq / sqrt(r2);
      if (lj[0] != 0.0 || lj[1] != 0.0)
        energy[1] += (lj[0] * r6 - lj[1]) * r6;
    }
}

int binding_weakest(Binding *b, const double *x)
{
  int found = 0;
  double highest = -INFINITY;
  for (int i = 0; i < b->pairs.nsite; i++)
    place_site(b, i, x);
  for (int m = 0; m < b->nmol; m++) {
    double energy[2] = {0.0};
    for (int k = 0; k < b->nmol; k++)
      if (k != m)
        add_pair(b, m, k, energy);
    const double bound = energy[0] + energy[1];
    if (bound > highest) {
      highest = bound;
      found = m;
    }
  }
  return found;
}
