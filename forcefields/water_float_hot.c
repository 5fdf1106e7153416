/* Pairs of waters in float: one molecule with a register of partners from its list.
 *
 * Exchanging the two molecules changes only the sign of each result, and forces are summed as integers:
 * sums do not depend on the order of the list. Products are therefore fused explicitly here, not by the
 * compiler. Positions are on a grid so coarse that their sums and differences are exact.
 *
 * The remainder of a list that does not fill a register waits in a queue for pairs of other molecules. */
#include "forcefields/water_float_vec.h"

/* Fewer lanes than this are queued: a full register of the queue takes about a third longer than one of a
 * list. */
enum { FEW = FLOATS * 3 / 4, QUEUE = 2 * FLOATS };

typedef struct Constants {
  vf scale[3], grid, weight, rest, a12, c6, cutoff2, near;
  vf a, c, shift, virial; /* of the sums */
  vf start, per, slope;   /* of the switch: t = per*r - start */
  vf bend[2], work[2];    /* of a force switch: p and q, see WaterFloatUnits */
  const WaterFloatModel *model;
} Constants;

typedef struct Tables {
  Table force, energy;
} Tables;

typedef struct Result {
  vif on[3][3], back[3][3]; /* forces on j, minus those on i */
  vif sum[WATER_FLOAT_SUMS];
  unsigned close; /* lanes that are too close */
} Result;

VEC_INLINE Constants constants_of(const WaterFloatModel *m)
{
  const WaterFloatUnits *f = &m->floats;
  Constants c = {.grid = vf_set(f->grid),
                 .weight = vf_set(m->weight),
                 .rest = vf_set(1.0 - 2.0 * m->weight),
                 .a12 = vf_set(f->a12),
                 .c6 = vf_set(f->c6),
                 .cutoff2 = vf_set(f->cutoff2),
                 .near = vf_set(f->near),
                 .a = vf_set(f->a),
                 .c = vf_set(f->c),
                 .shift = vf_set(f->shift),
                 .virial = vf_set(f->virial),
                 .start = vf_set(f->start),
                 .per = vf_set(f->per),
                 .slope = vf_set(f->slope),
                 .model = m};
  for (int d = 0; d < 3; d++)
    c.scale[d] = vf_set(f->h[d][d]);
  for (int k = 0; k < 2; k++) {
    c.bend[k] = vf_set(f->a12 * f->bend[0][k] - f->c6 * f->bend[1][k]);
    c.work[k] = vf_set(f->work[k]);
  }
  return c;
}

/* --- the force ------------------------------------------------------------------------------------------ */

enum { PAIRS = 9 /* of charges */ };

/* The energy of nine pairs from those of unit charges. */
VEC_INLINE vf sum_of(const vf e[PAIRS])
{
  const vf h = (e[4] + e[8]) + (e[5] + e[7]), o = (e[1] + e[2]) + (e[3] + e[6]);
  return vf_fma(vf_set(4.0), e[0], vf_fma(vf_set(-2.0), o, h));
}

/* Sums of the lanes that count, from forces g on j and back on i. */
VEC_INLINE void make_sums(const Constants *c, vfm counts, vf lj, vf real, const vf d[3], vf g[3][3],
                          vf back[3][3], vif sum[WATER_FLOAT_SUMS])
{
  sum[0] = vif_round_where(counts, lj);
  sum[1] = vif_round_where(counts, real);
  vf f[3];
  UNROLL
  for (int k = 0; k < 3; k++)
    f[k] = c->virial * ((g[0][k] + (g[1][k] + g[2][k])) + (back[0][k] + (back[1][k] + back[2][k])));
  UNROLL
  for (int k = 0; k < 9; k++)
    sum[2 + k] = vif_round_where(counts, d[k / 3] * f[k % 3]);
}

/* The interaction of two oxygens. */
typedef struct Contact {
  vf d[3], s; /* their vector and its square */
  vfm counts;
  vf lj, lj_energy; /* minus the derivative over the distance; the energy */
  vf share, slope;  /* of the switch, if any */
} Contact;

/* Whether v requires energies of charges. */
VEC_INLINE bool has_energies(WaterFloatVariant v)
{
  return v.sums || v.switching == WATER_FLOAT_SWITCH_MOLECULES;
}

/* The vector between two oxygens in an oblique box from wrapped fractions. */
static __attribute__((noinline)) void lean(const WaterFloatModel *m, vf d[3])
{
  const vf grid = vf_set(m->floats.grid);
  nearest_image(m->floats.h, &m->images, d);
  for (int k = 0; k < 3; k++)
    d[k] = (d[k] + grid) - grid;
}

VEC_INLINE Contact oxygens(const Constants *c, const WaterFloatVariant v, const Molecule *i,
                           const Molecule *j, int left)
{
  Contact o;
  UNROLL
  for (int k = 0; k < 3; k++) {
    const vf u = __builtin_convertvector((vif)(j->o[k] - i->o[k]), vf);
    o.d[k] = v.oblique ? u : on_grid(c->grid, u, c->scale[k]);
  }
  if (v.oblique)
    lean(c->model, o.d);
  o.s = square(o.d);
  o.counts = vfm_below(o.s, c->cutoff2) & vfm_first(left);
  const vf u = vf_recip(o.s), u3 = u * (u * u);
  o.share = o.slope = (vf){0};
  o.lj = vf_fma(c->a12, u3, -c->c6) * (u3 * u);
  o.lj_energy = has_energies(v) || v.switching == WATER_FLOAT_SWITCH_LJ
                    ? vf_fma(vf_fma(c->a, u3, -c->c), u3, -c->shift)
                    : (vf){0};
  if (v.switching == WATER_FLOAT_SWITCH_FORCE)
    o.lj += bent(c->start, c->per, c->bend, c->work, o.s, &o.lj_energy);
  if (v.switching == WATER_FLOAT_SWITCH_LJ || v.switching == WATER_FLOAT_SWITCH_MOLECULES)
    o.share = switched(c->start, c->per, c->slope, o.s, &o.slope);
  if (v.switching == WATER_FLOAT_SWITCH_LJ) {
    o.lj = vf_fma(o.share, o.lj, o.slope * o.lj_energy);
    o.lj_energy *= o.share;
  }
  return o;
}

/* The vector from site a of i to site b of j. */
VEC_INLINE void between(const bool four, const Contact *o, const Molecule *i, const Molecule *j, int a, int b,
                        vf r[3])
{
  UNROLL
  for (int k = 0; k < 3; k++) {
    const vf from = a == 0 && !four ? o->d[k] : o->d[k] - i->at[a][k];
    r[k] = b == 0 && !four ? from : from + j->at[b][k];
  }
}

/* The force over distance of a pair of charges from that of two hydrogens, plus Lennard-Jones if it acts
 * between the same sites. */
VEC_INLINE vf of_charges(const WaterFloatVariant v, const Contact *o, int a, int b, vf f)
{
  const bool whole = v.switching == WATER_FLOAT_SWITCH_MOLECULES;
  if (a + b == 0 && !v.four && !whole)
    f = vf_fma(vf_set(4.0), f, o->lj);
  else if (a + b == 0)
    f *= 4.0f;
  else if (a == 0 || b == 0)
    f *= -2.0f;
  return whole ? f * o->share : f;
}

/* The common bits of all squared distances of charges except that of the oxygens. */
VEC_INLINE vif common_bits(const bool four, const vf s[PAIRS])
{
  vif bits = four ? (vif)s[0] : (vif){0} - 1;
  UNROLL
  for (int p = 1; p < PAIRS; p += 2)
    bits = vif_and3(bits, (vif)s[p], (vif)s[p + 1]);
  return bits;
}

/* The charges' forces g on j and back on i, and, without M, Lennard-Jones; returns their energy if v requires
 * it. Three phases, with barriers where registers are few: squared distances and table positions; table
 * values; forces, with differences recomputed. */
VEC_INLINE vf charges(const Tables *table, const WaterFloatVariant v, Contact *o, const Molecule *i,
                      Molecule *j, vf g[3][3], vf back[3][3], vif *bits)
{
  vf s[PAIRS], f[PAIRS], e[PAIRS], r[3];
  Where where[PAIRS];
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    between(v.four, o, i, j, p / 3, p % 3, r);
    s[p] = p == 0 && !v.four ? o->s : square(r);
    table_find(s[p], &where[p]);
  }
  VEC_PHASE(s);
  VEC_PHASE(where);
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    f[p] = of_charges(v, o, p / 3, p % 3, table_value(&table->force, &where[p], s[p]));
    if (has_energies(v))
      e[p] = table_value(&table->energy, &where[p], s[p]);
  }
  VEC_PHASE(f);
  VEC_PHASE(o->d);
  VEC_PHASE(j->at);
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    const int a = p / 3, b = p % 3;
    between(v.four, o, i, j, a, b, r);
    UNROLL
    for (int k = 0; k < 3; k++) {
      g[b][k] = a == 0 ? f[p] * r[k] : vf_fma(f[p], r[k], g[b][k]);
      back[a][k] = b == 0 ? f[p] * r[k] : vf_fma(f[p], r[k], back[a][k]);
    }
  }
  *bits = common_bits(v.four, s);
  return has_energies(v) ? sum_of(e) : (vf){0};
}

/* Molecules i with j, lane by lane; the first `left` count. */
VEC_INLINE void against(const Constants *c, const Tables *table, const WaterFloatVariant v, const Molecule *i,
                        Molecule *j, int left, Result *out)
{
  const bool whole = v.switching == WATER_FLOAT_SWITCH_MOLECULES;
  Contact o = oxygens(c, v, i, j, left);
  vf g[3][3], back[3][3];
  vif bits;
  const vf real = charges(table, v, &o, i, j, g, back, &bits);
  if (v.four) {
    spread_virtual(c->weight, c->rest, g);
    spread_virtual(c->weight, c->rest, back);
  }
  if (v.four || whole) {
    const vf f = whole ? vf_fma(o.share, o.lj, o.slope * (o.lj_energy + real)) : o.lj;
    UNROLL
    for (int k = 0; k < 3; k++) {
      g[0][k] = vf_fma(f, o.d[k], g[0][k]);
      back[0][k] = vf_fma(f, o.d[k], back[0][k]);
    }
  }
  if (v.sums)
    make_sums(c, o.counts, whole ? o.share * o.lj_energy : o.lj_energy, whole ? o.share * real : real, o.d, g,
              back, out->sum);
  UNROLL
  for (int k = 0; k < 9; k++) {
    out->on[k / 3][k % 3] = vif_round_where(o.counts, g[k / 3][k % 3]);
    out->back[k / 3][k % 3] = vif_round_where(o.counts, back[k / 3][k % 3]);
  }
  out->close = vfm_bits(o.counts & (vfm_below(o.s, c->near) | vfm_clear(bits, WATER_FLOAT_LOW_BIT)));
}

/* --- lists ---------------------------------------------------------------------------------------------- */

/* Queued pairs. */
typedef struct Queue {
  int n;
  int32_t i[QUEUE], j[QUEUE];
} Queue;

VEC_INLINE void note(const WaterFloatWork *work, unsigned close, const int32_t *i, const int32_t *j,
                     bool same)
{
  WaterFloatFault *const fault = work->pairs.fault;
  if (__builtin_expect(close == 0, 1) || fault->i >= 0)
    return;
  const int l = __builtin_ctz(close);
  *fault = (WaterFloatFault){i[same ? 0 : l], j[l]};
}

VEC_INLINE void queue_add(Queue *q, int i, const int32_t *j, int left)
{
  const vuf own = (vuf){0} + (uint32_t)i;
  memcpy(q->i + q->n, &own, sizeof own);
  memcpy(q->j + q->n, j, sizeof own);
  q->n += left;
}

/* Runs the first pairs of the queue, at most FLOATS; `place` fills unused lanes. */
VEC_INLINE void queue_run(const Constants *c, const Tables *table, const WaterFloatVariant v,
                          const WaterFloatWork *work, Queue *q, int place, Totals *totals)
{
  Offsets rows_i, rows_j;
  for (int l = q->n; l < FLOATS; l++)
    q->i[l] = q->j[l] = place;
  find_rows(q->i, &rows_i);
  find_rows(q->j, &rows_j);
  const Molecule i = load_molecules(v.four, c->grid, c->weight, work->row, &rows_i);
  Molecule j = load_molecules(v.four, c->grid, c->weight, work->row, &rows_j);
  Result r;
  against(c, table, v, &i, &j, q->n, &r);
  note(work, r.close, q->i, q->j, false);
  scatter(work->force, &rows_j, r.on);
  UNROLL
  for (int k = 0; k < 9; k++)
    r.back[k / 3][k % 3] = (vif)((vuf){0} - (vuf)r.back[k / 3][k % 3]);
  scatter(work->force, &rows_i, r.back);
  if (v.sums)
    add_totals(totals, r.sum);
  q->n = q->n > FLOATS ? q->n - FLOATS : 0;
  memcpy(q->i, q->i + FLOATS, sizeof(vuf));
  memcpy(q->j, q->j + FLOATS, sizeof(vuf));
}

/* The list of place i, except its queued remainder. */
VEC_INLINE void list_of(const Constants *c, const Tables *table, const WaterFloatVariant v,
                        const WaterFloatWork *work, int i, Queue *q, Totals *totals)
{
  const int32_t *const j = work->pairs.j;
  const int end = work->pairs.end[i];
  const Molecule own = one(v.four, c->grid, c->weight, &work->row[i]);
  vuf back[3][3] = {0};
  vif part[WATER_FLOAT_SUMS] = {0};
  for (int k = work->pairs.begin[i]; k < end; k += FLOATS) {
    const int left = end - k;
    if (left < FEW) {
      queue_add(q, i, j + k, left);
      break;
    }
    if (left > FLOATS) /* another whole register of the list, padded, follows */
      prefetch_rows(work->row, work->force, j + k + FLOATS);
    Offsets rows;
    find_rows(j + k, &rows);
    Molecule other = load_molecules(v.four, c->grid, c->weight, work->row, &rows);
    Result r;
    against(c, table, v, &own, &other, left, &r);
    note(work, r.close, &i, j + k, true);
    scatter(work->force, &rows, r.on);
    UNROLL
    for (int t = 0; t < 9; t++)
      back[t / 3][t % 3] += (vuf)r.back[t / 3][t % 3];
    if (v.sums)
      UNROLL
    for (int t = 0; t < WATER_FLOAT_SUMS; t++)
      part[t] = (vif)((vuf)part[t] + (vuf)r.sum[t]);
  }
  subtract(work->force + WATER_FLOAT_INTS * (size_t)i, back);
  if (v.sums)
    add_totals(totals, part);
}

VEC_INLINE void run(const WaterFloatModel *model, const WaterFloatWork *work, const WaterFloatVariant v)
{
  const Constants c = constants_of(model);
  const Tables table = {table_load(&model->tables.force), table_load(&model->tables.energy)};
  Totals totals = {0};
  Queue queue = {0};
  const WaterFloatPairs *const p = &work->pairs;
  for (int i = p->first[0]; i <= p->last[0]; i++) { /* the last turn runs the queue alone */
    const bool last = i == p->last[0];
    if (!last)
      list_of(&c, &table, v, work, i, &queue, &totals);
    if (queue.n >= FLOATS || (last && queue.n > 0))
      queue_run(&c, &table, v, work, &queue, p->first[0], &totals);
    if (v.sums && (last || i % WATER_FLOAT_EMPTY == 0))
      empty_totals(&totals, work->sums);
  }
}

#define VARIANT(name, oblique, four, sums, switching)                                                        \
  static void name(const WaterFloatModel *model, const WaterFloatWork *work)                                 \
  {                                                                                                          \
    run(model, work, (WaterFloatVariant){oblique, four, sums, switching});                                   \
  }
#define VARIANTS(name, ...)                                                                                  \
  VARIANT(name, __VA_ARGS__, WATER_FLOAT_SWITCH_NOTHING)                                                     \
  VARIANT(name##_lj, __VA_ARGS__, WATER_FLOAT_SWITCH_LJ)                                                     \
  VARIANT(name##_all, __VA_ARGS__, WATER_FLOAT_SWITCH_MOLECULES)                                             \
  VARIANT(name##_force, __VA_ARGS__, WATER_FLOAT_SWITCH_FORCE)
VARIANTS(three, false, false, false)
VARIANTS(three_sums, false, false, true)
VARIANTS(four, false, true, false)
VARIANTS(four_sums, false, true, true)
VARIANTS(oblique_three, true, false, false)
VARIANTS(oblique_three_sums, true, false, true)
VARIANTS(oblique_four, true, true, false)
VARIANTS(oblique_four_sums, true, true, true)

#define ROW(name)                                                                                            \
  {                                                                                                          \
    name, name##_lj, name##_all, name##_force                                                                \
  }
const WaterFloatKernels ISA_SYMBOL(water_float_kernels_table) = {
    {{{ROW(three), ROW(three_sums)}, {ROW(four), ROW(four_sums)}},
     {{ROW(oblique_three), ROW(oblique_three_sums)}, {ROW(oblique_four), ROW(oblique_four_sums)}}}};
