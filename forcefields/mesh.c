#include "forcefields/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "forcefields/pme_exclusion.h"

/* --- creation ------------------------------------------------------------------------------------------- */

/* Interpolates at Chebyshev points to double precision; c as powers of w. */
static void make_erf(StageErf *e, double beta, double most)
{
  double cheb[STAGE_TERMS] = {0.0}, before[STAGE_TERMS] = {1.0}, power[STAGE_TERMS] = {0.0, 1.0};
  *e = (StageErf){.beta = beta, .scale = 2.0 / most, .most = most};
  for (int i = 0; i < STAGE_TERMS; i++) {
    const double angle = M_PI * (i + 0.5) / STAGE_TERMS, r2 = 0.5 * most * (1.0 + cos(angle));
    double none;
    const double value = -pme_exclusion_pair(beta, 1.0 / UNITS_COULOMB, r2, &none);
    for (int k = 0; k < STAGE_TERMS; k++)
      cheb[k] += (k == 0 ? 1.0 : 2.0) / STAGE_TERMS * value * cos(k * angle);
  }
  e->n = STAGE_TERMS;
  while (e->n > 2 && fabs(cheb[e->n - 1]) < 2e-16 * cheb[0])
    e->n--;
  for (int k = 0; k < e->n; k++) { /* before = T_k, power = T_k+1 */
    for (int i = 0; i <= k; i++)
      e->c[i] += cheb[k] * before[i];
    double next[STAGE_TERMS] = {0.0};
    for (int i = 0; i < STAGE_TERMS; i++)
      next[i] = (i > 0 ? 2.0 * power[i - 1] : 0.0) - before[i];
    memcpy(before, power, sizeof before);
    memcpy(power, next, sizeof power);
  }
}

static bool fits(const SiteMap *map, const Kind *kind)
{
  return kind->nsite == map->natom && kind->dim == 3 && map->planar == (map->nsite < SITE_MAP_SITES) &&
         (map->nsite == map->natom || map->charge[0] == 0.0);
}

/* The sites of one block; returns the largest squared distance of a pair that is subtracted. */
static double describe_block(StageCharged *sites, const SiteMap *map, const Kind *kind)
{
  const double stretch = 1.5;
  double x[3 * SITE_MAP_SITES], longest = 0.0;
  int pair = 0;
  const int from = site_map_first_charged(map->natom, map->nsite);
  sites->n = site_map_charged(map) ? map->nsite - from : 0;
  site_map_sites(map, kind->reference, x);
  for (int i = from; i < map->nsite; i++)
    for (int j = i + 1; j < map->nsite; j++) {
      double r2 = 0.0;
      for (int d = 0; d < 3; d++)
        r2 += (x[3 * i + d] - x[3 * j + d]) * (x[3 * i + d] - x[3 * j + d]);
      longest = fmax(longest, r2);
      sites->qq[pair++] = UNITS_COULOMB * map->charge[i] * map->charge[j];
    }
  return stretch * stretch * longest;
}

/* The same for individual atoms. Excluded pairs are mostly within three bonds, where the polynomial has its
 * full precision. */
static double describe_atoms(StageCharged *sites, const Atoms *atoms, int block, double beta)
{
  bool charged = false;
  for (int i = atoms->first[block]; i < atoms->first[block + 1]; i++)
    charged = charged || atoms->charge[i] != 0.0;
  sites->n = charged ? atoms->each[block] : 0;
  return atoms->nexcluded > 0 ? 6.0 / (beta * beta) : 0.0;
}

/* Describes the charged sites and counts them: 8 for each in a pack. */
static Status describe(Mesh *m, const MeshOptions *o, const State *shape, int *nsite, Error *error)
{
  double mass = 0.0, longest = 0.0;
  int64_t groups = 0;
  for (int k = 0; k < shape->nblock; k++) {
    const Block *block = &shape->block[k];
    StageCharged *const sites = &m->stage.block[k];
    const bool single = atoms_are(o->particles->atoms, k);
    if (!single && !fits(&o->particles->kind[k].map, block->kind))
      return error_set(error, STATUS_INPUT,
                       "the atoms of %s are not those of %s, which the mesh was made for", block->kind->name,
                       o->particles->kind[k].map.name);
    longest = fmax(longest, single ? describe_atoms(sites, o->particles->atoms, k, o->pme.beta)
                                   : describe_block(sites, &o->particles->kind[k].map, block->kind));
    mass += sites->n > 0 ? block->nlane * kind_mass(block->kind) : 0.0;
    sites->first = (int)(groups * LANES);
    groups += (int64_t)block->npack * sites->n;
    if (groups > INT32_MAX / LANES)
      return error_set(error, STATUS_INPUT, "too many charges for the mesh: at most %d are allowed",
                       INT32_MAX);
  }
  if (groups == 0)
    return error_set(error, STATUS_INPUT, "the mesh needs charges, and no site has one");
  if (longest > 0.0)
    make_erf(&m->stage.erf, o->pme.beta, longest);
  *nsite = (int)groups * LANES;
  for (int k = 0; k < shape->nblock; k++)
    for (int s = 0; s < o->particles->kind[k].map.natom; s++)
      m->stage.block[k].mass[s] =
          o->keep_net || mass == 0.0
              ? 0.0
              : (atoms_are(o->particles->atoms, k) ? 1.0 : shape->block[k].kind->mass[s]) / mass;
  return STATUS_OK;
}

static Status find_solute(Mesh *m, const MeshOptions *o, const State *shape, Error *error)
{
  const Atoms *const a = o->particles->atoms;
  m->strength = 1.0;
  if (a == NULL || a->solute == NULL)
    return STATUS_OK;
  m->solute = calloc((size_t)a->nrow, sizeof *m->solute);
  TRY_MEMORY(m->solute != NULL, "the mesh", error);
  for (int k = 0; k < shape->nblock; k++) {
    const StageCharged *b = &m->stage.block[k];
    for (int i = 0; i < shape->block[k].nlane * b->n && atoms_are(a, k); i++)
      if (a->solute[a->first[k] + i]) {
        const int lane = i / b->n, site = i % b->n;
        const double q = a->charge[a->first[k] + i];
        m->solute[m->nsolute++] =
            (MeshSolute){b->first + (lane / LANES * b->n + site) * LANES + lane % LANES, q};
        m->self_solute -= UNITS_COULOMB * o->pme.beta / sqrt(M_PI) * q * q;
      }
  }
  return STATUS_OK;
}

/* The charge of every site, 0 in tail lanes; their sum and self energy. */
static void charge_sites(Mesh *m, const MeshOptions *o, const State *shape, double *charge)
{
  double squares = 0.0;
  for (int k = 0; k < shape->nblock; k++) {
    const StageCharged *b = &m->stage.block[k];
    const SiteMap *map = &o->particles->kind[k].map;
    for (int s = 0; s < b->n && atoms_are(o->particles->atoms, k); s++)
      for (int i = 0; i < shape->block[k].nlane; i++) {
        const double q = o->particles->atoms->charge[o->particles->atoms->first[k] + i * b->n + s];
        charge[b->first + (i / LANES * b->n + s) * LANES + i % LANES] = q;
        m->charge += q;
        squares += q * q;
      }
    for (int s = 0; s < b->n && !atoms_are(o->particles->atoms, k); s++) {
      const double q = map->charge[site_map_first_charged(map->natom, map->nsite) + s];
      for (int i = 0; i < shape->block[k].nlane; i++)
        charge[b->first + (i / LANES * b->n + s) * LANES + i % LANES] = q;
      m->charge += shape->block[k].nlane * q;
      squares += shape->block[k].nlane * q * q;
    }
  }
  m->self = m->self_full = -UNITS_COULOMB * o->pme.beta / sqrt(M_PI) * squares;
}

static Status build(Mesh *m, const MeshOptions *o, const State *shape, Error *error)
{
  PmeOptions pme = o->pme;
  m->stage.block = calloc((size_t)shape->nblock, sizeof *m->stage.block);
  TRY_MEMORY(m->stage.block != NULL, "the mesh", error);
  TRY(describe(m, o, shape, &pme.nsite, error));
  SCOPED(scoped_free) double *charge = calloc((size_t)pme.nsite, sizeof *charge);
  TRY_MEMORY(charge != NULL, "the mesh", error);
  charge_sites(m, o, shape, charge);
  TRY(find_solute(m, o, shape, error));
  pme.charge = charge;
  TRY(pme_create(&m->pme, &pme, error));
  m->stage.mesh = pme_mesh(m->pme);
  m->stage.sites = pme_sites(m->pme);
  m->stage.precision = pme.precision;
  return STATUS_OK;
}

Status mesh_create(Mesh **mesh, const MeshOptions *o, const State *shape, Error *error)
{
  *mesh = NULL;
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "the mesh needs one replica in a state, not %d", shape->width);
  Mesh *m = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "the mesh", error);
  TRY_ELSE(build(m, o, shape, error), mesh_free(m));
  *mesh = m;
  return STATUS_OK;
}

void mesh_free(Mesh *m)
{
  if (m == NULL)
    return;
  pme_free(m->pme);
  free(m->stage.block);
  free(m->solute);
  free(m);
}

void mesh_set_strength(Mesh *m, double strength)
{
  if (strength == m->strength)
    return;
  for (int i = 0; i < m->nsolute; i++)
    pme_set_charge(m->pme, m->solute[i].site, strength * m->solute[i].charge);
  m->self = m->self_full - (1.0 - strength * strength) * m->self_solute;
  m->strength = strength;
}

void mesh_solve(const Mesh *m, const Team *team, PmeSums *sums, StageForces *forces)
{
  pme_solve(m->pme, team, sums);
  forces->mesh = &m->stage;
  forces->charged = pme_force(m->pme, forces->net);
}
