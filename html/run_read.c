#include "html/run_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder_lock.h"

const ResultTable *run_read_table(const RunRead *run, const char *name)
{
  const ResultTable *table;
  return results_table(run->set, name, &table, NULL) == STATUS_OK ? table : NULL;
}

static const ResultTable *thermo_or(const RunRead *run, const char *other)
{
  const ResultTable *thermo = run_read_table(run, "thermo");
  return thermo != NULL ? thermo : run_read_table(run, other);
}

Status run_read(RunRead *run, ResultSet *set, Error *error)
{
  char who[FOLDER_HOLDER];
  *run = (RunRead){.set = set, .dir = set->dir, .ended = set->n > 0};
  run->held = folder_lock_look(run->dir, who) == FOLDER_HELD;
  run->series = thermo_or(run, "energy");
  run->averaged = thermo_or(run, "ensemble");
  if (!run->ended && run->series == NULL && !file_exists(run->dir, "holonom.log"))
    return error_set(error, STATUS_INPUT,
                     "%s holds nothing that a run has left: no results.json, no holonom.log", run->dir);
  return results_failed(set) ? error_memory(error, "results") : STATUS_OK;
}

const ResultColumn *run_read_numbers(const ResultTable *table, const char *name)
{
  const ResultColumn *column = results_column(table, name);
  return column != NULL && column->value != NULL ? column : NULL;
}

const ResultColumn *run_read_time(const ResultTable *table)
{
  const ResultColumn *time = run_read_numbers(table, "time_ps");
  return time != NULL ? time : run_read_numbers(table, "time");
}

QuantityWords run_read_caption(const ResultColumn *column)
{
  QuantityWords words;
  snprintf(words.text, sizeof words.text, "%s", column->name);
  return column->quantity != NULL && column->quantity->label[0] != '\0'
             ? quantity_caption(column->quantity, column->unit)
             : words;
}

size_t run_read_slots(const ResultTable *table)
{
  const ResultColumn *time = run_read_numbers(table, "target") != NULL ? run_read_time(table) : NULL;
  size_t n = 1;
  while (time != NULL && n < table->nrow && time->value[n] == time->value[0])
    n++;
  return n;
}

/* `n` of the table's times, the last ones, and what the column has there. */
static double *take(const double *from, size_t first, size_t n, size_t slots)
{
  double *to = from != NULL ? malloc((n + 1) * sizeof *to) : NULL;
  for (size_t i = 0; to != NULL && i < n; i++)
    to[i] = from[(first + i) * slots];
  return to;
}

Status run_read_column(const RunRead *run, const ResultTable *table, const char *name, RunColumn *column,
                       Error *error)
{
  const ResultColumn *c = run_read_numbers(table, name), *time = run_read_time(table);
  *column = (RunColumn){0};
  if (c == NULL || time == NULL)
    return STATUS_OK;
  const double samples = results_value(run->set, "", "samples");
  const size_t slots = run_read_slots(table), all = table->nrow / slots;
  const size_t n = samples >= 1.0 && samples < (double)all ? (size_t)samples : run->ended ? all : all / 2;
  *column = (RunColumn){.n = (int)n,
                        .time = take(time->value, all - n, n, slots),
                        .x = take(c->value, all - n, n, slots),
                        .error = take(c->error, all - n, n, slots)};
  if (column->time != NULL && column->x != NULL && (column->error != NULL || c->error == NULL))
    return STATUS_OK;
  run_read_column_free(column);
  return error_memory(error, "a column of the page");
}

void run_read_column_free(RunColumn *column)
{
  free(column->time);
  free(column->x);
  free(column->error);
  *column = (RunColumn){0};
}

const char *run_read_word(const RunRead *run, const char *name)
{
  const char *word = results_word(run->set, "", name);
  return word != NULL ? word : "";
}

QuantityWords run_read_pairs(const RunRead *run)
{
  QuantityWords words = {""};
  const char *pairs = run_read_word(run, "rdf_pairs");
  const bool each = strchr(pairs, '-') != NULL;
  snprintf(words.text, sizeof words.text, "%.40s%s", *pairs != '\0' ? pairs : "first sites",
           each ? " pairs" : "");
  return words;
}
