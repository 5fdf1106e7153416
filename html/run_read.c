#include "html/run_read.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

const ResultTable *run_read_table(const RunFound *run, const char *name)
{
  const ResultTable *table;
  return results_table(run->set, name, &table, NULL) == STATUS_OK ? table : NULL;
}

bool run_read_states(const RunFound *run)
{
  const ResultTable *ladder = run_read_table(run, "ladder");
  return ladder != NULL && results_numbers(ladder, "state") != NULL;
}

Status run_read(RunFound *run, ResultSet *set, Error *error)
{
  *run = run_tests_read(set, set);
  if (!run->ended && run->series == NULL && !file_exists(run->set->dir, "holonom.log"))
    return error_set(error, STATUS_INPUT,
                     "%s has no results of a run: results.json and holonom.log are missing", run->set->dir);
  return results_failed(set) ? error_memory(error, "results") : STATUS_OK;
}

QuantityWords run_read_caption(const ResultColumn *column)
{
  QuantityWords words;
  snprintf(words.text, sizeof words.text, "%s", column->name);
  return column->quantity != NULL && column->quantity->label[0] != '\0'
             ? quantity_caption(column->quantity, column->unit)
             : words;
}

QuantityWords run_read_pairs(const RunFound *run)
{
  QuantityWords words = {""};
  const char *pairs = results_text(run->set, "rdf_pairs");
  const bool each = strchr(pairs, '-') != NULL;
  snprintf(words.text, sizeof words.text, "%.40s%s", *pairs != '\0' ? pairs : "first sites",
           each ? " pairs" : "");
  return words;
}
