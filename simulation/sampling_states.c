#include "simulation/sampling_states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"

/* A state of all ladders. */
typedef struct States {
  const LadderOptions *ladder;
  const ResultSet *slot; /* [n ladders] */
  double *value;         /* [ladders] scratch */
} States;

static const ResultSet *slot_of(const States *s, int ladder, int k)
{
  return &s->slot[ladder * s->ladder->n + k];
}

/* --- numbers -------------------------------------------------------------------------------------------- */

/* The mean of a number of state k; NaN: a ladder has no value. */
static void mean_number(const States *s, int k, const ResultNumber *like, double *mean, double *error)
{
  const int ladders = s->ladder->ladders;
  *mean = *error = NAN;
  for (int a = 0; a < ladders; a++) {
    const ResultNumber *number = results_find(slot_of(s, a, k), like->of, like->subject, like->name);
    if (number == NULL || !isfinite(number->value))
      return;
    s->value[a] = number->value;
    *error = number->error;
  }
  *mean = s->value[0];
  if (ladders > 1)
    statistics_mean(s->value, ladders, mean, error);
}

/* Columns of states.csv. */
typedef struct Rows {
  size_t n;
  double *state, *value, *error;
  const char **of, **subject, **name, **unit;
} Rows;

static Status make_rows(Rows *rows, size_t most, Arena *arena, Error *error)
{
  rows->state = arena_take(arena, 3 * most + 1, sizeof *rows->state);
  rows->of = arena_take(arena, 4 * most + 1, sizeof *rows->of);
  TRY(arena_check(arena, "results by state", error));
  rows->value = rows->state + most;
  rows->error = rows->value + most;
  rows->subject = rows->of + most;
  rows->name = rows->subject + most;
  rows->unit = rows->name + most;
  return STATUS_OK;
}

/* The numbers of the first ladder in state k, which all ladders have. */
static void add_state(const States *s, int k, Rows *rows)
{
  const ResultSet *first = slot_of(s, 0, k);
  for (int i = 0; i < first->n; i++) {
    const ResultNumber *number = &first->number[i];
    const size_t at = rows->n;
    mean_number(s, k, number, &rows->value[at], &rows->error[at]);
    if (!isfinite(rows->value[at]))
      continue;
    rows->state[at] = k;
    rows->of[at] = number->of;
    rows->subject[at] = number->subject[0] != '\0' ? number->subject : "-";
    rows->name[at] = number->name;
    rows->unit[at] = number->unit[0] != '\0' ? number->unit : "-";
    rows->n++;
  }
}

static Status write_numbers(const States *s, const char *dir, ResultSet *report, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Rows rows = {0};
  size_t most = 0;
  for (int k = 0; k < s->ladder->n; k++)
    most += (size_t)slot_of(s, 0, k)->n;
  TRY(make_rows(&rows, most, &arena, error));
  for (int k = 0; k < s->ladder->n; k++)
    add_state(s, k, &rows);
  if (rows.n == 0)
    return STATUS_OK;
  ResultTable *t = results_add_table(report, "states", rows.n);
  results_add_column(t, "state", rows.state, NULL);
  results_add_words(t, "observable", rows.of);
  results_add_words(t, "subject", rows.subject);
  results_add_words(t, "quantity", rows.name);
  results_add_column(t, "value", rows.value, rows.error);
  results_add_words(t, "unit", rows.unit);
  results_say(
      t,
      "observables of each state of the ladder, in the order of ladder.csv; errors: one standard error, %s",
      s->ladder->ladders > 1 ? "from the ladders" : "from blocks of time");
  return results_csv_write(t, dir, error);
}

/* --- distances ------------------------------------------------------------------------------------------ */

static const ResultTable *distances_of(const ResultSet *set)
{
  for (int i = 0; i < set->ntable; i++)
    if (strcmp(set->table[i]->name, "gofr") == 0)
      return set->table[i];
  return NULL;
}

/* The mean of a column of state k over the ladders: value[rows], then errors[rows]. */
static void mean_column(const States *s, int k, const char *name, size_t rows, double *to)
{
  const int ladders = s->ladder->ladders;
  for (size_t i = 0; i < rows; i++) {
    for (int a = 0; a < ladders; a++) {
      const ResultColumn *column = results_column(distances_of(slot_of(s, a, k)), name);
      s->value[a] = column->value[i];
      to[rows + i] = column->error != NULL ? column->error[i] : NAN;
    }
    to[i] = s->value[0];
    if (ladders > 1)
      statistics_mean(s->value, ladders, &to[i], &to[rows + i]);
  }
}

/* Ranges end at half of the shortest box of each slot; the table has the bins of all. */
static Status write_distances(const States *s, const char *dir, ResultSet *report, Error *error)
{
  size_t rows = SIZE_MAX;
  for (int i = 0; i < s->ladder->n * s->ladder->ladders; i++) {
    const ResultTable *t = distances_of(&s->slot[i]);
    if (t == NULL)
      return STATUS_OK;
    rows = t->nrow < rows ? t->nrow : rows;
  }
  SCOPED(scoped_free) double *mean = malloc((2 * rows + 1) * sizeof *mean);
  TRY_MEMORY(mean != NULL, "distances by state", error);
  const ResultTable *like = distances_of(&s->slot[0]);
  ResultTable *t = results_add_table(report, "rdf_ladder", rows);
  results_add_column(t, "r", results_column(like, "r")->value, NULL);
  for (int k = 0; k < s->ladder->n; k++)
    for (int c = 0; c < like->ncol; c++) {
      char name[80];
      if (strncmp(like->column[c].name, "g_", 2) != 0)
        continue;
      mean_column(s, k, like->column[c].name, rows, mean);
      snprintf(name, sizeof name, "g%d%s", k, like->column[c].name + 1);
      results_add_column(t, name, mean, mean + rows);
    }
  results_say(
      t,
      "radial distributions g as in gofr.csv at each state of the ladder: g0 at the first, in the order of "
      "ladder.csv; r in A (middle of the bin); errors: one standard error, %s",
      s->ladder->ladders > 1 ? "from the ladders" : "from blocks of time");
  return results_csv_write(t, dir, error);
}

Status sampling_states_write(const LadderOptions *ladder, const ResultSet *slot, const char *dir,
                             ResultSet *report, Error *error)
{
  SCOPED(scoped_free) double *value = calloc((size_t)ladder->ladders, sizeof *value);
  TRY_MEMORY(value != NULL, "results by state", error);
  const States states = {ladder, slot, value};
  TRY(write_numbers(&states, dir, report, error));
  return write_distances(&states, dir, report, error);
}
