#include "simulation/ensemble/barostat_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "config/config.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/periodic.h"

static const BarostatRow *const rows[] = {
    [BAROSTAT_MONTE_CARLO] = &barostat_monte_carlo, [BAROSTAT_RESCALE] = &barostat_rescale};

/* Number of moves of one type in a round of equilibration, and the largest factor by which it changes the
 * size. */
enum { ROUND = 16 };
static const double change = 1.2;

/* A move to a box that the forces cannot use is rejected, like one of infinite energy; the ensemble is then
 * that of the usable boxes. Each such move adds MISSED to a count, and every other move subtracts one. At
 * MISSED_MOST, about 100 such moves more than one in eleven, the run ends. */
enum { MISSED = 10, MISSED_MOST = 1000 };

typedef struct BarostatReplica {
  int64_t known; /* step of `place`; -1: unknown */
  BarostatPoint place;
  double kT;
  double size[BAROSTAT_MOVES];
  int64_t tried[BAROSTAT_MOVES], accepted[BAROSTAT_MOVES], impossible; /* impossible: in total */
  int64_t missed;                                                      /* see MISSED */
  int32_t round_tried[BAROSTAT_MOVES], round_accepted[BAROSTAT_MOVES];
  double edge[3][3], volume; /* sums over moves in the second half of equilibration, ... */
  int64_t counted;           /* ... and their number */
  BarostatErrors errors;
} BarostatReplica;

struct Barostat {
  BarostatOptions options;
  Ensemble *ensemble;
  const Topology *topology;
  const BarostatRow *row;
  int strains, kinds;       /* strains of a move; types of move */
  BarostatReplica *replica; /* [held], as all arrays below */
  double *pressure;         /* kcal/mol/A^3 */
  EnsembleCopy *kept;       /* states before the move */
  BarostatTry *trial;
  bool *wanted;
  Arena arena;
};

/* --- making -------------------------------------------------------------------------------------------- */

void barostat_free(Barostat *b)
{
  if (b == NULL)
    return;
  ensemble_copy_free(b->kept);
  arena_free(&b->arena);
  free(b);
}

/* For a cell the first strain changes the volume, and the others preserve it. */
static const struct {
  int strains;
  BarostatStrain strain[BAROSTAT_MOVES];
} shapes[] = {[BAROSTAT_ISOTROPIC] = {1, {{{{1}, {0, 1}, {0, 0, 1}}, 3}}},
              [BAROSTAT_XY_Z] = {2, {{{{1}, {0, 1}}, 2}, {{{0}, {0}, {0, 0, 1}}, 1}}},
              [BAROSTAT_AXES] = {3, {{{{1}}, 1}, {{{0}, {0, 1}}, 1}, {{{0}, {0}, {0, 0, 1}}, 1}}},
              [BAROSTAT_CELL] = {6,
                                 {{{{1}, {0, 1}, {0, 0, 1}}, 3},
                                  {{{-1}, {0, 1}}, 2},
                                  {{{-1}, {0, -1}, {0, 0, 2}}, 2},
                                  {{{0}, {1}}, 1},
                                  {{{0}, {0}, {1}}, 1},
                                  {{{0}, {0}, {0, 1}}, 1}}}};

const BarostatStrain *barostat_strain(BarostatShape shape, int strain)
{
  return &shapes[shape].strain[strain];
}

double barostat_volume(const BarostatStrain *strain)
{
  return (strain->part[0][0] + strain->part[1][1] + strain->part[2][2]) / strain->parts;
}

double barostat_measure(BarostatShape shape, int strain)
{
  const BarostatStrain *of = &shapes[shape].strain[strain];
  return shape == BAROSTAT_CELL ? 2.0 * (of->part[0][0] - of->part[2][2]) / of->parts : 0.0;
}

/* Converts a size to its unit. */
static double size_of(const Barostat *b, double size)
{
  return b->row->by_number ? size / sqrt(b->topology->nmol) : size;
}

/* The last move of equilibration; 0: there is no such move. */
static int64_t last_of(const BarostatOptions *o) { return o->equilibration - o->equilibration % o->every; }

/* The expected error of the forces on replica i of those in memory, in its present box. */
static double force_error(const Barostat *b, int i)
{
  const ForceField *field = ensemble_forces(b->ensemble, ensemble_base(b->ensemble) + i);
  const PmeChoice *choice = periodic_choice(&field->force[0]);
  return hypot(choice->real, choice->mesh);
}

Status barostat_create(Barostat **barostat, const BarostatOptions *options, Ensemble *ensemble,
                       const Topology *topology, Error *error)
{
  const BarostatRow *row = rows[options->type];
  *barostat = NULL;
  Barostat *b = calloc(1, sizeof *b);
  TRY_MEMORY(b != NULL, "a barostat", error);
  const size_t held = (size_t)ensemble_held(ensemble);
  *b = (Barostat){.options = *options,
                  .ensemble = ensemble,
                  .topology = topology,
                  .row = row,
                  .strains = shapes[options->shape].strains,
                  .kinds = row->together ? 1 : shapes[options->shape].strains};
  b->replica = arena_take(&b->arena, held, sizeof *b->replica);
  b->pressure = arena_take(&b->arena, held, sizeof *b->pressure);
  b->trial = arena_take(&b->arena, held, sizeof *b->trial);
  b->wanted = arena_take(&b->arena, held, sizeof *b->wanted);
  TRY_ELSE(arena_check(&b->arena, "a barostat", error), barostat_free(b));
  TRY_ELSE(ensemble_copy_create(&b->kept, ensemble, error), barostat_free(b));
  for (size_t i = 0; i < held; i++) {
    b->replica[i].known = -1;
    b->replica[i].kT = options->kT;
    b->pressure[i] = options->pressure;
    for (int k = 0; k < b->kinds; k++)
      b->replica[i].size[k] = size_of(b, row->first);
    b->replica[i].errors.chosen = force_error(b, (int)i);
  }
  *barostat = b;
  return STATUS_OK;
}

const BarostatOptions *barostat_options(const Barostat *b) { return &b->options; }

const char *barostat_name(const Barostat *b) { return b->row->name; }

static int at(const Barostat *b, int replica) { return replica - ensemble_base(b->ensemble); }

/* Indices of the active replicas; other processes may own some of those in memory. */
static int first(const Barostat *b) { return at(b, ensemble_first(b->ensemble)); }
static int end(const Barostat *b) { return at(b, ensemble_end(b->ensemble)); }

void barostat_set_temperature(Barostat *b, int replica, double kT) { b->replica[at(b, replica)].kT = kT; }

double barostat_pressure(const Barostat *b, int replica) { return b->pressure[at(b, replica)]; }

void barostat_forget(Barostat *b, int replica) { b->replica[at(b, replica)].known = -1; }

void barostat_set_pressure(Barostat *b, int replica, double pressure)
{
  b->pressure[at(b, replica)] = pressure;
}

static void chunks(void *self, ChunkList *list)
{
  const Barostat *b = self;
  chunk_add_each(list, b->replica, sizeof *b->replica, ensemble_held(b->ensemble));
  if (b->options.pressures)
    chunk_add_each(list, b->pressure, sizeof *b->pressure, ensemble_held(b->ensemble));
}

int barostat_kinds(const Barostat *b) { return b->kinds; }

BarostatMoves barostat_moves(const Barostat *b, int replica, int kind)
{
  const BarostatReplica *r = &b->replica[at(b, replica)];
  return (BarostatMoves){r->tried[kind], r->accepted[kind], r->size[kind]};
}

int64_t barostat_impossible(const Barostat *b, int replica) { return b->replica[at(b, replica)].impossible; }

BarostatErrors barostat_errors(const Barostat *b, int replica) { return b->replica[at(b, replica)].errors; }

/* --- places -------------------------------------------------------------------------------------------- */

static Status take_place(void *self, int batch, const Sample *sample, Error *error)
{
  const Barostat *b = self;
  double kinetic, penalty, terms[FORCE_TERMS * FORCES_MAX];
  WalkPressure pressure = {.topology = b->topology};
  const WalkEnergies energies = {.kinetic = &kinetic,
                                 .penalty = &penalty,
                                 .terms = terms,
                                 .pressure = b->row->virial ? &pressure : NULL};
  TRY(sample_energies(sample, &energies, error));
  if (sample->team->rank != 0)
    return STATUS_OK;
  BarostatReplica *r = &b->replica[at(b, batch)];
  const ForceEnergy energy = force_field_energy(ensemble_field(b->ensemble), terms, 1, 0);
  r->place = (BarostatPoint){.volume = box_volume(sample_box(sample)),
                             .energy = penalty + energy.potential + energy.bias + energy.fixman};
  if (b->row->virial)
    memcpy(r->place.virial, pressure.virial_molecule, sizeof r->place.virial);
  r->known = sample_step(sample);
  return STATUS_OK;
}

static Status sample_due(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  (void)due;
  return take_place(self, batch, sample, error);
}

static void forget(void *self)
{
  const Barostat *b = self;
  for (int i = 0; i < ensemble_held(b->ensemble); i++)
    b->replica[i].known = -1;
}

static Status know(Barostat *b, int64_t step, Error *error)
{
  const Sampler sampler = {.self = b, .sample = sample_due};
  bool any = false;
  for (int i = first(b); i < end(b); i++) {
    b->wanted[i] = b->replica[i].known != step;
    any = any || b->wanted[i];
  }
  return any ? ensemble_sample_some(b->ensemble, b->wanted, &sampler, 1, error) : STATUS_OK;
}

/* --- moves --------------------------------------------------------------------------------------------- */

/* Draws numbers in (0, 1] for the move of a replica at a step. */
static void draw(const Barostat *b, int replica, int64_t step, double u[BAROSTAT_CHANCES])
{
  uint32_t key[2], word[4];
  random_key(b->options.seed, (uint32_t)replica, RANDOM_BAROSTAT, key);
  for (uint32_t i = 0; i < BAROSTAT_CHANCES; i++) {
    const uint32_t counter[4] = {(uint32_t)step, (uint32_t)((uint64_t)step >> 32), i, 0};
    random_words(key, counter, word);
    u[i] = random_fraction(word);
  }
}

/* exp(D/2) exp(S) exp(D/2) for a strain with diagonal D and tilts S; the opposite strain gives the
 * inverse. */
static void strain_map(const double x[3][3], double map[3][3])
{
  const double s[3][3] = {{0.0}, {x[1][0]}, {x[2][0] + 0.5 * x[2][1] * x[1][0], x[2][1]}};
  memset(map, 0, 9 * sizeof **map);
  for (int d = 0; d < 3; d++) {
    map[d][d] = exp(x[d][d]);
    for (int e = 0; e < d; e++)
      map[d][e] = s[d][e] * exp(0.5 * (x[d][d] + x[e][e]));
  }
}

/* Proposes a move of replica i, and the map of its centres. */
static void propose(Barostat *b, int i, int64_t step, double map[3][3])
{
  const BarostatReplica *r = &b->replica[i];
  BarostatTry *t = &b->trial[i];
  *t = (BarostatTry){.options = &b->options,
                     .molecules = b->topology->nmol,
                     .strains = b->strains,
                     .kT = r->kT,
                     .pressure = b->pressure[i],
                     .before = r->place};
  draw(b, ensemble_base(b->ensemble) + i, step, t->chance);
  t->kind = (int)fmin(t->chance[1] * b->kinds, b->kinds - 1);
  t->size = r->size[t->kind];
  b->row->propose(t);
  double x[3][3] = {{0.0}};
  for (int k = 0; k < b->strains; k++) {
    const BarostatStrain *strain = barostat_strain(b->options.shape, k);
    for (int e = 0; e < 9; e++)
      x[e / 3][e % 3] += t->x[k] * strain->part[e / 3][e % 3] / strain->parts;
  }
  strain_map((const double(*)[3])x, map);
}

/* An unusable box is not an error of the input: STATUS_INPUT becomes STATUS_RUN. */
static Status possible(const Barostat *b, int replica, Status status, const Error *why, Error *error)
{
  if (status != STATUS_INPUT)
    return error_pass(error, status, why);
  const Sample sample = ensemble_at(b->ensemble, replica);
  return error_set(error, STATUS_RUN,
                   "replica %d: at step %lld the barostat proposed a box that the forces cannot use: %s. Use "
                   "more molecules, a shorter forces.cutoff, or a pressure other than %.6g bar",
                   replica, (long long)sample_step(&sample), why->text,
                   barostat_pressure(b, replica) * UNITS_BAR);
}

/* The box of replica i with mapped edges. */
static Status mapped(const Barostat *b, int i, const double map[3][3], Box *box, Error *error)
{
  const Sample sample = ensemble_at(b->ensemble, ensemble_base(b->ensemble) + i);
  double edge[3][3] = {{0.0}};
  *box = *sample_box(&sample);
  for (int k = 0; k < 27; k++)
    edge[k / 9][k / 3 % 3] += box->h[k / 9][k % 3] * map[k % 3][k / 3 % 3];
  return box_set(box, (const double(*)[3])edge, error);
}

/* Sets that box and moves the molecules. STATUS_INPUT: the forces cannot use the box. */
static Status map_box(const Barostat *b, int i, const double map[3][3], Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  Box box;
  TRY(mapped(b, i, map, &box, error));
  TRY(ensemble_set_box(b->ensemble, replica, &box, error));
  ensemble_map(b->ensemble, replica, map);
  return STATUS_OK;
}

/* Restores the box of before the move. */
static Status kept_box(const Barostat *b, int replica, Error *error)
{
  const Sample kept = ensemble_copy_at(b->kept, replica);
  return ensemble_set_box(b->ensemble, replica, sample_box(&kept), error);
}

/* Moves replica i for trial, unless the forces cannot use the box. */
static Status try_move(Barostat *b, int i, int64_t step, Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  BarostatReplica *r = &b->replica[i];
  double map[3][3];
  Error why;
  propose(b, i, step, map);
  ensemble_copy_take(b->kept, replica);
  const Status status = map_box(b, i, (const double(*)[3])map, &why);
  b->trial[i].impossible = status == STATUS_INPUT && r->missed < MISSED_MOST;
  if (!b->trial[i].impossible) {
    r->missed -= r->missed > 0;
    return possible(b, replica, status, &why, error);
  }
  r->missed += MISSED;
  r->impossible++;
  return kept_box(b, replica, error);
}

static void tune(const Barostat *b, BarostatReplica *r, int kind, bool accepted)
{
  r->round_accepted[kind] += accepted;
  if (++r->round_tried[kind] < ROUND)
    return;
  const double share = (double)r->round_accepted[kind] / ROUND;
  r->size[kind] *= share < b->row->few ? 1.0 / change : share > b->row->many ? change : 1.0;
  r->size[kind] = fmin(r->size[kind], size_of(b, b->row->largest));
  r->round_tried[kind] = r->round_accepted[kind] = 0;
}

static bool accept(const Barostat *b, int i)
{
  const BarostatPoint *after = &b->replica[i].place;
  const BarostatTry *t = &b->trial[i];
  if (t->impossible)
    return false;
  double stretch = 0.0, measure = 0.0; /* change of ln V; of the remaining measure */
  for (int k = 0; k < b->strains; k++) {
    stretch += t->x[k] * barostat_volume(barostat_strain(b->options.shape, k));
    measure += t->x[k] * barostat_measure(b->options.shape, k);
  }
  const double work = after->energy - t->before.energy + t->pressure * t->before.volume * expm1(stretch);
  const double x = (t->molecules + 1.0) * stretch + measure - work / t->kT +
                   (b->row->bias != NULL ? b->row->bias(t, after) : 0.0);
  return x >= 0.0 || t->chance[2] < exp(x); /* false if the energy is NaN */
}

/* Adds to the mean box of equilibration. */
static void note_box(const Barostat *b, int i)
{
  BarostatReplica *r = &b->replica[i];
  const Sample sample = ensemble_at(b->ensemble, ensemble_base(b->ensemble) + i);
  if (2 * sample_step(&sample) <= b->options.equilibration)
    return;
  double edge[3][3];
  box_follow(&b->options.start, sample_box(&sample), edge);
  for (int k = 0; k < 9; k++)
    r->edge[k / 3][k % 3] += edge[k / 3][k % 3];
  r->volume += box_volume(sample_box(&sample));
  r->counted++;
}

/* Accepts the move of replica i, or undoes it. */
static Status conclude(Barostat *b, int i, int64_t step, Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  BarostatReplica *r = &b->replica[i];
  const BarostatTry *t = &b->trial[i];
  const bool accepted = accept(b, i);
  r->known = -1;
  if (!accepted) {
    TRY(kept_box(b, replica, error));
    ensemble_copy_return(b->kept, replica);
  }
  if (step <= b->options.equilibration) {
    tune(b, r, t->kind, accepted);
    note_box(b, i);
    return STATUS_OK;
  }
  r->tried[t->kind]++;
  r->accepted[t->kind] += accepted;
  r->errors.largest = fmax(r->errors.largest, force_error(b, i));
  return STATUS_OK;
}

/* --- the end of equilibration --------------------------------------------------------------------------- */

/* The map to a box of mean volume whose edges have the ratios, and for a cell the tilts, of their means. */
static void to_mean(const Barostat *b, int i, double map[3][3])
{
  const BarostatReplica *r = &b->replica[i];
  const Sample sample = ensemble_at(b->ensemble, ensemble_base(b->ensemble) + i);
  const double n = (double)r->counted;
  const double ratio = cbrt(r->volume / n / (r->edge[0][0] / n * r->edge[1][1] / n * r->edge[2][2] / n));
  double edge[3][3];
  box_follow(&b->options.start, sample_box(&sample), edge);
  memset(map, 0, 9 * sizeof **map);
  for (int d = 0; d < 3; d++) {
    map[d][d] = r->edge[d][d] / n * ratio / edge[d][d];
    for (int e = d - 1; e >= 0 && b->options.shape == BAROSTAT_CELL; e--) {
      map[d][e] = r->edge[d][e] / n * ratio / edge[d][d];
      for (int k = e; k < d; k++)
        map[d][e] -= edge[d][k] * map[k][e] / edge[d][d];
    }
  }
}

static Status end_equilibration(const Barostat *b, Error *error)
{
  for (int i = first(b); i < end(b); i++) {
    const int replica = ensemble_base(b->ensemble) + i;
    double map[3][3];
    Box mean;
    Error why;
    to_mean(b, i, map);
    const double(*const to)[3] = (const double(*)[3])map;
    TRY(possible(b, replica, mapped(b, i, to, &mean, &why), &why, error));
    if (b->options.ends)
      TRY(possible(b, replica, map_box(b, i, to, &why), &why, error));
    TRY(possible(b, replica, ensemble_choose_forces(b->ensemble, replica, &mean, &why), &why, error));
    b->replica[i].errors = (BarostatErrors){.chosen = force_error(b, i)};
  }
  return ensemble_ready(b->ensemble, error);
}

/* --- the move ------------------------------------------------------------------------------------------- */

/* All boxes have reached the same step. */
static Status make(void *self, Ensemble *group, Error *error)
{
  Barostat *b = self;
  const int64_t step = ensemble_step(group);
  const Sampler sampler = {.self = b, .energies = 1, .sample = sample_due};
  const int64_t last = last_of(&b->options);
  if (step == 0 || step % b->options.every != 0 || (b->options.ends && step > last))
    return STATUS_OK;
  TRY(know(b, step, error));
  for (int i = first(b); i < end(b); i++)
    TRY(try_move(b, i, step, error));
  TRY(ensemble_ready_sample(b->ensemble, NULL, &sampler, 1, error));
  for (int i = first(b); i < end(b); i++)
    TRY(conclude(b, i, step, error));
  return step == last ? end_equilibration(b, error) : STATUS_OK;
}

Move barostat_move(Barostat *b)
{
  return (Move){.self = b,
                .every = b->options.every,
                .last = b->options.ends ? last_of(&b->options) : 0,
                .sample = take_place,
                .forget = forget,
                .make = make,
                .chunks = chunks};
}
