/* The sites of a solute and of all other molecules, as the kernels of alchemy.c read them. */
#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/alchemy_private.h"
#include "forcefields/water_float.h"

double alchemy_build_sigma6(const AlchemyInput *input, const double lj[2])
{
  return lj[0] > 0.0 && lj[1] > 0.0 ? lj[0] / lj[1] : pow(input->sigma, 6.0);
}

static bool is_water(const Alchemy *y, int block) { return !atoms_are(y->atoms, block); }

/* --- the solute ----------------------------------------------------------------------------------------- */

static int count_solute(const Atoms *a)
{
  int n = 0;
  for (int i = 0; i < a->nrow; i++)
    n += atoms_solute(a, i);
  return n;
}

/* The index of a type among those of the solute, which it joins. */
static int own_type(Alchemy *y, int type)
{
  int t = 0;
  while (t < y->ntype && y->type[t] != type)
    t++;
  y->type[t] = type;
  y->ntype += t == y->ntype;
  return t;
}

static Status find_solute(Alchemy *y, const State *shape, Error *error)
{
  const Atoms *const a = y->atoms;
  const size_t most = (size_t)count_solute(a);
  int n = 0;
  y->place = arena_take(&y->arena, most + 1, sizeof *y->place);
  y->type = arena_take(&y->arena, most + 1, sizeof *y->type);
  y->root = arena_take(&y->arena, most + 1, sizeof *y->root);
  y->kind = arena_take(&y->arena, most + 1, sizeof *y->kind);
  TRY(arena_check(&y->arena, "a solute", error));
  for (int b = 0; b < shape->nblock; b++)
    for (int row = a->first[b]; row < a->first[b + 1]; row++)
      if (atoms_solute(a, row)) {
        const int at = row - a->first[b];
        y->root[n] = sqrt(UNITS_COULOMB) * a->charge[row];
        y->kind[n] = own_type(y, a->type[row]);
        y->place[n++] = (AlchemyPlace){row, b, at / a->each[b], at % a->each[b]};
      }
  y->model.nsolute = n;
  y->model.ntype = y->ntype;
  return n > 0 ? STATUS_OK
               : error_set(error, STATUS_INPUT, "alchemy needs a solute, and no atom belongs to one");
}

/* The molecule's exclusions, which atoms.h replaces by all its pairs. */
static bool excluded(const TopologySort *sort, int i, int j)
{
  for (int k = 0; k < sort->nexcluded; k++) {
    const int *const pair = sort->excluded[k];
    if ((pair[0] == i && pair[1] == j) || (pair[0] == j && pair[1] == i))
      return true;
  }
  return false;
}

static Status find_inside(Alchemy *y, Error *error)
{
  const Atoms *const a = y->atoms;
  const TopologySort *const sort = &a->topology->sort[y->input.solute - 1];
  const size_t n = (size_t)y->model.nsolute;
  y->inside = arena_take(&y->arena, n * n / 2 + 1, sizeof *y->inside);
  TRY(arena_check(&y->arena, "the pairs of a solute", error));
  for (int i = 0; i < y->model.nsolute; i++)
    for (int j = 0; j < i; j++) {
      const int one = y->place[i].row, other = y->place[j].row;
      const double *const lj = atoms_lj(a, one, other);
      y->inside[y->ninside++] =
          (AlchemyInside){i,     j,     UNITS_COULOMB * a->charge[one] * a->charge[other],
                          lj[0], lj[1], !excluded(sort, atoms_site(a, one), atoms_site(a, other))};
    }
  return STATUS_OK;
}

/* --- other molecules ------------------------------------------------------------------------------------ */

static void set_pair(const Alchemy *y, AlchemyPair *to, int lane, const double *lj)
{
  const LjCut cut = nonbonded_lj_cut(&y->nonbonded);
  to->a[lane] = lj[0];
  to->c[lane] = lj[1];
  to->shift[lane] = y->box != NULL ? nonbonded_shift(&cut, lj) : 0.0;
  to->sigma6[lane] = alchemy_build_sigma6(&y->input, lj);
}

/* The parameters of one site in one lane of the packs. */
static void set_site(const Alchemy *y, AlchemySite *site, AlchemyPair *pair, AlchemyActs *acts, int lane,
                     double root, int type)
{
  site->root[lane] = root;
  site->uses[lane] = -1;
  acts->charge = acts->charge || root != 0.0;
  for (int t = 0; t < y->ntype && type >= 0; t++) {
    const double *const lj = y->atoms->lj[y->type[t] * y->atoms->ntype + type];
    set_pair(y, &pair[t], lane, lj);
    acts->lj = acts->lj || lj[0] != 0.0 || lj[1] != 0.0;
  }
}

/* Unused lanes have harmless parameters. */
static void clear(const Alchemy *y, AlchemySite *site, AlchemyPair *pair)
{
  *site = (AlchemySite){.root = vec8_set(0.0)};
  for (int t = 0; t < y->ntype; t++)
    pair[t] = (AlchemyPair){vec8_set(0.0), vec8_set(0.0), vec8_set(0.0), vec8_set(1.0)};
}

/* One record for all packs, and one for the last, which may have fewer waters. */
static void set_water(Alchemy *y, AlchemyBlock *b, const SiteMap *map, AlchemySite *site, AlchemyPair *pair,
                      AlchemyActs *acts)
{
  const int left = (b->nlane - 1) % LANES + 1;
  for (int i = 0; i < 2 * map->nsite; i++) {
    const int k = i % map->nsite;
    clear(y, &site[i], pair + (ptrdiff_t)i * y->ntype);
    for (int l = 0; l < (i < map->nsite ? LANES : left); l++)
      set_site(y, &site[i], pair + (ptrdiff_t)i * y->ntype, &acts[k], l, sqrt(UNITS_COULOMB) * map->charge[k],
               k == 0 ? y->atoms->water_type : -1);
  }
  b->stride = 0;
  b->last = map->nsite;
}

/* Records are of packs of eight lanes, or with replicas in lanes of one lane each. */
static void set_atoms(Alchemy *y, AlchemyBlock *b, int block, AlchemySite *site, AlchemyPair *pair,
                      AlchemyActs *acts)
{
  const Atoms *const a = y->atoms;
  const int n = b->pack.nsite, group = y->width > 1 ? 1 : LANES;
  for (int i = 0; i < b->items * n; i++)
    clear(y, &site[i], pair + (ptrdiff_t)i * y->ntype);
  for (int lane = 0; lane < b->nlane; lane++)
    for (int k = 0; k < n; k++) {
      const int row = a->first[block] + lane * n + k, at = lane / group * n + k;
      for (int l = 0; l < LANES && !atoms_solute(a, row); l++)
        if (group == 1 || l == lane % LANES)
          set_site(y, &site[at], pair + (ptrdiff_t)at * y->ntype, &acts[k], l,
                   sqrt(UNITS_COULOMB) * a->charge[row], a->type[row]);
    }
  b->stride = n;
  b->last = (b->items - 1) * n;
}

static Status make_block(Alchemy *y, int index, const SiteMap *water, const State *shape, Error *error)
{
  AlchemyBlock *const b = &y->block[index];
  const Block *const of = &shape->block[index];
  const bool model = is_water(y, index);
  if (model && water == NULL)
    return error_set(error, STATUS_INPUT, "alchemy in open space does not support model water");
  b->nlane = of->nlane;
  b->pack.map = model ? water : NULL;
  b->pack.nsite = model ? water->nsite : of->kind->nsite;
  b->items = y->width > 1 ? of->nlane : (of->nlane + LANES - 1) / LANES;
  const size_t n = (size_t)(model ? 2 : b->items) * (size_t)b->pack.nsite;
  AlchemySite *const site = arena_take(&y->arena, n + 1, sizeof *site);
  AlchemyPair *const pair = arena_take(&y->arena, n * (size_t)y->ntype + 1, sizeof *pair);
  AlchemyActs *const acts = arena_take(&y->arena, (size_t)b->pack.nsite + 1, sizeof *acts);
  TRY(arena_check(&y->arena, "the partners of a solute", error));
  if (model)
    set_water(y, b, water, site, pair, acts);
  else
    set_atoms(y, b, index, site, pair, acts);
  b->pack.site = site;
  b->pack.pair = pair;
  b->pack.acts = acts;
  return STATUS_OK;
}

/* --- the model ------------------------------------------------------------------------------------------ */

static Status make_model(Alchemy *y, Error *error)
{
  AlchemyModel *const m = &y->model;
  const Nonbonded *const o = &y->nonbonded;
  m->box = y->box;
  m->alpha = y->input.alpha;
  m->power = y->input.power;
  m->charges = y->box == NULL || o->coulomb != COULOMB_NONE;
  if (y->box == NULL) {
    m->from6 = INFINITY;
    return STATUS_OK;
  }
  const LjCut cut = nonbonded_lj_cut(o);
  const bool switches = truncation_switches(cut.truncation);
  m->cutoff = o->cutoff;
  m->cutoff2 = o->cutoff * o->cutoff;
  m->cutoff6 = pow(o->cutoff, 6.0);
  m->truncation = cut.truncation;
  m->from = cut.from;
  m->from6 = switches ? pow(cut.from, 6.0) : INFINITY;
  m->rate = switches ? 1.0 / (cut.cutoff - cut.from) : 0.0;
  m->bend[0] = nonbonded_bend(&cut, 12);
  m->bend[1] = nonbonded_bend(&cut, 6);
  const WaterFloatCoulomb coulomb = water_float_table_coulomb(o);
  m->beta = coulomb.beta;
  m->field = coulomb.field;
  m->constant = coulomb.constant;
  TRY(water_float_table_exact(&m->tables, &coulomb, o->cutoff, error));
  return alchemy_tail_make(y, error);
}

static Status check_input(const AlchemyInput *in, Error *error)
{
  if (!(in->alpha >= 0.0 && in->alpha <= 10.0 && in->sigma > 0.0 && isfinite(in->sigma)) || in->power < 1 ||
      in->power > 2)
    return error_set(
        error, STATUS_INPUT,
        "the soft core needs alpha from 0 to 10, a power of 1 or 2 and a positive sigma, not %g, %d and "
        "%g A",
        in->alpha, in->power, in->sigma);
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++)
    if (!(in->strength[i] >= 0.0 && in->strength[i] <= 1.0))
      return error_set(error, STATUS_INPUT, "the strength of a solute must be 0 to 1, not %g",
                       in->strength[i]);
  return STATUS_OK;
}

Status alchemy_build(Alchemy *y, const AlchemyOptions *o, const State *shape, Error *error)
{
  TRY(check_input(&y->input, error));
  TRY(find_solute(y, shape, error));
  TRY(find_inside(y, error));
  y->nblock = shape->nblock;
  y->block = arena_take(&y->arena, (size_t)y->nblock + 1, sizeof *y->block);
  TRY(arena_check(&y->arena, "the partners of a solute", error));
  for (int b = 0; b < y->nblock; b++) {
    TRY(make_block(y, b, o->water, shape, error));
    y->nitem += y->block[b].items;
  }
  return make_model(y, error);
}
