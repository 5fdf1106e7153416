#include "forcefields/mixture.h"

#include <math.h>

/* The kind's centre of mass is at the origin. */
static void fill_kind(MixtureKind *k, const Kind *kind)
{
  double x[3 * SITE_MAP_SITES];
  site_map_sites(&k->map, kind->reference, x);
  for (int s = 0; s < k->map.nsite; s++) {
    double dot = 0.0;
    for (int d = 0; d < 3; d++)
      dot -= x[d] * (x[3 * s + d] - x[d]);
    k->mass[s] = s < k->map.natom ? kind->mass[s] : 0.0;
    k->arm[s] = s > 0 ? dot / k->map.bond[s] : 0.0;
  }
}

static Status check(const MixtureComponent *part, const State *shape, Error *error)
{
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "forces of a periodic box want one replica, not %d", shape->width);
  const Atoms *atoms = NULL;
  for (int b = 0; b < shape->nblock; b++)
    atoms = part[b].atoms != NULL ? part[b].atoms : atoms;
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    const int of = (part[b].water != NULL) + (part[b].species != NULL) + (part[b].atoms != NULL);
    const bool single = atoms_are(atoms, b), fits = single || kind->nsite == (part[b].water != NULL ? 3 : 1);
    if (of != 1 || kind->dim != 3 || !fits || part[b].atoms != (single ? atoms : NULL) ||
        (atoms != NULL && part[b].species != NULL))
      return error_set(error, STATUS_INPUT,
                       "kind %d (%s) of the box is neither a water nor of the one atom of a species", b + 1,
                       kind->name);
  }
  return STATUS_OK;
}

/* Each with the one site of its own. */
static void fill_atoms(MixtureKind *k, const Block *block)
{
  const Kind *kind = block->kind;
  k->map = (SiteMap){.name = kind->name, .natom = 1, .nsite = 1, .planar = true, .site = {kind->site[0]}};
  k->nmol = block->nlane * kind->nsite;
  k->mass[0] = kind->mass[0];
  for (int s = 1; s < kind->nsite; s++)
    k->mass[0] = fmin(k->mass[0], kind->mass[s]);
}

static Status allocate(Mixture *m, Error *error)
{
  const size_t n = (size_t)m->nblock, rows = m->atoms != NULL ? 2 : n; /* of water, and of all else */
  m->kind = arena_take(&m->arena, n, sizeof *m->kind);
  m->first = arena_take(&m->arena, n + 1, sizeof *m->first);
  m->lj = arena_take(&m->arena, n, sizeof *m->lj);
  double(*row)[2] = arena_take(&m->arena, rows * n, sizeof *row);
  TRY_ELSE(arena_check(&m->arena, "what is in a box", error), mixture_free(m));
  for (int b = 0; b < m->nblock; b++)
    m->lj[b] = row + (m->atoms == NULL ? n * (size_t)b : atoms_are(m->atoms, b) ? n : 0);
  return STATUS_OK;
}

void mixture_free(Mixture *m)
{
  arena_free(&m->arena);
  *m = (Mixture){0};
}

Status mixture_make(Mixture *mixture, const MixtureComponent *part, const State *shape, Error *error)
{
  TRY(check(part, shape, error));
  *mixture = (Mixture){.nblock = shape->nblock};
  for (int b = 0; b < shape->nblock; b++)
    mixture->atoms = part[b].atoms != NULL ? part[b].atoms : mixture->atoms;
  TRY(allocate(mixture, error));
  for (int b = 0; b < shape->nblock; b++) {
    MixtureKind *k = &mixture->kind[b];
    k->part = part[b];
    k->nmol = shape->block[b].nlane;
    if (part[b].atoms != NULL)
      fill_atoms(k, &shape->block[b]);
    else {
      k->map = part[b].water != NULL ? water_site_map(part[b].water) : species_site_map(part[b].species);
      fill_kind(k, shape->block[b].kind);
    }
    mixture->first[b] = mixture->nmol;
    mixture->nmol += k->nmol;
    mixture->first[b + 1] = mixture->nmol;
  }
  for (int a = 0; a < shape->nblock; a++)
    for (int b = 0; b < shape->nblock && !atoms_are(mixture->atoms, a); b++)
      species_mix(&mixture->kind[a].map, &mixture->kind[b].map, mixture->lj[a][b]);
  return STATUS_OK;
}

void mixture_sites(const Mixture *mixture, const State *state, int block, int molecule, double *x)
{
  const Block *const of = &state->block[block];
  const SiteMap *map = &mixture->kind[block].map;
  const int each = mixture->atoms != NULL ? mixture->atoms->each[block] : 1; /* molecules of a lane */
  double atom[3 * SITE_MAP_ATOMS];
  for (int k = 0; k < 3 * map->natom; k++)
    atom[k] = *state_element(of, of->q, 1, molecule / each, 0, molecule % each + k / 3, k % 3);
  site_map_sites(map, atom, x);
}
