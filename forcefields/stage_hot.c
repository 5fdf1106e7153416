#include "forcefields/stage_vec.h"

/* --- positions ------------------------------------------------------------------------------------------ */

/* Vectors to the two hydrogens, on the grid. */
VEC_INLINE void float_rows(const StageFrame *frame, const vd r[9], float rows[2][WIDTH][4])
{
  /* The last place of the float that rounds to the grid. */
  const double grid = frame->grid / (1.5 * 8388608.0), scale = 1.0 / (frame->unit * grid);
  UNROLL
  for (int b = 0; b < 2; b++) {
    vh h[4] = {{0}};
    UNROLL
    for (int d = 0; d < 3; d++)
      h[d] = __builtin_convertvector(vd_whole(r[3 * b + 3 + d] * scale) * grid, vh);
    vh_rows4(h, rows[b][0]);
  }
}

/* Charged sites of molecules from number m on: f[3] of the first site, r of the others, in fractions and as
 * vectors. */
VEC_INLINE void mesh_rows(const SiteShape shape, const StageFrame *frame, const StageMesh *mesh,
                          const StageCharged *charged, const vd *f, const vd *r, int m)
{
  const int from = site_shape_charged(shape), n = shape.nsite - from;
  UNROLL
  for (int s = from; s < shape.nsite; s++) {
    const ptrdiff_t at = charged->first + ((ptrdiff_t)(m / LANES) * n + s - from) * LANES + m % LANES;
    vd u[3];
    UNROLL
    for (int d = 0; d < 3; d++)
      u[d] = s == 0 ? f[d] : stage_fraction(frame->box, f[d], r + 3 * s, d);
    stage_mesh_site(mesh, u, at);
  }
}

/* One register of a pack, whose first molecule is number m of the block; returns the mask of valid lanes. */
VEC_INLINE vi stage_part(const SiteShape shape, const StageFrame *frame, const StageKind *kind, const Vec8 *q,
                         const int part, int m, int n, const StageOut *out)
{
  vd x[3 * SITE_MAP_ATOMS], r[3 * SITE_MAP_SITES], f[3];
  vi sound = (vi){0} - 1;
  site_map_load(shape, &kind->map, q, part, x, r);
  UNROLL
  for (int a = 1; a < SITE_MAP_ATOMS; a++)
    sound &= vd_dot3(r + 3 * a, r + 3 * a) <= kind->reach2[a]; /* false for NaN */
  sound &= stage_wrap(frame->box, x, f, r);
  int32_t o[WIDTH][4];
  if (out->o != NULL || out->single != NULL)
    stage_integer_rows(f, o);
  for (int l = 0; l < n && out->o != NULL; l++)
    memcpy(out->o[m + l], o[l], sizeof o[l]);
  if (out->single != NULL) {
    float h[2][WIDTH][4];
    float_rows(frame, r, h);
    for (int l = 0; l < n; l++) {
      WaterFloatRow *const row = (WaterFloatRow *)out->single + out->place[m + l];
      memcpy(row->o, o[l], sizeof row->o);
      memcpy(row->h1, h[0][l], sizeof row->h1);
      memcpy(row->h2, h[1][l], sizeof row->h2);
    }
  }
  if (out->exact != NULL) {
    double rows[SITE_MAP_SITES][WIDTH][4];
    UNROLL
    for (int s = 0; s < shape.nsite; s++)
      vd_rows4((const vd[4]){r[3 * s], r[3 * s + 1], r[3 * s + 2], vd_set(0.0)}, rows[s][0]);
    for (int l = 0; l < n; l++)
      for (int s = 0; s < shape.nsite; s++)
        memcpy(out->exact + (size_t)out->place[m + l] * out->stride + 4 * s, rows[s][l], sizeof rows[s][l]);
  }
  if (out->mesh != NULL && out->mesh->block[out->block].n > 0)
    mesh_rows(shape, frame, out->mesh, &out->mesh->block[out->block], f, r, m);
  return sound;
}

VEC_INLINE unsigned stage_pack(const SiteShape shape, const StageFrame *frame, const StageKind *kind,
                               const Vec8 *q, int pack, int n, const StageOut *out)
{
  unsigned sound = 0;
  for (int part = 0; part < REGISTERS; part++) {
    const int left = n - part * WIDTH;
    sound |= vi_bits(stage_part(shape, frame, kind, q, part, pack * LANES + part * WIDTH,
                                left < WIDTH ? left : WIDTH, out))
             << part * WIDTH;
  }
  return ~sound & ((1u << n) - 1u);
}

static unsigned stage(const StageFrame *frame, const StageKind *kind, const Vec8 *q, int pack, int n,
                      const StageOut *out)
{
#define STAGE(shape) stage_pack(shape, frame, kind, q, pack, n, out)
  return SITE_SHAPE(kind->map.nsite, STAGE);
}

/* --- forces --------------------------------------------------------------------------------------------- */

typedef int32_t Half __attribute__((vector_size(4 * WIDTH)));

/* g += 32-bit forces on three atoms. */
VEC_INLINE void add_single(const StageForces *forces, int m, int n, vd *g)
{
  int32_t rows[3][WIDTH][4] = {{{0}}};
  for (int l = 0; l < n; l++) {
    const int32_t *from = forces->single + (size_t)forces->place[m + l] * WATER_FLOAT_INTS;
    for (int b = 0; b < 3; b++)
      memcpy(rows[b][l], from + 4 * b, sizeof rows[b][l]);
  }
  UNROLL
  for (int b = 0; b < 3; b++) {
    vh column[3];
    vh_columns3((const float *)rows[b][0], column); /* only moves bits */
    UNROLL
    for (int d = 0; d < 3; d++)
      g[3 * b + d] += (1.0 / (1 << WATER_FLOAT_FORCE_BITS)) * __builtin_convertvector((Half)column[d], vd);
  }
}

/* The same for 64 bits, on all sites. */
VEC_INLINE void add_exact(const SiteShape shape, const StageForces *forces, int m, int n, vd *g)
{
  int64_t rows[SITE_MAP_SITES][WIDTH][4] = {{{0}}};
  for (int l = 0; l < n; l++) {
    const int64_t *from = forces->exact + (size_t)forces->place[m + l] * forces->stride;
    for (int s = 0; s < shape.nsite; s++)
      memcpy(rows[s][l], from + 4 * s, sizeof rows[s][l]);
  }
  UNROLL
  for (int s = 0; s < shape.nsite; s++) {
    vd column[3];
    vd_columns3((const double *)rows[s][0], column); /* only moves bits */
    UNROLL
    for (int d = 0; d < 3; d++)
      g[3 * s + d] +=
          (1.0 / (double)(INT64_C(1) << WATER_FLOAT_EXACT_BITS)) * vd_from_integers((vi)column[d]);
  }
}

/* Subtracts the mesh's interaction of pairs inside molecules x[n][3], from any origin, from forces f[n][3];
 * returns the energy. */
VEC_INLINE vd exclude(const double *qq, const StageErf *e, const int n, const vd *x, vd *f)
{
  vd r[STAGE_PAIRS][3], r2[STAGE_PAIRS], value[STAGE_PAIRS], slope[STAGE_PAIRS], energy = vd_set(0.0);
  int pair = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    UNROLL
    for (int j = i + 1; j < n; j++, pair++) {
      UNROLL
      for (int d = 0; d < 3; d++)
        r[pair][d] = x[3 * i + d] - x[3 * j + d];
      r2[pair] = vd_dot3(r[pair], r[pair]);
    }
  }
  stage_potentials(e, pair, r2, value, slope);
  pair = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    UNROLL
    for (int j = i + 1; j < n; j++, pair++) {
      const vd factor = 2.0 * qq[pair] * slope[pair];
      UNROLL
      for (int d = 0; d < 3; d++) {
        f[3 * i + d] += factor * r[pair][d];
        f[3 * j + d] -= factor * r[pair][d];
      }
      energy -= qq[pair] * value[pair];
    }
  }
  return energy;
}

/* w[9] += sign r_x g_y of sites 1..n-1. */
VEC_INLINE void add_virial(const vd *r, const vd *g, const int n, double sign, vd *w)
{
  for (int k = 0; k < 9; k++) {
    UNROLL
    for (int s = 1; s < n; s++)
      w[k] += sign * r[3 * s + k / 3] * g[3 * s + k % 3];
  }
}

/* The virial is the atomic one less that of charged sites under the mesh's forces, which the mesh adds. */
VEC_INLINE void deliver_part(const SiteShape shape, const StageKind *kind, const Vec8 *q, const int part,
                             int m, int n, const StageForces *forces, Vec8 *f, int64_t *sums)
{
  const int from = site_shape_charged(shape), charged = shape.nsite - from;
  const StageCharged *const own = forces->mesh != NULL && forces->mesh->block[forces->block].n > 0
                                      ? &forces->mesh->block[forces->block]
                                      : NULL;
  vd x[3 * SITE_MAP_ATOMS], r[3 * SITE_MAP_SITES], g[3 * SITE_MAP_SITES], w[STAGE_SUMS];
  UNROLL
  for (int k = 0; k < 3 * shape.nsite; k++)
    g[k] = vd_set(0.0);
  UNROLL
  for (int k = 0; k < STAGE_SUMS; k++)
    w[k] = vd_set(0.0);
  site_map_load(shape, &kind->map, q, part, x, r);
  if (own != NULL)
    stage_read_mesh(forces, charged, own->first + (ptrdiff_t)(m / LANES) * charged * LANES + m % LANES,
                    g + 3 * from);
  if (sums != NULL)
    add_virial(r, g, shape.nsite, -1.0, w + 1);
  if (own != NULL && charged > 1)
    w[0] = exclude(own->qq, &forces->mesh->erf, charged, r + 3 * from, g + 3 * from);
  if (forces->single != NULL)
    add_single(forces, m, n, g);
  if (forces->exact != NULL)
    add_exact(shape, forces, m, n, g);
  site_map_spread_vd(&kind->map, shape.nsite, shape.planar, r, g);
  if (sums != NULL) {
    add_virial(r, g, SITE_MAP_ATOMS, 1.0, w + 1);
    stage_add_sums(w, n, sums);
  }
  UNROLL
  for (int k = 0; k < 3 * SITE_MAP_ATOMS; k++) {
    const vd net = vd_set(own != NULL ? own->mass[k / 3] * forces->net[k % 3] : 0.0);
    g[k] = vd_select(vi_lanes() < (int64_t)n, g[k] - net, vd_set(0.0));
  }
  UNROLL
  for (int k = 0; k < 3 * SITE_MAP_ATOMS; k++)
    vd_store(f + k, part, forces->fill ? g[k] : vd_load(f + k, part) + g[k]);
}

VEC_INLINE void deliver_pack(const SiteShape shape, const StageKind *kind, const Vec8 *q, int pack, int n,
                             const StageForces *forces, Vec8 *f, int64_t *sums)
{
  for (int part = 0; part < REGISTERS; part++) {
    const int left = n - part * WIDTH;
    deliver_part(shape, kind, q, part, pack * LANES + part * WIDTH, left < WIDTH ? left : WIDTH, forces, f,
                 sums);
  }
}

static void deliver(const StageKind *kind, const Vec8 *q, int pack, int n, const StageForces *forces, Vec8 *f,
                    int64_t *sums)
{
#define DELIVER(shape) deliver_pack(shape, kind, q, pack, n, forces, f, sums)
  SITE_SHAPE(kind->map.nsite, DELIVER);
}

const StageKernels ISA_SYMBOL(stage_kernels_table) = {stage, deliver};
