#include "forcefields/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/mesh_kernels.h"
#include "forcefields/pme_exclusion.h"
#include "forcefields/pme_private.h"

/* Sums are made share by share, whoever works on it. 120 divides evenly among most teams. */
enum { SHARES = 120 };

typedef struct Share {
  double sum[MESH_SUMS]; /* of pairs inside molecules                      */
  int block, molecule;   /* the first that is nowhere, or -1               */
} Share;

struct Mesh {
  const MeshKernels *kernels;
  PmePrecision precision;
  Pme *pme;
  double length[3], self;
  int nblock, ngroup;
  MeshBlock *block; /* [nblock]                                          */
  MeshErf erf;
  Share *share; /* [SHARES]                                              */
};

/* --- creation ------------------------------------------------------------------------------------------- */

/* By interpolation at Chebyshev's points, as far as digits go; c as powers of w. */
static void make_erf(MeshErf *e, double beta, double most)
{
  double cheb[MESH_TERMS] = {0.0}, before[MESH_TERMS] = {1.0}, power[MESH_TERMS] = {0.0, 1.0};
  *e = (MeshErf){.beta = beta, .scale = 2.0 / most, .most = most};
  for (int i = 0; i < MESH_TERMS; i++) {
    const double angle = M_PI * (i + 0.5) / MESH_TERMS, r2 = 0.5 * most * (1.0 + cos(angle));
    double none;
    const double value = -pme_exclusion_pair(beta, 1.0 / UNITS_COULOMB, r2, &none);
    for (int k = 0; k < MESH_TERMS; k++)
      cheb[k] += (k == 0 ? 1.0 : 2.0) / MESH_TERMS * value * cos(k * angle);
  }
  e->n = MESH_TERMS;
  while (e->n > 2 && fabs(cheb[e->n - 1]) < 2e-16 * cheb[0])
    e->n--;
  for (int k = 0; k < e->n; k++) { /* before = T_k, power = T_k+1 */
    for (int i = 0; i <= k; i++)
      e->c[i] += cheb[k] * before[i];
    double next[MESH_TERMS] = {0.0};
    for (int i = 0; i < MESH_TERMS; i++)
      next[i] = (i > 0 ? 2.0 * power[i - 1] : 0.0) - before[i];
    memcpy(before, power, sizeof before);
    memcpy(power, next, sizeof power);
  }
}

/* Virtual sites have the charge of the first atom. */
static bool fits(const SiteMap *map, const Kind *kind)
{
  return kind->nsite == map->natom && kind->dim == 3 && map->planar == (map->nsite < SITE_MAP_SITES) &&
         (map->nsite == map->natom || map->charge[0] == 0.0);
}

/* The sites of one block, and the longest distance between two that the mesh is to take out, squared. */
static double describe_block(MeshBlock *b, const SiteMap *map, const Kind *kind)
{
  const double stretch = 1.5;
  double x[3 * SITE_MAP_SITES], longest = 0.0;
  int pair = 0;
  b->map = *map;
  b->from = map->nsite > map->natom ? 1 : 0;
  b->n = site_map_charged(map) ? map->nsite - b->from : 0;
  site_map_sites(map, kind->reference, x);
  for (int i = b->from; i < map->nsite; i++)
    for (int j = i + 1; j < map->nsite; j++) {
      double r2 = 0.0;
      for (int d = 0; d < 3; d++)
        r2 += (x[3 * i + d] - x[3 * j + d]) * (x[3 * i + d] - x[3 * j + d]);
      longest = fmax(longest, r2);
      b->qq[pair++] = UNITS_COULOMB * map->charge[i] * map->charge[j];
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
    MeshBlock *b = &m->block[k];
    if (!fits(&o->map[k], block->kind))
      return error_set(error, STATUS_INPUT, "%s has not the atoms of %s, as the mesh was told",
                       block->kind->name, o->map[k].name);
    longest = fmax(longest, describe_block(b, &o->map[k], block->kind));
    b->npack = block->npack;
    mass += b->n > 0 ? block->nmol * kind_mass(block->kind) : 0.0;
    b->first = (int)(groups * LANES);
    groups += (int64_t)b->npack * b->n;
    if (groups > INT32_MAX / LANES)
      return error_set(error, STATUS_INPUT, "too many charges for the mesh: at most %d", INT32_MAX);
  }
  if (groups == 0)
    return error_set(error, STATUS_INPUT, "nothing is charged: a mesh has nothing to do");
  if (longest > 0.0)
    make_erf(&m->erf, o->beta, longest);
  m->ngroup = (int)groups;
  for (int k = 0; k < m->nblock; k++)
    for (int s = 0; s < m->block[k].map.natom; s++)
      m->block[k].mass[s] = o->keep_net ? 0.0 : shape->block[k].kind->mass[s] / mass;
  return STATUS_OK;
}

/* The charge of every site, 0 in tail lanes; the energy of all with themselves. Errors: they do not sum to
 * zero. */
static Status charge_sites(Mesh *m, const MeshOptions *o, const State *shape, double *charge, Error *error)
{
  double sum = 0.0, squares = 0.0;
  for (int k = 0; k < m->nblock; k++) {
    const MeshBlock *b = &m->block[k];
    for (int s = 0; s < b->n; s++) {
      const double q = b->map.charge[b->from + s];
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
  static const MeshKernels *const sets[ISA_COUNT] = ISA_TABLES(mesh_kernels_table);
  m->precision = o->precision;
  m->nblock = shape->nblock;
  memcpy(m->length, o->length, sizeof m->length);
  m->block = calloc((size_t)shape->nblock, sizeof *m->block);
  m->share = calloc(SHARES, sizeof *m->share);
  if (m->block == NULL || m->share == NULL)
    return error_memory(error, "the mesh");
  Status status = describe(m, o, shape, error);
  if (status != STATUS_OK)
    return status;
  const int nsite = m->ngroup * LANES;
  double *charge = calloc((size_t)nsite, sizeof *charge);
  if (charge == NULL)
    return error_memory(error, "the mesh");
  status = charge_sites(m, o, shape, charge, error);
  const PmeOptions pme = {.length = {o->length[0], o->length[1], o->length[2]},
                          .beta = o->beta,
                          .order = o->order,
                          .grid = {o->grid[0], o->grid[1], o->grid[2]},
                          .precision = o->precision,
                          .nsite = nsite,
                          .charge = charge,
                          .threads = o->threads,
                          .isa = o->isa,
                          .wisdom = o->wisdom};
  if (status == STATUS_OK)
    status = pme_create(&m->pme, &pme, error);
  free(charge);
  if (status == STATUS_OK)
    m->kernels = sets[o->isa];
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
  free(m->block);
  free(m->share);
  free(m);
}

Status mesh_set_box(Mesh *m, const double length[3], Error *error)
{
  const Status status = pme_set_box(m->pme, length, error);
  if (status == STATUS_OK)
    memcpy(m->length, length, sizeof m->length);
  return status;
}

void mesh_times(const Mesh *m, double seconds[PME_PARTS]) { pme_times(m->pme, seconds); }

/* --- one evaluation ---------------------------------------------------------------------------------------
 */

/* What one call of mesh_add is about. */
typedef struct Call {
  const Mesh *mesh;
  State *state;
  bool sums;
} Call;

/* Which packs of block k share `share` has: those whose first site is in its part of all groups. */
static PmeRange packs_of(const Mesh *m, int k, int share)
{
  const MeshBlock *b = &m->block[k];
  const int64_t from = b->first / LANES;
  int cut[2];
  for (int end = 0; end < 2; end++) {
    const int64_t group = (int64_t)m->ngroup * (share + end) / SHARES - from;
    const int64_t pack = group <= 0 ? 0 : (group + b->n - 1) / b->n;
    cut[end] = pack < b->npack ? (int)pack : b->npack;
  }
  return (PmeRange){cut[0], cut[1]};
}

/* The first molecule of a pack that has a coordinate which is nowhere. */
static int molecule_in(const Mesh *m, const Block *block, int pack)
{
  const int n = block->kind->nsite * 3;
  for (int l = 0; l < LANES; l++)
    for (int k = 0; k < n; k++)
      if (!(fabs(block->q[(ptrdiff_t)pack * n + k][l]) < MESH_BOXES * m->length[k % 3]) &&
          block->active[pack][l] != 0.0)
        return pack * LANES + l;
  return pack * LANES;
}

static void stage_share(const Call *call, int k, const PmeMesh *mesh, const PmeSites *out, PmeRange *range)
{
  const Mesh *m = call->mesh;
  const double scale[3] = {1.0 / m->length[0], 1.0 / m->length[1], 1.0 / m->length[2]};
  Share *share = &m->share[k];
  share->block = -1;
  for (int i = 0; i < m->nblock; i++) {
    const Block *block = &call->state->block[i];
    const MeshBlock *b = &m->block[i];
    if (b->n == 0)
      continue;
    const PmeRange r = packs_of(m, i, k);
    if (r.begin == r.end)
      continue;
    const int pack =
        m->kernels->stage[m->precision](mesh, b, scale, block->q, block->active, r.begin, r.end, out);
    if (pack >= 0 && share->block < 0) {
      share->block = i;
      share->molecule = molecule_in(m, block, pack);
    }
    if (range->begin < 0)
      range->begin = b->first + r.begin * b->n * LANES;
    range->end = b->first + r.end * b->n * LANES;
  }
}

static PmeRange stage(const void *self, const Team *team, const PmeMesh *mesh, const PmeSites *out)
{
  PmeRange range = {-1, -1};
  int begin, end;
  team_range(team, SHARES, &begin, &end);
  for (int k = begin; k < end; k++)
    stage_share(self, k, mesh, out, &range);
  return range;
}

/* The first that is nowhere, or NULL. */
static const Share *unfit(const Mesh *m)
{
  for (int k = 0; k < SHARES; k++)
    if (m->share[k].block >= 0)
      return &m->share[k];
  return NULL;
}

static void deliver(const void *self, const Team *team, const void *force, const double net[3])
{
  const Call *call = self;
  const Mesh *m = call->mesh;
  if (unfit(m) != NULL)
    return;
  int begin, end;
  team_range(team, SHARES, &begin, &end);
  for (int k = begin; k < end; k++) {
    memset(m->share[k].sum, 0, sizeof m->share[k].sum);
    for (int i = 0; i < m->nblock; i++) {
      const Block *block = &call->state->block[i];
      if (m->block[i].n == 0)
        continue;
      const PmeRange r = packs_of(m, i, k);
      m->kernels->deliver[m->precision](&m->block[i], &m->erf, force, net, block->q, block->active, r.begin,
                                        r.end, block->f, call->sums ? m->share[k].sum : NULL);
    }
  }
}

static void sum_up(const Mesh *m, const PmeSums *pme, MeshSums *sums)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double inside[MESH_SUMS] = {0.0};
  for (int k = 0; k < SHARES; k++)
    for (int i = 0; i < MESH_SUMS; i++)
      inside[i] += m->share[k].sum[i];
  *sums = (MeshSums){.reciprocal = pme->energy, .self = m->self, .intramolecular = inside[0]};
  for (int i = 0; i < 6; i++)
    sums->virial[row[i]][column[i]] = sums->virial[column[i]][row[i]] = pme->virial[i] + inside[1 + i];
  memcpy(sums->net, pme->net, sizeof sums->net);
}

static Status say_unfit(const Share *share, const State *state, Error *error)
{
  const Block *block = &state->block[share->block];
  double x[3];
  for (int d = 0; d < 3; d++)
    x[d] = ((const double *)block->q)[state_index(block, 1, share->molecule, 0, 0, d)];
  return error_set(error, STATUS_RUN, "molecule %d of kind %s is at (%g, %g, %g) A: the run has blown up",
                   share->molecule + 1, block->kind->name, x[0], x[1], x[2]);
}

Status mesh_add(Mesh *m, const Team *team, State *state, MeshSums *sums, Error *error)
{
  const Call call = {m, state, sums != NULL};
  PmeSums pme; /* of the first of the team */
  pme_work(m->pme, team, &(PmeUser){&call, stage, deliver}, sums != NULL ? &pme : NULL);
  const Share *bad = unfit(m);
  if (sums != NULL && team->rank == 0)
    sum_up(m, &pme, sums);
  const Status status = bad == NULL ? STATUS_OK : say_unfit(bad, state, error);
  team_barrier(team); /* the next call will write what has been read here */
  return status;
}
