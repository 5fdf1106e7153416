/* Lindemann's index of a cluster: the relative fluctuation of the distances of first sites (oxygens),
 * sqrt(<r^2> - <r>^2)/<r> over a number of consecutive samples, averaged over pairs. It is about 0.03 to 0.05
 * in a solid, and above 0.1 if molecules change places; it then grows with the number of samples. (Berry,
 * Beck, Davis & Jellinek, Adv. Chem. Phys. 70, 75 (1988).) */
#include <math.h>

#include "observables/observable.h"

/* Data of one replica. */
typedef struct Series {
  int64_t samples; /* in the sums */
  StatisticsMoments index;
} Series;

typedef struct Lindemann {
  Observable is;
  ObservablePoints points;
  int replicas;
  int64_t length;
  size_t pairs;
  Series *series;    /* [replicas] */
  double *sum;       /* [replicas][pairs][2] of r and r^2 */
  const double **at; /* [batches][points] positions in a sample */
} Lindemann;

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  Lindemann *l = self;
  const ObservableOptions *options = &l->is.options;
  l->points = observable_points(frame);
  if (box_periodic(frame->box) || l->points.n < 2)
    return error_set(error, STATUS_INPUT,
                     "lindemann needs an open cluster of at least two molecules, or two sites");
  if (options->temperatures > 0)
    return error_set(error, STATUS_INPUT, "lindemann needs a constant temperature, which a ladder changes");
  const int n = l->points.n, batches = options->batches > 0 ? options->batches : 1;
  l->replicas = options->batches > 0 ? options->replicas : 1;
  l->length = options->lindemann.samples > 0 ? options->lindemann.samples : 200;
  l->pairs = (size_t)n * (size_t)(n - 1) / 2;
  l->series = observable_kept(l, (size_t)l->replicas, sizeof *l->series);
  l->sum = observable_kept(l, (size_t)l->replicas * l->pairs * 2, sizeof *l->sum);
  l->at = observable_arena(l, (size_t)batches * (size_t)n, sizeof *l->at);
  return STATUS_OK;
}

static void end_series(const Lindemann *l, Series *series, double *sum)
{
  double index = 0.0;
  for (size_t p = 0; p < l->pairs; p++) {
    const double n = (double)series->samples, mean = sum[2 * p] / n;
    index += sqrt(fmax(sum[2 * p + 1] / n - mean * mean, 0.0)) / mean;
    sum[2 * p] = sum[2 * p + 1] = 0.0;
  }
  index /= (double)l->pairs;
  statistics_moments_add(&series->index, &index, 1);
  series->samples = 0;
}

/* Adds the points at x, whose coordinates are `step` numbers apart. */
static void add_one(Lindemann *l, int replica, const double *const *x, size_t step)
{
  double *sum = l->sum + (size_t)replica * l->pairs * 2, *at = sum;
  for (int m = 0; m < l->points.n; m++)
    for (int n = m + 1; n < l->points.n; n++, at += 2) {
      double r2 = 0.0;
      for (size_t d = 0; d < (size_t)l->points.dim; d++) {
        const double gap = x[m][d * step] - x[n][d * step];
        r2 += gap * gap;
      }
      at[0] += sqrt(r2);
      at[1] += r2;
    }
  Series *series = &l->series[replica];
  if (++series->samples == l->length)
    end_series(l, series, sum);
}

static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  (void)error;
  Lindemann *l = self;
  observable_points_frame(&l->points, frame, l->at);
  add_one(l, 0, l->at, 1);
  return STATUS_OK;
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const int first = lanes->first; /* follows a replica through all its temperatures */
  Lindemann *l = self;
  const int width = sample_width(sample);
  if (sample->team->rank != 0)
    return;
  const double **const at = l->at + (ptrdiff_t)(first / width) * l->points.n;
  for (int r = 0; r < width && first + r < l->replicas - l->is.options.idle; r++) {
    observable_points_lane(&l->points, lanes, sample, r, at);
    add_one(l, first + r, at, LANES);
  }
}

/* The mean over independent replicas; for one replica over its blocks. */
static void result(const Lindemann *l, StatisticsMoments *of)
{
  *of = (StatisticsMoments){0};
  for (int k = 0; k < l->replicas && l->replicas > 1; k++)
    if (l->series[k].index.n > 0)
      statistics_moments_add(of, &l->series[k].index.mean, 1);
  if (l->replicas == 1)
    *of = l->series[0].index;
}

static Status write(void *self, ObservableResult *none, const char *dir, ResultSet *set, Error *error)
{
  (void)none;
  (void)dir;
  (void)error;
  const Lindemann *l = self;
  StatisticsMoments of;
  double blocks = 0.0;
  result(l, &of);
  for (int k = 0; k < l->replicas; k++)
    blocks += (double)l->series[k].index.n;
  if (of.n == 0) {
    results_remark(set, "lindemann: fewer samples than the %lld that one index needs", (long long)l->length);
    return STATUS_OK;
  }
  const double err = statistics_moments_error(&of), length = (double)l->length;
  ResultTable *t = results_add_table(set, "lindemann", 1);
  results_add_column(t, "lindemann", &of.mean, &err);
  results_add_column(t, "blocks", &blocks, NULL);
  results_add_column(t, "samples", &length, NULL);
  results_say(t,
              "mean over pairs of sqrt(<r^2> - <r>^2)/<r> of %s, over blocks of consecutive samples\nerrors: "
              "one standard error, between %s",
              l->points.sites ? "sites" : "oxygens", l->replicas > 1 ? "replicas" : "blocks");
  results_observed(set, "lindemann", l->points.sites ? "sites" : "O-O", "index", of.mean, err, NULL);
  return STATUS_OK;
}

const ObservableOps observable_lindemann = {
    .name = "lindemann",
    .doc = "Lindemann's index of an open cluster, or of sites: the relative fluctuation of distances of "
           "oxygens, or sites",
    .size = sizeof(Lindemann),
    .flat = true,
    .create = create,
    .begin = begin,
    .add_lanes = add_lanes,
    .write = write,
};
