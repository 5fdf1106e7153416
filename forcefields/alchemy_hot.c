/* The pairs of a solute with a pack of other molecules. */
#include "forcefields/alchemy_kernels.h"
#include "forcefields/images_vec.h"
#include "forcefields/site_map_vec.h"
#include "forcefields/sites_vec.h"

/* --- charges -------------------------------------------------------------------------------------------- */

/* The force of unit charges at squared distance s over the distance, and (wanted) their energy. Distances
 * below the range of a box's tables occur only in energies at other strengths: erf(x)/x by its series. */
VEC_INLINE void coulomb(const AlchemyModel *m, vd s, bool wanted, vd *force, vd *energy)
{
  const vd near = 1.0 / vd_sqrt(s);
  if (m->box == NULL) {
    *force = near / s;
    *energy = near;
    return;
  }
  const vi below = s < m->tables.low;
  ExactInterval at;
  exact_locate(s, &at);
  *force = vd_select(below, near / s, exact_polynomial(m->tables.force, &at));
  if (!wanted)
    return;
  const double two = 1.1283791670955126; /* 2/sqrt(pi) */
  const vd x2 = m->beta * m->beta * s,
           erf = two * m->beta * (1.0 - x2 * (1.0 / 3.0 - x2 * (0.1 - x2 * (1.0 / 42.0))));
  *energy =
      vd_select(below, near - erf + m->field * s - m->constant, exact_polynomial(m->tables.energy, &at));
}

/* --- Lennard-Jones -------------------------------------------------------------------------------------- */

/* Parameters of a site for one type of the solute, in registers. */
typedef struct Pair {
  vd a, c, shift, sigma6;
} Pair;

VEC_INLINE Pair load_pair(const AlchemyPair *p, int part)
{
  return (Pair){vd_load(&p->a, part), vd_load(&p->c, part), vd_load(&p->shift, part),
                vd_load(&p->sigma6, part)};
}

/* R from R^6, which is at least from^6 and little above r^6: Newton's method for the cube root of R^6 from
 * above. */
VEC_INLINE vd sixth_root(vd r2, vd R6)
{
  const vd r6 = r2 * r2 * r2;
  vd y = r2 * (1.0 + (R6 - r6) / (3.0 * r6));
  UNROLL
  for (int k = 0; k < 5; k++)
    y = (2.0 * y + R6 / (y * y)) * (1.0 / 3.0);
  return vd_sqrt(y);
}

/* Truncated Lennard-Jones V and its derivative by R^6. */
VEC_INLINE void lennard_jones(const AlchemyModel *m, const Pair *p, vd r2, vd R6, vd *value, vd *slope)
{
  const vd u = 1.0 / R6;
  *value = (p->a * u - p->c) * u - p->shift;
  *slope = (p->c - 2.0 * p->a * u) * (u * u);
  const vi switching = R6 > m->from6;
  if (m->rate == 0.0 || vi_bits(switching) == 0)
    return;
  const vd R = sixth_root(vd_select(switching, r2, vd_set(m->from * m->from)),
                          vd_select(switching, R6, vd_set(m->from6)));
  const vd by = R / (6.0 * R6); /* dR/dR^6 */
  if (m->truncation == TRUNCATION_FORCE_SWITCH) {
    const vd x = R - m->from, x2 = x * x, second = p->a * m->bend[0].a - p->c * m->bend[1].a,
             third = p->a * m->bend[0].b - p->c * m->bend[1].b;
    *value -= vd_where(switching, x2 * x * ((1.0 / 3.0) * second + 0.25 * third * x));
    *slope -= vd_where(switching, x2 * (second + third * x) * by);
    return;
  }
  const vd t = (R - m->from) * m->rate, rest = 1.0 - t;
  const vd factor = 1.0 - t * (t * t) * (10.0 - t * (15.0 - 6.0 * t));
  const vd fall = 30.0 * m->rate * (t * t) * (rest * rest) * by;
  *slope = vd_select(switching, factor * *slope - fall * *value, *slope);
  *value = vd_select(switching, factor * *value, *value);
}

/* Strength l of a pair: its energy, minus its derivative by r over r, and its derivative by l; all 0 beyond
 * the cutoff. */
VEC_INLINE void soften(const AlchemyModel *m, const Pair *p, vd r2, vi counts, vd l, vd *energy, vd *force,
                       vd *by_l)
{
  const vd r4 = r2 * r2, rest = 1.0 - l, power = m->power == 1 ? rest : rest * rest,
           steep = m->power == 1 ? vd_set(1.0) : 2.0 * rest, scale = m->alpha * p->sigma6,
           R6 = r4 * r2 + scale * power;
  vd value, slope;
  lennard_jones(m, p, r2, R6, &value, &slope);
  if (m->box != NULL)
    counts &= R6 < m->cutoff6;
  *energy = vd_where(counts, l * value);
  *force = vd_where(counts, -6.0 * l * slope * r4);
  *by_l = vd_where(counts, value - l * slope * scale * steep);
}

/* --- a pack --------------------------------------------------------------------------------------------- */

/* Sites of a water relative to its first atom; atoms need none. */
typedef vd Water[3 * SITE_MAP_SITES];

VEC_INLINE void place(const AlchemyPack *pack, int part, vd *r)
{
  for (int k = 0; k < 3 * SITE_MAP_SITES; k++)
    r[k] = vd_set(0.0);
  if (pack->map == NULL)
    return;
  for (int k = 3; k < 3 * SITE_MAP_ATOMS; k++)
    r[k] = vd_load(pack->q + k, part) - vd_load(pack->q + k % 3, part);
  site_map_place_vd(pack->map, pack->nsite, pack->map->planar, r);
}

/* Site k relative to the first site of the solute, at the image nearest to it. */
VEC_INLINE void from_solute(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int k,
                            int part, const vd *r, vd d[3])
{
  const bool virtual = pack->map != NULL && k >= SITE_MAP_ATOMS;
  for (int e = 0; e < 3; e++) {
    d[e] = vd_load(pack->q + (virtual ? 0 : 3 * k) + e, part) - vd_load(&slot->site[0].x[e], part);
    if (virtual)
      d[e] += r[3 * k + e];
  }
  if (m->box != NULL)
    images_of_box(m->box, d);
}

/* Lanes of a site within reach of the solute. */
VEC_INLINE vi within_reach(const AlchemyModel *m, const AlchemySlot *slot, const AlchemySite *site, int part,
                           const vd d[3])
{
  const vi uses = vi_load(&site->uses, part);
  if (m->box == NULL)
    return uses;
  const double far = m->cutoff2 + slot->reach * (2.0 * m->cutoff + slot->reach);
  return uses & (vd_dot3(d, d) < far);
}

/* The vector from site j of the solute to a site at d from its first. */
VEC_INLINE void between(const AlchemyModel *m, const AlchemySlot *slot, int j, int part, const vd d[3],
                        vd to[3])
{
  UNROLL
  for (int e = 0; e < 3; e++)
    to[e] = d[e] - (vd_load(&slot->site[j].x[e], part) - vd_load(&slot->site[0].x[e], part));
  if (m->box != NULL && !slot->near)
    images_of_box(m->box, to);
}

static const double least2 = 1e-8; /* A^2: two sites at one point have finite energies */

/* The same with its square; returns the lanes within the cutoff. */
VEC_INLINE vi meet(const AlchemyModel *m, const AlchemySlot *slot, int j, int part, const vd d[3], vi uses,
                   vd to[3], vd *s2)
{
  between(m, slot, j, part, d, to);
  *s2 = vd_max(vd_dot3(to, to), vd_set(least2));
  return m->box != NULL ? uses & (*s2 < m->cutoff2) : uses;
}

VEC_INLINE void add_sum(AlchemyResult *result, int k, int part, vd x) { vd_add(&result->sum[k], part, x); }

/* Site k with site j of the solute: force on site k. */
VEC_INLINE void act_on_pair(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int k,
                            int j, int part, const vd d[3], vi uses, bool wanted, vd f[3],
                            AlchemyResult *result)
{
  const AlchemySolute *const own = &slot->site[j];
  const AlchemyPair *const pair = &pack->pair[k * m->ntype + own->type];
  vd to[3], s2, force = vd_set(0.0);
  const vi counts = meet(m, slot, j, part, d, uses, to, &s2);
  if (vi_bits(counts) == 0)
    return;
  if (m->charges && pack->acts[k].charge && own->root != 0.0 && (wanted || slot->charged)) {
    vd energy = vd_set(0.0), over;
    const vd qq = vd_where(counts, own->root * vd_load(&pack->site[k].root, part)),
             s = vd_load(&slot->s, part);
    coulomb(m, s2, wanted, &over, &energy);
    force += s * (qq * over);
    if (wanted)
      add_sum(result, ALCHEMY_SUM_COULOMB, part, qq * energy);
    const vi live = counts & (s * qq != 0.0);
    vd_store(&result->close, part,
             vd_min(vd_load(&result->close, part), vd_select(live, s2, vd_load(&result->close, part))));
  }
  if (pack->acts[k].lj && (wanted || slot->lj)) {
    const Pair p = load_pair(pair, part);
    vd energy, over, slope;
    soften(m, &p, s2, counts, vd_load(&slot->l, part), &energy, &over, &slope);
    force += over;
    if (wanted) {
      add_sum(result, ALCHEMY_SUM_LJ, part, energy);
      add_sum(result, ALCHEMY_SUM_SLOPE, part, slope);
    }
  }
  UNROLL
  for (int e = 0; e < 3; e++)
    f[e] += force * to[e];
  for (int a = 0; a < 9 && wanted; a++)
    add_sum(result, ALCHEMY_SUM_VIRIAL + a, part, force * to[a / 3] * to[a % 3]);
}

/* Forces g[3] of all sites of the solute on site k, and the opposite ones. */
VEC_INLINE void act_on_site(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int k,
                            int part, const vd *r, bool wanted, vd g[3], Vec8 *f, AlchemyResult *result)
{
  vd d[3];
  if (!pack->acts[k].charge && !pack->acts[k].lj)
    return;
  from_solute(m, slot, pack, k, part, r, d);
  const vi uses = within_reach(m, slot, &pack->site[k], part, d);
  if (vi_bits(uses) == 0)
    return;
  for (int j = 0; j < m->nsolute; j++) {
    vd own[3] = {vd_set(0.0), vd_set(0.0), vd_set(0.0)};
    act_on_pair(m, slot, pack, k, j, part, d, uses, wanted, own, result);
    for (int e = 0; e < 3; e++) {
      g[e] += own[e];
      vd_add(f + 3 * j + e, part, -own[e]);
    }
  }
}

/* Spreads the forces on a water's sites to its atoms, and replaces the sites' virial by that of atoms. */
VEC_INLINE void spread(const AlchemyPack *pack, int part, const vd *r, bool wanted, vd *g,
                       AlchemyResult *result)
{
  vd change[9];
  for (int a = 0; a < 9 && wanted; a++) {
    change[a] = vd_set(0.0);
    for (int k = SITE_MAP_ATOMS; k < pack->nsite; k++)
      change[a] -= r[3 * k + a / 3] * g[3 * k + a % 3];
    for (int k = 1; k < SITE_MAP_ATOMS; k++)
      change[a] -= r[3 * k + a / 3] * g[3 * k + a % 3];
  }
  site_map_spread_vd(pack->map, pack->nsite, pack->map->planar, r, g);
  for (int a = 0; a < 9 && wanted; a++) {
    for (int k = 1; k < SITE_MAP_ATOMS; k++)
      change[a] += r[3 * k + a / 3] * g[3 * k + a % 3];
    add_sum(result, ALCHEMY_SUM_VIRIAL + a, part, change[a]);
  }
}

VEC_INLINE void act_on_part(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int part,
                            bool wanted, Vec8 *f, AlchemyResult *result)
{
  Water r, g = {{0}};
  place(pack, part, r);
  for (int k = 0; k < pack->nsite; k++) {
    vd own[3] = {vd_set(0.0), vd_set(0.0), vd_set(0.0)};
    act_on_site(m, slot, pack, k, part, r, wanted, own, f, result);
    for (int e = 0; e < 3; e++)
      if (pack->map != NULL)
        g[3 * k + e] = own[e];
      else
        vd_add(pack->f + 3 * k + e, part, own[e]);
  }
  if (pack->map == NULL)
    return;
  if (pack->nsite > SITE_MAP_ATOMS)
    spread(pack, part, r, wanted, g, result);
  for (int k = 0; k < 3 * SITE_MAP_ATOMS; k++)
    vd_add(pack->f + k, part, g[k]);
}

/* Not compiled for each value of `wanted`, so that the forces have the same bits. */
static void act(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, bool wanted, Vec8 *f,
                AlchemyResult *result)
{
  for (int part = 0; part < REGISTERS; part++)
    act_on_part(m, slot, pack, part, wanted, f, result);
}

/* --- energies at other strengths ------------------------------------------------------------------------ */

VEC_INLINE void ask_pair(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int k,
                         int j, int part, const vd d[3], vi uses, int n, const Vec8 *l, Vec8 *lj,
                         AlchemyResult *result)
{
  const AlchemySolute *const own = &slot->site[j];
  vd to[3], s2;
  const vi counts = meet(m, slot, j, part, d, uses, to, &s2);
  if (vi_bits(counts) == 0)
    return;
  if (m->charges && pack->acts[k].charge && own->root != 0.0) {
    vd energy, over;
    coulomb(m, s2, true, &over, &energy);
    add_sum(result, ALCHEMY_SUM_COULOMB, part,
            vd_where(counts, own->root * vd_load(&pack->site[k].root, part)) * energy);
  }
  if (!pack->acts[k].lj)
    return;
  const Pair p = load_pair(&pack->pair[k * m->ntype + own->type], part);
  for (int i = 0; i < n; i++) {
    vd energy, over, slope;
    soften(m, &p, s2, counts, vd_load(&l[i], part), &energy, &over, &slope);
    vd_add(&lj[i], part, energy);
    if (i == n - 1)
      add_sum(result, ALCHEMY_SUM_SLOPE, part, slope);
  }
}

static void ask(const AlchemyModel *m, const AlchemySlot *slot, const AlchemyPack *pack, int n, const Vec8 *l,
                Vec8 *lj, AlchemyResult *result)
{
  for (int part = 0; part < REGISTERS; part++) {
    Water r;
    vd d[3];
    place(pack, part, r);
    for (int k = 0; k < pack->nsite; k++) {
      if (!pack->acts[k].charge && !pack->acts[k].lj)
        continue;
      from_solute(m, slot, pack, k, part, r, d);
      const vi uses = within_reach(m, slot, &pack->site[k], part, d);
      for (int j = 0; j < m->nsolute && vi_bits(uses) != 0; j++)
        ask_pair(m, slot, pack, k, j, part, d, uses, n, l, lj, result);
    }
  }
}

const AlchemyKernels ISA_SYMBOL(alchemy_kernels_table) = {act, ask};
