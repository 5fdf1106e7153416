#include "forcefields/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/reduction.h"
#include "forcefields/sites_kernels.h"
#include "forcefields/water_float.h"

enum { INSIDE = WATER_FLOAT_SUMS /* place of the intramolecular energy among the sums */ };

/* Times its length, the longest a bond may be. By atom, lists must reach that far. */
static const double stretch_molecule = 1.5, stretch_atom = 1.2;

/* Entries of a chunk of the list, by block of the partners. */
typedef struct Parted {
  int32_t *j;
  size_t room;
  bool failed;
} Parted;

struct Sites {
  SitesOptions options;
  Mixture mixture;
  SitesModel model;
  const SitesKernels *kernel;
  WaterFloatCoulomb coulomb;
  double stretch, list_cutoff, self;
  /* what is in double; all NULL: nothing */
  double *row;      /* [n][stride] */
  Reduction *force; /* [n][stride] */
  /* waters in float; all NULL: none are */
  WaterFloatModel *water_float;
  WaterFloatChunk *water[2]; /* the kernel without and with sums */
  WaterFloatRow *water_row;  /* [n]                              */
  Reduction *single;         /* [n][WATER_FLOAT_INTS]                   */
  uint8_t *block;            /* [n] by place                     */
  /* the list by blocks, of the list's making number `made` */
  int64_t made;
  int32_t *begin, *end; /* [nblock][n] */
  Parted parted[LIST_CHUNKS];
  int64_t sums[LIST_CHUNKS][WATER_FLOAT_SUMS + 1];
  WaterFloatFault fault[LIST_CHUNKS];
};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const SitesOptions *o, Error *error)
{
  if (!(o->cutoff > 0.0 && isfinite(o->cutoff)))
    return error_set(error, STATUS_INPUT, "the cutoff must be positive, not %g A", o->cutoff);
  if (o->truncation == EWALD_SWITCH && !(o->lj_switch > 0.0 && o->lj_switch < o->cutoff))
    return error_set(
        error, STATUS_INPUT,
        "Lennard-Jones is switched off from %g to %g A: the first must be positive and the smaller one",
        o->lj_switch, o->cutoff);
  if (o->switch_molecules && o->by_atom)
    return error_set(error, STATUS_INPUT,
                     "whole pairs of molecules are switched off by the distance of their first sites: "
                     "take a cutoff by molecule");
  if (o->coulomb == SITES_EWALD && !(o->beta > 0.0 && isfinite(o->beta)))
    return error_set(error, STATUS_INPUT, "the splitting parameter of Ewald's sum must be positive, not %g/A",
                     o->beta);
  if (o->coulomb == SITES_REACTION_FIELD && !(o->permittivity == 0.0 || o->permittivity >= 1.0))
    return error_set(
        error, STATUS_INPUT,
        "the permittivity of a reaction field must be at least 1, not %g (0 or infinity: a conductor)",
        o->permittivity);
  if (o->threads < 1)
    return error_set(error, STATUS_INPUT, "forces need at least one thread, not %d", o->threads);
  return isa_check(o->isa, error);
}

/* How far a site may be from the first one. */
static double reach(const Sites *s, int block)
{
  double longest = 0.0;
  for (int k = 0; k < s->mixture.kind[block].map.nsite; k++)
    longest = fmax(longest, s->mixture.kind[block].map.bond[k]);
  return s->stretch * longest;
}

/* Whether waters of the first block are in float, and whether anything else is there. */
static bool has_water_float(const Sites *s)
{
  const SitesOptions *o = &s->options;
  return o->mixed && s->mixture.kind[0].part.water != NULL && s->mixture.kind[0].map.planar && !o->by_atom &&
         (o->coulomb == SITES_EWALD || o->coulomb == SITES_CUTOFF);
}

static bool has_exact(const Sites *s) { return !has_water_float(s) || s->mixture.nblock > 1; }

static WaterFloatSwitching switching(const SitesOptions *o)
{
  if (o->truncation != EWALD_SWITCH)
    return WATER_FLOAT_SWITCH_NOTHING;
  return o->switch_molecules ? WATER_FLOAT_SWITCH_MOLECULES : WATER_FLOAT_SWITCH_LJ;
}

/* Where the force of first sites exceeds an eighth of the range of the sums: molecules that keep further
 * apart have few near neighbours. */
static double near_squared(const SitesPair *p, double cutoff, double low)
{
  return water_float_near(p->a, p->c, p->qq[0], cutoff, ldexp(1.0, 63 - WATER_FLOAT_EXACT_BITS - 3), low);
}

/* The pairs of sites that act, with charges times `unit`. */
static void find_charges(SitesPair *p, double unit, const double *qi, const double *qj)
{
  int but_first = 0, n = 1; /* the first sites act in any case */
  p->qq[0] = unit * (qi[0] * qj[0]);
  for (int k = 1; k < p->ni * p->nj; k++) {
    const int a = k / p->nj, b = k % p->nj;
    const double qq = unit * (qi[a] * qj[b]);
    if (qq == 0.0)
      continue;
    p->site[n][0] = a;
    p->site[n][1] = b;
    p->qq[n++] = qq;
    but_first += a > 0 && b > 0;
  }
  p->npair = n;
  p->charges = n == p->ni * p->nj                                         ? SITES_CHARGED
               : but_first == n - 1 && n - 1 == (p->ni - 1) * (p->nj - 1) ? SITES_CHARGED_BUT_FIRST
                                                                          : SITES_CHARGED_ANY;
}

static void fill_pair(Sites *s, int i, int j)
{
  const Mixture *m = &s->mixture;
  const SitesOptions *o = &s->options;
  SitesPair *p = &s->model.pair[i][j];
  const double far = o->by_atom ? o->cutoff + reach(s, i) + reach(s, j) : o->cutoff;
  *p = (SitesPair){m->kind[i].map.nsite, m->kind[j].map.nsite, .a = m->lj[i][j][0], .c = m->lj[i][j][1]};
  find_charges(p, o->coulomb == SITES_NONE ? 0.0 : UNITS_COULOMB, m->kind[i].map.charge,
               m->kind[j].map.charge);
  const double c6 = pow(o->cutoff, -6.0);
  if (o->truncation == EWALD_SHIFT)
    p->shift = (p->a * c6 - p->c) * c6;
  p->far2 = far * far;
  p->low = s->model.tables.low;
  p->near = near_squared(p, o->cutoff, p->low);
  p->water_float = i == 0 && j == 0 && has_water_float(s);
  if (p->water_float)
    water_float_limits(s->water_float, &p->near, &p->low);
  s->list_cutoff = fmax(s->list_cutoff, far);
}

/* (e - 1)/(2 e + 1), the k rc^3 of a reaction field of permittivity e; 0 and INFINITY: a conductor, 1/2. */
static double reaction_field(double e) { return e == 0.0 || isinf(e) ? 0.5 : (e - 1.0) / (2.0 * e + 1.0); }

Status sites_set_box(Sites *s, const Box *box, Error *error)
{
  static const WaterFloatKernels *const kernels[ISA_COUNT] = ISA_TABLES(water_float_kernels_table);
  const bool oblique = box_oblique(box);
  s->model.box = box;
  s->model.oblique = oblique;
  TRY(images_find(&s->model.images, box, s->list_cutoff, 1.0, error));
  for (int sums = 0; sums < 2 && s->water_float != NULL; sums++)
    s->water[sums] =
        kernels[s->options.isa]->chunk[oblique][s->water_float->weight != 0.0][sums][switching(&s->options)];
  return s->water_float != NULL ? water_float_set_box(s->water_float, box, error) : STATUS_OK;
}

static Status make_water_float(Sites *s, Error *error)
{
  s->water_float = water_float_zeros(1, sizeof *s->water_float, 1);
  TRY_MEMORY(s->water_float != NULL, "the water force", error);
  return water_float_model(s->water_float, &s->mixture.kind[0].map, &s->options, s->stretch, error);
}

static Status make_model(Sites *s, Error *error)
{
  const SitesOptions *o = &s->options;
  SitesModel *m = &s->model;
  double longest = 0.0, square = 0.0;
  s->list_cutoff = o->cutoff;
  m->nblock = s->mixture.nblock;
  for (int b = 0; b < m->nblock; b++) {
    const SiteMap *k = &s->mixture.kind[b].map;
    longest = fmax(longest, reach(s, b));
    m->stride = k->nsite * 4 > (int)m->stride ? (size_t)k->nsite * 4 : m->stride;
    for (int a = 0; a < k->nsite; a++)
      square += s->mixture.kind[b].nmol * k->charge[a] * k->charge[a];
  }
  m->cutoff2 = o->cutoff * o->cutoff;
  WaterFloatCoulomb *const c = &s->coulomb;
  c->beta = o->coulomb == SITES_EWALD ? o->beta : 0.0;
  if (o->coulomb == SITES_REACTION_FIELD) {
    c->field = reaction_field(o->permittivity) / pow(o->cutoff, 3.0);
    c->constant = 1.0 / o->cutoff + c->field * m->cutoff2;
    s->self = -0.5 * UNITS_COULOMB * c->constant * square;
  }
  if (has_water_float(s))
    TRY(make_water_float(s, error));
  if (has_exact(s))
    TRY(water_float_table_exact(&m->tables, c, o->by_atom ? o->cutoff : o->cutoff + 2.0 * longest, error));
  m->by_atom = o->by_atom;
  m->switching = switching(o);
  m->switch_from = o->lj_switch;
  m->switch_rate = m->switching != WATER_FLOAT_SWITCH_NOTHING ? 1.0 / (o->cutoff - o->lj_switch) : 0.0;
  for (int i = 0; i < m->nblock; i++)
    for (int j = 0; j < m->nblock; j++)
      fill_pair(s, i, j);
  return STATUS_OK;
}

static Status check_box(const Sites *s, const Box *box, Error *error)
{
  const double apart = box_shortest(box);
  if (box_volume(box) > 0.0 && isfinite(apart) && apart >= 2.0 * s->list_cutoff)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "the box is open, or too small: its images are %g A apart, which is less than twice %.4g A, the "
      "cutoff%s: take a larger box or a smaller cutoff",
      apart, s->list_cutoff,
      s->list_cutoff > s->options.cutoff ? " between atoms and twice the reach of a molecule" : "");
}

static Status allocate(Sites *s, Error *error)
{
  const int n = s->mixture.nmol, threads = s->options.threads;
  const size_t lists = (size_t)s->mixture.nblock * sizeof *s->begin, stride = s->model.stride;
  const Isa isa = s->options.isa;
  s->block = water_float_zeros(n, sizeof *s->block, threads);
  s->begin = water_float_zeros(n, lists, threads);
  s->end = water_float_zeros(n, lists, threads);
  if (has_exact(s)) {
    s->row = water_float_zeros(n, stride * sizeof *s->row, threads);
    TRY(reduction_create(&s->force, n, (int)stride, sizeof(int64_t), threads, isa, error));
  }
  if (has_water_float(s)) {
    s->water_row = water_float_zeros(n, sizeof *s->water_row, threads);
    TRY(reduction_create(&s->single, n, WATER_FLOAT_INTS, sizeof(int32_t), threads, isa, error));
  }
  if (s->block == NULL || s->begin == NULL || s->end == NULL || (has_exact(s) && s->row == NULL) ||
      (has_water_float(s) && s->water_row == NULL))
    return error_memory(error, "the forces between molecules");
  return STATUS_OK;
}

static Status make(Sites *s, const Box *box, Error *error)
{
  TRY(make_model(s, error));
  TRY(check_box(s, box, error));
  TRY(sites_set_box(s, box, error));
  return allocate(s, error);
}

Status sites_create(Sites **out, const Mixture *mixture, const Box *box, const SitesOptions *options,
                    Error *error)
{
  *out = NULL;
  TRY(check(options, error));
  Sites *s = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "the forces between molecules", error);
  static const SitesKernels *const kernels[ISA_COUNT] = ISA_TABLES(sites_kernels_table);
  s->options = *options;
  s->mixture = *mixture;
  s->kernel = kernels[options->isa];
  s->stretch = options->by_atom ? stretch_atom : stretch_molecule;
  s->made = -1;
  TRY_ELSE(make(s, box, error), sites_free(s));
  *out = s;
  return STATUS_OK;
}

void sites_free(Sites *s)
{
  if (s == NULL)
    return;
  water_float_table_exact_free(&s->model.tables);
  for (int k = 0; k < LIST_CHUNKS; k++)
    free(s->parted[k].j);
  free(s->row);
  reduction_free(s->force);
  free(s->water_float);
  free(s->water_row);
  reduction_free(s->single);
  free(s->block);
  free(s->begin);
  free(s->end);
  free(s);
}

double sites_list_cutoff(const Sites *s) { return s->list_cutoff; }

/* --- positions ------------------------------------------------------------------------------------------ */

void sites_make_stage(const Sites *s, Stage *stage)
{
  SiteMap map[KINDS_MAX];
  int nmol[KINDS_MAX];
  for (int b = 0; b < s->mixture.nblock; b++) {
    map[b] = s->mixture.kind[b].map;
    nmol[b] = s->mixture.kind[b].nmol;
  }
  stage_init(stage, s->mixture.nblock, map, nmol, s->stretch, s->model.box, s->options.isa);
  if (s->water_float != NULL) {
    stage->frame.unit = s->water_float->floats.unit;
    stage->frame.grid = s->water_float->floats.grid;
  }
}

StageOut sites_rows(const Sites *s, const ListView *list)
{
  if (list->made == 0)
    return (StageOut){0};
  return (StageOut){.place = list->place, .row = s->water_row, .exact = s->row, .stride = s->model.stride};
}

static void find_blocks(Sites *s, const Team *team, const ListView *list)
{
  int begin, end;
  team_range(team, s->mixture.nmol, &begin, &end);
  for (int p = begin; p < end; p++)
    s->block[p] = (uint8_t)mixture_block(&s->mixture, list->order[p]);
}

/* --- the list by blocks --------------------------------------------------------------------------------- */

static bool as_it_is(const Sites *s) { return s->mixture.nblock == 1; }

static bool make_room(Parted *parted, size_t wanted)
{
  if (wanted <= parted->room)
    return true;
  free(parted->j);
  parted->room = wanted + wanted / 4;
  parted->j = malloc(parted->room * sizeof *parted->j);
  if (parted->j == NULL)
    parted->room = 0;
  return parted->j != NULL;
}

/* Those of from[n] that are of block b go to `out`, the others to `rest`, which may be `from`. */
static int take_block(const Sites *s, int b, const int32_t *from, int n, int32_t *out, int32_t *rest)
{
  int taken = 0;
  for (int k = 0; k < n; k++) {
    const int32_t j = from[k];
    const bool is = s->block[j] == b;
    out[taken] = j;
    rest[k - taken] = j;
    taken += is;
  }
  return taken;
}

static void part(Sites *s, const ListView *list, int c)
{
  const ListChunk *chunk = &list->chunk[c];
  Parted *const parted = &s->parted[c];
  const int nblock = s->mixture.nblock, pads = nblock * LIST_PAD;
  int n = 0, longest = 0, wanted = 0;
  for (int p = chunk->first; p < chunk->last; p++) {
    const int found = list->end[p] - list->begin[p];
    wanted += found + pads;
    longest = found > longest ? found : longest;
  }
  parted->failed = !make_room(parted, (size_t)wanted + 2 * (size_t)(longest + pads));
  for (int p = chunk->first; p < chunk->last && !parted->failed; p++) {
    int left = list->end[p] - list->begin[p];
    int32_t *const rest = parted->j + n + left + pads; /* behind all of this place */
    for (int b = 0; b < nblock; b++) {
      const size_t at = (size_t)b * (size_t)list->n + (size_t)p;
      const int taken =
          take_block(s, b, b == 0 ? chunk->j + list->begin[p] : rest, left, parted->j + n, rest);
      left -= taken;
      s->begin[at] = n;
      s->end[at] = n += taken;
      while (n % LIST_PAD != 0)
        parted->j[n++] = p;
    }
  }
}

/* --- forces --------------------------------------------------------------------------------------------- */

static void add_integer(int64_t *sum, int64_t value) { *sum = (int64_t)((uint64_t)*sum + (uint64_t)value); }

/* What the reaction field does inside the molecule at a place. */
static void inside(const Sites *s, int p, int64_t *force, int64_t *sums)
{
  const SiteMap *kind = &s->mixture.kind[s->block[p]].map;
  const double *row = s->row + (size_t)p * s->model.stride;
  const double unit = ldexp(1.0, WATER_FLOAT_EXACT_BITS), sum_unit = ldexp(1.0, WATER_FLOAT_SUM_BITS);
  int64_t *const f = force + (size_t)p * s->model.stride;
  for (int a = 0; a < kind->nsite; a++)
    for (int b = a + 1; b < kind->nsite; b++) {
      const double qq = UNITS_COULOMB * kind->charge[a] * kind->charge[b];
      double r[3], square = 0.0;
      for (int d = 0; d < 3; d++) {
        r[d] = row[4 * b + d] - (a > 0 ? row[4 * a + d] : 0.0);
        square += r[d] * r[d];
      }
      const double factor = -2.0 * qq * s->coulomb.field;
      for (int d = 0; d < 3; d++) {
        const int64_t value = llrint(unit * (factor * r[d]));
        add_integer(&f[4 * b + d], value);
        add_integer(&f[4 * a + d], -value);
      }
      if (sums != NULL)
        add_integer(&sums[INSIDE],
                    llrint(sum_unit * (qq * (s->coulomb.field * square - s->coulomb.constant))));
    }
}

/* What this thread's chunks add to. */
typedef struct Own {
  int64_t *force;
  int32_t *single;
} Own;

static void run_chunk(Sites *s, const ListView *list, int c, Own own, bool sums)
{
  const ListChunk *chunk = &list->chunk[c];
  const bool same = as_it_is(s);
  int64_t *const to = s->sums[c];
  const WaterFloatPairs pairs = {chunk->first,
                                 chunk->last,
                                 list->n,
                                 same ? chunk->j : s->parted[c].j,
                                 same ? list->begin : s->begin,
                                 same ? list->end : s->end,
                                 s->block,
                                 &s->fault[c]};
  if (own.single != NULL)
    s->water[sums](s->water_float, &(WaterFloatWork){pairs, s->water_row, own.single, to});
  if (own.force == NULL)
    return;
  s->kernel->chunk(&s->model, &(SitesWork){pairs, s->row, own.force, sums ? to : NULL});
  for (int p = chunk->first; p < chunk->last && s->options.coulomb == SITES_REACTION_FIELD; p++)
    inside(s, p, own.force, sums ? to : NULL);
}

enum { NO_MEMORY = -1 };

/* Returns the first of this thread's chunks where molecules overlap, or LIST_CHUNKS, or NO_MEMORY. */
static int run_chunks(Sites *s, const Team *team, const ListView *list, bool stale, bool sums)
{
  const Own own = {s->force != NULL ? reduction_clear(s->force, team, list) : NULL,
                   s->single != NULL ? reduction_clear(s->single, team, list) : NULL};
  int begin, end, bad = LIST_CHUNKS;
  team_range(team, list->nchunk, &begin, &end);
  for (int c = begin; c < end; c++) {
    s->fault[c] = (WaterFloatFault){-1, -1};
    memset(s->sums[c], 0, sizeof s->sums[c]);
    if (stale && !as_it_is(s))
      part(s, list, c);
    if (s->parted[c].failed)
      return NO_MEMORY;
    run_chunk(s, list, c, own, sums);
    if (s->fault[c].i >= 0 && bad == LIST_CHUNKS)
      bad = c;
  }
  return bad;
}

static double sum_of(const Sites *s, int nchunk, int k)
{
  return stage_total(&s->sums[0][k], sizeof s->sums[0] / sizeof s->sums[0][0], nchunk, WATER_FLOAT_SUM_BITS);
}

void sites_sums(const Sites *s, const ListView *list, SitesSums *sums)
{
  const int n = list->nchunk;
  sums->lj = sum_of(s, n, 0);
  sums->real = sum_of(s, n, 1);
  sums->self = s->self;
  sums->intramolecular = sum_of(s, n, INSIDE);
  for (int k = 0; k < 9; k++)
    sums->virial[k / 3][k % 3] = sum_of(s, n, 2 + k);
}

/* --- what went wrong ------------------------------------------------------------------------------------ */

/* Block and sites x[nsite][3] of a molecule. */
static int find_sites(const Sites *s, const State *state, int molecule, double *x)
{
  const int b = mixture_block(&s->mixture, molecule);
  const SiteMap *map = &s->mixture.kind[b].map;
  double atom[3 * SITE_MAP_ATOMS];
  for (int k = 0; k < 3 * map->natom; k++)
    atom[k] = *state_element(&state->block[b], state->block[b].q, 1, molecule - s->mixture.first[b], 0, k / 3,
                             k % 3);
  site_map_sites(map, atom, x);
  return b;
}

/* Names the two sites that are closest for what they may be. */
static Status say_close(const Sites *s, const ListView *list, WaterFloatFault fault, const State *state,
                        Error *error)
{
  double x[3 * SITE_MAP_SITES], y[3 * SITE_MAP_SITES], least = INFINITY, found = 0.0;
  const int i = list->order[fault.i], j = list->order[fault.j], a = find_sites(s, state, i, x),
            b = find_sites(s, state, j, y);
  const SiteMap *first = &s->mixture.kind[a].map, *second = &s->mixture.kind[b].map;
  const SitesPair *p = &s->model.pair[a][b];
  int pair = 0;
  for (int k = 0; k < p->npair; k++) {
    double r[3];
    const double square = box_distance(s->model.box, y + 3 * p->site[k][1], x + 3 * p->site[k][0], r);
    const double share = square / (k == 0 ? p->near : p->low);
    if (share < least) {
      least = share;
      found = square;
      pair = k;
    }
  }
  return error_set(
      error, STATUS_RUN,
      "molecules %d and %d overlap: %s of %s and %s of %s are %.3g A apart; first sites may come as near as "
      "%.3g A, other charges %.3g A%s",
      state_molecule(state, i) + 1, state_molecule(state, j) + 1, first->site[p->site[pair][0]], first->name,
      second->site[p->site[pair][1]], second->name, sqrt(found), sqrt(p->near), sqrt(p->low),
      p->water_float ? ", in mixed precision: relax the start in double, or take a smaller time step" : "");
}

Status sites_run(Sites *s, const Team *team, const ListView *list, const State *state, bool sums,
                 StageForces *forces, Error *error)
{
  const bool stale = s->made != list->made;
  if (stale) {
    find_blocks(s, team, list);
    team_barrier(team);
  }
  const int64_t bad = team_least(team, run_chunks(s, team, list, stale, sums));
  if (team->rank == 0)
    s->made = bad == NO_MEMORY ? -1 : list->made;
  if (bad == NO_MEMORY)
    return error_memory(error, "the entries of a neighbour list");
  if (bad < LIST_CHUNKS)
    return say_close(s, list, s->fault[bad], state, error);
  forces->place = list->place;
  forces->single = s->single != NULL ? reduction_sum(s->single, team) : NULL;
  forces->exact = s->force != NULL ? reduction_sum(s->force, team) : NULL;
  forces->stride = s->model.stride;
  return STATUS_OK;
}
