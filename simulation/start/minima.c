#include "simulation/start/minima.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "engine/place.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/pair.h"
#include "integrators/lbfgs.h"
#include "simulation/start/cluster.h"

static const double rough = 1e-2,
                    fine = 1e-7;             /* forces where a quench ends: of a trial, of one that is kept */
static const double shake = 0.6, turn = 1.0; /* of all molecules at once: A, radians */
static const double nearest = 2.4, neighbour = 2.9; /* of oxygens of new places, A */
static const double bonded = 2.5;                   /* a hydrogen to the oxygen that it is bonded to, A */
enum { EVALUATIONS = 3000, PATIENCE = 40 /* trials of a walker for each molecule before it starts anew */ };
/* Where the lowest minimum counts as found: so many independent searches have ended, as many are under way,
 * and so many of all have come to it. What a third of them come to is missed by 16 once in 650 cases, by 24
 * in 17,000. ROUND: quenches of a gang before that is looked at again. TOLD: before progress is told again.
 */
enum { ENDED = 16, AGREEING = 6, ROUND = 200, TOLD = 100 };

/* What the quench in a walker's lane is for. */
typedef enum Aim { FROM_START, TRIAL, KEEP } Aim;

typedef struct Walker {
  RandomStream random;
  double kT;
  Aim aim;
  double energy, lowest; /* of where it is; since it began */
  int64_t done, idle;    /* trials; since the lowest was found */
  bool agrees;           /* since it began it has come to the gang's lowest minimum */
  double *x, *trial;     /* [nmol][3][3] */
} Walker;

typedef struct Gang {
  const MinimaOptions *options;
  State *state;
  ForceField field;
  Lbfgs *lbfgs;
  Walker walker[LANES];
  Isomers *isomers;
  SiteMap map;
  double *memory;
  int *seen, *way, *donor; /* [nmol] */
  double force;
  int64_t quenches, evaluations;
  int searches,
      agree; /* begun from molecules at random; of those, how many have come to the lowest minimum */
} Gang;

/* --- moves -------------------------------------------------------------------------------------------------
 */

static void random_direction(RandomStream *random, double unit[3])
{
  double norm = 0.0;
  for (int d = 0; d < 3; d++) {
    unit[d] = random_normal(random);
    norm += unit[d] * unit[d];
  }
  for (int d = 0; d < 3; d++)
    unit[d] /= sqrt(norm);
}

/* The three sites at x about `centre`, by an angle about an axis. */
static void rotate(double angle, const double axis[3], const double centre[3], double *x)
{
  const double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++, x += 3) {
    const double r[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
    const double along = (1.0 - c) * (axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2]);
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      x[d] = centre[d] + c * r[d] + along * axis[d] + s * (axis[e] * r[f] - axis[f] * r[e]);
    }
  }
}

static void reorient(Walker *w, double most, double *molecule)
{
  double axis[3];
  const double centre[3] = {molecule[0], molecule[1], molecule[2]};
  random_direction(&w->random, axis);
  rotate(most * (2.0 * random_uniform(&w->random) - 1.0), axis, centre, molecule);
}

static double distance2(const double *a, const double *b)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/* Whether the first `n` oxygens but `self` are far enough. */
static bool has_room(const double *x, int n, int self, const double at[3])
{
  for (int m = 0; m < n; m++)
    if (m != self && distance2(x + 9 * m, at) < nearest * nearest)
      return false;
  return true;
}

/* Molecule m next to another of the first n, turned at random. */
static void put_beside(const Gang *g, Walker *w, int n, int m, double *x)
{
  double at[3] = {0.0, 0.0, 0.0};
  for (int tries = 0; tries < 100; tries++) {
    int other = (int)random_below(&w->random, (uint32_t)n);
    other = other == m ? (other + 1) % n : other;
    random_direction(&w->random, at);
    for (int d = 0; d < 3; d++)
      at[d] = x[9 * other + d] + neighbour * at[d];
    if (other != m && has_room(x, n, m, at))
      break;
  }
  place_molecule(g->options->of.kind, &w->random, at, x + 9 * m);
}

static void random_start(const Gang *g, Walker *w)
{
  const double origin[3] = {0.0, 0.0, 0.0};
  place_molecule(g->options->of.kind, &w->random, origin, w->trial);
  for (int m = 1; m < g->options->of.nmol; m++)
    put_beside(g, w, m, m, w->trial);
}

static void shake_all(const Gang *g, Walker *w)
{
  const double size = 0.5 + 2.0 * random_uniform(&w->random);
  for (int m = 0; m < g->options->of.nmol; m++) {
    double shift[3];
    for (int d = 0; d < 3; d++)
      shift[d] = size * shake * (2.0 * random_uniform(&w->random) - 1.0);
    for (int i = 0; i < 9; i++)
      w->trial[9 * m + i] += shift[i % 3];
    reorient(w, size * turn, w->trial + 9 * m);
  }
}

/* Hydrogen bonds change hands while oxygens stay. */
static void turn_some(const Gang *g, Walker *w)
{
  const int n = g->options->of.nmol;
  const int most = n < 4 ? n : 4 + (n - 4) / 4, some = 1 + (int)random_below(&w->random, (uint32_t)most);
  for (int i = 0; i < some; i++)
    reorient(w, acos(-1.0), w->trial + 9 * random_below(&w->random, (uint32_t)n));
}

/* The molecule that a hydrogen of m is bonded to; -1: none. */
static int acceptor(const Gang *g, const double *x, int m, int hydrogen)
{
  int found = -1;
  double least = bonded * bonded;
  for (int k = 0; k < g->options->of.nmol; k++) {
    const double r2 = distance2(x + 9 * m + 3 * hydrogen, x + 9 * k);
    if (k != m && r2 < least) {
      least = r2;
      found = k;
    }
  }
  return found;
}

/* A way along hydrogen bonds, each from donor to acceptor, until it comes back to where it was: the ring's
 * first place in `way`, and the number of places; -1: it ended. */
static int find_ring(const Gang *g, Walker *w, int *places)
{
  const int n = g->options->of.nmol;
  for (int m = 0; m < n; m++)
    g->seen[m] = -1;
  int at = (int)random_below(&w->random, (uint32_t)n);
  for (*places = 0; at >= 0 && g->seen[at] < 0; (*places)++) {
    const int one = 1 + (int)random_below(&w->random, 2);
    const int to = acceptor(g, w->x, at, one);
    g->seen[at] = *places;
    g->way[*places] = at;
    g->donor[*places] = to >= 0 ? one : 3 - one;
    at = to >= 0 ? to : acceptor(g, w->x, at, 3 - one);
  }
  return at >= 0 ? g->seen[at] : -1;
}

/* Each molecule of a ring of hydrogen bonds gives its hydrogen to the one before in place of the one behind.
 */
static bool reverse_ring(const Gang *g, Walker *w)
{
  int places;
  const int first = find_ring(g, w, &places);
  if (first < 0)
    return false;
  for (int k = first; k < places; k++) {
    const double *to = w->x + 9 * g->way[k > first ? k - 1 : places - 1];
    double *molecule = w->trial + 9 * g->way[k], *hydrogen = molecule + 3 * g->donor[k];
    for (int d = 0; d < 3; d++)
      hydrogen[d] = to[d];
    if (!isfinite(place_rigid(g->options->of.kind, molecule)))
      return false;
  }
  return true;
}

/* The molecule that is bound least; now and then any other. */
static int weakest(const Gang *g, Walker *w)
{
  const int n = g->options->of.nmol;
  if (random_below(&w->random, 3) == 0)
    return (int)random_below(&w->random, (uint32_t)n);
  int found = 0;
  double highest = -INFINITY;
  for (int m = 0; m < n; m++) {
    double force[9], energy[PAIR_TERMS] = {0.0};
    memset(force, 0, sizeof force);
    for (int k = 0; k < n; k++)
      if (k != m)
        pair_reference_two(&g->map, &g->map, g->map.lj, w->x + 9 * m, w->x + 9 * k, force, force, energy);
    const double bound = energy[PAIR_COULOMB] + energy[PAIR_LJ];
    if (bound > highest) {
      highest = bound;
      found = m;
    }
  }
  return found;
}

/* The part of the cluster on one side of a plane is turned about the plane's normal. */
static void twist(const Gang *g, Walker *w)
{
  const double origin[3] = {0.0, 0.0, 0.0}, angle = 2.0 * acos(-1.0) * random_uniform(&w->random);
  double axis[3];
  random_direction(&w->random, axis);
  for (int m = 0; m < g->options->of.nmol; m++) {
    const double *o = w->trial + 9 * m;
    if (o[0] * axis[0] + o[1] * axis[1] + o[2] * axis[2] > 0.0)
      rotate(angle, axis, origin, w->trial + 9 * m);
  }
}

static void propose(const Gang *g, Walker *w)
{
  const int n = g->options->of.nmol;
  const double which = random_uniform(&w->random);
  memcpy(w->trial, w->x, 9 * (size_t)n * sizeof *w->x);
  if (which < 0.3 && reverse_ring(g, w))
    return;
  memcpy(w->trial, w->x, 9 * (size_t)n * sizeof *w->x);
  if (which < 0.5)
    turn_some(g, w);
  else if (which < 0.65)
    shake_all(g, w);
  else if (which < 0.9)
    put_beside(g, w, n, weakest(g, w), w->trial);
  else
    twist(g, w);
}

/* --- walkers -----------------------------------------------------------------------------------------------
 */

static void send(Gang *g, int lane, Aim aim)
{
  Walker *w = &g->walker[lane];
  w->aim = aim;
  state_set(&g->state->block[0], LANES, g->state->block[0].q, lane, w->trial);
  lbfgs_begin(g->lbfgs, 1U << lane, rough);
}

static void begin_anew(Gang *g, int lane)
{
  Walker *w = &g->walker[lane];
  w->lowest = INFINITY;
  w->idle = 0;
  w->agrees = false;
  g->searches++;
  random_start(g, w);
  send(g, lane, FROM_START);
}

/* Metropolis' rule. */
static void decide(Walker *w, double energy, int n)
{
  const bool taken = w->aim == FROM_START || energy <= w->energy ||
                     random_uniform(&w->random) < exp((w->energy - energy) / w->kT);
  if (!taken)
    return;
  w->energy = energy;
  memcpy(w->x, w->trial, 9 * (size_t)n * sizeof *w->x);
}

/* A walker has come to a minimum: whether that is the lowest so far. A lower one makes all counts void. */
static void count(Gang *g, Walker *w, double energy)
{
  if (isomers_add(g->isomers, energy, 0, 1, w->trial) != 0)
    return;
  if (isomers_at(g->isomers, 0).all == 1) {
    g->agree = 0;
    for (int r = 0; r < LANES; r++)
      g->walker[r].agrees = false;
  }
  g->agree += !w->agrees;
  w->agrees = true;
}

/* The quench in a lane has ended: what comes next. */
static void arrive(Gang *g, int lane)
{
  Walker *w = &g->walker[lane];
  const double energy = lbfgs_energy(g->lbfgs, lane), force = lbfgs_force(g->lbfgs, lane);
  const bool sound = isfinite(energy) && force <= (w->aim == KEEP ? fine : rough);
  if (sound) {
    state_get(&g->state->block[0], LANES, g->state->block[0].q, lane, w->trial);
    cluster_to_centre(g->options->of.kind, g->options->of.nmol, w->trial);
  }
  if (sound && w->aim != KEEP) {
    const int known = isomers_find(g->isomers, energy, w->trial);
    if (known < 0 && isomers_wants(g->isomers, energy)) {
      if (w->aim == FROM_START)
        w->energy = INFINITY; /* taken in any case */
      w->aim = KEEP;
      lbfgs_tighten(g->lbfgs, 1U << lane, fine);
      return;
    }
    if (known >= 0)
      count(g, w, energy);
  } else if (sound) {
    count(g, w, energy);
    g->force = fmax(g->force, force);
  }
  g->quenches++;
  g->evaluations += lbfgs_evaluations(g->lbfgs, lane);
  if (sound)
    decide(w, energy, g->options->of.nmol);
  w->done++;
  w->idle = sound && energy < w->lowest - ISOMERS_ENERGY ? 0 : w->idle + 1;
  w->lowest = sound ? fmin(w->lowest, energy) : w->lowest;
  if (w->done >= g->options->steps)
    return;
  if (w->idle > (int64_t)PATIENCE * g->options->of.nmol || !isfinite(w->lowest)) {
    begin_anew(g, lane);
    return;
  }
  propose(g, w);
  send(g, lane, TRIAL);
}

/* --- gangs -------------------------------------------------------------------------------------------------
 */

static Status gang_create(Gang *g, const MinimaOptions *o, int number, Error *error)
{
  *g = (Gang){.options = o, .field = {.n = 1}, .map = water_site_map(o->of.model)};
  TRY(state_create(&g->state, LANES, 1, &o->of.kind, &o->of.nmol, o->of.seed, 0, error));
  TRY(pair_create(&g->field.force[0], o->of.model, PAIR_DOUBLE, g->state, o->of.isa, error));
  TRY(lbfgs_create(&g->lbfgs, g->state, &g->field, o->of.isa, error));
  TRY(isomers_create(&g->isomers, o->of.nmol, o->keep, 1, error));
  const size_t size = 9 * (size_t)o->of.nmol;
  g->memory = calloc(2 * LANES * size, sizeof *g->memory);
  g->seen = calloc(3 * (size_t)o->of.nmol, sizeof *g->seen);
  TRY_MEMORY(g->memory != NULL && g->seen != NULL, "walkers", error);
  g->way = g->seen + o->of.nmol;
  g->donor = g->way + o->of.nmol;
  for (int r = 0; r < LANES; r++) {
    const int walker = number * LANES + r;
    const double share = o->walkers > 1 ? (double)walker / (o->walkers - 1) : 0.0;
    g->walker[r] = (Walker){.random = random_stream(o->of.seed, (uint32_t)walker, RANDOM_SEARCH),
                            .kT = UNITS_BOLTZMANN * o->cold * pow(o->hot / o->cold, share),
                            .x = g->memory + 2 * (size_t)r * size,
                            .trial = g->memory + (2 * (size_t)r + 1) * size};
  }
  return STATUS_OK;
}

static void gang_free(Gang *g)
{
  isomers_free(g->isomers);
  lbfgs_free(g->lbfgs);
  force_field_free(&g->field);
  state_free(g->state);
  free(g->seen);
  free(g->memory);
}

typedef struct Search {
  const MinimaOptions *options;
  int gangs;
  Gang *gang;
  atomic_llong done; /* quenches of all */
} Search;

static void show(Search *search, const Gang *g, int64_t done)
{
  LOCALE_PLAIN;
  const MinimaOptions *o = search->options;
  const long long all = atomic_fetch_add(&search->done, done) + done;
  if (o->of.show == NULL || omp_get_thread_num() != 0 || isomers_number(g->isomers) == 0)
    return;
  char words[64];
  snprintf(words, sizeof words, "lowest %.4f kcal/mol", isomers_at(g->isomers, 0).energy);
  o->of.show(o->of.watcher, "basin hopping", all, o->steps * search->gangs * LANES, words);
}

static bool over(const Gang *g)
{
  for (int r = 0; r < LANES; r++)
    if (g->walker[r].done < g->options->steps)
      return false;
  return true;
}

/* Until all trials are done, or some `quenches` more. */
static Status gang_run(Search *search, Gang *g, int64_t quenches, Error *error)
{
  const MinimaOptions *o = search->options;
  const int64_t from = g->quenches;
  int64_t told = from;
  while (!over(g) && g->quenches - from < quenches) {
    if (flag_value(o->of.stop) != 0)
      return error_set(error, STATUS_RUN, "interrupted");
    TRY(lbfgs_step(g->lbfgs, error));
    const unsigned arrived = lbfgs_arrived(g->lbfgs);
    for (int r = 0; r < LANES; r++)
      if (g->walker[r].done < o->steps &&
          ((arrived >> r & 1) != 0 || lbfgs_evaluations(g->lbfgs, r) >= EVALUATIONS))
        arrive(g, r);
    if (g->quenches >= told + TOLD) {
      show(search, g, g->quenches - told);
      told = g->quenches;
    }
  }
  show(search, g, g->quenches - told);
  return STATUS_OK;
}

static Status create_gangs(Search *search, Error *error)
{
  search->gang = calloc((size_t)search->gangs, sizeof *search->gang);
  TRY_MEMORY(search->gang != NULL, "walkers", error);
  for (int i = 0; i < search->gangs; i++) {
    TRY(gang_create(&search->gang[i], search->options, i, error));
    for (int r = 0; r < LANES; r++)
      begin_anew(&search->gang[i], r);
  }
  return STATUS_OK;
}

static void free_gangs(const Search *search)
{
  for (int i = 0; i < search->gangs && search->gang != NULL; i++)
    gang_free(&search->gang[i]);
  free(search->gang);
}

static Status run_gangs(Search *search, int64_t quenches, Error *error)
{
  Status status = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(search->options->of.threads)
  for (int i = 0; i < search->gangs; i++) {
    Error own = {0};
    const Status s = gang_run(search, &search->gang[i], quenches, &own);
    if (s != STATUS_OK) {
#pragma omp critical(minima_search)
      status = error_pass(error, s, &own);
    }
  }
  return status;
}

/* --- the whole -------------------------------------------------------------------------------------------
 */

/* The gang that has come to the lowest minimum; NULL: none has come to any. */
static Gang *lowest_gang(const Search *search)
{
  Gang *best = NULL;
  for (int i = 0; i < search->gangs; i++) {
    Gang *g = &search->gang[i];
    if (isomers_number(g->isomers) > 0 &&
        (best == NULL || isomers_at(g->isomers, 0).energy < isomers_at(best->isomers, 0).energy))
      best = g;
  }
  return best;
}

static void sum_up(const Search *search, MinimaReport *report)
{
  const Gang *best = lowest_gang(search);
  *report = (MinimaReport){0};
  for (int i = 0; i < search->gangs; i++) {
    const Gang *g = &search->gang[i];
    report->quenches += g->quenches;
    report->evaluations += g->evaluations;
    report->force = fmax(report->force, g->force);
    report->searches += g->searches;
    if (isomers_number(g->isomers) == 0)
      continue;
    const Isomer own = isomers_at(g->isomers, 0);
    report->agree += isomers_find(best->isomers, own.energy, own.x) == 0 ? g->agree : 0;
  }
}

/* Whether enough has been found and done. */
static bool enough(const Search *search, const MinimaReport *report)
{
  const MinimaOptions *o = search->options;
  bool all = true;
  for (int i = 0; i < search->gangs; i++)
    all = all && over(&search->gang[i]);
  const bool sure = report->agree >= AGREEING && report->searches - search->gangs * LANES >= ENDED;
  const bool long_enough = o->evaluations > 0 && report->evaluations >= o->evaluations;
  return all || (o->until_sure && sure) || (long_enough && report->agree > 0);
}

static Status gather(const Search *search, Isomers **isomers, Error *error)
{
  const MinimaOptions *o = search->options;
  if (lowest_gang(search) == NULL)
    return error_set(error, STATUS_RUN, "no quench came to a minimum");
  TRY(isomers_create(isomers, o->of.nmol, o->keep, 1, error));
  for (int i = 0; i < search->gangs; i++)
    isomers_merge(*isomers, search->gang[i].isomers, 0);
  return STATUS_OK;
}

Status minima_search(const MinimaOptions *o, Isomers **isomers, MinimaReport *report, Error *error)
{
  *isomers = NULL;
  *report = (MinimaReport){0};
  SCOPED(free_gangs) Search search = {.options = o, .gangs = o->walkers / LANES};
  const int64_t round = o->until_sure || o->evaluations > 0 ? ROUND : INT64_MAX;
  TRY(create_gangs(&search, error));
  while (!enough(&search, report)) {
    TRY(run_gangs(&search, round, error));
    sum_up(&search, report);
  }
  return gather(&search, isomers, error);
}
