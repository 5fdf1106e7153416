#include "simulation/ladder/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/random.h"
#include "simulation/ladder/ladder_private.h"
#include "simulation/ladder/ladder_tune.h"

double ladder_acceptance(double dbeta, double dU)
{
  const double x = dbeta * dU;
  return x >= 0.0 ? 1.0 : exp(x);
}

/* --- making ------- */

/* The histogram of a ladder's energies. */
static int histogram_of(int ladder, int ladders)
{
  const int n = ladders < LADDER_HISTOGRAMS ? ladders : LADDER_HISTOGRAMS;
  return (int)((int64_t)ladder * n / ladders);
}

bool ladder_may_begin(int n, int ladders, int width, int batch)
{
  const int64_t replica = (int64_t)batch * width;
  const int ladder = (int)(replica / n);
  if (ladder == 0 || ladder >= ladders)
    return replica == 0 || ladder >= ladders;
  return replica % n == 0 && histogram_of(ladder, ladders) != histogram_of(ladder - 1, ladders);
}

/* The replicas of a part that are on ladders; their slots have the same range. */
typedef struct LadderRange {
  int first, end;
} LadderRange;

static LadderRange range_of(const Ladder *l, const Ensemble *group)
{
  const int w = ensemble_width(group), end = ensemble_end(group) * w;
  return (LadderRange){ensemble_first(group) * w, end < l->count ? end : l->count};
}

/* Whether states differ in more than temperature. */
static bool have_states(const LadderOptions *o)
{
  bool differ = o->parameters != NULL;
  for (int k = 1; o->pressure != NULL && k < o->n; k++)
    differ = differ || o->pressure[k] != o->pressure[0];
  return differ;
}

static double scale_of(const Ladder *l, int k) { return sqrt(l->kT[k] / l->options.kT_plan); }

/* Gives noise and barostat the temperature and pressure of a replica's state. */
static void set_state(const Ladder *l, int r)
{
  const int k = l->replica[r].temperature;
  ensemble_set_noise(l->ensemble, r, scale_of(l, k));
  if (l->options.barostat == NULL)
    return;
  barostat_set_temperature(l->options.barostat, r, l->kT[k]);
  barostat_set_pressure(l->options.barostat, r, l->options.pressure[k]);
}

/* Up to 4 MB each and 34 MB in total. Initial bins are much narrower than the energy distribution at the
 * lowest temperature. */
static Status histograms_create(Ladder *l, Error *error)
{
  const int few = LADDER_HISTOGRAMS / 2;
  l->nhistogram = l->options.ladders < LADDER_HISTOGRAMS ? l->options.ladders : LADDER_HISTOGRAMS;
  l->histogram = arena_take(&l->arena, (size_t)l->nhistogram, sizeof(EnergyHistogram *));
  const EnergyHistogramOptions options = {.temperatures = l->options.n,
                                          .bins = l->nhistogram > few ? 2048 : 4096,
                                          .width = l->kT[0] / 64.0,
                                          .volumes = l->volume != NULL};
  TRY(arena_check(&l->arena, "a ladder", error));
  for (int h = 0; h < l->nhistogram; h++)
    TRY(energy_histogram_create(&l->histogram[h], &options, error));
  return STATUS_OK;
}

/* States that differ in parameters or pressures use reduced energies instead of histograms. */
static Status reduced_create(Ladder *l, Error *error)
{
  const LadderOptions *o = &l->options;
  const size_t n = (size_t)o->n, ladders = (size_t)o->ladders;
  const size_t replicas = (size_t)ensemble_replicas(l->ensemble);
  const ReducedColumns columns = {.states = o->n,
                                  .volumes = l->volume != NULL,
                                  .slopes = o->slopes ? o->parameters->n : 0,
                                  .replicas = o->slopes};
  if (o->parameters != NULL)
    l->shift = arena_take(&l->arena, replicas * n, sizeof *l->shift);
  if (o->slopes)
    l->slope = arena_take(&l->arena, replicas * (size_t)columns.slopes, sizeof *l->slope);
  const size_t width = (size_t)reduced_energies_width(&columns);
  l->reduced = arena_take(&l->arena, (size_t)l->count * width, sizeof *l->reduced);
  l->sample = arena_take(&l->arena, ladders, sizeof(ReducedEnergies *));
  TRY(arena_check(&l->arena, "a ladder", error));
  for (size_t a = 0; a < ladders; a++)
    TRY(reduced_energies_create(&l->sample[a], &columns, o->ladders, error));
  return STATUS_OK;
}

Status ladder_create(Ladder **ladder, const LadderOptions *options, Ensemble *ensemble, Error *error)
{
  *ladder = NULL;
  Ladder *l = calloc(1, sizeof *l);
  TRY_MEMORY(l != NULL, "a ladder", error);
  const int replicas = ensemble_replicas(ensemble);
  const int w = ensemble_width(ensemble), base = ensemble_base(ensemble) * w;
  const int held = ensemble_held(ensemble) * w;
  const size_t kept = options->redraw ? (size_t)held : 1;
  l->options = *options;
  l->options.kT = l->kT;
  if (options->acceptance == NULL)
    l->options.acceptance = ladder_acceptance;
  memcpy(l->kT, options->kT, (size_t)options->n * sizeof *l->kT);
  l->ensemble = ensemble;
  l->count = options->n * options->ladders;
  l->thermal = force_field_scales_with_kT(ensemble_field(ensemble)) || options->parameters != NULL;
  l->states = have_states(options);
  l->replica = arena_take(&l->arena, (size_t)replicas, sizeof *l->replica);
  l->cell = arena_take(&l->arena, (size_t)replicas, sizeof *l->cell);
  l->holder = arena_take(&l->arena, (size_t)l->count, sizeof *l->holder);
  if (options->ladders == 1)
    l->time = arena_take(&l->arena, (size_t)options->n, sizeof *l->time);
  l->momenta =
      arena_take(&l->arena, kept * topology_coordinates(ensemble_topology(ensemble)), sizeof *l->momenta);
  if (options->pressure != NULL)
    l->volume = arena_take(&l->arena, (size_t)replicas, sizeof *l->volume);
  TRY_ELSE(l->states ? reduced_create(l, error) : histograms_create(l, error), ladder_free(l));
  for (int r = 0; r < replicas; r++) {
    l->replica[r].temperature = r < l->count ? r % options->n : 0;
    l->replica[r].known = -1;
  }
  for (int r = base; r < base + held; r++)
    set_state(l, r);
  *ladder = l;
  return STATUS_OK;
}

void ladder_free(Ladder *l)
{
  if (l == NULL)
    return;
  for (int h = 0; l->histogram != NULL && h < l->nhistogram; h++)
    energy_histogram_free(l->histogram[h]);
  for (int a = 0; l->sample != NULL && a < l->options.ladders; a++)
    reduced_energies_free(l->sample[a]);
  arena_free(&l->arena);
  free(l);
}

const LadderOptions *ladder_options(const Ladder *l) { return &l->options; }

static void chunks(void *self, ChunkList *list)
{
  Ladder *l = self;
  chunk_add(list, l->kT, (size_t)l->options.n * sizeof *l->kT);
  const int w = ensemble_width(l->ensemble), base = ensemble_base(l->ensemble),
            held = ensemble_held(l->ensemble);
  chunk_add_each(list, l->replica + base * w, (size_t)w * sizeof *l->replica, held);
  chunk_add_each(list, l->cell + base * w, (size_t)w * sizeof *l->cell, held);
  if (l->time != NULL)
    chunk_add(list, l->time, (size_t)l->options.n * sizeof *l->time);
  if (l->shift != NULL)
    chunk_add_each(list, l->shift + (ptrdiff_t)base * w * l->options.n,
                   (size_t)(w * l->options.n) * sizeof *l->shift, held);
  if (l->slope != NULL)
    chunk_add_each(list, l->slope + (ptrdiff_t)base * w * l->options.parameters->n,
                   (size_t)(w * l->options.parameters->n) * sizeof *l->slope, held);
  if (l->volume != NULL)
    chunk_add_each(list, l->volume + base * w, (size_t)w * sizeof *l->volume, held);
  for (int a = 0; a < l->options.ladders; a++) { /* each belongs to the batch where its first ladder begins */
    const int h = histogram_of(a, l->options.ladders), batch = a * l->options.n / w;
    if ((a > 0 && h == histogram_of(a - 1, l->options.ladders)) || batch < base || batch >= base + held)
      continue;
    chunk_owner(list, batch);
    if (!l->states)
      energy_histogram_chunks(l->histogram[h], list);
    for (int b = a; l->states && b < l->options.ladders && h == histogram_of(b, l->options.ladders); b++)
      reduced_energies_chunks(l->sample[b], list);
  }
  chunk_owner(list, CHUNK_OF_ALL);
}

int ladder_temperature(const Ladder *l, int replica) { return l->replica[replica].temperature; }

int ladder_slot(const Ladder *l, int replica)
{
  if (l == NULL || replica >= l->count)
    return replica;
  const int n = l->options.n;
  return replica / n * n + l->replica[replica].temperature;
}

double ladder_kT(const Ladder *l, int k) { return l->kT[k]; }

/* --- energies ------- */

/* Computes the energies of a batch's replicas in the other states of the ladder, and slopes if requested. */
static Status take_shifts(const Ladder *l, int batch, const Sample *sample, Error *error)
{
  const int n = l->options.n, width = sample_width(sample), slopes = l->options.parameters->n;
  double own[WIDTH_MAX] = {0.0};
  SCOPED(scoped_free) double *energy = calloc((size_t)(n + slopes) * (size_t)width, sizeof *energy);
  TRY_MEMORY(energy != NULL, "energies in the states of a ladder", error);
  double *const slope = l->slope != NULL ? energy + (ptrdiff_t)n * width : NULL;
  const ParameterQuery query = {l->options.parameters, n, l->options.state, energy, own, slope};
  TRY(sample_respond(sample, ensemble_forces(l->ensemble, batch), &query, error));
  for (int r = 0; r < width; r++)
    for (int k = 0; k < n; k++)
      l->shift[(ptrdiff_t)(batch * width + r) * n + k] = energy[k * width + r] - own[r];
  for (int r = 0; slope != NULL && r < width; r++)
    for (int p = 0; p < slopes; p++)
      l->slope[(ptrdiff_t)(batch * width + r) * slopes + p] = slope[p * width + r];
  return STATUS_OK;
}

static Status take_energies(void *self, int batch, const Sample *sample, Error *error)
{
  const int width = sample_width(sample);
  const Ladder *l = self;
  double kinetic[WIDTH_MAX], penalty[WIDTH_MAX], terms[FORCE_TERMS * FORCES_MAX * WIDTH_MAX];
  const WalkEnergies energies = {.kinetic = kinetic, .penalty = penalty, .terms = terms};
  const Status status = sample_energies(sample, &energies, error);
  for (int r = 0; r < width && status == STATUS_OK; r++) {
    LadderReplica *replica = &l->replica[batch * width + r];
    const ForceEnergy sum = force_field_energy(ensemble_forces(l->ensemble, batch), terms, width, r);
    replica->potential = sum.potential;
    replica->energy = penalty[r] + sum.potential + sum.bias;
    replica->kinetic = kinetic[r];
    replica->known = sample_step(sample);
    if (l->volume != NULL)
      l->volume[batch * width + r] = box_volume(sample_box(sample));
  }
  const bool shifts = status == STATUS_OK && l->shift != NULL && sample_leads(sample);
  return shifts ? take_shifts(l, batch, sample, error) : status;
}

static Status sample_due(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  (void)due;
  return take_energies(self, batch, sample, error);
}

Status ladder_energies(Ladder *l, int batch, const Sample *sample, double *energy, Error *error)
{
  const int width = sample_width(sample);
  const LadderReplica *replica = &l->replica[batch * width];
  const Status status =
      replica->known == sample_step(sample) ? STATUS_OK : take_energies(l, batch, sample, error);
  for (int r = 0; r < width; r++)
    energy[r] = replica[r].energy;
  return status;
}

static void forget(void *self)
{
  const Ladder *l = self;
  for (int r = 0; r < ensemble_replicas(l->ensemble); r++)
    l->replica[r].known = -1;
}

static Status know(Ladder *l, Ensemble *group, LadderRange at, int64_t step, Error *error)
{
  const Sampler sampler = {.self = l, .sample = sample_due};
  for (int r = at.first; r < at.end; r++)
    if (l->replica[r].known != step)
      return ensemble_sample(group, &sampler, 1, error);
  return STATUS_OK;
}

/* --- counting ------- */

/* U, or at constant pressure U + P V, of a replica in state k. */
static double energy_of(const Ladder *l, int replica, int k)
{
  const double shift = l->shift != NULL ? l->shift[(ptrdiff_t)replica * l->options.n + k] : 0.0;
  const double work = l->volume != NULL ? l->options.pressure[k] * l->volume[replica] : 0.0;
  return l->replica[replica].energy + shift + work;
}

static double reduced_of(const Ladder *l, int replica, int k) { return energy_of(l, replica, k) / l->kT[k]; }

static int row_of_sample(const Ladder *l)
{
  return reduced_energies_width(reduced_energies_columns(l->sample[0]));
}

/* Adds the columns of the replica that holds a slot to the sample. */
static void reduce(const Ladder *l, int slot)
{
  const int n = l->options.n, holder = l->holder[slot];
  double *to = l->reduced + (ptrdiff_t)slot * row_of_sample(l);
  for (int k = 0; k < n; k++)
    *to++ = reduced_of(l, holder, k);
  if (l->volume != NULL)
    *to++ = l->volume[holder];
  for (int p = 0; l->slope != NULL && p < l->options.parameters->n; p++)
    *to++ = l->slope[(ptrdiff_t)holder * l->options.parameters->n + p];
  if (l->slope != NULL)
    *to = holder % n;
}

/* Must run before the exchange, at the old temperatures. */
static void count_energies(Ladder *l, LadderRange at)
{
  const int n = l->options.n;
  for (int i = at.first; i < at.end; i++) {
    const int holder = l->holder[i];
    const LadderReplica *replica = &l->replica[holder];
    statistics_moments_add(&l->cell[i].potential, &replica->potential, 1);
    statistics_moments_add(&l->cell[i].kinetic, &replica->kinetic, 1);
    if (l->time != NULL)
      statistics_blocks_add(&l->time[i], replica->potential);
    if (l->states)
      reduce(l, i);
    else
      energy_histogram_add(l->histogram[histogram_of(i / n, l->options.ladders)], i % n,
                           energy_of(l, holder, i % n), l->volume != NULL ? l->volume[holder] : 0.0);
  }
  for (int a = at.first / n; l->states && a <= (at.end - 1) / n; a++)
    reduced_energies_add(l->sample[a], l->reduced + (ptrdiff_t)a * n * row_of_sample(l));
  const int last = l->states ? -1 : histogram_of((at.end - 1) / n, l->options.ladders);
  for (int h = histogram_of(at.first / n, l->options.ladders); h <= last; h++)
    energy_histogram_end(l->histogram[h]);
}

/* Counts visited ends and round trips. */
static void count_ways(Ladder *l, LadderRange at)
{
  for (int i = at.first; i < at.end; i++) {
    LadderReplica *replica = &l->replica[l->holder[i]];
    const int k = i % l->options.n;
    if (k == 0) {
      replica->trips += replica->end == END_HIGHEST;
      replica->end = END_LOWEST;
    } else if (k == l->options.n - 1)
      replica->end = END_HIGHEST;
    l->cell[i].up += replica->end == END_LOWEST;
    l->cell[i].down += replica->end == END_HIGHEST;
  }
}

static void count_round(Ladder *l, LadderRange at)
{
  for (int i = at.first; i < at.end; i++) {
    const double energy = energy_of(l, l->holder[i], i % l->options.n);
    statistics_moments_add(&l->cell[i].round, &energy, 1);
  }
}

static void find_holders(Ladder *l, LadderRange at)
{
  for (int r = at.first; r < at.end; r++)
    l->holder[ladder_slot(l, r)] = r;
}

/* --- exchanging ------- */

/* The random number of a pair at a step, in (0, 1). */
static double uniform(const Ladder *l, int ladder, int k, int64_t step)
{
  uint32_t key[2], word[4];
  const uint32_t counter[4] = {(uint32_t)step, (uint32_t)((uint64_t)step >> 32), (uint32_t)k, 0};
  random_key(l->options.seed, (uint32_t)ladder, RANDOM_EXCHANGE, key);
  random_words(key, counter, word);
  return random_fraction(word);
}

/* Sets a replica's parameters to those of state k; returns the change of its energy. */
static double give_parameters(Ladder *l, int r, int k)
{
  if (l->shift == NULL)
    return 0.0;
  const int n = l->options.n, values = l->options.parameters->n;
  double *const shift = l->shift + (ptrdiff_t)r * n;
  const double work = shift[k];
  memcpy(l->options.parameters->value + (ptrdiff_t)r * values, l->options.state + (ptrdiff_t)k * values,
         (size_t)values * sizeof *l->options.state);
  for (int i = 0; i < n; i++)
    shift[i] -= work;
  l->replica[r].energy += work;
  l->replica[r].potential += work;
  return work;
}

static void give(Ladder *l, int r, int k)
{
  LadderReplica *replica = &l->replica[r];
  const double ratio = l->kT[k] / l->kT[replica->temperature], work = give_parameters(l, r, k);
  replica->temperature = k;
  set_state(l, r);
  if (l->options.barostat != NULL && l->thermal)
    barostat_forget(l->options.barostat, r);
  if (l->options.redraw) {
    if (work != 0.0)
      ensemble_scale_momenta(l->ensemble, r, 1.0, work);
    return;
  }
  ensemble_scale_momenta(l->ensemble, r, sqrt(ratio), (ratio - 1.0) * replica->kinetic + work);
  replica->kinetic *= ratio;
}

static bool exchange_pair(Ladder *l, int slot, int64_t step, bool counted)
{
  const int n = l->options.n, k = slot % n;
  const int a = l->holder[slot], b = l->holder[slot + 1];
  const double chance = l->states
                            ? l->options.acceptance(1.0, reduced_of(l, a, k) + reduced_of(l, b, k + 1) -
                                                             reduced_of(l, b, k) - reduced_of(l, a, k + 1))
                            : l->options.acceptance(1.0 / l->kT[k] - 1.0 / l->kT[k + 1],
                                                    energy_of(l, a, k) - energy_of(l, b, k));
  const bool accepted = uniform(l, slot / n, k, step) < chance;
  if (counted) {
    statistics_moments_add(&l->cell[slot].chance, &chance, 1);
    l->cell[slot].exchanges += accepted;
  }
  if (!accepted)
    return false;
  give(l, a, k + 1);
  give(l, b, k);
  l->holder[slot] = b;
  l->holder[slot + 1] = a;
  return true;
}

/* Of momenta ordered by block. */
static double kinetic_of(const Topology *topology, const double *p)
{
  double sum = 0.0;
  for (int b = 0; b < topology->nblock; b++) {
    const Kind *kind = topology->block[b];
    const int n = kind->nsite * kind->dim;
    for (int i = 0; i < topology->lanes[b] * n; i++, p++)
      sum += 0.5 * *p * *p / kind->mass[i % n / kind->dim];
  }
  return sum;
}

/* Draws all momenta of a part, and restores those of replicas that were not exchanged. before[]: the
 * temperatures of the range before the exchange. */
static Status redraw(Ladder *l, Ensemble *group, LadderRange at, const int *before, Error *error)
{
  const int w = ensemble_width(group), base = ensemble_base(group) * w, end = ensemble_end(group) * w;
  const size_t n = topology_coordinates(ensemble_topology(group));
  for (int r = at.first; r < end; r++) {
    const Sample sample = ensemble_at(group, r / w);
    sample_coordinates(&sample, STATE_MOMENTA, r % w, l->momenta + (size_t)(r - base) * n);
  }
  const Status status = ensemble_draw(group, error);
  for (int r = at.first; r < end && status == STATUS_OK; r++) {
    const Sample sample = ensemble_at(group, r / w);
    double *p = l->momenta + (size_t)(r - base) * n;
    if (r >= l->count || before[r - at.first] == l->replica[r].temperature) {
      ensemble_set_momenta(group, r, p);
      continue;
    }
    sample_coordinates(&sample, STATE_MOMENTA, r % w, p);
    const double kinetic = kinetic_of(ensemble_topology(group), p);
    ensemble_scale_momenta(group, r, 1.0, kinetic - l->replica[r].kinetic);
    l->replica[r].kinetic = kinetic;
  }
  return status;
}

/* --- tuning ------- */

int64_t ladder_next_tuning(const Ladder *l, int64_t step)
{
  const LadderOptions *o = &l->options;
  for (int i = 1; i <= o->tunings; i++) {
    const int64_t at = o->equilibration / (o->tunings + 1) * i / o->interval * o->interval;
    if (at > step)
      return at;
  }
  return INT64_MAX;
}

/* Adjusts temperatures to equal acceptances, from the energies of all ladders; replicas keep their
 * indices. */
static void tune(Ladder *l)
{
  const int n = l->options.n;
  double energy[LADDER_TEMPERATURES], kT[LADDER_TEMPERATURES];
  for (int k = 0; k < n; k++) {
    StatisticsMoments round = l->cell[k].round;
    for (int i = n + k; i < l->count; i += n)
      statistics_moments_merge(&round, &l->cell[i].round);
    energy[k] = round.mean;
  }
  ladder_tune(n, l->kT, energy, kT);
  for (int r = 0; r < l->count; r++) {
    LadderReplica *replica = &l->replica[r];
    const double ratio = kT[replica->temperature] / l->kT[replica->temperature];
    ensemble_scale_momenta(l->ensemble, r, sqrt(ratio), (ratio - 1.0) * replica->kinetic);
    replica->kinetic *= ratio;
  }
  memcpy(l->kT, kT, (size_t)n * sizeof *kT);
  for (int r = 0; r < l->count; r++) {
    l->cell[r].round = (StatisticsMoments){0};
    set_state(l, r);
  }
}

static bool exchange_pairs(Ladder *l, LadderRange at, int64_t step, bool counted)
{
  const int n = l->options.n, parity = (int)(step / l->options.interval % 2);
  bool any = false;
  for (int i = at.first; i + 1 < at.end; i++)
    if (i % n % 2 == parity && i % n + 1 < n)
      any = exchange_pair(l, i, step, counted) || any;
  return any;
}

static Status exchange_all(Ladder *l, Ensemble *group, LadderRange at, int64_t step, Error *error)
{
  const bool counted = step > l->options.equilibration;
  int *before = l->options.redraw ? calloc((size_t)(at.end - at.first) + 1, sizeof *before) : NULL;
  if (l->options.redraw && before == NULL)
    return error_memory(error, "temperatures");
  for (int r = at.first; r < at.end && before != NULL; r++)
    before[r - at.first] = l->replica[r].temperature;
  find_holders(l, at);
  if (counted)
    count_energies(l, at);
  else if (ladder_next_tuning(l, step - 1) < INT64_MAX)
    count_round(l, at);
  const bool any = exchange_pairs(l, at, step, counted);
  if (counted)
    count_ways(l, at);
  Status status = any && before != NULL ? redraw(l, group, at, before, error) : STATUS_OK;
  const bool tuned = status == STATUS_OK && step == ladder_next_tuning(l, step - 1);
  if (tuned)
    tune(l);
  if (status == STATUS_OK && (any || tuned) && l->thermal)
    status = ensemble_ready(group, error);
  free(before);
  return status;
}

static Status exchange(void *self, Ensemble *group, Error *error)
{
  Ladder *l = self;
  const int64_t step = ensemble_step(group);
  const LadderRange at = range_of(l, group);
  if (step == 0 || step % l->options.interval != 0 || at.first >= at.end)
    return STATUS_OK;
  TRY(know(l, group, at, step, error));
  return exchange_all(l, group, at, step, error);
}

static bool begins(const void *self, int batch)
{
  const Ladder *l = self;
  return ladder_may_begin(l->options.n, l->options.ladders, ensemble_width(l->ensemble), batch);
}

static int64_t next_tuning(const void *self, int64_t step) { return ladder_next_tuning(self, step); }

Move ladder_move(Ladder *l)
{
  return (Move){.self = l,
                .every = l->options.interval,
                .sample = take_energies,
                .forget = forget,
                .make = exchange,
                .chunks = chunks,
                .begins = begins,
                .together = next_tuning};
}

/* --- results ------- */

ReducedEnergies *const *ladder_reduced(const Ladder *l) { return l->sample; }

EnergyHistogram *const *ladder_histograms(const Ladder *l, int *n)
{
  *n = l->nhistogram;
  return l->histogram;
}

int64_t ladder_round_trips(const Ladder *l, int64_t *fewest)
{
  int64_t all = 0;
  *fewest = INT64_MAX;
  for (int r = 0; r < l->count; r++) {
    all += l->replica[r].trips;
    *fewest = l->replica[r].trips < *fewest ? l->replica[r].trips : *fewest;
  }
  return all;
}
