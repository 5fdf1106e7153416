#include "simulation/molecules/barostat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/units.h"

/* A round of moves of one sort in equilibration: so many, and the shares accepted that are let be. */
enum { ROUND = 16 };
static const double too_few = 0.3, too_many = 0.5, change = 1.2;

/* An ideal gas's ln V scatters by 1/sqrt(N), a liquid's by less: moves begin with this much of it, and never
 * are more than that much. */
static const double first_size = 0.2, largest_size = 2.0;

typedef struct BarostatReplica {
  int64_t known; /* the step that the energy is of; -1: none */
  double energy; /* kcal/mol */
  double kT;
  double size[BAROSTAT_MOVES];
  int64_t tried[BAROSTAT_MOVES], accepted[BAROSTAT_MOVES];
  int32_t round_tried[BAROSTAT_MOVES], round_accepted[BAROSTAT_MOVES];
} BarostatReplica;

/* A move that is being tried. */
typedef struct Trial {
  int kind;
  double log_volume; /* change of ln V */
  double energy;     /* before         */
  double chance;     /* in (0, 1]: accepted if the probability is above it */
} Trial;

struct Barostat {
  BarostatOptions options;
  Ensemble *ensemble;
  const Topology *topology;
  int kinds;
  BarostatReplica *replica; /* [held], as below */
  State **kept;             /* as they were before the move */
  Trial *trial;
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
  static const int kinds[] = {[BAROSTAT_ISOTROPIC] = 1, [BAROSTAT_XY_Z] = 2, [BAROSTAT_AXES] = 3};
  *barostat = NULL;
  Barostat *b = calloc(1, sizeof *b);
  TRY_MEMORY(b != NULL, "a barostat", error);
  const size_t held = (size_t)ensemble_held(ensemble);
  *b = (Barostat){.options = *options,
                  .ensemble = ensemble,
                  .topology = topology,
                  .kinds = kinds[options->shape],
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
      b->replica[i].size[k] = first_size / sqrt(topology->nmol);
  }
  *barostat = b;
  return STATUS_OK;
}

const BarostatOptions *barostat_options(const Barostat *b) { return &b->options; }

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

/* --- energies ------------------------------------------------------------------------------------------ */

static Status take_energies(void *self, int gang, const State *state, Walk *walk, const Team *team,
                            Error *error)
{
  const Barostat *b = self;
  double kinetic, penalty, terms[FORCE_TERMS * FORCES_MAX];
  const WalkEnergies energies = {.kinetic = &kinetic, .penalty = &penalty, .terms = terms};
  TRY(walk_energies(walk, team, &energies, error));
  if (team->rank != 0)
    return STATUS_OK;
  BarostatReplica *r = &b->replica[at(b, gang)];
  r->energy = penalty;
  for (int i = 0; i < force_field_terms(ensemble_field(b->ensemble)); i++)
    r->energy += terms[i];
  r->known = state->step;
  return STATUS_OK;
}

static Status sample(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                     Error *error)
{
  (void)due;
  return take_energies(self, gang, state, walk, team, error);
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

/* Three numbers in (0, 1] for the move of a replica at a step. */
static void draw(const Barostat *b, int replica, int64_t step, double u[3])
{
  uint32_t key[2], word[4];
  random_key(b->options.seed, (uint32_t)replica, RANDOM_BAROSTAT, key);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t counter[4] = {(uint32_t)step, (uint32_t)((uint64_t)step >> 32), i, 0};
    random_words(key, counter, word);
    u[i] = random_fraction(word);
  }
}

/* What a move does to the edges. */
static void stretch(BarostatShape shape, int kind, double log_volume, double scale[3])
{
  const int edges = shape == BAROSTAT_ISOTROPIC ? 3 : shape == BAROSTAT_XY_Z && kind == 0 ? 2 : 1;
  const int first = shape == BAROSTAT_XY_Z && kind == 1 ? 2 : shape == BAROSTAT_AXES ? kind : 0;
  for (int d = 0; d < 3; d++)
    scale[d] = d >= first && d < first + edges ? exp(log_volume / edges) : 1.0;
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
  BarostatReplica *r = &b->replica[i];
  Trial *trial = &b->trial[i];
  double u[3], scale[3], edge[3][3];
  draw(b, replica, step, u);
  trial->kind = (int)fmin(u[1] * b->kinds, b->kinds - 1);
  trial->log_volume = (2.0 * u[0] - 1.0) * r->size[trial->kind];
  trial->energy = r->energy;
  trial->chance = u[2];
  stretch(b->options.shape, trial->kind, trial->log_volume, scale);
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

static void tune(BarostatReplica *r, int kind, bool accepted, int molecules)
{
  r->round_accepted[kind] += accepted;
  if (++r->round_tried[kind] < ROUND)
    return;
  const double share = (double)r->round_accepted[kind] / ROUND;
  r->size[kind] *= share < too_few ? 1.0 / change : share > too_many ? change : 1.0;
  r->size[kind] = fmin(r->size[kind], largest_size / sqrt(molecules));
  r->round_tried[kind] = r->round_accepted[kind] = 0;
}

static bool accept(const Barostat *b, int i)
{
  const BarostatReplica *r = &b->replica[i];
  const Trial *t = &b->trial[i];
  const double volume = box_volume(&b->kept[i]->box);
  const double work = r->energy - t->energy + b->options.pressure * volume * expm1(t->log_volume);
  const double x = (b->topology->nmol + 1.0) * t->log_volume - work / r->kT;
  return x >= 0.0 || t->chance < exp(x); /* not, where the energy is no number */
}

/* Keeps the move of replica number i, or takes it back. */
static Status conclude(Barostat *b, int i, int64_t step, Error *error)
{
  const int replica = ensemble_base(b->ensemble) + i;
  BarostatReplica *r = &b->replica[i];
  const Trial *t = &b->trial[i];
  const bool accepted = accept(b, i);
  if (step <= b->options.equilibration)
    tune(r, t->kind, accepted, b->topology->nmol);
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
                .sample = take_energies,
                .forget = forget,
                .make = make,
                .chunks = chunks};
}
