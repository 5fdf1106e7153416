#include "simulation/molecules/barostat_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "engine/random.h"
#include "engine/units.h"

static const BarostatRow *const rows[] = {
    [BAROSTAT_MONTE_CARLO] = &barostat_monte_carlo, [BAROSTAT_RESCALE] = &barostat_rescale};

/* A round of moves of one sort in equilibration: so many, after which the size may change by this. */
enum { ROUND = 16 };
static const double change = 1.2;

typedef struct BarostatReplica {
  int64_t known; /* the step that the place is of; -1: none */
  BarostatPlace place;
  double kT;
  double size[BAROSTAT_MOVES];
  int64_t tried[BAROSTAT_MOVES], accepted[BAROSTAT_MOVES];
  int32_t round_tried[BAROSTAT_MOVES], round_accepted[BAROSTAT_MOVES];
} BarostatReplica;

struct Barostat {
  BarostatOptions options;
  Ensemble *ensemble;
  const Topology *topology;
  const BarostatRow *row;
  int groups, kinds;        /* of edges; of moves */
  BarostatReplica *replica; /* [held], as below */
  State **kept;             /* as they were before the move */
  BarostatTry *trial;
  bool *wanted;
};

/* --- making -------------------------------------------------------------------------------------------- */

void barostat_free(Barostat *b)
{
  if (b == NULL)
    return;
  for (int i = 0; b->kept != NULL && i < ensemble_held(b->ensemble); i++)
    state_free(b->kept[i]);
  free(b->kept);
  free(b->replica);
  free(b->trial);
  free(b->wanted);
  free(b);
}

int barostat_edges(BarostatShape shape, int group, int *first)
{
  static const int begin[][BAROSTAT_MOVES + 1] = {
      [BAROSTAT_ISOTROPIC] = {0, 3, 3, 3}, [BAROSTAT_XY_Z] = {0, 2, 3, 3}, [BAROSTAT_AXES] = {0, 1, 2, 3}};
  *first = begin[shape][group];
  return begin[shape][group + 1] - *first;
}

/* A size in its unit. */
static double size_of(const Barostat *b, double size)
{
  return b->row->by_number ? size / sqrt(b->topology->nmol) : size;
}

static Status keep(Barostat *b, Error *error)
{
  for (int i = 0; i < ensemble_held(b->ensemble); i++) {
    TRY(topology_state(b->topology, 1, 0, 0, &b->kept[i], error));
    if (ensemble_gang(b->ensemble, ensemble_base(b->ensemble) + i)->slow != NULL)
      TRY(state_keep_slow(b->kept[i], error));
  }
  return STATUS_OK;
}

Status barostat_create(Barostat **barostat, const BarostatOptions *options, Ensemble *ensemble,
                       const Topology *topology, Error *error)
{
  static const int groups[] = {[BAROSTAT_ISOTROPIC] = 1, [BAROSTAT_XY_Z] = 2, [BAROSTAT_AXES] = 3};
  const BarostatRow *row = rows[options->type];
  *barostat = NULL;
  Barostat *b = calloc(1, sizeof *b);
  TRY_MEMORY(b != NULL, "a barostat", error);
  const size_t held = (size_t)ensemble_held(ensemble);
  *b = (Barostat){.options = *options,
                  .ensemble = ensemble,
                  .topology = topology,
                  .row = row,
                  .groups = groups[options->shape],
                  .kinds = row->together ? 1 : groups[options->shape],
                  .replica = calloc(held, sizeof *b->replica),
                  .kept = calloc(held, sizeof(State *)),
                  .trial = calloc(held, sizeof *b->trial),
                  .wanted = calloc(held, sizeof *b->wanted)};
  const bool full = b->replica != NULL && b->kept != NULL && b->trial != NULL && b->wanted != NULL;
  TRY_ELSE(full ? keep(b, error) : error_memory(error, "a barostat"), barostat_free(b));
  for (size_t i = 0; i < held; i++) {
    b->replica[i].known = -1;
    b->replica[i].kT = options->kT;
    for (int k = 0; k < b->kinds; k++)
      b->replica[i].size[k] = size_of(b, row->first);
  }
  *barostat = b;
  return STATUS_OK;
}

const BarostatOptions *barostat_options(const Barostat *b) { return &b->options; }

const char *barostat_name(const Barostat *b) { return b->row->name; }

static int at(const Barostat *b, int replica) { return replica - ensemble_base(b->ensemble); }

/* Numbers of the replicas at work: of those in memory some may be other processes'. */
static int first(const Barostat *b) { return at(b, ensemble_first(b->ensemble)); }
static int end(const Barostat *b) { return at(b, ensemble_end(b->ensemble)); }

void barostat_set_temperature(Barostat *b, int replica, double kT) { b->replica[at(b, replica)].kT = kT; }

static void chunks(void *self, ChunkList *list)
{
  const Barostat *b = self;
  chunk_add_each(list, b->replica, sizeof *b->replica, ensemble_held(b->ensemble));
}

int barostat_kinds(const Barostat *b) { return b->kinds; }

BarostatMoves barostat_moves(const Barostat *b, int replica, int kind)
{
  const BarostatReplica *r = &b->replica[at(b, replica)];
  return (BarostatMoves){r->tried[kind], r->accepted[kind], r->size[kind]};
}

/* --- places -------------------------------------------------------------------------------------------- */

static Status take_place(void *self, int gang, const State *state, Walk *walk, const Team *team, Error *error)
{
  const Barostat *b = self;
  double kinetic, penalty, terms[FORCE_TERMS * FORCES_MAX];
  WalkPressure pressure = {.topology = b->topology};
  const WalkEnergies energies = {.kinetic = &kinetic,
                                 .penalty = &penalty,
                                 .terms = terms,
                                 .pressure = b->row->virial ? &pressure : NULL};
  TRY(walk_energies(walk, team, &energies, error));
  if (team->rank != 0)
    return STATUS_OK;
  BarostatReplica *r = &b->replica[at(b, gang)];
  r->place = (BarostatPlace){.volume = box_volume(&state->box), .energy = penalty};
  for (int i = 0; i < force_field_terms(ensemble_field(b->ensemble)); i++)
    r->place.energy += terms[i];
  for (int d = 0; d < 3 && b->row->virial; d++)
    r->place.virial[d] = pressure.virial_molecule[d][d];
  r->known = state->step;
  return STATUS_OK;
}

static Status sample(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                     Error *error)
{
  (void)due;
  return take_place(self, gang, state, walk, team, error);
}

static void forget(void *self)
{
  const Barostat *b = self;
  for (int i = 0; i < ensemble_held(b->ensemble); i++)
    b->replica[i].known = -1;
}

static Status know(Barostat *b, int64_t step, Error *error)
{
  const Sampler sampler = {.self = b, .sample = sample};
  bool any = false;
  for (int i = first(b); i < end(b); i++) {
    b->wanted[i] = b->replica[i].known != step;
    any = any || b->wanted[i];
  }
  return any ? ensemble_sample_some(b->ensemble, b->wanted, &sampler, 1, error) : STATUS_OK;
}

/* --- moves --------------------------------------------------------------------------------------------- */

/* Numbers in (0, 1] for the move of a replica at a step. */
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

/* What is proposed for replica number i, and what it does to the edges. */
static void propose(Barostat *b, int i, int64_t step, double scale[3])
{
  const BarostatReplica *r = &b->replica[i];
  BarostatTry *t = &b->trial[i];
  *t = (BarostatTry){.options = &b->options,
                     .molecules = b->topology->nmol,
                     .groups = b->groups,
                     .kT = r->kT,
                     .before = r->place};
  draw(b, ensemble_base(b->ensemble) + i, step, t->chance);
  t->kind = (int)fmin(t->chance[1] * b->kinds, b->kinds - 1);
  t->size = r->size[t->kind];
  b->row->propose(t);
  for (int k = 0; k < b->groups; k++) {
    int first;
    const int edges = barostat_edges(b->options.shape, k, &first);
    for (int d = first; d < first + edges; d++)
      scale[d] = exp(t->x[k] / edges);
  }
}

static Status too_small(int replica, int64_t step, double pressure, const Error *why, Error *error)
{
  return error_set(
      error, STATUS_RUN,
      "replica %d: at step %lld the barostat came to a box that the forces cannot have: %s. Take "
      "more molecules, a shorter forces.cutoff, or another pressure than %.6g bar",
      replica, (long long)step, why->text, pressure * UNITS_BAR);
}

/* Puts replica number i where the move would bring it. */
static Status try_move(Barostat *b, int i, int64_t step, Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  const State *state = ensemble_gang(b->ensemble, replica);
  double scale[3] = {1.0, 1.0, 1.0}, edge[3][3];
  propose(b, i, step, scale);
  state_copy(b->kept[i], state);
  for (int k = 0; k < 9; k++)
    edge[k / 3][k % 3] = state->box.h[k / 3][k % 3] * scale[k % 3];
  Box box = state->box;
  TRY(box_set(&box, (const double(*)[3])edge, error));
  Error why;
  const Status status = ensemble_set_box(b->ensemble, replica, &box, &why);
  if (status == STATUS_INPUT)
    return too_small(replica, step, b->options.pressure, &why, error);
  TRY(error_pass(error, status, &why));
  topology_scale(b->topology, state, scale);
  return STATUS_OK;
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
  const BarostatPlace *after = &b->replica[i].place;
  const BarostatTry *t = &b->trial[i];
  double stretch = 0.0; /* of ln V */
  for (int k = 0; k < b->groups; k++)
    stretch += t->x[k];
  const double work =
      after->energy - t->before.energy + b->options.pressure * t->before.volume * expm1(stretch);
  const double x =
      (t->molecules + 1.0) * stretch - work / t->kT + (b->row->bias != NULL ? b->row->bias(t, after) : 0.0);
  return x >= 0.0 || t->chance[2] < exp(x); /* not, where the energy is no number */
}

/* Keeps the move of replica number i, or takes it back. */
static Status conclude(Barostat *b, int i, int64_t step, Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  BarostatReplica *r = &b->replica[i];
  const BarostatTry *t = &b->trial[i];
  const bool accepted = accept(b, i);
  if (step <= b->options.equilibration)
    tune(b, r, t->kind, accepted);
  else {
    r->tried[t->kind]++;
    r->accepted[t->kind] += accepted;
  }
  r->known = -1;
  if (accepted)
    return STATUS_OK;
  TRY(ensemble_set_box(b->ensemble, replica, &b->kept[i]->box, error));
  ensemble_put(b->ensemble, replica, b->kept[i]);
  return STATUS_OK;
}

/* Boxes step by themselves, but all have come to the same step. */
static Status make(void *self, Ensemble *part, Error *error)
{
  Barostat *b = self;
  const int64_t step = ensemble_step(part);
  const Sampler sampler = {.self = b, .energies = 1, .sample = sample};
  if (step == 0 || step % b->options.every != 0)
    return STATUS_OK;
  TRY(know(b, step, error));
  for (int i = first(b); i < end(b); i++)
    TRY(try_move(b, i, step, error));
  TRY(ensemble_ready_sample(b->ensemble, NULL, &sampler, 1, error));
  for (int i = first(b); i < end(b); i++)
    TRY(conclude(b, i, step, error));
  return STATUS_OK;
}

Move barostat_move(Barostat *b)
{
  return (Move){.self = b,
                .every = b->options.every,
                .sample = take_place,
                .forget = forget,
                .make = make,
                .chunks = chunks};
}
