/* Water on water in float, one molecule against as many of its list at a time as a register has lanes.
 *
 * Every operation gives the same result, but for its sign, when the two molecules change places, and forces
 * are summed as integers: so the order of the list, and who is in whose, do not show. That is why
 * multiplications and additions are fused by name here and not left to the compiler. Positions lie on a grid
 * so coarse that their sums and differences are exact.
 *
 * What is left of a list and does not fill a register waits in a queue until there are enough pairs of any
 * molecules. */
#include "forcefields/bulk_vec.h"

/* Fewer lanes than this wait: a full register of the queue takes about a third more time than one of a list.
 */
enum { FEW = WIDE * 3 / 4, QUEUE = 2 * WIDE };

typedef struct Constants {
  Real scale[3], grid, weight, rest, a12, c6, cutoff2, near;
  Real a, c, shift, virial; /* of the sums                   */
  Real start, per, slope;   /* of the switch: t = per*r - start */
} Constants;

typedef struct Tables {
  Table force, energy;
} Tables;

/* o: fractions of the box; at: the sites of the charges, relative to O. */
typedef struct Molecule {
  Wrap o[3];
  Real at[3][3];
} Molecule;

typedef struct Result {
  Int on[3][3], back[3][3]; /* forces on j, minus those on i */
  Int sum[BULK_SUMS];
  unsigned close; /* lanes that are too close */
} Result;

VEC_INLINE Constants constants_of(const BulkModel *m)
{
  const BulkFloats *f = &m->floats;
  Constants c = {.grid = all_of(f->grid),
                 .weight = all_of(m->weight),
                 .rest = all_of(1.0 - 2.0 * m->weight),
                 .a12 = all_of(f->a12),
                 .c6 = all_of(f->c6),
                 .cutoff2 = all_of(f->cutoff2),
                 .near = all_of(f->near),
                 .a = all_of(f->a),
                 .c = all_of(f->c),
                 .shift = all_of(f->shift),
                 .virial = all_of(f->virial),
                 .start = all_of(f->start),
                 .per = all_of(f->per),
                 .slope = all_of(f->slope)};
  for (int d = 0; d < 3; d++)
    c.scale[d] = all_of(f->scale[d]);
  return c;
}

/* --- molecules ------------------------------------------------------------------------------------------ */

VEC_INLINE Real on_grid(const Constants *c, Real a, Real b) { return fused(a, b, c->grid) - c->grid; }

VEC_INLINE void place_charge(const Constants *c, const bool four, Molecule *m)
{
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++)
    m->at[0][k] = four ? on_grid(c, c->weight, m->at[1][k] + m->at[2][k]) : (Real){0};
}

VEC_INLINE Molecule one(const Constants *c, const bool four, const BulkRow *row)
{
  Molecule m;
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    m.o[k] = (Wrap){0} + (uint32_t)row->o[k];
    m.at[1][k] = (Real){0} + row->h1[k];
    m.at[2][k] = (Real){0} + row->h2[k];
  }
  place_charge(c, four, &m);
  return m;
}

VEC_INLINE Molecule several(const Constants *c, const bool four, const BulkRow *row, const Offsets *j)
{
  Molecule m;
  Int in[3][3];
  load_rows(row, j, in);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    m.o[k] = (Wrap)in[0][k];
    m.at[1][k] = (Real)in[1][k];
    m.at[2][k] = (Real)in[2][k];
  }
  place_charge(c, four, &m);
  return m;
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* The switching function of the squared distance, and minus its derivative over the distance, times the unit
 * of forces over that of energies. */
VEC_INLINE Real switched(const Constants *c, Real s, Real *slope)
{
  const Real y = inverse_root(s), x = fused(s * y, c->per, -c->start);
  const Real t = (Real)((Int)x & ~((Int)x >> 31)), rest = 1.0f - t;
  *slope = c->slope * (t * t) * (rest * rest) * y;
  return 1.0f - t * (t * t) * (10.0f - t * (15.0f - 6.0f * t));
}

VEC_INLINE Real square(const Real r[3]) { return fused(r[2], r[2], fused(r[1], r[1], r[0] * r[0])); }

typedef struct Energies {
  Real v[3][3]; /* of unit charges */
} Energies;

VEC_INLINE Real sum_of(const Energies *e)
{
  const Real h = (e->v[1][1] + e->v[2][2]) + (e->v[1][2] + e->v[2][1]);
  const Real o = (e->v[0][1] + e->v[0][2]) + (e->v[1][0] + e->v[2][0]);
  return fused((Real){0} + 4.0f, e->v[0][0], fused((Real){0} - 2.0f, o, h));
}

/* Sums of the lanes that count, from forces g on j and back on i. */
VEC_INLINE void make_sums(const Constants *c, Lanes counts, Real lj, Real real, const Real d[3], Real g[3][3],
                          Real back[3][3], Int sum[BULK_SUMS])
{
  sum[0] = lanes_integers(counts, lj);
  sum[1] = lanes_integers(counts, real);
  Real f[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++)
    f[k] = c->virial * ((g[0][k] + (g[1][k] + g[2][k])) + (back[0][k] + (back[1][k] + back[2][k])));
#pragma GCC unroll 9
  for (int k = 0; k < 9; k++)
    sum[2 + k] = lanes_integers(counts, d[k / 3] * f[k % 3]);
}

/* The force on M goes to the atoms. */
VEC_INLINE void hand_back(const Constants *c, Real g[3][3])
{
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    g[1][k] = fused(c->weight, g[0][k], g[1][k]);
    g[2][k] = fused(c->weight, g[0][k], g[2][k]);
    g[0][k] *= c->rest;
  }
}

/* What two oxygens have to do with each other. */
typedef struct Contact {
  Real d[3], s; /* their vector and its square                         */
  Lanes counts;
  Real lj, lj_energy; /* minus the derivative over the distance; the energy  */
  Real share, slope;  /* of the switch, where there is one                   */
} Contact;

/* Does v want energies of charges? */
VEC_INLINE bool has_energies(BulkVariant v) { return v.sums || v.switching == BULK_SWITCH_MOLECULES; }

VEC_INLINE Contact oxygens(const Constants *c, const BulkVariant v, const Molecule *i, const Molecule *j,
                           int left)
{
  Contact o;
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++)
    o.d[k] = on_grid(c, __builtin_convertvector((Int)(j->o[k] - i->o[k]), Real), c->scale[k]);
  o.s = square(o.d);
  o.counts = lanes_below(o.s, c->cutoff2) & lanes_first(left);
  const Real u = reciprocal(o.s), u3 = u * (u * u);
  o.share = o.slope = (Real){0};
  o.lj = fused(c->a12, u3, -c->c6) * (u3 * u);
  o.lj_energy = has_energies(v) || v.switching != BULK_SWITCH_NOTHING
                    ? fused(fused(c->a, u3, -c->c), u3, -c->shift)
                    : (Real){0};
  if (v.switching != BULK_SWITCH_NOTHING)
    o.share = switched(c, o.s, &o.slope);
  if (v.switching == BULK_SWITCH_LJ) {
    o.lj = fused(o.share, o.lj, o.slope * o.lj_energy);
    o.lj_energy *= o.share;
  }
  return o;
}

/* The charges' forces g on j and back on i, and, without M, Lennard-Jones; *bits: of all squared distances
 * but that of the oxygens, what they have in common. */
VEC_INLINE Real charges(const Tables *table, const BulkVariant v, const Contact *o, const Molecule *i,
                        const Molecule *j, Real g[3][3], Real back[3][3], Int *bits)
{
  const bool whole = v.switching == BULK_SWITCH_MOLECULES, energy = has_energies(v);
  Energies e;
  Int held = {0};
  *bits = (Int){0} - 1;
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    Real from[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
      from[k] = a == 0 && !v.four ? o->d[k] : o->d[k] - i->at[a][k];
#pragma GCC unroll 3
    for (int b = 0; b < 3; b++) {
      const bool both_oxygens = a + b == 0 && !v.four;
      Real r[3];
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++)
        r[k] = b == 0 && !v.four ? from[k] : from[k] + j->at[b][k];
      const Real s = both_oxygens ? o->s : square(r);
      if ((3 * a + b) % 2 == 1)
        held = (Int)s;
      else if (a + b > 0)
        *bits = both(*bits, held, (Int)s);
      else if (v.four)
        *bits = (Int)s;
      const Where where = table_find(s);
      Real f = table_value(&table->force, &where, s);
      if (energy)
        e.v[a][b] = table_value(&table->energy, &where, s);
      if (both_oxygens && !whole)
        f = fused((Real){0} + 4.0f, f, o->lj);
      else if (a + b == 0)
        f *= 4.0f;
      else if (a == 0 || b == 0)
        f *= -2.0f;
      if (whole)
        f *= o->share;
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        g[b][k] = a == 0 ? f * r[k] : fused(f, r[k], g[b][k]);
        back[a][k] = b == 0 ? f * r[k] : fused(f, r[k], back[a][k]);
      }
    }
  }
  return energy ? sum_of(&e) : (Real){0};
}

/* Molecules i against j, lane by lane, of which the first `left` count. */
VEC_INLINE void against(const Constants *c, const Tables *table, const BulkVariant v, const Molecule *i,
                        const Molecule *j, int left, Result *out)
{
  const bool whole = v.switching == BULK_SWITCH_MOLECULES;
  const Contact o = oxygens(c, v, i, j, left);
  Real g[3][3], back[3][3];
  Int bits;
  const Real real = charges(table, v, &o, i, j, g, back, &bits);
  if (v.four) {
    hand_back(c, g);
    hand_back(c, back);
  }
  if (v.four || whole) {
    const Real f = whole ? fused(o.share, o.lj, o.slope * (o.lj_energy + real)) : o.lj;
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
      g[0][k] = fused(f, o.d[k], g[0][k]);
      back[0][k] = fused(f, o.d[k], back[0][k]);
    }
  }
  if (v.sums)
    make_sums(c, o.counts, whole ? o.share * o.lj_energy : o.lj_energy, whole ? o.share * real : real, o.d, g,
              back, out->sum);
#pragma GCC unroll 9
  for (int k = 0; k < 9; k++) {
    out->on[k / 3][k % 3] = lanes_integers(o.counts, g[k / 3][k % 3]);
    out->back[k / 3][k % 3] = lanes_integers(o.counts, back[k / 3][k % 3]);
  }
  out->close = lanes_bits(o.counts & (lanes_below(o.s, c->near) | lanes_clear(bits, BULK_LOW_BIT)));
}

/* --- sums ----------------------------------------------------------------------------------------------- */

/* 32-bit integers as 16 bits and the rest, so that thousands of them can be added in as many bits. */
typedef struct Totals {
  Int low[BULK_SUMS], high[BULK_SUMS];
} Totals;

VEC_INLINE void add_totals(Totals *t, const Int part[BULK_SUMS])
{
  for (int k = 0; k < BULK_SUMS; k++) {
    t->low[k] += part[k] & 0xffff;
    t->high[k] += part[k] >> 16;
  }
}

VEC_INLINE void empty_totals(Totals *t, int64_t *sums)
{
  for (int k = 0; k < BULK_SUMS; k++)
    for (int l = 0; l < WIDE; l++)
      sums[k] += (int64_t)t->high[k][l] * 65536 + t->low[k][l];
  *t = (Totals){0};
}

/* --- lists ---------------------------------------------------------------------------------------------- */

/* Pairs that wait. */
typedef struct Queue {
  int n;
  int32_t i[QUEUE], j[QUEUE];
} Queue;

VEC_INLINE void note(const BulkWork *work, unsigned close, const int32_t *i, const int32_t *j, bool same)
{
  if (__builtin_expect(close == 0, 1) || work->fault->i >= 0)
    return;
  const int l = __builtin_ctz(close);
  *work->fault = (BulkFault){i[same ? 0 : l], j[l]};
}

VEC_INLINE void wait(Queue *q, int i, const int32_t *j, int left)
{
  const Wrap own = (Wrap){0} + (uint32_t)i;
  memcpy(q->i + q->n, &own, sizeof own);
  memcpy(q->j + q->n, j, sizeof own);
  q->n += left;
}

/* The first pairs of the queue, at most WIDE; `place` stands in for those that are missing. */
VEC_INLINE void serve(const Constants *c, const Tables *table, const BulkVariant v, const BulkWork *work,
                      Queue *q, int place, Totals *totals)
{
  Offsets rows_i, rows_j;
  for (int l = q->n; l < WIDE; l++)
    q->i[l] = q->j[l] = place;
  find_rows(q->i, &rows_i);
  find_rows(q->j, &rows_j);
  const Molecule i = several(c, v.four, work->row, &rows_i), j = several(c, v.four, work->row, &rows_j);
  Result r;
  against(c, table, v, &i, &j, q->n, &r);
  note(work, r.close, q->i, q->j, false);
  scatter(work->force, &rows_j, r.on);
#pragma GCC unroll 9
  for (int k = 0; k < 9; k++)
    r.back[k / 3][k % 3] = (Int)((Wrap){0} - (Wrap)r.back[k / 3][k % 3]);
  scatter(work->force, &rows_i, r.back);
  if (v.sums)
    add_totals(totals, r.sum);
  q->n = q->n > WIDE ? q->n - WIDE : 0;
  memcpy(q->i, q->i + WIDE, sizeof(Wrap));
  memcpy(q->j, q->j + WIDE, sizeof(Wrap));
}

/* The list of place i, but for what goes into the queue. */
VEC_INLINE void list_of(const Constants *c, const Tables *table, const BulkVariant v, const BulkWork *work,
                        int i, Queue *q, Totals *totals)
{
  const int32_t *const j = work->chunk->j;
  const Molecule own = one(c, v.four, &work->row[i]);
  Wrap back[3][3] = {0};
  Int part[BULK_SUMS] = {0};
  for (int k = work->begin[i]; k < work->end[i]; k += WIDE) {
    const int left = work->end[i] - k;
    if (left < FEW) {
      wait(q, i, j + k, left);
      break;
    }
    Offsets rows;
    find_rows(j + k, &rows);
    const Molecule other = several(c, v.four, work->row, &rows);
    Result r;
    against(c, table, v, &own, &other, left, &r);
    note(work, r.close, &i, j + k, true);
    scatter(work->force, &rows, r.on);
#pragma GCC unroll 9
    for (int t = 0; t < 9; t++)
      back[t / 3][t % 3] += (Wrap)r.back[t / 3][t % 3];
    if (v.sums)
#pragma GCC unroll 11
      for (int t = 0; t < BULK_SUMS; t++)
        part[t] = (Int)((Wrap)part[t] + (Wrap)r.sum[t]);
  }
  subtract(work->force + BULK_INTS * (size_t)i, back);
  if (v.sums)
    add_totals(totals, part);
}

VEC_INLINE void run(const BulkModel *model, const BulkWork *work, const BulkVariant v)
{
  const Constants c = constants_of(model);
  const Tables table = {table_load(&model->tables.force), table_load(&model->tables.energy)};
  Totals totals = {0};
  Queue queue = {0};
  for (int i = work->chunk->first; i <= work->chunk->last; i++) { /* the last turn for the queue alone */
    const bool last = i == work->chunk->last;
    if (!last)
      list_of(&c, &table, v, work, i, &queue, &totals);
    if (queue.n >= WIDE || (last && queue.n > 0))
      serve(&c, &table, v, work, &queue, work->chunk->first, &totals);
    if (v.sums && (last || i % BULK_EMPTY == 0))
      empty_totals(&totals, work->sums);
  }
}

BULK_VARIANTS

const BulkKernels ISA_SYMBOL(bulk_kernels_table) = {BULK_TABLE};
