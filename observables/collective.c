#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "observables/collective_private.h"

/* --- values -----------------------------------------------------------------------------------------------
 */

static void between(const double a[3], const double b[3], double r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = b[d] - a[d];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++)
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static double distance_of(int natom, const double *mass, const double (*x)[3])
{
  (void)natom;
  (void)mass;
  double r[3];
  between(x[0], x[1], r);
  return sqrt(dot(r, r));
}

static double angle_of(int natom, const double *mass, const double (*x)[3])
{
  (void)natom;
  (void)mass;
  double a[3], b[3], n[3];
  between(x[1], x[0], a);
  between(x[1], x[2], b);
  cross(a, b, n);
  return atan2(sqrt(dot(n, n)), dot(a, b)); /* near 0 and pi, too */
}

static double torsion_of(int natom, const double *mass, const double (*x)[3])
{
  (void)natom;
  (void)mass;
  double a[3], b[3], c[3], near[3], far[3];
  between(x[0], x[1], a);
  between(x[1], x[2], b);
  between(x[2], x[3], c);
  cross(a, b, near);
  cross(b, c, far);
  return atan2(sqrt(dot(b, b)) * dot(a, far), dot(near, far));
}

static double gyration_of(int natom, const double *mass, const double (*x)[3])
{
  double whole = 0.0, centre[3] = {0.0}, square = 0.0, r[3];
  for (int i = 0; i < natom; i++) {
    whole += mass[i];
    for (int d = 0; d < 3; d++)
      centre[d] += mass[i] * (x[i][d] - x[0][d]);
  }
  for (int d = 0; d < 3; d++)
    centre[d] = x[0][d] + centre[d] / whole;
  for (int i = 0; i < natom; i++) {
    between(centre, x[i], r);
    square += mass[i] * dot(r, r);
  }
  return sqrt(square / whole);
}

const CollectiveType collective_types[COLLECTIVES] = {
    [COLLECTIVE_TORSIONS] = {"torsions", "torsion", 4, true, true, true, torsion_of},
    [COLLECTIVE_ANGLES] = {"angles", "angle", 3, true, true, false, angle_of},
    [COLLECTIVE_DISTANCES] = {"distances", "distance", 2, false, false, false, distance_of},
    [COLLECTIVE_GYRATION] = {"radius_of_gyration", "radius of gyration", 0, false, false, false,
                             gyration_of}};

void collective_moments(const CollectiveType *type, double value, double moment[2])
{
  moment[0] = type->periodic ? cos(value) : value;
  moment[1] = type->periodic ? sin(value) : value * value;
}

/* --- memory -----------------------------------------------------------------------------------------------
 */

/* Bins of a row: asked for by their number, or by end and width. */
static Status bins_create(Collectives *c, Error *error)
{
  const ObservableOptions *o = &c->is.options;
  double bins = c->type->periodic ? o->torsions.bins : o->angles.bins;
  double most = M_PI, width = 0.0;
  if (c->type->angle)
    bins = bins > 0.0 ? bins : c->type->periodic ? 72.0 : 90.0;
  else {
    const bool gyration = c->type == &collective_types[COLLECTIVE_GYRATION];
    most = gyration ? o->radius_of_gyration.max : o->distances.max;
    width = gyration ? o->radius_of_gyration.width : o->distances.width;
    most = most > 0.0 ? most : 20.0;
    width = width > 0.0 ? width : 0.05;
    bins = ceil(most / width * (1.0 - 1e-12));
  }
  if (!(bins >= 1.0 && bins <= 1e5))
    return error_set(error, STATUS_INPUT, "bins of %g A to %g A: 1 to 100000 are possible", width, most);
  c->nbin = (int)bins;
  c->low = c->type->periodic ? -M_PI : 0.0;
  c->width = c->type->angle ? (most - c->low) / c->nbin : width;
  return STATUS_OK;
}

/* Masses and room for the values of a sample; molecules are those of the frame. */
static Status variables_create(Collectives *c, const ObservableFrame *frame, Error *error)
{
  const size_t gangs = (size_t)(c->is.options.gangs > 0 ? c->is.options.gangs : 1);
  c->mass = observable_arena(c, (size_t)c->list.n, sizeof *c->mass);
  c->value_at = observable_arena(c, (size_t)c->list.n + 1, sizeof *c->value_at);
  TRY(arena_check(&c->is.arena, c->type->name, error));
  for (int v = 0; v < c->list.n; v++) {
    const Collective *of = &c->list.variable[v];
    c->natom = of->natom > c->natom ? of->natom : c->natom;
    c->value_at[v] = c->nvalue;
    for (int s = 0; s < of->nspan; s++)
      c->nvalue += of->span[s].end - of->span[s].begin;
    c->mass[v] = observable_arena(c, (size_t)of->natom, sizeof **c->mass);
    TRY(arena_check(&c->is.arena, c->type->name, error));
    for (int i = 0; i < of->natom; i++)
      c->mass[v][i] = frame->block[of->span[0].sort].kind->mass[of->atom[i]];
  }
  c->value_at[c->list.n] = c->nvalue;
  c->value = observable_arena(c, gangs * (size_t)c->nvalue * LANES, sizeof *c->value);
  c->pack = observable_arena(c, gangs * (size_t)c->natom, sizeof *c->pack);
  c->x = observable_arena(c, gangs * (size_t)c->natom, sizeof *c->x);
  return STATUS_OK;
}

static Status create(Collectives *c, CollectiveRow row, const ObservableFrame *frame, Error *error)
{
  const ObservableOptions *o = &c->is.options;
  c->type = &collective_types[row];
  if (o->collective == NULL || o->collective[row].n == 0)
    return error_set(error, STATUS_INPUT,
                     "none is named: those are measured that output.%s of an input file lists",
                     c->type->name);
  c->list = o->collective[row];
  c->kT = o->temperatures > 1 ? o->kT[0] : o->temperature * UNITS_BOLTZMANN;
  TRY(bins_create(c, error));
  TRY(variables_create(c, frame, error));
  const double counts = c->list.n * (c->nbin + 1.0) + c->list.npair * (double)c->nbin * c->nbin;
  if (counts > 1e7)
    return error_set(error, STATUS_INPUT,
                     "%.3g bins of distributions; 10 million are possible: take fewer "
                     "bins, or fewer pairs",
                     counts);
  c->is.shape = (BlockRowsShape){.whole = (int)counts,
                                 .real = 2 * c->list.n,
                                 .monitors = 2 * c->list.n,
                                 .draws = o->replicas > 1 ? o->replicas : 0,
                                 .idle = o->idle};
  c->is.nout = collective_out_pair(c, c->list.npair);
  return STATUS_OK;
}

/* --- samples ----------------------------------------------------------------------------------------------
 */

/* The bin of a value; nbin: beyond the range, or not a number. */
static int bin_of(const Collectives *c, double value)
{
  const double bin = floor((value - c->low) / c->width);
  if (c->type->angle && bin >= c->nbin) /* rounding: its end is the last one's, or the first one's */
    return c->type->periodic ? 0 : c->nbin - 1;
  return bin >= 0.0 && bin < c->nbin ? (int)bin : c->nbin;
}

/* Adds the values of one replica, value[nvalue] a `step` apart, to a row; the mean moments of each variable
 * go to mean[n][2] unless NULL. */
static void add_values(const Collectives *c, const double *value, int step, const BlockRowsRow *row,
                       double *mean)
{
  int64_t *count = row->whole;
  for (int v = 0; v < c->list.n; v++, count += c->nbin + 1) {
    double sum[2] = {0.0, 0.0}, moment[2];
    for (int i = c->value_at[v]; i < c->value_at[v + 1]; i++) {
      count[bin_of(c, value[i * step])]++;
      collective_moments(c->type, value[i * step], moment);
      sum[0] += moment[0];
      sum[1] += moment[1];
    }
    const double n = c->value_at[v + 1] - c->value_at[v];
    for (int k = 0; k < 2; k++) {
      row->real[2 * v + k] += sum[k] / n;
      if (mean != NULL)
        mean[2 * v + k] = sum[k] / n;
    }
  }
  for (int p = 0; p < c->list.npair; p++, count += (ptrdiff_t)c->nbin * c->nbin) {
    const int a = c->value_at[c->list.pair[p][0]], b = c->value_at[c->list.pair[p][1]];
    const int n = c->value_at[c->list.pair[p][0] + 1] - a;
    for (int i = 0; i < n; i++) {
      const int x = bin_of(c, value[(a + i) * step]), y = bin_of(c, value[(b + i) * step]);
      if (x < c->nbin && y < c->nbin)
        count[x * c->nbin + y]++;
    }
  }
}

/* One thread has it done before others would be awake. */
static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const double fine = 16384.0; /* what hardly varies, kept by constraints, says nothing of correlation */
  Collectives *c = self;
  double *value = c->value;
  for (int v = 0; v < c->list.n; v++) {
    const Collective *of = &c->list.variable[v];
    for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++) {
      const ObservableBlock *block = &frame->block[span->sort];
      for (int m = span->begin; m < span->end; m++, value++) {
        const double *x = block->x + 3 * (size_t)m * (size_t)block->kind->nsite;
        for (int i = 0; i < of->natom; i++)
          memcpy(c->x[i], x + 3 * (ptrdiff_t)of->atom[i], sizeof *c->x);
        *value = c->type->value(of->natom, c->mass[v], (const double(*)[3])c->x);
        if (!isfinite(*value))
          return error_set(error, STATUS_RUN, "%s of molecule %d of %s is not a number", of->name, m + 1,
                           block->kind->name);
      }
    }
  }
  const BlockRowsRow row = block_rows_now(c->is.rows, 0);
  add_values(c, c->value, 1, &row, c->is.monitor);
  for (int k = 0; k < c->is.shape.monitors; k++)
    c->is.monitor[k] = rint(fine * c->is.monitor[k]);
  return STATUS_OK;
}

/* Values of the 8 replicas of pack k, value[nvalue][LANES]. */
static void find_values(const Collectives *c, const Topology *topology, const Sample *sample, int k,
                        const Vec8 **pack, double (*x)[3], double *value)
{
  for (int v = 0; v < c->list.n; v++) {
    const Collective *of = &c->list.variable[v];
    for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++)
      for (int m = span->begin; m < span->end; m++) {
        for (int i = 0; i < of->natom; i++)
          pack[i] = sample_vec8s(sample, &topology->sort[span->sort], STATE_POSITIONS, m, of->atom[i], k);
        for (int l = 0; l < LANES; l++) {
          for (int i = 0; i < of->natom; i++)
            for (int d = 0; d < 3; d++)
              x[i][d] = pack[i][d][l];
          *value++ = c->type->value(of->natom, c->mass[v], (const double(*)[3])x);
        }
      }
  }
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Collectives *c = self;
  const ptrdiff_t gang = lanes->first / sample_width(sample);
  double *const value = c->value + gang * c->nvalue * LANES;
  if (sample->team->rank != 0)
    return;
  for (int lane = 0; lane < sample_width(sample); lane += LANES) {
    find_values(c, lanes->topology, sample, lane / LANES, c->pack + gang * c->natom, c->x + gang * c->natom,
                value);
    for (int l = 0; l < LANES; l++) {
      const int draw =
          lanes->slot != NULL ? lanes->slot[lane + l] - c->is.options.first : lanes->first + lane + l;
      const BlockRowsRow row = block_rows_now(c->is.rows, draw);
      add_values(c, value + l, LANES, &row, NULL);
      block_rows_end(c->is.rows, draw, NULL);
    }
  }
}

/* --- the rows ---------------------------------------------------------------------------------------------
 */

#define COLLECTIVE(row, id, words)                                                                           \
  static Status create_##id(void *self, const ObservableFrame *frame, Error *error)                          \
  {                                                                                                          \
    return create(self, row, frame, error);                                                                  \
  }                                                                                                          \
  const ObservableOps observable_##id = {.name = #id,                                                        \
                                         .doc = (words),                                                     \
                                         .size = sizeof(Collectives),                                        \
                                         .create = create_##id,                                              \
                                         .begin = begin,                                                     \
                                         .add_lanes = add_lanes,                                             \
                                         .gather = collective_result_gather,                                 \
                                         .evaluate = collective_result_evaluate,                             \
                                         .fluctuates = collective_result_fluctuates,                         \
                                         .write = collective_result_write,                                   \
                                         .draw = collective_result_draw}

COLLECTIVE(COLLECTIVE_TORSIONS, torsions,
           "distributions and free energies of torsions, of pairs of them in the plane, and their means");
COLLECTIVE(COLLECTIVE_ANGLES, angles, "distributions and free energies of angles, and their means");
COLLECTIVE(COLLECTIVE_DISTANCES, distances,
           "distributions and free energies of distances inside a molecule, and their means");
COLLECTIVE(COLLECTIVE_GYRATION, radius_of_gyration,
           "distribution and mean of the radius of gyration of atoms of a molecule");
