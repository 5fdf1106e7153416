#include "observables/profile.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "engine/units.h"
#include "observables/picture.h"

/* Subtracts the least value of each part. */
static void lower(const Profile *p, double *free)
{
  const int parts = p->part == NULL ? 1 : p->n;
  for (int part = 1; part <= parts; part++) {
    double least = INFINITY;
    for (int b = 0; b < p->n; b++)
      if (p->part == NULL || (int)p->part[b] == part)
        least = free[b] < least ? free[b] : least;
    for (int b = 0; b < p->n; b++)
      if (p->part == NULL || (int)p->part[b] == part)
        free[b] -= least;
  }
}

static bool has_gaps(const Profile *p)
{
  for (int b = 0; b < p->n && p->part != NULL; b++)
    if (p->part[b] > 1.0)
      return true;
  return false;
}

void profile_name(const char *first, const char *second, char *name, size_t size)
{
  if (second == NULL)
    snprintf(name, size, "free_energy_%.35s", first);
  else
    snprintf(name, size, "free_energy_%.22s-%.22s", first, second);
}

Status profile_add(const Profile *p, ResultSet *set, ResultTable **table, Error *error)
{
  const CoordinateType *type = &coordinate_types[p->form];
  const double unit = type->angle ? M_PI / 180.0 : 1.0;
  char name[sizeof(*table)->name];
  SCOPED(arena_free) Arena arena = {0};
  const size_t n = (size_t)p->n;
  double *const middle = arena_take(&arena, 3 * n, sizeof *middle), *const free = middle + n,
                *const radial = free + n;
  TRY(arena_check(&arena, "a free energy", error));
  for (int b = 0; b < p->n; b++) {
    const double low = p->low + b * p->width, high = low + p->width;
    middle[b] = (low + 0.5 * p->width) / unit;
    free[b] = p->free[b];
    radial[b] = p->free[b] + p->kT * log((pow(high, 3) - pow(fmax(low, 0.0), 3)) / (3.0 * p->width));
  }
  lower(p, free);
  lower(p, radial);
  profile_name(p->name, NULL, name, sizeof name);
  ResultTable *t = results_add_table(set, name, n);
  results_add_column(t, type->argument, middle, NULL);
  results_add_column(t, "free_energy", free, p->error);
  if (p->form == COORDINATE_DISTANCE)
    results_add_column(t, "free_energy_radial", radial, p->error);
  if (p->density != NULL)
    results_add_column(t, "density", p->density, NULL);
  if (has_gaps(p))
    results_add_column(t, "part", p->part, NULL);
  if (p->samples != NULL)
    results_add_column(t, "samples", p->samples, NULL);
  results_say(t, "free_energy: -kT ln P of %s without %s, in the middle of bins of %.9g%s, at %.9g K",
              p->name, p->without != NULL ? p->without : "its biases", p->width / unit, type->unit,
              p->kT / UNITS_BOLTZMANN);
  if (has_gaps(p))
    results_say(t, "part: no samples connect the parts, and each is above its own minimum");
  if (table != NULL)
    *table = t;
  return STATUS_OK;
}

/* --- the figure -------------------------------------------------------------------------------------------
 */

/* Curves have a colour for each quantity, and a curve for each part. */
static int add_curves(const ResultTable *t, const char *column, const char *label, int colour,
                      const ResultColumn *part, PictureCurve *curve, int most)
{
  const ResultColumn *y = results_column(t, column);
  int n = 0;
  for (size_t first = 0, end; y != NULL && first < t->nrow && n < most; first = end) {
    for (end = first + 1; end < t->nrow && (part == NULL || part->value[end] == part->value[first]);)
      end++;
    curve[n] = (PictureCurve){.label = n == 0 ? label : NULL,
                              .n = (int)(end - first),
                              .x = t->column[0].value + first,
                              .y = y->value + first,
                              .error = y->error != NULL ? y->error + first : NULL,
                              .colour = colour};
    n++;
  }
  return n;
}

Status profile_draw(const char *dir, const ResultTable *t, Error *error)
{
  enum { PARTS = 16 };
  PictureCurve curve[2 * PARTS];
  const ResultColumn *part = results_column(t, "part"), *free = results_column(t, "free_energy");
  const bool radial = results_column(t, "free_energy_radial") != NULL,
             several = radial || results_column(t, "free_energy_bias") != NULL;
  int n = add_curves(t, "free_energy", several ? "-kT ln P" : NULL, 1, part, curve, PARTS);
  if (radial)
    n += add_curves(t, "free_energy_radial", "without 2 kT ln r", 2, part, curve + n, PARTS);
  if (results_column(t, "free_energy_bias") != NULL && n < 2 * PARTS)
    n += add_curves(t, "free_energy_bias", "from the bias", 3, NULL, curve + n, 1);
  PictureAxes axes = {.x = &t->column[0], .y = free};
  size_t first = 0, end = t->nrow;
  while (first < end && !isfinite(free->value[first]))
    first++;
  while (end > first && !isfinite(free->value[end - 1]))
    end--;
  if (end > first + 1) {
    const double half = 0.5 * (t->column[0].value[1] - t->column[0].value[0]);
    axes.xmin = t->column[0].value[first] - half;
    axes.xmax = t->column[0].value[end - 1] + half;
  }
  return picture_lines(dir, t->name, &axes, n, curve, error);
}
