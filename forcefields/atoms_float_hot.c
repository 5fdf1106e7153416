/* Individual atoms in float: each of the atoms that share a list with a register of partners, which are
 * atoms, or waters (whose lists contain no atoms). Rows and forces of partners are read and written once for
 * all that share. */
#include "forcefields/atoms_float_vec.h"

enum { EMPTY = 16384 /* registers after which the 32-bit sums are flushed */ };

/* The second molecule: an atom, or a water with its negative charge on O or on M. */
typedef enum Second { ATOM, WATER, WATER_M } Second;

typedef struct Variant {
  Second second;
  Held held;
  bool sums;
} Variant;

typedef struct Constants {
  vf scale[3], grid, weight, rest, cutoff2, limit;
  vf charge[3], energy, virial, start, per, slope;
  vf bend[2][2], work[2]; /* of a force switch */
  const AtomsFloatModel *model;
} Constants;

typedef struct Tables {
  Table force, energy;
} Tables;

/* Forces on the sites of the second molecule, and minus that on the first. */
typedef struct Result {
  vif on[3][3], back[3];
  vif sum[WATER_FLOAT_SUMS];
  unsigned close; /* lanes that are too close */
} Result;

VEC_INLINE Constants constants_of(const AtomsFloatModel *m)
{
  const WaterFloatUnits *f = &m->floats;
  Constants c = {.grid = vf_set(f->grid),
                 .weight = vf_set(m->weight),
                 .rest = vf_set(1.0 - 2.0 * m->weight),
                 .cutoff2 = vf_set(f->cutoff2),
                 .limit = vf_set(m->limit),
                 .energy = vf_set(m->energy),
                 .virial = vf_set(2.0 * f->virial),
                 .start = vf_set(f->start),
                 .per = vf_set(f->per),
                 .slope = vf_set(f->slope),
                 .model = m};
  for (int d = 0; d < 3; d++) {
    c.scale[d] = vf_set(f->h[d][d]);
    c.charge[d] = vf_set(m->charge[d]);
  }
  for (int k = 0; k < 2; k++) {
    c.bend[k][0] = vf_set(f->bend[k][0]);
    c.bend[k][1] = vf_set(f->bend[k][1]);
    c.work[k] = vf_set(f->work[k]);
  }
  return c;
}

/* --- the force ------------------------------------------------------------------------------------------ */

static __attribute__((noinline)) void lean(const AtomsFloatModel *m, vf d[3])
{
  nearest_image(m->floats.h, &m->images, d);
}

/* The vector from the first to the first site of the second. */
VEC_INLINE void apart(const Constants *c, const vuf i[3], const vuf j[3], vf d[3])
{
  const bool oblique = c->model->oblique;
  UNROLL
  for (int k = 0; k < 3; k++) {
    d[k] = __builtin_convertvector((vif)(j[k] - i[k]), vf);
    d[k] = oblique ? d[k] : d[k] * c->scale[k];
  }
  if (__builtin_expect(oblique, 0)) {
    vf r[3] = {d[0], d[1], d[2]};
    lean(c->model, r);
    memcpy(d, r, sizeof r);
  }
}

/* Lennard-Jones at squared distance s: minus its derivative over the distance; and its energy if `wanted`. */
VEC_INLINE vf lennard_jones(const Constants *c, const Types *t, vf s, bool wanted, vf *energy)
{
  const WaterFloatSwitching switching = c->model->switching;
  const vf u = vf_recip(s), u3 = u * (u * u);
  vf f = vf_fma(t->a12, u3, -t->c6) * (u3 * u);
  *energy = (vf){0};
  if (wanted || switching != WATER_FLOAT_SWITCH_NOTHING)
    *energy = vf_fma(c->energy * u3, vf_fma(t->a12, u3, -(t->c6 + t->c6)), -t->shift);
  if (switching == WATER_FLOAT_SWITCH_FORCE) {
    vf p[2];
    UNROLL
    for (int k = 0; k < 2; k++)
      p[k] = vf_fma(t->a12, c->bend[0][k], -(t->c6 * c->bend[1][k]));
    f += bent(c->start, c->per, p, c->work, s, energy);
  } else if (switching != WATER_FLOAT_SWITCH_NOTHING) {
    vf slope;
    const vf share = switched(c->start, c->per, c->slope, s, &slope);
    f = vf_fma(share, f, slope * *energy);
    *energy *= share;
  }
  return f;
}

/* Lanes whose force over distance f at squared distance s is too large or not finite; and (too_near) charges
 * closer than the tables reach. */
VEC_INLINE vfm beyond(const Constants *c, vf f, vf s) { return (vfm)~vfm_below((f * f) * s, c->limit); }

VEC_INLINE vfm too_near(vf s, vf qq)
{
  return (vfm)(vfm_below(s, vf_set(2.0)) & vfm_below((vf){0}, qq * qq));
}

/* Energies, and the sum over pairs of d_x F_y, F the force on the second. */
VEC_INLINE void make_sums(const Constants *c, vf lj, vf real, const vf d[3], const vf force[3],
                          vif sum[WATER_FLOAT_SUMS])
{
  sum[0] = vif_round(lj);
  sum[1] = vif_round(real);
  UNROLL
  for (int k = 0; k < 9; k++)
    sum[2 + k] = vif_round(d[k / 3] * (c->virial * force[k % 3]));
}

/* Atoms i with atoms j, lane by lane; lanes of the mask count. */
VEC_INLINE void atoms_atoms(const Constants *c, const Tables *table, const bool sums, const Atom *i,
                            const Atom *j, const Types *types, vfm lanes, Result *out)
{
  vf d[3], g[3], energy;
  Where where;
  apart(c, i->o, j->o, d);
  const vf s = square(d), qq = i->charge * j->charge;
  const vfm counts = (vfm)(lanes & vfm_below(s, c->cutoff2));
  table_find(s, &where);
  VEC_PHASE(where);
  const vf lj = lennard_jones(c, types, s, sums, &energy),
           f = vf_where(counts, vf_fma(qq, table_value(&table->force, &where, s), lj));
  UNROLL
  for (int k = 0; k < 3; k++) {
    g[k] = f * d[k];
    out->on[0][k] = out->back[k] = vif_round(g[k]);
  }
  if (sums)
    make_sums(c, vf_where(counts, energy), vf_where(counts, qq * table_value(&table->energy, &where, s)), d,
              g, out->sum);
  out->close = vfm_bits((vfm)(counts & (beyond(c, f, s) | too_near(s, qq))));
}

/* Atoms i with waters j. */
VEC_INLINE void atoms_waters(const Constants *c, const Tables *table, const Variant v, const Atom *i,
                             const Molecule *j, const Types *types, vfm lanes, Result *out)
{
  const bool four = v.second == WATER_M;
  vf d[3], r[3][3], s[3], f[3], g[3][3], energy, real = {0}, force[3];
  vfm counts[3];
  Where where[3];
  apart(c, i->o, j->o, d);
  const vf first = square(d);
  UNROLL
  for (int b = 0; b < 3; b++) {
    UNROLL
    for (int k = 0; k < 3; k++)
      r[b][k] = b > 0 || four ? d[k] + j->at[b][k] : d[k];
    s[b] = b > 0 || four ? square(r[b]) : first;
    counts[b] = (vfm)(lanes & vfm_below(s[b], c->cutoff2));
    table_find(s[b], &where[b]);
  }
  VEC_PHASE(where);
  const vfm contact = four ? (vfm)(lanes & vfm_below(first, c->cutoff2)) : counts[0];
  const vf lj = lennard_jones(c, types, first, v.sums, &energy);
  UNROLL
  for (int b = 0; b < 3; b++) {
    const vf qq = i->charge * c->charge[b], value = table_value(&table->force, &where[b], s[b]);
    f[b] = vf_where(counts[b], b == 0 && !four ? vf_fma(qq, value, lj) : qq * value);
    if (v.sums)
      real += vf_where(counts[b], qq * table_value(&table->energy, &where[b], s[b]));
    UNROLL
    for (int k = 0; k < 3; k++)
      g[b][k] = f[b] * r[b][k];
  }
  vfm close = four ? (vfm)(contact & beyond(c, lj, first)) : (vfm){0};
  UNROLL
  for (int b = 0; b < 3; b++)
    close = (vfm)(close | (counts[b] & (beyond(c, f[b], s[b]) | too_near(s[b], i->charge * c->charge[b]))));
  if (four) {
    const vf own = vf_where(contact, lj);
    spread_virtual(c->weight, c->rest, g);
    UNROLL
    for (int k = 0; k < 3; k++)
      g[0][k] = vf_fma(own, d[k], g[0][k]);
  }
  UNROLL
  for (int k = 0; k < 3; k++) {
    UNROLL
    for (int b = 0; b < 3; b++)
      out->on[b][k] = vif_round(g[b][k]);
    out->back[k] = (vif)((vuf)out->on[0][k] + (vuf)out->on[1][k] + (vuf)out->on[2][k]);
    force[k] = g[0][k] + (g[1][k] + g[2][k]);
  }
  if (v.sums)
    make_sums(c, vf_where(contact, energy), real, d, force, out->sum);
  out->close = vfm_bits(close);
}

/* --- lists ---------------------------------------------------------------------------------------------- */

typedef struct Run {
  const AtomsFloatWork *work;
  Constants c;
  Tables table;
  Totals totals;
  int added; /* registers added to the totals */
} Run;

/* Notes the first pair that is too close: atom i and an entry at j. */
VEC_INLINE void note(const AtomsFloatWork *work, unsigned close, int i, const int32_t *j)
{
  WaterFloatFault *const fault = work->pairs.fault;
  if (__builtin_expect(close == 0, 1) || fault->i >= 0)
    return;
  *fault = (WaterFloatFault){i, j[__builtin_ctz(close)] & LIST_PLACE};
}

VEC_INLINE void total(Run *run, const vif sum[WATER_FLOAT_SUMS])
{
  add_totals(&run->totals, sum);
  if (++run->added == EMPTY) {
    empty_totals(&run->totals, run->work->sums);
    run->added = 0;
  }
}

VEC_INLINE const char *row_of(const Run *run, int place)
{
  return (const char *)run->work->row + ((size_t)place << run->c.model->shift);
}

VEC_INLINE char *force_of(const Run *run, int place)
{
  return (char *)run->work->force + ((size_t)place << run->c.model->shift);
}

/* Partners in a register. */
typedef struct Partners {
  Atom atom;
  Molecule water;
} Partners;

/* One of the atoms that share a list; back += minus the forces on it. */
typedef struct Sharer {
  const WaterFloatRow *row;
  TypeRow types;
  vuf back[3];
} Sharer;

/* The atoms at places i..i + n - 1 with a register of their partners, from entry k on. */
VEC_INLINE void against(Run *run, const Variant v, int i, int n, int k, Sharer *sharer)
{
  const AtomsFloatWork *const work = run->work;
  const Constants *const c = &run->c;
  const int32_t *const j = work->pairs.j + k;
  enum { SITES = 3 };
  const int nsite = v.second == ATOM ? 1 : SITES;
  Offsets rows;
  Partners p;
  vif on[SITES][3] = {0};
  find_places(c->model, j, &rows);
  if (v.second == ATOM)
    p.atom = load_atoms(work->row, &rows);
  else
    p.water = load_molecules(v.second == WATER_M, c->grid, c->weight, work->row, &rows);
  for (int m = 0; m < n; m++) {
    Result r;
    const Atom own = one_atom(sharer[m].row);
    const Types types = find_types(&sharer[m].types, v.held, work->with + k);
    if (v.second == ATOM)
      atoms_atoms(c, &run->table, v.sums, &own, &p.atom, &types, partners(j, m), &r);
    else
      atoms_waters(c, &run->table, v, &own, &p.water, &types, partners(j, m), &r);
    note(work, r.close, i + m, j);
    UNROLL
    for (int d = 0; d < 3; d++) {
      UNROLL
      for (int s = 0; s < nsite; s++)
        on[s][d] = (vif)((vuf)on[s][d] + (vuf)r.on[s][d]);
      sharer[m].back[d] += (vuf)r.back[d];
    }
    if (v.sums)
      total(run, r.sum);
  }
  if (v.second == ATOM)
    scatter_atoms(work->force, &rows, on[0]);
  else
    scatter(work->force, &rows, on);
}

/* The atoms from place i on that share a list, with their partners in bucket b. */
VEC_INLINE void list_of(Run *run, const Variant v, int i, int b)
{
  const WaterFloatPairs *const p = &run->work->pairs;
  const int n = run->work->share[i], begin = p->begin[b * p->n + i], end = p->end[b * p->n + i];
  Sharer sharer[LIST_SHARE];
  if (begin == end)
    return;
  for (int m = 0; m < n; m++)
    sharer[m] = (Sharer){.row = (const WaterFloatRow *)row_of(run, i + m),
                         .types = find_row(run->c.model, v.held, run->work->type[i + m])};
  for (int k = begin; k < end; k += FLOATS)
    against(run, v, i, n, k, sharer);
  for (int m = 0; m < n; m++)
    subtract_atom(force_of(run, i + m), sharer[m].back);
}

VEC_INLINE void run_all(const AtomsFloatModel *m, const AtomsFloatWork *work, const Held held,
                        const bool sums)
{
  Run run = {.work = work,
             .c = constants_of(m),
             .table = {table_load(&m->tables.force), table_load(&m->tables.energy)}};
  const WaterFloatPairs *const p = &work->pairs;
  const bool four = m->weight != 0.0;
  const Variant alone = {ATOM, held, sums}, three = {WATER, held, sums}, with_m = {WATER_M, held, sums};
  for (int i = p->first[m->atoms]; i < p->last[m->atoms]; i += work->share[i]) {
    list_of(&run, alone, i, m->atoms);
    if (m->atoms > 0 && four)
      list_of(&run, with_m, i, 0);
    else if (m->atoms > 0)
      list_of(&run, three, i, 0);
  }
  if (sums)
    empty_totals(&run.totals, work->sums);
}

VEC_INLINE void run_each(const AtomsFloatModel *model, const AtomsFloatWork *work, const bool sums)
{
  switch (held(model)) {
  case HELD_ONE:
    run_all(model, work, HELD_ONE, sums);
    return;
  case HELD_TWO:
    run_all(model, work, HELD_TWO, sums);
    return;
  case HELD_NOT:
    run_all(model, work, HELD_NOT, sums);
  }
}

static void forces(const AtomsFloatModel *model, const AtomsFloatWork *work) { run_each(model, work, false); }

static void forces_and_sums(const AtomsFloatModel *model, const AtomsFloatWork *work)
{
  run_each(model, work, true);
}

const AtomsFloatKernels ISA_SYMBOL(atoms_float_kernels_table) = {{forces, forces_and_sums}};
