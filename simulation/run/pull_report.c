#include "simulation/run/pull_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "base/text.h"
#include "forcefields/bias.h"
#include "observables/free_energy.h"
#include "observables/picture.h"
#include "observables/profile.h"
#include "observables/work.h"

static const char group[] = "pull";

/* The paths of a run, and the replicas that go along each. */
typedef struct Paths {
  const Simulation *s;
  const Pull *pull;
  int n, points;
  int *path, *direction; /* [replicas] of each */
  int *first;            /* [n] the first replica, which goes forwards */
  int (*count)[WORK_DIRECTIONS];
  const double **work[WORK_DIRECTIONS]; /* [replicas] scratch for the works of one path */
  Arena arena;
} Paths;

static void paths_free(Paths *p) { arena_free(&p->arena); }

/* --- paths ---------------------------------------------------------------------------------------------- */

/* Whether all parameters but the centre are equal. */
static bool equal_otherwise(const Paths *p, int a, int b)
{
  const Parameters *of = &p->s->parameters;
  for (int i = 0; i < of->n; i++)
    if (i != pull_options(p->pull)->parameter &&
        of->value[(ptrdiff_t)a * of->n + i] != of->value[(ptrdiff_t)b * of->n + i])
      return false;
  return true;
}

/* Whether replica r goes along the path of another one, and in which direction. */
static bool same_path(const Paths *p, int r, int other, int *direction)
{
  const PullOptions *o = pull_options(p->pull);
  if (!equal_otherwise(p, r, other))
    return false;
  *direction = WORK_FORWARDS;
  if (o->end[0][r] == o->end[0][other] && o->end[1][r] == o->end[1][other])
    return true;
  *direction = WORK_BACKWARDS;
  return o->end[0][r] == o->end[1][other] && o->end[1][r] == o->end[0][other];
}

static Status paths_create(Paths *p, const Simulation *s, Error *error)
{
  const size_t n = (size_t)s->replicas;
  *p = (Paths){.s = s, .pull = s->pull, .points = pull_points(s->pull)};
  p->path = arena_take(&p->arena, n, sizeof *p->path);
  p->direction = arena_take(&p->arena, n, sizeof *p->direction);
  p->first = arena_take(&p->arena, n, sizeof *p->first);
  p->count = arena_take(&p->arena, n, sizeof *p->count);
  for (int d = 0; d < WORK_DIRECTIONS; d++)
    p->work[d] = arena_take(&p->arena, n, sizeof *p->work[d]);
  TRY(arena_check(&p->arena, "the paths of a pull", error));
  for (int r = 0; r < s->replicas; r++) {
    int i = 0;
    while (i < p->n && !same_path(p, r, p->first[i], &p->direction[r]))
      i++;
    if (i == p->n) {
      p->first[p->n++] = r;
      p->direction[r] = WORK_FORWARDS;
    }
    p->path[r] = i;
    p->count[i][p->direction[r]]++;
  }
  return STATUS_OK;
}

/* The works of a path; they are valid until the next call. */
static WorkPath path_of(const Paths *p, int i)
{
  WorkPath path = {.points = p->points, .work = {p->work[0], p->work[1]}, .kT = p->s->kT};
  for (int r = 0; r < p->s->replicas; r++)
    if (p->path[r] == i)
      p->work[p->direction[r]][path.n[p->direction[r]]++] = pull_works(p->pull, r);
  return path;
}

/* --- numbers -------------------------------------------------------------------------------------------- */

/* The stairs that all replicas have made. */
static int64_t made(const Simulation *s) { return pull_stairs(s->pull, ensemble_step(s->ensemble)); }

/* Free energies need whole pulls and a canonical start. */
static bool has_free_energies(const Simulation *s)
{
  return made(s) == pull_options(s->pull)->stairs && s->kT > 0.0 &&
         s->config->thermostat.type != THERMOSTAT_NONE;
}

/* Adds a number of each path: one number, or a list. */
static void add(ResultSet *set, const Paths *p, const char *name, const double *value, const double *error)
{
  if (p->n > 1)
    results_list(set, group, name, p->n, value, error);
  else if (error != NULL)
    results_mean(set, group, name, *value, *error, NAN, NAN);
  else if (isfinite(*value))
    results_real(set, group, name, *value);
}

static void add_counts(const Paths *p, ResultSet *set, double *value)
{
  static const char *const ends[] = {"from", "to"}, *const counts[] = {"replicas", "replicas_back"};
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < p->n; i++)
      value[i] = pull_options(p->pull)->end[e][p->first[i]];
    add(set, p, ends[e], value, NULL);
  }
  for (int d = 0; d < WORK_DIRECTIONS; d++) {
    for (int i = 0; i < p->n; i++)
      value[i] = p->count[i][d];
    add(set, p, counts[d], value, NULL);
  }
}

/* Whether a replica of any path goes backwards. */
static bool both_ways(const Paths *p)
{
  for (int i = 0; i < p->n; i++)
    if (p->count[i][WORK_BACKWARDS] > 0)
      return true;
  return false;
}

static void add_values(const Paths *p, ResultSet *set, const char *name, const WorkEstimates *e,
                       size_t offset, double *value)
{
  for (int i = 0; i < p->n; i++) {
    const WorkValue *of = (const WorkValue *)((const char *)&e[i] + offset);
    value[i] = of->value;
    value[p->n + i] = of->error;
  }
  add(set, p, name, value, value + p->n);
}

static void add_estimates(const Paths *p, ResultSet *set, const WorkEstimates *e, double *value)
{
  const bool both = both_ways(p);
  add_values(p, set, "work", e, offsetof(WorkEstimates, mean[0]), value);
  if (both)
    add_values(p, set, "work_back", e, offsetof(WorkEstimates, mean[1]), value);
  add_values(p, set, "jarzynski", e, offsetof(WorkEstimates, jarzynski[0]), value);
  if (both)
    add_values(p, set, "jarzynski_back", e, offsetof(WorkEstimates, jarzynski[1]), value);
  add_values(p, set, "free_energy", e, offsetof(WorkEstimates, free_energy), value);
  for (int i = 0; i < p->n; i++)
    value[i] = e[i].dissipated / p->s->kT;
  add(set, p, "dissipated_kT", value, NULL);
  for (int i = 0; i < p->n; i++)
    value[i] = e[i].overlap;
  if (both)
    add(set, p, "overlap", value, NULL);
}

static Status add_numbers(const Paths *p, ResultSet *set, Error *error)
{
  const Simulation *s = p->s;
  const PullOptions *o = pull_options(s->pull);
  SCOPED(scoped_free) double *value = calloc(2 * (size_t)p->n, sizeof *value);
  SCOPED(scoped_free) WorkEstimates *e = calloc((size_t)p->n, sizeof *e);
  TRY_MEMORY(value != NULL && e != NULL, "free energies", error);
  results_group(set, group);
  results_words(set, group, "coordinate", config_biases_pull(s->config)->on.value[0]);
  results_words(set, group, "unit", s->parameters.unit[o->parameter]);
  results_whole(set, group, "begin", o->begin);
  results_whole(set, group, "steps", o->stairs * o->every);
  results_whole(set, group, "stairs", o->stairs);
  results_whole(set, group, "stairs_made", made(s));
  results_whole(set, group, "starts", s->free_energies != NULL ? *s->free_energies->starts : 1);
  results_whole(set, group, "paths", p->n);
  add_counts(p, set, value);
  if (!has_free_energies(s))
    return STATUS_OK;
  for (int i = 0; i < p->n; i++) {
    const WorkPath path = path_of(p, i);
    TRY(work_estimates(&e[i], &path, error));
  }
  add_estimates(p, set, e, value);
  return STATUS_OK;
}

/* --- work.csv ------------------------------------------------------------------------------------------- */

static Status write_work(const Paths *p, Run *run, Error *error)
{
  const Simulation *s = p->s;
  const PullOptions *o = pull_options(p->pull);
  const size_t n = (size_t)s->replicas;
  SCOPED(arena_free) Arena arena = {0};
  double *const path = arena_take(&arena, 3 * n, sizeof *path), *const direction = path + n,
                *const work = direction + n;
  TRY(arena_check(&arena, "the work of replicas", error));
  for (int r = 0; r < s->replicas; r++) {
    path[r] = p->path[r] + 1;
    direction[r] = p->direction[r] == WORK_FORWARDS ? 1 : -1;
    work[r] = pull_work(p->pull, r);
  }
  ResultTable *t = results_add_table(&run->results, "work", n);
  results_add_steps(t, "replica", 1.0);
  if (p->n > 1)
    results_add_column(t, "path", path, NULL);
  results_add_column(t, "direction", direction, NULL);
  results_add_column(t, "from", o->end[0], NULL);
  results_add_column(t, "to", o->end[1], NULL);
  results_add_column(t, "work", work, NULL);
  results_say(t, "work: after %lld of %lld changes of the centre", (long long)made(s), (long long)o->stairs);
  return results_csv_write(t, run->options->dir, error);
}

/* --- pull.csv and its figure ---------------------------------------------------------------------------- */

typedef struct Profiles {
  double *path, *centre, *column[3], *error[3]; /* [paths (points + 1)] work, work_back, free_energy */
} Profiles;

static Status fill_path(const Paths *p, int i, const Profiles *to, WorkValue *value, Error *error)
{
  const WorkPath path = path_of(p, i);
  const size_t first = (size_t)i * ((size_t)p->points + 1);
  for (int c = 0; c < 3; c++) {
    if (c < 2)
      work_means(&path, (WorkDirection)c, value);
    else
      TRY(work_profile(&path, value, error));
    for (int t = 0; t <= p->points; t++) {
      to->column[c][first + (size_t)t] = value[t].value;
      to->error[c][first + (size_t)t] = value[t].error;
    }
  }
  for (int t = 0; t <= p->points; t++) {
    to->path[first + (size_t)t] = i + 1;
    to->centre[first + (size_t)t] = pull_centre(p->pull, p->first[i], pull_point(p->pull, t));
  }
  return STATUS_OK;
}

/* Curves of the first paths: the mean work forwards and backwards, which enclose the free energy. */
static Status draw(const Paths *p, const Run *run, const ResultTable *t, Error *error)
{
  enum { PATHS = 8 };
  static const char *const column[] = {"work", "work_back", "free_energy"}, *const label[] = {
                                                                                "mean work",
                                                                                "mean work backwards",
                                                                                "free energy"};
  static const int colour[] = {3, 2, 1};
  const char *unit = p->s->parameters.unit[pull_options(p->pull)->parameter];
  const ResultColumn *centre = results_column(t, "centre");
  PictureCurve curve[3 * PATHS];
  char xlabel[128];
  Error why;
  int n = 0;
  for (int c = 0; c < 3; c++) {
    const ResultColumn *y = results_column(t, column[c]);
    for (int i = 0; i < p->n && i < PATHS && y != NULL; i++) {
      const size_t first = (size_t)i * ((size_t)p->points + 1);
      if (c == 1 && p->count[i][WORK_BACKWARDS] == 0)
        continue;
      curve[n++] = (PictureCurve){.label = i == 0 ? label[c] : NULL,
                                  .n = p->points + 1,
                                  .x = centre->value + first,
                                  .y = y->value + first,
                                  .error = y->error + first,
                                  .colour = colour[c]};
    }
  }
  snprintf(xlabel, sizeof xlabel, "centre of the pull of %.60s%s%s%s",
           config_biases_pull(p->s->config)->on.value[0], *unit != '\0' ? " (" : "", unit,
           *unit != '\0' ? ")" : "");
  const PictureAxes axes = {
      .x = centre, .y = results_column(t, "free_energy"), .xlabel = xlabel, .ylabel = "energy (kcal/mol)"};
  return run_picture(run, picture_lines(run->options->dir, group, &axes, n, curve, &why), &why, error);
}

static Status write_profiles(const Paths *p, Run *run, Error *error)
{
  const size_t points = (size_t)p->points + 1, n = (size_t)p->n * points;
  const bool both = both_ways(p);
  Profiles to;
  SCOPED(arena_free) Arena arena = {0};
  WorkValue *const value = arena_take(&arena, points, sizeof *value);
  to.path = arena_take(&arena, n, sizeof *to.path);
  to.centre = arena_take(&arena, n, sizeof *to.centre);
  for (int c = 0; c < 3; c++) {
    to.column[c] = arena_take(&arena, n, sizeof *to.column[c]);
    to.error[c] = arena_take(&arena, n, sizeof *to.error[c]);
  }
  TRY(arena_check(&arena, "the free energy of a pull", error));
  for (int i = 0; i < p->n; i++)
    TRY(fill_path(p, i, &to, value, error));
  ResultTable *t = results_add_table(&run->results, group, n);
  if (p->n > 1)
    results_add_column(t, "path", to.path, NULL);
  results_add_column(t, "centre", to.centre, NULL);
  results_add_column(t, "work", to.column[0], to.error[0]);
  if (both)
    results_add_column(t, "work_back", to.column[1], to.error[1]);
  results_add_column(t, "free_energy", to.column[2], to.error[2]);
  results_say(t, "free_energy: of system and bias, from 0 at the start of the path, at %.9g K, %s",
              simulation_kelvin(p->s, p->s->kT),
              both ? "by Minh and Adib (2008), at the end that of Bennett" : "by Jarzynski's average");
  if (both)
    results_say(t, "work_back: mean work of replicas that go backwards, in reversed time");
  TRY(results_csv_write(t, run->options->dir, error));
  return draw(p, run, t, error);
}

/* --- the free energy along the coordinate --------------------------------------------------------------- */

/* Bins of the coordinate, A or radians: of a torsion the whole turn, else the path and what the spring allows
 * beyond its ends, in bins of a third of the spring's width. */
typedef struct Bins {
  int n;
  double low, width, kT, k;
  CoordinateForm form;
  const CoordinateType *type;
} Bins;

/* k of the first path, the parameter before the centre. */
static double constant_of(const Paths *p)
{
  return parameters_of(&p->s->parameters, (uint32_t)p->first[0])[pull_options(p->pull)->parameter - 1];
}

static Bins bins_of(const Paths *p)
{
  enum { TURN = 72, FEWEST = 10, MOST = 400 };
  const PullOptions *o = pull_options(p->pull);
  const int r = p->first[0];
  const CoordinateType *type = &coordinate_types[o->on->form];
  Bins b = {.kT = p->s->kT, .form = o->on->form, .type = type};
  b.k = constant_of(p);
  const double reach = sqrt(b.kT / b.k), unit = type->angle ? M_PI / 180.0 : 1.0, from = o->end[0][r] * unit,
               to = o->end[1][r] * unit;
  double high = fmax(from, to) + 3.0 * reach;
  b.low = fmin(from, to) - 3.0 * reach;
  if (!type->negative)
    b.low = fmax(b.low, 0.0);
  if (type->angle)
    high = fmin(high, M_PI);
  if (type->periodic) {
    b.low = -M_PI;
    high = M_PI;
  }
  b.n = type->periodic ? TURN : (int)fmin(fmax(ceil(3.0 * (high - b.low) / reach), FEWEST), MOST);
  b.width = (high - b.low) / b.n;
  return b;
}

/* The mean of exp(-V/kT) in a bin with a centre. */
static double factor_of(const Bins *b, int bin, double centre)
{
  enum { POINTS = 8 };
  const BiasInput like = {.form = BIAS_PULL, .n = 1, .on[0].form = b->form};
  const double constants[BIAS_CONSTANTS] = {b->k, centre}, period = b->type->periodic ? 2.0 * M_PI : 0.0;
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double x = b->low + b->width * (bin + (i + 0.5) / POINTS);
    sum += exp(-bias_energy(&like, constants, &period, &x, NULL) / b->kT) / POINTS;
  }
  return sum;
}

/* Sets the bins of all replicas and points, and the bias in all bins. */
static WorkCoordinate coordinate_of(const Paths *p, const Bins *b, double *samples, const int **row[2],
                                    int *bin, double *factor)
{
  const size_t points = (size_t)p->points + 1;
  int n[WORK_DIRECTIONS] = {0, 0};
  for (int r = 0; r < p->s->replicas; r++) {
    int *const to = bin + (size_t)r * points;
    for (size_t t = 0; t < points; t++) {
      to[t] = coordinate_bin(b->type, b->low, b->width, b->n, pull_values(p->pull, r)[t]);
      if (to[t] >= 0)
        samples[to[t]]++;
    }
    row[p->direction[r]][n[p->direction[r]]++] = to;
  }
  for (size_t t = 0; t < points; t++)
    for (int k = 0; k < b->n; k++)
      factor[t * (size_t)b->n + (size_t)k] =
          factor_of(b, k, pull_centre(p->pull, p->first[0], pull_point(p->pull, (int)t)));
  return (WorkCoordinate){b->n, {row[0], row[1]}, factor};
}

/* Whether there is one free energy along the coordinate: several paths have none in common, an axis with the
 * period of a box has no ends, one replica gives no error, and without a spring there is no pull. */
static bool has_coordinate(const Paths *p)
{
  const CoordinateSites *on = pull_options(p->pull)->on;
  const bool wraps = coordinate_sites_period(on, &p->s->box) > 0.0 && !coordinate_types[on->form].periodic;
  return p->n == 1 && !wraps && constant_of(p) > 0.0 && p->count[0][WORK_FORWARDS] > 1 &&
         p->count[0][WORK_BACKWARDS] != 1;
}

static Status write_coordinate(const Paths *p, Run *run, Error *error)
{
  const PullOptions *o = pull_options(p->pull);
  const size_t points = (size_t)p->points + 1, replicas = (size_t)p->s->replicas;
  if (!has_coordinate(p))
    return STATUS_OK;
  const Bins b = bins_of(p);
  const size_t n = (size_t)b.n;
  SCOPED(arena_free) Arena arena = {0};
  int *const bin = arena_take(&arena, replicas * points, sizeof *bin);
  const int **row[] = {arena_take(&arena, replicas, sizeof **row),
                       arena_take(&arena, replicas, sizeof **row)};
  double *const factor = arena_take(&arena, points * n, sizeof *factor), *const column = arena_take(
                                                                             &arena, 3 * n, sizeof *column);
  WorkValue *const value = arena_take(&arena, n, sizeof *value);
  ResultTable *t;
  Error why;
  TRY(arena_check(&arena, "a free energy", error));
  const WorkPath path = path_of(p, 0);
  const WorkCoordinate of = coordinate_of(p, &b, column, row, bin, factor);
  TRY(work_coordinate(&path, &of, value, error));
  for (size_t k = 0; k < n; k++) {
    column[n + k] = value[k].value;
    column[2 * n + k] = value[k].error;
  }
  const Profile of_table = {.name = config_biases_pull(p->s->config)->on.value[0],
                            .form = o->on->form,
                            .n = b.n,
                            .low = b.low,
                            .width = b.width,
                            .free = column + n,
                            .error = column + 2 * n,
                            .samples = column,
                            .kT = b.kT};
  TRY(profile_add(&of_table, &run->results, &t, error));
  results_say(t,
              "free_energy: without the pull, by Hummer and Szabo (2001) from the work and the coordinate at "
              "%d points of the path; other biases act; errors by the jackknife over replicas",
              p->points + 1);
  TRY(results_csv_write(t, run->options->dir, error));
  return run_picture(run, profile_draw(run->options->dir, t, &why), &why, error);
}

Status pull_report_results(Run *run, Error *error)
{
  SCOPED(paths_free) Paths paths = {0};
  if (run->s->pull == NULL)
    return STATUS_OK;
  TRY(paths_create(&paths, run->s, error));
  TRY(write_work(&paths, run, error));
  if (!has_free_energies(run->s))
    return STATUS_OK;
  TRY(write_profiles(&paths, run, error));
  return write_coordinate(&paths, run, error);
}

Status pull_report_summary(Run *run, Error *error)
{
  SCOPED(paths_free) Paths paths = {0};
  if (run->s->pull == NULL)
    return STATUS_OK;
  TRY(paths_create(&paths, run->s, error));
  return add_numbers(&paths, &run->results, error);
}

void pull_report_words(const Run *run, char *words, size_t size)
{
  const ResultSet *set = &run->results;
  const ResultNumber *free = results_find(set, group, "", "free_energy"),
                     *work = results_find(set, group, "", "work");
  char text[RESULTS_SHOWN], other[RESULTS_SHOWN];
  const char *const unit = results_word(set, group, "unit");
  if (free == NULL || work == NULL)
    return;
  if (free->kind == RESULT_LIST)
    text_append(words, size, "pull: free energies of %d paths in summary.yaml and pull.csv\n", free->n);
  else
    text_append(words, size, "pull of %s from %.6g to %.6g%s%s: mean work %s, free energy %s kcal/mol\n",
                results_word(set, group, "coordinate"), results_value(set, group, "from"),
                results_value(set, group, "to"), *unit != '\0' ? " " : "", unit,
                results_show(text, work->value, work->error), results_show(other, free->value, free->error));
}
