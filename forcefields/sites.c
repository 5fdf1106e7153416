#include "forcefields/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/sites_private.h"

enum { INSIDE = WATER_FLOAT_SUMS /* index of the intramolecular energy in the sums */ };

/* The longest bond relative to its length at rest. Cut by atom, lists must reach as far. */
static const double stretch_molecule = 1.5, stretch_atom = 1.2;

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const Nonbonded *o, int threads, Isa isa, Error *error)
{
  TRY(nonbonded_check(o, error));
  if (coulomb_splits(o->coulomb) && o->beta == 0.0)
    return error_input(error, "beta", "the splitting parameter of the Ewald sum is missing");
  if (threads < 1)
    return error_set(error, STATUS_INPUT, "forces need at least one thread, not %d", threads);
  return isa_check(isa, error);
}

Status sites_set_box(Sites *s, const Box *box, Error *error)
{
  static const WaterFloatKernels *const kernels[ISA_COUNT] = ISA_TABLES(water_float_kernels_table);
  const bool oblique = box_oblique(box);
  s->model.box = box;
  s->model.oblique = oblique;
  TRY(images_find(&s->model.images, box, s->list_cutoff, 1.0, error));
  for (int sums = 0; sums < 2 && s->water_float != NULL; sums++)
    s->water[sums] = kernels[s->isa]->chunk[oblique][s->water_float->weight != 0.0][sums][s->model.switching];
  if (s->atoms_float != NULL)
    TRY(atoms_float_set_box(s->atoms_float, box, s->list_cutoff, error));
  return s->water_float != NULL ? water_float_set_box(s->water_float, box, error) : STATUS_OK;
}

static Status check_box(const Sites *s, const Box *box, Error *error)
{
  const double apart = box_shortest(box);
  if (box_volume(box) > 0.0 && isfinite(apart) && apart >= 2.0 * sites_image_cutoff(s))
    return STATUS_OK;
  return error_input(error, "cutoff",
                     "the box is open or too small: its images are %g A apart, less than twice %.4g A, the "
                     "cutoff%s: enlarge the box or reduce the cutoff",
                     apart, sites_image_cutoff(s),
                     s->options.by_atom ? " between atoms plus twice the reach of a molecule" : "");
}

static Status allocate(Sites *s, Error *error)
{
  const int n = s->particles.nmol, threads = s->threads;
  const size_t stride = s->model.stride;
  const Isa isa = s->isa;
  if (s->particles.atoms != NULL)
    s->type = water_float_zeros(n, sizeof *s->type, threads);
  if (sites_model_exact(s)) {
    s->row = water_float_zeros(n, stride * sizeof *s->row, threads);
    TRY(reduction_create(&s->force, n, (int)stride, sizeof(int64_t), threads, isa, error));
  }
  const bool single = s->single_bytes > 0;
  if (single) {
    const int ints = (int)(s->single_bytes / sizeof(int32_t));
    s->single_row = water_float_zeros(n, s->single_bytes, threads);
    TRY(reduction_create(&s->single, n, ints, sizeof(int32_t), threads, isa, error));
  }
  if ((s->particles.atoms != NULL && s->type == NULL) || (sites_model_exact(s) && s->row == NULL) ||
      (single && s->single_row == NULL))
    return error_memory(error, "the forces between molecules");
  return STATUS_OK;
}

/* The molecules of each bucket are a sort of the list. */
static Status make_sorts(Sites *s, Error *error)
{
  const Particles *const m = &s->particles;
  const int buckets = s->model.nbucket, n = buckets + (m->atoms != NULL && m->atoms->solute != NULL);
  s->sort = malloc((size_t)m->nmol * sizeof *s->sort);
  TRY_MEMORY(s->sort != NULL, "the forces between molecules", error);
  for (int i = 0; i < m->nmol; i++)
    s->sort[i] = (uint8_t)(atoms_solute(m->atoms, i) ? buckets : sites_bucket(s, particles_block(m, i)));
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++)
      s->cutoff[a * n + b] = s->cutoff[b * n + a] =
          a < buckets ? sqrt(s->model.pair[a][b].far2) : s->options.cutoff;
  s->share[buckets - 1] = s->atoms_float != NULL;
  s->sorts = (ListSorts){n, s->sort, s->cutoff, s->buffer, NULL, NULL, s->share};
  if (m->atoms != NULL && m->atoms->nexcluded > 0) {
    s->sorts.begin = m->atoms->begin;
    s->sorts.hidden = m->atoms->partner;
  }
  return STATUS_OK;
}

static Status make(Sites *s, const Box *box, Error *error)
{
  TRY(sites_model_make(s, error));
  TRY(make_sorts(s, error));
  TRY(check_box(s, box, error));
  TRY(sites_set_box(s, box, error));
  return allocate(s, error);
}

Status sites_create(Sites **out, const Particles *particles, const Box *box, const Nonbonded *options,
                    int threads, Isa isa, Error *error)
{
  *out = NULL;
  TRY(check(options, threads, isa, error));
  Sites *s = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "the forces between molecules", error);
  static const SitesKernels *const kernels[ISA_COUNT] = ISA_TABLES(sites_kernels_table);
  static const AtomsFloatKernels *const atoms[ISA_COUNT] = ISA_TABLES(atoms_float_kernels_table);
  s->options = *options;
  s->threads = threads;
  s->isa = isa;
  s->particles = *particles;
  s->kernel = kernels[isa];
  s->atoms = atoms[isa];
  s->stretch = options->by_atom || particles->atoms != NULL ? stretch_atom : stretch_molecule;
  s->made = -1;
  TRY_ELSE(make(s, box, error), sites_free(s));
  *out = s;
  return STATUS_OK;
}

void sites_free(Sites *s)
{
  if (s == NULL)
    return;
  sites_model_free(s);
  for (int k = 0; k < LIST_CHUNKS; k++)
    free(s->beside[k].with);
  free(s->row);
  reduction_free(s->force);
  free(s->single_row);
  reduction_free(s->single);
  free(s->sort);
  free(s->type);
  free(s);
}

double sites_list_cutoff(const Sites *s) { return s->list_cutoff; }

double sites_image_cutoff(const Sites *s) { return s->options.by_atom ? s->list_cutoff : s->options.cutoff; }

ListOptions sites_list(Sites *s, const Box *box, double buffer, double atoms_buffer)
{
  const int n = s->sorts.n, buckets = s->model.nbucket;
  for (int k = 0; k < n * n; k++) {
    const int a = k / n, b = k % n;
    const bool atoms = a >= buckets || b >= buckets || atoms_are(s->particles.atoms, s->sample[a]) ||
                       atoms_are(s->particles.atoms, s->sample[b]);
    s->buffer[k] = atoms ? atoms_buffer : buffer;
  }
  return (ListOptions){.box = box, .isa = s->isa, .sorts = &s->sorts};
}

/* --- positions ------------------------------------------------------------------------------------------ */

Status sites_make_stage(const Sites *s, Stage *stage, Error *error)
{
  TRY(stage_init(stage, &s->particles, s->stretch, s->model.box, s->isa, error));
  const WaterFloatUnits *const floats = s->water_float != NULL   ? &s->water_float->floats
                                        : s->atoms_float != NULL ? &s->atoms_float->floats
                                                                 : NULL;
  if (floats != NULL) {
    stage->frame.unit = floats->unit;
    stage->frame.grid = floats->grid;
  }
  return STATUS_OK;
}

StageOut sites_rows(const Sites *s, const ListView *list)
{
  if (list->made == 0)
    return (StageOut){0};
  return (StageOut){.place = list->place,
                    .single = s->single_row,
                    .single_bytes = s->single_bytes,
                    .exact = s->row,
                    .stride = s->model.stride};
}

/* --- forces --------------------------------------------------------------------------------------------- */

static void add_integer(int64_t *sum, int64_t value) { *sum = (int64_t)((uint64_t)*sum + (uint64_t)value); }

/* The reaction field inside the molecule at a place, of a bucket. */
static void inside(const Sites *s, int bucket, int p, int64_t *force, int64_t *sums)
{
  const SiteMap *kind = &s->particles.kind[s->sample[bucket]].map;
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

/* Arrays that this thread's chunks add to. */
typedef struct Own {
  int64_t *force;
  int32_t *single;
} Own;

static void run_chunk(Sites *s, const ListView *list, int c, Own own, bool sums)
{
  const ListChunk *chunk = &list->chunk[c];
  int64_t *const to = s->sums[c];
  const WaterFloatPairs pairs = {chunk->first, chunk->last, list->n,     chunk->j,
                                 list->begin,  list->end,   &s->fault[c]};
  if (s->water_float != NULL)
    s->water[sums](s->water_float, &(WaterFloatWork){pairs, s->single_row, own.single, to});
  if (s->atoms_float != NULL)
    s->atoms->chunk[sums](s->atoms_float, &(AtomsFloatWork){pairs, list->share, s->beside[c].with, s->type,
                                                            s->single_row, own.single, to});
  if (own.force == NULL)
    return;
  s->kernel->chunk(&s->model, &(SitesWork){pairs, s->row, s->type, own.force, sums ? to : NULL});
  for (int b = 0; b < s->model.nbucket && s->options.coulomb == COULOMB_REACTION_FIELD; b++)
    for (int p = chunk->first[b]; p < chunk->last[b]; p++)
      inside(s, b, p, own.force, sums ? to : NULL);
}

enum { NO_MEMORY = -1 };

static int run_pieces(Sites *s, const Team *team, const ListView *list, bool stale, bool sums)
{
  const Own own = {s->force != NULL ? reduction_begin(s->force, team) : NULL,
                   s->single != NULL ? reduction_begin(s->single, team) : NULL};
  int bad = LIST_CHUNKS;
  TeamDeal deal = team_deal(team, list->nchunk, NULL);
  for (int c; (c = team_next(&deal)) >= 0;) {
    s->fault[c] = (WaterFloatFault){-1, -1};
    memset(s->sums[c], 0, sizeof s->sums[c]);
    if (stale)
      sites_part_chunk(s, list, c);
    if (s->beside[c].failed)
      return NO_MEMORY;
    if (own.force != NULL)
      reduction_reach(s->force, team, &list->chunk[c]);
    if (own.single != NULL)
      reduction_reach(s->single, team, &list->chunk[c]);
    run_chunk(s, list, c, own, sums);
    if (s->fault[c].i >= 0 && c < bad)
      bad = c;
  }
  return bad;
}

/* For all of a team: the first chunk with overlapping molecules, or LIST_CHUNKS, or NO_MEMORY. */
static int run_chunks(Sites *s, const Team *team, const ListView *list, bool stale, bool sums)
{
  return (int)team_least(team, run_pieces(s, team, list, stale, sums) - NO_MEMORY) + NO_MEMORY;
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

/* --- errors of a run ------------------------------------------------------------------------------------ */

/* Block and sites x[nsite][3] of a molecule. */
static int find_sites(const Sites *s, const State *state, int molecule, double *x)
{
  const int b = particles_block(&s->particles, molecule);
  particles_sites(&s->particles, state, b, molecule - s->particles.first[b], x);
  return b;
}

/* Reports the two sites that are closest relative to their limits. */
static Status say_close(const Sites *s, const ListView *list, WaterFloatFault fault, const State *state,
                        Error *error)
{
  double x[3 * SITE_MAP_SITES], y[3 * SITE_MAP_SITES], least = INFINITY, found = 0.0;
  const int i = list->order[fault.i], j = list->order[fault.j], a = find_sites(s, state, i, x),
            b = find_sites(s, state, j, y);
  const SiteMap *first = &s->particles.kind[a].map, *second = &s->particles.kind[b].map;
  const SitesPair *p = &s->model.pair[sites_bucket(s, a)][sites_bucket(s, b)];
  const double near =
      p->atoms != 0 ? s->model.lj[s->type[fault.i] * s->model.ntype + s->type[fault.j]][3] : p->near;
  int pair = 0;
  for (int k = 0; k < p->npair; k++) {
    double r[3];
    const double square = box_distance(s->model.box, y + 3 * p->site[k][1], x + 3 * p->site[k][0], r);
    const double share = square / (k == 0 ? near : p->low);
    if (share < least) {
      least = share;
      found = square;
      pair = k;
    }
  }
  const char *const why = p->shape == SITES_WATER_FLOAT || p->shape == SITES_ATOMS_FLOAT
                              ? " in mixed precision: minimise the start (system.minimise), reduce the time "
                                "step, or use precision: double"
                              : "";
  if (s->particles.atoms != NULL) {
    char one[ATOMS_WORDS], other[ATOMS_WORDS];
    return error_set(error, STATUS_RUN,
                     "%s and %s overlap: they are %.3g A apart; the least allowed distance is %.3g A%s",
                     atoms_words(s->particles.atoms, i, one), atoms_words(s->particles.atoms, j, other),
                     sqrt(found), sqrt(pair == 0 ? near : p->low), why);
  }
  return error_set(error, STATUS_RUN,
                   "molecules %d and %d overlap: %s of %s and %s of %s are %.3g A apart; the least allowed "
                   "distance is %.3g A for first sites and %.3g A for other charges%s",
                   state_molecule(state, i) + 1, state_molecule(state, j) + 1, first->site[p->site[pair][0]],
                   first->name, second->site[p->site[pair][1]], second->name, sqrt(found), sqrt(p->near),
                   sqrt(p->low), why);
}

Status sites_run(Sites *s, const Team *team, const ListView *list, const State *state, bool sums,
                 StageForces *forces, Error *error)
{
  const bool stale = s->made != list->made;
  if (stale) {
    sites_part_places(s, team, list);
    team_barrier(team);
  }
  const int bad = run_chunks(s, team, list, stale, sums);
  if (team->rank == 0)
    s->made = bad == NO_MEMORY ? -1 : list->made;
  if (bad == NO_MEMORY)
    return error_memory(error, "the entries of a neighbour list");
  if (bad < LIST_CHUNKS)
    return say_close(s, list, s->fault[bad], state, error);
  forces->place = list->place;
  forces->single = s->single != NULL ? reduction_sum(s->single, team) : NULL;
  forces->single_ints = s->single_bytes / sizeof(int32_t);
  forces->exact = s->force != NULL ? reduction_sum(s->force, team) : NULL;
  forces->stride = s->model.stride;
  forces->field = s->options.coulomb == COULOMB_REACTION_FIELD ? &s->field : NULL;
  return STATUS_OK;
}
