#include "forcefields/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/pme_exclusion.h"
#include "forcefields/pme_private.h"

struct Mesh {
  Pme *pme;
  double self;
  int nblock, nsite;
  StageMesh stage;
  PmeSums sums;
};

/* --- creation ------------------------------------------------------------------------------------------- */

/* By interpolation at Chebyshev's points, as far as digits go; c as powers of w. */
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

/* The sites of one block, and the longest distance between two that the mesh is to take out, squared. */
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

/* Which sites there are, and how many of them: 8 for each of a pack's. */
static Status describe(Mesh *m, const MeshOptions *o, const State *shape, Error *error)
{
  double mass = 0.0, longest = 0.0;
  int64_t groups = 0;
  for (int k = 0; k < m->nblock; k++) {
    const Block *block = &shape->block[k];
    StageCharged *const sites = &m->stage.block[k];
    if (!fits(&o->map[k], block->kind))
      return error_set(error, STATUS_INPUT, "%s does not have the atoms of %s that the mesh was made for",
                       block->kind->name, o->map[k].name);
    longest = fmax(longest, describe_block(sites, &o->map[k], block->kind));
    mass += sites->n > 0 ? block->nmol * kind_mass(block->kind) : 0.0;
    sites->first = (int)(groups * LANES);
    groups += (int64_t)block->npack * sites->n;
    if (groups > INT32_MAX / LANES)
      return error_set(error, STATUS_INPUT, "too many charges for the mesh: at most %d", INT32_MAX);
  }
  if (groups == 0)
    return error_set(error, STATUS_INPUT, "nothing has a charge: there is nothing for a mesh to do");
  if (longest > 0.0)
    make_erf(&m->stage.erf, o->beta, longest);
  m->nsite = (int)groups * LANES;
  for (int k = 0; k < m->nblock; k++)
    for (int s = 0; s < o->map[k].natom; s++)
      m->stage.block[k].mass[s] = o->keep_net ? 0.0 : shape->block[k].kind->mass[s] / mass;
  return STATUS_OK;
}

/* The charge of every site, 0 in tail lanes; the energy of all with themselves. Errors: they do not sum to
 * zero. */
static Status charge_sites(Mesh *m, const MeshOptions *o, const State *shape, double *charge, Error *error)
{
  double sum = 0.0, squares = 0.0;
  for (int k = 0; k < m->nblock; k++) {
    const StageCharged *b = &m->stage.block[k];
    const SiteMap *map = &o->map[k];
    for (int s = 0; s < b->n; s++) {
      const double q = map->charge[site_map_first_charged(map->natom, map->nsite) + s];
      for (int i = 0; i < shape->block[k].nmol; i++)
        charge[b->first + (i / LANES * b->n + s) * LANES + i % LANES] = q;
      sum += shape->block[k].nmol * q;
      squares += shape->block[k].nmol * q * q;
    }
  }
  m->self = -UNITS_COULOMB * o->beta / sqrt(M_PI) * squares;
  if (fabs(sum) <= 1e-9 * squares)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "the charges sum to %g e, and an Ewald sum wants 0: add ions of the opposite charge", sum);
}

static Status build(Mesh *m, const MeshOptions *o, const State *shape, Error *error)
{
  m->nblock = shape->nblock;
  Status status = describe(m, o, shape, error);
  if (status != STATUS_OK)
    return status;
  double *charge = calloc((size_t)m->nsite, sizeof *charge);
  if (charge == NULL)
    return error_memory(error, "the mesh");
  status = charge_sites(m, o, shape, charge, error);
  const PmeOptions pme = {.box = o->box,
                          .beta = o->beta,
                          .order = o->order,
                          .grid = {o->grid[0], o->grid[1], o->grid[2]},
                          .precision = o->precision,
                          .nsite = m->nsite,
                          .charge = charge,
                          .threads = o->threads,
                          .isa = o->isa,
                          .wisdom = o->wisdom};
  if (status == STATUS_OK)
    status = pme_create(&m->pme, &pme, error);
  free(charge);
  if (status == STATUS_OK) {
    m->stage.mesh = pme_mesh(m->pme);
    m->stage.sites = pme_sites(m->pme);
    m->stage.precision = o->precision;
  }
  return status;
}

Status mesh_create(Mesh **mesh, const MeshOptions *o, const State *shape, Error *error)
{
  *mesh = NULL;
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "the mesh wants one replica a state, not %d", shape->width);
  Mesh *m = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "the mesh");
  const Status status = build(m, o, shape, error);
  if (status != STATUS_OK) {
    mesh_free(m);
    return status;
  }
  *mesh = m;
  return STATUS_OK;
}

void mesh_free(Mesh *m)
{
  if (m == NULL)
    return;
  pme_free(m->pme);
  free(m);
}

Status mesh_set_box(Mesh *m, const Box *box, Error *error) { return pme_set_box(m->pme, box, error); }

const StageMesh *mesh_stage(const Mesh *m) { return &m->stage; }

void mesh_times(const Mesh *m, double seconds[PME_PARTS]) { pme_times(m->pme, seconds); }

/* --- one evaluation ---------------------------------------------------------------------------------------
 */

void mesh_count(Mesh *m, const Team *team) { pme_count(m->pme, team); }

void mesh_sort(Mesh *m, const Team *team) { pme_sort(m->pme, team); }

void mesh_solve(Mesh *m, const Team *team, bool sums, StageForces *forces)
{
  pme_solve(m->pme, team, sums ? &m->sums : NULL);
  forces->mesh = &m->stage;
  forces->charged = pme_force(m->pme, team, forces->net);
}

void mesh_sums(const Mesh *m, MeshSums *sums)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  *sums = (MeshSums){.reciprocal = m->sums.energy, .self = m->self};
  for (int i = 0; i < 6; i++)
    sums->virial[row[i]][column[i]] = sums->virial[column[i]][row[i]] = m->sums.virial[i];
  memcpy(sums->net, m->sums.net, sizeof sums->net);
}
