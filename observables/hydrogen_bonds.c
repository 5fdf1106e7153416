/* Samples of hydrogen bonds. Bonds are found by cells of at least the distance, so the cost of a sample grows
 * with the number of donors. Up to 16 time origins, evenly spaced over the longest time, list their bonds,
 * each of which is compared with every sample until its origin is too old. Sums are integers: they do not
 * depend on threads. */
#include "observables/hydrogen_bonds_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"

/* --- shape ------- */

/* Without an input file: molecules with an oxygen first and otherwise hydrogens, one pair of selections. */
static Status waters_create(HydrogenBonds *h, const ObservableFrame *frame, Error *error)
{
  static const char *const name[] = {"all"};
  const int all = observable_molecules(frame);
  HydrogenBondDonor *const donor = observable_arena(h, (size_t)all, sizeof *donor);
  HydrogenBondAtom *const acceptor = observable_arena(h, (size_t)all, sizeof *acceptor);
  TRY_MEMORY(donor != NULL && acceptor != NULL, "hydrogen bonds", error);
  h->list = (HydrogenBondList){.n = 1, .name = name, .donor = donor, .acceptor = acceptor};
  for (int b = 0; b < frame->nblock; b++) {
    const Kind *const kind = frame->block[b].kind;
    bool water = kind->nsite == 3 && kind->site[0][0] == 'O';
    for (int s = 1; s < kind->nsite; s++)
      water = water && kind->site[s][0] == 'H';
    for (int m = 0; water && m < frame->block[b].nmol; m++) {
      const HydrogenBondAtom oxygen = {b, m, 0, 1, 1};
      donor[h->list.ndonor++] = (HydrogenBondDonor){oxygen, 2, {1, 2}};
      acceptor[h->list.nacceptor++] = oxygen;
    }
  }
  return STATUS_OK;
}

static Status list_create(HydrogenBonds *h, const ObservableFrame *frame, Error *error)
{
  if (h->is.options.hydrogen_bond_list != NULL)
    h->list = *h->is.options.hydrogen_bond_list;
  else
    TRY(waters_create(h, frame, error));
  if (h->list.ndonor > 0 && h->list.nacceptor > 0)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "no hydrogen bond is possible: %s; donors are N, O and F with a hydrogen, acceptors N, O and F",
      h->list.ndonor == 0 ? "there is no donor" : "there is no acceptor");
}

static Status criterion_create(HydrogenBonds *h, const Box *box, Error *error)
{
  const ObservableOptions *const o = &h->is.options;
  const double angle = o->hydrogen_bonds.angle > 0.0 ? o->hydrogen_bonds.angle : 30.0;
  h->distance = o->hydrogen_bonds.distance > 0.0 ? o->hydrogen_bonds.distance : 3.5;
  h->cosine = cos(angle * M_PI / 180.0);
  if (box_periodic(box) && !(box_volume(box) > 0.0))
    return error_set(error, STATUS_INPUT, "hydrogen bonds need a box periodic in all directions, or in none");
  return STATUS_OK;
}

/* Nearest images suffice up to half the distance between images. */
static Status check_box(const HydrogenBonds *h, const Box *box, Error *error)
{
  if (!box_periodic(box) || box_shortest(box) >= 2.0 * h->distance)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "hydrogen bonds up to %g A need a box of at least twice that; its images are %g A apart",
                   h->distance, box_shortest(box));
}

/* Autocorrelations need times and a constant temperature. */
static Status lags_create(HydrogenBonds *h, Error *error)
{
  const ObservableOptions *const o = &h->is.options;
  h->followed = o->interval > 0.0 && o->temperatures == 0;
  if (!h->followed)
    return STATUS_OK;
  const double longest = o->hydrogen_bonds.max > 0.0 ? o->hydrogen_bonds.max : 20.0 / h->ps;
  const double lags = floor(longest / o->interval * (1.0 + 1e-9));
  if (!(lags >= 1.0 && lags <= 10000.0))
    return error_set(
        error, STATUS_INPUT,
        "autocorrelations to %g ps from samples %g ps apart: 1 to 10000 samples up to the longest time "
        "(hydrogen_bonds_max) are allowed",
        longest * h->ps, o->interval * h->ps);
  h->nlag = (int)lags + 1;
  h->every = (h->nlag + HYDROGEN_BONDS_ORIGINS - 1) / HYDROGEN_BONDS_ORIGINS;
  h->norigin = (h->nlag + h->every - 1) / h->every;
  return STATUS_OK;
}

/* Slots for two bonds of each hydrogen; more for a criterion that allows more. A cone of 3.5 A and 30 degrees
 * has about one acceptor in water. */
static Status slots_create(HydrogenBonds *h, Error *error)
{
  const double usual = pow(3.5, 3) * (1.0 - cos(M_PI / 6.0));
  const double wide =
      ceil(fmin(pow(h->distance, 3) * (1.0 - h->cosine) / usual * (1.0 - 1e-9), h->list.nacceptor));
  int64_t slots = 0;
  h->slot = observable_arena(h, (size_t)h->list.ndonor + 1, sizeof *h->slot);
  TRY_MEMORY(h->slot != NULL, "hydrogen bonds", error);
  for (int d = 0; d < h->list.ndonor; d++) {
    slots += (int64_t)fmin(2.0 * fmax(wide, 1.0) * h->list.donor[d].nhydrogen, h->list.nacceptor);
    if (slots > INT32_MAX)
      return error_set(error, STATUS_INPUT, "too many donors and acceptors; reduce hydrogen_bonds_distance");
    h->slot[d + 1] = (int)slots;
  }
  h->slots = slots;
  return STATUS_OK;
}

static Status memory_create(HydrogenBonds *h, Error *error)
{
  const ObservableOptions *const o = &h->is.options;
  const bool lanes = o->batches > 0 && o->replicas > o->batches;
  const size_t scenes = lanes ? (size_t)o->batches : 1;
  h->series = lanes ? o->replicas : 1;
  h->workers = lanes ? o->batches : o->threads > 1 ? o->threads : 1;
  TRY(slots_create(h, error));
  h->clock = observable_kept(h, (size_t)h->series, sizeof *h->clock);
  h->origin =
      observable_kept(h, (size_t)h->series * (size_t)h->norigin * (size_t)h->slots, sizeof *h->origin);
  h->now = observable_arena(h, scenes * (size_t)h->slots, sizeof *h->now);
  h->sum = observable_arena(h, (size_t)h->workers * hydrogen_bonds_sums(h), sizeof *h->sum);
  h->scene = observable_arena(h, scenes, sizeof *h->scene);
  TRY(arena_check(&h->is.arena, "hydrogen bonds", error));
  for (size_t k = 0; k < scenes; k++)
    hydrogen_bonds_search_create(h, &h->scene[k]);
  h->is.shape = (BlockRowsShape){.whole = h->list.n * (1 + BONDS_CURVES * h->nlag),
                                 .monitors = h->list.n,
                                 .draws = o->replicas > 1 ? o->replicas : 0,
                                 .idle = o->idle};
  h->is.nout = hydrogen_bonds_result_outs(h);
  return STATUS_OK;
}

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  HydrogenBonds *const h = self;
  h->ps = UNITS_AKMA_FS * 1e-3;
  TRY(list_create(h, frame, error));
  TRY(criterion_create(h, frame->box, error));
  TRY(check_box(h, frame->box, error));
  TRY(lags_create(h, error));
  return memory_create(h, error);
}

/* --- sums ------- */

/* Adds the sums of a sample to a row, and ends the sample of its series. */
static void end_sample(const HydrogenBonds *h, int series, const int64_t *sum, int64_t *whole)
{
  HydrogenBondClock *const clock = &h->clock[series];
  const int n = h->list.n;
  for (int p = 0; p < n; p++)
    whole[p] += sum[p];
  clock->left_out += sum[n];
  for (int o = 0; o < h->norigin; o++) {
    const int64_t age = observable_origin_age(clock->n, h->every, h->norigin, o);
    if (age < 0 || age >= h->nlag)
      continue;
    for (int k = 0; k < n * BONDS_CURVES; k++)
      whole[n + (int64_t)k * h->nlag + age] += sum[n + 1 + o * n * BONDS_CURVES + k];
  }
  clock->n++;
}

/* --- frames ------- */

static const double *position(const ObservableFrame *frame, const HydrogenBondAtom *of, int site)
{
  const ObservableBlock *const block = &frame->block[of->block];
  return block->x + 3 * ((size_t)of->molecule * (size_t)block->kind->nsite + (size_t)site);
}

static Status copy(double to[3], const double *x, const ObservableFrame *frame, const HydrogenBondAtom *of,
                   Error *error)
{
  memcpy(to, x, 3 * sizeof *to);
  if (isfinite(x[0] + x[1] + x[2]))
    return STATUS_OK;
  return error_set(error, STATUS_RUN, "molecule %d of %s has a coordinate that is not a number",
                   of->molecule + 1, frame->block[of->block].kind->name);
}

static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  HydrogenBonds *const h = self;
  HydrogenBondScene *const scene = h->scene;
  if (team->size > h->workers)
    return error_set(error, STATUS_INPUT, "hydrogen bonds were created for %d threads, not %d", h->workers,
                     team->size);
  if (h->followed && h->clock->n > 0)
    TRY(observable_check_time(h->clock->time, frame->time, h->is.options.interval, error));
  TRY(check_box(h, frame->box, error));
  for (int d = 0; d < h->list.ndonor; d++) {
    const HydrogenBondDonor *const of = &h->list.donor[d];
    TRY(copy(scene->donor[d], position(frame, &of->is, of->is.site), frame, &of->is, error));
    for (int k = 0; k < of->nhydrogen; k++)
      TRY(copy(scene->hydrogen[d * HYDROGEN_BONDS_HYDROGENS + k], position(frame, &of->is, of->hydrogen[k]),
               frame, &of->is, error));
  }
  for (int a = 0; a < h->list.nacceptor; a++) {
    const HydrogenBondAtom *const of = &h->list.acceptor[a];
    TRY(copy(scene->acceptor[a], position(frame, of, of->site), frame, of, error));
  }
  hydrogen_bonds_search_sort(h, scene, frame->box);
  h->clock->time = frame->time;
  return STATUS_OK;
}

static void share(void *self, const Team *team, const ObservableFrame *frame)
{
  const HydrogenBonds *const h = self;
  int first, end;
  (void)frame;
  team_range(team, h->list.ndonor, &first, &end);
  hydrogen_bonds_search_count(h, h->scene, 0, first, end, h->now,
                              h->sum + (size_t)team->rank * hydrogen_bonds_sums(h));
}

static void end(void *self, const Team *team, const ObservableFrame *frame)
{
  const HydrogenBonds *const h = self;
  const size_t sums = hydrogen_bonds_sums(h);
  (void)frame;
  for (int t = 1; t < team->size; t++)
    for (size_t k = 0; k < sums; k++)
      h->sum[k] += h->sum[(size_t)t * sums + k];
  for (int p = 0; p < h->list.n; p++)
    h->is.monitor[p] = (double)h->sum[p];
  end_sample(h, 0, h->sum, block_rows_now(h->is.rows, 0).whole);
}

/* --- replicas in lanes ------- */

static void read_lane(const Sample *sample, const Topology *topology, const HydrogenBondAtom *of, int site,
                      int r, double x[3])
{
  sample_site(sample, &topology->sort[of->block], of->molecule, site, r, x);
}

static void read_scene(const HydrogenBonds *h, HydrogenBondScene *scene, const Sample *sample,
                       const Topology *topology, int r)
{
  for (int d = 0; d < h->list.ndonor; d++) {
    const HydrogenBondDonor *const of = &h->list.donor[d];
    read_lane(sample, topology, &of->is, of->is.site, r, scene->donor[d]);
    for (int k = 0; k < of->nhydrogen; k++)
      read_lane(sample, topology, &of->is, of->hydrogen[k], r,
                scene->hydrogen[d * HYDROGEN_BONDS_HYDROGENS + k]);
  }
  for (int a = 0; a < h->list.nacceptor; a++)
    read_lane(sample, topology, &h->list.acceptor[a], h->list.acceptor[a].site, r, scene->acceptor[a]);
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const HydrogenBonds *const h = self;
  const int width = sample_width(sample), batch = lanes->first / width;
  HydrogenBondScene *const scene = &h->scene[batch];
  int64_t *const sum = h->sum + (size_t)batch * hydrogen_bonds_sums(h);
  if (sample->team->rank != 0)
    return;
  for (int r = 0; r < width; r++) {
    const int draw = lanes->slot != NULL ? lanes->slot[r] - h->is.options.first : lanes->first + r;
    read_scene(h, scene, sample, lanes->topology, r);
    hydrogen_bonds_search_sort(h, scene, sample_box(sample));
    hydrogen_bonds_search_count(h, scene, lanes->first + r, 0, h->list.ndonor, h->now + batch * h->slots,
                                sum);
    end_sample(h, lanes->first + r, sum, block_rows_now(h->is.rows, draw).whole);
    block_rows_end(h->is.rows, draw, NULL);
  }
}

/* With a ladder: the rows of its lowest temperature. */
static Status gather(const void *self, BlockRows **rows, Error *error)
{
  const HydrogenBonds *const h = self;
  *rows = NULL;
  if (h->is.options.temperatures < 2)
    return STATUS_OK;
  return block_rows_pick(h->is.rows, 0, h->is.options.temperatures, rows, error);
}

/* Blocks of time are twice as long as the longest time. */
static double shortest(const void *self)
{
  const HydrogenBonds *const h = self;
  return h->is.shape.draws > 0 || !h->followed ? 1.0 : 2.0 * h->nlag;
}

const ObservableOps observable_hydrogen_bonds = {
    .name = "hydrogen_bonds",
    .doc = "number and lifetimes of hydrogen bonds (distance of donor and acceptor, and angle), with their "
           "intermittent and continuous autocorrelations",
    .size = sizeof(HydrogenBonds),
    .create = create,
    .begin = begin,
    .share = share,
    .end = end,
    .add_lanes = add_lanes,
    .gather = gather,
    .shortest = shortest,
    .evaluate = hydrogen_bonds_result_evaluate,
    .write = hydrogen_bonds_result_write,
};
