#include "forcefields/particles.h"

#include <math.h>

/* The kind's centre of mass is at the origin. */
static void fill_kind(ParticlesBlock *k, const Kind *kind)
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

static Status check(const WaterModel *water, const Atoms *atoms, const State *shape, Error *error)
{
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "forces of a periodic box need one replica in a state, not %d",
                     shape->width);
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    if (kind->dim != 3 || (!atoms_are(atoms, b) && (water == NULL || kind->nsite != 3)))
      return error_set(error, STATUS_INPUT,
                       "group type %d (%s) of the box is neither model water nor described by atoms", b + 1,
                       kind->name);
  }
  return STATUS_OK;
}

/* Individual atoms have one site each. */
static void fill_atoms(ParticlesBlock *k, const Block *block)
{
  const Kind *kind = block->kind;
  k->map = (SiteMap){.name = kind->name, .natom = 1, .nsite = 1, .planar = true, .site = {kind->site[0]}};
  k->nmol = block->nlane * kind->nsite;
  k->mass[0] = kind->mass[0];
  for (int s = 1; s < kind->nsite; s++)
    k->mass[0] = fmin(k->mass[0], kind->mass[s]);
}

static Status allocate(Particles *p, Error *error)
{
  p->kind = arena_take(&p->arena, (size_t)p->nblock, sizeof *p->kind);
  p->first = arena_take(&p->arena, (size_t)p->nblock + 1, sizeof *p->first);
  TRY_ELSE(arena_check(&p->arena, "the particles of a box", error), particles_free(p));
  return STATUS_OK;
}

void particles_free(Particles *p)
{
  arena_free(&p->arena);
  *p = (Particles){0};
}

Status particles_make(Particles *particles, const WaterModel *water, const Atoms *atoms, const State *shape,
                      Error *error)
{
  TRY(check(water, atoms, shape, error));
  *particles = (Particles){.nblock = shape->nblock, .atoms = atoms};
  TRY(allocate(particles, error));
  for (int b = 0; b < shape->nblock; b++) {
    ParticlesBlock *k = &particles->kind[b];
    k->nmol = shape->block[b].nlane;
    if (atoms_are(atoms, b))
      fill_atoms(k, &shape->block[b]);
    else {
      k->map = water_site_map(water);
      fill_kind(k, shape->block[b].kind);
    }
    particles->nmol += k->nmol;
    particles->first[b + 1] = particles->nmol;
  }
  return STATUS_OK;
}

void particles_sites(const Particles *particles, const State *state, int block, int molecule, double *x)
{
  const Block *const of = &state->block[block];
  const SiteMap *map = &particles->kind[block].map;
  const int each = particles->atoms != NULL ? particles->atoms->each[block] : 1; /* molecules in a lane */
  double atom[3 * SITE_MAP_ATOMS];
  for (int k = 0; k < 3 * map->natom; k++)
    atom[k] = *state_element(of, of->q, 1, molecule / each, 0, molecule % each + k / 3, k % 3);
  site_map_sites(map, atom, x);
}
