/* Writes the numbers of a run as tables: means, observables, settings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "html/run_read.h"

/* --- means ------- */

static const char mean_signs[] = "lrrlr", observable_signs[] = "lllrrll", number_signs[] = "lll";

static bool is_mean(const ResultNumber *n)
{
  return !n->observed &&
         (strcmp(n->of, "means") == 0 || (n->of[0] == '\0' && (isfinite(n->error) || n->errors != NULL)));
}

static void mean_row(Html *html, const char *name, double mean, double error, double correlation,
                     const char *unit)
{
  char value[RESULTS_SHOWN], scatter[RESULTS_SHOWN] = "", tau[RESULTS_SHOWN] = "";
  if (error > 0.0)
    results_show_error(scatter, mean, error);
  if (isfinite(correlation))
    results_show_value(tau, correlation, 0.01 * correlation);
  html_row(html, mean_signs,
           (const char *[]){name, results_show_value(value, mean, error), scatter,
                            quantity_show_unit(unit).text, tau});
}

/* For a ladder a row for each temperature; for other lists, for each number. */
static void mean_rows(const RunFound *run, Html *html, const ResultNumber *mean)
{
  const ResultNumber *rungs = results_find(run->set, "ladder", "", "temperatures");
  if (mean->kind != RESULT_LIST)
    mean_row(html, mean->name, mean->value, mean->error, mean->correlation, mean->unit);
  for (int k = 0; k < mean->n; k++) {
    char name[128];
    snprintf(name, sizeof name, "%s", mean->name);
    if (rungs == NULL)
      text_append(name, sizeof name, " %d", k + 1);
    else if (k < rungs->n)
      text_append(name, sizeof name, " at %.6g %s", rungs->values[k], rungs->unit);
    mean_row(html, name, mean->values[k], mean->errors != NULL ? mean->errors[k] : NAN, NAN, mean->unit);
  }
}

static void means(const RunFound *run, Html *html)
{
  static const char *const heading[] = {"Quantity", "Mean", "Standard error", "Unit",
                                        "Correlation (samples)"};
  bool any = false;
  for (int i = 0; i < run->set->n; i++) {
    if (!is_mean(&run->set->number[i]))
      continue;
    if (!any)
      html_table(html, "means", mean_signs, heading);
    any = true;
    mean_rows(run, html, &run->set->number[i]);
  }
  if (any)
    html_table_end(html);
  else
    html_text(html, "The run has no averages.");
}

/* --- observables ------- */

static void observable_row(Html *html, const ResultNumber *n)
{
  char value[RESULTS_SHOWN], scatter[RESULTS_SHOWN];
  const ResultNote note = results_number_note(n);
  html_row(html, observable_signs,
           (const char *[]){n->of, n->subject, n->name,
                            isfinite(n->value) ? results_show_value(value, n->value, n->error) : "–",
                            isfinite(n->error) ? results_show_error(scatter, n->value, n->error) : "",
                            quantity_show_unit(n->unit).text, note.text});
}

static void observables(const RunFound *run, Html *html)
{
  static const char *const heading[] = {"Observable",     "Of",   "Quantity", "Value",
                                        "Standard error", "Unit", "Remark"};
  bool any = false;
  for (int i = 0; i < run->set->n; i++) {
    const ResultNumber *n = &run->set->number[i];
    if (!n->observed)
      continue;
    if (!any) {
      html_heading(html, "Observables");
      html_table(html, "observables", observable_signs, heading);
    }
    any = true;
    observable_row(html, n);
  }
  if (any)
    html_table_end(html);
}

/* --- settings ------------------------------- */

static void number_row(Html *html, const ResultNumber *n)
{
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return;
  results_yaml_value(n, file);
  if (isfinite(n->error))
    fprintf(file, " ± %.2g", n->error);
  const long value = ftell(file);
  fputc('\0', file);
  results_yaml_remark(n, file);
  if (fclose(file) == 0)
    html_row(html, number_signs, (const char *[]){n->name, text, text + value + 1});
  free(text);
}

/* The numbers of a group; "": of no group. */
static void numbers(const RunFound *run, Html *html, const char *of, const char *name)
{
  static const char *const heading[] = {"Key", "Value", ""};
  html_table(html, name, number_signs, heading);
  for (int i = 0; i < run->set->n; i++) {
    const ResultNumber *n = &run->set->number[i];
    if (strcmp(n->of, of) == 0 && n->kind != RESULT_GROUP && !is_mean(n) && strcmp(n->name, "title") != 0)
      number_row(html, n);
  }
  html_table_end(html);
}

void run_tables_write(const RunFound *run, Html *html)
{
  if (!run->ended)
    return;
  html_section(html, "numbers", "Numbers");
  means(run, html);
  observables(run, html);
  for (int i = 0; i < run->set->n; i++) {
    const ResultNumber *n = &run->set->number[i];
    if (n->kind != RESULT_GROUP || strcmp(n->name, "means") == 0)
      continue;
    html_heading(html, n->quantity != NULL && *n->quantity->label != '\0' ? n->quantity->label : n->name);
    numbers(run, html, n->name, n->name);
  }
  html_section(html, "settings", "Settings");
  numbers(run, html, "", "settings");
}
