/* The numbers of a run as tables: means, observables, what ran. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/text.h"
#include "html/run_read.h"
#include "results/quantity.h"

enum { KEY = 96 };

static double number_with(const RunRead *run, const char *key, const char *end)
{
  char name[KEY + 16];
  snprintf(name, sizeof name, "%.*s%s", KEY - 1, key, end);
  return summary_number(run->summary, name);
}

static bool is_mean(const RunRead *run, const char *key) { return isfinite(number_with(run, key, "_err")); }

/* As pages show it; of systems in reduced units there is none. */
static QuantityWords unit_of(const RunRead *run, const char *table, const char *key)
{
  const QuantityRow *q = run->water ? quantity_find(QUANTITY_MOLECULES, table, key) : NULL;
  return quantity_show_unit(q != NULL ? q->unit : "");
}

static void mean_row(Html *html, const char *name, double mean, double error, double correlation,
                     const char *unit)
{
  char value[HTML_NUMBER], scatter[HTML_NUMBER] = "", tau[HTML_NUMBER] = "";
  if (error > 0.0)
    html_error(scatter, mean, error);
  if (isfinite(correlation))
    html_value(tau, correlation, 0.01 * correlation);
  html_row(html, (const char *[]){name, html_value(value, mean, error), scatter, unit, tau});
}

/* Of a ladder a row for each temperature, whose slots come first in replicas.csv. */
static void listed_means(const RunRead *run, Html *html, int i, const char *key)
{
  const Table *t = run->replicas;
  const int target = t != NULL ? table_find(t, "target") : -1;
  const QuantityWords unit = unit_of(run, "thermo", key);
  double mean;
  for (int k = 0; k == 0 || isfinite(mean); k++) {
    char name[KEY + 32];
    mean = summary_entry(run->summary, "means", i, "mean", k);
    snprintf(name, sizeof name, "%.*s", KEY - 1, key);
    if (target >= 0 && (size_t)k < t->nrow)
      text_append(name, sizeof name, " at %.6g%s", table_at(t, (size_t)k, target), run->water ? " K" : "");
    if (k == 0 || isfinite(mean))
      mean_row(html, name, mean, summary_entry(run->summary, "means", i, "error", k), NAN, unit.text);
  }
}

static void means(const RunRead *run, Html *html)
{
  static const char *const heading[] = {"Quantity", "Mean", "Standard error", "Unit",
                                        "Correlation (samples)"};
  const char *key;
  bool any = false;
  for (int i = 0; (key = summary_key(run->summary, i)) != NULL; i++) {
    if (!is_mean(run, key))
      continue;
    if (!any)
      html_table(html, "means", 5, "lrrlr", heading);
    any = true;
    mean_row(html, key, summary_number(run->summary, key), number_with(run, key, "_err"),
             number_with(run, key, "_correlation"), unit_of(run, "summary", key).text);
  }
  for (int i = 0; (key = summary_item(run->summary, "means", i, NULL)) != NULL; i++) {
    if (!any)
      html_table(html, "means", 5, "lrrlr", heading);
    any = true;
    listed_means(run, html, i, key);
  }
  if (any)
    html_table_end(html);
  else
    html_text(html, "There are no averages.");
}

static void observables(const RunRead *run, Html *html)
{
  static const char *const heading[] = {"Observable",     "Of",   "Quantity", "Value",
                                        "Standard error", "Unit", "Remark"};
  static const char *const key[] = {"observable", "subject", "quantity", "value", "error", "unit", "note"};
  if (summary_item(run->summary, "observables", 0, key[0]) == NULL)
    return;
  html_heading(html, "Observables");
  html_table(html, "observables", 7, "lllrrll", heading);
  for (int i = 0; summary_item(run->summary, "observables", i, key[0]) != NULL; i++) {
    const char *cell[7];
    char value[HTML_NUMBER], scatter[HTML_NUMBER];
    for (int k = 0; k < 7; k++)
      cell[k] = summary_item(run->summary, "observables", i, key[k]);
    const double mean = summary_real(cell[3]), error = summary_real(cell[4]);
    cell[3] = isfinite(mean) ? html_value(value, mean, error) : "–";
    cell[4] = isfinite(error) ? html_error(scatter, mean, error) : "";
    html_row(html, cell);
  }
  html_table_end(html);
}

static void settings(const RunRead *run, Html *html)
{
  static const char *const heading[] = {"Key", "Value", ""};
  const char *key, *value;
  html_section(html, "settings", "What ran");
  html_table(html, "settings", 3, "lll", heading);
  for (int i = 0; (key = summary_key(run->summary, i)) != NULL; i++) {
    char remark[256];
    value = summary_value(run->summary, key);
    if (value == NULL || is_mean(run, key) || text_ends(key, "_err") || text_ends(key, "_correlation") ||
        strcmp(key, "title") == 0)
      continue;
    run_read_remark(run, key, remark, sizeof remark);
    html_row(html, (const char *[]){key, value, remark});
  }
  html_table_end(html);
}

/* A mapping of the summary as a table of its own. */
static void mapping(const RunRead *run, Html *html, const char *of, const char *heading)
{
  static const char *const names[] = {"Key", "Value"};
  const char *key;
  if (summary_item(run->summary, of, 0, NULL) == NULL)
    return;
  html_heading(html, heading);
  html_table(html, of, 2, "ll", names);
  for (int i = 0; (key = summary_item(run->summary, of, i, NULL)) != NULL; i++) {
    const char *value = summary_within(run->summary, of, key);
    if (value != NULL)
      html_row(html, (const char *[]){key, value});
  }
  html_table_end(html);
}

void run_tables_write(const RunRead *run, Html *html)
{
  if (run->summary == NULL)
    return;
  html_section(html, "numbers", "Numbers");
  means(run, html);
  observables(run, html);
  mapping(run, html, "ladder", "The ladder");
  mapping(run, html, "share_of_parts", "Milliseconds a step");
  settings(run, html);
}
