/* Staging and delivery of individual atoms: each atom of a lane has a row of its own. */
#include "forcefields/images_vec.h"
#include "forcefields/stage_vec.h"

/* A register of lanes of a pack: `n` of them count, and the first is lane m of the block. */
typedef struct Lanes {
  int pack, part, m, n;
} Lanes;

VEC_INLINE Lanes lanes_of(int pack, int part, int n)
{
  const int left = n - part * WIDTH;
  return (Lanes){pack, part, pack * LANES + part * WIDTH, left < 0 ? 0 : left < WIDTH ? left : WIDTH};
}

/* Index of atom a of a register in the charged sites. */
VEC_INLINE ptrdiff_t number_of(const StageCharged *charged, const Lanes at, int a)
{
  return charged->first + ((ptrdiff_t)at.pack * charged->n + a) * LANES + at.part * WIDTH;
}

/* --- positions ------------------------------------------------------------------------------------------ */

/* Writes atom a of a register of lanes, at x, to all outputs. */
VEC_INLINE vi stage_atom(const StageFrame *frame, const StageKind *kind, const vd x[3], const Lanes at, int a,
                         const StageOut *out)
{
  const double *const root = kind->atoms->root + kind->first;
  vd f[3], r[4] = {{0}};
  const vi sound = stage_wrap(frame->box, x, f, r);
  for (int l = 0; l < at.n; l++)
    r[3][l] = root[(at.m + l) * kind->each + a];
  int32_t o[WIDTH][4];
  if (out->o != NULL || out->single != NULL)
    stage_integer_rows(f, o);
  for (int l = 0; l < at.n && out->o != NULL; l++)
    memcpy(out->o[(at.m + l) * kind->each + a], o[l], sizeof o[l]);
  for (int l = 0; l < at.n && out->single != NULL; l++) {
    const float charge = (float)r[3][l];
    memcpy(&o[l][3], &charge, sizeof charge);
    memcpy((char *)out->single + (size_t)out->place[(at.m + l) * kind->each + a] * out->single_bytes, o[l],
           sizeof o[l]);
  }
  if (out->exact != NULL) {
    double rows[WIDTH][4];
    vd_rows4(r, rows[0]);
    for (int l = 0; l < at.n; l++)
      memcpy(out->exact + (size_t)out->place[(at.m + l) * kind->each + a] * out->stride, rows[l],
             sizeof rows[l]);
  }
  if (out->atom != NULL) {
    double rows[WIDTH][4];
    vd_rows4((const vd[4]){x[0], x[1], x[2], r[3]}, rows[0]);
    for (int l = 0; l < at.n; l++)
      memcpy(out->atom[kind->first + (at.m + l) * kind->each + a], rows[l], sizeof rows[l]);
  }
  if (out->mesh != NULL && out->mesh->block[out->block].n > 0)
    stage_mesh_site(out->mesh, f, number_of(&out->mesh->block[out->block], at, a));
  return sound;
}

/* The square of half the least height of the box, the limit of a group's reach. */
VEC_INLINE double torn(const Box *box)
{
  double least = box->h[0][0];
  for (int d = 1; d < 3; d++)
    least = box->h[d][d] < least ? box->h[d][d] : least;
  return 0.25 * least * least;
}

static unsigned stage(const StageFrame *frame, const StageKind *kind, const Vec8 *q, int pack, int n,
                      const StageOut *out)
{
  const double limit = torn(frame->box);
  unsigned sound = 0;
  for (int part = 0; part < REGISTERS; part++) {
    const Lanes at = lanes_of(pack, part, n);
    vi fine = (vi){0} - 1;
    for (int a = 0; a < kind->each; a++) {
      vd x[3], r[3];
      for (int d = 0; d < 3; d++) {
        x[d] = vd_load(q + 3 * a + d, part);
        r[d] = x[d] - vd_load(q + d, part);
      }
      fine &= stage_atom(frame, kind, x, at, a, out) & (vd_dot3(r, r) < limit);
    }
    sound |= vi_bits(fine) << part * WIDTH;
  }
  return ~sound & ((1u << n) - 1u);
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* A partner of each lane at distance d[3], with C q q: g[3] += the force, w[STAGE_SUMS] += half of energy and
 * virial. */
VEC_INLINE void partner(const StageForces *forces, const vd d[3], vd qq, vd *g, vd *w)
{
  const vd r2 = vd_dot3(d, d);
  vd factor = vd_set(0.0), energy = vd_set(0.0);
  if (forces->mesh != NULL) {
    vd value, slope;
    stage_potentials(&forces->mesh->erf, 1, &r2, &value, &slope);
    factor = 2.0 * qq * slope;
    energy = -qq * value;
  }
  if (forces->field != NULL) {
    const vd within = vd_where(r2 < forces->field->cutoff2, qq);
    factor -= 2.0 * forces->field->k * within;
    energy += within * (forces->field->k * r2 - forces->field->c);
  }
  w[0] += 0.5 * energy;
  for (int k = 0; k < 3; k++) {
    const vd force = factor * d[k];
    g[k] += force;
    for (int e = 0; e < 3; e++)
      w[1 + 3 * e + k] += 0.5 * d[e] * force;
  }
}

/* The mesh's and the reaction field's interaction of atom a of a register with its excluded partners. */
VEC_INLINE void excluded(const StageKind *kind, const StageForces *forces, const Lanes at, int a, vd *g,
                         vd *w)
{
  const Atoms *const atoms = kind->atoms;
  const int *of[WIDTH];
  int count[WIDTH], most = 0;
  uint64_t rows[WIDTH];
  vd own[4], other[4], d[3];
  for (int l = 0; l < WIDTH; l++) {
    const int row = kind->first + (l < at.n ? (at.m + l) * kind->each + a : 0), begin = atoms->begin[row];
    of[l] = atoms->partner + begin;
    count[l] = l < at.n ? atoms->begin[row + 1] - begin : 0;
    most = count[l] > most ? count[l] : most;
    rows[l] = (uint64_t)row * sizeof *forces->atom;
  }
  if (most == 0)
    return;
  vd_gather4(forces->atom[0], rows, own);
  for (int k = 0; k < most; k++) {
    vd there = {0};
    for (int l = 0; l < WIDTH; l++)
      if (k < count[l]) {
        rows[l] = (uint64_t)of[l][k] * sizeof *forces->atom;
        there[l] = 1.0;
      }
    vd_gather4(forces->atom[0], rows, other);
    for (int e = 0; e < 3; e++)
      d[e] = own[e] - other[e];
    images_of_box(kind->box, d);
    partner(forces, d, there * (own[3] * other[3]), g, w);
  }
}

/* g[3] += 64-bit forces of pairs. */
VEC_INLINE void add_exact(const StageKind *kind, const StageForces *forces, const Lanes at, int a, vd *g)
{
  int64_t rows[WIDTH][4] = {{0}};
  vd column[3];
  for (int l = 0; l < at.n; l++)
    memcpy(rows[l], forces->exact + (size_t)forces->place[(at.m + l) * kind->each + a] * forces->stride,
           sizeof rows[l]);
  vd_columns3((const double *)rows[0], column); /* only moves bits */
  UNROLL
  for (int d = 0; d < 3; d++)
    g[d] += (1.0 / (double)(INT64_C(1) << WATER_FLOAT_EXACT_BITS)) * vd_from_integers((vi)column[d]);
}

/* The same for 32 bits. */
VEC_INLINE void add_single(const StageKind *kind, const StageForces *forces, const Lanes at, int a, vd *g)
{
  for (int l = 0; l < at.n; l++) {
    const int32_t *const from =
        forces->single + (size_t)forces->place[(at.m + l) * kind->each + a] * forces->single_ints;
    for (int d = 0; d < 3; d++)
      g[d][l] += (1.0 / (1 << WATER_FLOAT_FORCE_BITS)) * from[d];
  }
}

VEC_INLINE void deliver_atom(const StageKind *kind, const Lanes at, int a, const StageForces *forces, Vec8 *f,
                             int64_t *sums)
{
  const StageCharged *const own = forces->mesh != NULL && forces->mesh->block[forces->block].n > 0
                                      ? &forces->mesh->block[forces->block]
                                      : NULL;
  vd g[3] = {{0}}, w[STAGE_SUMS] = {{0}};
  if (own != NULL)
    stage_read_mesh(forces, 1, number_of(own, at, a), g);
  if (forces->exact != NULL)
    add_exact(kind, forces, at, a, g);
  if (forces->single != NULL)
    add_single(kind, forces, at, a, g);
  if (forces->atom != NULL && (forces->mesh != NULL || forces->field != NULL))
    excluded(kind, forces, at, a, g, w);
  if (sums != NULL)
    stage_add_sums(w, at.n, sums);
  const double mass = own != NULL ? own->mass[0] * kind->atoms->mass[kind->first + a] : 0.0;
  UNROLL
  for (int d = 0; d < 3; d++) {
    const vd force = vd_select(vi_lanes() < (int64_t)at.n, g[d] - mass * forces->net[d], vd_set(0.0));
    vd_store(f + 3 * a + d, at.part, forces->fill ? force : vd_load(f + 3 * a + d, at.part) + force);
  }
}

static void deliver(const StageKind *kind, const Vec8 *q, int pack, int n, const StageForces *forces, Vec8 *f,
                    int64_t *sums)
{
  (void)q; /* positions are in `atom` */
  for (int part = 0; part < REGISTERS; part++)
    for (int a = 0; a < kind->each; a++)
      deliver_atom(kind, lanes_of(pack, part, n), a, forces, f, sums);
}

const StageKernels ISA_SYMBOL(stage_atoms_kernels_table) = {stage, deliver};
