/* Runs with ladders of temperatures, for compare.h: means and distribution of the lowest temperature, with as
 * many draws as there are ladders; energy and heat capacity over temperature. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"

int compare_ladder_lowest(Table *table)
{
  const int column = table_find(table, "target");
  const size_t n = (size_t)table->ncol;
  if (column < 0 || table->nrow == 0)
    return 0;
  double lowest = INFINITY;
  for (size_t i = 0; i < table->nrow; i++)
    lowest = fmin(lowest, table_at(table, i, column));
  const size_t all = table->nrow;
  table->nrow = 0;
  for (size_t i = 0; i < all; i++)
    if (table_at(table, i, column) <= lowest) {
      memmove(table->x + table->nrow * n, table->x + i * n, n * sizeof *table->x);
      table->line[table->nrow++] = table->line[i];
    }
  return table->nrow > 0 ? (int)(all / table->nrow) : 0;
}

/* A row to a slot, ladder after ladder, the lowest temperature first (simulation/ladder/ladder.h). */
void compare_ladder_fractions(const CompareRun *run, RdfFractions *fraction)
{
  const size_t n = (size_t)fraction->ncol;
  if (run->temperatures == 0 || fraction->nrow != run->temperatures * run->replicas)
    return;
  fraction->nrow = run->replicas;
  for (size_t i = 1; i < (size_t)run->replicas; i++)
    memmove(fraction->x + i * n, fraction->x + i * (size_t)run->temperatures * n, n * sizeof *fraction->x);
}

static bool is_estimate(const char *name) { return strcmp(name, "energy") == 0 || strcmp(name, "heat") == 0; }

Status compare_ladder_curves(CompareRun *run, Error *error)
{
  static const CompareCurvesWords words = {"", "K", "temperature (K)", -INFINITY, 0.0};
  Table *table;
  run->curves.words = &words;
  Status status = compare_read_table(run, "heat_capacity.csv", true, &table, error);
  if (table != NULL)
    status = compare_read_curves(run, table, "temperature", is_estimate, 0, error);
  run->curves.draws = run->replicas;
  for (int i = 0; i < run->curves.npair; i++)
    snprintf(run->curves.name[i], sizeof *run->curves.name, "%s",
             strcmp(run->curves.name[i], "heat") == 0 ? "heat capacity (kcal/mol/K)" : "energy (kcal/mol)");
  table_free(table);
  return status;
}
